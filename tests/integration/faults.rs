//! Faults of the system and signals: a run ends with a message that names the place and the remedy,
//! and what was committed stays; a run that is killed resumes where it stopped.
//! `tests/cases/inputs.md` has more.
//!
//! `ROBOSTAT_KILLS=200` kills 200 times instead of a few times.

use std::fs;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::inputs::{kills, split_sample};
use crate::support::program;
use crate::support::program::{Run as _, assert_contains, parts, preload, robostat, sample, text};
use crate::support::warc;

fn command(inputs: &Path, out: &Path) -> Command {
    let mut command = robostat(["ingest", "--quiet", "--commit-every", "1"]);
    command.arg(inputs).arg(out).stderr(Stdio::piped());
    command
}

fn begin(inputs: &Path, out: &Path) -> Child {
    command(inputs, out).spawn().expect("a program")
}

#[test]
fn a_killed_run_resumes_where_it_stopped() {
    let kills = kills(12);
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path());
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
        // Moments spread over a run by the golden ratio; each run continues from the last commit.
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

/// Inputs that replace others: at every moment an input has its old rows or its new ones, and in
/// the end the new ones.
#[test]
fn a_killed_run_that_replaces_inputs_resumes_where_it_stopped() {
    let kills = kills(3);
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path());
    let out = directory.path().join("out");
    let paths = || {
        let entries = fs::read_dir(&inputs).expect("inputs");
        entries.map(|entry| entry.expect("an entry").path())
    };
    let count = || {
        let counts = "SELECT (SELECT count(*) FROM captures), (SELECT count(*) FROM inputs)";
        duckdb::of(&out, counts)
    };
    let mut force = command(&inputs, &out);
    force.arg("--force");
    assert!(begin(&inputs, &out).wait().expect("an end").success());
    let expected = count();
    assert!(expected[0].ends_with(&format!("|{}", paths().count())));
    let begun = Instant::now();
    assert!(force.status().expect("an end").success());
    let whole = begun.elapsed();
    for kill in 0..kills {
        // Another member at the end of each changes its content, but not its captures.
        for path in paths() {
            let mut file = fs::File::options()
                .append(true)
                .open(path)
                .expect("an input");
            file.write_all(&warc::gzip(b"")).expect("space");
        }
        let mut child = if kill % 2 == 0 {
            begin(&inputs, &out)
        } else {
            let mut command = command(&inputs, &out);
            command.arg("--force").spawn().expect("a program")
        };
        sleep(whole.mul_f64((f64::from(kill) * 0.618_034).fract()));
        child.kill().expect("a process");
        child.wait().expect("an end");
        assert!(begin(&inputs, &out).wait().expect("an end").success());
        robostat(["verify"]).arg(&out).succeed();
        assert_eq!(count(), expected, "after kill {kill}");
    }
}

fn signal(child: &Child, signal: &str) {
    let status = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(status.expect("kill").success());
}

/// Ends a run by a signal: it must be gone within a second (five, on a busy machine), with the exit
/// code that shells give to the signal and a message that says how to continue.
#[track_caller]
fn end_by(child: Child, name: &str, code: i32) {
    let begun = Instant::now();
    signal(&child, name);
    let output = child.wait_with_output().expect("an end");
    let elapsed = begun.elapsed();
    assert_eq!(output.status.code(), Some(code), "{}", text(&output));
    assert_contains(&text(&output), &["continue from the last commit"]);
    assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
}

#[test]
fn a_signal_ends_the_run_and_keeps_what_was_committed() {
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path());
    for (name, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let out = directory.path().join(name);
        let child = begin(&inputs, &out);
        while fs::read_dir(out.join("manifest")).map_or(0, Iterator::count) < 2 {
            sleep(Duration::from_millis(1));
        }
        end_by(child, name, code);
        assert!(!parts(&out).is_empty());
        assert!(begin(&inputs, &out).wait().expect("an end").success());
    }
}

#[test]
fn a_signal_ends_a_run_that_waits_for_a_pipe() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    for (name, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let mut child = robostat(["ingest", "-"])
            .arg(&out)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a program");
        let pipe = child.stdin.take();
        wait_for_staging(&out);
        end_by(child, name, code);
        drop(pipe);
    }
    program::ingest(&[], &sample("crawl.warc"), &out, 0);
}

/// Waits until a run has the dataset to itself, and a moment longer, until it reads.
fn wait_for_staging(out: &Path) {
    while !out.join(".lock").exists() || !out.join(".staging").exists() {
        sleep(Duration::from_millis(1));
    }
    sleep(Duration::from_millis(300));
}

/// A disk of 400 KiB; the user may lack the privilege to mount it. `tests/cases/inputs.md` has a
/// limit on the size of files.
#[test]
fn a_full_disk_fails_with_a_remedy() {
    let directory = tempdir().expect("a directory");
    let [disk, big] = ["disk", "big.warc"].map(|name| directory.path().join(name));
    fs::create_dir(&disk).expect("space");
    let records = (0..12_000).flat_map(|number| {
        let url = format!("http://h{number}.example/robots.txt");
        let body = format!("User-agent: a\nDisallow: /{}\n", number * 7919);
        warc::response(number, &url, body.as_bytes())
    });
    fs::write(&big, records.collect::<Vec<u8>>()).expect("space");
    // In a mount namespace of its own, so that nothing is left mounted.
    let script =
        "mount -t tmpfs -o size=400k none \"$1\" || exit 77; exec \"$2\" ingest \"$3\" \"$1/out\"";
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", script, "sh"])
        .args([&disk, Path::new(env!("CARGO_BIN_EXE_robostat")), &big])
        .output();
    match output {
        Ok(output) if output.status.code() != Some(77) && !text(&output).contains("unshare: ") => {
            assert_eq!(output.status.code(), Some(1), "{}", text(&output));
            assert_contains(&text(&output), &["No space left", "free some space"]);
        }
        other => println!("no small disk here: {other:?}"),
    }
}

