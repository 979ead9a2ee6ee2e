//! Tables that are written as a whole, each into one file.

use std::path::Path;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::parts::{difference, open_file, unreadable};
use super::report::{Check, Offenders, Problem};
use crate::dataset::tables::Table;

/// What is checked of a table that is one file.
pub(super) struct WholeTable {
    pub(super) table: &'static Table,
    /// The file, within the dataset.
    pub(super) file: &'static str,
    /// Finds the rows that are wrong.
    pub(super) offenders: fn(&[RecordBatch]) -> Offenders,
    /// What is wrong with these rows.
    pub(super) message: &'static str,
    /// How a file that cannot be read is written again.
    pub(super) remedy: &'static str,
}

impl WholeTable {
    /// Checks the file, which is at `path`. `is_as_written`: its bytes are; others are not decoded.
    pub(super) fn check(&self, path: &Path, is_as_written: bool) -> Check {
        let name = self.table.name;
        let mut check = Check::new(format!("{name} is sound"), "rows");
        if !is_as_written {
            check.not_checked = Some(format!("{} is not as written", self.file));
            return check;
        }
        match read(path, self.table) {
            Ok(batches) => {
                check.checked = batches.iter().map(|batch| batch.num_rows() as u64).sum();
                let offenders = (self.offenders)(&batches);
                let problem = offenders.into_problem(name, Some(self.file), self.message);
                check.problems.extend(problem);
            }
            Err(message) => {
                let message = format!("{message}; {}", self.remedy);
                let problem = Problem::in_file(Some(name), self.file, message);
                check.problems.push(problem);
            }
        }
        check
    }
}

/// The rows of a table that is one file, or why they cannot be read.
fn read(path: &Path, table: &Table) -> Result<Vec<RecordBatch>, String> {
    let file = open_file(path)?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(unreadable)?;
    if let Some(difference) = difference(builder.schema(), &table.schema) {
        return Err(difference);
    }
    let reader = builder.build().map_err(unreadable)?;
    let batches: Result<Vec<RecordBatch>, _> = reader.collect();
    batches.map_err(unreadable)
}
