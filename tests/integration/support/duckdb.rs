//! DuckDB for tests: found on this machine, or installed into the target directory.
//!
//! In this order: the program that `ROBOSTAT_DUCKDB` names, `duckdb` on the PATH, the package
//! `duckdb-cli` of the Python Package Index, downloaded once by whatever Python installer there is.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use robostat::internals::views;

use super::install::install;

/// The oldest version that the views and queries are written for.
const OLDEST: (u32, u32) = (1, 4);
/// The version to install if none is found.
const PACKAGE: &str = "duckdb-cli>=1.4,<2";

/// The program.
static DUCKDB: LazyLock<PathBuf> = LazyLock::new(|| find().unwrap_or_else(|why| panic!("{why}")));

/// The program, for those who run it themselves or let robostat do so.
#[track_caller]
pub(crate) fn program() -> &'static Path {
    &DUCKDB
}

/// Runs SQL and returns the rows of every result, their values separated by `|`. Tables are small:
/// one thread plans faster than several.
#[track_caller]
pub(crate) fn lines(sql: &str) -> Vec<String> {
    let sql = &["SET threads = 1;\n", sql].concat();
    let output = execute(&["-list", "-noheader", "-nullvalue", "NULL"], sql);
    let text = String::from_utf8(output.stdout).expect("values are UTF-8");
    text.lines().map(str::to_owned).collect()
}

/// As [`lines`], for a dataset.
#[track_caller]
pub(crate) fn of(dataset: &Path, sql: &str) -> Vec<String> {
    lines(&(views(dataset, sql) + "\n" + sql))
}

/// The views of a dataset that SQL names: defining all views takes DuckDB longer than most answers.
/// Returns all views if the SQL may use others, through a file or DuckDB's catalogue.
#[track_caller]
pub(crate) fn views(dataset: &Path, sql: &str) -> String {
    let all = fs::read_to_string(dataset.join("views.sql")).expect("a dataset");
    if views::is_catalogue_asked(sql) || sql.lines().any(|line| line.starts_with(".read")) {
        return all;
    }
    views::needed_by(&all, &[sql])
}

#[track_caller]
fn execute(options: &[&str], sql: &str) -> Output {
    let mut child = Command::new(&*DUCKDB)
        .args(["-init", "/dev/null", "-bail"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("duckdb starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let sql = sql.to_owned();
    // Written by another thread: DuckDB may answer before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all(sql.as_bytes()));
    let output = child.wait_with_output().expect("duckdb ends");
    // A broken pipe means that DuckDB stopped at an error, which is reported below.
    let _ = writer.join().expect("the writer does not panic");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && !errors.contains("Error"),
        "duckdb: {}\n{errors}",
        output.status
    );
    output
}

fn find() -> Result<PathBuf, String> {
    if let Some(program) = env::var_os("ROBOSTAT_DUCKDB") {
        let program = PathBuf::from(program);
        return check(&program)
            .map(|()| program)
            .map_err(|why| format!("ROBOSTAT_DUCKDB is not usable: {why}"));
    }
    let on_path = PathBuf::from("duckdb");
    let Err(not_on_path) = check(&on_path) else {
        return Ok(on_path);
    };
    let name = format!("duckdb_cli/duckdb{}", env::consts::EXE_SUFFIX);
    let in_directory = |directory: &Path| {
        let program = directory.join(&name);
        check(&program).is_ok().then_some(program)
    };
    let options = [
        "install",
        "--quiet",
        "--upgrade",
        "--no-deps",
        PACKAGE,
        "--target",
    ];
    let pip = |program: &[&'static str]| [program, &options].concat();
    let commands = [
        pip(&["uv", "pip"]),
        pip(&["python3", "-m", "pip"]),
        pip(&["python", "-m", "pip"]),
        pip(&["pip3"]),
    ];
    let commands = commands.each_ref().map(Vec::as_slice);
    install("duckdb-cli", &commands, in_directory).map_err(|not_installed| {
        format!(
            "these tests need DuckDB {}.{} or later.\n\
             Not on the PATH: {not_on_path}\n\
             Not installable: {not_installed}\n\
             Get it from https://duckdb.org or with `pip install duckdb-cli`, or name the program \
             in ROBOSTAT_DUCKDB.",
            OLDEST.0, OLDEST.1
        )
    })
}

/// Whether a program is a DuckDB that is new enough. It is run, because a version manager's shim
/// may be on the PATH without a program to run.
fn check(program: &Path) -> Result<(), String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = output.status.success().then(|| version(&text)).flatten();
    match version {
        Some(version) if version >= OLDEST => Ok(()),
        Some((major, minor)) => Err(format!("{} is {major}.{minor}", program.display())),
        None => Err(format!(
            "{} --version: {}, {}{}",
            program.display(),
            output.status,
            text.trim(),
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}

/// Major and minor version in text such as `v1.5.0 (Name) 0123abc`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
