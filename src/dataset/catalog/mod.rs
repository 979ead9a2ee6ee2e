//! The agent catalogue: well-known crawlers, who runs them and what for.
//!
//! `agents.csv` beside this file is the catalogue that ships with the program. A dataset has a
//! table made of it, `agent_catalog`, which names the crawlers that its policies speak to:
//! category, purpose, the fallbacks that operators document and whether they say that it obeys
//! robots.txt. A CSV file of the same columns, or of the first ten, adds rows to it, or replaces
//! those of the same product token.

pub(super) mod table;

use std::collections::BTreeMap;
use std::path::Path;

use arrow_array::RecordBatch;
use robots_dialects::agent::product_token;
use warc_recovery::warc::parse_date;

use crate::dataset::tables::Builder as _;
use crate::dataset::tables::agent_catalog::{AgentCatalogBuilder, AgentCatalogRow};
use crate::error::Error;

/// The catalogue that ships with the program.
const SHIPPED: &str = include_str!("agents.csv");

/// The version of the shipped catalogue: the day on which it was last changed.
pub const VERSION: &str = "2026-11-22";

/// The columns, in the order of `agents.csv`. A file of the user's may end after the first ten.
const COLUMNS: [&str; 15] = [
    "product_token",
    "name",
    "operator",
    "category",
    "purpose",
    "is_ai",
    "fallback_token",
    "obeys_wildcard",
    "since",
    "source",
    "status",
    "since_source",
    "obeys_robots",
    "obeys_robots_date",
    "obeys_robots_source",
];

/// Columns that every file has.
const NEEDED_COLUMNS: usize = 10;

/// What kinds of crawlers there are.
pub const CATEGORIES: [&str; 12] = [
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
];

/// What crawlers fetch pages for.
pub const PURPOSES: [&str; 9] = [
    "training",
    "search",
    "user action",
    "archiving",
    "seo",
    "advertising",
    "preview",
    "monitoring",
    "other",
];

/// Whether a crawler is in use.
pub const STATUSES: [&str; 2] = ["active", "retired"];

/// Whether a crawler obeys robots.txt, as its operator documents it.
pub const OBEDIENCE: [&str; 4] = ["yes", "may not", "no", "undocumented"];

/// A crawler; the columns of [`AgentCatalogRow`], the product token aside.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CatalogAgent {
    name: String,
    operator: Option<String>,
    category: &'static str,
    purpose: &'static str,
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
    /// The version of the shipped catalogue that it is from; none for rows of a user's.
    version: Option<&'static str>,
    /// Where its row stands in the file that it comes from.
    line: u64,
}

/// Crawlers by product token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalog(BTreeMap<String, CatalogAgent>);

impl Catalog {
    /// The catalogue that ships with the program.
    ///
    /// # Errors
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
    /// # Errors
    ///
    /// [`Error::Catalog`] with the line: the text is no CSV in UTF-8 with the header of a
    /// catalogue, a value is not one that its column takes, a product token has two rows, or a
    /// fallback is no token of the catalogue.
    pub fn shipped_with(text: &[u8], path: &Path) -> Result<Self, Error> {
        let mut catalog = Self::shipped()?;
        let added = Self::read(text, path)?;
        let tokens: Vec<String> = added.0.keys().cloned().collect();
        catalog.0.extend(added.0);
        for token in &tokens {
            catalog.check_fallback(token, path)?;
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
        if header.iter().ne(COLUMNS) && header.iter().ne(needed.iter().copied()) {
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

    /// Whether the fallback of `token` is in the catalogue.
    fn check_fallback(&self, token: &str, path: &Path) -> Result<(), Error> {
        let agent = self.0.get(token);
        let fallback = agent.and_then(|agent| agent.fallback_token.as_deref());
        match (agent, fallback) {
            (Some(agent), Some(fallback)) if !self.0.contains_key(fallback) => {
                Err(Error::Catalog {
                    path: path.to_owned(),
                    line: agent.line,
                    message: format!(
                        "fallback_token {fallback} is in no row; add one for it, or leave the \
                         column empty"
                    ),
                })
            }
            _ => Ok(()),
        }
    }

    /// The rows of the table, by product token.
    #[must_use]
    pub fn rows(&self) -> RecordBatch {
        let mut rows = AgentCatalogBuilder::default();
        for (product_token, agent) in &self.0 {
            rows.push(AgentCatalogRow {
                product_token,
                name: &agent.name,
                operator: agent.operator.as_deref(),
                category: agent.category,
                purpose: agent.purpose,
                is_ai: agent.is_ai,
                fallback_token: agent.fallback_token.as_deref(),
                obeys_wildcard: agent.obeys_wildcard,
                since: agent.since,
                source: &agent.source,
                status: agent.status,
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
    let one_of = |column: usize, known: &[&'static str]| {
        let found = known.iter().copied().find(|known| *known == value(column));
        found.ok_or_else(|| {
            format!(
                "{} is `{}`; it is one of: {}",
                COLUMNS[column],
                value(column),
                known.join(", ")
            )
        })
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
    let one_or_none =
        |column: usize, known| text(column).map(|_| one_of(column, known)).transpose();
    let agent = CatalogAgent {
        name: needed(1)?,
        operator: text(2).map(str::to_owned),
        category: one_of(3, &CATEGORIES)?,
        purpose: one_of(4, &PURPOSES)?,
        is_ai: truth(5)?,
        fallback_token: text(6).map(|_| token(6)).transpose()?,
        obeys_wildcard: truth(7)?,
        since: date(8)?,
        source: needed(9)?,
        status: one_or_none(10, &STATUSES)?,
        since_source: text(11).map(str::to_owned),
        obeys_robots: one_or_none(12, &OBEDIENCE)?,
        obeys_robots_date: date(13)?,
        obeys_robots_source: text(14).map(str::to_owned),
        version: None,
        line,
    };
    if agent.obeys_robots.is_some() && agent.obeys_robots_source.is_none() {
        return Err("obeys_robots has no obeys_robots_source; say who says so".to_owned());
    }
    let token = token(0)?;
    if agent.fallback_token.as_ref() == Some(&token) {
        return Err(format!(
            "{token} falls back to itself; leave fallback_token empty"
        ));
    }
    Ok((token, agent))
}

/// A date as days since 1970-01-01.
fn day(date: &str) -> Option<i32> {
    const MICROSECONDS: i64 = 86_400_000_000;
    let micros = parse_date(date.as_bytes()).filter(|_| date.len() == "YYYY-MM-DD".len())?;
    i32::try_from(micros.div_euclid(MICROSECONDS)).ok()
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
