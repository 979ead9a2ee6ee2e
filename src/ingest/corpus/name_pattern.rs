//! Names of files as `--name-pattern` describes them.

use std::str::FromStr;

use warc_recovery::warc::parse_date;

use super::names::{HostFile, authority, known_authority};

/// The longest component of a path that is compared with a pattern, in bytes: file systems allow no
/// more. Every place of every placeholder is tried, which takes quadratic time.
const MAX_COMPONENT_BYTES: usize = 255;
const MAX_ANYTHING: usize = 2;

/// What a file's name, and the directories around it, look like: `{rank}-{host}.txt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern {
    pieces: Vec<Piece>,
    /// How many components of a path it is compared with.
    n_components: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// Compared without case.
    Text(String),
    Host,
    Rank,
    /// A date with or without a time: `20260801`, `2026-08-01T06:00:00Z`.
    Date,
    /// Anything without a `/`, even nothing.
    Anything,
}

impl FromStr for NamePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        for (number, part) in text.split('{').enumerate() {
            let mut literal = part;
            if number > 0 {
                let (word, after) = part.split_once('}').ok_or("a `{` without its `}`")?;
                literal = after;
                if !matches!(pieces.last(), None | Some(Piece::Text(_))) {
                    return Err(format!(
                        "nothing separates `{{{word}}}` from the placeholder before it"
                    ));
                }
                pieces.push(match word {
                    "host" => Piece::Host,
                    "rank" => Piece::Rank,
                    "date" => Piece::Date,
                    "*" => Piece::Anything,
                    _ => {
                        return Err(format!(
                            "`{{{word}}}` is not one of {{host}}, {{rank}}, {{date}} and {{*}}"
                        ));
                    }
                });
            }
            if literal.contains('}') {
                return Err("a `}` without its `{`".to_owned());
            }
            if !literal.is_empty() {
                pieces.push(Piece::Text(literal.to_owned()));
            }
        }
        let count = |piece: &Piece| pieces.iter().filter(|it| *it == piece).count();
        let mut components = text.split('/');
        if count(&Piece::Host) != 1 {
            Err("{host} must occur exactly once, as in {rank}-{host}.txt".to_owned())
        } else if count(&Piece::Date) > 1 || count(&Piece::Rank) > 1 {
            Err("{date} and {rank} can occur at most once".to_owned())
        } else if count(&Piece::Anything) > MAX_ANYTHING {
            Err(format!("{{*}} can occur at most {MAX_ANYTHING} times"))
        } else if components.any(|part| matches!(part, "" | "." | "..")) {
            let message = "it is compared with the end of a path; it cannot begin or end with `/`";
            Err(message.to_owned())
        } else {
            let n_components = text.split('/').count();
            Ok(Self {
                pieces,
                n_components,
            })
        }
    }
}

impl NamePattern {
    /// The host that the file at this path is named after; `None` if the path has another form.
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
        // If several readings are possible, a known host is preferred.
        let (authority, time) = [known_authority, authority]
            .into_iter()
            .find_map(|read_host| {
                let mut comparison = Comparison {
                    pieces: &self.pieces,
                    name: &name,
                    read_host,
                    failed: vec![false; (self.pieces.len() + 1) * (name.len() + 1)],
                };
                comparison.find(0, 0)
            })?;
        Some(HostFile {
            url: format!("https://{authority}/robots.txt"),
            time,
            ..HostFile::default()
        })
    }
}

/// A name that is compared with the pieces of a pattern.
struct Comparison<'n> {
    pieces: &'n [Piece],
    name: &'n str,
    read_host: fn(&str) -> Option<String>,
    /// By number of a piece and offset in the name: whether a match from there on is known to fail.
    failed: Vec<bool>,
}

impl Comparison<'_> {
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
        let Some(form) = self.pieces.get(piece) else {
            return text.is_empty().then(|| (String::new(), None));
        };
        let component = text.find('/').unwrap_or(text.len());
        let mut ends = (0..=component).filter(|end| text.is_char_boundary(*end));
        let leading = |is_part: fn(u8) -> bool| text.bytes().take_while(|it| is_part(*it)).count();
        let read_host = self.read_host;
        let mut rest = |end: usize| self.find(piece + 1, at + end);
        match form {
            Piece::Text(expected) => {
                let (start, _) = text.split_at_checked(expected.len())?;
                let is_equal = start.to_lowercase() == expected.to_lowercase();
                is_equal.then(|| rest(expected.len()))?
            }
            Piece::Anything => ends.find_map(rest),
            // The longest host that lets the rest match: labels may contain the separators, too.
            Piece::Host => ends.rev().find_map(|end| {
                let (_, time) = rest(end)?;
                Some((read_host(&text[..end])?, time))
            }),
            Piece::Rank => {
                let digits = leading(|byte| byte.is_ascii_digit());
                (1..=digits).rev().find_map(rest)
            }
            Piece::Date => {
                let is_part = |byte: u8| byte.is_ascii_digit() || b"-_:TZ".contains(&byte);
                (0..=leading(is_part)).rev().find_map(|end| {
                    let date = read_date(&text[..end])?;
                    let (host, _) = rest(end)?;
                    Some((host, Some(date)))
                })
            }
        }
    }
}

/// A date with or without a time, in any form that is usual in file names.
fn read_date(text: &str) -> Option<i64> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).collect();
    match digits.len() {
        8 => parse_date(&[&digits[..], b"000000"].concat()),
        10 | 12 | 14 => parse_date(&digits),
        _ => None,
    }
}
