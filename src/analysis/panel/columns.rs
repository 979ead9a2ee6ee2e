//! The bytes of an index in Parquet that a look-up reads: its footer, and the chunks of a few
//! columns.

use std::fs::File;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
};

use crate::error::Error;

pub(super) const COLUMNS: [&str; 7] = [
    "url",
    "url_host_name",
    "fetch_time",
    "fetch_status",
    "warc_filename",
    "warc_record_offset",
    "warc_record_length",
];

/// The ranges that a look-up reads from a file of `length` bytes, besides the footer, in order of
/// their starts. `end` holds bytes from the end of the file.
///
/// Fails with [`ParquetError::NeedMoreData`], which has the number of bytes needed from the end of
/// the file; with any other error if the file is not an index in Parquet.
pub fn ranges(end: &[u8], length: u64) -> Result<Vec<Range<u64>>> {
    let end = Bytes::copy_from_slice(end);
    let mut reader = ParquetMetaDataReader::new();
    let metadata = guarded(|| {
        reader.try_parse_sized(&end, length)?;
        reader.finish()
    })?;
    of_columns(&metadata, length)
}

/// The [`ranges`] of the file `index`, and its length. Only the end of the file need be present.
pub fn ranges_of_file(index: &Path) -> std::result::Result<(Vec<Range<u64>>, u64), Error> {
    let file = File::open(index).map_err(Error::io(index))?;
    let length = file.metadata().map_err(Error::io(index))?.len();
    let metadata = guarded(|| ParquetMetaDataReader::new().parse_and_finish(&file));
    let ranges = metadata.and_then(|metadata| of_columns(&metadata, length));
    Ok((ranges.map_err(Error::parquet(index))?, length))
}

/// A damaged footer may make the library panic.
fn guarded(read: impl FnOnce() -> Result<ParquetMetaData>) -> Result<ParquetMetaData> {
    let damaged = |_| Err(ParquetError::General("its footer is damaged".to_owned()));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(damaged)
}

fn of_columns(metadata: &ParquetMetaData, length: u64) -> Result<Vec<Range<u64>>> {
    let mut ranges = Vec::new();
    let groups = metadata.row_groups().iter();
    for column in groups.flat_map(RowGroupMetaData::columns) {
        // SQL ignores the case of names.
        let name = &column.column_path().parts()[0];
        if COLUMNS.iter().any(|it| it.eq_ignore_ascii_case(name)) {
            ranges.push(chunk(column));
            ranges.extend(extras(column, length));
        }
    }
    ranges.sort_unstable_by_key(|range| range.start);
    if ranges.iter().any(|it| it.start > it.end || it.end > length) {
        let message = "its footer refers to bytes outside the file".to_owned();
        return Err(ParquetError::General(message));
    }
    Ok(ranges)
}

/// The pages of a column chunk. `ColumnChunkMetaData::byte_range` panics if an offset or a size is
/// negative.
fn chunk(column: &ColumnChunkMetaData) -> Range<u64> {
    let data = column.data_page_offset();
    let dictionary = column.dictionary_page_offset().filter(|it| *it > 0);
    let start = dictionary.map_or(data, |it| it.min(data));
    range(start, column.compressed_size())
}

/// The Bloom filter and the page index of a column chunk, which a reader may use.
fn extras(column: &ColumnChunkMetaData, length: u64) -> impl Iterator<Item = Range<u64>> {
    let filter = (column.bloom_filter_offset()).map(|offset| match column.bloom_filter_length() {
        Some(bytes) => range(offset, bytes.into()),
        // The filter may end anywhere.
        None => range(offset, 0).start..length,
    });
    let indexes = [column.column_index_range(), column.offset_index_range()];
    filter.into_iter().chain(indexes.into_iter().flatten())
}

/// The range of `bytes` from `start`; if either is negative, a range that is outside every file.
fn range(start: i64, bytes: i64) -> Range<u64> {
    match (u64::try_from(start), u64::try_from(bytes)) {
        (Ok(start), Ok(bytes)) => start..start.saturating_add(bytes),
        _ => u64::MAX..u64::MAX,
    }
}

#[cfg(test)]
mod tests;
