//! Files that are named after their host, in a zip file.

use std::io;
use std::sync::Arc;

use warc_recovery::damage::DamageKind;
use warc_recovery::input::Input;

use super::batch::{Batch, MAX_ROW_BYTES, RowLocation};
use super::fetch::Problem;
use super::files::{CorpusFile, FileSource};
use super::names::FileNames;
use crate::ingest::input::zip::Member;

pub(crate) struct Zip {
    input: Arc<Input>,
    members: Arc<Vec<Member>>,
    names: FileNames,
    next: usize,
    /// Offset up to which everything is accounted for.
    at: u64,
}

impl Zip {
    pub(super) fn new(input: &Arc<Input>, members: &Arc<Vec<Member>>, names: &FileNames) -> Self {
        Self {
            input: Arc::clone(input),
            members: Arc::clone(members),
            names: names.clone(),
            next: 0,
            at: 0,
        }
    }

    /// The file of a host that a member is.
    fn file(&mut self, batch: &mut Batch, member: &Member) -> Option<CorpusFile> {
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
        let place = |length| {
            let name = format!("offset {}", member.head);
            RowLocation::new(member.head, length, true, name)
        };
        if member.head < self.at {
            // So bombs are made: the bytes belong to the member before.
            batch.lose(&place(0), &problem("it overlaps the member before it"));
            return None;
        }
        batch.accounting.skipped_bytes += member.head - self.at;
        self.at = member.end;
        let place = place(member.end - member.head);
        match member.read(&self.input, MAX_ROW_BYTES) {
            Ok(body) => {
                self.input.release(member.head, member.end);
                Some(CorpusFile {
                    path: member.name.clone(),
                    time: host.time.or(member.time),
                    host,
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

impl FileSource for Zip {
    fn again(&self) -> Self {
        Self::new(&self.input, &self.members, &self.names)
    }

    fn next_file(&mut self, batch: &mut Batch) -> io::Result<Option<CorpusFile>> {
        let members = Arc::clone(&self.members);
        let Some(member) = members.get(self.next) else {
            // What is left: the directory.
            batch.accounting.skipped_bytes += self.input.len() - self.at;
            self.at = self.input.len();
            return Ok(None);
        };
        self.next += 1;
        Ok(self.file(batch, member))
    }

    fn is_done(&self) -> bool {
        self.at == self.input.len()
    }
}
