//! The work of a run, in pieces, and what comes next of it.

use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;

use warc_recovery::container::Boundary;
use warc_recovery::recovery::MAX_BLOCK_BYTES;
use warc_recovery::split::{Split, SplitProgress};

use super::workers::Pending;
use crate::ingest::collector::SplitRows;
use crate::ingest::corpus::RowReader;
use crate::ingest::input::archive::ArchivePart;
use crate::ingest::input::content::Content;
use crate::ingest::input::open::OpenInput;
use crate::ingest::input::{MAX_BYTES_AT_ONCE, PlannedInput};
use crate::remote::Fetched;

/// Work in the order of its input: begun, or done where it stands.
pub(super) enum Item {
    Begin(Arc<OpenInput>),
    /// A split of the archive of this number.
    Split(
        Arc<OpenInput>,
        usize,
        Split,
        Pending<(SplitRows, SplitProgress)>,
    ),
    /// Rows of this many bytes.
    Rows(Arc<OpenInput>, u64, Pending<SplitRows>),
    End(Arc<OpenInput>),
}

pub(super) struct Feeder<'p> {
    pub(super) inputs: Peekable<std::vec::IntoIter<&'p PlannedInput>>,
    /// The input under way, and what comes next of it.
    pub(super) open: Option<(Arc<OpenInput>, NextWork)>,
    /// What became of the next input, where it is on the network.
    pub(super) arrival: Option<Result<Fetched, String>>,
}

pub(super) enum NextWork {
    /// The split that begins here in the archive of this number.
    Split(usize, Boundary),
    Rows(Box<dyn RowReader>),
}

impl NextWork {
    /// The records that an index names and that come next, as many as make a piece of work, and how
    /// many bytes these bring at most. None of other archives.
    pub(super) fn indexed(&mut self, open: &OpenInput) -> Option<(Range<usize>, u64)> {
        let (Content::Archive(archive), Self::Split(number, at)) = (&open.content, self) else {
            return None;
        };
        let (first, mut bytes) = (*number, 0);
        let is_whole = archive
            .parts
            .get(first)
            .is_some_and(|part| *at == part.start());
        while let Some(part) = archive.parts.get(*number)
            && is_whole
            && part.given.is_some()
            && (bytes == 0 || bytes + part.bytes() <= MAX_BYTES_AT_ONCE)
        {
            // However long its range is, it is one record.
            bytes += part.bytes().min(MAX_BLOCK_BYTES as u64);
            *number += 1;
        }
        if *number == first {
            return None;
        }
        *at = archive.parts.get(*number).map_or(*at, ArchivePart::start);
        Some((first..*number, bytes))
    }
}
