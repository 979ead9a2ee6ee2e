//! Chunked transfer coding.
//!
//! Implements RFC 9112 §7.1: chunk extensions and trailers are skipped. Archives also have
//! LF-only line ends, wrong sizes, truncated last chunks, and bodies stored decoded under a head
//! that says chunked; none of these loses bytes.

use memchr::memchr;

use super::issue::{BodyIssue, BodyIssues};

/// The longest chunk-size line (extensions included) that is read, in bytes. Without a bound, a
/// body that is not chunked could be searched to its end for every chunk.
const MAX_SIZE_LINE_BYTES: usize = 16 * 1024;

/// The data of a chunked body, one slice per chunk, borrowed from the stored bytes. Linear in their
/// number, whatever the sizes.
#[derive(Clone, Debug)]
pub struct Chunks<'a> {
    stored: &'a [u8],
    state: State,
    issues: BodyIssues,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first chunk-size line.
    Start,
    /// At a chunk-size line.
    Size,
    /// After a chunk whose size is wrong: what is left is taken as it is.
    Rest,
    /// Nothing more to yield.
    End,
}

impl<'a> Chunks<'a> {
    /// The chunks of a stored body.
    #[must_use]
    pub fn new(stored: &'a [u8]) -> Self {
        Self {
            stored,
            state: State::Start,
            issues: BodyIssues::NONE,
        }
    }

    /// What was wrong, as far as the chunks have been walked.
    #[must_use]
    pub fn issues(&self) -> BodyIssues {
        self.issues
    }

    /// Takes all that is left as it is.
    fn take_rest(&mut self, issue: BodyIssue) -> Option<&'a [u8]> {
        self.state = State::End;
        self.issues.insert(issue);
        let rest = std::mem::take(&mut self.stored);
        (!rest.is_empty()).then_some(rest)
    }

    /// The data of the chunk of `size` bytes at the start of what is left.
    fn take_chunk(&mut self, size: u64) -> &'a [u8] {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let Some((data, rest)) = self.stored.split_at_checked(size) else {
            self.state = State::End;
            self.issues.insert(BodyIssue::TruncatedBody);
            return std::mem::take(&mut self.stored);
        };
        self.stored = rest;
        self.state = State::Size;
        if let Some(rest) = after_line_end(rest) {
            self.stored = rest;
        } else if rest.is_empty() || rest == b"\r" {
            self.state = State::End;
            self.issues.insert(BodyIssue::TruncatedBody);
        } else {
            self.issues.insert(BodyIssue::BadChunk);
            if !is_plausible_chunk(rest) {
                self.state = State::Rest;
            }
        }
        data
    }

    /// Passes over the trailer fields after the last chunk.
    fn take_trailers(&mut self) {
        self.state = State::End;
        let mut rest = self.stored;
        while let Some(end) = memchr(b'\n', rest) {
            let is_blank = matches!(&rest[..end], b"" | b"\r");
            rest = &rest[end + 1..];
            if is_blank {
                break;
            }
        }
        if memchr(b'\n', self.stored).is_some() && !rest.is_empty() {
            self.issues.insert(BodyIssue::LengthMismatch);
        }
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let bad = match self.state {
            State::End => return None,
            State::Rest => return self.take_rest(BodyIssue::BadChunk),
            State::Start => BodyIssue::NotChunked,
            State::Size if self.stored.is_empty() => {
                self.state = State::End;
                self.issues.insert(BodyIssue::TruncatedBody);
                return None;
            }
            State::Size => BodyIssue::BadChunk,
        };
        match parse_size_line(self.stored) {
            None => self.take_rest(bad),
            Some((0, rest)) => {
                self.stored = rest;
                self.take_trailers();
                None
            }
            Some((size, rest)) => {
                self.stored = rest;
                Some(self.take_chunk(size))
            }
        }
    }
}

/// The chunk size in the line at the start of `stored`, and what follows the line; `None` where the
/// line has no size.
fn parse_size_line(stored: &[u8]) -> Option<(u64, &[u8])> {
    let window = &stored[..stored.len().min(MAX_SIZE_LINE_BYTES)];
    // A last size line may lack its line end; any other has one in the window.
    let end = match memchr(b'\n', window) {
        Some(end) => end,
        None if window.len() == stored.len() => stored.len(),
        None => return None,
    };
    let line = window[..end].trim_ascii();
    let digits = line
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let (digits, extension) = line.split_at(digits);
    if digits.is_empty() || !matches!(extension.trim_ascii_start(), b"" | [b';', ..]) {
        return None;
    }
    let size = digits.iter().try_fold(0_u64, |size, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        size.checked_mul(16)?.checked_add(u64::from(digit))
    })?;
    Some((size, stored.get(end + 1..).unwrap_or_default()))
}

/// Whether a chunk begins here although no line end precedes it: some servers leave it out or
/// count it in the size. Data that merely begins with a hexadecimal digit must not pass, so the
/// chunk has to end at a line end too.
fn is_plausible_chunk(stored: &[u8]) -> bool {
    let Some((size, rest)) = parse_size_line(stored) else {
        return false;
    };
    let Ok(size) = usize::try_from(size) else {
        return false;
    };
    match rest.get(..size) {
        Some([.., b'\n'] | []) => true,
        Some(_) => after_line_end(&rest[size..]).is_some(),
        None => false,
    }
}

fn after_line_end(bytes: &[u8]) -> Option<&[u8]> {
    bytes
        .strip_prefix(b"\r\n")
        .or_else(|| bytes.strip_prefix(b"\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(stored: &[u8]) -> (Vec<u8>, Vec<BodyIssue>) {
        let mut chunks = Chunks::new(stored);
        let data = chunks.by_ref().collect::<Vec<_>>().concat();
        (data, chunks.issues().iter().collect())
    }

    #[test]
    fn many_chunks_take_linear_time() {
        let body = b"1\r\nx\r\n".repeat(1_000_000);
        let mut chunks = Chunks::new(&body);
        assert_eq!(chunks.by_ref().count(), 1_000_000);
        assert!(chunks.issues().contains(BodyIssue::TruncatedBody));
    }

    proptest::proptest! {
        #[test]
        fn decoding_undoes_encoding(
            chunks in proptest::collection::vec(
                proptest::collection::vec(proptest::prelude::any::<u8>(), 1..50), 0..20),
            line_end in proptest::sample::select(vec!["\r\n", "\n"]),
        ) {
            let mut stored = Vec::new();
            for chunk in &chunks {
                stored.extend_from_slice(format!("{:x}{line_end}", chunk.len()).as_bytes());
                stored.extend_from_slice(chunk);
                stored.extend_from_slice(line_end.as_bytes());
            }
            stored.extend_from_slice(format!("0{line_end}{line_end}").as_bytes());
            assert_eq!(decode(&stored), (chunks.concat(), vec![]));
        }
    }
}
