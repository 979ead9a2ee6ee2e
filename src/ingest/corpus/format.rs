//! What a corpus is, and its reader.

use std::sync::Arc;

use warc_recovery::container::Format as Packing;
use warc_recovery::input::Input;

use super::batch::RowReader;
use super::columns::{Column, Columns, Places};
use super::files::Files;
use super::folder::Folder;
use super::names::FileNames;
use super::parquet_file::ParquetFile;
use super::window::Window;
use super::{delimited, json_lines, parquet, tar, zip};
use crate::dataset::tables::inputs::NoCaptures;
use crate::dataset::tables::values::InputKind;
use crate::ingest::input::zip::Member;

/// How corpora are read: what their columns hold, and how their files are named after hosts.
#[derive(Debug, Clone, Default)]
pub struct CorpusOptions {
    /// Which columns of tables hold what.
    pub columns: Columns,
    /// How files are named after their hosts.
    pub names: FileNames,
}

/// What a corpus is, and how it is read.
#[derive(Debug, Clone)]
pub(crate) struct Corpus {
    format: CorpusFormat,
    packing: Packing,
    options: CorpusOptions,
    /// Where the columns of a table are that has the same in every row.
    places: Places,
    /// The columns that were found, with what they hold, as far as that is used.
    pub(in crate::ingest) names: Vec<(String, Option<Column>)>,
    /// The folder that was packed into the tar file.
    pub(in crate::ingest) folder: Option<Arc<Folder>>,
}

/// What the rows of a corpus are.
#[derive(Debug, Clone)]
pub(super) enum CorpusFormat {
    JsonLines,
    /// Fields with this byte between them.
    Delimited(u8),
    Parquet(ParquetFile),
    Tar,
    Zip(Arc<Vec<Member>>),
}

impl Corpus {
    pub(super) fn files(format: CorpusFormat, packing: Packing, options: &CorpusOptions) -> Self {
        Self {
            format,
            packing,
            options: options.clone(),
            places: Places::default(),
            names: Vec::new(),
            folder: None,
        }
    }

    /// A table with columns of these names, which are at these places.
    pub(super) fn table(
        format: CorpusFormat,
        packing: Packing,
        options: &CorpusOptions,
        places: Places,
        names: Vec<String>,
    ) -> Self {
        let mut corpus = Self::files(format, packing, options);
        let names = names.into_iter().enumerate().map(|(place, name)| {
            let mut columns = Column::ALL.into_iter();
            let column = match corpus.format {
                CorpusFormat::JsonLines => options.columns.of_name(&name).map(|(column, _)| column),
                _ => columns.find(|column| places[*column as usize] == Some(place)),
            };
            (name, column)
        });
        corpus.names = names.collect();
        corpus.places = places;
        corpus
    }

    /// Why none of its `rows` rows is a capture.
    pub(in crate::ingest) fn without_captures(&self, rows: u64) -> (NoCaptures, &'static str) {
        match self.format {
            CorpusFormat::Delimited(_) if rows == 0 => (
                NoCaptures::NoRows,
                "no rows: nothing follows the line that names the columns",
            ),
            CorpusFormat::Parquet(_) if rows == 0 => (NoCaptures::NoRows, "no rows"),
            CorpusFormat::Tar | CorpusFormat::Zip(_) => (
                NoCaptures::NoHostFiles,
                "no file in it is named after its host, as in example.com.txt, \
                 example.com/robots.txt and example.com: describe others with --name-pattern, as \
                 in --name-pattern '{rank}-{host}.txt'; unpack archives first",
            ),
            _ => (
                NoCaptures::NoRobotstxt,
                "no row is a capture: the URLs are not those of a robots.txt; if they are sites \
                 whose robots.txt was fetched, add --columns host=NAME, else --subset robotstxt",
            ),
        }
    }

    /// The word for it in `inputs.container`.
    pub(in crate::ingest) fn name(&self) -> InputKind {
        use InputKind as Kind;
        let names = match self.format {
            CorpusFormat::JsonLines => [Kind::JsonLines, Kind::JsonLinesGzip, Kind::JsonLinesZstd],
            CorpusFormat::Delimited(b'\t') => [Kind::Tsv, Kind::TsvGzip, Kind::TsvZstd],
            CorpusFormat::Delimited(_) => [Kind::Csv, Kind::CsvGzip, Kind::CsvZstd],
            CorpusFormat::Parquet(_) => [Kind::Parquet; 3],
            CorpusFormat::Tar if self.folder.is_some() => [Kind::Folder; 3],
            CorpusFormat::Zip(_) => [Kind::Zip; 3],
            CorpusFormat::Tar => [Kind::Tar, Kind::TarGzip, Kind::TarZstd],
        };
        match self.packing {
            Packing::Plain => names[0],
            Packing::Gzip => names[1],
            Packing::Zstd => names[2],
        }
    }

    pub(in crate::ingest) fn reader(&self, input: &Arc<Input>) -> Box<dyn RowReader> {
        let window = Window::new(Arc::clone(input), self.packing);
        match &self.format {
            CorpusFormat::Parquet(file) => {
                Box::new(parquet::ParquetReader::new(input, file, &self.places))
            }
            CorpusFormat::Zip(members) => Box::new(Files::new(zip::Zip::new(
                input,
                members,
                &self.options.names,
            ))),
            CorpusFormat::Tar => {
                let names = match &self.folder {
                    Some(folder) => tar::Names::Folder(Arc::clone(folder)),
                    None => tar::Names::Usual(self.options.names.clone()),
                };
                Box::new(Files::new(tar::Tar::new(window, names)))
            }
            CorpusFormat::JsonLines => {
                let columns = self.options.columns.clone();
                Box::new(json_lines::JsonLinesReader::new(window, columns))
            }
            CorpusFormat::Delimited(delimiter) => Box::new(delimited::DelimitedReader::new(
                window,
                *delimiter,
                self.places,
            )),
        }
    }
}
