//! Runs of the real program, and what they print or write.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::duckdb;

/// Environment variables that redirect requests, or name certificates to trust.
pub(crate) const NETWORK: [&str; 9] = [
    "ALL_PROXY",
    "all_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
];

/// The program, with arguments, and the DuckDB of the tests.
pub(crate) fn robostat<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robostat"));
    command
        .args(arguments)
        .env("ROBOSTAT_DUCKDB", duckdb::program());
    command
}

/// Runs whose exit code is known beforehand.
pub(crate) trait Run {
    /// Standard output of a run that must succeed.
    fn succeed(&mut self) -> String;
    /// Standard error of a run that must end with this exit code.
    fn fail(&mut self, code: i32) -> String;
}

impl Run for Command {
    #[track_caller]
    fn succeed(&mut self) -> String {
        let output = self.output().expect("a run");
        assert!(output.status.success(), "{self:?}: {}", text(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    #[track_caller]
    fn fail(&mut self, code: i32) -> String {
        let output = self.output().expect("a run");
        let errors = text(&output);
        assert_eq!(output.status.code(), Some(code), "{self:?}: {errors}");
        errors
    }
}

/// Fails unless `text` contains each of `parts`.
#[track_caller]
pub(crate) fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

/// A run with `input` on standard input.
pub(crate) fn run_with(mut command: Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // In a thread of its own: the program may answer, or end, before it has read everything.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the program ends")
    })
}

/// Exit code and standard output of a run with `input` on standard input.
pub(crate) fn code_and_stdout(arguments: &[&str], input: &[u8]) -> (Option<i32>, String) {
    let output = run_with(robostat(arguments), input);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code(), text)
}

/// The program, with arguments, in the folder of samples.
pub(crate) fn in_samples<S: AsRef<OsStr>>(arguments: &[S]) -> Command {
    let mut command = robostat(arguments);
    command.current_dir(samples()).stdin(Stdio::null());
    command
}

/// Standard output of a run in the folder of samples that must succeed.
#[track_caller]
pub(crate) fn stdout<S: AsRef<OsStr>>(arguments: &[S]) -> String {
    in_samples(arguments).succeed()
}

/// Standard error of a run in the folder of samples that must fail with this exit code and print
/// nothing.
#[track_caller]
pub(crate) fn stderr<S: AsRef<OsStr>>(arguments: &[S], code: i32) -> String {
    let output = in_samples(arguments).output().expect("a run");
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    errors
}

/// Ingests `input` into `out` with further arguments; the exit code must be `code`.
#[track_caller]
pub(crate) fn ingest(arguments: &[&str], input: &Path, out: &Path, code: i32) -> serde_json::Value {
    let output = robostat(["ingest", "--json"])
        .args(arguments)
        .arg(input)
        .arg(out)
        .output()
        .expect("a program");
    assert_eq!(output.status.code(), Some(code), "{}", text(&output));
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

/// Fails unless `robostat verify` finds the dataset consistent.
#[track_caller]
pub(crate) fn assert_consistent(out: &Path) {
    let output = robostat(["verify", "--quiet"]).arg(out).output();
    let output = output.expect("a program");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
}

/// What a run printed on standard error.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every file below a directory.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// The part files of a dataset with their bytes, by path within it.
pub(crate) fn parts(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_part = |path: &PathBuf| path.extension().is_some_and(|it| it == "parquet");
    let parts = files(out).into_iter().filter(is_part);
    let within = |path: &Path| path.strip_prefix(out).expect("within").to_owned();
    parts
        .map(|path| (within(&path), fs::read(&path).expect("a part")))
        .collect()
}

/// A library of this C source for `LD_PRELOAD`, built with the compiler that built zstd and
/// libdeflate.
pub(crate) fn preload(directory: &Path, source: &str) -> PathBuf {
    let [file, library] = ["preload.c", "preload.so"].map(|name| directory.join(name));
    fs::write(&file, source).expect("space");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &file])
        .status();
    assert!(built.expect("a C compiler").success());
    library
}

/// A number of the JSON summary.
pub(crate) fn number(summary: &serde_json::Value, key: &str) -> u64 {
    summary[key]
        .as_u64()
        .unwrap_or_else(|| panic!("{key} in {summary}"))
}

/// Some numbers of the JSON summary.
#[track_caller]
pub(crate) fn numbers<const N: usize>(summary: &serde_json::Value, keys: [&str; N]) -> [u64; N] {
    keys.map(|key| number(summary, key))
}

/// A file of the samples.
pub(crate) fn sample(name: &str) -> PathBuf {
    samples().join(name)
}

/// The folder of samples.
pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

/// Compares `found` with the committed file `tests/snapshots/<name>`.
#[track_caller]
pub(crate) fn assert_snapshot(name: &str, found: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    assert_text(&directory.join(name), found);
}

/// Compares `found` with a committed file; with `ROBOSTAT_UPDATE=1` in the environment, writes it
/// instead.
#[track_caller]
pub(crate) fn assert_text(path: &Path, found: &str) {
    if std::env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, found).expect("written");
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == found {
        return;
    }
    let pairs = expected.lines().zip(found.lines());
    let same = pairs.take_while(|(one, other)| one == other).count();
    let lines = |text: &str, sign: &str| {
        let lines = text.lines().skip(same).take(12);
        lines.fold(String::new(), |all, line| all + sign + line + "\n")
    };
    panic!(
        "{} differs from line {} on:\n{}{}If the change is meant, run the tests with \
         ROBOSTAT_UPDATE=1 and look at what git diff shows.",
        path.display(),
        same + 1,
        lines(&expected, "- "),
        lines(found, "+ "),
    );
}
