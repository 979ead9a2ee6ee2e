//! Corpora without WARC: tables with a row per fetch.
//!
//! An input that is no archive is [recognised](recognise) by its content. The calling thread reads
//! it in [batches](batch::Batch) of whole rows, and finds what is no row; workers parse the rows into
//! [fetches](fetch::Fetch). A fetch is written as the WARC record that a crawler would have written,
//! and from there on takes the way of every capture.

mod batch;
mod columns;
mod delimited;
mod fetch;
mod headers;
mod json_lines;
mod recognise;
mod time;
mod window;

use std::io;
use std::sync::Arc;

use warc_recovery::container::Format as Packing;
use warc_recovery::input::Input;

use self::columns::Places;
use self::window::Window;

pub(super) use self::batch::{Batch, Row};
pub use self::columns::{Column, Columns, Given};
pub(super) use self::recognise::{is_named_as_table, recognise};

/// What a corpus is, and how it is read.
#[derive(Debug, Clone)]
pub(super) struct Corpus {
    format: Format,
    packing: Packing,
    columns: Columns,
    /// Where the columns of a table are that has the same in every row.
    places: Places,
    /// The columns that were found, with what they hold, as far as that is used.
    pub(super) names: Vec<(String, Option<Column>)>,
}

/// What the rows of a corpus are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// JSON objects, one a line.
    JsonLines,
    /// Fields with this byte between them.
    Delimited(u8),
}

impl Corpus {
    /// The word for it in `inputs.container`.
    pub(super) fn name(&self) -> &'static str {
        let names = match self.format {
            Format::JsonLines => ["jsonl", "jsonl.gz", "jsonl.zst"],
            Format::Delimited(b'\t') => ["tsv", "tsv.gz", "tsv.zst"],
            Format::Delimited(_) => ["csv", "csv.gz", "csv.zst"],
        };
        match self.packing {
            Packing::Plain => names[0],
            Packing::Gzip => names[1],
            Packing::Zstd => names[2],
        }
    }

    /// A reader of `input`.
    pub(super) fn reader(&self, input: &Arc<Input>) -> Reader {
        let window = Window::new(Arc::clone(input), self.packing);
        Reader(match self.format {
            Format::JsonLines => Rows::Lines(json_lines::Lines::new(window)),
            Format::Delimited(delimiter) => Rows::Table(delimited::Table::new(window, delimiter)),
        })
    }
}

/// Reads a corpus, batch after batch. Where these begin and end depends on the file alone.
pub(super) struct Reader(Rows);

enum Rows {
    Lines(json_lines::Lines),
    Table(delimited::Table),
}

impl Reader {
    /// The next batch; none at the end.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read.
    pub(super) fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        match &mut self.0 {
            Rows::Lines(lines) => lines.next_batch(),
            Rows::Table(table) => table.next_batch(),
        }
    }
}
