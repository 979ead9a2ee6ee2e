//! Steps: the rows of a part that are encoded at one time.
//!
//! Where a page, and where a dictionary, of a Parquet file ends depends on how many rows its writer
//! is given at a time. So rows are given in steps whose borders depend on the rows alone: a part
//! has the same bytes whether its rows came in the batches of an ingest's splits or of another
//! part.

use std::collections::VecDeque;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;

/// Rows after which a row group ends. A reader takes one at a time on each of its cores: of larger
/// ones the hosts of a crawl would have too few.
pub(super) const ROW_GROUP_ROWS: usize = 40_960;
/// Rows of a step at most: fewer would not be worth its hand-off.
const STEP_ROWS: usize = 8 * 1024;
/// Bytes of texts with which a step ends too, so that rows of long texts do not fill the memory.
const STEP_BYTES: usize = 1024 * 1024;

/// The rows of a step, as slices of the batches that they came in.
pub(super) struct StepRows {
    slices: Vec<RecordBatch>,
    /// A row group ends with them.
    pub(super) ends_row_group: bool,
}

impl StepRows {
    /// The values of the column at `index` in one array.
    pub(super) fn column(&self, index: usize) -> Result<ArrayRef, ArrowError> {
        let slices = self.slices.iter().map(|slice| slice.column(index).as_ref());
        concat(&slices.collect::<Vec<_>>())
    }
}

/// Cuts rows into steps.
#[derive(Default)]
pub(super) struct Steps {
    slices: Vec<RecordBatch>,
    /// Rows and bytes of the open step.
    rows: usize,
    bytes: usize,
    /// Rows of the open row group in earlier steps.
    group_rows: usize,
}

impl Steps {
    /// Adds the rows of `batch`; steps that are complete go to `complete`.
    pub(super) fn push(&mut self, batch: &RecordBatch, complete: &mut VecDeque<StepRows>) {
        let texts = Texts::of(batch);
        let mut start = 0;
        while start < batch.num_rows() {
            let room = (STEP_ROWS - self.rows).min(ROW_GROUP_ROWS - self.group_rows - self.rows);
            let most = room.min(batch.num_rows() - start);
            // The step ends with the first row that fills it.
            let fill = |rows: usize| self.bytes + texts.bytes(start, start + rows) >= STEP_BYTES;
            let taken = if fill(most) {
                (1..most).find(|rows| fill(*rows)).unwrap_or(most)
            } else {
                most
            };
            self.slices.push(batch.slice(start, taken));
            self.bytes += texts.bytes(start, start + taken);
            self.rows += taken;
            start += taken;
            if taken == room || self.bytes >= STEP_BYTES {
                complete.extend(self.finish());
            }
        }
    }

    /// The rows of the last step, if there are any.
    pub(super) fn finish(&mut self) -> Option<StepRows> {
        if self.slices.is_empty() {
            return None;
        }
        self.group_rows += self.rows;
        let ends_row_group = self.group_rows >= ROW_GROUP_ROWS;
        if ends_row_group {
            self.group_rows = 0;
        }
        (self.rows, self.bytes) = (0, 0);
        Some(StepRows {
            slices: std::mem::take(&mut self.slices),
            ends_row_group,
        })
    }
}

/// The texts of a batch, by where each begins.
struct Texts<'b> {
    /// For each text in the rows: the offsets of the lists around it, the outermost first, and of
    /// the text.
    columns: Vec<Vec<&'b [i32]>>,
}

impl<'b> Texts<'b> {
    fn of(batch: &'b RecordBatch) -> Self {
        let mut texts = Self {
            columns: Vec::new(),
        };
        for column in batch.columns() {
            texts.add(column, &[]);
        }
        texts
    }

