//! A corpus, and its reader.

use std::sync::Arc;

use warc_recovery::container::Format as Packing;
use warc_recovery::input::Input;

use super::batch::RowReader;
use super::columns::{Column, Places};
use super::delimited::{DelimitedReader, Separators};
use super::files::Files;
use super::folder::Folder;
use super::json_lines::JsonLinesReader;
use super::options::CorpusOptions;
use super::parquet::ParquetReader;
use super::parquet_file::ParquetFile;
use super::tar::Tar;
use super::window::Window;
use super::zip::Zip;
use crate::dataset::tables::inputs::NoCaptures;
use crate::dataset::tables::values::InputKind;
use crate::ingest::input::zip::Member;

#[derive(Clone)]
pub(crate) struct Corpus {
    pub(super) format: CorpusFormat,
    pub(super) packing: Packing,
    pub(super) options: CorpusOptions,
    /// The columns that were found, each with its content if that is used.
    pub(in crate::ingest) names: Vec<(String, Option<Column>)>,
    /// The folder that was packed into the tar file.
    pub(in crate::ingest) folder: Option<Arc<Folder>>,
}

#[derive(Clone)]
pub(super) enum CorpusFormat {
    JsonLines,
    Delimited(Separators, Places),
    Parquet(ParquetFile, Places),
    Tar,
    Zip(Arc<Vec<Member>>),
}

impl Corpus {
    pub(super) fn new(
        format: CorpusFormat,
        packing: Packing,
        options: &CorpusOptions,
        names: Vec<String>,
    ) -> Self {
        let with_column = |(place, name): (usize, String)| {
            let column = match &format {
                CorpusFormat::Delimited(_, places) | CorpusFormat::Parquet(_, places) => {
                    let mut columns = Column::ALL.into_iter();
                    columns.find(|column| places[*column as usize] == Some(place))
                }
                _ => options.columns.of_name(&name).map(|(column, _)| column),
            };
            (name, column)
        };
        Self {
            names: names.into_iter().enumerate().map(with_column).collect(),
            format,
            packing,
            options: options.clone(),
            folder: None,
        }
    }

    /// Why none of its `rows` rows is a capture.
    pub(in crate::ingest) fn without_captures(&self, rows: u64) -> (NoCaptures, &'static str) {
        match self.format {
            CorpusFormat::Delimited(..) if rows == 0 => (
                NoCaptures::NoRows,
                "no rows: nothing follows the line of column names",
            ),
            CorpusFormat::Parquet(..) if rows == 0 => (NoCaptures::NoRows, "no rows"),
            CorpusFormat::Tar | CorpusFormat::Zip(_) => (
                NoCaptures::NoHostFiles,
                "no file in it is named after its host, as in example.com.txt, \
                 example.com/robots.txt and example.com: describe others with --name-pattern, as \
                 in --name-pattern '{rank}-{host}.txt'; unpack archives first",
            ),
            _ => (
                NoCaptures::NoRobotstxt,
                "no row is a capture: none of the URLs is a robots.txt; if they are sites \
                 whose robots.txt was fetched, add --columns host=NAME, else --subset robotstxt",
            ),
        }
    }

    /// Its value in `inputs.container`.
    pub(in crate::ingest) fn name(&self) -> InputKind {
        use InputKind as Kind;
        let [plain, gzip, zstd] = match self.format {
            CorpusFormat::JsonLines => [Kind::JsonLines, Kind::JsonLinesGzip, Kind::JsonLinesZstd],
            CorpusFormat::Delimited(it, _) if it.delimiter == b'\t' => {
                [Kind::Tsv, Kind::TsvGzip, Kind::TsvZstd]
            }
            CorpusFormat::Delimited(..) => [Kind::Csv, Kind::CsvGzip, Kind::CsvZstd],
            CorpusFormat::Parquet(..) => [Kind::Parquet; 3],
            CorpusFormat::Tar if self.folder.is_some() => [Kind::Folder; 3],
            CorpusFormat::Zip(_) => [Kind::Zip; 3],
            CorpusFormat::Tar => [Kind::Tar, Kind::TarGzip, Kind::TarZstd],
        };
        match self.packing {
            Packing::Plain => plain,
            Packing::Gzip => gzip,
            Packing::Zstd => zstd,
        }
    }

    pub(in crate::ingest) fn reader(&self, input: &Arc<Input>) -> Box<dyn RowReader> {
        let window = Window::new(Arc::clone(input), self.packing);
        match &self.format {
            CorpusFormat::Parquet(file, places) => {
                Box::new(ParquetReader::new(input, file, places))
            }
            CorpusFormat::Zip(members) => {
                Box::new(Files::new(Zip::new(input, members, &self.options)))
            }
            CorpusFormat::Tar => {
                let folder = self.folder.as_ref();
                Box::new(Files::new(Tar::new(window, &self.options, folder)))
            }
            CorpusFormat::JsonLines => Box::new(JsonLinesReader {
                window,
                columns: self.options.columns.clone(),
                lines: 0,
            }),
            CorpusFormat::Delimited(separators, places) => {
                Box::new(DelimitedReader::new(window, *separators, *places))
            }
        }
    }
}
