//! Runs of the program, and what they print compared with committed files.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program, its directory that of the samples.
pub(crate) fn robostat<I: AsRef<OsStr>>(arguments: &[I]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robostat"));
    command.args(arguments).current_dir(samples());
    command
}

/// A run with nothing on standard input.
pub(crate) fn run<I: AsRef<OsStr>>(arguments: &[I]) -> Output {
    let mut command = robostat(arguments);
    command.stdin(Stdio::null()).output().expect("a run")
}

/// A run with `input` on standard input.
pub(crate) fn run_with<I: AsRef<OsStr>>(arguments: &[I], input: &[u8]) -> Output {
    let mut child = robostat(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a run");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // Beside the reading: the program writes before it has been given everything. It reads no
        // further than the limit, so what is not taken is no failure.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("its end")
    })
}

/// Standard output of a run that must succeed.
#[track_caller]
pub(crate) fn stdout<I: AsRef<OsStr>>(arguments: &[I]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Standard error of a run that must fail with this exit code and print nothing.
#[track_caller]
pub(crate) fn stderr<I: AsRef<OsStr>>(arguments: &[I], code: i32) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    errors
}

/// Runs the program with a standard output that nobody reads; its exit code.
pub(crate) fn run_unread<I: AsRef<OsStr>>(arguments: &[I]) -> Option<i32> {
    let mut child = robostat(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("a run");
    drop(child.stdout.take());
    child.wait().expect("its end").code()
}

/// The folder of samples.
pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

/// Compares `found` with the committed file `tests/snapshots/<name>`; with `ROBOSTAT_UPDATE=1` in
/// the environment, writes it instead.
#[track_caller]
pub(crate) fn assert_snapshot(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/snapshots")
        .join(name);
    if std::env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, found).expect("written");
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if expected == found {
        return;
    }
    let pairs = expected.lines().zip(found.lines());
    let same = pairs.take_while(|(one, other)| one == other).count();
    panic!(
        "{} differs from line {} on:\n- {}\n+ {}\nIf the change is meant, run the tests with \
         ROBOSTAT_UPDATE=1 and look at what git diff shows.",
        path.display(),
        same + 1,
        expected.lines().nth(same).unwrap_or("(its end)"),
        found.lines().nth(same).unwrap_or("(its end)")
    );
}
