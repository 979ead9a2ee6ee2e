//! Names of files as `--name-pattern` describes them.

use std::str::FromStr;

use warc_recovery::warc::parse_date;

use super::host_file::{HostFile, authority, known_authority};

/// The longest component of a path that is compared with a pattern, in bytes: file systems allow no
/// more. Every place of every placeholder is tried, in time that grows with the square.
const MAX_COMPONENT_BYTES: usize = 255;
/// How often `{*}` may occur.
const MAX_ANYTHING: usize = 2;

/// What a file's name, and the directories around it, look like: `{rank}-{host}.txt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern {
    pieces: Vec<Piece>,
    /// Components of a path that it is compared with.
    n_components: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// These letters, compared without case.
    Text(String),
    /// A host, with or without a port.
    Host,
    Rank,
    /// A date with or without a time: `20260801`, `2026-08-01T06:00:00Z`.
    Date,
    /// Anything without a `/`, even nothing.
    Anything,
}

const PLACEHOLDERS: [(&str, Piece); 4] = [
    ("host", Piece::Host),
    ("rank", Piece::Rank),
    ("date", Piece::Date),
    ("*", Piece::Anything),
];

impl FromStr for NamePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (before, behind) = rest.split_once('{').unwrap_or((rest, ""));
            if before.contains('}') {
                return Err("a `}` without its `{`".to_owned());
            }
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            if before.len() == rest.len() {
                break;
            }
            let (word, behind) = behind
                .split_once('}')
                .ok_or_else(|| "a `{` without its `}`".to_owned())?;
            let piece = PLACEHOLDERS.iter().find(|(known, _)| *known == word);
            let (_, piece) = piece.ok_or_else(|| {
                format!("`{{{word}}}` is not one of {{host}}, {{rank}}, {{date}} and {{*}}")
            })?;
            if !matches!(pieces.last(), None | Some(Piece::Text(_))) {
                return Err(format!(
                    "nothing separates `{{{word}}}` from the placeholder before it"
                ));
            }
            pieces.push(piece.clone());
            rest = behind;
        }
        let count = |piece: &Piece| pieces.iter().filter(|it| *it == piece).count();
        if count(&Piece::Host) != 1 {
            return Err("{host} has to occur once, as in {rank}-{host}.txt".to_owned());
        }
        if count(&Piece::Date) > 1 || count(&Piece::Rank) > 1 {
            return Err("{date} and {rank} can occur once".to_owned());
        }
        if count(&Piece::Anything) > MAX_ANYTHING {
            return Err(format!("{{*}} can occur {MAX_ANYTHING} times"));
        }
        if text.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(
                "it is compared with the end of a path; it cannot begin or end with `/`".to_owned(),
            );
        }
        Ok(Self {
            n_components: text.split('/').count(),
            pieces,
        })
    }
}

impl NamePattern {
    /// The host that the file at this path is named after; none where the path has another form.
    pub(super) fn host_file(&self, path: &str) -> Option<HostFile> {
        let components = path.rsplit('/').filter(|it| !matches!(*it, "" | "."));
        let mut components: Vec<&str> = components.take(self.n_components).collect();
        components.reverse();
        if components.len() < self.n_components
            || components.iter().any(|it| it.len() > MAX_COMPONENT_BYTES)
        {
            return None;
        }
        let name = components.join("/");
        // A known host is the better reading where others are possible.
        let (authority, time) = [known_authority, authority]
            .into_iter()
            .find_map(|read_host| Comparison::new(&self.pieces, &name, read_host).find(0, 0))?;
        Some(HostFile {
            url: format!("https://{authority}/robots.txt"),
            url_without_rank: None,
            is_bare: false,
            time,
        })
    }
}

/// A name that is compared with the pieces of a pattern.
struct Comparison<'n> {
    pieces: &'n [Piece],
    name: &'n str,
    read_host: fn(&str) -> Option<String>,
    /// Whether the pieces from one number on are known not to match the name from one offset on.
    failed: Vec<bool>,
}

