//! The agent catalogue: well-known crawlers, who runs them and what for.
//!
//! `agents.csv` in this folder is the catalogue that ships with the program. The table
//! `agent_catalog` of a dataset is made from it: for each crawler its purposes, its operator's
//! statement on them, the documented fallback, and whether it obeys robots.txt. A user's CSV file
//! with the same columns, or only the first nine, adds rows and replaces rows with the same product
//! token.

pub(super) mod table;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use arrow_array::RecordBatch;
use robots_dialects::agent::product_token;
use warc_recovery::warc::parse_date;

use crate::dataset::tables::agent_catalog::{
    AI_BASES, AgentCatalogBuilder, AgentCatalogRow, CATEGORIES, OBEDIENCE, STATUSES,
};
use crate::dataset::times::MICROS_PER_DAY;
use crate::error::Error;

const SHIPPED: &str = include_str!("agents.csv");

/// The version of the shipped catalogue: the day on which it was last changed.
pub const VERSION: &str = "2026-11-28";

/// The columns, in the first line of `agents.csv`. A user's file may end after the first nine.
static COLUMNS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let header = SHIPPED.lines().next().unwrap_or_default();
    header.split(',').collect()
});

const NEEDED_COLUMNS: usize = 9;

const PURPOSE_SEPARATOR: char = ';';

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalog(BTreeMap<String, Entry>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    values: csv::StringRecord,
    /// The version of the shipped catalogue that the row is from; `None` for a user's row.
    version: Option<&'static str>,
}

impl Catalog {
    /// [`Error::Unusable`] if the shipped file breaks a rule of the format: tests exclude that.
    pub fn shipped() -> Result<Self, Error> {
        Self::read(SHIPPED.as_bytes(), Path::new("agents.csv"), Some(VERSION))
    }

    /// The shipped catalogue with the rows of `text`, a CSV file that messages call `path`. A row
    /// replaces the shipped row with the same product token, if any.
    ///
    /// [`Error::Unusable`] with the line number if the text is not CSV in UTF-8 with the header of
    /// a catalogue, a value is not allowed in its column, a product token has two rows, or a
    /// fallback or successor is not in the catalogue.
    pub fn shipped_with(text: &[u8], path: &Path) -> Result<Self, Error> {
        let mut catalog = Self::shipped()?;
        let added = Self::read(text, path, None)?;
        let tokens: Vec<String> = added.0.keys().cloned().collect();
        catalog.0.extend(added.0);
        for token in &tokens {
            catalog.check_references(token, path)?;
        }
        Ok(catalog)
    }

    fn read(text: &[u8], path: &Path, version: Option<&'static str>) -> Result<Self, Error> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(text);
        let line_of = |error: &csv::Error| error.position().map_or(1, csv::Position::line);
        let fail = |line, message| refusal(path, line, message);
        let unreadable = |error: csv::Error| fail(line_of(&error), unreadable(&error));
        let header = reader.headers().map_err(unreadable)?;
        let needed = &COLUMNS[..NEEDED_COLUMNS];
        if header != *COLUMNS && header != needed {
            let message = format!(
                "the header must be {}, with or without {}",
                needed.join(","),
                COLUMNS[NEEDED_COLUMNS..].join(",")
            );
            return Err(fail(1, message));
        }
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        for record in reader.records() {
            let values = record.map_err(unreadable)?;
            let entry = Entry { values, version };
            let line = entry.line();
            let token = entry.row(|row| row.product_token.to_owned());
            let token = token.map_err(|message| fail(line, message))?;
            if let Some(first) = entries.get(&token) {
                let message = format!(
                    "the product token {token} has a row on line {} already; keep one of them",
                    first.line()
                );
                return Err(fail(line, message));
            }
            entries.insert(token, entry);
        }
        Ok(Self(entries))
    }

    fn check_references(&self, token: &str, path: &Path) -> Result<(), Error> {
        let Some(entry) = self.0.get(token) else {
            return Ok(());
        };
        for column in ["fallback_token", "successor_token"] {
            if let Some(reference) = entry.text(column)
                && !self.0.contains_key(reference)
            {
                let message = format!(
                    "{column} {reference} is not in the catalogue; add a row for it, or leave the \
                     column empty"
                );
                return Err(refusal(path, entry.line(), message));
            }
        }
        Ok(())
    }

    pub fn rows(&self) -> RecordBatch {
        let mut rows = AgentCatalogBuilder::default();
        for entry in self.0.values() {
            let row = entry.row(|row| rows.push(row));
            row.expect("a row that was checked when it was read");
        }
        rows.finish()
    }
}

impl Entry {
    fn line(&self) -> u64 {
        self.values.position().map_or(1, csv::Position::line)
    }

    /// The value of a column; empty if the file does not have it.
    fn value(&self, column: &str) -> &str {
        let place = COLUMNS.iter().position(|it| *it == column);
        let value = place.and_then(|place| self.values.get(place));
        value.unwrap_or_default()
    }

    /// [`Self::value`], unless it is empty.
    fn text(&self, column: &str) -> Option<&str> {
        Some(self.value(column)).filter(|text| !text.is_empty())
    }

    fn needed(&self, column: &str) -> Result<&str, String> {
        let text = self.text(column);
        text.ok_or_else(|| format!("{column} is empty"))
    }

