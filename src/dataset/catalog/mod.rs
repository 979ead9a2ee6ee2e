//! The agent catalogue: well-known crawlers, who runs them and what for.
//!
//! `agents.csv` in this folder is the catalogue that ships with the program. A dataset has a table
//! made from it, `agent_catalog`: for each crawler its purposes in its operator's words, the
//! fallback that the operator documents and whether it obeys robots.txt. A user's CSV file with the
//! same columns, or the first nine, adds rows or replaces rows of the same product token.

pub(super) mod table;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use arrow_array::RecordBatch;
use robots_dialects::agent::product_token;
use warc_recovery::warc::parse_date;

use crate::dataset::tables::agent_catalog::{AgentCatalogBuilder, AgentCatalogRow};
use crate::dataset::times::MICROS_PER_DAY;
use crate::error::Error;

/// The catalogue that ships with the program.
const SHIPPED: &str = include_str!("agents.csv");

/// The version of the shipped catalogue: the day on which it was last changed.
pub const VERSION: &str = "2026-11-23";

/// The columns, as the first line of `agents.csv` names them. A user's file may end after the first
/// nine.
static COLUMNS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let header = SHIPPED.lines().next().unwrap_or_default();
    header.split(',').collect()
});

/// Columns that every file has.
const NEEDED_COLUMNS: usize = 9;

/// What separates purposes in a file.
const PURPOSE_SEPARATOR: char = ';';

/// The purposes of crawlers; the first purpose of a crawler is its category.
pub const CATEGORIES: [&str; 13] = [
    "search engine",
    "advertising",
    "seo",
    "ai training",
    "ai search",
    "ai user action",
    "ai other",
    "page preview",
    "web archiving",
    "monitoring",
    "feed",
    "other",
    "unclear",
];

/// Whether a crawler is in use.
pub const STATUSES: [&str; 3] = ["active", "renamed", "retired"];

/// Who says that a crawler gathers pages for AI.
pub const AI_BASES: [&str; 2] = ["operator", "lists"];

/// Whether a crawler obeys robots.txt, as its operator documents it.
pub const OBEDIENCE: [&str; 4] = ["yes", "may not", "no", "undocumented"];

/// A crawler; the columns of [`AgentCatalogRow`], the product token aside.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CatalogAgent {
    name: String,
    operator: Option<String>,
    /// One at least; the first is the category.
    purposes: Vec<&'static str>,
    is_ai: bool,
    fallback_token: Option<String>,
    obeys_wildcard: bool,
    /// Days since 1970-01-01.
    since: Option<i32>,
    source: String,
    status: Option<&'static str>,
    since_source: Option<String>,
    obeys_robots: Option<&'static str>,
    /// Days since 1970-01-01.
    obeys_robots_date: Option<i32>,
    obeys_robots_source: Option<String>,
    successor_token: Option<String>,
    is_ai_basis: Option<&'static str>,
    operator_statement: Option<String>,
    statement_source: Option<String>,
    /// Days since 1970-01-01.
    statement_date: Option<i32>,
    /// The version of the shipped catalogue that it is from; none for rows of a user's.
    version: Option<&'static str>,
    /// The line of its row in the file.
    line: u64,
}

/// Crawlers by product token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalog(BTreeMap<String, CatalogAgent>);

impl Catalog {
    /// The catalogue that ships with the program.
    ///
    /// [`Error::Catalog`] where the shipped file breaks a rule of the format, which the tests of
    /// this module exclude.
    pub fn shipped() -> Result<Self, Error> {
        let mut catalog = Self::read(SHIPPED.as_bytes(), Path::new("agents.csv"))?;
        for agent in catalog.0.values_mut() {
            agent.version = Some(VERSION);
        }
        Ok(catalog)
    }

    /// The shipped catalogue with the rows of `text`, a CSV file that messages call `path`, added
    /// or put in the places of those with the same product token.
    ///
    /// [`Error::Catalog`] with the line: the text is not CSV in UTF-8 with the header of a
    /// catalogue, a value is not allowed in its column, a product token has two rows, or a fallback
    /// or successor is not in the catalogue.
    pub fn shipped_with(text: &[u8], path: &Path) -> Result<Self, Error> {
        let mut catalog = Self::shipped()?;
        let added = Self::read(text, path)?;
        let tokens: Vec<String> = added.0.keys().cloned().collect();
        catalog.0.extend(added.0);
        for token in &tokens {
            catalog.check_references(token, path)?;
        }
        Ok(catalog)
    }

