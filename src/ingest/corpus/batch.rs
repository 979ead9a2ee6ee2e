//! Batches: rows of a corpus as the calling thread reads them, to be parsed by a worker.

use std::io;
use std::ops::AddAssign;
use std::sync::atomic::AtomicBool;

use warc_recovery::accounting::Accounting;
use warc_recovery::damage::Damage;
use warc_recovery::sink::Position;

use super::fetch::{Fetch, Problem};

/// Bytes of rows in a batch, unless one row is longer.
pub(super) const CHUNK_BYTES: usize = 1024 * 1024;
/// The longest row, or line, that is read, in bytes: room for the largest bodies, escaped.
pub(super) const MAX_ROW_BYTES: usize = 32 * 1024 * 1024;

/// Rows of an input, in order.
#[derive(Default)]
pub(crate) struct Batch {
    pub(super) rows: Option<Box<dyn Rows>>,
    /// What the reader could not make rows of.
    pub(crate) lost: Vec<Damage>,
    /// What became of bytes that belong to no row.
    pub(crate) accounting: Accounting,
    pub(crate) passed_over: UnreadFiles,
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

/// Reads a corpus, batch after batch. Where these begin and end depends on the file alone.
pub(crate) trait BatchReader {
    /// The next batch; none at the end. Fails if `stop` is set while it looks through the file.
    fn next_batch(&mut self, stop: &AtomicBool) -> io::Result<Option<Batch>>;
}

/// Rows of one format, which a worker parses.
pub(super) trait Rows: Send {
    /// Bytes in memory.
    fn bytes(&self) -> u64;

    /// Hands every row to `take`, in order.
    fn deliver(&self, take: &mut dyn FnMut(Row<'_>));
}

/// Where a row stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowLocation {
    pub(crate) position: Position,
    /// Bytes of the file that are the row's own: none in a packed file.
    pub(crate) stored: u64,
    name: Name,
}

#[derive(Debug, Clone, Copy)]
enum Name {
    Line(u64),
    Lines(u64, u64),
    Row(u64),
    CorpusFile,
}

impl RowLocation {
    /// The place of `length` bytes from `offset` on, in what the file unpacks to: a line, or a row
    /// that begins in it.
    pub(super) fn of_line(offset: u64, length: u64, line: u64, is_plain: bool) -> Self {
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
            name: Name::Line(line),
        }
    }

    /// The place of a row in a row group that begins at `offset`; `number` is its number in the
    /// file.
    pub(super) fn of_row(offset: u64, row: u64, number: u64) -> Self {
        Self {
            position: Position {
                offset,
                inner_offset: row,
                length: None,
            },
            stored: 0,
            name: Name::Row(number),
        }
    }

    /// The place of a file and its head, `length` bytes from `offset` on in what the file unpacks
    /// to.
    pub(super) fn of_entry(offset: u64, length: u64, is_plain: bool) -> Self {
        Self {
            name: Name::CorpusFile,
            ..Self::of_line(offset, length, 0, is_plain)
        }
    }

    pub(crate) fn name(&self) -> String {
        match self.name {
            Name::Line(line) => format!("line {line}"),
            Name::Lines(first, last) => format!("lines {first} to {last}"),
            Name::Row(row) => format!("row {row}"),
            Name::CorpusFile => format!(
                "offset {}",
                self.position.offset + self.position.inner_offset
            ),
        }
    }

    /// The same for several lines.
    pub(super) fn up_to_line(self, last: u64) -> Self {
        let name = match self.name {
            Name::Line(first) if first < last => Name::Lines(first, last),
            name => name,
        };
        Self { name, ..self }
    }

    pub(crate) fn damage(&self, problem: &Problem) -> Damage {
        Damage {
            offset: self.position.offset,
            length: self.stored,
            kind: problem.kind,
            message: format!("{}: {}", self.name(), problem.message),
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
    pub(super) fn lose(&mut self, place: &RowLocation, problem: &Problem) {
        self.accounting.damaged_records += 1;
        self.accounting.damaged_bytes += place.stored;
        self.lost.push(place.damage(problem));
    }

    /// Notes that the rest of the file is lost, from `what` on.
    pub(super) fn lose_rest(&mut self, damage: &Damage, what: &str) {
        let message = &damage.message;
        self.accounting.damaged_records += 1;
        self.accounting.damaged_bytes += damage.length;
        self.lost.push(Damage {
            message: format!("{message}; lost: {what}"),
            ..*damage
        });
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.rows.as_ref().map_or(0, |rows| rows.bytes())
    }

    /// Hands every row to `take`, in order.
    pub(crate) fn deliver(&self, mut take: impl FnMut(Row<'_>)) {
        if let Some(rows) = &self.rows {
            rows.deliver(&mut take);
        }
    }
}

pub(crate) enum Row<'b> {
    Fetch(RowLocation, Fetch<'b>),
    /// A row that is not a fetch, and why.
    Bad(RowLocation, Problem),
    /// Nothing, in this many bytes of the file.
    Skipped(u64),
}

impl<'b> Row<'b> {
    pub(super) fn of(place: RowLocation, fetch: Result<Fetch<'b>, Problem>) -> Self {
        match fetch {
            Ok(fetch) => Self::Fetch(place, fetch),
            Err(problem) => Self::Bad(place, problem),
        }
    }
}
