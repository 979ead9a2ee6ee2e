//! Datasets with parts that are missing, swapped or damaged: every command that relies on them says
//! so, and names `verify`.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::tempdir;

use crate::support::inputs::{copy, split_sample};
use crate::support::program::{ingest, robostat, sample, text};

/// Every command that relies on a dataset.
fn commands<'a>(
    out: &'a str,
    other: &'a str,
    input: &'a str,
    [agents, paths]: [&'a str; 2],
) -> Vec<Vec<&'a str>> {
    let name = ["--name", "x", "--license", "x", "--creator", "x"];
    let card = [
        &["export", out, "--for", "frictionless", "-o", "-"],
        &name[..],
    ]
    .concat();
    vec![
        vec!["ingest", "-q", input, out],
        vec!["compact", "-q", out],
        vec!["merge", "-q", out, "-o", other],
        vec!["merge", "-q", other, "-o", out],
        vec!["query", out, "status-classes"],
        vec!["query", out, "-e", "SELECT 1"],
        vec!["report", out, "--format", "json", "-o", "-"],
        vec!["history", out, "shop.example"],
        vec!["probe", out, "--agents", agents, "--paths", paths],
        vec!["export", out, "--for", "duckdb", "-o", "-"],
        card,
    ]
}

fn run(command: &[&str]) -> Output {
    let mut program = robostat(command);
    program.output().expect("a program")
}

/// Runs every command on a dataset that `spoil` has changed: each must fail, and say `words`.
#[track_caller]
fn every_command_fails(spoil: impl Fn(&Path), said_words: &[&str]) {
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path(), 200);
    let [base, out, other] = ["base", "out", "other"].map(|name| directory.path().join(name));
    ingest(&["--commit-every", "1"], &inputs, &base, 0);
    let input = sample("crawl.warc");
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let [agents, paths] = ["agents", "paths"].map(|name| directory.path().join(name));
    fs::write(&agents, "x\n").expect("space");
    fs::write(&paths, "/\n").expect("space");
    let [to, from, new, agents, paths] = [&out, &other, &input, &agents, &paths].map(|it| path(it));
    for command in commands(&to, &from, &new, [&agents, &paths]) {
        for directory in [&out, &other] {
            let _ = fs::remove_dir_all(directory);
        }
        copy(&base, &out);
        if command[0] == "merge" && command[2] == from {
            ingest(&[], &input, &other, 0);
        }
        spoil(&out);
        let output = run(&command);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        for word in said_words {
            assert!(said.contains(word), "{command:?}: {said}");
        }
    }
}

const RULES: [&str; 2] = ["rules/part-000001.parquet", "rules/part-000002.parquet"];

#[test]
fn a_missing_part_is_an_error_of_every_command() {
    let spoil = |out: &Path| fs::remove_file(out.join(RULES[0])).expect("a part");
    every_command_fails(spoil, &[RULES[0], "missing", "robostat verify"]);
}

#[test]
fn swapped_parts_are_an_error_of_every_command() {
    let spoil = |out: &Path| {
        let [one, other] = RULES.map(|part| out.join(part));
        fs::rename(&one, out.join("aside")).expect("a part");
        fs::rename(&other, &one).expect("a part");
        fs::rename(out.join("aside"), &other).expect("a part");
    };
    every_command_fails(spoil, &["bytes, ", "by the manifest", "robostat verify"]);
}

#[test]
fn a_missing_last_commit_is_an_error_of_every_command() {
    let spoil = |out: &Path| {
        let commits = fs::read_dir(out.join("manifest")).expect("a manifest");
        let last = commits.map(|commit| commit.expect("a commit").path()).max();
        fs::remove_file(last.expect("a commit")).expect("a commit");
    };
    every_command_fails(spoil, &["a part of commit", "robostat verify"]);
}

#[test]
fn a_copied_commit_is_an_error_of_every_command() {
    let spoil = |out: &Path| {
        let commits = fs::read_dir(out.join("manifest")).expect("a manifest");
        let last = commits.map(|commit| commit.expect("a commit").path()).max();
        let last = last.expect("a commit");
        let number = last
            .file_stem()
            .and_then(|name| name.to_str()?.parse().ok());
        let next = number.map(|number: u32| format!("{:06}.json", number + 1));
        fs::copy(&last, last.with_file_name(next.expect("a number"))).expect("space");
    };
    every_command_fails(spoil, &["copied or renamed"]);
}

#[test]
fn an_error_in_a_damaged_part_names_verify() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(&[], &sample("crawl.warc"), &out, 0);
    // Flipped bits: the size is right.
    for part in ["captures/crawl=MADE-UP/part-000001.parquet", RULES[0]] {
        let part = out.join(part);
        let mut bytes = fs::read(&part).expect("a part");
        let end = bytes.len() - 8;
        bytes[4..end].iter_mut().for_each(|byte| *byte ^= 0x55);
        fs::write(&part, bytes).expect("space");
    }
    let path = out.to_str().expect("UTF-8");
    let merged = format!("{path}-merged");
    let all = ["captures", "rules"].map(|table| format!("SELECT max(COLUMNS(*)) FROM {table}"));
    for command in [
        vec!["query", path, "-e", &all[0]],
        vec!["query", path, "-e", &all[1]],
        vec!["report", path, "--format", "json", "-o", "-"],
        vec!["history", path, "licence-terms.robots.example"],
        vec!["merge", "-q", path, "-o", &merged],
    ] {
        let output = run(&command);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(said.contains("robostat verify"), "{command:?}: {said}");
    }
}
