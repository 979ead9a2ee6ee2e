//! Files that are named after their host, in a zip file.

use std::io;
use std::sync::Arc;

use warc_recovery::damage::DamageKind;
use warc_recovery::input::Input;

use super::batch::{Batch, RowLocation};
use super::files::{Candidate, CorpusFile, FileSource};
use super::options::CorpusOptions;
use super::problem::{MAX_ROW_BYTES, Problem};
use crate::ingest::input::zip::Member;

pub(super) struct Zip {
    input: Arc<Input>,
    members: Arc<Vec<Member>>,
    options: CorpusOptions,
    next: usize,
    /// Offset up to which everything is accounted for.
    at: u64,
}

impl Zip {
    pub(super) fn new(
        input: &Arc<Input>,
        members: &Arc<Vec<Member>>,
        options: &CorpusOptions,
    ) -> Self {
        Self {
            input: Arc::clone(input),
            members: Arc::clone(members),
            options: options.clone(),
            next: 0,
            at: 0,
        }
    }

    fn file(&mut self, batch: &mut Batch, member: &Member) -> Option<CorpusFile> {
        let host = self.options.host_file(&member.name);
        let host = (batch.passed_over).unless_unread(host, member.is_link, member.size)?;
        let (length, body) = if member.head < self.at {
            // Zip bombs do this: the bytes belong to the member before.
            (0, Err("it overlaps the member before it".to_owned()))
        } else {
            batch.accounting.skipped_bytes += member.head - self.at;
            self.at = member.end;
            let body = member.read(&self.input, MAX_ROW_BYTES);
            (member.end - member.head, body)
        };
        let name = format!("offset {}", member.head);
        let location = RowLocation::new(member.head, length, true, name);
        match body {
            Ok(body) => {
                self.input.release(member.head, member.end);
                Some(CorpusFile {
                    candidate: Candidate::new(member.name.clone(), host, &body),
                    time: member.time,
                    location,
                    body,
                })
            }
            Err(message) => {
                let message = format!("{}: {message}", member.name);
                batch.push(location, Err(Problem::new(DamageKind::Corrupt, message)));
                None
            }
        }
    }
}

impl FileSource for Zip {
    fn again(&self) -> Self {
        Self::new(&self.input, &self.members, &self.options)
    }

    fn next_file(&mut self, batch: &mut Batch) -> io::Result<Option<CorpusFile>> {
        let members = Arc::clone(&self.members);
        let Some(member) = members.get(self.next) else {
            // The rest is the directory.
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
