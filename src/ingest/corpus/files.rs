//! Files of a folder, tar file or zip file, each of which may be the robots.txt of a host.

use std::io;
use std::sync::atomic::AtomicBool;

use super::batch::{Batch, MAX_ROW_BYTES, RowLocation, RowReader, UnreadFiles};
use super::choice::{Candidate, Survey};
use super::fetch::Fetch;
use super::names::HostFile;
use crate::error::check_stop;

/// A file of a corpus, which is named after a host.
pub(super) struct CorpusFile {
    pub(super) candidate: Candidate,
    /// When it was changed, in microseconds since 1970-01-01T00:00:00Z.
    pub(super) time: Option<i64>,
    pub(super) location: RowLocation,
    pub(super) body: Vec<u8>,
}

impl UnreadFiles {
    /// The host that a file is named after, unless the file is not read: then it is counted.
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
    /// The same, from its start.
    fn again(&self) -> Self;

    /// Passes the next file, or something else, which is counted in `batch`; the file, if it is
    /// named after a host.
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
