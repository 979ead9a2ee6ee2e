//! Records and damage, as recovery hands them over.

use crate::accounting::Accounting;
use crate::damage::Damage;
use crate::sink::{Position, RecordSink};
use crate::syntax::RecordSyntax;
use crate::warc::{HeadError, RecordHead};

/// A record, with the part of its block that is kept.
pub struct OwnedRecord {
    /// Where it is.
    pub position: Position,
    /// Head and block, the block cut at a bound.
    pub bytes: Vec<u8>,
    /// Bytes of the whole block.
    pub block_length: u64,
    /// Its syntax.
    pub syntax: RecordSyntax,
}

impl OwnedRecord {
    /// Its head.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a record; in records from recovery, they always are.
    pub fn head(&self) -> Result<RecordHead<'_>, HeadError> {
        self.syntax.parse(&self.bytes)
    }

    /// Hands the record to `sink`, if the sink wants it.
    pub fn deliver<S: RecordSink>(&self, sink: &mut S) {
        // It was parsed before it was kept.
        let Ok(head) = self.head() else {
            return;
        };
        if sink.wants(&head) {
            let block = &self.bytes[head.head_length()..];
            sink.record(self.position, &head, block, self.block_length);
        } else {
            sink.pass_over(&head);
        }
    }
}

/// Consecutive records and damage.
#[derive(Default)]
pub struct Batch {
    /// Records, in order.
    pub records: Vec<OwnedRecord>,
    /// Damage, in order.
    pub damage: Vec<Damage>,
    /// Bytes accounted for.
    pub accounting: Accounting,
}

impl Batch {
    /// Hands the wanted records and all damage to `sink`, in the order of the file.
    pub fn deliver<S: RecordSink>(&self, sink: &mut S) {
        let mut damage = self.damage.iter().peekable();
        for record in &self.records {
            let offset = record.position.offset;
            while let Some(before) = damage.next_if(|damage| damage.offset < offset) {
                sink.damage(before);
            }
            record.deliver(sink);
        }
        damage.for_each(|damage| sink.damage(damage));
    }
}