    /// Reads the rows of a CSV file (RFC 4180, UTF-8, with a header).
    fn read(text: &[u8], path: &Path) -> Result<Self, Error> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(text);
        let line_of = |error: &csv::Error| error.position().map_or(1, csv::Position::line);
        let fail = |line: u64, message: String| Error::Catalog {
            path: path.to_owned(),
            line,
            message,
        };
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
        let mut agents: BTreeMap<String, CatalogAgent> = BTreeMap::new();
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            let line = record.position().map_or(1, csv::Position::line);
            let (token, agent) = agent(&record, line).map_err(|message| fail(line, message))?;
            if let Some(first) = agents.get(&token) {
                let message = format!(
                    "the product token {token} has a row on line {} already; leave one of them",
                    first.line
                );
                return Err(fail(line, message));
            }
            agents.insert(token, agent);
        }
        Ok(Self(agents))
    }

    /// Whether the fallback and the successor of `token` are in the catalogue.
    fn check_references(&self, token: &str, path: &Path) -> Result<(), Error> {
        let Some(agent) = self.0.get(token) else {
            return Ok(());
        };
        let references = [
            ("fallback_token", &agent.fallback_token),
            ("successor_token", &agent.successor_token),
        ];
        for (column, reference) in references {
            if let Some(reference) = reference
                && !self.0.contains_key(reference)
            {
                return Err(Error::Catalog {
                    path: path.to_owned(),
                    line: agent.line,
                    message: format!(
                        "{column} {reference} is in no row; add one for it, or leave the column \
                         empty"
                    ),
                });
            }
        }
        Ok(())
    }

    /// The rows of the table, by product token.
    pub fn rows(&self) -> RecordBatch {
        let mut rows = AgentCatalogBuilder::default();
        for (product_token, agent) in &self.0 {
            let purposes: Vec<&[u8]> = agent.purposes.iter().map(|it| it.as_bytes()).collect();
            rows.push(AgentCatalogRow {
                product_token,
                name: &agent.name,
                operator: agent.operator.as_deref(),
                category: agent.purposes[0],
                purposes: &purposes,
                operator_statement: agent.operator_statement.as_deref(),
                statement_source: agent.statement_source.as_deref(),
                statement_date: agent.statement_date,
                is_ai: agent.is_ai,
                is_ai_basis: agent.is_ai_basis,
                fallback_token: agent.fallback_token.as_deref(),
                obeys_wildcard: agent.obeys_wildcard,
                since: agent.since,
                source: &agent.source,
                status: agent.status,
                successor_token: agent.successor_token.as_deref(),
                since_source: agent.since_source.as_deref(),
                obeys_robots: agent.obeys_robots,
                obeys_robots_date: agent.obeys_robots_date,
                obeys_robots_source: agent.obeys_robots_source.as_deref(),
                catalog_version: agent.version,
            });
        }
        rows.finish()
    }
}

