//! Pages of a column of Parquet, by their heads alone (Apache Parquet format 2.11, PageHeader).
//!
//! A page's head gives its unpacked length, and the Parquet reader allocates that much before it
//! looks at the data. So the heads are checked first.

use std::io;
use std::ops::Range;

use warc_recovery::input::Input;

/// The longest page that is unpacked, in bytes. Most writers make pages of 1 MiB; some put a whole
/// column of a row group into one.
const MAX_PAGE_BYTES: i64 = 256 * 1024 * 1024;
/// Bytes of a head; statistics in it may have the longest value twice.
const HEAD_BYTES: [usize; 2] = [4096, 80 * 1024 * 1024];
/// Nested structures that are read, at most; a head has three levels.
const MAX_DEPTH: u8 = 8;

/// Whether each page in these bytes of the file may be unpacked; the inner result says which one
/// may not.
pub(super) fn check(input: &Input, bytes: Range<u64>) -> io::Result<Result<(), String>> {
    let mut at = bytes.start;
    while at < bytes.end {
        let Some(head) = head_at(input, at)? else {
            return Ok(Err(format!(
                "the head of the page at offset {at} is damaged"
            )));
        };
        if head.unpacked > MAX_PAGE_BYTES {
            return Ok(Err(format!(
                "the page at offset {at} has {} bytes unpacked, as it says; at most {} are read",
                head.unpacked, MAX_PAGE_BYTES
            )));
        }
        at = at.saturating_add(head.bytes + head.packed);
    }
    Ok(Ok(()))
}

struct Head {
    /// Bytes of the head itself.
    bytes: u64,
    unpacked: i64,
    packed: u64,
}

fn head_at(input: &Input, at: u64) -> io::Result<Option<Head>> {
    for length in HEAD_BYTES {
        let bytes = input.read(at, length)?;
        let mut compact = Compact {
            bytes: &bytes,
            at: 0,
        };
        match compact.sizes() {
            Ok((unpacked, packed)) => {
                return Ok(Some(Head {
                    bytes: compact.at as u64,
                    unpacked,
                    packed,
                }));
            }
            Err(Flaw::Short) => {}
            Err(Flaw::Bad) => return Ok(None),
        }
    }
    Ok(None)
}

/// What is wrong with a head.
#[derive(Debug, PartialEq, Eq)]
enum Flaw {
    /// The bytes end before it does.
    Short,
    Bad,
}

/// A reader of Thrift's compact protocol.
struct Compact<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Compact<'_> {
    /// The fields 2 and 3 of the structure that begins here: bytes unpacked and packed.
    fn sizes(&mut self) -> Result<(i64, u64), Flaw> {
        let (mut unpacked, mut packed) = (None, None);
        let mut id = 0;
        while let Some((kind, next)) = self.field(id)? {
            id = next;
            match (id, kind) {
                (2, 5) => unpacked = Some(self.zigzag()?),
                (3, 5) => packed = Some(self.zigzag()?),
                _ => self.skip(kind, 0)?,
            }
        }
        let unpacked = unpacked.filter(|unpacked| *unpacked >= 0);
        let packed = packed.and_then(|packed| u64::try_from(packed).ok());
        unpacked.zip(packed).ok_or(Flaw::Bad)
    }

    /// Kind and number of the next field; none at the end of the structure.
    fn field(&mut self, last: i64) -> Result<Option<(u8, i64)>, Flaw> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        let (delta, kind) = (head >> 4, head & 0x0f);
        let id = if delta == 0 {
            self.zigzag()?
        } else {
            last.checked_add(i64::from(delta)).ok_or(Flaw::Bad)?
        };
        Ok(Some((kind, id)))
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Result<(), Flaw> {
        if depth > MAX_DEPTH {
            return Err(Flaw::Bad);
        }
        match kind {
            1 | 2 => Ok(()),
            3 => self.advance(1),
            4..=6 => self.varint().map(drop),
            7 => self.advance(8),
            8 => {
                let length = usize::try_from(self.varint()?).map_err(|_| Flaw::Bad)?;
                self.advance(length)
            }
            9 | 10 => {
                let head = self.byte()?;
                let length = match head >> 4 {
                    15 => self.varint()?,
                    length => u64::from(length),
                };
                for _ in 0..length {
                    // A boolean in a list takes a byte; one in a field is part of the field's
                    // header.
                    match head & 0x0f {
                        1 | 2 => self.advance(1)?,
                        kind => self.skip(kind, depth + 1)?,
                    }
                }
                Ok(())
            }
            12 => {
                let mut id = 0;
                while let Some((kind, next)) = self.field(id)? {
                    id = next;
                    self.skip(kind, depth + 1)?;
                }
                Ok(())
            }
            _ => Err(Flaw::Bad),
        }
    }

    fn byte(&mut self) -> Result<u8, Flaw> {
        let byte = *self.bytes.get(self.at).ok_or(Flaw::Short)?;
        self.at += 1;
        Ok(byte)
    }

    fn advance(&mut self, length: usize) -> Result<(), Flaw> {
        let at = self.at.saturating_add(length);
        if at > self.bytes.len() {
            return Err(Flaw::Short);
        }
        self.at = at;
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, Flaw> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Flaw::Bad)
    }

    fn zigzag(&mut self) -> Result<i64, Flaw> {
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
        assert_eq!(check(&input, 0..9).expect("readable"), Ok(()));
        let message = check(&input, 0..22)
            .expect("readable")
            .expect_err("too long");
        assert!(
            message.contains("offset 9 has 2147483647 bytes"),
            "{message}"
        );
        let message = check(&input, 7..9).expect("readable").expect_err("no head");
        assert!(message.contains("offset 7 is damaged"), "{message}");
    }

    #[test]
    fn sizes_are_found_among_other_fields() {
        // Type 0, unpacked 1,000, packed 300, checksum, a structure with a list, the end.
        let head = [
            0x15, 0, 0x15, 0xd0, 0x0f, 0x15, 0xd8, 0x04, 0x15, 2, 0x1c, 0x15, 2, 0x19, 0x28, 1,
            0x61, 0, 0, 0,
        ];
        let mut compact = Compact {
            bytes: &head,
            at: 0,
        };
        assert_eq!(compact.sizes(), Ok((1000, 300)));
        assert_eq!(compact.at, head.len(), "to the end of the structure");
        for end in 0..head.len() {
            let mut compact = Compact {
                bytes: &head[..end],
                at: 0,
            };
            assert_eq!(compact.sizes(), Err(Flaw::Short), "cut at {end}");
        }
        assert_eq!(Compact { bytes: &[0], at: 0 }.sizes(), Err(Flaw::Bad));
        let deep = [0x1c; 4096];
        assert_eq!(
            Compact {
                bytes: &deep,
                at: 0
            }
            .sizes(),
            Err(Flaw::Bad)
        );
    }
}
