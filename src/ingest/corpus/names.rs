//! Files that are named after the host whose robots.txt they hold.

use std::path::Path;

use super::host_file::{HostFile, authority, known_authority};
use super::name_pattern::NamePattern;

/// How scripts write the beginning of a URL in a file name, and its scheme.
const SCHEMES: [(&str, &str); 8] = [
    ("https___", "https"),
    ("https:__", "https"),
    ("https__", "https"),
    ("https_", "https"),
    ("http___", "http"),
    ("http:__", "http"),
    ("http__", "http"),
    ("http_", "http"),
];
/// The longest number in front of a host that may be a rank, in digits.
const MAX_RANK_DIGITS: usize = 9;

/// How the files of folders, tar files and zip files are named after their hosts.
#[derive(Debug, Clone, Default)]
pub struct FileNames(Option<NamePattern>);

impl FileNames {
    /// As `pattern` says; without, as public corpora do.
    pub fn new(pattern: Option<NamePattern>) -> Self {
        Self(pattern)
    }

    /// Whether the file at this path, below a folder, is named after a host.
    pub(crate) fn fit(&self, below: &Path) -> bool {
        self.host_file(&below.to_string_lossy()).is_some()
    }

    /// The host that the file at this path is named after, whose directories are separated by
    /// `/`; none where the path names no host.
    pub(super) fn host_file(&self, path: &str) -> Option<HostFile> {
        match &self.0 {
            Some(pattern) => pattern.host_file(path),
            None => usual(path),
        }
    }
}

/// The host in a usual name.
///
/// `HOST/robots.txt`, `HOST.txt`, `HOST-robots.txt` and `HOST` are usual, with or without a port:
/// `HOST:8080`, `HOST+8080` (wget on Windows) or `HOST_8080`. A directory `http` or `https` around
/// it gives the scheme (`wget --protocol-directories`), and so does `https_` before it; otherwise
/// the scheme is https.
fn usual(path: &str) -> Option<HostFile> {
    let mut components = path.rsplit('/').filter(|it| !matches!(*it, "" | "."));
    let file = components.next()?;
    let mut found = if file.eq_ignore_ascii_case("robots.txt") {
        let directory = components.next()?;
        ParsedName {
            authority: authority(directory).filter(|_| directory != "..")?,
            ..ParsedName::default()
        }
    } else {
        ParsedName::of_file(file)?
    };
    let directory = components.next();
    let scheme = (found.scheme.take())
        .or(directory.filter(|it| matches!(*it, "http" | "https")))
        .unwrap_or("https");
    let url = |authority: &str| format!("{scheme}://{authority}/robots.txt");
    Some(HostFile {
        url: url(&found.authority),
        url_without_rank: found.without_rank.as_deref().map(url),
        is_bare: found.is_bare,
        time: None,
    })
}

/// What the name of a file says.
#[derive(Default)]
struct ParsedName {
    scheme: Option<&'static str>,
    authority: String,
    without_rank: Option<String>,
    is_bare: bool,
}

impl ParsedName {
    fn of_file(file: &str) -> Option<Self> {
        let stem = without_end(file, ".txt").unwrap_or(file);
        let host = [".robots", "_robots", "-robots"]
            .iter()
            .find_map(|end| without_end(stem, end))
            .unwrap_or(stem);
        let (scheme, host) = SCHEMES
            .iter()
            .find_map(|(start, scheme)| Some((Some(*scheme), host.strip_prefix(start)?)))
            .unwrap_or((None, host));
        let is_bare = host.len() == file.len();
        // A host has no `_` in front of a listed domain, but it may have a `-`.
        let (host, without_rank) = match rank_and_rest(host) {
            Some(('_', rest)) if known_authority(rest).is_some() => (rest, None),
            Some(('-', rest)) => (host, known_authority(rest)),
            _ => (host, None),
        };
        Some(Self {
            scheme,
            authority: known_authority(host)?,
            without_rank,
            is_bare,
        })
    }
}

/// The sign after the number at the start of a name, and the rest of the name.
fn rank_and_rest(name: &str) -> Option<(char, &str)> {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = name[digits..].chars();
    let sign = rest.next()?;
    (1..=MAX_RANK_DIGITS)
        .contains(&digits)
        .then_some((sign, rest.as_str()))
}

fn without_end<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let (start, found) = text.split_at_checked(text.len().checked_sub(end.len())?)?;
    found.eq_ignore_ascii_case(end).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{check, optional};

    #[test]
    fn cases() {
        check(file!(), |question, [path, ..]| {
            let origin = |url: String| {
                let origin = url.strip_suffix("/robots.txt");
                origin.expect("a robots.txt").to_owned()
            };
            let file = usual(path);
            match question {
                "origin" => optional(file.map(|it| origin(it.url))),
                "without-rank" => {
                    let file = file.expect("a host");
                    let bare = if file.is_bare { ", bare" } else { "" };
                    optional(file.url_without_rank.map(origin)) + bare
                }
                _ => panic!("{question}"),
            }
        });
    }
}
