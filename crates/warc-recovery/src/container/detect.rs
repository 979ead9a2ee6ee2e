//! Recognising how a file is packed, by its content.

use std::io;

use super::magic::{DICTIONARY_MAGIC, skippable_frame_length};
use super::{Boundary, Container, Format, dictionary};
use crate::arc;
use crate::input::Input;
use crate::syntax::RecordSyntax;
use crate::warc::begins_record;

/// The most candidates that are decoded after damage, for each format and syntax: files may be full
/// of candidates.
const MAX_LOOKS: usize = 100;
const DETECT_BYTES: usize = 64 * 1024;

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
    /// assert!(not_warc.contains("bzip2 -d"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read. The inner error describes an unsupported file, with the
    /// remedy if one is known.
    pub fn detect(input: &Input) -> io::Result<Result<Self, String>> {
        let start = input.read(input.start(), DETECT_BYTES)?;
        let mut first = Boundary::at(input.start());
        let is_dictionary = start.starts_with(&DICTIONARY_MAGIC);
        let format = Format::of_start(&start);
        let mut container = if format != Format::Plain {
            Self::new(input, format)
        } else if dictionary::begins_without_head(&start) {
            Self::new(input, Format::Zstd)
        } else if let Some(syntax) = syntax_of(&start) {
            return Ok(Ok(Self::new(input, Format::Plain).with_syntax(syntax)));
        } else {
            // The first unit may be damaged and the next one intact.
            for format in [Format::Plain, Format::Gzip, Format::Zstd] {
                let container = Self::new(input, format);
                if let Some(syntax) = container.find_syntax(&start, first)? {
                    return Ok(Ok(container.with_syntax(syntax)));
                }
            }
            return Ok(Err(describe(&start)));
        };
        if is_dictionary {
            let dictionary = container.dictionary(input.start())?;
            container.dictionary_id = dictionary.ok().map(|dictionary| dictionary.id);
            first.offset += skippable_frame_length(&start).unwrap_or_default();
            first.dictionary = Some(input.start());
        }
        let syntax = container.find_syntax(&start, first)?;
        Ok(Ok(container.with_syntax(syntax.unwrap_or_default())))
    }

    fn with_syntax(self, syntax: RecordSyntax) -> Self {
        Self { syntax, ..self }
    }

    /// The syntax of the records in the unit at `first` or, if it is damaged, in a later one.
    fn find_syntax(&self, start: &[u8], first: Boundary) -> io::Result<Option<RecordSyntax>> {
        let mut unpacked = vec![0; arc::MAX_URL_RECORD_BYTES];
        let length = self.decode_start(first, &mut unpacked)?;
        if let Some(syntax) = syntax_of(&unpacked[..length]) {
            return Ok(Some(syntax));
        }
        for syntax in [RecordSyntax::Warc, RecordSyntax::Arc] {
            let container = self.clone().with_syntax(syntax);
            let mut from = usize::try_from(first.offset - self.input.start()).unwrap_or(usize::MAX);
            for _ in 0..MAX_LOOKS {
                let Some(at) = container.find_candidate(start, from) else {
                    break;
                };
                if container.holds_record_at(first.moved_to(self.input.start() + at as u64))? {
                    return Ok(Some(syntax));
                }
                from = at + 1;
            }
        }
        Ok(None)
    }
}

fn syntax_of(start: &[u8]) -> Option<RecordSyntax> {
    if begins_record(start) {
        Some(RecordSyntax::Warc)
    } else if arc::begins_file(start) {
        Some(RecordSyntax::Arc)
    } else {
        None
    }
}

/// Describes a file that is neither WARC nor ARC, with the remedy if one is known.
fn describe(start: &[u8]) -> String {
    let known: [(&[u8], &str); 11] = [
        (b"\x04\x22\x4d\x18", "an LZ4 file: unpack it first (lz4 -d)"),
        (b"BZh", "a bzip2 file: unpack it first (bzip2 -d)"),
        (b"\xfd7zXZ", "an xz file: unpack it first (xz -d)"),
        (
            b"PK\x03\x04",
            "a zip file, such as a WACZ, which holds its archives under archive/",
        ),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"\x89PNG", "a PNG image"),
        (b"%PDF", "a PDF document"),
        (b"PAR1", "a Parquet file"),
        (b"<", "HTML or XML"),
        (b"{", "JSON"),
        (b"\x7fELF", "a program"),
    ];
    match known.iter().find(|(magic, _)| start.starts_with(magic)) {
        Some((_, what)) => format!("neither WARC nor ARC, but {what}"),
        None => {
            "neither WARC nor ARC: no record, gzip member or zstd frame at its start".to_owned()
        }
    }
}
