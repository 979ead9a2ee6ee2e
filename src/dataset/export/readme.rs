//! A README for readers of a published dataset, as Markdown: what it is, how to read it, its tables
//! and columns, licence and citation.

use askama::Template;

use super::{Card, meaning, rendered};
use crate::dataset::tables::describe::{Column, columns, sql_name};
use crate::dataset::tables::tidy;

pub const FILE: &str = "README.md";

#[derive(Template)]
#[template(path = "readme.md.jinja", escape = "none")]
struct Readme<'c> {
    card: &'c Card,
}

pub fn text(card: &Card) -> String {
    rendered(&Readme { card })
}

fn cell(column: &Column<'_>) -> String {
    tidy(&meaning(column)).replace('|', "\\|")
}
