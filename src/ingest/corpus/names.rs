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

    fn url_of_path(path: &str) -> Option<String> {
        usual(path).map(|file| file.url)
    }

    #[test]
    fn hosts_are_found_in_paths() {
        let cases = "
            example.com.txt                     https://example.com
            a/Example.COM.TXT                   https://example.com
            example.com/robots.txt              https://example.com
            ./x/www.example.com:8080/robots.txt https://www.example.com:8080
            www.example.com+8080/Robots.txt     https://www.example.com:8080
            http/a.test/robots.txt              http://a.test
            ../../a.test/robots.txt             https://a.test
            /etc/a.unknown/robots.txt           https://a.unknown
            192.0.2.1.txt                       https://192.0.2.1
            example.co.uk_robots.txt            https://example.co.uk
            example.com.robots.txt              https://example.com
            example.com-robots                  https://example.com
            bücher.example.txt                  https://bücher.example
            localhost:81/robots.txt             https://localhost:81
            robots/www.example.co.uk            https://www.example.co.uk
            192.0.2.1:8888                      https://192.0.2.1:8888
            example.com_8080.txt                https://example.com:8080
            _dmarc.example.com.txt              https://_dmarc.example.com
            100_example.com.txt                 https://example.com
            http_www.example.com_robots.txt     http://www.example.com
            https:__example.com_robots.txt      https://example.com
            build.rs                            https://build.rs";
        for case in cases.lines().skip(1) {
            let (path, origin) = case.trim().split_once(' ').expect("a path and an origin");
            let expected = format!("{}/robots.txt", origin.trim());
            assert_eq!(url_of_path(path), Some(expected), "{path}");
        }
        for path in [
            "robots.txt",
            "",
            "/",
            "readme.txt",
            "notes.v2.txt",
            "example.com/a/robots.txt",
            "example.com/index.html",
            "example.com:99999/robots.txt",
            "example..com.txt",
            "a b.example.txt",
            "../robots.txt",
            "../robots.txt/robots.txt/..",
            ".gitignore",
            "LICENSE",
            "data.json",
            "example.com.txt.icloud",
        ] {
            assert_eq!(url_of_path(path), None, "{path}");
        }
    }

    #[test]
    fn a_number_before_a_host_may_be_a_rank() {
        for (path, without_rank, is_bare) in [
            ("100-imdb.com.txt", Some("imdb.com"), false),
            ("x/00001-imdb.com", Some("imdb.com"), true),
            ("1-800-flowers.com", Some("800-flowers.com"), true),
            ("100-imdb.com-robots.txt", Some("imdb.com"), false),
            ("100_imdb.com", None, true),
            ("imdb.com", None, true),
            ("9gag.com", None, true),
            ("4-.com", None, true),
            ("http_imdb.com", None, false),
        ] {
            let file = usual(path).unwrap_or_else(|| panic!("{path}"));
            let url = without_rank.map(|host| format!("https://{host}/robots.txt"));
            assert_eq!(file.url_without_rank, url, "{path}");
            assert_eq!(file.is_bare, is_bare, "{path}");
        }
    }
}
