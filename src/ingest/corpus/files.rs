//! Files of a folder, tar file or zip file, each of which may be the robots.txt of a host: which of
//! them are read.
//!
//! A name that is nothing but a host proves little: `README.md`, `build.rs` and `setup.py` end in
//! top-level domains too. And `100-imdb.com` may be a host, or `imdb.com` with the rank 100. The
//! meaning of such a name depends on the other files of its kind in its directory: one kind is bare
//! hosts, the other is names with more after the host.
//!
//! - A file named as a bare host is read if it has lines of a robots.txt (user-agents, rules,
//!   sitemaps or other directives), and at least as many as other lines, comments aside.
//! - If more than half of the bare hosts of its directory have such content, it is read whatever
//!   its content is: empty, an HTML page, a message. A file with a name like `setup.py` is read
//!   there only if it is empty or an HTML page.
//! - A number before the host is a rank if more than half of the names of its kind begin with a
//!   number.
//!
//! At the first file whose choice depends on others, the reader surveys all files. So the choice
//! does not depend on their order.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::AtomicBool;

use robots_dialects::content::ContentClass;
use robots_dialects::document::Document;
use robots_dialects::identity::Id;
use robots_dialects::limit;

use super::batch::{Batch, RowLocation, RowReader, UnreadFiles};
use super::fetch::Fetch;
use super::names::HostFile;
use super::problem::MAX_ROW_BYTES;
use crate::error::check_stop;

/// First bytes of a file by which its content is judged.
pub(super) const SNIFF_BYTES: usize = 64 * 1024;
/// The most directories that are counted, once per kind of name; each takes some 30 bytes. In other
/// directories, a file is chosen without regard to the rest.
const MAX_DIRECTORIES: usize = 100_000;
/// Top-level domains that are endings of programs, documents and archives too.
const ENDINGS: [&str; 11] = [
    "cc", "md", "ml", "mov", "pl", "ps", "py", "rs", "sh", "so", "zip",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// Mostly lines of a robots.txt.
    Robots,
    /// What servers send instead of a robots.txt: nothing, or an HTML page.
    EmptyOrPage,
    Other,
}

impl FileKind {
    /// The kind of the file that begins with `start`: its first [`SNIFF_BYTES`] bytes, or all.
    pub(super) fn of(start: &[u8]) -> Self {
        let start = &start[..start.len().min(SNIFF_BYTES)];
        let whole = limit::identified(start, SNIFF_BYTES - 1);
        let document = Document::read(whole, 0);
        let counts = &document.counts;
        let others = counts.invalid_lines + counts.unknown_directives;
        let lines = counts.lines - counts.blank_lines - counts.comment_lines;
        match ContentClass::of_document(whole, &document) {
            ContentClass::Empty | ContentClass::Html => Self::EmptyOrPage,
            ContentClass::Rules | ContentClass::NoRules
                if lines > others && lines - others >= others =>
            {
                Self::Robots
            }
            _ => Self::Other,
        }
    }
}

/// A file that is named after a host.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) path: String,
    pub(super) host: HostFile,
    /// The kind of its content, if its name alone does not make it a robots.txt.
    pub(super) kind: Option<FileKind>,
}

impl Candidate {
    pub(super) fn new(path: String, host: HostFile, start: &[u8]) -> Self {
        let kind = host.is_bare.then(|| FileKind::of(start));
        Self { path, host, kind }
    }

    fn key(&self) -> i64 {
        let directory = self.path.rsplit_once('/').map_or("", |(it, _)| it);
        let kind = if self.host.is_bare { "/bare" } else { "/" };
        Id::of(format!("{directory}{kind}").as_bytes()).low
    }

    pub(super) fn depends_on_others(&self) -> bool {
        self.kind.is_some_and(|it| it != FileKind::Robots) || self.host.url_without_rank.is_some()
    }

