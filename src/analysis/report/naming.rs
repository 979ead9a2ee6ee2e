//! Hides host names in text from the web, for a report that is to name no host.

use super::answer::{Answer, Cell};
use super::words::Agents;

const HIDDEN: &str = "(host)";

/// Columns of the catalogue and of robostat's own words, which name no host of the crawl.
const OWN_WORDS: [&str; 4] = ["operator", "category", "platform", "crawl"];

/// An answer without the columns in `hides` and without names of hosts in its other texts.
pub(super) fn nameable(answer: &Answer, hides: &[&str], agents: &Agents) -> Answer {
    let mut answer = answer.clone();
    answer.hide(hides);
    answer.without_notes_on_domains();
    for row in &mut answer.rows {
        for (cell, column) in row.iter_mut().zip(&answer.columns) {
            let text = cell.text();
            let is_own = OWN_WORDS.contains(&column.name.as_str()) || agents.has(&text);
            if cell.is_text() && !is_own {
                *cell = Cell::of_text(&without_hosts(&text));
            }
        }
    }
    answer
}

/// `text` with every host name hidden: a name that follows `//` or `@`, escaped or not, or begins
/// with `www.`; and a domain under a known public suffix or an IPv4 address at the beginning of the
/// text or after a space, tab, quote, comma, `(` or `:`.
pub(super) fn without_hosts(text: &str) -> String {
    let mut out = String::new();
    let lower = text.to_ascii_lowercase();
    let mut rest = text;
    while !rest.is_empty() {
        let mut before = &lower[..text.len() - rest.len()];
        let end = rest.find(|it| !is_of_host(it)).unwrap_or(rest.len());
        let (mut run, after) = rest.split_at(end);
        // The digits of an escape (`%2F`, `%252F`) are not part of the name that follows it.
        while let Some((digits, name)) = run.split_at_checked(2)
            && digits.bytes().all(|it| it.is_ascii_hexdigit())
            && (before.ends_with('%') || before.ends_with("%25"))
        {
            out.push_str(digits);
            before = &lower[..before.len() + 2];
            run = name;
        }
        out.push_str(if is_host(before, run) { HIDDEN } else { run });
        let (between, after) = after.split_at(after.find(is_of_host).unwrap_or(after.len()));
        out.push_str(between);
        rest = after;
    }
    out
}

fn is_of_host(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | '-' | '_')
}

/// Whether `run` is a host name after the text `before`, which is in lower case.
fn is_host(before: &str, run: &str) -> bool {
    let run = run.trim_matches('.');
    if !run.contains('.') {
        return false;
    }
    let lower = run.to_lowercase();
    // Rules are written in all these ways. A single escaped slash may precede the name of a file.
    let marks = [
        "//",
        "@",
        "%40",
        ":\\",
        "\\\\",
        "\\/\\/",
        "%2f%2f",
        "%252f%252f",
    ];
    let follows = marks.iter().any(|mark| before.ends_with(mark));
    let begins = before.is_empty() || before.ends_with([' ', '\t', '"', '\'', ',', '(', ':']);
    let is_domain = || registrable_domain::is_under_listed_suffix(&lower);
    let is_address = || {
        let bytes = lower.split('.').filter(|part| part.parse::<u8>().is_ok());
        lower.matches('.').count() == 3 && bytes.count() == 4
    };
    follows || lower.starts_with("www.") || begins && (is_domain() || is_address())
}
