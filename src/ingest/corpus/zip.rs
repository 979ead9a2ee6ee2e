//! Files that are called after their host, in a zip file.

use std::sync::Arc;

use warc_recovery::damage::DamageKind;
use warc_recovery::input::Input;

use super::batch::{Batch, BatchRows, CHUNK_BYTES, MAX_ROW_BYTES, RowLocation};
use super::fetch::Problem;
use super::names::url_of_path;
use super::tar::CorpusFile;
use crate::ingest::zip::Member;

/// Members looked at for one batch, so that the run can be stopped.
const MAX_LOOKS: usize = 10_000;

/// Reads a file in batches of members.
pub(super) struct Zip {
    input: Arc<Input>,
    members: Arc<Vec<Member>>,
    next: usize,
    /// Offset up to which everything is accounted for.
    at: u64,
}

impl Zip {
    pub(super) fn new(input: &Arc<Input>, members: &Arc<Vec<Member>>) -> Self {
        Self {
            input: Arc::clone(input),
            members: Arc::clone(members),
            next: 0,
            at: 0,
        }
    }

    /// The next members; none at the end.
    pub(super) fn next_batch(&mut self) -> Option<Batch> {
        if self.at == self.input.len() {
            return None;
        }
        let mut batch = Batch::default();
        let mut entries = Vec::new();
        let mut bytes = 0;
        let members = Arc::clone(&self.members);
        for member in members[self.next..].iter().take(MAX_LOOKS) {
            if bytes >= CHUNK_BYTES {
                break;
            }
            self.next += 1;
            if let Some(url) = url_of_path(&member.name)
                && let Some(entry) = self.entry(&mut batch, member, url)
            {
                bytes += entry.body.len() + 1;
                entries.push(entry);
            }
        }
        if self.next == members.len() {
            // What is left: the directory.
            batch.accounting.skipped_bytes += self.input.len() - self.at;
            self.at = self.input.len();
        }
        batch.rows = BatchRows::Entries(entries);
        Some(batch)
    }

    /// The file of a host that a member is.
    fn entry(&mut self, batch: &mut Batch, member: &Member, url: String) -> Option<CorpusFile> {
        let problem = |message: &str| Problem {
            kind: DamageKind::Corrupt,
            message: format!("{}: {message}", member.name),
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
                Some(CorpusFile {
                    path: member.name.clone(),
                    url,
                    time: member.time,
                    place,
                    body,
                })
            }
            Err(message) => {
                batch.lose(&place, &problem(&message));
                None
            }
        }
    }
}
