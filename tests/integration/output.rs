//! Results on terminals, which get no escape code; `tests/cases/query.md` has formats of files.
#![cfg(unix)]

use std::process::{Command, Stdio};

use crate::support::duckdb;
use crate::support::mini_warc::SAMPLE;
use crate::support::program::text;

/// The program on a terminal, as `script` makes one; `None` if `script` is not installed.
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
