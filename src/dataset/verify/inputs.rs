//! The inputs: what `inputs` and the manifest say of them, against the rows that came of them.

use std::collections::HashMap;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, RecordBatch};

use super::super::label;
use super::super::manifest::Manifest;
use super::super::stored::bigint;
use super::report::Offenders;

/// What rows say of inputs. Grows with the number of inputs.
#[derive(Default)]
pub(super) struct Inputs {
    rows: Vec<InputRow>,
    /// Rows of `captures` by the directory of their crawl and the input.
    captures: HashMap<String, HashMap<String, i64>>,
    /// Rows of `damage` by input.
    damage: HashMap<String, i64>,
}

/// A row of `inputs`.
struct InputRow {
    path: String,
    crawl: String,
    bytes: i64,
    captures: i64,
    damaged_records: i64,
    /// Bytes of records, of damage and passed over.
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
                let (paths, crawls) = (text(batch, "path"), text(batch, "crawl"));
                let value = |column: &str, row: usize| bigint(batch, column).value(row);
                self.rows.extend((0..batch.num_rows()).map(|row| {
                    InputRow {
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
        let mut named = manifest.inputs();
        for InputRow {
            path, crawl, bytes, ..
        } in &self.rows
        {
            match named.remove(path.as_str()) {
                None => offenders.add(|| format!("{path}: a second row, or not in the manifest")),
                Some(input) => {
                    let said = input.fingerprint.bytes;
                    if u64::try_from(*bytes) != Ok(said) {
                        offenders.add(|| format!("{path}: {bytes} bytes, {said} by the manifest"));
                    }
                    if *crawl != input.crawl {
                        let said = &input.crawl;
                        offenders.add(|| format!("{path}: crawl {crawl}, {said} by the manifest"));
                    }
                }
            }
        }
        for path in named.into_keys() {
            offenders.add(|| format!("{path}: in the manifest, without a row"));
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
                .and_then(|counts| counts.remove(&row.path));
            compare(&mut offenders, &row.path, found, row.captures);
        }
        for (crawl, counts) in left {
            for (path, n) in counts {
                offenders.add(|| format!("{path}: {n} rows under {crawl}, where no input has it"));
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
                left.remove(&row.path),
                row.damaged_records,
            );
        }
        for (path, n) in left {
            offenders.add(|| format!("{path}: {n} rows, but no such input"));
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
fn count(counts: &mut HashMap<String, i64>, batch: &RecordBatch) {
    let names = text(batch, "warc_filename");
    let mut row = 0;
    while row < names.len() {
        let name = names.value(row);
        let n = (row..names.len())
            .take_while(|row| names.value(*row) == name)
            .count();
        row += n;
        let n = i64::try_from(n).unwrap_or(i64::MAX);
        if let Some(count) = counts.get_mut(name) {
            *count += n;
        } else {
            counts.insert(name.to_owned(), n);
        }
    }
}

fn add(counts: &mut HashMap<String, i64>, others: HashMap<String, i64>) {
    for (name, n) in others {
        *counts.entry(name).or_default() += n;
    }
}

fn text<'b>(batch: &'b RecordBatch, column: &str) -> &'b arrow_array::StringArray {
    batch
        .column_by_name(column)
        .expect("a column of the table")
        .as_string()
}
