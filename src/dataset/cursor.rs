//! Rows of a stored table, one after the other.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;

use super::Snapshot;
use super::stored::{self, PartBatches};
use super::tables::Table;
use crate::error::Error;

/// The batches of one part, of which the first may have been read in part.
struct PartReader {
    batches: PartBatches,
    rest: Option<RecordBatch>,
}

impl PartReader {
    fn open(path: &Path, first_row: u64) -> Result<Self, Error> {
        Ok(Self {
            batches: stored::open_from(path, first_row)?,
            rest: None,
        })
    }

    /// What is left of the batch under way, or the next one; none at the end.
    fn peek(&mut self) -> Result<Option<&RecordBatch>, Error> {
        while self.rest.as_ref().is_none_or(|rest| rest.num_rows() == 0) {
            let Some(batch) = self.batches.next() else {
                return Ok(None);
            };
            self.rest = Some(batch?);
        }
        Ok(self.rest.as_ref())
    }

    /// Takes this many rows of what [`peek`](Self::peek) shows.
    fn take(&mut self, rows: usize) -> RecordBatch {
        let rest = self.rest.take().expect("rows that were looked at");
        self.rest = Some(rest.slice(rows, rest.num_rows() - rows));
        rest.slice(0, rows)
    }
}

/// Goes once through a table, in the order of its rows.
pub(super) struct Cursor {
    table: &'static Table,
    parts: VecDeque<PathBuf>,
    reader: Option<PartReader>,
}

impl Cursor {
    /// A cursor before the first row of `table`.
    pub(super) fn new(snapshot: &Snapshot, table: &'static Table) -> Self {
        let parts = snapshot.manifest().parts_of(table.name);
        Self::over(
            table,
            parts.map(|part| snapshot.directory().join(&part.path)),
        )
    }

    /// A cursor before the first row of these parts of `table`.
    pub(super) fn over(table: &'static Table, parts: impl Iterator<Item = PathBuf>) -> Self {
        Self {
            table,
            parts: parts.collect(),
            reader: None,
        }
    }

    /// The table.
    pub(super) fn table(&self) -> &'static Table {
        self.table
    }

    /// The next rows, as many as one batch has.
    pub(super) fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        self.rows(RecordBatch::num_rows)
    }

    /// The next rows, at most this many.
    pub(super) fn at_most(&mut self, rows: usize) -> Result<Option<RecordBatch>, Error> {
        self.rows(|batch| batch.num_rows().min(rows))
    }

    /// The next rows, up to the one with which no id in `column` is `wanted` any more; these are
    /// taken out of `wanted`. None at the end of the table.
    pub(super) fn rows_with(
        &mut self,
        column: &str,
        wanted: &mut HashSet<i64>,
    ) -> Result<Option<RecordBatch>, Error> {
        self.rows(|batch| {
            let ids = stored::bigint(batch, column).values().iter();
            let is_before_last = |id: &&i64| {
                wanted.remove(id);
                !wanted.is_empty()
            };
            let before = ids.take_while(is_before_last).count();
            (before + 1).min(batch.num_rows())
        })
    }

    /// The next rows with a key in `column` that is among `keys`; `None` at the end, and if the
    /// next row has another key.
    pub(super) fn rows_of(
        &mut self,
        column: &str,
        keys: &HashMap<i64, bool>,
    ) -> Result<Option<RecordBatch>, Error> {
        let rows = self.rows(|batch| {
            let ids = stored::bigint(batch, column).values().iter();
            ids.take_while(|id| keys.contains_key(id)).count()
        })?;
        Ok(rows.filter(|rows| rows.num_rows() > 0))
    }

    /// Whether every row has been taken.
    pub(super) fn is_at_end(&mut self) -> Result<bool, Error> {
        Ok(self.rows(|_| 0)?.is_none())
    }

    /// As many of the next rows as `count` says of the batch that begins with them; none at the
    /// end of the table.
    fn rows(
        &mut self,
        count: impl FnOnce(&RecordBatch) -> usize,
    ) -> Result<Option<RecordBatch>, Error> {
        loop {
            if let Some(reader) = &mut self.reader
                && let Some(batch) = reader.peek()?
            {
                let rows = count(batch);
                return Ok(Some(reader.take(rows)));
            }
            let Some(part) = self.parts.pop_front() else {
                self.reader = None;
                return Ok(None);
            };
            self.reader = Some(PartReader::open(&part, 0)?);
        }
    }
}

