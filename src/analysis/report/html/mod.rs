//! The report as one HTML page: complete without script, more convenient with it, and loading
//! nothing from the network.
//!
//! Text of archives is escaped everywhere; the content security policy of the page allows its own
//! style and script by their digests and nothing else.

mod lede;
#[cfg(test)]
mod tests;

use std::fmt::Display;

use askama::Template;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use super::answer::Answer;
use super::finding::Report;
use super::terms::{Term, TermSet};
use super::words;
use crate::analysis::query::cell::{csv_line, html as escape};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Characters from which a cell may have several lines.
const LONG: usize = 24;

#[derive(Template)]
#[template(path = "html/page.html.jinja", escape = "html")]
struct Page<'r> {
    report: &'r Report,
    known: TermSet,
}

pub fn html(report: &Report) -> String {
    let known = TermSet::default();
    Page { report, known }.to_string() + "\n"
}

/// A source of a content security policy: the digest of an inline script or style.
fn source_of(text: &str) -> String {
    format!(
        "'sha256-{}'",
        BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()))
    )
}

fn csv(answer: &Answer) -> String {
    let names = answer.columns.iter();
    let names = csv_line(names.map(|column| (column.name.as_str().into(), true)));
    let rows = answer.rows.iter();
    let rows = rows.map(|row| csv_line(row.iter().map(|cell| (cell.text(), cell.is_text()))));
    names + &rows.collect::<String>()
}

fn csv_url(content: impl AsRef<[u8]>) -> String {
    format!(
        "data:text/csv;charset=utf-8;base64,{}",
        BASE64_STANDARD.encode(content)
    )
}

/// The project's own text, where backquotes mark code.
fn marked(text: impl AsRef<str>) -> String {
    let pieces = text.as_ref().split('`').map(escape).enumerate();
    let marked = pieces.map(|(place, piece)| match place % 2 {
        0 => piece,
        _ => format!("<code>{piece}</code>"),
    });
    marked.collect()
}

/// Explanations of the terms that a text is the first to use, as sentences that follow the text.
fn explained(known: &TermSet, text: impl Display) -> String {
    let sentence =
        |term: &&Term| format!(" <dfn>{}</dfn>: {}.", term.name(), marked(term.explanation));
    known.meet(&text.to_string()).iter().map(sentence).collect()
}
