//! What a check finds in the rows of a part.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;

use super::super::super::stored::{self, bigint};
use super::super::parts::ReadablePart;
use super::super::report::{Offenders, Problem};
use super::checks::{DECODED, reference};

/// What one check found in one part, or over all.
pub(super) struct CheckFinding {
    /// Name of the check.
    pub(super) check: String,
    pub(super) table: &'static str,
    pub(super) file: Option<String>,
    pub(super) message: &'static str,
    /// What was looked at: rows, ids or inputs.
    pub(super) checked: u64,
    pub(super) offenders: Offenders,
}

impl CheckFinding {
    pub(super) fn new(
        check: impl Into<String>,
        table: &'static str,
        part: Option<&ReadablePart<'_>>,
        message: &'static str,
    ) -> Self {
        Self {
            check: check.into(),
            table,
            file: part.map(|part| part.part.path.clone()),
            message,
            checked: 0,
            offenders: Offenders::default(),
        }
    }

    pub(super) fn into_problem(self) -> Option<Problem> {
        self.offenders
            .into_problem(self.table, self.file.as_deref(), self.message)
    }
}

/// Rows of a part that refer to nothing.
pub(super) fn dangling(part: &ReadablePart<'_>, column: &str) -> CheckFinding {
    let name = part.table.name;
    CheckFinding::new(
        reference(name, column),
        name,
        Some(part),
        "rows that refer to nothing",
    )
}

/// Looks up every id of a column.
pub(super) fn look_up(
    batch: &RecordBatch,
    first_row: u64,
    column: &str,
    has: impl Fn(i64) -> bool,
    finding: &mut CheckFinding,
) {
    let ids = bigint(batch, column);
    // Rows of one policy or file stand together: it is looked up once for all of them, since tables
    // of ids are larger than the processor's caches.
    let mut found = None;
    for (id, number) in ids.iter().zip(first_row..) {
        let Some(id) = id else { continue };
        finding.checked += 1;
        if found == Some(id) {
            continue;
        }
        if has(id) {
            found = Some(id);
        } else {
            finding
                .offenders
                .add(|| format!("{column} {id} (row {number})"));
        }
    }
}

/// Decodes all columns of all rows, and shows each batch with the number of its first row.
pub(super) fn decode(
    part: &ReadablePart<'_>,
    mut visit: impl FnMut(&RecordBatch, u64),
) -> CheckFinding {
    let mut finding = CheckFinding::new(
        DECODED,
        part.table.name,
        Some(part),
        "rows that cannot be decoded",
    );
    let read = || {
        for batch in stored::open(&part.path, None).map_err(|error| error.to_string())? {
            let batch = batch.map_err(|error| error.to_string())?;
            visit(&batch, finding.checked);
            finding.checked += batch.num_rows() as u64;
        }
        Ok::<_, String>(())
    };
    // Bytes under the checksum were written by robostat. If they are wrong nevertheless, the
    // Parquet reader may panic instead of returning an error.
    let read = catch_unwind(AssertUnwindSafe(read));
    if let Err(message) = read.unwrap_or_else(|_| Err("the reader panicked".to_owned())) {
        let row = finding.checked;
        finding
            .offenders
            .add(|| format!("from row {row} on: {message}"));
    }
    finding
}
