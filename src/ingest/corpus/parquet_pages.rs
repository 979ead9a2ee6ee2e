//! Checks the pages of a Parquet column by their headers alone (Apache Parquet format 2.11,
//! PageHeader).
//!
//! A page's header gives its uncompressed length, and the Parquet reader allocates that much before
//! it looks at the data. So the headers are checked first.

use std::io::{BufReader, Read as _};
use std::ops::Range;
use std::sync::Arc;

use warc_recovery::input::Input;

use crate::ingest::input::span::{Bytes, Span};

/// The longest page that is unpacked, in bytes. Most writers make pages of 1 MiB; some put a whole
/// column of a row group into one.
const MAX_PAGE_BYTES: u64 = 256 * 1024 * 1024;
/// The most levels of nested structures that are read; a header has three.
const MAX_DEPTH: u8 = 8;
// The types of Thrift's compact protocol.
const STOP: u8 = 0;
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I8: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// Checks that each page in these bytes of the file may be unpacked; fails with what is wrong.
pub(super) fn check(input: &Arc<Input>, bytes: Range<u64>) -> Result<(), String> {
    let mut at = bytes.start;
    while at < bytes.end {
        let header = Span::new(Bytes(Arc::clone(input)), at..bytes.end);
        let mut read = 0;
        let bytes = BufReader::new(header).bytes().map_while(Result::ok);
        let sizes = structure(&mut bytes.inspect(|_| read += 1), 0);
        let sizes = sizes.map(|sizes| sizes.map(u64::try_from));
        let Some([Ok(uncompressed), Ok(compressed)]) = sizes else {
            return Err(format!("the header of the page at offset {at} is damaged"));
        };
        if uncompressed > MAX_PAGE_BYTES {
            return Err(format!(
                "the page at offset {at} declares {uncompressed} uncompressed bytes; the limit is \
                 {MAX_PAGE_BYTES}"
            ));
        }
        at = at.saturating_add(read + compressed);
    }
    Ok(())
}

// Thrift's compact protocol. The functions return `None` for bytes that do not follow it.

/// Fields 2 and 3 of the structure that begins here, if they are numbers of 32 bits: in a page's
/// header, the uncompressed and compressed bytes. A missing field is negative.
fn structure(bytes: &mut impl Iterator<Item = u8>, depth: u8) -> Option<[i64; 2]> {
    let mut sizes = [-1; 2];
    let mut id = 0_i64;
    loop {
        let head = bytes.next()?;
        if head == STOP {
            return Some(sizes);
        }
        id = match head >> 4 {
            0 => zigzag(bytes)?,
            delta => id.checked_add(i64::from(delta))?,
        };
        match (head & 0x0f, id) {
            (I32, 2) => sizes[0] = zigzag(bytes)?,
            (I32, 3) => sizes[1] = zigzag(bytes)?,
            (kind, _) => skip(bytes, kind, depth)?,
        }
    }
}

fn skip(bytes: &mut impl Iterator<Item = u8>, kind: u8, depth: u8) -> Option<()> {
    match kind {
        TRUE | FALSE => Some(()),
        I8 => advance(bytes, 1),
        I16 | I32 | I64 => varint(bytes).map(drop),
        DOUBLE => advance(bytes, 8),
        BINARY => {
            let length = varint(bytes)?;
            advance(bytes, length)
        }
        LIST | SET if depth < MAX_DEPTH => {
            let head = bytes.next()?;
            let length = match head >> 4 {
                15 => varint(bytes)?,
                length => u64::from(length),
            };
            // A boolean in a list takes a byte; one in a field is part of the field's header.
            (0..length).try_for_each(|_| match head & 0x0f {
                TRUE | FALSE => advance(bytes, 1),
                kind => skip(bytes, kind, depth + 1),
            })
        }
        STRUCT if depth < MAX_DEPTH => structure(bytes, depth + 1).map(drop),
        _ => None,
    }
}

fn advance(bytes: &mut impl Iterator<Item = u8>, length: u64) -> Option<()> {
    (0..length).try_for_each(|_| bytes.next().map(drop))
}

fn varint(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn zigzag(bytes: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let number = varint(bytes)?;
    Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
}
