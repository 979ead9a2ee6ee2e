//! The documentation is true: its commands run as they are written, and print what it shows.
//!
//! In README.md and every page of docs/, the blocks of `sh` of a page are run in order in one
//! folder, and must succeed. If a block of `text` follows, they must print it; with
//! `ROBOSTAT_UPDATE=1` in the environment, the text is replaced by what was printed. A block that
//! cannot be run here has the reason after its language, one of [`REASONS`]; its command lines must
//! still be valid. Blocks of Python are run by python/tests/test_documentation.py.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::program::{Run as _, robostat};

/// Why a block is not run: it builds programs for minutes, is for a continuous-integration service,
/// needs Spark or Hadoop, the network, data of the reader's own, or other programs.
const REASONS: [&str; 6] = ["build", "ci", "cluster", "network", "own-data", "programs"];

/// The languages of blocks that are run, or have a reason.
const RUN: [&str; 4] = ["python", "sh", "sql", "yaml"];

/// The folder of the project.
fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md and the pages of docs/.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(project().join("docs")).expect("docs/");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages.insert(0, project().join("README.md"));
    pages
}

/// A fenced block of Markdown.
#[derive(Clone, Copy)]
struct Block<'a> {
    language: &'a str,
    /// Why it is not run.
    reason: Option<&'a str>,
    text: &'a str,
}

/// The fenced blocks of a Markdown text.
fn blocks(markdown: &str) -> Vec<Block<'_>> {
    // Every second piece is in a block, and begins with the rest of the line of its fence.
    let fenced = markdown.split("```").skip(1).step_by(2);
    let blocks = fenced.filter_map(|block| block.split_once('\n'));
    blocks
        .map(|(info, text)| {
            let (language, reason) = info.split_once(' ').unzip();
            Block {
                language: language.unwrap_or(info),
                reason,
                text,
            }
        })
        .collect()
}

/// The search path, with the program under test and DuckDB first.
pub(crate) fn search_path() -> OsString {
    let programs = [Path::new(env!("CARGO_BIN_EXE_robostat")), duckdb::program()];
    let directories = programs.iter().filter_map(|program| program.parent());
    let inherited = env::var_os("PATH").unwrap_or_default();
    let all = directories
        .map(Path::to_owned)
        .filter(|directory| !directory.as_os_str().is_empty())
        .chain(env::split_paths(&inherited));
    env::join_paths(all).expect("no colon in a directory's name")
}

/// Runs the commands of a page in order. Returns those whose output the page shows, with the text
/// that it shows and the text that they print.
fn outputs(page: &str) -> Vec<(&str, &str, String)> {
    let folder = tempdir().expect("a folder");
    symlink(project().join("samples"), folder.path().join("samples")).expect("space");
    let mut outputs = Vec::new();
    let mut blocks = blocks(page).into_iter().peekable();
    while let Some(block) = blocks.next() {
        if block.language != "sh" || block.reason.is_some() {
            continue;
        }
        let commands = block.text;
        let output = Command::new("sh")
            .args(["-e", "-c", commands])
            .current_dir(folder.path())
            .env("PATH", search_path())
            .env_remove("ROBOSTAT_DUCKDB")
            .output()
            .expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        // check has exit codes for its verdicts.
        let is_verdict = commands.contains("robostat check");
        assert!(output.status.success() || is_verdict, "{commands}{errors}");
        if let Some(shown) = blocks.next_if(|next| next.language == "text") {
            let printed = String::from_utf8(output.stdout).expect("UTF-8");
            outputs.push((commands, shown.text, printed));
        }
    }
    outputs
}

#[test]
fn commands_print_what_the_documentation_shows() {
    let pages: Vec<(PathBuf, String)> = pages()
        .into_iter()
        .map(|path| (path.clone(), fs::read_to_string(path).expect("a page")))
        .collect();
    let outputs: Vec<_> = pages.par_iter().map(|(_, page)| outputs(page)).collect();
    let mut n_shown = 0;
    for ((path, page), outputs) in pages.iter().zip(outputs) {
        n_shown += outputs.len();
        if env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
            let mut updated = page.clone();
            for (commands, expected, printed) in outputs {
                let old = format!("{commands}```\n\n```text\n{expected}```");
                let new = format!("{commands}```\n\n```text\n{}\n```", printed.trim_end());
                assert!(updated.contains(&old), "{commands}");
                updated = updated.replacen(&old, &new, 1);
            }
            fs::write(path, updated).expect("written");
            continue;
        }
        for (commands, expected, printed) in outputs {
            assert_eq!(
                printed.trim_end(),
                expected.trim_end(),
                "{}:\n{commands}",
                path.display()
            );
        }
    }
    assert!(n_shown >= 7, "{n_shown} commands with their output");
}

