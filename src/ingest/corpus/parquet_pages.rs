//! Pages of a column of Parquet, by their headers alone (Apache Parquet format 2.11, PageHeader).
//!
//! A page's header gives its uncompressed length, and the Parquet reader allocates that much before
//! it looks at the data. So the headers are checked first.

use std::io;
use std::ops::Range;

use warc_recovery::input::Input;

/// The longest page that is unpacked, in bytes. Most writers make pages of 1 MiB; some put a whole
/// column of a row group into one.
const MAX_PAGE_BYTES: i64 = 256 * 1024 * 1024;
/// Bytes of a header; statistics in it may have the longest value twice.
const HEADER_BYTES: [usize; 2] = [4096, 80 * 1024 * 1024];
/// Nested structures that are read, at most; a header has three levels.
const MAX_DEPTH: u8 = 8;
// The types of Thrift's compact protocol.
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
pub(super) fn check(input: &Input, bytes: Range<u64>) -> Result<(), String> {
    let mut at = bytes.start;
    while at < bytes.end {
        let header = header_at(input, at).map_err(|error| error.to_string())?;
        let Some(header) = header else {
            return Err(format!("the header of the page at offset {at} is damaged"));
        };
        if header.uncompressed > MAX_PAGE_BYTES {
            return Err(format!(
                "the page at offset {at} declares {} uncompressed bytes; the limit is {MAX_PAGE_BYTES}",
                header.uncompressed
            ));
        }
        at = at.saturating_add(header.bytes + header.compressed);
    }
    Ok(())
}

struct PageHeader {
    /// Bytes of the header itself.
    bytes: u64,
    uncompressed: i64,
    compressed: u64,
}

fn header_at(input: &Input, at: u64) -> io::Result<Option<PageHeader>> {
    for length in HEADER_BYTES {
        let bytes = input.read(at, length)?;
        let mut reader = ThriftReader {
            bytes: &bytes,
            at: 0,
        };
        match reader.sizes() {
            Ok((uncompressed, compressed)) => {
                return Ok(Some(PageHeader {
                    bytes: reader.at as u64,
                    uncompressed,
                    compressed,
                }));
            }
            Err(ThriftError::Incomplete) => {}
            Err(ThriftError::Invalid) => return Ok(None),
        }
    }
    Ok(None)
}

/// What is wrong with a header.
#[derive(Debug, PartialEq, Eq)]
enum ThriftError {
    /// The bytes end before it does.
    Incomplete,
    Invalid,
}

/// A reader of Thrift's compact protocol.
struct ThriftReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl ThriftReader<'_> {
    /// The fields 2 and 3 of the structure that begins here: bytes uncompressed and compressed.
    fn sizes(&mut self) -> Result<(i64, u64), ThriftError> {
        let (mut uncompressed, mut compressed) = (None, None);
        let mut id = 0;
        while let Some((kind, next)) = self.field(id)? {
            id = next;
            match (id, kind) {
                (2, I32) => uncompressed = Some(self.zigzag()?),
                (3, I32) => compressed = Some(self.zigzag()?),
                _ => self.skip(kind, 0)?,
            }
        }
        let uncompressed = uncompressed.filter(|bytes| *bytes >= 0);
        let compressed = compressed.and_then(|bytes| u64::try_from(bytes).ok());
        uncompressed.zip(compressed).ok_or(ThriftError::Invalid)
    }

    /// Kind and number of the next field; none at the end of the structure.
    fn field(&mut self, last: i64) -> Result<Option<(u8, i64)>, ThriftError> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        let (delta, kind) = (head >> 4, head & 0x0f);
        let id = if delta == 0 {
            self.zigzag()?
        } else {
            last.checked_add(i64::from(delta))
                .ok_or(ThriftError::Invalid)?
        };
        Ok(Some((kind, id)))
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Result<(), ThriftError> {
        if depth > MAX_DEPTH {
            return Err(ThriftError::Invalid);
        }
        match kind {
            TRUE | FALSE => Ok(()),
            I8 => self.advance(1),
            I16 | I32 | I64 => self.varint().map(drop),
            DOUBLE => self.advance(8),
            BINARY => {
                let length = usize::try_from(self.varint()?).map_err(|_| ThriftError::Invalid)?;
                self.advance(length)
            }
            LIST | SET => {
                let head = self.byte()?;
                let length = match head >> 4 {
                    15 => self.varint()?,
                    length => u64::from(length),
                };
                for _ in 0..length {
                    // A boolean in a list takes a byte; one in a field is part of the field's
                    // header.
                    match head & 0x0f {
                        TRUE | FALSE => self.advance(1)?,
                        kind => self.skip(kind, depth + 1)?,
                    }
                }
                Ok(())
            }
            STRUCT => {
                let mut id = 0;
                while let Some((kind, next)) = self.field(id)? {
                    id = next;
                    self.skip(kind, depth + 1)?;
                }
                Ok(())
            }
            _ => Err(ThriftError::Invalid),
        }
    }

    fn byte(&mut self) -> Result<u8, ThriftError> {
        let byte = *self.bytes.get(self.at).ok_or(ThriftError::Incomplete)?;
        self.at += 1;
        Ok(byte)
    }

    fn advance(&mut self, length: usize) -> Result<(), ThriftError> {
        let at = self.at.saturating_add(length);
        if at > self.bytes.len() {
            return Err(ThriftError::Incomplete);
        }
        self.at = at;
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, ThriftError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(ThriftError::Invalid)
    }

    fn zigzag(&mut self) -> Result<i64, ThriftError> {
        let number = self.varint()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_claims_gigabytes_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        // A page of 2 bytes, and a page that claims 2 GiB - 1 bytes unpacked.
        let pages = [
            0x15, 0, 0x15, 4, 0x15, 4, 0, b'a', b'b', 0x15, 0, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f,
            0x15, 4, 0, b'a', b'b',
        ];
        std::fs::write(&path, pages).expect("space");
        let source = warc_recovery::input::Source::Path(path);
        let input = Input::open(&source, false, folder.path()).expect("a file");
        assert_eq!(check(&input, 0..9), Ok(()));
        let message = check(&input, 0..22).expect_err("too long");
        assert!(
            message.contains("offset 9 declares 2147483647"),
            "{message}"
        );
        let message = check(&input, 7..9).expect_err("no head");
        assert!(message.contains("offset 7 is damaged"), "{message}");
    }

    #[test]
    fn sizes_are_found_among_other_fields() {
        // Type 0, unpacked 1,000, packed 300, checksum, a structure with a list, the end.
        let head = [
            0x15, 0, 0x15, 0xd0, 0x0f, 0x15, 0xd8, 0x04, 0x15, 2, 0x1c, 0x15, 2, 0x19, 0x28, 1,
            0x61, 0, 0, 0,
        ];
        let mut reader = ThriftReader {
            bytes: &head,
            at: 0,
        };
        assert_eq!(reader.sizes(), Ok((1000, 300)));
        assert_eq!(reader.at, head.len(), "to the end of the structure");
        for end in 0..head.len() {
            let mut reader = ThriftReader {
                bytes: &head[..end],
                at: 0,
            };
            assert_eq!(reader.sizes(), Err(ThriftError::Incomplete), "cut at {end}");
        }
        assert_eq!(
            ThriftReader { bytes: &[0], at: 0 }.sizes(),
            Err(ThriftError::Invalid)
        );
        let deep = [0x1c; 4096];
        assert_eq!(
            ThriftReader {
                bytes: &deep,
                at: 0
            }
            .sizes(),
            Err(ThriftError::Invalid)
        );
    }
}
