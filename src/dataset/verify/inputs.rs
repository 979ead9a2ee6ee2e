//! The inputs: what `inputs` and the manifest say of them, against the rows that resulted from
//! them.

use std::collections::HashMap;

use arrow_array::{Int64Array, RecordBatch, StringArray};

use super::super::input::CommittedInput;
use super::super::label;
use super::super::manifest::Manifest;
use super::super::stored::{bigint, columns};
use super::super::tables::to_bigint;
use super::report::{Check, Offenders};
use super::rows::Rows;

/// Rows by the directory of their crawl, empty where the table has no partitions, and the input.
type Counts = HashMap<(String, i64), i64>;

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

/// The rows of `inputs`. Memory grows with the number of inputs.
struct Inputs(Vec<RecordBatch>);

/// Makes the checks of inputs.
pub(super) fn check(rows: &Rows<'_>, manifest: &Manifest) -> [Check; 4] {
    let mut named = rows.begin("inputs match the manifest", &["inputs"]);
    let visit = |batches: &mut Vec<_>, batch: &RecordBatch, _| batches.push(batch.clone());
    let batches = rows.scan(&mut named, "inputs", &COLUMNS, visit).into_iter();
    let inputs = Inputs(batches.flat_map(|(_, batches)| batches).collect());
    let conclude = |mut check: Check, message: &str, find: &dyn Fn() -> Offenders| {
        if check.not_checked.is_none() {
            check.checked = inputs.rows().count() as u64;
            check.fail_rows("inputs", None, message, find());
        }
        check
    };
    let name = "inputs.captures counts rows of captures";
    let mut of_captures = rows.begin(name, &["inputs", "captures"]);
    let captures = count(rows, &mut of_captures, "captures");
    let name = "inputs.damaged_records counts rows of damage";
    let mut of_damage = rows.begin(name, &["inputs", "damage"]);
    let damage = count(rows, &mut of_damage, "damage");
    let of_bytes = rows.begin("inputs account for every byte", &["inputs"]);
    [
        conclude(named, "inputs that differ", &|| {
            inputs.compare_manifest(manifest)
        }),
        conclude(of_captures, "inputs with more or fewer captures", &|| {
            inputs.compare_captures(&captures)
        }),
        conclude(of_damage, "inputs with more or less damage", &|| {
            inputs.compare_damage(&damage)
        }),
        conclude(of_bytes, "inputs with bytes left or counted twice", &|| {
            inputs.compare_bytes()
        }),
    ]
}

/// Counts the rows of a table by input.
fn count(rows: &Rows<'_>, check: &mut Check, table: &str) -> Counts {
    let visit = |counts: &mut HashMap<i64, i64>, batch: &RecordBatch, _| {
        // Rows of one input follow each other.
        for rows in bigint(batch, "input_id").values().chunk_by(i64::eq) {
            *counts.entry(rows[0]).or_default() += to_bigint(rows.len() as u64);
        }
    };
    let mut counts = Counts::new();
    for (part, of_part) in rows.scan(check, table, &["input_id"], visit) {
        let partition = part.table.partition.and(part.part.path.split('/').nth(1));
        let crawl = partition.unwrap_or_default();
        for (input, rows) in of_part {
            *counts.entry((crawl.to_owned(), input)).or_default() += rows;
        }
    }
    counts
}

impl Inputs {
    /// The rows of `inputs`.
    fn rows(&self) -> impl Iterator<Item = (Columns<'_>, usize)> {
        let batches = self.0.iter();
        batches.flat_map(|batch| (0..batch.num_rows()).map(|row| (Columns::of(batch), row)))
    }

    /// Inputs of which the manifest says something else, or nothing, or the table nothing.
    fn compare_manifest(&self, manifest: &Manifest) -> Offenders {
        let mut offenders = Offenders::default();
        let inputs = manifest.inputs();
        let mut named: HashMap<i64, &CommittedInput> = inputs
            .into_iter()
            .map(|input| (input.fingerprint.input_id(), input))
            .collect();
        for (of, row) in self.rows() {
            let path = of.path.value(row);
            let Some(input) = named.remove(&of.id.value(row)) else {
                offenders.add(|| format!("{path}: a second row, or not in the manifest"));
                continue;
            };
            let (fingerprint, crawl) = (of.fingerprint.value(row), of.crawl.value(row));
            let (bytes, captures) = (of.bytes.value(row), of.captures.value(row));
            for (what, found, said) in [
                ("path", path.to_owned(), input.name.clone()),
                (
                    "fingerprint",
                    fingerprint.to_owned(),
                    input.fingerprint.to_string(),
                ),
                ("bytes", bytes.to_string(), input.bytes.to_string()),
                ("crawl", crawl.to_owned(), input.crawl.clone()),
                ("captures", captures.to_string(), input.captures.to_string()),
            ] {
                if found != said {
                    offenders.add(|| format!("{path}: {what} {found}, {said} by the manifest"));
                }
            }
        }
        for input in named.into_values() {
            let name = &input.name;
            offenders.add(|| format!("{name}: in the manifest, without a row"));
        }
        offenders
    }

    /// Inputs that have more or fewer rows in `captures` than they say, and captures of none.
    fn compare_captures(&self, found: &Counts) -> Offenders {
        let said = self.rows().map(|(of, row)| {
            let crawl = format!("crawl={}", label::escape(of.crawl.value(row)));
            (
                (crawl, of.id.value(row)),
                of.path.value(row),
                of.captures.value(row),
            )
        });
        compare(found, said)
    }

    /// Inputs that have more or fewer rows in `damage` than they say, and damage of none.
    fn compare_damage(&self, found: &Counts) -> Offenders {
        let said = self.rows().map(|(of, row)| {
            let input = (String::new(), of.id.value(row));
            (input, of.path.value(row), of.damaged_records.value(row))
        });
        compare(found, said)
    }

    /// Inputs of which some bytes are accounted for twice or not at all.
    fn compare_bytes(&self) -> Offenders {
        let mut offenders = Offenders::default();
        for (of, row) in self.rows() {
            let parts = [of.record_bytes, of.damaged_bytes, of.skipped_bytes];
            let parts = parts.map(|bytes| bytes.value(row));
            let accounted = parts.into_iter().fold(0, i64::saturating_add);
            let (path, bytes) = (of.path.value(row), of.bytes.value(row));
            if bytes != accounted {
                offenders.add(|| format!("{path}: {accounted} bytes accounted for, of {bytes}"));
            }
        }
        offenders
    }
}

/// Inputs whose rows are not as many as they say, each given with its path and that number; and
/// rows of no input.
fn compare<'r>(
    found: &Counts,
    said: impl Iterator<Item = ((String, i64), &'r str, i64)>,
) -> Offenders {
    let mut left = found.clone();
    let mut offenders = Offenders::default();
    for (input, path, said) in said {
        let found = left.remove(&input).unwrap_or(0);
        if found != said {
            offenders.add(|| format!("{path}: {found} rows, {said} by its row in inputs"));
        }
    }
    for ((crawl, id), n) in left {
        offenders.add(|| match crawl.as_str() {
            "" => format!("input_id {id}: {n} rows, but no such input"),
            _ => format!("input_id {id}: {n} rows under {crawl}, where no input has it"),
        });
    }
    offenders
}
