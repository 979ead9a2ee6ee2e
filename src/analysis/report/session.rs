//! All queries of a report in one session of DuckDB, what they share worked out once.

use std::fmt::Write as _;
use std::path::Path;

use crate::analysis::duckdb::Session;
use crate::analysis::query::row::Row;
use crate::analysis::query::shipped::ShippedQuery;
use crate::analysis::query::{DEFAULT_MEMORY, Scope, rows_of, sql, unexpected};
use crate::error::Error;

use super::answer::{Answer, Cell};
use super::section::Section;

/// Views that many queries read and that take long: each becomes a table, in this order, so that
/// the later ones are made of the earlier.
const SHARED: [&str; 6] = [
    "resolved",
    "latest_captures",
    "origins",
    "hosts",
    "host_files",
    "changes",
];

/// The answers to the queries of some sections, in order.
pub(super) fn answers(
    directory: &Path,
    asked: &[(&'static Section, &'static ShippedQuery)],
    ranks: Option<&Path>,
) -> Result<Vec<Answer>, Error> {
    let scope = Scope::of(directory, DEFAULT_MEMORY)?;
    // Writing to a String cannot fail, here and below.
    let mut script = scope.prologue();
    for view in SHARED {
        if script.contains(&format!("VIEW {view} AS")) {
            // Views that read it find the table in its place.
            let _ = writeln!(
                script,
                "CREATE TABLE shared_{view} AS FROM {view}; DROP VIEW {view}; ALTER TABLE shared_{view} RENAME TO {view};"
            );
        }
    }
    for (index, (section, shipped)) in asked.iter().enumerate() {
        let mut arguments = Vec::new();
        for (name, value) in section.set {
            let literal = shipped
                .parameter(name)
                .ok_or_else(|| format!("it has no parameter {name}"))
                .and_then(|parameter| sql::typed(value, parameter.sql_type))
                .map_err(|message| Error::DuckDbFailed {
                    query: Some(shipped.name.to_owned()),
                    message,
                })?;
            arguments.push((*name, literal));
        }
        if let Some(ranks) = ranks.filter(|_| shipped.parameter("ranks").is_some()) {
            let path = std::path::absolute(ranks).map_err(Error::io(ranks))?;
            arguments.push(("ranks", sql::text(&path.to_string_lossy())));
        }
        // A line of its own tells which result begins.
        let _ = writeln!(script, ".mode list\n.headers off\nSELECT '\"{index}\"';");
        script.push_str(&rows_of(&shipped.call(&arguments)));
    }
    read(&script, asked)
}

fn read(
    script: &str,
    asked: &[(&'static Section, &'static ShippedQuery)],
) -> Result<Vec<Answer>, Error> {
    let mut session = Session::start(script)?;
    let mut answers: Vec<Answer> = Vec::with_capacity(asked.len());
    let mut line = Vec::new();
    while session.read_line(&mut line)? {
        match (line.first(), answers.last_mut()) {
            (Some(b'"'), _) => answers.push(Answer::default()),
            (Some(b'['), Some(answer)) => {
                answer.columns =
                    serde_json::from_slice(&line).map_err(|error| unexpected(&line, error))?;
            }
            (_, Some(answer)) => {
                let text = String::from_utf8_lossy(&line);
                let row = Row::read(&text).map_err(|error| unexpected(&line, error))?;
                let cells = row.0.into_iter().zip(&answer.columns);
                let cells = cells.map(|((_, value), column)| {
                    let cell = Cell::new(value);
                    match cell.number() {
                        Some(_) if column.is_id() => Cell::of_text(&cell.text()),
                        _ => cell,
                    }
                });
                let cells = cells.collect();
                answer.rows.push(cells);
            }
            (_, None) => {}
        }
    }
    let began = answers.len().max(1) - 1;
    session
        .finish()
        .map_err(|error| match (error, asked.get(began)) {
            // It failed in the query that began last, or before the next one could begin.
            (Error::DuckDbFailed { message, .. }, Some((section, _))) if !answers.is_empty() => {
                Error::DuckDbFailed {
                    query: Some(section.query.to_owned()),
                    message,
                }
            }
            (error, _) => error,
        })?;
    Ok(answers)
}
