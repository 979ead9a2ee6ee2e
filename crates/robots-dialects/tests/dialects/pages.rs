//! Cases as text: the blocks of each page of `tests/cases`, line by line.
//!
//! The word after a fence is a [question](answer). A line of the block is a case: the subject of
//! the question, in cells with `|` between them; `->`; and the answer. Lines without an arrow are
//! comments.
//!
//! Many questions are about a robots.txt. The file is the first cell, with `; ` between its lines,
//! or the block `robots.txt` above the cases. `\n`, `\r`, `\t`, `\0` and `\xE9` are bytes.
//!
//! `ROBOSTAT_UPDATE=1` in the environment writes the answers into the pages.

use std::fs;
use std::path::{Path, PathBuf};

use super::Trial;
use super::questions::answer;

/// A test for each page.
pub(crate) fn tests() -> impl Iterator<Item = Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = fs::read_dir(folder).expect("pages");
    let mut pages: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    pages.sort();
    pages.into_iter().map(|page| {
        let name = page.file_name().expect("a file").to_string_lossy();
        super::test(format!("cases/{name}"), move || check(&page))
    })
}

/// Compares a page with the answers to its questions.
fn check(page: &Path) {
    let text = fs::read_to_string(page).expect("a page");
    let (mut found, mut wrong) = (String::new(), Vec::new());
    let mut question = None;
    // The robots.txt that the next block asks about.
    let mut file: Option<Vec<u8>> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let mut answered = line.to_owned();
        match (question, line.strip_prefix("```")) {
            (None, opened) => question = opened,
            (Some(asked), Some(_)) => {
                question = None;
                file = file.filter(|_| asked == "robots.txt");
            }
            (Some("robots.txt"), None) => {
                let file = file.get_or_insert_default();
                file.extend(bytes(line));
                file.push(b'\n');
            }
            (Some(asked), None) => {
                if let Some((case, expected)) = line.rsplit_once("->") {
                    let answer = answer_to(asked, file.as_deref(), case);
                    if !cells(&answer).eq(cells(expected)) {
                        answered = format!("{case}-> {answer}");
                        wrong.push(format!("line {number}:\n- {line}\n+ {answered}\n"));
                    }
                }
            }
        }
        found += answered.trim_end();
        found.push('\n');
    }
    if std::env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
        fs::write(page, found).expect("written");
    } else {
        assert!(wrong.is_empty(), "{}\n{}", page.display(), wrong.concat());
    }
}

/// The answer to a case about a file, or about its first cell.
fn answer_to(question: &str, file: Option<&[u8]>, case: &str) -> String {
    let asked: Vec<Vec<u8>> = cells(case).map(bytes).collect();
    let asked: Vec<&[u8]> = asked.iter().map(Vec::as_slice).collect();
    match (file, &asked[..]) {
        (Some(file), [[]]) => answer(question, file, &[]),
        (Some(file), asked) => answer(question, file, asked),
        (None, asked) => answer(question, asked[0], &asked[1..]),
    }
}

fn cells(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').map(str::trim)
}

/// The bytes of a cell or line.
fn bytes(text: &str) -> Vec<u8> {
    let mut pieces = text.split('\\');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let (length, byte) = match piece.as_bytes() {
            [b'n', ..] => (1, b'\n'),
            [b'r', ..] => (1, b'\r'),
            [b't', ..] => (1, b'\t'),
            [b'0', ..] => (1, 0),
            [b'x', ..] => (3, u8::from_str_radix(&piece[1..3], 16).expect("two digits")),
            _ => panic!("no escape: {text}"),
        };
        bytes.push(byte);
        bytes.extend_from_slice(&piece.as_bytes()[length..]);
    }
    bytes
}
