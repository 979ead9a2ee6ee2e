//! Batches: rows of a corpus as the calling thread reads them, to be collected by a worker.

use std::io;
use std::ops::AddAssign;
use std::sync::atomic::AtomicBool;

use warc_recovery::accounting::Accounting;
use warc_recovery::damage::Damage;
use warc_recovery::sink::Position;

use super::fetch::{Fetch, Problem};
use crate::error::check_stop;

/// Bytes of rows in a batch, unless one row is longer.
const BATCH_BYTES: usize = 1024 * 1024;
/// Rows and files looked at for one batch, so that a run that reads none of them shows how it goes.
const MAX_STEPS: usize = 10_000;
/// The longest row, or line, that is read, in bytes: room for the largest bodies, escaped.
pub(super) const MAX_ROW_BYTES: usize = 32 * 1024 * 1024;

/// Rows of an input, in order.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) rows: Vec<Row>,
    /// Bytes of the rows in memory.
    pub(crate) bytes: usize,
    /// What became of the bytes that were read.
    pub(crate) accounting: Accounting,
    pub(crate) passed_over: UnreadFiles,
}

pub(crate) enum Row {
    Fetch(RowLocation, Fetch),
    /// A row that is not a fetch, or what is not a row.
    Lost(Damage),
}

/// Files of a folder, tar file or zip file that are not read, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnreadFiles {
    /// Their names are not hosts, or not as `--name-pattern` says.
    pub other_name: u64,
    /// Their names are hosts, but their content is not a robots.txt.
    pub other_content: u64,
    /// Links, which are named after hosts but have no content of their own.
    pub links: u64,
}

impl AddAssign for UnreadFiles {
    fn add_assign(&mut self, other: Self) {
        self.other_name += other.other_name;
        self.other_content += other.other_content;
        self.links += other.links;
    }
}

/// Reads a corpus.
pub(crate) trait RowReader {
    /// Reads on, and adds what it finds to `batch`: a row, or what is skipped or lost. Whether
    /// there may be more. Fails if `stop` is set while it looks through the file.
    fn read_on(&mut self, batch: &mut Batch, stop: &AtomicBool) -> io::Result<bool>;

    /// The next batch; none at the end. Where these begin and end depends on the file alone. Fails
    /// if `stop` is set.
    fn next_batch(&mut self, stop: &AtomicBool) -> io::Result<Option<Batch>> {
        let mut batch = Batch::default();
        for step in 0..MAX_STEPS {
            check_stop(stop).map_err(io::Error::other)?;
            if !self.read_on(&mut batch, stop)? {
                let has_rest = !batch.rows.is_empty() || batch.accounting.bytes() > 0;
                return Ok((step > 0 || has_rest).then_some(batch));
            }
            if batch.bytes >= BATCH_BYTES {
                break;
            }
        }
        Ok(Some(batch))
    }
}

/// Where a row stands.
#[derive(Debug)]
pub(crate) struct RowLocation {
    pub(crate) position: Position,
    /// Bytes of the file that are the row's own: none in a packed file.
    pub(super) stored: u64,
    pub(crate) name: String,
}

impl RowLocation {
    /// The place of `length` bytes from `offset` on, in what the file unpacks to: a line, a row
    /// that begins in it, or a file and its head.
    pub(super) fn new(offset: u64, length: u64, is_plain: bool, name: String) -> Self {
        let (position, stored) = if is_plain {
            let position = Position {
                offset,
                inner_offset: 0,
                length: Some(length),
            };
            (position, length)
        } else {
            let position = Position {
                offset: 0,
                inner_offset: offset,
                length: None,
            };
            (position, 0)
        };
        Self {
            position,
            stored,
            name,
        }
    }

    fn damage(&self, problem: &Problem) -> Damage {
        Damage {
            offset: self.position.offset,
            length: self.stored,
            kind: problem.kind,
            message: format!("{}: {}", self.name, problem.message),
        }
    }
}

pub(super) fn too_long() -> Problem {
    Problem::unreadable(format!(
        "longer than {} MiB, the longest that is read",
        MAX_ROW_BYTES >> 20
    ))
}

impl Batch {
    /// Adds a row, or why it is not a fetch.
    pub(super) fn push(&mut self, place: RowLocation, fetch: Result<Fetch, Problem>) {
        match fetch {
            Ok(fetch) => {
                self.accounting.records += 1;
                self.accounting.record_bytes += place.stored;
                self.bytes += fetch.bytes();
                self.rows.push(Row::Fetch(place, fetch));
            }
            Err(problem) => self.lose(&place, &problem),
        }
    }

    /// Notes that nothing is in a row.
    pub(super) fn skip(&mut self, place: &RowLocation) {
        self.accounting.skipped_bytes += place.stored;
    }

    pub(super) fn lose(&mut self, place: &RowLocation, problem: &Problem) {
        self.push_damage(place.damage(problem));
    }

    /// Notes that the rest of the file is lost, from `what` on.
    pub(super) fn lose_rest(&mut self, damage: &Damage, what: &str) {
        let message = &damage.message;
        self.push_damage(Damage {
            message: format!("{message}; lost: {what}"),
            ..*damage
        });
    }

    fn push_damage(&mut self, damage: Damage) {
        self.accounting.damaged_records += 1;
        self.accounting.damaged_bytes += damage.length;
        self.bytes += damage.message.len();
        self.rows.push(Row::Lost(damage));
    }
}
