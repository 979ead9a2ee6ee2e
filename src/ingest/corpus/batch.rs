//! Batches: rows of a corpus as the calling thread reads them, to be collected by a worker.

use std::io;
use std::ops::AddAssign;
use std::sync::atomic::AtomicBool;

use warc_recovery::accounting::Accounting;
use warc_recovery::damage::Damage;
use warc_recovery::sink::Position;

use super::fetch::Fetch;
use super::problem::Problem;
use crate::error::check_stop;

/// Bytes of rows in a batch, unless one row is longer.
const BATCH_BYTES: usize = 1024 * 1024;
/// Rows and files examined for one batch: a run that reads none of them still shows progress.
const MAX_STEPS: usize = 10_000;

#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) rows: Vec<Row>,
    pub(crate) bytes: usize,
    pub(crate) accounting: Accounting,
    pub(crate) passed_over: UnreadFiles,
}

pub(crate) enum Row {
    Fetch(RowLocation, Fetch),
    /// A row that is not a fetch, or bytes that are not a row.
    Lost(Damage),
}

/// Files of a folder, tar file or zip file that are not read, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnreadFiles {
    /// Their names are not hosts, or do not match `--name-pattern`; or they are next to an archive
    /// in a zip file.
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

pub(crate) trait RowReader {
    /// Adds the next row, or skipped or lost bytes, to `batch`. Returns whether there may be more.
    /// Fails if `stop` is set while it searches the file.
    fn read_on(&mut self, batch: &mut Batch, stop: &AtomicBool) -> io::Result<bool>;

    /// The next batch; `None` at the end. The borders of batches depend on the file alone.
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

#[derive(Debug)]
pub(crate) struct RowLocation {
    /// The length is in bytes of the file; `None` in a packed file.
    pub(crate) position: Position,
    pub(crate) name: String,
}

impl RowLocation {
    /// The location of `length` bytes from `offset` on, in the unpacked file.
    pub(super) fn new(offset: u64, length: u64, is_plain: bool, name: String) -> Self {
        let (offset, inner_offset) = if is_plain { (offset, 0) } else { (0, offset) };
        let position = Position {
            offset,
            inner_offset,
            length: is_plain.then_some(length),
        };
        Self { position, name }
    }
}

impl Batch {
    pub(super) fn push(&mut self, location: RowLocation, found: Result<Option<Fetch>, Problem>) {
        let RowLocation { position, name } = &location;
        let bytes = position.length.unwrap_or_default();
        match found {
            Ok(Some(fetch)) => {
                self.accounting.records += 1;
                self.accounting.record_bytes += bytes;
                self.bytes += fetch.bytes();
                self.rows.push(Row::Fetch(location, fetch));
            }
            Ok(None) => self.accounting.skipped_bytes += bytes,
            Err(Problem { kind, message }) => {
                // In a plain tar or zip file, the name is the offset that the damage has anyway.
                let is_offset = position.length.is_some() && name.starts_with("offset ");
                let message = if is_offset {
                    message
                } else {
                    format!("{name}: {message}")
                };
                self.lose(Damage {
                    offset: position.offset,
                    length: bytes,
                    kind,
                    message,
                });
            }
        }
    }

    /// Adds that the rest of the file, which is `what`, is lost.
    pub(super) fn lose_rest(&mut self, mut damage: Damage, what: &str) {
        damage.message = format!("{}; lost: {what}", damage.message);
        self.lose(damage);
    }

    fn lose(&mut self, damage: Damage) {
        self.accounting.damaged_records += 1;
        self.accounting.damaged_bytes += damage.length;
        self.bytes += damage.message.len();
        self.rows.push(Row::Lost(damage));
    }
}