    /// The URL of the robots.txt that the file is read as, if it is read. A choice that depends on
    /// other files needs a survey.
    pub(super) fn chosen_url(&self, survey: Option<&Survey>) -> Option<&str> {
        let counts = survey.and_then(|survey| survey.0.get(&self.key()));
        let is_most = |part: fn(&Counts) -> u64| counts.is_some_and(|it| part(it) * 2 > it.files);
        let is_read = match self.kind {
            None | Some(FileKind::Robots) => true,
            Some(FileKind::EmptyOrPage) => is_most(|it| it.like_robots),
            Some(FileKind::Other) => is_most(|it| it.like_robots) && !self.ends_as_program(),
        };
        let without_rank = self.host.url_without_rank.as_deref();
        let without_rank = without_rank.filter(|_| is_most(|it| it.numbered));
        is_read.then(|| without_rank.unwrap_or(&self.host.url))
    }

    /// Whether the name is like `setup.py`; names with more than one dot are taken for hosts.
    fn ends_as_program(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let ending = name.split_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|it| ENDINGS.iter().any(|known| it.eq_ignore_ascii_case(known)))
    }
}

#[derive(Debug, Default)]
pub(super) struct Survey(HashMap<i64, Counts>);

#[derive(Debug, Default)]
struct Counts {
    files: u64,
    numbered: u64,
    like_robots: u64,
}

impl Survey {
    pub(super) fn add(&mut self, file: &Candidate) {
        let key = file.key();
        if self.0.len() == MAX_DIRECTORIES && !self.0.contains_key(&key) {
            return;
        }
        let counts = self.0.entry(key).or_default();
        counts.files += 1;
        counts.numbered += u64::from(file.host.url_without_rank.is_some());
        counts.like_robots += u64::from(file.kind == Some(FileKind::Robots));
    }
}

pub(super) struct CorpusFile {
    pub(super) candidate: Candidate,
    /// When it was changed, in microseconds since 1970-01-01T00:00:00Z.
    pub(super) time: Option<i64>,
    pub(super) location: RowLocation,
    pub(super) body: Vec<u8>,
}

impl UnreadFiles {
    /// The host that a file is named after, if the file is read; otherwise the file is counted.
    pub(super) fn unless_unread(
        &mut self,
        host: Option<HostFile>,
        is_link: bool,
        size: u64,
    ) -> Option<HostFile> {
        let count = match &host {
            None => &mut self.other_name,
            Some(_) if is_link => &mut self.links,
            Some(host) if host.is_bare && size > MAX_ROW_BYTES as u64 => &mut self.other_content,
            Some(_) => return host,
        };
        *count += 1;
        None
    }
}

pub(super) trait FileSource {
    /// The same source, from its start.
    fn again(&self) -> Self;

    /// Moves past the next file, or something else, which is counted in `batch`. Returns the file
    /// if it is named after a host.
    fn next_file(&mut self, batch: &mut Batch) -> io::Result<Option<CorpusFile>>;

    fn is_done(&self) -> bool;
}

pub(super) struct Files<S> {
    source: S,
    /// Made for the first file whose choice depends on the others.
    survey: Option<Survey>,
}

impl<S: FileSource> Files<S> {
    pub(super) fn new(source: S) -> Self {
        let survey = None;
        Self { source, survey }
    }

    fn survey(&self, stop: &AtomicBool) -> io::Result<Survey> {
        let mut source = self.source.again();
        let mut survey = Survey::default();
        while !source.is_done() {
            check_stop(stop).map_err(io::Error::other)?;
            // Damage is reported when the files are read.
            if let Some(file) = source.next_file(&mut Batch::default())? {
                survey.add(&file.candidate);
            }
        }
        Ok(survey)
    }
}

impl<S: FileSource> RowReader for Files<S> {
    fn read_on(&mut self, batch: &mut Batch, stop: &AtomicBool) -> io::Result<bool> {
        if self.source.is_done() {
            return Ok(false);
        }
        let Some(file) = self.source.next_file(batch)? else {
            return Ok(true);
        };
        if self.survey.is_none() && file.candidate.depends_on_others() {
            self.survey = Some(self.survey(stop)?);
        }
        let candidate = &file.candidate;
        let time = candidate.host.time.or(file.time);
        let url = candidate.chosen_url(self.survey.as_ref());
        let fetch = url.map(|url| Fetch::of_file(&candidate.path, url, time, file.body));
        batch.passed_over.other_content += u64::from(fetch.is_none());
        batch.push(file.location, Ok(fetch));
        Ok(true)
    }
}
