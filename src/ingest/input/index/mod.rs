//! Indexes of archives: which records to read, by archive, offset and length.
//!
//! Common Crawl's columnar index and other tables in Parquet ([`table`]), CDXJ and CDX ([`lines`]).
//! Rows may come in any order and from several files; 16 bytes of each are kept, so that memory is
//! bounded by the number of these records, not of rows.

mod lines;
mod records;
mod row;
mod table;

use std::io;
use std::sync::Arc;

use warc_recovery::damage::Damage;
use warc_recovery::input::Input;

pub(crate) use self::records::Index;
use self::records::UnusableRows;
use crate::ingest::corpus::{PARQUET, Window, extension};

/// Bytes looked at to recognise an index.
const SNIFF_BYTES: usize = 64 * 1024;

/// Adds the records that the index in `input` names to `index`. Returns which rows cannot be used,
/// or why the file is not an index.
pub(crate) fn read(
    index: &mut Index,
    input: &Arc<Input>,
) -> io::Result<Result<Vec<Damage>, String>> {
    let mut lost = UnusableRows::default();
    if *input.read(0, PARQUET.len())? == *PARQUET {
        let read = table::read(input, index, &mut lost);
        return Ok(read.map(|()| lost.finish()));
    }
    let mut window = Window::of(input)?;
    window.fill(SNIFF_BYTES)?;
    if let Err(message) = lines::recognise(window.bytes()) {
        return Ok(Err(message));
    }
    lines::read(window, index, &mut lost)?;
    Ok(Ok(lost.finish()))
}

/// What `input` is, if it is not an index.
pub(crate) fn mistake(input: &Arc<Input>) -> io::Result<Option<String>> {
    if *input.read(0, PARQUET.len())? == *PARQUET {
        return Ok(None);
    }
    let mut window = Window::of(input)?;
    window.fill(SNIFF_BYTES)?;
    Ok(lines::recognise(window.bytes()).err())
}

/// Whether a file in a directory is called as indexes are.
pub(crate) fn is_named_as_index(name: &str) -> bool {
    // Common Crawl's parts of a CDXJ index are called cdx-00000.gz.
    matches!(&*extension(name), "parquet" | "pq" | "cdx" | "cdxj")
        || name.to_ascii_lowercase().starts_with("cdx-")
}
