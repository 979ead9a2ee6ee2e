//! Results as files and on terminals: the same values in every format, and no escape code on a
//! terminal.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::mini_warc::SAMPLE;
use crate::support::program::{robostat, text};

/// A run of a command on the sample in a folder, whose standard output is a pipe.
fn run_in(folder: &Path, command: &str, arguments: &[&str]) -> Output {
    let output = robostat([command])
        .arg(SAMPLE.path())
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a run");
    assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    output
}

#[test]
fn ids_are_the_same_in_every_format() {
    let folder = tempdir().expect("a folder");
    let sql = "SELECT file_id, file_id::VARCHAR AS as_text FROM files ORDER BY file_id";
    for extension in ["csv", "tsv", "json", "parquet"] {
        run_in(
            folder.path(),
            "query",
            &["-e", sql, "-o", &format!("ids.{extension}")],
        );
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    let lines = |text: &str, separator: char| -> Vec<[String; 2]> {
        let rows = text.lines().skip(1).map(|line| {
            let (id, as_text) = line.split_once(separator).expect("two cells");
            [id.to_owned(), as_text.to_owned()]
        });
        rows.collect()
    };
    let csv = lines(&read("ids.csv"), ',');
    assert!(csv.iter().filter(|[id, _]| id.starts_with('-')).count() > 10);
    assert!(
        csv.iter()
            .all(|[id, as_text]| id == as_text && id.parse::<i64>().is_ok())
    );
    assert_eq!(lines(&read("ids.tsv"), '\t'), csv);
    let json: Vec<Value> = serde_json::from_str(&read("ids.json")).expect("JSON");
    let of_json = json.iter().map(|row| {
        ["file_id", "as_text"].map(|name| row[name].as_str().expect("a text").to_owned())
    });
    assert_eq!(of_json.collect::<Vec<_>>(), csv);
    let parquet = "SELECT file_id, as_text FROM 'ids.parquet'";
    let output = run_in(
        folder.path(),
        "query",
        &["-e", parquet, "--read", "ids.parquet", "--format", "csv"],
    );
    assert_eq!(lines(&String::from_utf8_lossy(&output.stdout), ','), csv);
}

/// The program on a terminal, as `script` makes one; none where `script` is not installed.
fn on_terminal(arguments: &str) -> Option<String> {
    let command = format!("{} query {arguments}", env!("CARGO_BIN_EXE_robostat"));
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("ROBOSTAT_DUCKDB", duckdb::program())
        .stdin(Stdio::null())
        .output()
        .ok()?;
    assert!(output.status.success(), "{}", text(&output));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_terminal_gets_no_escape_code_in_any_format() {
    let dataset = SAMPLE.path();
    let dataset = dataset.to_str().expect("UTF-8");
    let sql = "SELECT chr(27) || '[31mred' || chr(155) AS a, 'b' || chr(7) AS \\\"c\u{1b}d\\\"";
    for format in ["csv", "tsv", "json", "markdown", "latex", "table"] {
        for output in ["", "-o /dev/tty", "-o -"] {
            let arguments = format!("{dataset} -e \"{sql}\" --format {format} {output}");
            let Some(shown) = on_terminal(&arguments) else {
                return;
            };
            assert!(shown.contains("red"), "{format} {output}: {shown}");
            let obeyed = |c: char| c.is_control() && !"\r\n\t".contains(c);
            assert!(!shown.contains(obeyed), "{format} {output}: {shown:?}");
        }
    }
}

#[test]
fn a_report_is_a_file_whatever_standard_output_is() {
    let folder = tempdir().expect("a folder");
    let names = || {
        let entries = fs::read_dir(folder.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names
            .map(|name| name.into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    };
    let sections = ["--sections", "tlds"];
    let output = run_in(folder.path(), "report", &sections);
    assert!(output.stdout.is_empty(), "{} bytes", output.stdout.len());
    assert_eq!(names(), ["report.html", "report.json"]);
    let output = run_in(
        folder.path(),
        "report",
        &["--sections", "tlds", "--format", "markdown"],
    );
    assert!(output.stdout.is_empty());
    assert_eq!(
        names(),
        ["report-figures", "report.html", "report.json", "report.md"]
    );
    let output = run_in(folder.path(), "report", &["--sections", "tlds", "-o", "-"]);
    assert!(output.stdout.starts_with(b"<!"));
    let page = fs::read(folder.path().join("report.html")).expect("a page");
    assert_eq!(page.len(), output.stdout.len());
    assert_eq!(names().len(), 4);
}
