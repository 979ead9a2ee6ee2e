//! Indexes of archives: which records to read, by archive, offset and length.
//!
//! Common Crawl's columnar index and other tables in Parquet ([`table`]), CDXJ and CDX ([`lines`]).
//! Rows may come in any order and from several files; 16 bytes are kept of each row whose record is
//! read, so memory depends on the number of these records, not of all rows.

mod lines;
mod rows;
mod table;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;

use warc_recovery::damage::Damage;
use warc_recovery::input::Input;

pub(crate) use self::rows::Index;

use crate::ingest::corpus::{PARQUET, Window, extension};

const SNIFF_BYTES: usize = 64 * 1024;
/// Adds the records listed in `input` to `index`. Returns the rows that cannot be used.
pub(crate) fn read(index: &mut Index, input: &Arc<Input>) -> io::Result<Vec<Damage>> {
    let not_index = |message: String| {
        let message = format!("not an index of records (Parquet, CDXJ or CDX): {message}");
        io::Error::new(io::ErrorKind::InvalidData, message)
    };
    if let Some(message) = mistake(input)? {
        return Err(not_index(message));
    }
    if is_parquet(input)? {
        table::read(input, index).map_err(not_index)?;
    } else {
        lines::read(Window::of(input)?, index)?;
    }
    Ok(index.take_lost())
}

pub(crate) fn mistake(input: &Arc<Input>) -> io::Result<Option<String>> {
    if is_parquet(input)? {
        return Ok(None);
    }
    let mut window = Window::of(input)?;
    window.fill(SNIFF_BYTES)?;
    Ok(lines::recognise(window.bytes()).err())
}

fn is_parquet(input: &Input) -> io::Result<bool> {
    Ok(*input.read(0, PARQUET.len())? == *PARQUET)
}

/// Whether a file in a directory is named like an index.
pub(crate) fn is_named_as_index(name: &str) -> bool {
    // Common Crawl's parts of a CDXJ index are called cdx-00000.gz.
    matches!(&*extension(name), "parquet" | "pq" | "cdx" | "cdxj")
        || name.to_ascii_lowercase().starts_with("cdx-")
}
