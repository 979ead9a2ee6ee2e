//! Recognising how a file is packed, by its content.

use std::io;

use super::{Boundary, Container, Format, ZSTD_MAGIC, dictionary, gzip_head, is_skippable_frame};
use crate::input::Input;
use crate::warc::begins_record;

/// First bytes of an ARC file, packed or not (the ancestor of WARC, which is not read).
const ARC_MAGIC: &[u8; 11] = b"filedesc://";
/// Bytes looked at to recognise a format.
const DETECT_BYTES: usize = 64 * 1024;

/// A file that is not read, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct NotWarc {
    /// What it looks like, and the remedy where one is known.
    pub message: String,
}

impl Container {
    /// Recognises the container of `input` by its first bytes.
    ///
    /// ```
    /// use warc_recovery::container::{Container, Format};
    /// use warc_recovery::input::{Input, Source};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("file");
    /// std::fs::write(&path, "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n")?;
    /// let input = Input::open(&Source::Path(path.clone()), true, &std::env::temp_dir())?;
    /// let container = Container::detect(&input)?.expect("a WARC file");
    /// assert_eq!(container.format, Format::Plain);
    ///
    /// std::fs::write(&path, "BZh91AY")?;
    /// let input = Input::open(&Source::Path(path), true, &std::env::temp_dir())?;
    /// let not_warc = Container::detect(&input)?.err().expect("no WARC file");
    /// assert!(not_warc.message.contains("bzip2 -d"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read. The inner result is the verdict on its content.
    pub fn detect(input: &Input) -> io::Result<Result<Self, NotWarc>> {
        let start = input.read(0, DETECT_BYTES)?;
        if start.starts_with(&dictionary::MAGIC) {
            let mut container = Self::new(Format::Zstd);
            let dictionary = container.dictionary(input, 0)?;
            container.dictionary_id = dictionary.ok().map(|dictionary| dictionary.id);
            return Ok(Ok(container));
        }
        let format = if start.starts_with(&gzip_head::MAGIC) {
            Format::Gzip
        } else if start.starts_with(&ZSTD_MAGIC)
            || is_skippable_frame(&start)
            || dictionary::begins_without_head(&start)
        {
            Format::Zstd
        } else if begins_record(&start) {
            Format::Plain
        } else {
            return Self::detect_behind_damage(input, &start);
        };
        let container = Self::new(format);
        let mut unpacked = [0; ARC_MAGIC.len()];
        container.decode_start(input, Boundary::START, &mut unpacked)?;
        Ok(if unpacked == *ARC_MAGIC {
            Err(NotWarc {
                message: describe(&unpacked),
            })
        } else {
            Ok(container)
        })
    }

    /// Recognises a container whose first unit is damaged by the next one.
    fn detect_behind_damage(input: &Input, start: &[u8]) -> io::Result<Result<Self, NotWarc>> {
        for format in [Format::Plain, Format::Gzip, Format::Zstd] {
            let container = Self::new(format);
            let mut from = 0;
            while let Some(at) = container.find_candidate(start, from) {
                if container.holds_record_at(input, Boundary::at(at as u64))? {
                    return Ok(Ok(container));
                }
                from = at + 1;
            }
        }
        Ok(Err(NotWarc {
            message: describe(start),
        }))
    }
}

/// Names what a file is that is no WARC, with the remedy.
fn describe(start: &[u8]) -> String {
    let known: [(&[u8], &str); 12] = [
        (b"\x04\x22\x4d\x18", "an LZ4 file: unpack it first (lz4 -d)"),
        (b"BZh", "a bzip2 file: unpack it first (bzip2 -d)"),
        (b"\xfd7zXZ", "an xz file: unpack it first (xz -d)"),
        (
            b"PK\x03\x04",
            "a ZIP archive: unpack it first (WACZ files hold their WARCs under archive/)",
        ),
        (
            ARC_MAGIC,
            "an ARC file: convert it to WARC first (warcio recompress)",
        ),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"\x89PNG", "a PNG image"),
        (b"%PDF", "a PDF document"),
        (b"PAR1", "a Parquet file: query it with DuckDB"),
        (b"<", "HTML or XML"),
        (b"{", "JSON"),
        (b"\x7fELF", "a program"),
    ];
    let what = known
        .iter()
        .find(|(magic, _)| start.starts_with(magic))
        .map(|(_, what)| *what);
    match what {
        Some(what) => format!("not a WARC file but {what}"),
        None => {
            "not a WARC file: no WARC record, gzip member or zstd frame at its start".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_named_with_their_remedy() {
        assert!(describe(b"\x04\x22\x4d\x18rest").contains("lz4 -d"));
        assert!(describe(b"\xff\xd8\xff\xe0").contains("JPEG"));
        assert!(describe(b"hello").contains("no WARC record"));
    }
}
