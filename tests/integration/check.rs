//! `robostat check` as scripts use it: answers and exit codes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::program::robostat;
use crate::support::program::{assert_contains, code_and_stdout};

const ROBOTS: &[u8] =
    b"User-agent: *\nDisallow: /a*b\n\nUser-agent: GPTBot\nAllow: /a\nDisallow: /\n";

fn check(arguments: &[&str]) -> (Option<i32>, String) {
    let mut all = vec!["check"];
    all.extend_from_slice(arguments);
    all.push("-");
    code_and_stdout(&all, ROBOTS)
}

#[test]
fn the_exit_code_tells_the_verdict() {
    let (code, out) = check(&["--agent", "GPTBot", "--url", "https://e.example/a/b"]);
    assert_eq!(code, Some(0));
    assert_contains(&out, &["line 5", "Allow: /a"]);
    let (code, out) = check(&["--agent", "GPTBot", "--url", "/x"]);
    assert_eq!(code, Some(1));
    assert_contains(&out, &["line 6", "Disallow: /"]);
}

#[test]
fn all_dialects_stand_side_by_side() {
    let arguments = ["--dialect", "all", "--agent", "x", "--url", "/axb"];
    let (code, out) = check(&arguments);
    // To the 1990s a star is a star.
    assert_eq!(code, Some(1));
    let marked: Vec<&str> = out.lines().filter(|line| line.starts_with("! ")).collect();
    assert_eq!(marked.len(), 4, "{out}");
    assert!(marked[0].contains("rep1994"), "{out}");
    let (code, out) = check(&["--dialect", "all", "--agent", "x", "--url", "/c"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("all dialects agree"), "{out}");
}

#[test]
fn a_name_that_googles_parser_does_not_take_has_a_note() {
    for dialect in ["all", "google"] {
        let ask = |agent| check(&["--dialect", dialect, "--agent", agent, "--url", "/x"]).1;
        assert!(
            ask("GPTBot/1.0").contains("product tokens only"),
            "{dialect}"
        );
        assert!(!ask("GPTBot").contains("product tokens only"), "{dialect}");
    }
}

#[test]
fn json_has_the_same() {
    let (code, out) = check(&["--json", "--agent", "GPTBot", "--url", "/x"]);
    assert_eq!(code, Some(1));
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(answer["allowed"], false);
    assert_eq!(answer["line"], 6);
    assert_eq!(answer["rule"], "disallow: /");
    assert_eq!(answer["reason"], "longest_match");
    assert_eq!(answer["choice"], "named");
    let (_, out) = check(&[
        "--json",
        "--dialect",
        "all",
        "--agent",
        "x",
        "--url",
        "/axb",
    ]);
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(answer["agree"], false);
    assert_eq!(answer["verdicts"][0]["dialect"], "rep1994");
}

#[test]
fn what_cannot_be_asked_is_no_disallow() {
    for arguments in [
        &["check", "--agent", "x", "--url", "/", "no/such/file"][..],
        &["check", "--agent", "x", "--url", "/", "."],
        &["check", "--agent", "x", "--url", "/"],
        &["check", "--agent", "x", "-"],
        &[
            "check",
            "--agent",
            "x",
            "--url",
            "/",
            "--dialect",
            "rfc",
            "-",
        ],
        &["check", "--batch", "--agent", "x"],
    ] {
        assert_eq!(code_and_stdout(arguments, b"").0, Some(2), "{arguments:?}");
    }
}

#[test]
fn a_body_is_cut_after_its_last_whole_line() {
    let mut body = b"User-agent: *\n".to_vec();
    body.resize(512_000 - b"Disallow: /".len(), b'\n');
    body.extend_from_slice(b"Disallow: /foo\n");
    let arguments = ["check", "--agent", "x", "--url", "/bar", "-"];
    assert_eq!(code_and_stdout(&arguments, &body).0, Some(0));
    let larger = [
        "check", "--limit", "600000", "--agent", "x", "--url", "/foo", "-",
    ];
    assert_eq!(code_and_stdout(&larger, &body).0, Some(1));
}

#[test]
fn a_batch_with_a_bad_line_ends_with_three() {
    let input = b"nonsense\n{\"robots\":\"\",\"agent\":\"x\",\"url\":\"/\"}\n";
    let (code, out) = code_and_stdout(&["check", "--batch"], input);
    assert_eq!(code, Some(3));
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].contains("\"error\"") && lines[1].contains("\"allowed\":true"),
        "{out}"
    );
}

