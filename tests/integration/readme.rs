//! The README is true: its commands run as they stand there, and print what it shows.
#![cfg(unix)]

use crate::support::duckdb;
use crate::support::program::robostat;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tempfile::tempdir;

const README: &str = include_str!("../../README.md");

/// The fenced blocks of a Markdown text: language and content.
fn blocks(markdown: &str) -> Vec<(&str, &str)> {
    // The language follows the fence that opens a block; every second piece lies in a block.
    let fenced = markdown.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

/// The search path, with the program under test and DuckDB first.
fn search_path() -> OsString {
    let programs = [Path::new(env!("CARGO_BIN_EXE_robostat")), duckdb::program()];
    let directories = programs.iter().filter_map(|program| program.parent());
    let inherited = env::var_os("PATH").unwrap_or_default();
    let all = directories
        .map(Path::to_owned)
        .filter(|directory| !directory.as_os_str().is_empty())
        .chain(env::split_paths(&inherited));
    env::join_paths(all).expect("no colon in a directory's name")
}

#[test]
fn commands_print_what_it_shows() {
    let folder = tempdir().expect("a folder");
    for name in ["samples", "queries"] {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        symlink(project.join(name), folder.path().join(name)).expect("space");
    }
    let blocks = blocks(README);
    let mut shown = 0;
    for pair in blocks.windows(2) {
        let [("sh", commands), ("text", expected)] = *pair else {
            continue;
        };
        // The program is there already.
        let commands: Vec<&str> = commands
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("cargo install"))
            .collect();
        let output = Command::new("sh")
            .args(["-e", "-c", &commands.concat()])
            .current_dir(folder.path())
            .env("PATH", search_path())
            .output()
            .expect("a shell");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            printed.trim_end(),
            expected.trim_end(),
            "{}{}",
            commands.concat(),
            String::from_utf8_lossy(&output.stderr)
        );
        shown += 1;
    }
    assert!(shown >= 4, "{shown} commands with their output");
}

#[test]
fn commands_are_those_of_the_program() {
    let lines = blocks(README)
        .into_iter()
        .filter(|(language, _)| *language == "sh")
        .flat_map(|(_, commands)| commands.lines());
    let named: BTreeSet<&str> = lines
        .filter_map(|line| line.split_once("robostat ")?.1.split_whitespace().next())
        .collect();
    assert!(named.contains("ingest"), "{named:?}");
    let help = |arguments: &[&str]| {
        let output = robostat(arguments).output().expect("a program");
        assert!(output.status.success(), "robostat {arguments:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    for &name in &named {
        help(&["help", name]);
    }
    let commands = help(&["--help"]);
    let commands = commands.split("Commands:").nth(1).expect("a list");
    for line in commands.lines().skip(1).take_while(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().expect("a name");
        assert!(
            named.contains(name) || name == "help",
            "the README does not tell of robostat {name}"
        );
    }
}

/// The exit codes stand in three places; they say the same.
#[test]
fn exit_codes_are_told_everywhere() {
    let run = |arguments: &[&str]| {
        let output = robostat(arguments).output().expect("a program");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let directory = tempdir().expect("a folder");
    let pages = directory.path().to_str().expect("UTF-8");
    run(&["man", "--output", pages]);
    let page = fs::read_to_string(directory.path().join("robostat-ingest.1")).expect("a page");
    for text in [run(&["help", "ingest"]), page, README.to_owned()] {
        let text = text.replace("\\-", "-").replace(['|', '.'], " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        for (code, meaning) in [
            ("0", "complete"),
            ("1", "failed"),
            ("2", "the arguments are wrong"),
            ("3", "complete, but some input was damaged"),
            ("130", "interrupted"),
        ] {
            let told = format!(" {code} {meaning}");
            assert!(text.contains(&told), "{told}\n{text}");
        }
    }
}
