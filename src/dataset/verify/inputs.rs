//! The inputs: what `inputs` and the manifest say of them, against the rows that resulted from
//! them.

use std::collections::HashMap;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;

use super::super::input::CommittedInput;
use super::super::label;
use super::super::manifest::Manifest;
use super::super::stored::bigint;
use super::report::Offenders;

/// What rows say of inputs. Grows with the number of inputs.
#[derive(Default)]
pub(super) struct Inputs {
    rows: Vec<InputRow>,
    /// Rows of `captures` by the directory of their crawl and the input.
    captures: HashMap<String, HashMap<i64, i64>>,
    /// Rows of `damage` by input.
    damage: HashMap<i64, i64>,
}

/// A row of `inputs`.
struct InputRow {
    id: i64,
    fingerprint: String,
    path: String,
    crawl: String,
    bytes: i64,
    captures: i64,
    damaged_records: i64,
    /// Bytes of records, damaged and skipped.
    accounted: i64,
}

impl Inputs {
    /// Takes a batch of the table named `table`; `part` is the path of its file.
    pub(super) fn take(&mut self, table: &str, part: &str, batch: &RecordBatch) {
        match table {
            "captures" => {
                let crawl = part.split('/').nth(1).unwrap_or_default();
                if !self.captures.contains_key(crawl) {
                    self.captures.insert(crawl.to_owned(), HashMap::new());
                }
                if let Some(counts) = self.captures.get_mut(crawl) {
                    count(counts, batch);
                }
            }
            "damage" => count(&mut self.damage, batch),
            "inputs" => {
                let fingerprints = batch["fingerprint"].as_string::<i32>();
                let (paths, crawls) = (
                    batch["path"].as_string::<i32>(),
                    batch["crawl"].as_string::<i32>(),
                );
                let value = |column: &str, row: usize| bigint(batch, column).value(row);
                self.rows.extend((0..batch.num_rows()).map(|row| {
                    InputRow {
                        id: value("input_id", row),
                        fingerprint: fingerprints.value(row).to_owned(),
                        path: paths.value(row).to_owned(),
                        crawl: crawls.value(row).to_owned(),
                        bytes: value("bytes", row),
                        captures: value("captures", row),
                        damaged_records: value("damaged_records", row),
                        accounted: value("record_bytes", row)
                            .saturating_add(value("damaged_bytes", row))
                            .saturating_add(value("skipped_bytes", row)),
                    }
                }));
            }
            _ => {}
        }
    }

    /// Adds what another part said.
    pub(super) fn merge(&mut self, other: Self) {
        self.rows.extend(other.rows);
        for (crawl, counts) in other.captures {
            add(self.captures.entry(crawl).or_default(), counts);
        }
        add(&mut self.damage, other.damage);
    }

    /// Rows of `inputs`.
    pub(super) fn len(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Inputs of which the manifest says something else, or nothing, or the table nothing.
    pub(super) fn compare_manifest(&self, manifest: &Manifest) -> Offenders {
        let mut offenders = Offenders::default();
        let inputs = manifest.inputs();
        let mut named: HashMap<i64, &CommittedInput> = inputs
            .into_iter()
            .map(|input| (input.fingerprint.input_id(), input))
            .collect();
        for row in &self.rows {
            let path = &row.path;
            let Some(input) = named.remove(&row.id) else {
                offenders.add(|| format!("{path}: a second row, or not in the manifest"));
                continue;
            };
            let mut compare = |what: &str, found: String, said: String| {
                if found != said {
                    offenders.add(|| format!("{path}: {what} {found}, {said} by the manifest"));
                }
            };
            compare("path", path.clone(), input.name.clone());
            compare(
                "fingerprint",
                row.fingerprint.clone(),
                input.fingerprint.to_string(),
            );
            compare("bytes", row.bytes.to_string(), input.bytes.to_string());
            compare("crawl", row.crawl.clone(), input.crawl.clone());
            compare(
                "captures",
                row.captures.to_string(),
                input.captures.to_string(),
            );
        }
        for input in named.into_values() {
            let name = &input.name;
            offenders.add(|| format!("{name}: in the manifest, without a row"));
        }
        offenders
    }

    /// Inputs that have more or fewer rows in `captures` than they say, and captures of none.
    pub(super) fn compare_captures(&self) -> Offenders {
        let mut left = self.captures.clone();
        let mut offenders = Offenders::default();
        for row in &self.rows {
            let crawl = format!("crawl={}", label::escape(&row.crawl));
            let found = left
                .get_mut(&crawl)
                .and_then(|counts| counts.remove(&row.id));
            compare(&mut offenders, &row.path, found, row.captures);
        }
        for (crawl, counts) in left {
            for (id, n) in counts {
                offenders.add(|| {
                    format!("input_id {id}: {n} rows under {crawl}, where no input has it")
                });
            }
        }
        offenders
    }

    /// Inputs that have more or fewer rows in `damage` than they say, and damage of none.
    pub(super) fn compare_damage(&self) -> Offenders {
        let mut left = self.damage.clone();
        let mut offenders = Offenders::default();
        for row in &self.rows {
            compare(
                &mut offenders,
                &row.path,
                left.remove(&row.id),
                row.damaged_records,
            );
        }
        for (id, n) in left {
            offenders.add(|| format!("input_id {id}: {n} rows, but no such input"));
        }
        offenders
    }

    /// Inputs of which some bytes are accounted for twice or not at all.
    pub(super) fn compare_bytes(&self) -> Offenders {
        let mut offenders = Offenders::default();
        for InputRow {
            path,
            bytes,
            accounted,
            ..
        } in &self.rows
        {
            if bytes != accounted {
                offenders.add(|| format!("{path}: {accounted} bytes accounted for, of {bytes}"));
            }
        }
        offenders
    }
}

fn compare(offenders: &mut Offenders, path: &str, found: Option<i64>, said: i64) {
    let found = found.unwrap_or(0);
    if found != said {
        offenders.add(|| format!("{path}: {found} rows, {said} by its row in inputs"));
    }
}

/// Counts the rows of a batch by input. Rows of one input follow each other.
fn count(counts: &mut HashMap<i64, i64>, batch: &RecordBatch) {
    for rows in bigint(batch, "input_id").values().chunk_by(i64::eq) {
        *counts.entry(rows[0]).or_default() += i64::try_from(rows.len()).unwrap_or(i64::MAX);
    }
}

fn add(counts: &mut HashMap<i64, i64>, others: HashMap<i64, i64>) {
    for (id, n) in others {
        *counts.entry(id).or_default() += n;
    }
}
