//! Files that are named after their host, in a zip file.

use std::io::Read as _;
use std::sync::Arc;

use warc_recovery::damage::DamageKind;
use warc_recovery::input::Input;

use super::batch::{Batch, BatchRows, CHUNK_BYTES, MAX_ROW_BYTES, RowLocation};
use super::choice::{Choice, FileKind, LOOKED_AT, Survey, choose};
use super::fetch::Problem;
use super::names::{FileNames, HostFile};
use super::tar::CorpusFile;
use crate::ingest::input::zip::Member;

/// Members looked at for one batch, so that the run can be stopped.
const MAX_LOOKS: usize = 10_000;
/// The same for members whose content is looked at.
const MAX_SURVEYED: usize = 1_000;

/// Reads a file in batches of members.
pub(crate) struct Zip {
    input: Arc<Input>,
    members: Arc<Vec<Member>>,
    names: FileNames,
    next: usize,
    /// Offset up to which everything is accounted for.
    at: u64,
    /// A file that is not chosen yet.
    held: Option<(CorpusFile, HostFile)>,
    survey: Survey,
    progress: SurveyProgress,
}

/// How much of a zip file has been surveyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SurveyProgress {
    NotBegun,
    /// The number of the next member, and where the data end of those before it.
    UpTo(usize, u64),
    Done,
}

impl Zip {
    pub(super) fn new(input: &Arc<Input>, members: &Arc<Vec<Member>>, names: &FileNames) -> Self {
        Self {
            input: Arc::clone(input),
            members: Arc::clone(members),
            names: names.clone(),
            next: 0,
            at: 0,
            held: None,
            survey: Survey::default(),
            progress: SurveyProgress::NotBegun,
        }
    }

    /// The next members; none at the end.
    pub(super) fn next_batch(&mut self) -> Option<Batch> {
        if let SurveyProgress::UpTo(next, at) = self.progress {
            self.progress = self.survey_from(next, at);
            return Some(Batch::default());
        }
        if self.at == self.input.len() && self.held.is_none() {
            return None;
        }
        let mut batch = Batch::default();
        let mut entries = Vec::new();
        let (mut bytes, mut looks) = (0, 0);
        let members = Arc::clone(&self.members);
        while bytes < CHUNK_BYTES && looks < MAX_LOOKS {
            looks += 1;
            let next = match (self.held.take(), members.get(self.next)) {
                (Some(held), _) => Some(held),
                (None, Some(member)) => {
                    self.next += 1;
                    self.entry(&mut batch, member)
                }
                (None, None) => break,
            };
            let Some((mut entry, host)) = next else {
                continue;
            };
            let is_surveyed = self.progress == SurveyProgress::Done;
            let survey = is_surveyed.then_some(&self.survey);
            match choose(survey, &entry.path, &host, entry.likeness(&host)) {
                Choice::Read(url) => {
                    entry.url = url;
                    bytes += entry.body.len() + 1;
                    entries.push(entry);
                }
                Choice::PassOver => {
                    batch.passed_over.other_content += 1;
                    batch.accounting.skipped_bytes += entry.place.stored;
                }
                Choice::Unknown => {
                    self.held = Some((entry, host));
                    self.progress = SurveyProgress::UpTo(0, 0);
                    break;
                }
            }
        }
        if self.next == members.len() && self.held.is_none() {
            // What is left: the directory.
            batch.accounting.skipped_bytes += self.input.len() - self.at;
            self.at = self.input.len();
        }
        batch.rows = BatchRows::Entries(entries);
        Some(batch)
    }

    /// Surveys more members from the number `from` on; `at` is the end of the data before it.
    fn survey_from(&mut self, from: usize, mut at: u64) -> SurveyProgress {
        let members = Arc::clone(&self.members);
        for (number, member) in (from..).zip(&members[from..]) {
            if number == from + MAX_SURVEYED {
                return SurveyProgress::UpTo(number, at);
            }
            // What is lost is not looked at.
            let is_file = !member.is_link && member.head >= at;
            let host = self.names.host_file(&member.name).filter(|_| is_file);
            let Some(host) = host else {
                continue;
            };
            at = member.end;
            let likeness = host.is_bare.then(|| self.likeness(member));
            self.survey.add(&member.name, &host, likeness);
        }
        SurveyProgress::Done
    }

    fn likeness(&self, member: &Member) -> FileKind {
        let mut start = Vec::new();
        let reader = member.reader(&self.input).ok();
        let read = reader.map(|it| it.take(LOOKED_AT as u64).read_to_end(&mut start));
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
                    url: String::new(),
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