/// Rows of one input that follow each other in a part, and are still to come.
#[derive(Debug)]
struct Range {
    part: PathBuf,
    /// The crawl in whose directory the part lies; empty where the table has no partitions.
    crawl: String,
    start: u64,
    rows: u64,
}

/// The rows of a table by the input that they belong to.
pub(super) struct RowsByInput {
    /// The ranges of every input that was not read yet, in the order of the rows.
    ranges: HashMap<i64, VecDeque<Range>>,
    /// The ranges of the input under way.
    next: VecDeque<Range>,
    /// The part that is open, its path, and the number of its next row.
    open: Option<(PartReader, PathBuf, u64)>,
}

impl RowsByInput {
    /// Finds the rows of each input of `table`; reads one column.
    pub(super) fn new(snapshot: &Snapshot, table: &'static Table) -> Result<Self, Error> {
        let mut ranges: HashMap<i64, VecDeque<Range>> = HashMap::new();
        for part in snapshot.manifest().parts_of(table.name) {
            let path = snapshot.directory().join(&part.path);
            let crawl = part.partition().unwrap_or_default();
            let mut row = 0;
            for batch in stored::open(&path, Some(&["input_id"]))? {
                let batch = batch?;
                for run in stored::bigint(&batch, "input_id")
                    .values()
                    .chunk_by(i64::eq)
                {
                    let of_input = ranges.entry(run[0]).or_default();
                    let rows = run.len() as u64;
                    match of_input.back_mut() {
                        Some(last) if last.part == path && last.start + last.rows == row => {
                            last.rows += rows;
                        }
                        _ => of_input.push_back(Range {
                            part: path.clone(),
                            crawl: crawl.clone(),
                            start: row,
                            rows,
                        }),
                    }
                    row += rows;
                }
            }
        }
        Ok(Self {
            ranges,
            next: VecDeque::new(),
            open: None,
        })
    }

    /// An input that has rows and is not among `known`.
    pub(super) fn other_than(&self, known: &HashSet<i64>) -> Option<i64> {
        let mut inputs = self.ranges.keys().copied();
        inputs.find(|input| !known.contains(input))
    }

    /// Goes to the first row of an input, whose rows are taken once.
    pub(super) fn begin(&mut self, input: i64) {
        self.next = self.ranges.remove(&input).unwrap_or_default();
    }

    /// The next rows of the input, and the crawl in whose directory they lie; empty where the table
    /// has no partitions.
    pub(super) fn next_batch(&mut self) -> Result<Option<(String, RecordBatch)>, Error> {
        if self.next.front().is_some_and(|range| range.rows == 0) {
            self.next.pop_front();
        }
        let Some(range) = self.next.front_mut() else {
            return Ok(None);
        };
        // Nearly always the range follows the last row that was read.
        let is_there =
            |(_, part, row): &(_, PathBuf, u64)| *part == range.part && *row == range.start;
        if !self.open.as_ref().is_some_and(is_there) {
            let reader = PartReader::open(&range.part, range.start)?;
            self.open = Some((reader, range.part.clone(), range.start));
        }
        let Some((reader, _, row)) = &mut self.open else {
            return Ok(None);
        };
        let Some(rows) = reader.peek()?.map(RecordBatch::num_rows) else {
            return Ok(None);
        };
        let left = usize::try_from(range.rows).unwrap_or(usize::MAX);
        let batch = reader.take(rows.min(left));
        let rows = batch.num_rows() as u64;
        *row += rows;
        range.start += rows;
        range.rows -= rows;
        Ok(Some((range.crawl.clone(), batch)))
    }
}
