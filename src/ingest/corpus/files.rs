//! Files of a folder, tar file or zip file, each of which may be the robots.txt of a host.

use std::io;
use std::sync::atomic::AtomicBool;

use super::batch::{Batch, RowLocation, RowReader};
use super::choice::{Survey, choose, depends_on_others};
use super::fetch::Fetch;
use super::file_kind::FileKind;
use super::host_file::HostFile;
use crate::error::check_stop;

/// A file of a corpus, which is named after a host.
pub(super) struct CorpusFile {
    /// Its path in the corpus.
    pub(super) path: String,
    pub(super) host: HostFile,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub(super) time: Option<i64>,
    pub(super) place: RowLocation,
    pub(super) body: Vec<u8>,
}

impl CorpusFile {
    /// What its content is taken for, if its name alone does not make it a robots.txt.
    fn likeness(&self) -> Option<FileKind> {
        self.host.is_bare.then(|| FileKind::of(&self.body))
    }
}

/// What the files are read from.
pub(super) trait FileSource {
    /// The same, from its start.
    fn again(&self) -> Self;

    /// Passes the next file, or something else, which is counted in `batch`; the file, if it is
    /// named after a host.
    fn next_file(&mut self, batch: &mut Batch) -> io::Result<Option<CorpusFile>>;

    /// Whether everything has been passed.
    fn is_done(&self) -> bool;
}

/// Reads the files that are named after hosts.
pub(super) struct Files<S> {
    source: S,
    /// Made for the first file whose choice depends on the others.
    survey: Option<Survey>,
}

impl<S: FileSource> Files<S> {
    pub(super) fn new(source: S) -> Self {
        Self {
            source,
            survey: None,
        }
    }

    /// Surveys all files, from the start.
    fn survey(&self, stop: &AtomicBool) -> io::Result<Survey> {
        let mut source = self.source.again();
        let mut survey = Survey::default();
        while !source.is_done() {
            check_stop(stop).map_err(io::Error::other)?;
            // Damage is reported when the files are read.
            if let Some(file) = source.next_file(&mut Batch::default())? {
                survey.add(&file.path, &file.host, file.likeness());
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
        let likeness = file.likeness();
        if self.survey.is_none() && depends_on_others(&file.host, likeness) {
            self.survey = Some(self.survey(stop)?);
        }
        if let Some(url) = choose(self.survey.as_ref(), &file.path, &file.host, likeness) {
            let fetch = Fetch {
                url: url.into_bytes(),
                time: file.time,
                body: Some(file.body),
                id: Some(file.path),
                ..Fetch::default()
            };
            batch.push(file.place, Ok(fetch));
        } else {
            batch.passed_over.other_content += 1;
            batch.skip(&file.place);
        }
        Ok(true)
    }
}
