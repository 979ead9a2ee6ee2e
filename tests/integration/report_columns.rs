//! The report reads columns of queries by name: a missing column is an error, and null is not 0.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Output;

use serde_json::Value;
use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::mini_warc::SAMPLE;
use crate::support::program::{assert_contains, robostat, text};

/// A report as JSON where `SELECT columns` reads every call of the query `name`.
fn report(section: &str, name: &str, columns: &str) -> Output {
    let folder = tempdir().expect("a folder");
    let program = folder.path().join("duckdb");
    let call = name.replace('-', "_");
    let script = format!(
        "#!/bin/sh\nsed -u 's/ AS FROM {call}(/ AS SELECT {columns} FROM {call}(/' | exec \"{}\" \"$@\"\n",
        duckdb::program().display()
    );
    fs::write(&program, script).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
    robostat([
        "report",
        "--format",
        "json",
        "-o",
        "-",
        "--sections",
        section,
    ])
    .arg(SAMPLE.path())
    .env("ROBOSTAT_DUCKDB", program)
    .output()
    .expect("a run")
}

#[test]
fn a_missing_column_is_an_error_that_names_it() {
    for (section, query, column) in [
        // In a sentence, in a table, behind an `Option`, and in what all sections share.
        ("tlds", "tlds", "pct_of_hosts"),
        ("directives", "directives", "kind"),
        ("most-blocked", "agents-at-a-glance", "pct_full_by_name"),
        ("any", "key-shares", "measure"),
        ("tlds", "corpus", "robotstxt_captures"),
    ] {
        let output = report(section, query, &format!("* RENAME ({column} AS renamed)"));
        assert_eq!(output.status.code(), Some(1), "{query} {column}");
        assert!(output.stdout.is_empty());
        let said = text(&output);
        assert_contains(&said, &[query, &format!("no column {column}")]);
    }
}

#[test]
fn null_is_not_printed_as_zero() {
    let output = report("tlds", "tlds", "* REPLACE (NULL::DOUBLE AS pct_of_hosts)");
    assert!(output.status.success(), "{}", text(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let left_out = report["left_out"].as_array().expect("a list");
    let of_tlds = left_out
        .iter()
        .find(|it| it["id"] == "tlds")
        .expect("left out");
    assert_eq!(
        of_tlds["reason"],
        "the query tlds has no value in pct_of_hosts"
    );
}

/// What is read as optional on purpose is shown as a dash.
#[test]
fn the_sections_of_the_sample_have_all_their_values() {
    let output = report("appendix", "no-query", "*");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for left_out in report["left_out"].as_array().expect("a list") {
        let reason = left_out["reason"].as_str().expect("a reason");
        assert!(!reason.contains("has no value"), "{left_out}");
    }
}