/// Every block has a language that is run or only shown, and a known reason if it is not run. Its
/// calls of robostat then have arguments that the program accepts.
#[test]
fn blocks_that_are_not_run_have_a_reason_and_valid_commands() {
    let folder = tempdir().expect("a folder");
    // A stand-in for the program writes its arguments to a file, each ended by a null character,
    // and each call by another. The shell finds no other program, and so continues with the next
    // command.
    let stand_in = folder.path().join("robostat");
    let script = "#!/bin/sh\n{ printf '%s\\0' \"$0\" \"$@\"; printf '\\0'; } >>\"$CALLS\"\n";
    fs::write(&stand_in, script).expect("space");
    fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o755)).expect("an owner");
    let calls = folder.path().join("calls");
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        let place = path.display();
        for block in blocks(&page) {
            let Some(reason) = block.reason else {
                let is_known = RUN.contains(&block.language) || block.language == "text";
                assert!(is_known, "{place}: {}", block.language);
                assert!(block.language != "yaml", "{place}: YAML is not run");
                continue;
            };
            assert!(REASONS.contains(&reason), "{place}: {reason}");
            if block.language == "sh" {
                let shell = Command::new("/bin/sh")
                    .args(["-c", block.text])
                    .current_dir(folder.path())
                    .env("PATH", folder.path())
                    .env("CALLS", &calls)
                    .output();
                shell.expect("a shell");
            }
        }
    }
    let calls = fs::read_to_string(calls).expect("calls of robostat");
    let mut n_calls = 0;
    for call in calls.split_terminator("\0\0") {
        let arguments = robostat::cli::command().try_get_matches_from(call.split('\0'));
        assert!(arguments.is_ok(), "{call:?}: {}", arguments.unwrap_err());
        n_calls += 1;
    }
    assert!(n_calls >= 9, "{n_calls} calls");
}

/// Every block of SQL runs on the samples.
#[test]
fn sql_of_the_documentation_runs() {
    let folder = tempdir().expect("a folder");
    symlink(project().join("samples"), folder.path().join("samples")).expect("space");
    let out = folder.path().join("out");
    let ingest = |arguments: &[&str]| {
        let mut command = robostat(["ingest", "--quiet"]);
        let status = command.args(arguments).arg(&out).status().expect("a run");
        assert!(status.success());
    };
    let sample = |name: &str| project().join("samples").join(name).display().to_string();
    ingest(&["--subset", "robotstxt", &sample("crawl.warc.gz")]);
    ingest(&["--pages", "--crawl", "MADE-UP", &sample("pages.warc")]);
    let mut texts = pages();
    for name in [
        "queries/README.md",
        "samples/README.md",
        "examples/README.md",
        "CONTRIBUTING.md",
    ] {
        texts.push(project().join(name));
    }
    for entry in fs::read_dir(project().join("crates")).expect("crates/") {
        texts.push(entry.expect("an entry").path().join("README.md"));
    }
    let mut n_run = 0;
    for path in texts.iter().filter(|path| path.exists()) {
        let page = fs::read_to_string(path).expect("a page");
        for block in blocks(&page) {
            if block.language != "sql" {
                continue;
            }
            let sql = block.text;
            let output = robostat(["query", "out", "--format", "csv", "-e", sql])
                .current_dir(folder.path())
                .output()
                .expect("a run");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "{}:\n{sql}{errors}",
                path.display()
            );
            n_run += 1;
        }
    }
    assert!(n_run >= 4, "{n_run} blocks of SQL");
}

#[test]
fn commands_are_those_of_the_program() {
    let pages: Vec<String> = pages()
        .iter()
        .map(|page| fs::read_to_string(page).expect("a page"))
        .collect();
    let commands = |page| {
        let blocks = blocks(page).into_iter();
        let shell = blocks.filter(|block| block.language == "sh");
        shell.flat_map(|block| block.text.lines())
    };
    let named: BTreeSet<&str> = pages
        .iter()
        .flat_map(|page| commands(page))
        .flat_map(|line| line.split('|'))
        .filter_map(|command| command.trim().strip_prefix("robostat "))
        .filter_map(|arguments| arguments.split_whitespace().next())
        .collect();
    assert!(named.contains("ingest"), "{named:?}");
    let help = |arguments: &[&str]| robostat(arguments).succeed();
    for &name in &named {
        help(&["help", name]);
    }
    let text = pages.concat();
    let commands = help(&["--help"]);
    let commands = commands.split("Commands:").nth(1).expect("a list");
    let lines = commands.lines().skip(1).take_while(|line| !line.is_empty());
    for line in lines.filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let name = line.split_whitespace().next().expect("a name");
        assert!(
            text.contains(&format!("robostat {name}")) || text.contains(&format!("`{name}`")),
            "no page describes robostat {name}"
        );
    }
}

/// The exit codes are listed in three places, which agree.
#[test]
fn exit_codes_are_the_same_everywhere() {
    let run = |arguments: &[&str]| {
        let output = robostat(arguments).output().expect("a program");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let directory = tempdir().expect("a folder");
    let manual = directory.path().to_str().expect("UTF-8");
    run(&["man", "--output", manual]);
    let manual = fs::read_to_string(directory.path().join("robostat-ingest.1")).expect("a page");
    let page = fs::read_to_string(project().join("docs/ingest.md")).expect("a page");
    for text in [run(&["help", "ingest"]), manual, page] {
        let text = text.replace("\\-", "-").replace(['|', '.'], " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        for meaning in [
            " 0 complete",
            " 1 failed; earlier commits stay and are consistent",
            " 2 the arguments are wrong",
            " 3 complete, but some input was damaged",
            " interrupted",
            " the same command continues from the last commit",
        ] {
            assert!(text.contains(meaning), "{meaning}\n{text}");
        }
        assert!(["129", "130", "143"].iter().all(|code| text.contains(code)));
    }
}