#[test]
fn a_connection_that_breaks_within_an_input_is_named() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut ours = TcpStream::connect(address).expect("a connection");
    let (mut theirs, _) = listener.accept().expect("a connection");
    let bytes = fs::read(sample("crawl.warc")).expect("a sample");
    theirs.write_all(&bytes[..bytes.len() / 2]).expect("sent");
    // Closed with unread data, the connection is reset.
    ours.write_all(b"unread").expect("sent");
    sleep(Duration::from_millis(50));
    drop(theirs);
    let mut ingest = robostat(["ingest", "-"]);
    ingest.arg(&out).stdin(OwnedFd::from(ours));
    assert_contains(&ingest.fail(1), &["standard input: Connection reset"]);
    assert!(!out.exists() || parts(&out).is_empty());
    program::ingest(&[], &sample("crawl.warc"), &out, 0);
}

/// The sample crawl, repeated, as one file and one commit.
fn long_crawl(path: &Path, times: usize) {
    let crawl = fs::read(sample("crawl.warc")).expect("a sample");
    fs::write(path, crawl.repeat(times)).expect("space");
}

#[test]
fn a_mapped_file_that_is_cut_short_is_named_with_the_place() {
    let directory = tempdir().expect("a directory");
    let (input, out) = (
        directory.path().join("crawl.warc"),
        directory.path().join("out"),
    );
    program::ingest(&[], &sample("crawl.warc"), &out, 0);
    let before = parts(&out);
    // The input takes a while to read.
    long_crawl(&input, 60);
    let child = begin(&input, &out);
    let maps = format!("/proc/{}/maps", child.id());
    while !fs::read_to_string(&maps).is_ok_and(|maps| maps.contains("crawl.warc")) {
        sleep(Duration::from_millis(1));
    }
    let file = fs::OpenOptions::new().write(true).open(&input);
    file.and_then(|file| file.set_len(4096)).expect("shorter");
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let place = format!("{}: cannot be read at about offset", input.display());
    assert!(text(&output).contains(&place), "{}", text(&output));
    assert!(parts(&out) == before, "what was committed stays");
    // The same command continues, and reads the file as it is now.
    program::ingest(&[], &input, &out, 3);
}

/// A library that is loaded before the C library and lets a disk fail from an offset on.
const FAILING_DISK: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
ssize_t pread64(int file, void *bytes, size_t length, off64_t offset) {
    if (offset + (off64_t)length > atoll(getenv("FAILS_AT"))) { errno = EIO; return -1; }
    ssize_t (*next)(int, void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pread64");
    return next(file, bytes, length, offset);
}
"#;

#[test]
fn a_disk_that_fails_in_the_middle_of_a_file_is_reported_with_the_place() {
    let directory = tempdir().expect("a directory");
    let library = preload(directory.path(), FAILING_DISK);
    let (input, out) = (
        directory.path().join("crawl.warc"),
        directory.path().join("out"),
    );
    long_crawl(&input, 10);
    let size = fs::metadata(&input).expect("a file").len();
    program::ingest(&[], &sample("crawl.warc"), &out, 0);
    let before = parts(&out);
    for fails_at in [size / 2, 0] {
        let output = command(&input, &out)
            .arg("--no-mmap")
            .env("LD_PRELOAD", &library)
            .env("FAILS_AT", fails_at.to_string())
            .output()
            .expect("a program");
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        let told = text(&output);
        assert_contains(&told, &[&format!("{}: at offset ", input.display())]);
        assert!(told.contains("Input/output error"), "{told}");
        assert!(parts(&out) == before, "what was committed stays");
    }
    program::ingest(&[], &input, &out, 0);
}

/// Root may read everything, so for root the program runs as another user.
#[test]
fn missing_permissions_are_reported_with_a_remedy() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65_534;
    let directory = tempdir().expect("a directory");
    let forbid = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    forbid(directory.path(), 0o755);
    let input = directory.path().join("crawl.warc");
    fs::copy(sample("crawl.warc"), &input).expect("space");
    forbid(&input, 0o000);
    let is_root = fs::File::open(&input).is_ok();
    // A copy that other users may run.
    let program = directory.path().join("robostat");
    fs::copy(env!("CARGO_BIN_EXE_robostat"), &program).expect("space");
    let refused = |input: &Path, out: &Path| {
        let mut command = Command::new(&program);
        command.arg("ingest").args([input, out]);
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        let errors = command.fail(1);
        assert_contains(&errors, &["check the owner and permissions"]);
    };
    let open = directory.path().join("open");
    fs::create_dir(&open).expect("space");
    forbid(&open, 0o777);
    refused(&input, &open.join("out"));
    forbid(&input, 0o644);
    let closed = directory.path().join("closed");
    fs::create_dir(&closed).expect("space");
    forbid(&closed, 0o555);
    refused(&input, &closed.join("out"));
    forbid(&closed, 0o700);
}
