//! Rows: every value is decoded, and what refers to a row of another table finds it.
//!
//! Policies come first, then files, which refer to them, then the parts of all other tables in
//! parallel. A column `policy_id` or `file_id` of any table is a reference.

mod checks;
mod finding;
mod page_policies;

use std::collections::HashMap;

use arrow_array::RecordBatch;
use rayon::prelude::*;

use self::checks::{
    Broken, CAPTURES, DECODED, EXEMPLARS, FILES_COUNT, FILES_UNIQUE, INPUTS_BYTES, INPUTS_CAPTURES,
    INPUTS_DAMAGE, INPUTS_NAMED, POLICIES_UNIQUE, complete, conclude, references,
};
use self::finding::{CheckFinding, dangling, decode, look_up};
use self::page_policies::PagePolicies;
use super::super::manifest::Manifest;
use super::super::stored::{bigint, value};
use super::inputs::Inputs;
use super::parts::ReadablePart;
use super::policies::{COUNTED, Policies, Policy};
use super::report::Check;

/// The columns of `files` that refer to policies.
const OF_FILES: [&str; 2] = ["policy_id", "owner_policy_id"];

/// Reads all rows of `parts`. A check that needs a table in `broken` is not made.
pub(super) fn check(
    parts: &[ReadablePart<'_>],
    manifest: &Manifest,
    mut broken: Broken,
) -> Vec<Check> {
    let (first, others): (Vec<_>, Vec<_>) = parts
        .iter()
        .partition(|part| matches!(part.table.name, "policies" | "files" | "page_policies"));
    let mut findings = Vec::new();
    let policies = read_policies(&first, &mut findings);
    let files = read_files(&first, &policies, &mut findings);
    let page_policies = page_policies::read(&first, &mut findings);

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
    for (at, counted) in COUNTED.iter().enumerate() {
        let name = counted.table.name;
        findings.push(CheckFinding {
            offenders: policies.compare_counts(at),
            ..CheckFinding::new(
                complete(name),
                name,
                None,
                "policies with more or fewer rows than they say",
            )
        });
    }
    findings.extend(page_policies.compare_counts());
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

fn read_policies(parts: &[&ReadablePart<'_>], findings: &mut Vec<CheckFinding>) -> Policies {
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
        let add = |id, policy| policies.add(id, policy);
        findings.push(unique(POLICIES_UNIQUE, part, "policy_id", rows, add));
    }
    policies
}

/// Rows of a part whose ids other rows have; `add` returns whether an id is new.
fn unique<T>(
    check: &str,
    part: &ReadablePart<'_>,
    column: &str,
    rows: Vec<(i64, T)>,
    mut add: impl FnMut(i64, T) -> bool,
) -> CheckFinding {
    let message = "rows with an id that another has";
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
        findings.push(unique(FILES_UNIQUE, part, "file_id", rows, add));
    }
    known
}

/// Reads a part of any other table.
fn read_part(
    part: &ReadablePart<'_>,
    policies: &Policies,
    files: &HashMap<i64, FilePolicies>,
    page_policies: &PagePolicies,
) -> (Vec<CheckFinding>, Inputs) {
    let name = part.table.name;
    let mut inputs = Inputs::default();
    let mut keys: Vec<(&str, CheckFinding)> = references(part.table)
        .map(|(column, _)| (column, dangling(part, column)))
        .collect();
    let counted = COUNTED
        .iter()
        .position(|counted| counted.table.name == name);
    let message = "rows that are double, missing or out of order";
    let mut complete = CheckFinding::new(complete(name), name, Some(part), message);
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
        if let Some(at) = counted {
            complete.checked += batch.num_rows() as u64;
            policies.count(at, batch, first_row, &mut complete.offenders);
        }
        page_policies.count(name, batch);
        if name == "captures" {
            compare_captures(batch, first_row, files, &mut captures);
        }
    });
    let mut findings = vec![decoded, complete, captures];
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
