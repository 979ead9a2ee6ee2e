//! Killed at any moment, nothing is half there: the same command again gives the dataset of a run
//! that nobody disturbed.
//!
//! `ROBOSTAT_KILLS=200` kills that often; without it a fast selection.

#[path = "support/run.rs"]
mod run;
#[path = "support/warc.rs"]
mod warc;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use run::{parts, robostat, sample, text};
use tempfile::tempdir;
use warc::Packing;

/// Splits the sample crawl into many small files.
fn inputs(directory: &Path) -> PathBuf {
    let inputs = directory.join("robotstxt");
    fs::create_dir(&inputs).expect("space");
    let records = warc::records(&sample("crawl.warc"));
    for (number, records) in records.chunks(60).enumerate() {
        fs::write(
            inputs.join(format!("{number:02}.warc.gz")),
            Packing::GzipPerRecord.pack(records),
        )
        .expect("space");
    }
    inputs
}

fn command(inputs: &Path, out: &Path) -> Command {
    let mut command = robostat(["ingest", "--quiet", "--commit-every", "1"]);
    command.arg(inputs).arg(out).stderr(Stdio::piped());
    command
}

fn begin(inputs: &Path, out: &Path) -> Child {
    command(inputs, out).spawn().expect("a program")
}

#[test]
fn a_killed_run_is_taken_up_where_it_stopped() {
    let kills: u32 = std::env::var("ROBOSTAT_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(12);
    let directory = tempdir().expect("a directory");
    let inputs = inputs(directory.path());
    let undisturbed = directory.path().join("undisturbed");
    let begun = Instant::now();
    assert!(
        begin(&inputs, &undisturbed)
            .wait()
            .expect("an end")
            .success()
    );
    let whole = begun.elapsed();
    let expected = parts(&undisturbed);
    assert!(expected.len() > 50, "many commits: {}", expected.len());

    let out = directory.path().join("out");
    for kill in 0..kills {
        // Moments spread over a run by the golden ratio, each run going on from the last commit.
        let moment = whole.mul_f64((f64::from(kill) * 0.618_034).fract());
        let mut child = begin(&inputs, &out);
        sleep(moment);
        child.kill().expect("a process");
        child.wait().expect("an end");
        if kill % 5 == 4 {
            assert!(begin(&inputs, &out).wait().expect("an end").success());
            assert!(parts(&out) == expected, "after kill {kill}");
            fs::remove_dir_all(&out).expect("a dataset");
        }
    }
    assert!(begin(&inputs, &out).wait().expect("an end").success());
    assert!(parts(&out) == expected);
    assert!(!out.join(".staging").exists(), "nothing is left aside");
}

#[test]
fn an_interrupt_ends_the_run_and_keeps_what_was_committed() {
    let directory = tempdir().expect("a directory");
    let (inputs, out) = (inputs(directory.path()), directory.path().join("out"));
    let child = begin(&inputs, &out);
    while fs::read_dir(out.join("manifest")).map_or(0, Iterator::count) < 2 {
        sleep(Duration::from_millis(1));
    }
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output));
    assert!(
        text(&output).contains("goes on from there"),
        "{}",
        text(&output)
    );
    assert!(!parts(&out).is_empty());
    assert!(begin(&inputs, &out).wait().expect("an end").success());
}

#[test]
fn a_dataset_has_one_writer() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    let mut child = robostat(["ingest", "--quiet", "-"])
        .arg(&out)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a program");
    while !out.join(".lock").exists() || !out.join(".staging").exists() {
        sleep(Duration::from_millis(1));
    }
    let second = robostat(["ingest"])
        .args([&sample("crawl.warc"), &out])
        .output()
        .expect("a program");
    assert_eq!(second.status.code(), Some(1));
    assert!(
        text(&second).contains("another robostat"),
        "{}",
        text(&second)
    );
    drop(child.stdin.take());
    child.wait().expect("an end");
}

#[test]
fn a_full_disk_fails_with_a_remedy() {
    // /dev/full stands in for a file on a full disk; the dataset's staging directory cannot be
    // put there without privileges, so the summary is written to it.
    let directory = tempdir().expect("a directory");
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
        return;
    };
    let output = robostat(["ingest", "--json"])
        .args([&sample("crawl.warc"), &directory.path().join("out")])
        .stdout(full)
        .output()
        .expect("a program");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("No space left"), "{}", text(&output));
}