impl<'n> Comparison<'n> {
    fn new(pieces: &'n [Piece], name: &'n str, read_host: fn(&str) -> Option<String>) -> Self {
        let failed = vec![false; (pieces.len() + 1) * (name.len() + 1)];
        Self {
            pieces,
            name,
            read_host,
            failed,
        }
    }

    /// The host and time in the name from `at` on, if all of it matches the pieces from `piece` on.
    fn find(&mut self, piece: usize, at: usize) -> Option<(String, Option<i64>)> {
        let state = piece * (self.name.len() + 1) + at;
        if self.failed[state] {
            return None;
        }
        let found = self.try_piece(piece, at);
        self.failed[state] = found.is_none();
        found
    }

    fn try_piece(&mut self, piece: usize, at: usize) -> Option<(String, Option<i64>)> {
        let text = &self.name[at..];
        let (pieces, read_host) = (self.pieces, self.read_host);
        let Some(form) = pieces.get(piece) else {
            return text.is_empty().then(|| (String::new(), None));
        };
        let component = text.find('/').unwrap_or(text.len());
        let mut ends = (0..=component).filter(|end| text.is_char_boundary(*end));
        let leading = |is_part: fn(u8) -> bool| text.bytes().take_while(|it| is_part(*it)).count();
        match form {
            Piece::Text(expected) => {
                let (start, _) = text.split_at_checked(expected.len())?;
                let is_equal = start.to_lowercase() == expected.to_lowercase();
                is_equal.then(|| self.find(piece + 1, at + expected.len()))?
            }
            Piece::Anything => ends.find_map(|end| self.find(piece + 1, at + end)),
            // The longest host that lets the rest be read: labels may have the separators too.
            Piece::Host => ends.rev().find_map(|end| {
                let (_, time) = self.find(piece + 1, at + end)?;
                Some((read_host(&text[..end])?, time))
            }),
            Piece::Rank => (1..=leading(|byte| byte.is_ascii_digit()))
                .rev()
                .find_map(|end| self.find(piece + 1, at + end)),
            Piece::Date => {
                let is_part = |byte: u8| {
                    byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b':' | b'T' | b'Z')
                };
                (0..=leading(is_part)).rev().find_map(|end| {
                    let date = read_date(&text[..end])?;
                    let (host, _) = self.find(piece + 1, at + end)?;
                    Some((host, Some(date)))
                })
            }
        }
    }
}

/// A date with or without a time, in any of the usual ways of writing it in a file name.
fn read_date(text: &str) -> Option<i64> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).collect();
    match digits.len() {
        8 => parse_date(&[&digits[..], b"000000"].concat()),
        10 | 12 | 14 => parse_date(&digits),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{check, optional};
    use crate::ingest::corpus::time::write_date;

    #[test]
    fn cases() {
        check(file!(), |question, [pattern, path, _]| {
            let pattern = pattern.parse::<NamePattern>();
            if question == "mistake" {
                return pattern.expect_err("a mistake");
            }
            optional(pattern.expect("a pattern").host_file(path).map(|file| {
                assert!(!file.is_bare, "{path}");
                let host = file.url.strip_prefix("https://");
                let host = host.and_then(|it| it.strip_suffix("/robots.txt"));
                let host = host.expect("a robots.txt").to_owned();
                file.time.map_or(host.clone(), |time| {
                    let mut date = Vec::new();
                    write_date(time, &mut date);
                    format!("{host} at {}", String::from_utf8_lossy(&date))
                })
            }))
        });
    }

    #[test]
    fn hostile_names_take_no_time() {
        let pattern: NamePattern = "{*}-{host}-{*}-x".parse().expect("a pattern");
        let hostile = "a.-".repeat(85);
        for _ in 0..100 {
            assert!(pattern.host_file(&hostile).is_none());
        }
        assert!(pattern.host_file(&"a-".repeat(100_000)).is_none());
    }
}
