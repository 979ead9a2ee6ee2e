//! The questions of the pages in `tests/cases`.

mod documents;
mod policies;
mod values;

use std::fmt::Display;

use robots_dialects::dialect::Dialect;

/// The answer to a question about `subject`, a value or a robots.txt, and further values.
pub(crate) fn answer(question: &str, subject: &[u8], cells: &[&[u8]]) -> String {
    let file = file(subject);
    values::answer(question, subject, cells)
        .or_else(|| documents::answer(question, &file, cells))
        .or_else(|| policies::answer(question, &file, cells))
        .unwrap_or_else(|| panic!("no question {question} about {} values", 1 + cells.len()))
}

/// A robots.txt from text in which `; ` may separate lines.
fn file(text: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.windows(2).position(|two| two == b"; ") {
        file.extend_from_slice(&rest[..end]);
        file.push(b'\n');
        rest = &rest[end + 2..];
    }
    file.extend_from_slice(rest);
    file.push(b'\n');
    file
}

/// `file`, as a group for every crawler unless it begins with a user-agent line.
fn rules(file: &[u8]) -> Vec<u8> {
    let names_one = file.to_ascii_lowercase().starts_with(b"user-agent");
    let before: &[u8] = if names_one { b"" } else { b"User-agent: *\n" };
    [before, file].concat()
}

fn dialect(name: &[u8]) -> Dialect {
    text(name).parse().expect("a dialect")
}

/// A cell in ASCII.
fn text(cell: &[u8]) -> &str {
    std::str::from_utf8(cell).expect("text")
}

/// Bytes as a page writes them, with `; ` between lines.
fn shown(bytes: &[u8]) -> String {
    let lines = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let text = String::from_utf8_lossy(lines).replace('\n', "; ");
    let escaped = text.chars().map(|letter| match letter {
        '"' | '\'' => letter.to_string(),
        _ => letter.escape_debug().to_string(),
    });
    escaped.collect()
}

fn or_dash(answer: Option<impl Display>) -> String {
    answer.map_or("-".to_owned(), |answer| answer.to_string())
}

fn joined(answers: impl IntoIterator<Item = String>, between: &str) -> String {
    answers.into_iter().collect::<Vec<_>>().join(between)
}
