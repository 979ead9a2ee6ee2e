//! Files that are named after their host, in a zip file.

use std::io::{self, Read as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use warc_recovery::damage::DamageKind;
use warc_recovery::input::Input;

use super::batch::{Batch, BatchReader, CHUNK_BYTES, MAX_ROW_BYTES, RowLocation};
use super::choice::{Survey, depends_on_others};
use super::fetch::Problem;
use super::file_kind::{FileKind, SNIFF_BYTES};
use super::files::{CorpusFile, Files};
use super::host_file::HostFile;
use super::names::FileNames;
use crate::error::check_stop;
use crate::ingest::input::zip::Member;

/// Members looked at for one batch, so that the run can be stopped.
const MAX_LOOKS: usize = 10_000;

pub(crate) struct Zip {
    input: Arc<Input>,
    members: Arc<Vec<Member>>,
    names: FileNames,
    next: usize,
    /// Offset up to which everything is accounted for.
    at: u64,
    /// Made for the first file whose choice depends on the others.
    survey: Option<Survey>,
}

impl Zip {
    pub(super) fn new(input: &Arc<Input>, members: &Arc<Vec<Member>>, names: &FileNames) -> Self {
        Self {
            input: Arc::clone(input),
            members: Arc::clone(members),
            names: names.clone(),
            next: 0,
            at: 0,
            survey: None,
        }
    }

    fn survey(&self, stop: &AtomicBool) -> io::Result<Survey> {
        let mut survey = Survey::default();
        let mut at = 0;
        for member in &*self.members {
            check_stop(stop).map_err(io::Error::other)?;
            // What is lost is not looked at.
            let is_file = !member.is_link && member.head >= at;
            let host = self.names.host_file(&member.name).filter(|_| is_file);
            let Some(host) = host else {
                continue;
            };
            at = member.end;
            let likeness = host.is_bare.then(|| self.likeness(member));
            survey.add(&member.name, &host, likeness);
        }
        Ok(survey)
    }

    fn likeness(&self, member: &Member) -> FileKind {
        let mut start = Vec::new();
        let reader = member.reader(&self.input).ok();
        let read = reader.map(|it| it.take(SNIFF_BYTES as u64).read_to_end(&mut start));
        match read {
            Some(Ok(_)) => FileKind::of(&start),
            _ => FileKind::Other,
        }
    }

    /// The file of a host that a member is.
    fn entry(&mut self, batch: &mut Batch, member: &Member) -> Option<(CorpusFile, HostFile)> {
        let Some(host) = self.names.host_file(&member.name) else {
            batch.passed_over.other_name += 1;
            return None;
        };
        if member.is_link {
            batch.passed_over.links += 1;
            return None;
        }
        if host.is_bare && member.size > MAX_ROW_BYTES as u64 {
            batch.passed_over.other_content += 1;
            return None;
        }
        let problem = |message: &str| {
            Problem::new(DamageKind::Corrupt, format!("{}: {message}", member.name))
        };
        if member.head < self.at {
            // So bombs are made: the bytes belong to the member before.
            let place = RowLocation::of_entry(member.head, 0, true);
            batch.lose(&place, &problem("it overlaps the member before it"));
            return None;
        }
        batch.accounting.skipped_bytes += member.head - self.at;
        self.at = member.end;
        let place = RowLocation::of_entry(member.head, member.end - member.head, true);
        match member.read(&self.input, MAX_ROW_BYTES) {
            Ok(body) => {
                self.input.release(member.head, member.end);
                let file = CorpusFile {
                    path: member.name.clone(),
                    time: host.time.or(member.time),
                    place,
                    body,
                };
                Some((file, host))
            }
            Err(message) => {
                batch.lose(&place, &problem(&message));
                None
            }
        }
    }
}

impl BatchReader for Zip {
    fn next_batch(&mut self, stop: &AtomicBool) -> io::Result<Option<Batch>> {
        if self.at == self.input.len() {
            return Ok(None);
        }
        let mut batch = Batch::default();
        let mut files = Files::default();
        let mut looks = 0;
        let members = Arc::clone(&self.members);
        while files.bytes + files.files.len() < CHUNK_BYTES
            && looks < MAX_LOOKS
            && let Some(member) = members.get(self.next)
        {
            looks += 1;
            self.next += 1;
            let Some((file, host)) = self.entry(&mut batch, member) else {
                continue;
            };
            if self.survey.is_none() && depends_on_others(&host, file.likeness(&host)) {
                self.survey = Some(self.survey(stop)?);
            }
            files.add(file, &host, self.survey.as_ref(), &mut batch);
        }
        if self.next == members.len() {
            // What is left: the directory.
            batch.accounting.skipped_bytes += self.input.len() - self.at;
            self.at = self.input.len();
        }
        batch.rows = Some(Box::new(files));
        Ok(Some(batch))
    }
}
