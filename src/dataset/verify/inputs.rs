//! The inputs: what `inputs` and the manifest say of them, against the rows that resulted from
//! them.

use std::collections::HashMap;

use arrow_array::{Int64Array, RecordBatch, StringArray};

use super::super::input::CommittedInput;
use super::super::label;
use super::super::manifest::Manifest;
use super::super::stored::{bigint, columns};
use super::super::tables::to_bigint;
use super::report::Offenders;

/// What rows say of inputs. Grows with the number of inputs.
#[derive(Default)]
pub(super) struct Inputs {
    /// The rows of `inputs`.
    batches: Vec<RecordBatch>,
    /// Rows of `captures` by the directory of their crawl and the input.
    captures: Counts,
    /// Rows of `damage` by input; the directory is empty.
    damage: Counts,
}

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

impl Inputs {
    /// Takes a batch of the table named `table`; `part` is the path of its file.
    pub(super) fn take(&mut self, table: &str, part: &str, batch: &RecordBatch) {
        let (counts, crawl) = match table {
            "captures" => (&mut self.captures, part.split('/').nth(1)),
            "damage" => (&mut self.damage, None),
            "inputs" => return self.batches.push(batch.clone()),
            _ => return,
        };
        let crawl = crawl.unwrap_or_default();
        // Rows of one input follow each other.
        for rows in bigint(batch, "input_id").values().chunk_by(i64::eq) {
            *counts.entry((crawl.to_owned(), rows[0])).or_default() += to_bigint(rows.len() as u64);
        }
    }

    /// Adds what another part said.
    pub(super) fn merge(&mut self, other: Self) {
        self.batches.extend(other.batches);
        for (counts, others) in [
            (&mut self.captures, other.captures),
            (&mut self.damage, other.damage),
        ] {
            for (input, n) in others {
                *counts.entry(input).or_default() += n;
            }
        }
    }

    /// The rows of `inputs`.
    fn rows(&self) -> impl Iterator<Item = (Columns<'_>, usize)> {
        let batches = self.batches.iter();
        batches.flat_map(|batch| (0..batch.num_rows()).map(|row| (Columns::of(batch), row)))
    }

    /// Rows of `inputs`.
    pub(super) fn len(&self) -> u64 {
        self.rows().count() as u64
    }

    /// Inputs of which the manifest says something else, or nothing, or the table nothing.
    pub(super) fn compare_manifest(&self, manifest: &Manifest) -> Offenders {
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
    pub(super) fn compare_captures(&self) -> Offenders {
        let said = self.rows().map(|(of, row)| {
            let crawl = format!("crawl={}", label::escape(of.crawl.value(row)));
            (
                (crawl, of.id.value(row)),
                of.path.value(row),
                of.captures.value(row),
            )
        });
        compare(&self.captures, said)
    }

    /// Inputs that have more or fewer rows in `damage` than they say, and damage of none.
    pub(super) fn compare_damage(&self) -> Offenders {
        let said = self.rows().map(|(of, row)| {
            let input = (String::new(), of.id.value(row));
            (input, of.path.value(row), of.damaged_records.value(row))
        });
        compare(&self.damage, said)
    }

    /// Inputs of which some bytes are accounted for twice or not at all.
    pub(super) fn compare_bytes(&self) -> Offenders {
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
