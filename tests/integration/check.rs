//! `robostat check` and the programs at the other ends of its pipes; `tests/cases/check.md` has its
//! answers.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use crate::support::program::robostat;

const ROBOTS: &[u8] =
    b"User-agent: *\nDisallow: /a*b\n\nUser-agent: GPTBot\nAllow: /a\nDisallow: /\n";

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
