//! Lists of inputs: one per line, plain or packed.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use warc_recovery::container::Format;

use super::target::{BodyCheck, Target};
use crate::byte_order_mark::without_bom;

/// Length of the longest list, unpacked, in bytes.
const MAX_LIST: u64 = 1 << 30;
/// Length of the longest line, with its end, in bytes.
const MAX_LINE: u64 = 64 << 10;
/// One of this many lines at the start of a fetched list must name a file.
const SNIFF_LINES: usize = 100;

/// Whether a file is named like a list of inputs: `robotstxt.paths`, `warc.paths.gz`.
pub fn is_named_as_list(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let unpacked = name.strip_suffix(b".gz").or(name.strip_suffix(b".zst"));
    let stem = unpacked.unwrap_or(name).strip_suffix(b".paths");
    stem.is_some_and(|stem| !stem.is_empty())
}

/// The lines of a list, read as a stream, from a plain file or one packed with gzip or zstd.
pub struct ListLines {
    text: BufReader<Box<dyn Read>>,
    line: Vec<u8>,
    /// Bytes read so far, unpacked.
    bytes: u64,
}

impl ListLines {
    pub fn new(mut list: impl Read + 'static) -> io::Result<Self> {
        let mut start = Vec::new();
        list.by_ref().take(4).read_to_end(&mut start)?;
        let packing = Format::of_start(&start);
        let list = Cursor::new(start).chain(list);
        let text: Box<dyn Read> = match packing {
            Format::Gzip => Box::new(MultiGzDecoder::new(list)),
            Format::Zstd => Box::new(zstd::Decoder::new(list)?),
            Format::Plain => Box::new(list),
        };
        Ok(Self {
            text: BufReader::with_capacity(64 * 1024, text),
            line: Vec::new(),
            bytes: 0,
        })
    }

    /// The next line that names an input, without white space around it. Empty lines, and lines
    /// that begin with `#`, are skipped.
    pub fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        loop {
            let is_first = self.bytes == 0;
            self.line.clear();
            let mut line = (&mut self.text).take(MAX_LINE + 1);
            let read = line.read_until(b'\n', &mut self.line)? as u64;
            if read == 0 {
                return Ok(None);
            }
            self.bytes += read;
            if self.bytes > MAX_LIST {
                return Err(invalid(
                    "the list has more than 1 GiB of text; divide it, and ingest the parts one \
                     after the other",
                ));
            }
            if is_first {
                let mark = self.line.len() - without_bom(&self.line).len();
                self.line.drain(..mark);
            }
            let is_page = is_first && self.line.starts_with(b"<");
            if read > MAX_LINE || is_page || self.line.contains(&0) {
                return Err(invalid("not a list of inputs, one per line"));
            }
            let line = self.line.trim_ascii();
            if !line.is_empty() && !line.starts_with(b"#") {
                break;
            }
        }
        Ok(Some(self.line.trim_ascii()))
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

pub(super) struct ListCheck;

impl BodyCheck for ListCheck {
    fn mistake(&self, _: &Target, body: &Path) -> io::Result<Option<String>> {
        let mut lines = ListLines::new(File::open(body)?)?;
        for _ in 0..SNIFF_LINES {
            match lines.next_line() {
                Ok(Some(line)) if names_a_file(line) => return Ok(None),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => return Ok(Some(error.to_string())),
            }
        }
        Ok(Some("not a list: no line names a file".to_owned()))
    }

    fn max_bytes(&self) -> u64 {
        MAX_LIST
    }
}

/// Whether a line may name a file, and is not a sentence, HTML or JSON.
fn names_a_file(line: &[u8]) -> bool {
    !line.iter().any(u8::is_ascii_whitespace)
        && !matches!(line[0], b'<' | b'{' | b'[')
        && (line.contains(&b'/') || line[..line.len() - 1].contains(&b'.'))
}
