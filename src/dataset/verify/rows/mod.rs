//! Rows: every value is decoded, and what refers to a row of another table finds it.
//!
//! Policies come first, then files, which refer to them, then the parts of all other tables in
//! parallel. A column `policy_id` or `file_id` of any table is a reference.

mod checks;
mod finding;

use std::collections::HashMap;

use arrow_array::RecordBatch;
use rayon::prelude::*;

use self::checks::{
    BrokenTables, CAPTURES, DECODED, EXEMPLARS, FILES_COUNT, FILES_UNIQUE, INPUTS_BYTES,
    INPUTS_CAPTURES, INPUTS_DAMAGE, INPUTS_NAMED, PAGE_POLICIES_UNIQUE, POLICIES_UNIQUE, checks,
    complete, references,
};
use self::finding::{CheckFinding, dangling, decode, look_up};
use super::super::manifest::Manifest;
use super::super::stored::{bigint, value};
use super::inputs::Inputs;
use super::parts::ReadablePart;
use super::policies::{COUNTED, PAGES_COUNTED, Policies, Policy};
use super::report::Check;
use crate::dataset::tables;

/// What is wrong with ids that are not unique.
const DOUBLE_ID: &str = "rows with an id that another has";
/// The columns of `files` that refer to policies.
const OF_FILES: [&str; 2] = ["policy_id", "owner_policy_id"];

