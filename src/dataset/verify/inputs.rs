//! `inputs` and the manifest, compared with the rows that were made from the inputs.

use std::collections::HashMap;

use arrow_array::{Int64Array, RecordBatch, StringArray};

use super::super::label;
use super::super::manifest::Manifest;
use super::super::stored::{bigint, columns};
use super::super::tables::{self, to_bigint};
use super::parts::Parts;
use super::report::{Check, CheckedRows};

columns! {
    id: Int64Array = "input_id",
    fingerprint: StringArray = "fingerprint",
    path: StringArray = "path",
    crawl: StringArray = "crawl",
    bytes: Int64Array = "bytes",
    captures: Int64Array = "captures",
    damaged_records: Int64Array = "damaged_records",
    record_bytes: Int64Array = "record_bytes",
    damaged_bytes: Int64Array = "damaged_bytes",
    skipped_bytes: Int64Array = "skipped_bytes",
}

pub(super) fn check(parts: &Parts<'_>, manifest: &Manifest) -> [Check; 4] {
    let mut named = parts.begin("inputs match the manifest", &["inputs"]);
    let visit = |batches: &mut Vec<_>, batch: &RecordBatch, _| batches.push(batch.clone());
    let batches = parts.scan(&mut named, "inputs", &COLUMNS, visit);
    let batches = batches.iter().flat_map(|(_, batches)| batches);
    let rows = batches.flat_map(|batch| (0..batch.num_rows()).map(|row| (Columns::of(batch), row)));
    let inputs: Vec<(Columns<'_>, usize)> = rows.collect();
    let conclude = |mut check: Check, message: &str, mut rows: CheckedRows| {
        if check.not_checked.is_none() {
            rows.checked = inputs.len() as u64;
            check.add_rows("inputs", None, message, rows);
        }
        check
    };
    let name = "inputs.captures counts rows of captures";
    let mut of_captures = parts.begin(name, &["inputs", "captures"]);
    let captures = compare_rows(parts, &mut of_captures, "captures", &inputs, |of| {
        of.captures
    });
    let name = "inputs.damaged_records counts rows of damage";
    let mut of_damage = parts.begin(name, &["inputs", "damage"]);
    let damage = compare_rows(parts, &mut of_damage, "damage", &inputs, |of| {
        of.damaged_records
    });
    let of_bytes = parts.begin("inputs account for every byte", &["inputs"]);
    let compared = compare_manifest(&inputs, manifest);
    let bytes = compare_bytes(&inputs);
    [
        conclude(named, "inputs that differ", compared),
        conclude(of_captures, "inputs with more or fewer captures", captures),
        conclude(of_damage, "inputs with more or less damage", damage),
        conclude(of_bytes, "inputs with bytes left or counted twice", bytes),
    ]
}

/// Inputs that differ between the manifest and the table, or are missing in one of the two.
fn compare_manifest(inputs: &[(Columns<'_>, usize)], manifest: &Manifest) -> CheckedRows {
    let mut rows = CheckedRows::default();
    let named = manifest.inputs().into_iter();
    let named = named.map(|input| (input.fingerprint.input_id(), input));
    let mut named: HashMap<i64, _> = named.collect();
    for (of, row) in inputs {
        let path = of.path.value(*row);
        let Some(input) = named.remove(&of.id.value(*row)) else {
            rows.add_wrong(|| format!("{path}: a second row, or not in the manifest"));
            continue;
        };
        let [fingerprint, crawl] = [of.fingerprint, of.crawl].map(|it| it.value(*row).to_owned());
        let [bytes, captures] = [of.bytes, of.captures].map(|it| it.value(*row).to_string());
        for (what, found, said) in [
            ("path", path.to_owned(), input.name.clone()),
            ("fingerprint", fingerprint, input.fingerprint.to_string()),
            ("bytes", bytes, input.bytes.to_string()),
            ("crawl", crawl, input.crawl.clone()),
            ("captures", captures, input.captures.to_string()),
        ] {
            if found != said {
                rows.add_wrong(|| format!("{path}: {what} {found}, {said} in the manifest"));
            }
        }
    }
    for input in named.into_values() {
        rows.add_wrong(|| format!("{}: in the manifest, without a row", input.name));
    }
    rows
}

/// Inputs with more or fewer rows in a table than `inputs` counts, and rows without an input.
fn compare_rows(
    parts: &Parts<'_>,
    check: &mut Check,
    table: &str,
    inputs: &[(Columns<'_>, usize)],
    said: impl for<'b> Fn(&Columns<'b>) -> &'b Int64Array,
) -> CheckedRows {
    let visit = |counts: &mut HashMap<i64, i64>, batch: &RecordBatch, _| {
        // Rows of one input follow each other.
        for rows in bigint(batch, "input_id").values().chunk_by(i64::eq) {
            *counts.entry(rows[0]).or_default() += to_bigint(rows.len() as u64);
        }
    };
    // By input, and by crawl if the table has partitions.
    let mut left: HashMap<(Option<String>, i64), i64> = HashMap::new();
    for (part, of_part) in parts.scan(check, table, &["input_id"], visit) {
        for (input, rows) in of_part {
            *left.entry((part.part.partition(), input)).or_default() += rows;
        }
    }
    let is_partitioned = tables::named(table).is_some_and(|it| it.partition.is_some());
    let mut rows = CheckedRows::default();
    for (of, row) in inputs {
        let crawl = is_partitioned.then(|| of.crawl.value(*row).to_owned());
        let found = left.remove(&(crawl, of.id.value(*row))).unwrap_or(0);
        let (path, said) = (of.path.value(*row), said(of).value(*row));
        if found != said {
            rows.add_wrong(|| format!("{path}: {found} rows, {said} by its row in inputs"));
        }
    }
    for ((crawl, id), n) in left {
        rows.add_wrong(|| match crawl.as_deref().map(label::escape) {
            None => format!("input_id {id}: {n} rows, but no such input"),
            Some(crawl) => {
                format!("input_id {id}: {n} rows under crawl={crawl}, where no input has it")
            }
        });
    }
    rows
}

fn compare_bytes(inputs: &[(Columns<'_>, usize)]) -> CheckedRows {
    let mut rows = CheckedRows::default();
    for (of, row) in inputs {
        let parts = [of.record_bytes, of.damaged_bytes, of.skipped_bytes];
        let parts = parts.map(|bytes| bytes.value(*row));
        let accounted = parts.into_iter().fold(0, i64::saturating_add);
        let (path, bytes) = (of.path.value(*row), of.bytes.value(*row));
        if bytes != accounted {
            rows.add_wrong(|| format!("{path}: {accounted} bytes accounted for, of {bytes}"));
        }
    }
    rows
}
