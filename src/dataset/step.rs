//! Steps: the rows of a part that are encoded at one time.
//!
//! The ends of pages and dictionaries in a Parquet file depend on how many rows its writer gets at
//! a time. So rows are written in steps whose borders depend on the rows alone: a part has the same
//! bytes whether its rows came in the batches of an ingest's splits or of another part.

use std::collections::VecDeque;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;

/// Rows after which a row group ends. A reader reads one row group at a time on each of its cores:
/// with larger row groups, the hosts of a crawl would have too few for all cores.
pub(super) const ROW_GROUP_ROWS: usize = 40_960;
/// Most rows of a step: fewer would not be worth the hand-off.
const STEP_ROWS: usize = 8 * 1024;
/// Bytes of texts after which a step also ends, so that rows of long texts do not fill the memory.
const STEP_BYTES: usize = 1024 * 1024;

pub(super) struct StepRows {
    slices: Vec<RecordBatch>,
    pub(super) ends_row_group: bool,
}

impl StepRows {
    pub(super) fn column(&self, index: usize) -> Result<ArrayRef, ArrowError> {
        let slices = self.slices.iter().map(|slice| slice.column(index).as_ref());
        concat(&slices.collect::<Vec<_>>())
    }
}

#[derive(Default)]
pub(super) struct Steps {
    slices: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    /// Rows of the open row group in earlier steps.
    group_rows: usize,
}

impl Steps {
    pub(super) fn push(&mut self, batch: &RecordBatch, complete: &mut VecDeque<StepRows>) {
        let mut start = 0;
        while start < batch.num_rows() {
            let room = (STEP_ROWS - self.rows).min(ROW_GROUP_ROWS - self.group_rows - self.rows);
            let most = room.min(batch.num_rows() - start);
            let bytes = |rows: usize| text_bytes(batch.columns(), start, start + rows);
            // The step ends with the first row that fills it.
            let counts: Vec<usize> = (1..most).collect();
            let before = counts.partition_point(|rows| self.bytes + bytes(*rows) < STEP_BYTES);
            let taken = before + 1;
            self.slices.push(batch.slice(start, taken));
            self.bytes += bytes(taken);
            self.rows += taken;
            start += taken;
            if taken == room || self.bytes >= STEP_BYTES {
                complete.extend(self.finish());
            }
        }
    }

    pub(super) fn finish(&mut self) -> Option<StepRows> {
        if self.slices.is_empty() {
            return None;
        }
        let group_rows = self.group_rows + self.rows;
        let ends_row_group = group_rows >= ROW_GROUP_ROWS;
        let ended = std::mem::take(self);
        self.group_rows = if ends_row_group { 0 } else { group_rows };
        Some(StepRows {
            slices: ended.slices,
            ends_row_group,
        })
    }
}

fn text_bytes(columns: &[ArrayRef], start: usize, end: usize) -> usize {
    let within =
        |offsets: &[i32]| [start, end].map(|row| usize::try_from(offsets[row]).unwrap_or_default());
    let bytes = columns.iter().map(|column| match column.data_type() {
        DataType::Utf8 => {
            let [start, end] = within(column.as_string::<i32>().value_offsets());
            end - start
        }
        DataType::Binary => {
            let [start, end] = within(column.as_binary::<i32>().value_offsets());
            end - start
        }
        DataType::List(_) => {
            let list = column.as_list::<i32>();
            let [start, end] = within(list.value_offsets());
            text_bytes(std::slice::from_ref(list.values()), start, end)
        }
        DataType::Struct(_) => text_bytes(column.as_struct().columns(), start, end),
        _ => 0,
    });
    bytes.sum()
}

#[cfg(test)]
mod tests;