/// Reads all rows of `parts`. A check that needs a table in `broken` is not made.
pub(super) fn check(
    parts: &[ReadablePart<'_>],
    manifest: &Manifest,
    mut broken: BrokenTables,
) -> Vec<Check> {
    let (first, others): (Vec<_>, Vec<_>) = parts
        .iter()
        .partition(|part| matches!(part.table.name, "policies" | "files" | "page_policies"));
    let mut findings = Vec::new();
    let policies = Policies::new(tables::policies::table(), &COUNTED);
    let unique = (POLICIES_UNIQUE, DOUBLE_ID);
    let policies = read_policies(&first, policies, unique, &mut findings);
    let files = read_files(&first, &policies, &mut findings);
    let message = "rows with the id of another row or content";
    let page_policies = Policies::new(tables::page_policies::table(), &PAGES_COUNTED);
    let unique = (PAGE_POLICIES_UNIQUE, message);
    let page_policies = read_policies(&first, page_policies, unique, &mut findings);

    let mut exemplars =
        CheckFinding::new(EXEMPLARS, "policies", None, "exemplars without the policy");
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
        .map(|part| read_part(part, &policies, &files, &page_policies))
        .collect();
    for (found, of_part) in read {
        findings.extend(found);
        inputs.merge(of_part);
    }
    for policies in [&policies, &page_policies] {
        for (at, counted) in policies.counted.iter().enumerate() {
            let message = "policies with more or fewer rows than they say";
            findings.push(CheckFinding {
                offenders: policies.compare_counts(at),
                ..CheckFinding::new(complete(counted), counted.table.name, None, message)
            });
        }
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
        findings.push(CheckFinding {
            checked: inputs.len(),
            offenders,
            ..CheckFinding::new(check, "inputs", None, message)
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

/// Reads policies; `unique` is the check of their ids, with its message.
fn read_policies(
    parts: &[&ReadablePart<'_>],
    mut policies: Policies,
    unique_ids: (&str, &'static str),
    findings: &mut Vec<CheckFinding>,
) -> Policies {
    let read: Vec<_> = parts
        .par_iter()
        .filter(|part| part.table.name == policies.table.name)
        .map(|part| {
            let mut rows: Vec<(i64, (Policy, bool))> = Vec::new();
            let decoded = decode(part, |batch, _| rows.extend(policies.read(batch)));
            (part, rows, decoded)
        })
        .collect();
    for (part, rows, decoded) in read {
        findings.push(decoded);
        let column = policies.column;
        let add = |id, (policy, is_hash)| policies.add(id, policy) && is_hash;
        findings.push(unique(unique_ids, part, column, rows, add));
    }
    policies
}

/// Rows of a part whose ids other rows have; `add` returns whether an id is new.
fn unique<T>(
    (check, message): (&str, &'static str),
    part: &ReadablePart<'_>,
    column: &str,
    rows: Vec<(i64, T)>,
    mut add: impl FnMut(i64, T) -> bool,
) -> CheckFinding {
    let mut finding = CheckFinding::new(check, part.table.name, Some(part), message);
    for (number, (id, row)) in rows.into_iter().enumerate() {
        finding.checked += 1;
        if !add(id, row) {
            let example = || format!("{column} {id} (row {number})");
            finding.offenders.add(example);
        }
    }
    finding
}

/// The policies of a file: of the whole file, and of its owner's part.
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
    findings: &mut Vec<CheckFinding>,
) -> HashMap<i64, FilePolicies> {
    let read: Vec<_> = parts
        .par_iter()
        .filter(|part| part.table.name == "files")
        .map(|part| {
            let mut rows: Vec<(i64, FilePolicies)> = Vec::new();
            let mut keys = OF_FILES.map(|column| (column, dangling(part, column)));
            let message = "files that count otherwise than their policy";
            let mut counts = CheckFinding::new(FILES_COUNT, "files", Some(part), message);
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
        let add = |id, policies| known.insert(id, policies).is_none();
        let check = (FILES_UNIQUE, DOUBLE_ID);
        findings.push(unique(check, part, "file_id", rows, add));
    }
    known
}

/// Reads a part of any other table.
fn read_part(
    part: &ReadablePart<'_>,
    policies: &Policies,
    files: &HashMap<i64, FilePolicies>,
    page_policies: &Policies,
) -> (Vec<CheckFinding>, Inputs) {
    let name = part.table.name;
    let mut inputs = Inputs::default();
    let mut keys: Vec<(&str, CheckFinding)> = references(part.table)
        .map(|(column, _)| (column, dangling(part, column)))
        .collect();
    let counted = [policies, page_policies]
        .into_iter()
        .find_map(|policies| Some((policies, policies.place_of(name)?)));
    let mut complete = counted.map(|(policies, at)| {
        let message = "rows that are double, missing or out of order";
        CheckFinding::new(complete(&policies.counted[at]), name, Some(part), message)
    });
    let message = "captures with another policy than their file, or only one of the two";
    let mut captures = CheckFinding::new(CAPTURES, name, Some(part), message);
    let decoded = decode(part, |batch, first_row| {
        inputs.take(name, &part.part.path, batch);
        for (column, finding) in &mut keys {
            let has = |id| match *column {
                "policy_id" | "owner_policy_id" => policies.has(id),
                "page_policy_id" => page_policies.has(id),
                _ => files.contains_key(&id),
            };
            look_up(batch, first_row, column, has, finding);
        }
        if let (Some((policies, at)), Some(complete)) = (counted, &mut complete) {
            complete.checked += batch.num_rows() as u64;
            policies.count(at, batch, first_row, &mut complete.offenders);
        }
        if name == "captures" {
            compare_captures(batch, first_row, files, &mut captures);
        }
    });
    let mut findings = vec![decoded, captures];
    findings.extend(complete);
    findings.extend(keys.into_iter().map(|(_, finding)| finding));
    (findings, inputs)
}

/// Captures with another policy than their file.
fn compare_captures(
    batch: &RecordBatch,
    first_row: u64,
    files: &HashMap<i64, FilePolicies>,
    finding: &mut CheckFinding,
) {
    let (ids, policies) = (bigint(batch, "file_id"), bigint(batch, "policy_id"));
    finding.checked += batch.num_rows() as u64;
    for (row, number) in (0..batch.num_rows()).zip(first_row..) {
        let (file, policy) = (value(ids, row), value(policies, row));
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

/// Sorts findings under their checks.
fn conclude(findings: Vec<CheckFinding>, broken: &BrokenTables) -> Vec<Check> {
    let mut by_check: HashMap<String, Vec<CheckFinding>> = HashMap::new();
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
