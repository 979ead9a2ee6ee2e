//! SQL of the user's own, which another person may have written: it reads the dataset and nothing
//! else, writes nothing, and runs no command.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use tempfile::{TempDir, tempdir};

use crate::support::mini_warc::SAMPLE;
use crate::support::program::{assert_contains, robostat, text};

/// A run of SQL in a folder of its own.
fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    robostat(["query"])
        .arg(SAMPLE.path())
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a run")
}

/// What a run says that must fail and leave no file.
#[track_caller]
fn refused(sql: &str) -> String {
    let folder = tempdir().expect("a folder");
    for is_file in [false, true] {
        let output = if is_file {
            let path = folder.path().join("shared.sql");
            fs::write(&path, sql).expect("a file");
            let output = run_in(folder.path(), &["shared.sql"]);
            fs::remove_file(path).expect("a file");
            output
        } else {
            run_in(folder.path(), &["-e", sql])
        };
        assert_eq!(output.status.code(), Some(1), "{sql}: {}", text(&output));
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 0, "{sql}");
        if is_file {
            return text(&output);
        }
    }
    unreachable!("two runs")
}

#[test]
fn commands_of_the_duckdb_shell_are_refused() {
    for sql in [
        ".shell touch written",
        "  .shell touch written",
        "-- a comment\n.shell touch written\nSELECT 1",
        "/* a comment */ .shell touch written",
        "SELECT 1;\n.shell touch written\nSELECT 2",
        "SELECT 1;\r\n\t.once written\r\nSELECT 2",
    ] {
        let said = refused(sql);
        assert!(
            said.contains("a command of DuckDB's shell"),
            "{sql}: {said}"
        );
    }
}

/// The shell of DuckDB ends a statement where its parser does not.
#[test]
fn no_line_of_a_text_is_a_command() {
    let folder = tempdir().expect("a folder");
    for sql in [
        "SELECT E'\\';\n.shell touch written\n' AS x",
        "SELECT $$;\n.shell touch written\n$$ AS x",
        "SELECT 1 AS x /* ;\n.shell touch written\n*/",
        "SELECT 1 AS x -- '\n;\n/* .shell touch written */",
        "SELECT 'a;\n.shell touch written\n' AS x",
    ] {
        let output = run_in(folder.path(), &["-e", sql, "--format", "csv"]);
        assert!(output.status.success(), "{sql}: {}", text(&output));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
    let sql = "SELECT 'a\n.b''\\' || E'\\'\n' || $t$\n.c$t$ AS x";
    let output = run_in(folder.path(), &["-e", sql, "--format", "json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found[0]["x"], "a\n.b'\\'\n\n.c");
}

#[test]
fn sql_reads_no_other_file_and_writes_none() {
    let part = SAMPLE.path().join("agent_catalog.parquet");
    let part = part.to_str().expect("UTF-8");
    let before = fs::read(part).expect("a part");
    for sql in [
        "COPY (SELECT 1) TO 'written.csv'",
        &format!("COPY (SELECT 1) TO '{part}'"),
        &format!("EXPLAIN ANALYZE COPY (SELECT 1) TO '{part}'"),
        &format!("PREPARE p AS COPY (SELECT 1) TO '{part}'; EXECUTE p"),
        &format!("SELECT 1); COPY (SELECT 1) TO '{part}'; SELECT (1"),
        "EXPORT DATABASE 'written'",
        "ATTACH 'written.db'; SELECT 1",
        "INSTALL httpfs; SELECT 1",
        "LOAD httpfs; SELECT 1",
        "SET enable_external_access = true; SELECT 1",
        "RESET lock_configuration; SELECT 1",
        "PRAGMA profiling_output = 'written.json'; SELECT 1",
        "SELECT getenv('HOME')",
        "FROM read_text('/etc/passwd')",
        "FROM read_csv('/etc/passwd')",
        "FROM '/etc/passwd'",
        "FROM glob('/etc/*')",
        "FROM query('FROM read_text(''/etc/pas' || 'swd'')')",
        "FROM read_csv('https://example.com/x.csv')",
        "CALL enable_logging('QueryLog', storage := 'file', storage_path := 'written'); SELECT 1",
    ] {
        refused(sql);
    }
    assert_eq!(fs::read(part).expect("a part"), before);
}

fn folder_with_labels() -> TempDir {
    let folder = tempdir().expect("a folder");
    fs::write(
        folder.path().join("labels.csv"),
        "domain,label\na.example,x\n",
    )
    .expect("a file");
    folder
}

#[test]
fn sql_reads_a_file_that_the_user_allows() {
    let folder = folder_with_labels();
    let sql = "SELECT label FROM read_csv('labels.csv')";
    let said = text(&run_in(folder.path(), &["-e", sql]));
    assert!(said.contains("--read FILE"), "{said}");
    let allowed = run_in(
        folder.path(),
        &["-e", sql, "--read", "labels.csv", "--format", "csv"],
    );
    assert_eq!(String::from_utf8_lossy(&allowed.stdout), "label\nx\n");
    let arguments = ["-e", sql, "--read", "labels.csv", "-o", "labels.parquet"];
    let written = run_in(folder.path(), &arguments);
    assert!(written.status.success(), "{}", text(&written));
    let missing = run_in(folder.path(), &["-e", "SELECT 1", "--read", "nowhere.csv"]);
    assert_contains(&text(&missing), &["nowhere.csv: No such file"]);
}
