//! Rows: every value is decoded, and what refers to a row of another table finds it.
//!
//! Policies come first, then files, which refer to them, then the parts of all other tables in
//! parallel. A column `policy_id` or `file_id` of any table is a reference.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::{Array as _, RecordBatch};
use rayon::prelude::*;

use super::super::manifest::Manifest;
use super::super::stored::{self, bigint};
use super::inputs::Inputs;
use super::parts::ReadablePart;
use super::policies::{COUNTED, Policies, Policy};
use super::report::{Check, Offenders, Problem};
use crate::dataset::tables;

const DECODED: &str = "every value can be read";
const FILES_UNIQUE: &str = "files.file_id is unique";
const POLICIES_UNIQUE: &str = "policies.policy_id is unique";
const EXEMPLARS: &str = "policies.exemplar_file_id is a file with the policy";
const CAPTURES: &str = "captures.policy_id is that of the file";
const FILES_COUNT: &str = "files.n_groups and n_agents are the policy's";
const INPUTS_NAMED: &str = "inputs are those of the manifest";
const INPUTS_CAPTURES: &str = "inputs.captures counts rows of captures";
const INPUTS_DAMAGE: &str = "inputs.damaged_records counts rows of damage";
const INPUTS_BYTES: &str = "inputs account for every byte";

/// The columns of `files` that refer to policies.
const OF_FILES: [&str; 2] = ["policy_id", "owner_policy_id"];

/// Tables that are broken, and why.
type Broken = BTreeMap<&'static str, String>;

