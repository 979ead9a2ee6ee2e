//! Chapters and sections: `texts/` has a file for each chapter, with all that a reader of the
//! report sees and the query of each section. `texts/README.md` describes the keys.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Number, Value, json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chapter {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    #[serde(default)]
    pub(super) about: &'static str,
    pub(super) sections: Vec<Section>,
}

/// A query and how its answer is read. Texts and lists are empty if the file has no such line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Section {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) query: &'static str,
    #[serde(rename = "set")]
    pub(super) arguments: Vec<&'static str>,
    pub(super) by: &'static str,
    pub(super) needs: &'static str,
    #[serde(rename = "read")]
    pub(super) reader: &'static str,
    pub(super) row: Pick,
    /// Rows by name, from the lines `row NAME`.
    pub(super) rows: BTreeMap<&'static str, Pick>,
    pub(super) keep: Pick,
    pub(super) share: &'static str,
    pub(super) same: &'static str,
    pub(super) count: &'static str,
    pub(super) least: usize,
    pub(super) weight: f64,
    pub(super) headline: &'static str,
    pub(super) below: &'static str,
    #[serde(rename = "sentence")]
    pub(super) sentences: Vec<&'static str>,
    pub(super) about: &'static str,
    pub(super) empty: &'static str,
    pub(super) none: &'static str,
    pub(super) partial: &'static str,
    pub(super) figure: &'static str,
    pub(super) axis: &'static str,
    pub(super) bars: Vec<Column>,
    pub(super) order: &'static str,
    pub(super) join: &'static str,
    pub(super) lines: Vec<Column>,
    #[serde(rename = "column")]
    pub(super) columns: Vec<Column>,
    pub(super) table: &'static str,
    pub(super) length: usize,
    #[serde(rename = "hide")]
    pub(super) hides: Vec<&'static str>,
}

/// A column of a table: the answer's column, the group of words for its values, and its heading.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(from = "&'static str")]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) words: &'static str,
    pub(super) head: &'static str,
}

impl From<&'static str> for Column {
    /// `name:words | Heading`.
    fn from(text: &'static str) -> Self {
        let (column, head) = text.split_once('|').unwrap_or((text, ""));
        let (name, words) = column.trim().split_once(':').unwrap_or((column.trim(), ""));
        let head = head.trim();
        Self { name, words, head }
    }
}

/// A choice of rows: conditions, and the column in which the row has the largest value.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "&'static str")]
pub(super) struct Pick {
    /// Column, sign and value: the sign `!` is for `!=`.
    pub(super) conditions: Vec<(&'static str, char, &'static str)>,
    #[serde(borrow)]
    pub(super) most: Option<&'static str>,
}

impl From<&'static str> for Pick {
    fn from(text: &'static str) -> Self {
        let mut pick = Self::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if word == "most" {
                pick.most = words.next();
            } else if let Some((column, value)) = word.split_once("!=") {
                pick.conditions.push((column, '!', value));
            } else if let Some((column, value)) = word.split_once('>') {
                pick.conditions.push((column, '>', value));
            } else if let Some((column, value)) = word.split_once('=') {
                pick.conditions.push((column, '=', value));
            }
        }
        pick
    }
}

static FILES: [&str; 10] = [
    include_str!("texts/summary.txt"),
    include_str!("texts/who.txt"),
    include_str!("texts/ai.txt"),
    include_str!("texts/change.txt"),
    include_str!("texts/edits.txt"),
    include_str!("texts/vendors.txt"),
    include_str!("texts/mistakes.txt"),
    include_str!("texts/pages.txt"),
    include_str!("texts/responses.txt"),
    include_str!("texts/appendix.txt"),
];

pub(super) static ALL: LazyLock<Vec<Chapter>> =
    LazyLock::new(|| FILES.iter().map(|file| chapter(file)).collect());

pub(super) static BASELINE: LazyLock<Chapter> =
    LazyLock::new(|| chapter(include_str!("texts/baseline.txt")));

fn chapter(file: &str) -> Chapter {
    let text = file.replace("\n  ", " ");
    let mut parts = text.split("\n## ");
    let mut chapter = keys(json!({}), parts.next().unwrap_or_default());
    let defaults = json!({ "count": "hosts", "least": 1, "length": 20 });
    chapter["sections"] = parts.map(|part| keys(defaults.clone(), part)).collect();
    // Texts live as long as the program.
    let chapter: &'static Value = Box::leak(Box::new(chapter));
    Chapter::deserialize(chapter).expect("keys that there are")
}

/// Adds the id of a chapter or section, and the keys and values of its lines.
fn keys(mut found: Value, part: &str) -> Value {
    let mut lines = part.lines();
    let id = lines.next().unwrap_or_default();
    found["id"] = id.trim_start_matches("# ").into();
    for (key, value) in lines.filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        match key {
            "sentence" | "column" => match &mut found[key] {
                Value::Array(list) => list.push(value.into()),
                none => *none = json!([value]),
            },
            "set" | "bars" | "lines" | "hide" => {
                found[key] = value.split_whitespace().collect();
            }
            _ => match key.split_once(' ') {
                Some((_, name)) => found["rows"][name] = value.into(),
                None => found[key] = value.parse::<Number>().map_or(value.into(), Value::from),
            },
        }
    }
    found
}

impl Section {
    pub(super) fn templates(&self) -> impl Iterator<Item = &'static str> {
        let texts = [
            self.headline,
            self.below,
            self.figure,
            self.axis,
            self.about,
        ];
        texts.into_iter().chain(self.sentences.iter().copied())
    }
}
