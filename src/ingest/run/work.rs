//! The work of a run, in pieces, and what comes next of it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use warc_recovery::container::Boundary;
use warc_recovery::recovery::MAX_BLOCK_BYTES;
use warc_recovery::split::{self, Split, SplitProgress};

use super::workers::{Pending, Workers};
use crate::ingest::collector::SplitRows;
use crate::ingest::corpus::RowReader;
use crate::ingest::input::MAX_BYTES_AT_ONCE;
use crate::ingest::input::content::Content;
use crate::ingest::input::open::OpenInput;

/// Work in the order of its input: begun, or done where it stands.
pub(super) enum Item {
    Begin(Arc<OpenInput>),
    /// A split of the archive of this number.
    Split(usize, Split, Pending<(SplitRows, SplitProgress)>),
    /// Rows of this many bytes.
    Rows(u64, Pending<SplitRows>),
    End(Arc<OpenInput>),
}

/// What comes next of an input.
pub(super) enum NextWork {
    /// The split that begins here in the archive of this number, or with it.
    Split(usize, Option<Boundary>),
    Rows(Box<dyn RowReader>),
}

impl NextWork {
    /// The first work of an input.
    pub(super) fn first(open: &OpenInput) -> Self {
        match &open.content {
            Content::Corpus(corpus) => Self::Rows(corpus.reader(&open.input)),
            _ => Self::Split(0, None),
        }
    }

    /// Hands the next piece to the pool; none at the end of the input.
    pub(super) fn begin(
        &mut self,
        open: &Arc<OpenInput>,
        workers: &Arc<Workers>,
        stop: &AtomicBool,
    ) -> io::Result<Option<Item>> {
        let (number, at) = match self {
            Self::Split(number, at) => (number, at),
            Self::Rows(reader) => {
                let batch = reader.next_batch(stop)?;
                return Ok(batch.map(|batch| {
                    let bytes = batch.bytes as u64;
                    let pending = workers.spawn(open, |workers, open| workers.rows(open, batch));
                    Item::Rows(bytes, pending)
                }));
            }
        };
        let first = *number;
        let Some(part) = open.part(first) else {
            return Ok(None);
        };
        if part.given.is_none() {
            let split = split::plan(&part.input, &part.container, at.unwrap_or(part.start()))?;
            *at = Some(split.end).filter(|end| end.offset < part.input.len());
            *number += usize::from(at.is_none());
            let pending =
                workers.spawn(open, move |workers, open| workers.split(open, first, split));
            return Ok(Some(Item::Split(first, split, pending)));
        }
        // Records that an index names, as many as make a piece of work.
        let mut bytes = 0;
        while let Some(part) = open.part(*number)
            && (bytes == 0 || bytes + part.bytes() <= MAX_BYTES_AT_ONCE)
        {
            // However long its range is, it is one record.
            bytes += part.bytes().min(MAX_BLOCK_BYTES as u64);
            *number += 1;
        }
        let parts = first..*number;
        let pending = workers.spawn(open, move |workers, open| workers.indexed(open, parts));
        Ok(Some(Item::Rows(bytes, pending)))
    }
}
