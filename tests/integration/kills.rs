//! Runs that are killed at a system call, and readers who may not write: at every such moment the
//! dataset can be queried, as it was before the run or as it is after it.
//!
//! `ROBOSTAT_KILLS=1000` kills at every call that makes, renames or removes a file, instead of at a
//! few calls.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::inputs::{copy, kills, split_sample};
use crate::support::program::{Run as _, files, ingest, preload, robostat, text};

/// A library that is loaded before the C library. It kills the program at call number `KILL_AT`,
/// and writes the number of calls to the file `CALLS` if the program is not killed.
const KILLER: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static int calls;
static void count(void) {
    const char *at = getenv("KILL_AT");
    if (__sync_add_and_fetch(&calls, 1) == (at ? atoi(at) : 0)) kill(getpid(), SIGKILL);
}
__attribute__((destructor)) static void end(void) {
    FILE *file = getenv("CALLS") ? fopen(getenv("CALLS"), "w") : NULL;
    if (file) { fprintf(file, "%d", calls); fclose(file); }
}
#define CALL(name, parameters, arguments) int name parameters { \
    count(); \
    int (*next) parameters = dlsym(RTLD_NEXT, #name); \
    return next arguments; \
}
CALL(rename, (const char *from, const char *to), (from, to))
CALL(unlink, (const char *path), (path))
CALL(unlinkat, (int directory, const char *path, int flags), (directory, path, flags))
CALL(rmdir, (const char *path), (path))
CALL(mkdir, (const char *path, mode_t mode), (path, mode))
"#;

/// Answers that need every kind of table.
const QUESTION: &str = "SELECT (SELECT count(*) FROM captures), (SELECT count(*) FROM hosts), \
                        (SELECT count(*) FROM rules), (SELECT count(*) FROM inputs), \
                        (SELECT count(*) > 0 FROM effective_agents), \
                        (SELECT count(*) > 0 FROM agent_catalog)";

/// The answer of DuckDB.
#[track_caller]
fn by_views(out: &Path) -> String {
    duckdb::of(out, QUESTION).join("\n")
}

/// The answers of DuckDB and of the program.
#[track_caller]
fn answers(out: &Path) -> [String; 2] {
    let answer = robostat(["query", "--format", "csv"])
        .arg(out)
        .args(["-e", QUESTION])
        .succeed();
    let line = answer.lines().last().unwrap_or_default();
    [by_views(out), line.replace(',', "|")]
}

/// Every file of a directory, with its size.
fn sizes(directory: &Path) -> BTreeMap<PathBuf, u64> {
    let files = files(directory).into_iter();
    files
        .map(|path| (path.clone(), fs::metadata(path).expect("a file").len()))
        .collect()
}

/// The exit code of `robostat verify`, and its last line.
fn verify(out: &Path) -> (Option<i32>, String) {
    let output = robostat(["verify"]).arg(out).output().expect("a program");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code(), said)
}

/// Kills `change`, a command that works on the dataset in `out`, at calls all over its run.
#[track_caller]
fn kill_all_over(out: &Path, library: &Path, change: &[&Path]) {
    let base = out.with_file_name("base");
    copy(out, &base);
    let restore = || {
        fs::remove_dir_all(out).expect("a dataset");
        copy(&base, out);
    };
    let calls = out.with_file_name("calls");
    let run = |kill_at: u32| {
        let mut command = robostat(change);
        command.env("LD_PRELOAD", library).env("CALLS", &calls);
        command.env("KILL_AT", kill_at.to_string()).output()
    };
    let before = answers(out);
    assert_eq!(before[0], before[1]);
    assert!(run(0).expect("a program").status.success());
    let n_calls = fs::read_to_string(&calls).expect("a number");
    let n_calls: u32 = n_calls.parse().expect("a number");
    assert!(n_calls > 20, "{n_calls} calls");
    let after = answers(out);
    assert_eq!(after[0], after[1]);
    let mut interrupted = 0;
    let n_kills = kills(7).min(n_calls);
    for kill in 0..n_kills {
        // The last calls, which publish a commit, are the ones that matter.
        let at = n_calls - kill * n_calls / n_kills;
        restore();
        run(at).expect("a program");
        let moment = format!("killed at call {at} of {n_calls}");
        let left = sizes(out);
        for answer in answers(out) {
            assert!(
                answer == before[0] || answer == after[0],
                "{moment}: {answer}, {} before, {} after",
                before[0],
                after[0]
            );
        }
        let (code, said) = verify(out);
        let state = said.lines().last().unwrap_or_default();
        if code == Some(0) {
            assert!(state.starts_with("consistent"), "{moment}: {said}");
        } else {
            assert_eq!(code, Some(3), "{moment}: {said}");
            assert!(state.starts_with("interrupted: "), "{moment}: {said}");
            interrupted += 1;
        }
        assert_eq!(sizes(out), left, "{moment}: readers change nothing");
        let again = run(0).expect("a program");
        assert!(again.status.success(), "{moment}: {}", text(&again));
        assert_eq!(by_views(out), after[0], "{moment}");
        let (code, said) = verify(out);
        assert_eq!(code, Some(0), "{moment}: {said}");
    }
    assert!(interrupted > 0, "no kill came within a commit");
}

#[test]
fn a_killed_compaction_leaves_every_reader_an_answer() {
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path());
    let out = directory.path().join("out");
    ingest(&["--commit-every", "1"], &inputs, &out, 0);
    let library = preload(directory.path(), KILLER);
    let jobs = [Path::new("compact"), Path::new("--jobs=1"), &out];
    kill_all_over(&out, &library, &jobs);
}

#[test]
fn a_killed_replacement_leaves_every_reader_an_answer() {
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path());
    let out = directory.path().join("out");
    ingest(&[], &inputs, &out, 0);
    let library = preload(directory.path(), KILLER);
    // Captures of one input go to another crawl.
    let input = inputs.join("00.warc.gz");
    let options = ["ingest", "-q", "--jobs=1", "--force", "--crawl=b"].map(Path::new);
    let change = [&options[..], &[input.as_path(), out.as_path()]].concat();
    kill_all_over(&out, &library, &change);
}

#[test]
fn a_killed_merge_leaves_every_reader_an_answer() {
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path());
    let [out, other] = ["out", "other"].map(|name| directory.path().join(name));
    ingest(&[], &inputs.join("00.warc.gz"), &out, 0);
    ingest(&[], &inputs.join("01.warc.gz"), &other, 0);
    let library = preload(directory.path(), KILLER);
    let options = ["merge", "-q", "--jobs=1"].map(Path::new);
    let rest = [other.as_path(), Path::new("-o"), out.as_path()];
    kill_all_over(&out, &library, &[&options[..], &rest].concat());
}