    fn add(&mut self, column: &'b ArrayRef, lists: &[&'b [i32]]) {
        let with = |offsets: &'b [i32]| [lists, &[offsets]].concat();
        match column.data_type() {
            DataType::Utf8 => (self.columns).push(with(column.as_string::<i32>().value_offsets())),
            DataType::Binary => {
                (self.columns).push(with(column.as_binary::<i32>().value_offsets()));
            }
            DataType::List(_) => {
                let list = column.as_list::<i32>();
                self.add(list.values(), &with(list.value_offsets()));
            }
            DataType::Struct(_) => {
                let columns = column.as_struct().columns();
                for column in columns {
                    self.add(column, lists);
                }
            }
            _ => {}
        }
    }

    /// Bytes of the texts of the rows from `start` to before `end`.
    fn bytes(&self, start: usize, end: usize) -> usize {
        let begin = |offsets: &[i32], at: usize| usize::try_from(offsets[at]).unwrap_or_default();
        let bytes = self.columns.iter().map(|offsets| {
            let within =
                |(start, end), offsets: &&[i32]| (begin(offsets, start), begin(offsets, end));
            let (start, end) = offsets.iter().fold((start, end), within);
            end - start
        });
        bytes.sum()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::dataset::PartWriter;
    use crate::dataset::tables::groups::{GroupRow, GroupsBuilder};
    use crate::dataset::tables::remarks::{RemarkRow, RemarksBuilder};
    use crate::dataset::tables::{Table, groups, remarks};
    use crate::threads;

    /// The bytes of a part with the rows of `batch`, given `rows` at a time.
    fn part(table: &'static Table, batch: &RecordBatch, rows: usize) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("part");
        let pool = threads::pool(2).expect("threads");
        let mut writer = PartWriter::create(&path, "", table, pool).expect("space");
        let mut start = 0;
        while start < batch.num_rows() {
            let rows = rows.min(batch.num_rows() - start);
            writer.push(batch.slice(start, rows)).expect("space");
            start += rows;
        }
        let written = writer.close().expect("space");
        assert_eq!(written.rows, batch.num_rows() as u64);
        fs::read(path).expect("a part")
    }

    #[test]
    fn a_part_depends_on_its_rows_and_not_on_the_batches() {
        let mut rows = GroupsBuilder::default();
        for number in 0..130_000_i32 {
            let name = format!("crawler-{}", number % 7000);
            let names = [name.as_bytes(), b"*"];
            let names = &names[..usize::try_from(number % 3).expect("small")];
            rows.push(GroupRow {
                policy_id: i64::from(number).pow(3),
                group_index: number % 5,
                user_agents: names,
                product_tokens: names,
                n_allow: number % 11,
                n_disallow: 0,
                crawl_delay: (number % 13 == 0).then(|| f64::from(number) / 8.0),
                line_start: number,
                line_end: number + 3,
            });
        }
        let batch = rows.finish();
        let whole = part(groups::table(), &batch, batch.num_rows());
        for rows in [1000, 8192, 100_001] {
            assert!(whole == part(groups::table(), &batch, rows), "{rows}");
        }
    }

    #[test]
    fn long_texts_end_a_step_at_the_row_that_fills_it() {
        let mut rows = RemarksBuilder::default();
        for number in 0..300_u16 {
            let value =
                vec![b'a' + u8::try_from(number % 26).expect("small"); usize::from(number) * 50];
            rows.push(RemarkRow {
                file_id: i64::from(number),
                line_number: i32::from(number),
                kind: "contact",
                text: &value,
            });
        }
        let batch = rows.finish();
        let mut complete = VecDeque::new();
        Steps::default().push(&batch, &mut complete);
        let ends = complete.iter().map(|step| {
            let rows = step.slices.iter().map(RecordBatch::num_rows);
            rows.sum::<usize>()
        });
        let texts = Texts::of(&batch);
        let mut start = 0;
        for rows in ends {
            assert!(texts.bytes(start, start + rows - 1) < STEP_BYTES);
            assert!(texts.bytes(start, start + rows) >= STEP_BYTES);
            start += rows;
        }
        assert!(start > 200, "{start}");
        let whole = part(remarks::table(), &batch, batch.num_rows());
        for rows in [1, 7, 299] {
            assert!(whole == part(remarks::table(), &batch, rows), "{rows}");
        }
        assert_eq!(
            complete[0].column(0).expect("a column").len(),
            complete[0].slices[0].num_rows()
        );
    }
}