/// Reads all rows of `parts`. A check that needs a table in `broken` is not made.
pub(super) fn check(
    parts: &[ReadablePart<'_>],
    manifest: &Manifest,
    mut broken: Broken,
) -> Vec<Check> {
    let (first, others): (Vec<_>, Vec<_>) = parts
        .iter()
        .partition(|part| matches!(part.table.name, "policies" | "files"));
    let mut findings = Vec::new();
    let policies = read_policies(&first, &mut findings);
    let files = read_files(&first, &policies, &mut findings);

    let mut exemplars = Finding::new(EXEMPLARS, "policies", None, "exemplars without the policy");
    for (id, policy) in policies.in_order() {
        exemplars.checked += 1;
        let file = policy.exemplar_file_id;
        if !files.get(&file).is_some_and(|file| file.has(id)) {
            exemplars
                .offenders
                .add(|| format!("policy_id {id}: exemplar_file_id {file}"));
        }
    }
    findings.push(exemplars);

    let mut inputs = Inputs::default();
    let read: Vec<_> = others
        .par_iter()
        .map(|part| read_part(part, &policies, &files))
        .collect();
    for (found, of_part) in read {
        findings.extend(found);
        inputs.merge(of_part);
    }
    for (at, counted) in COUNTED.iter().enumerate() {
        let name = counted.table.name;
        findings.push(Finding {
            offenders: policies.compare_counts(at),
            ..Finding::new(
                complete(name),
                name,
                None,
                "policies with more or fewer rows than they say",
            )
        });
    }
    for (check, message, offenders) in [
        (
            INPUTS_NAMED,
            "inputs that differ",
            inputs.compare_manifest(manifest),
        ),
        (
            INPUTS_CAPTURES,
            "inputs with more or fewer captures",
            inputs.compare_captures(),
        ),
        (
            INPUTS_DAMAGE,
            "inputs with more or less damage",
            inputs.compare_damage(),
        ),
        (
            INPUTS_BYTES,
            "inputs with bytes left or counted twice",
            inputs.compare_bytes(),
        ),
    ] {
        findings.push(Finding {
            checked: inputs.len(),
            offenders,
            ..Finding::new(check, "inputs", None, message)
        });
    }
    for finding in &findings {
        if let (DECODED, Some(file)) = (finding.check.as_str(), &finding.file)
            && finding.offenders.count() > 0
        {
            broken
                .entry(finding.table)
                .or_insert_with(|| format!("{file} cannot be read"));
        }
    }
    conclude(findings, &broken)
}

/// The checks, in order, with the tables that each needs whole.
fn checks() -> Vec<(Check, Vec<&'static str>)> {
    let rows = |name: &str| Check::new(name, "rows");
    let mut checks = vec![
        (rows(DECODED), Vec::new()),
        (rows(FILES_UNIQUE), vec!["files"]),
        (rows(POLICIES_UNIQUE), vec!["policies"]),
    ];
    for table in tables::all() {
        for (column, target) in references(table) {
            checks.push((
                rows(&reference(table.name, column)),
                vec![table.name, target],
            ));
        }
    }
    checks.push((rows(CAPTURES), vec!["captures", "files"]));
    checks.push((rows(EXEMPLARS), vec!["policies", "files"]));
    checks.push((rows(FILES_COUNT), vec!["files", "policies"]));
    for counted in COUNTED.iter() {
        let name = counted.table.name;
        checks.push((rows(&complete(name)), vec![name, "policies"]));
    }
    checks.push((rows(INPUTS_NAMED), vec!["inputs"]));
    checks.push((rows(INPUTS_CAPTURES), vec!["inputs", "captures"]));
    checks.push((rows(INPUTS_DAMAGE), vec!["inputs", "damage"]));
    checks.push((rows(INPUTS_BYTES), vec!["inputs"]));
    checks
}

/// Sorts findings under their checks.
fn conclude(findings: Vec<Finding>, broken: &Broken) -> Vec<Check> {
    let mut by_check: HashMap<String, Vec<Finding>> = HashMap::new();
    for finding in findings {
        by_check
            .entry(finding.check.clone())
            .or_default()
            .push(finding);
    }
    let conclude = |(mut check, needed): (Check, Vec<&str>)| {
        check.not_checked = needed.iter().find_map(|table| broken.get(table)).cloned();
        if check.not_checked.is_none() {
            for finding in by_check.remove(&check.name).unwrap_or_default() {
                check.checked += finding.checked;
                check.problems.extend(finding.into_problem());
            }
        }
        check
    };
    checks().into_iter().map(conclude).collect()
}

/// What one check found in one part, or over all.
struct Finding {
    check: String,
    table: &'static str,
    file: Option<String>,
    message: &'static str,
    checked: u64,
    offenders: Offenders,
}

impl Finding {
    fn new(
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

    fn into_problem(self) -> Option<Problem> {
        self.offenders
            .into_problem(self.table, self.file.as_deref(), self.message)
    }
}

fn read_policies(parts: &[&ReadablePart<'_>], findings: &mut Vec<Finding>) -> Policies {
    let read: Vec<_> = parts
        .par_iter()
        .filter(|part| part.table.name == "policies")
        .map(|part| {
            let mut rows: Vec<(i64, Policy)> = Vec::new();
            let decoded = decode(part, |batch, _| rows.extend(Policies::read(batch)));
            (part, rows, decoded)
        })
        .collect();
    let mut policies = Policies::default();
    for (part, rows, decoded) in read {
        findings.push(decoded);
        let mut unique = Finding::new(
            POLICIES_UNIQUE,
            "policies",
            Some(part),
            "rows with an id that another has",
        );
        for (number, (id, policy)) in rows.into_iter().enumerate() {
            unique.checked += 1;
            if !policies.add(id, policy) {
                unique
                    .offenders
                    .add(|| format!("policy_id {id} (row {number})"));
            }
        }
        findings.push(unique);
    }
    policies
}

/// The policies of a file: that of all of it, and that of its owner's part.
#[derive(Clone, Copy)]
struct FilePolicies {
    whole: i64,
    owner: i64,
}

impl FilePolicies {
    fn has(self, id: i64) -> bool {
        self.whole == id || self.owner == id
    }
}

/// The policies of every file.
fn read_files(
    parts: &[&ReadablePart<'_>],
    policies: &Policies,
    findings: &mut Vec<Finding>,
) -> HashMap<i64, FilePolicies> {
    let read: Vec<_> = parts
        .par_iter()
        .filter(|part| part.table.name == "files")
        .map(|part| {
            let mut rows: Vec<(i64, FilePolicies)> = Vec::new();
            let mut keys = OF_FILES.map(|column| (column, dangling(part, column)));
            let message = "files that count otherwise than their policy";
            let mut counts = Finding::new(FILES_COUNT, "files", Some(part), message);
            let decoded = decode(part, |batch, first_row| {
                let files = bigint(batch, "file_id");
                let [wholes, owners] = OF_FILES.map(|column| bigint(batch, column));
                rows.extend((0..batch.num_rows()).map(|row| {
                    let (whole, owner) = (wholes.value(row), owners.value(row));
                    (files.value(row), FilePolicies { whole, owner })
                }));
                for (column, finding) in &mut keys {
                    look_up(batch, first_row, column, |id| policies.has(id), finding);
                }
                counts.checked += batch.num_rows() as u64;
                policies.compare_files(batch, first_row, &mut counts.offenders);
            });
            let [(_, whole), (_, owner)] = keys;
            (part, rows, [decoded, whole, owner, counts])
        })
        .collect();
    let mut known = HashMap::new();
    for (part, rows, found) in read {
        findings.extend(found);
        let mut unique = Finding::new(
            FILES_UNIQUE,
            "files",
            Some(part),
            "rows with an id that another has",
        );
        for (number, (id, policy)) in rows.into_iter().enumerate() {
            unique.checked += 1;
            if known.insert(id, policy).is_some() {
                unique
                    .offenders
                    .add(|| format!("file_id {id} (row {number})"));
            }
        }
        findings.push(unique);
    }
    known
}

/// Reads a part of any other table.
fn read_part(
    part: &ReadablePart<'_>,
    policies: &Policies,
    files: &HashMap<i64, FilePolicies>,
) -> (Vec<Finding>, Inputs) {
    let name = part.table.name;
    let mut inputs = Inputs::default();
    let mut keys: Vec<(&str, Finding)> = references(part.table)
        .map(|(column, _)| (column, dangling(part, column)))
        .collect();
    let counted = COUNTED
        .iter()
        .position(|counted| counted.table.name == name);
    let message = "rows that are double, missing or out of order";
    let mut complete = Finding::new(complete(name), name, Some(part), message);
    let message = "captures with another policy than their file, or only one of the two";
    let mut captures = Finding::new(CAPTURES, name, Some(part), message);
    let decoded = decode(part, |batch, first_row| {
        inputs.take(name, &part.part.path, batch);
        for (column, finding) in &mut keys {
            let has = |id| match *column {
                "policy_id" | "owner_policy_id" => policies.has(id),
                _ => files.contains_key(&id),
            };
            look_up(batch, first_row, column, has, finding);
        }
        if let Some(at) = counted {
            complete.checked += batch.num_rows() as u64;
            policies.count(at, batch, first_row, &mut complete.offenders);
        }
        if name == "captures" {
            compare_captures(batch, first_row, files, &mut captures);
        }
    });
    let mut findings = vec![decoded, complete, captures];
    findings.extend(keys.into_iter().map(|(_, finding)| finding));
    (findings, inputs)
}

/// Captures whose policy is not that of their file.
fn compare_captures(
    batch: &RecordBatch,
    first_row: u64,
    files: &HashMap<i64, FilePolicies>,
    finding: &mut Finding,
) {
    let (ids, policies) = (bigint(batch, "file_id"), bigint(batch, "policy_id"));
    finding.checked += batch.num_rows() as u64;
    for (row, number) in (0..batch.num_rows()).zip(first_row..) {
        let file = ids.is_valid(row).then(|| ids.value(row));
        let policy = policies.is_valid(row).then(|| policies.value(row));
        let is_right = match file.map(|file| files.get(&file)) {
            None => policy.is_none(),
            Some(None) => true, // the missing file is another check's
            Some(Some(wanted)) => policy == Some(wanted.whole),
        };
        if !is_right {
            let show = |id: Option<i64>| id.map_or("null".to_owned(), |id| id.to_string());
            let (file, policy) = (show(file), show(policy));
            finding
                .offenders
                .add(|| format!("file_id {file}, policy_id {policy} (row {number})"));
        }
    }
}

/// The columns of a table that refer to another, and that other.
fn references(table: &'static tables::Table) -> impl Iterator<Item = (&'static str, &'static str)> {
    [
        ("policy_id", "policies"),
        ("owner_policy_id", "policies"),
        ("file_id", "files"),
    ]
    .into_iter()
    .filter(|(column, target)| {
        table.name != *target && table.schema.column_with_name(column).is_some()
    })
}

/// Name of the check of a reference.
fn reference(table: &str, column: &str) -> String {
    let target = if column == "file_id" {
        "files"
    } else {
        "policies"
    };
    format!("{table}.{column} is in {target}")
}

/// Name of the check that a policy's rows are all there.
fn complete(table: &str) -> String {
    format!("{table} of each policy are complete and in order")
}

fn dangling(part: &ReadablePart<'_>, column: &str) -> Finding {
    let name = part.table.name;
    Finding::new(
        reference(name, column),
        name,
        Some(part),
        "rows that refer to nothing",
    )
}

/// Looks up every id of a column.
fn look_up(
    batch: &RecordBatch,
    first_row: u64,
    column: &str,
    has: impl Fn(i64) -> bool,
    finding: &mut Finding,
) {
    let ids = bigint(batch, column);
    for (id, number) in ids.iter().zip(first_row..) {
        let Some(id) = id else { continue };
        finding.checked += 1;
        if !has(id) {
            finding
                .offenders
                .add(|| format!("{column} {id} (row {number})"));
        }
    }
}

/// Decodes all columns of all rows, and shows each batch with the number of its first row.
fn decode(part: &ReadablePart<'_>, mut visit: impl FnMut(&RecordBatch, u64)) -> Finding {
    let mut finding = Finding::new(
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
    // What the checksum covers was written by us; should it be wrong all the same, the reader is
    // not trusted to say so in good order.
    let read = catch_unwind(AssertUnwindSafe(read));
    if let Err(message) = read.unwrap_or_else(|_| Err("the reader panicked".to_owned())) {
        let row = finding.checked;
        finding
            .offenders
            .add(|| format!("from row {row} on: {message}"));
    }
    finding
}
