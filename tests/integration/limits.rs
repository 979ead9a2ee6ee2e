//! Limits of the system on memory, threads and open files: a run that meets one ends with a message
//! and exit code 1, and what was committed stays.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::{TempDir, tempdir};

use crate::support::inputs::copy;
use crate::support::program::{self, Run as _, parts, preload, robostat, sample, text};

/// A dataset with a crawl, to which another crawl is added under a limit.
struct Limited {
    directory: TempDir,
    /// The dataset before a run, and the copy that a run extends.
    base: PathBuf,
    out: PathBuf,
    /// The dataset that the run makes without a limit.
    expected: PathBuf,
}

impl Limited {
    fn new() -> Self {
        let directory = tempdir().expect("a directory");
        let place = |name| directory.path().join(name);
        let [base, out, expected] = ["base", "out", "expected"].map(place);
        program::ingest(&["--crawl", "one"], &sample("crawl.warc"), &base, 0);
        copy(&base, &expected);
        assert!(add(&mut robostat(["ingest"]), &expected).status.success());
        Self {
            directory,
            base,
            out,
            expected,
        }
    }

    /// Runs `command`, which ends with `ingest`, under a limit. A run that fails must print one of
    /// `words` and leave the dataset as it was; then the same run without the limit must succeed.
    /// Returns whether it failed.
    #[track_caller]
    fn run(&self, command: &mut Command, words: &[&str]) -> bool {
        let _ = fs::remove_dir_all(&self.out);
        copy(&self.base, &self.out);
        let before = parts(&self.out);
        let output = add(command, &self.out);
        let said = text(&output);
        match output.status.code() {
            Some(0) => {}
            Some(1) => {
                assert!(
                    words.iter().any(|it| said.contains(it)),
                    "{command:?}: {said}"
                );
                // A run that ends at once leaves files in .staging, which the next one removes.
                let mut after = parts(&self.out);
                after.retain(|path, _| !path.starts_with(".staging"));
                assert!(after == before, "what was committed stays");
                assert!(add(&mut robostat(["ingest"]), &self.out).status.success());
            }
            _ => panic!("{command:?}: {:?}: {said}", output.status),
        }
        assert!(parts(&self.out) == parts(&self.expected), "{command:?}");
        output.status.code() == Some(1)
    }

    /// A shell that runs the program under the limit `ulimit` sets.
    fn shell(ulimit: &str) -> Command {
        let mut shell = Command::new("sh");
        let script = format!("ulimit -c 0; ulimit {ulimit}; exec \"$@\"");
        shell.args([
            "-c",
            &script,
            "sh",
            env!("CARGO_BIN_EXE_robostat"),
            "ingest",
        ]);
        shell
    }
}

/// Runs `command`, which adds a crawl to `out`.
fn add(command: &mut Command, out: &Path) -> Output {
    let input = sample("crawl.warc.zst");
    command
        .args(["--jobs", "2", "--crawl", "two", "--force"])
        .args([&input, out])
        .output()
        .expect("a program")
}

#[test]
fn a_run_without_enough_memory_says_so_and_loses_nothing() {
    let limited = Limited::new();
    let words = ["out of memory", "no more threads", "more memory"];
    // In KiB: the size of the program itself, with the data that locates its errors.
    let program = fs::metadata(env!("CARGO_BIN_EXE_robostat"))
        .expect("a program")
        .len()
        / 1024;
    let limits = (1..=20).map(|step| program + 40_000 + step * 20_000);
    let failed =
        limits.filter(|limit| limited.run(&mut Limited::shell(&format!("-v {limit}")), &words));
    assert!(failed.count() > 2);
}

#[test]
fn a_run_without_enough_open_files_says_so() {
    let limited = Limited::new();
    let failed = (4..=14_u32)
        .filter(|limit| limited.run(&mut Limited::shell(&format!("-n {limit}")), &["ulimit -n"]));
    assert!(failed.count() > 2);
}

/// A library that is loaded before the C library and allows `THREADS` threads.
const FEW_THREADS: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int made;
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *value) {
    if (__sync_fetch_and_add(&made, 1) >= atoi(getenv("THREADS"))) return EAGAIN;
    return ((create *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, start, value);
}
"#;

#[test]
fn a_run_without_enough_threads_says_so() {
    let limited = Limited::new();
    let library = preload(limited.directory.path(), FEW_THREADS);
    let with = |threads: u32, words: &[&str]| {
        let mut command = robostat(words);
        command
            .env("LD_PRELOAD", &library)
            .env("THREADS", threads.to_string());
        command
    };
    let failed =
        (0..6).filter(|threads| limited.run(&mut with(*threads, &["ingest"]), &["ulimit -u"]));
    assert!(failed.count() > 2);
    for words in [
        &["query", "OUT", "agent-adoption"][..],
        &["merge", "OUT", "-o", "MERGED"],
    ] {
        for threads in 0..2 {
            let words = words.iter().map(|word| match *word {
                "OUT" => limited.out.clone(),
                "MERGED" => limited.directory.path().join("merged"),
                word => PathBuf::from(word),
            });
            let mut command = with(threads, &[]);
            command.args(words);
            let errors = command.fail(1);
            assert!(errors.contains("ulimit -u"), "{}", errors);
        }
    }
}
