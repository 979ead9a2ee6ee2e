//! The checks of rows: their names, which tables each needs, and their results.

use std::collections::BTreeMap;

use super::super::policies::{COUNTED, Counted, PAGES_COUNTED};
use super::super::report::Check;
use crate::dataset::tables::{self, Table};

pub(super) const DECODED: &str = "every value can be read";
pub(super) const FILES_UNIQUE: &str = "files.file_id is unique";
pub(super) const POLICIES_UNIQUE: &str = "policies.policy_id is unique";
pub(super) const PAGE_POLICIES_UNIQUE: &str =
    "page_policies.page_policy_id is unique, and the hash of the canonical form";
pub(super) const EXEMPLARS: &str = "policies.exemplar_file_id is a file with the policy";
pub(super) const CAPTURES: &str = "captures.policy_id is the policy of the file";
pub(super) const FILES_COUNT: &str = "files.n_groups and n_agents are the policy's";
pub(super) const INPUTS_NAMED: &str = "inputs match the manifest";
pub(super) const INPUTS_CAPTURES: &str = "inputs.captures counts rows of captures";
pub(super) const INPUTS_DAMAGE: &str = "inputs.damaged_records counts rows of damage";
pub(super) const INPUTS_BYTES: &str = "inputs account for every byte";

/// Tables that are broken, and why.
pub(super) type BrokenTables = BTreeMap<&'static str, String>;

/// The checks, in order, with the tables that each needs whole.
pub(super) fn checks() -> Vec<(Check, Vec<&'static str>)> {
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
    let complete_of = |counted: &Counted, policies| {
        let needed = vec![counted.table.name, policies];
        (rows(&complete(counted)), needed)
    };
    checks.extend(COUNTED.iter().map(|it| complete_of(it, "policies")));
    checks.push((rows(PAGE_POLICIES_UNIQUE), vec!["page_policies"]));
    checks.extend(
        PAGES_COUNTED
            .iter()
            .map(|it| complete_of(it, "page_policies")),
    );
    checks.push((rows(INPUTS_NAMED), vec!["inputs"]));
    checks.push((rows(INPUTS_CAPTURES), vec!["inputs", "captures"]));
    checks.push((rows(INPUTS_DAMAGE), vec!["inputs", "damage"]));
    checks.push((rows(INPUTS_BYTES), vec!["inputs"]));
    checks
}

/// The columns of a table that refer to another, and that other.
pub(super) fn references(
    table: &'static Table,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    [
        ("policy_id", "policies"),
        ("owner_policy_id", "policies"),
        ("file_id", "files"),
        ("page_policy_id", "page_policies"),
    ]
    .into_iter()
    .filter(|(column, target)| {
        table.name != *target && table.schema.column_with_name(column).is_some()
    })
}

/// Name of the check of a reference.
pub(super) fn reference(table: &str, column: &str) -> String {
    let target = match column {
        "file_id" => "files",
        "page_policy_id" => "page_policies",
        _ => "policies",
    };
    format!("{table}.{column} is in {target}")
}

/// Name of the check that a policy's rows are all there.
pub(super) fn complete(counted: &Counted) -> String {
    let Table {
        name, is_optional, ..
    } = counted.table;
    // Positions are not checked for pages.
    let order = if *is_optional { "" } else { " and in order" };
    format!("{name} of each policy are complete{order}")
}