/// A program that asks case by case waits for each answer.
#[test]
fn a_batch_answers_at_once() {
    let mut child = robostat(["check", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for allowed in ["/x", "/axb"] {
        writeln!(input, "{{\"robots\":\"User-agent: *\\nDisallow: /a*b\",\"agent\":\"x\",\"url\":\"{allowed}\"}}")
            .expect("written");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("an answer");
        assert!(answer.contains("\"allowed\":"), "{answer}");
    }
    // A reader that closes the pipe early is not a failure.
    drop(output);
    let case = "{\"robots\":\"\",\"agent\":\"x\",\"url\":\"/\"}\n";
    let _ = input.write_all(case.repeat(100_000).as_bytes());
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// A script that reads nothing of the answer still gets its exit code.
#[cfg(unix)]
#[test]
fn a_closed_pipe_changes_no_exit_code() {
    for (url, code) in [("/x", 1), ("/a", 0)] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut child = robostat(["check", "--agent", "GPTBot", "--url", url, "-"])
            .stdin(Stdio::piped())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(ROBOTS).expect("written");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let full = std::fs::File::create("/dev/full").expect("a device that is always full");
    let output = robostat(["schema"])
        .stdout(full)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    let start = "robostat: the output cannot be written: ";
    assert!(message.starts_with(start), "{message}");
    assert!(message.contains("free some space"), "{message}");
}

#[test]
fn preferences_that_hold_for_the_path_are_printed() {
    let body = b"User-agent: *\nDisallow: /never/\nContent-Usage: train-ai=n\n\
        Content-Usage: /ai-ok/ train-ai=y\nContent-Signal: ai-train=no, search=?\n";
    let ask = |path: &str, options: &[&str]| {
        let mut arguments = vec!["check", "--agent", "x", "--url", path, "-"];
        arguments.extend(options);
        code_and_stdout(&arguments, body)
    };
    for dialect in ["rfc9309", "all"] {
        let (code, out) = ask("/ai-ok/a", &["--dialect", dialect]);
        assert_eq!(code, Some(0));
        let preferences: Vec<&str> = out.lines().filter(|it| it.contains("use for")).collect();
        assert_eq!(
            preferences,
            [
                "  use for ai-train: not allowed (line 5: Content-Signal: ai-train=no, search=?)",
                "  use for search: unknown (line 5: Content-Signal: ai-train=no, search=?)",
                "  use for train-ai: allowed (line 4: Content-Usage: /ai-ok/ train-ai=y)",
            ]
        );
        let (code, out) = ask("/never/a", &["--dialect", dialect]);
        assert_eq!(code, Some(1));
        assert!(!out.contains("use for"), "{out}");
    }
    let preferences = |path: &str| {
        let (_, out) = ask(path, &["--json"]);
        let answer: Value = serde_json::from_str(&out).expect("JSON");
        answer["preferences"].clone()
    };
    let found = preferences("/a");
    let rows = found.as_array().expect("preferences").iter();
    let rows: Vec<Value> = rows
        .map(|row| {
            json!([
                row["vocabulary"],
                row["preference"],
                row["allows"],
                row["line"]
            ])
        })
        .collect();
    assert_eq!(
        rows,
        [
            json!(["content-signal", "ai-train", false, 5]),
            json!(["content-signal", "search", null, 5]),
            json!(["content-usage", "train-ai", false, 3]),
        ]
    );
    assert_eq!(preferences("/never/"), Value::Null);
}