/// The crawler of a record of [`COLUMNS`]; or what is wrong with it, and what to do.
fn agent(record: &csv::StringRecord, line: u64) -> Result<(String, CatalogAgent), String> {
    // The reader has seen to it that every record is as long as the header.
    let value = |column: usize| record.get(column).unwrap_or_default();
    let text = |column: usize| Some(value(column)).filter(|text| !text.is_empty());
    let needed = |column: usize| {
        text(column)
            .map(str::to_owned)
            .ok_or_else(|| format!("{} is empty", COLUMNS[column]))
    };
    let known_word = |column: usize, word: &str, known: &[&'static str]| {
        let found = known.iter().copied().find(|known| *known == word);
        found.ok_or_else(|| {
            format!(
                "{} is `{word}`; it is one of: {}",
                COLUMNS[column],
                known.join(", ")
            )
        })
    };
    let purposes = || {
        let words = value(3).split(PURPOSE_SEPARATOR).map(str::trim);
        let purposes = words.map(|word| known_word(3, word, &CATEGORIES));
        purposes.collect::<Result<Vec<_>, _>>()
    };
    let truth = |column: usize| match value(column) {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(format!(
            "{} is `{other}`; write true or false",
            COLUMNS[column]
        )),
    };
    let token = |column: usize| {
        let canonical = product_token(value(column).as_bytes()).to_ascii_lowercase();
        let canonical = String::from_utf8_lossy(&canonical).into_owned();
        match canonical.as_str() {
            "" => Err(format!(
                "{} is `{}`; a product token begins with a letter, a digit or one of \
                 !#$%&'*+-.^_`|~ (RFC 9110 §5.6.2)",
                COLUMNS[column],
                value(column)
            )),
            canonical if canonical != value(column) => Err(format!(
                "{} is `{}`; write it as `{canonical}`, lower case and up to the first character \
                 that no product token has (RFC 9110 §5.6.2)",
                COLUMNS[column],
                value(column)
            )),
            _ => Ok(canonical),
        }
    };
    let date = |column: usize| {
        let date = text(column).map(|date| {
            day(date).ok_or_else(|| {
                format!(
                    "{} is `{date}`; write a day as YYYY-MM-DD, or leave it empty",
                    COLUMNS[column]
                )
            })
        });
        date.transpose()
    };
    let one_or_none = |column: usize, known| {
        let word = text(column).map(|word| known_word(column, word, known));
        word.transpose()
    };
    let agent = CatalogAgent {
        name: needed(1)?,
        operator: text(2).map(str::to_owned),
        purposes: purposes()?,
        is_ai: truth(4)?,
        fallback_token: text(5).map(|_| token(5)).transpose()?,
        obeys_wildcard: truth(6)?,
        since: date(7)?,
        source: needed(8)?,
        status: one_or_none(9, &STATUSES)?,
        since_source: text(10).map(str::to_owned),
        obeys_robots: one_or_none(11, &OBEDIENCE)?,
        obeys_robots_date: date(12)?,
        obeys_robots_source: text(13).map(str::to_owned),
        successor_token: text(14).map(|_| token(14)).transpose()?,
        is_ai_basis: one_or_none(15, &AI_BASES)?,
        operator_statement: text(16).map(str::to_owned),
        statement_source: text(17).map(str::to_owned),
        statement_date: date(18)?,
        version: None,
        line,
    };
    check_columns(&agent)?;
    let token = token(0)?;
    if agent.fallback_token.as_ref() == Some(&token) {
        return Err(format!(
            "{token} falls back to itself; leave fallback_token empty"
        ));
    }
    Ok((token, agent))
}

/// Whether columns that belong together are given together; if not, what to do.
fn check_columns(agent: &CatalogAgent) -> Result<(), String> {
    if agent.obeys_robots.is_some() && agent.obeys_robots_source.is_none() {
        return Err("obeys_robots has no obeys_robots_source; add the page that it is from".into());
    }
    let is_stated = agent.operator_statement.is_some() || agent.is_ai_basis == Some("operator");
    if is_stated && (agent.statement_source.is_none() || agent.statement_date.is_none()) {
        return Err(
            "what the operator states has no statement_source or no statement_date; add the page \
             and the day on which it was read"
                .into(),
        );
    }
    if agent.is_ai_basis.is_some() && !agent.is_ai {
        return Err("is_ai_basis is given, and is_ai is false; leave it empty".into());
    }
    match (agent.status, &agent.successor_token) {
        (Some("renamed"), None) => {
            return Err("status is renamed; name the new crawler in successor_token".into());
        }
        (None | Some("active"), Some(_)) => {
            return Err("successor_token is given; status must be renamed or retired".into());
        }
        _ => {}
    }
    Ok(())
}

/// A date as days since 1970-01-01.
fn day(date: &str) -> Option<i32> {
    let is_day = date.len() == "YYYY-MM-DD".len() && date.contains('-');
    let micros = parse_date(date.as_bytes()).filter(|_| is_day)?;
    i32::try_from(micros.div_euclid(MICROS_PER_DAY)).ok()
}

/// Why a CSV file cannot be read, and what to do.
fn unreadable(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!(
            "{len} values, {expected_len} in the header; put values that hold a comma in quotes"
        ),
        csv::ErrorKind::Utf8 { .. } => "not UTF-8; save the file as UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
