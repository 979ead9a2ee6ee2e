//! Corpora without WARC: tables with a row per fetch, and files that are named after their host.
//!
//! An input that is not an archive is [recognised](mod@recognise) by its content. The calling
//! thread reads it in [batches](batch::Batch) of rows, each of which is a [fetch](fetch::Fetch) or
//! damage. A worker writes each fetch as the WARC record that a crawler would have written, which
//! is then processed like any other.

mod batch;
mod columns;
mod delimited;
mod fetch;
mod files;
mod folder;
mod format;
mod headers;
mod json_lines;
mod name_pattern;
mod names;
mod options;
mod parquet;
mod parquet_file;
mod parquet_pages;
mod problem;
mod recognise;
mod tar;
#[cfg(test)]
mod tests;
mod time;
mod window;
mod zip;

pub use self::batch::UnreadFiles;
pub(crate) use self::batch::{Batch, Row, RowReader};
pub use self::columns::{Column, Columns, GivenColumn};
pub(crate) use self::fetch::{BASE64, Fetch};
pub use self::folder::Folder;
pub(crate) use self::format::Corpus;
pub use self::name_pattern::NamePattern;
pub use self::options::CorpusOptions;
pub(crate) use self::parquet_file::{MAGIC as PARQUET, ParquetFile, integer};
pub(crate) use self::recognise::{
    begins_archive, extension, is_named_as_table, recognise, recognise_zip,
};
pub(crate) use self::window::Window;
