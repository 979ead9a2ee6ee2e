//! Lines of a stream, none longer than a limit.

use std::io::{self, BufRead, BufReader, Read};

/// Lines of a stream.
pub(super) struct BoundedLines<R> {
    input: BufReader<R>,
    longest: usize,
    line: Vec<u8>,
}

/// What comes next.
pub(super) enum Next<'l> {
    /// A line without its end.
    Line(&'l [u8]),
    /// A line that was skipped, as it was too long.
    TooLong,
    /// Nothing more.
    End,
}

impl<R: Read> BoundedLines<R> {
    pub(super) const fn new(input: BufReader<R>, longest: usize) -> Self {
        Self {
            input,
            longest,
            line: Vec::new(),
        }
    }

    /// Whether the next line has to be waited for.
    pub(super) fn is_drained(&self) -> bool {
        self.input.buffer().is_empty()
    }

    pub(super) fn next(&mut self) -> io::Result<Next<'_>> {
        self.line.clear();
        let mut is_too_long = false;
        let mut is_begun = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                result => result?,
            };
            if buffer.is_empty() && !is_begun {
                return Ok(Next::End);
            }
            is_begun = true;
            let end = memchr::memchr(b'\n', buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            is_too_long |= self.line.len() + part.len() > self.longest;
            if !is_too_long {
                self.line.extend_from_slice(part);
            }
            let is_last = end.is_some() || buffer.is_empty();
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if is_last {
                return Ok(if is_too_long {
                    Next::TooLong
                } else {
                    Next::Line(&self.line)
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_and_long_ones_are_skipped() {
        let input = BufReader::with_capacity(3, &b"ab\n\nabcdefgh\nabcdefg\nx"[..]);
        let mut lines = BoundedLines::new(input, 7);
        let mut got = Vec::new();
        loop {
            match lines.next().expect("no error") {
                Next::Line(line) => got.push(String::from_utf8_lossy(line).into_owned()),
                Next::TooLong => got.push("too long".to_owned()),
                Next::End => break,
            }
        }
        assert_eq!(got, ["ab", "", "too long", "abcdefg", "x"]);
    }
}