    fn word(&self, column: &str, known: &[&str]) -> Result<Option<&str>, String> {
        let word = self.text(column);
        word.map(|word| known_word(column, word, known)).transpose()
    }

    fn truth(&self, column: &str) -> Result<bool, String> {
        let value = self.value(column);
        let truth = value.parse();
        truth.map_err(|_| format!("{column} is `{value}`; write true or false"))
    }

    fn date(&self, column: &str) -> Result<Option<i32>, String> {
        let date = self.text(column).map(|date| {
            day(date).ok_or_else(|| {
                format!("{column} is `{date}`; write a day as YYYY-MM-DD, or leave it empty")
            })
        });
        date.transpose()
    }

    fn token(&self, column: &str) -> Result<&str, String> {
        let value = self.value(column);
        let canonical = product_token(value.as_bytes()).to_ascii_lowercase();
        let canonical = String::from_utf8_lossy(&canonical);
        match &*canonical {
            "" => Err(format!(
                "{column} is `{value}`; a product token begins with a letter, a digit or one of \
                 !#$%&'*+-.^_`|~ (RFC 9110 §5.6.2)"
            )),
            canonical if canonical != value => Err(format!(
                "{column} is `{value}`; write it as `{canonical}`: in lower case, up to the first \
                 character that a product token cannot have (RFC 9110 §5.6.2)"
            )),
            _ => Ok(value),
        }
    }

    fn token_if_given(&self, column: &str) -> Result<Option<&str>, String> {
        let token = self.text(column).map(|_| self.token(column));
        token.transpose()
    }

    /// Passes the row of the table to `take`; or returns what is wrong with it, and what to do.
    fn row<T>(&self, take: impl FnOnce(AgentCatalogRow<'_>) -> T) -> Result<T, String> {
        let words = self.value("purposes").split(PURPOSE_SEPARATOR);
        let words = words.map(|word| known_word("purposes", word.trim(), &CATEGORIES));
        let words = words.collect::<Result<Vec<_>, _>>()?;
        let purposes: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        let row = AgentCatalogRow {
            product_token: self.token("product_token")?,
            name: self.needed("name")?,
            operator: self.text("operator"),
            category: words[0],
            purposes: &purposes,
            operator_statement: self.text("operator_statement"),
            statement_source: self.text("statement_source"),
            statement_date: self.date("statement_date")?,
            is_ai: self.truth("is_ai")?,
            is_ai_basis: self.word("is_ai_basis", &AI_BASES)?,
            fallback_token: self.token_if_given("fallback_token")?,
            obeys_wildcard: self.truth("obeys_wildcard")?,
            since: self.date("since")?,
            source: self.needed("source")?,
            status: self.word("status", &STATUSES)?,
            successor_token: self.token_if_given("successor_token")?,
            since_source: self.text("since_source"),
            obeys_robots: self.word("obeys_robots", &OBEDIENCE)?,
            obeys_robots_date: self.date("obeys_robots_date")?,
            obeys_robots_source: self.text("obeys_robots_source"),
            catalog_version: self.version,
        };
        check_columns(&row)?;
        Ok(take(row))
    }
}

fn known_word<'w>(column: &str, word: &'w str, known: &[&str]) -> Result<&'w str, String> {
    if known.contains(&word) {
        return Ok(word);
    }
    let known = known.join(", ");
    Err(format!("{column} is `{word}`; it is one of: {known}"))
}

fn refusal(path: &Path, line: u64, message: String) -> Error {
    Error::unusable(format!("{}:{line}", path.display()), message)
}

/// Checks the columns against each other; the message of an error contains the remedy.
fn check_columns(row: &AgentCatalogRow<'_>) -> Result<(), String> {
    let is_stated = row.operator_statement.is_some() || row.is_ai_basis == Some("operator");
    let has_source = row.statement_source.is_some() && row.statement_date.is_some();
    let is_in_use = matches!(row.status, None | Some("active"));
    let rules = [
        (
            row.obeys_robots.is_none() || row.obeys_robots_source.is_some(),
            "obeys_robots has no obeys_robots_source; add the page's URL",
        ),
        (
            !is_stated || has_source,
            "the operator's statement has no statement_source or no statement_date; add the page \
             and the day on which it was read",
        ),
        (
            row.is_ai_basis.is_none() || row.is_ai,
            "is_ai_basis is given, and is_ai is false; leave it empty",
        ),
        (
            row.status != Some("renamed") || row.successor_token.is_some(),
            "status is renamed; name the new crawler in successor_token",
        ),
        (
            !is_in_use || row.successor_token.is_none(),
            "successor_token is given; status must be renamed or retired",
        ),
    ];
    if let Some((_, message)) = rules.into_iter().find(|(is_kept, _)| !is_kept) {
        return Err(message.to_owned());
    }
    match row.product_token {
        token if row.fallback_token == Some(token) => Err(format!(
            "{token} falls back to itself; leave fallback_token empty"
        )),
        _ => Ok(()),
    }
}

fn day(date: &str) -> Option<i32> {
    let is_day = date.len() == "YYYY-MM-DD".len() && date.contains('-');
    let micros = parse_date(date.as_bytes()).filter(|_| is_day)?;
    i32::try_from(micros.div_euclid(MICROS_PER_DAY)).ok()
}

fn unreadable(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => {
            format!("{len} values, {expected_len} in the header; quote values that contain a comma")
        }
        csv::ErrorKind::Utf8 { .. } => "not UTF-8; save the file as UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
