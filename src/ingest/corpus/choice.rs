//! Which files are read of those that are named after a host.
//!
//! A name that is nothing but a host proves little: `README.md`, `build.rs` and `setup.py` end in
//! top-level domains too. And `100-imdb.com` may be a host or the hundredth. What such a name means
//! depends on the other files of its kind in its directory: those that are bare hosts, or those
//! with something after the host.
//!
//! - A bare host is read where its content has the lines of a robots.txt: a user-agent, a rule, a
//!   sitemap or another directive, and at least as many of these as of other lines, comments aside.
//! - Where that holds for more than half of the bare hosts of its directory, it is read whatever
//!   its content is: empty, an HTML page, a message. A file with a name like `setup.py` is read
//!   there only if it is empty or an HTML page.
//! - A number before the host is a rank where more than half of the names of its kind begin so.
//!
//! At the first file whose choice depends on others, the reader surveys all files. So the choice
//! does not depend on their order.

use std::collections::HashMap;

use robots_dialects::identity::Id;

use super::file_kind::FileKind;
use super::host_file::HostFile;

/// Directories, of each kind, that are counted: some 30 bytes each. In others, files are chosen by
/// themselves.
const MAX_DIRECTORIES: usize = 100_000;
/// Top-level domains that are endings of programs, documents and archives too.
const ENDINGS: [&str; 11] = [
    "cc", "md", "ml", "mov", "pl", "ps", "py", "rs", "sh", "so", "zip",
];

/// Counts of files by directory and kind of name.
#[derive(Debug, Default)]
pub(super) struct Survey(HashMap<i64, Counts>);

#[derive(Debug, Default)]
struct Counts {
    files: u64,
    /// Files that begin with a number.
    numbered: u64,
    like_robots: u64,
}

impl Survey {
    /// Counts the file at `path`; `likeness` of a bare host.
    pub(super) fn add(&mut self, path: &str, file: &HostFile, likeness: Option<FileKind>) {
        let key = key(path, file);
        if self.0.len() == MAX_DIRECTORIES && !self.0.contains_key(&key) {
            return;
        }
        let counts = self.0.entry(key).or_default();
        counts.files += 1;
        counts.numbered += u64::from(file.url_without_rank.is_some());
        counts.like_robots += u64::from(likeness == Some(FileKind::Robots));
    }
}

/// The directory of `path` and the kind of its name.
fn key(path: &str, file: &HostFile) -> i64 {
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let kind = if file.is_bare { "/bare" } else { "/" };
    Id::of(format!("{directory}{kind}").as_bytes()).low
}

/// Whether the choice of a file depends on the others; `likeness` of a bare host.
pub(super) fn depends_on_others(file: &HostFile, likeness: Option<FileKind>) -> bool {
    likeness.is_some_and(|it| it != FileKind::Robots) || file.url_without_rank.is_some()
}

/// The URL of the robots.txt that the file at `path` is read as, if it is read; `likeness` of a
/// bare host. A choice that depends on other files needs a survey.
pub(super) fn choose(
    survey: Option<&Survey>,
    path: &str,
    file: &HostFile,
    likeness: Option<FileKind>,
) -> Option<String> {
    let counts = survey.and_then(|survey| survey.0.get(&key(path, file)));
    let is_most = |part: fn(&Counts) -> u64| counts.is_some_and(|it| part(it) * 2 > it.files);
    let is_read = likeness.is_none_or(|it| it == FileKind::Robots)
        || is_most(|counts| counts.like_robots)
            && (likeness == Some(FileKind::EmptyOrPage) || !ends_as_program(path));
    let without_rank = (file.url_without_rank.as_ref()).filter(|_| is_most(|it| it.numbered));
    is_read.then(|| without_rank.unwrap_or(&file.url).clone())
}

/// Whether a file has a name like `setup.py`, with one dot: hosts that end so have more.
fn ends_as_program(path: &str) -> bool {
    let mut parts = path.rsplit('/').next().unwrap_or_default().split('.');
    let (_, ending, more) = (parts.next(), parts.next(), parts.next());
    more.is_none()
        && ending.is_some_and(|it| ENDINGS.iter().any(|known| it.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::super::names::FileNames;
    use super::*;
    use crate::cases::check;

    const README: &[u8] =
        b"# Robots\n\nFiles of the largest sites, such as\n\n```\nUser-agent: *\n\
        Disallow: /\n```\n\nwhich we fetched.\nSee the paper.\n";

    /// The hosts that are chosen of these files.
    fn chosen(files: &[(&str, &[u8])]) -> String {
        let names = FileNames::default();
        let found = files.iter().map(|(path, content)| {
            let file = names.host_file(path).expect("a host");
            let likeness = file.is_bare.then(|| FileKind::of(content));
            (*path, file, likeness)
        });
        let files: Vec<_> = found.collect();
        let mut survey = Survey::default();
        let mut hosts = Vec::new();
        for (path, file, likeness) in &files {
            survey.add(path, file, *likeness);
        }
        for (path, file, likeness) in &files {
            let choice = choose(Some(&survey), path, file, *likeness);
            let early = choose(None, path, file, *likeness);
            assert!(
                depends_on_others(file, *likeness) || early == choice,
                "{path}"
            );
            if let Some(url) = choice {
                let host = url.trim_end_matches("/robots.txt");
                hosts.push(host["https://".len()..].to_owned());
            }
        }
        hosts.join(" ")
    }

    fn content(kind: &str) -> &'static [u8] {
        match kind {
            "robots" => b"User-agent: *\n",
            "empty" => b"",
            "error" => b"Not found",
            "readme" => README,
            "code" => b"mod x;",
            _ => panic!("{kind}"),
        }
    }

    #[test]
    fn cases() {
        check(file!(), |_, [files, ..]| {
            let files = files.split("; ").map(|file| {
                let (path, kind) = file.split_once(' ').expect("a path and a kind");
                (path, content(kind))
            });
            chosen(&files.collect::<Vec<_>>())
        });
    }
}
