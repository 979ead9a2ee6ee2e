//! Rows of a stored table, one after the other.

use std::collections::{HashMap, HashSet, VecDeque};
use std::iter;
use std::ops::Range;
use std::path::PathBuf;

use arrow_array::RecordBatch;

use super::Snapshot;
use super::stored::{self, PartBatches};
use super::tables::Table;
use crate::error::Error;

pub(super) struct Cursor {
    pub(super) table: &'static Table,
    batches: PartBatches,
    /// The remaining rows of a batch that was taken in part.
    rest: Option<RecordBatch>,
}

impl Cursor {
    pub(super) fn new(snapshot: &Snapshot, table: &'static Table) -> Self {
        let parts = snapshot.manifest.parts_of(table.name);
        let paths = parts.map(|part| snapshot.directory.join(&part.path));
        Self::over(table, paths.collect())
    }

    pub(super) fn over(table: &'static Table, parts: Vec<PathBuf>) -> Self {
        let batches = parts.into_iter().flat_map(|path| {
            stored::open(&path, None).unwrap_or_else(|error| Box::new(iter::once(Err(error))))
        });
        Self::of(table, Box::new(batches))
    }

    fn of(table: &'static Table, batches: PartBatches) -> Self {
        Self {
            table,
            batches,
            rest: None,
        }
    }

    /// The next rows, as many as `count` returns for the batch that begins with them.
    pub(super) fn take(
        &mut self,
        count: impl FnOnce(&RecordBatch) -> usize,
    ) -> Result<Option<RecordBatch>, Error> {
        let batch = loop {
            match self.rest.take() {
                Some(rest) if rest.num_rows() > 0 => break rest,
                _ => self.rest = self.batches.next().transpose()?,
            }
            if self.rest.is_none() {
                return Ok(None);
            }
        };
        let rows = count(&batch);
        self.rest = Some(batch.slice(rows, batch.num_rows() - rows));
        Ok(Some(batch.slice(0, rows)))
    }

    /// The next rows whose keys are in `keys`; `None` if the key of the next row is not.
    pub(super) fn rows_of(
        &mut self,
        column: &str,
        keys: &HashMap<i64, bool>,
    ) -> Result<Option<RecordBatch>, Error> {
        let rows = self.take(|batch| {
            let ids = stored::bigint(batch, column).values().iter();
            ids.take_while(|id| keys.contains_key(id)).count()
        })?;
        Ok(rows.filter(|rows| rows.num_rows() > 0))
    }
}

pub(super) struct RowsByInput {
    table: &'static Table,
    /// The path of each part, and its crawl (empty if the table has no partitions).
    parts: Vec<(PathBuf, String)>,
    /// The remaining rows of every input, in order: the part, and the range of row numbers.
    ranges: HashMap<i64, VecDeque<(usize, Range<u64>)>>,
    /// The open part, the number of its next row, and a cursor at that row.
    open: Option<(usize, u64, Cursor)>,
}

impl RowsByInput {
    pub(super) fn new(snapshot: &Snapshot, table: &'static Table) -> Result<Self, Error> {
        let mut parts = Vec::new();
        let mut ranges: HashMap<i64, VecDeque<(usize, Range<u64>)>> = HashMap::new();
        for part in snapshot.manifest.parts_of(table.name) {
            let path = snapshot.directory.join(&part.path);
            let mut row = 0;
            for batch in stored::open(&path, Some(&["input_id"]))? {
                let batch = batch?;
                let ids = stored::bigint(&batch, "input_id").values();
                for run in ids.chunk_by(i64::eq) {
                    let end = row + run.len() as u64;
                    let of_input = ranges.entry(run[0]).or_default();
                    match of_input.back_mut() {
                        Some((part, rows)) if *part == parts.len() && rows.end == row => {
                            rows.end = end;
                        }
                        _ => of_input.push_back((parts.len(), row..end)),
                    }
                    row = end;
                }
            }
            parts.push((path, part.partition().unwrap_or_default()));
        }
        Ok(Self {
            table,
            parts,
            ranges,
            open: None,
        })
    }

    pub(super) fn other_than(&self, known: &HashSet<i64>) -> Option<i64> {
        let mut inputs = self.ranges.keys().copied();
        inputs.find(|input| !known.contains(input))
    }

    /// The next rows of an input, and the crawl in whose directory they are.
    pub(super) fn next_batch(
        &mut self,
        input: i64,
    ) -> Result<Option<(String, RecordBatch)>, Error> {
        let Some(ranges) = self.ranges.get_mut(&input) else {
            return Ok(None);
        };
        if ranges.front().is_some_and(|(_, rows)| rows.is_empty()) {
            ranges.pop_front();
        }
        let Some((part, rows)) = ranges.front_mut() else {
            return Ok(None);
        };
        let (path, crawl) = &self.parts[*part];
        // Nearly always the range follows the last row that was read.
        let open = self.open.take();
        let mut cursor = match open.filter(|(of, row, _)| of == part && *row == rows.start) {
            Some((_, _, cursor)) => cursor,
            None => Cursor::of(self.table, stored::open_from(path, rows.start)?),
        };
        let left = usize::try_from(rows.end - rows.start).unwrap_or(usize::MAX);
        let Some(batch) = cursor.take(|batch| batch.num_rows().min(left))? else {
            return Ok(None);
        };
        rows.start += batch.num_rows() as u64;
        self.open = Some((*part, rows.start, cursor));
        Ok(Some((crawl.clone(), batch)))
    }
}
