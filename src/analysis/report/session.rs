//! All queries of a report in two sessions of DuckDB at once, what they share worked out once.
//!
//! To plan a query takes DuckDB one thread, and so do the ends of many an operator: two sessions
//! with half of the threads each leave less of a machine idle than one with all of them.

use std::fmt::Write as _;
use std::iter;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::analysis::duckdb::Session;
use crate::analysis::query::row::{Rows, rows_of};
use crate::analysis::query::shipped::{self, ShippedQuery};
use crate::analysis::query::{DEFAULT_MEMORY, Scope, parsed, sql};
use crate::dataset::{DATASETS_OF_KEYS, Snapshot};
use crate::error::{Error, shown};
use crate::escape;
use crate::threads;

use super::answer::Answer;
use super::options::ReportOptions;
use super::words::Agents;

/// Views that some queries read and that take long: each becomes a table in the session that puts
/// these queries.
const SHARED: [&str; 4] = [
    "file_marks",
    "agent_grouping_errors",
    "rule_features_of_policies",
    "stated_signals",
];
const SESSIONS: usize = 2;
/// The first places of answers are for the report's own statements; then come the queries.
const OWN: usize = 4;
const CATALOG: (usize, &str) = (
    0,
    "SELECT product_token, name, catalog_version, since - DATE '1970-01-01' AS since_day, \
     strftime(since, '%Y-%m') AS since_month FROM agent_catalog",
);
const USUAL: (usize, &str) = (
    1,
    "SELECT unnest(getvariable('report_agents')) AS product_token",
);
const LEAD_PLACE: usize = 2;
/// The place of the crawlers of `--agents` that the dataset or the catalogue names.
const GIVEN_PLACE: usize = 3;
/// The table of a query's answer; no other is called so.
const ANSWER: &str = "\"answer of the report\"";
/// How far the crawler that most websites block by name is ahead of the next one: a panel of the
/// same hosts, with those that block the next one as those that blocked before. It is put when
/// the answer of [`GLANCE`] is the table `%answer`; `%is_wanted` and `%crawl` are parameters.
const LEAD: &str = "WITH ranked AS (
        SELECT product_token, row_number() OVER (ORDER BY pct_of_domains DESC, product_token) AS place
        FROM %answer
        WHERE %is_wanted AND hosts_full_by_name > 0
    ),
    blocking AS MATERIALIZED (
        SELECT policy_id, 'lead' AS product_token, place
        FROM agents JOIN ranked USING (product_token)
        WHERE restriction = 'full' AND place <= 2
    ),
    answered AS MATERIALIZED (
        SELECT * REPLACE (if(has_rules, policy_id, NULL) AS policy_id)
        FROM hosts_by('answered', %crawl, 'host', NULL)
    ),
    answered_too AS (SELECT url_host_name, policy_id FROM answered),
    first AS (SELECT policy_id, product_token FROM blocking WHERE place = 1),
    next AS (SELECT policy_id, product_token FROM blocking WHERE place = 2)
    SELECT * FROM panel_of(['lead'], 'answered_too', 'answered', 'next', 'first', 'next', 'first', 'domain')";
const GLANCE: &str = "agents-at-a-glance";
/// Crawlers that a report is about by default.
const USUAL_AGENTS: &str = "nullif(usual_agents(8, true), []::VARCHAR[])";

/// A query with the values of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PlannedQuery {
    shipped: &'static ShippedQuery,
    /// Parameters: name, value as one would type it, and literal. The value is missing for the
    /// usual crawlers, which a session finds.
    arguments: Vec<(&'static str, Option<String>, String)>,
}

impl PlannedQuery {
    /// The command that puts it to the datasets in `directories`; `usual` lists the usual crawlers.
    fn command(&self, directories: &[PathBuf], usual: &str) -> String {
        let datasets = quoted_all(directories);
        let mut command = format!("robostat query {datasets} {}", self.shipped.name);
        for (name, value, _) in &self.arguments {
            let value = value.as_deref().unwrap_or(usual);
            // Writing to a String cannot fail.
            let setting = escape::shell_word(&format!("{name}={value}"));
            let _ = write!(command, " --set {setting}");
        }
        command
    }

    fn call(&self) -> String {
        let arguments = self.arguments.iter();
        let arguments = arguments.map(|(name, _, literal)| (*name, literal.clone()));
        self.shipped.call(&arguments.collect::<Vec<_>>())
    }
}

/// Directories as a shell takes them, one after the other.
pub(super) fn quoted_all(directories: &[PathBuf]) -> String {
    let words = directories.iter().map(|it| escape::shell_word(&shown(it)));
    words.collect::<Vec<_>>().join(" ")
}

pub(super) struct QueryPlan<'a> {
    snapshot: &'a Snapshot,
    options: &'a ReportOptions,
    before: Option<&'a str>,
    asked: Vec<PlannedQuery>,
}

pub(super) struct Answers {
    pub(super) agents: Agents,
    /// The product tokens of the crawlers that a comparison with a baseline is about.
    pub(super) tokens: Vec<String>,
    /// How far the first crawler is ahead of the second: a row of `agent-panel`.
    pub(super) lead: Answer,
    /// The answers to the queries, in the order of the plan.
    pub(super) rows: Vec<Answer>,
}

impl<'a> QueryPlan<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        options: &'a ReportOptions,
        before: Option<&'a str>,
    ) -> Self {
        let asked = Vec::new();
        Self {
            snapshot,
            options,
            before,
            asked,
        }
    }

    /// Adds a query to the plan unless it is there already, and returns the index of its answer.
    pub(super) fn ask(
        &mut self,
        query: &str,
        arguments: &[(&'static str, &str)],
    ) -> Result<usize, Error> {
        let shipped = shipped::find(query).ok_or_else(|| Error::NoQuery(query.to_owned()))?;
        let options = self.options;
        let mut planned: Vec<(&'static str, Option<String>, String)> = Vec::new();
        for (name, argument) in arguments {
            let value = match *argument {
                "usual" | "given" if !options.agents.is_empty() => {
                    format!("[{}]", options.agents.join(","))
                }
                "given" => continue,
                "usual" => {
                    planned.push((name, None, "getvariable('report_agents')".to_owned()));
                    continue;
                }
                "before" => self.before.unwrap_or_default().to_owned(),
                value => value.to_owned(),
            };
            let parameter = shipped.parameter(name);
            let parameter = parameter.ok_or_else(|| format!("it has no parameter {name}"));
            let literal = parameter
                .and_then(|parameter| sql::typed(&value, parameter.sql_type))
                .map_err(|message| Error::DuckDbFailed {
                    query: Some(query.to_owned()),
                    message,
                })?;
            planned.push((name, Some(value), literal));
        }
        let has = |name: &str| shipped.parameter(name).is_some();
        for (name, list) in [("ranks", &options.ranks), ("sites", &options.sites)] {
            if let Some(list) = list.as_ref().filter(|_| has(name)) {
                let path: PathBuf = std::path::absolute(list).map_err(Error::io(list))?;
                let literal = sql::text(&path.to_string_lossy());
                planned.push((name, Some(list.to_string_lossy().into_owned()), literal));
            }
        }
        if let Some(crawl) = options.crawl.as_ref().filter(|_| has("crawl")) {
            planned.push(("crawl", Some(crawl.clone()), sql::text(crawl)));
        }
        let asked = PlannedQuery {
            shipped,
            arguments: planned,
        };
        if let Some(place) = self.asked.iter().position(|it| *it == asked) {
            return Ok(place);
        }
        self.asked.push(asked);
        Ok(self.asked.len() - 1)
    }

    /// Puts the queries to the datasets in `directories`; tells `progress` of every answer.
    pub(super) fn run(
        self,
        directories: &[PathBuf],
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Answers, Error> {
        let threads = threads::available();
        let sessions = SESSIONS.min(threads);
        let scope = |_| Scope::of_snapshot(self.snapshot, DEFAULT_MEMORY);
        let scopes: Vec<Scope> = (0..sessions).map(scope).collect::<Result<_, _>>()?;
        let pieces = self.pieces(&scopes[0]);
        let names = self.asked.iter().map(|it| it.shipped.name);
        let names: Vec<_> = iter::repeat_n("", OWN).chain(names).collect();
        let (done, all) = (AtomicUsize::new(0), self.asked.len());
        let answered = |place: usize| {
            if place >= OWN {
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
            }
        };
        let read_part = |number: usize| {
            // Queries that take about as long are next to each other.
            let own = pieces.iter().skip(number).step_by(sessions);
            let own: String = own.map(String::as_str).collect();
            let script = prologue(&scopes[number], threads / sessions) + &own;
            read(&script, &names, answered)
        };
        let pool = threads::pool(sessions)?;
        let parts = (0..sessions).into_par_iter().map(read_part);
        let parts: Vec<Result<Vec<(usize, Answer)>, Error>> = pool.install(|| parts.collect());
        let mut answers = vec![Answer::default(); names.len()];
        for part in parts {
            for (place, answer) in part? {
                answers[place] = answer;
            }
        }
        let mut rows = answers.split_off(OWN);
        let tokens = |place: usize| -> Vec<String> {
            let rows = answers[place].rows();
            rows.map(|row| row.text("product_token").into_owned())
                .collect()
        };
        let (usual, given) = (tokens(USUAL.0), tokens(GIVEN_PLACE));
        let agents = Agents::of(&answers[CATALOG.0], usual.clone());
        let listed = format!("[{}]", usual.join(","));
        for (answer, asked) in rows.iter_mut().zip(&self.asked) {
            answer.command = asked.command(directories, &listed);
        }
        Ok(Answers {
            agents,
            tokens: if given.is_empty() { usual } else { given },
            lead: answers.swap_remove(LEAD_PLACE),
            rows,
        })
    }

    /// The statement of the lead of the crawler that is blocked most.
    fn lead(&self) -> String {
        let crawl = self.options.crawl.as_ref();
        let crawl = crawl.map_or("NULL".to_owned(), |label| sql::text(label));
        let is_wanted = if self.options.agents.is_empty() {
            "is_ai"
        } else {
            "true"
        };
        LEAD.replace("%answer", ANSWER)
            .replace("%is_wanted", is_wanted)
            .replace("%crawl", &crawl)
    }

    /// What sessions are given alternately after their prologue: each a statement, or all queries
    /// that share a view.
    fn pieces(&self, scope: &Scope) -> Vec<String> {
        let readers = SHARED.map(|view| scope.readers_of(view));
        debug_assert!(readers.iter().all(|names| names.len() > 1), "{readers:?}");
        let prologue = scope.prologue();
        let mut together = SHARED.map(|view| as_table(&prologue, view));
        let mut alone = vec![marked(CATALOG.0, CATALOG.1), marked(USUAL.0, USUAL.1)];
        if self.options.baseline.is_some() && !self.options.agents.is_empty() {
            let given: Vec<String> = self.options.agents.iter().map(|it| sql::text(it)).collect();
            let given = format!(
                "SELECT unnest(known_tokens([{}])) AS product_token",
                given.join(", ")
            );
            alone.push(marked(GIVEN_PLACE, &given));
        }
        for (place, asked) in self.asked.iter().enumerate() {
            let mut statements = marked(OWN + place, &asked.call());
            if asked.shipped.name == GLANCE {
                statements.push_str(&marked(LEAD_PLACE, &self.lead()));
            }
            let name = asked.shipped.macro_name();
            match readers.iter().position(|names| names.contains(&name)) {
                Some(view) => together[view].push_str(&statements),
                None => alone.push(statements),
            }
        }
        let together = together.into_iter().filter(|piece| piece.contains(ANSWER));
        together.chain(alone).collect()
    }
}

/// What a session begins with.
fn prologue(scope: &Scope, threads: usize) -> String {
    let mut script = scope.prologue();
    for view in DATASETS_OF_KEYS {
        script.push_str(&as_table(&script, view));
    }
    // Writing to a String cannot fail.
    let _ = writeln!(
        script,
        "SET threads = {threads};\nSET VARIABLE report_agents = {USUAL_AGENTS};"
    );
    script
}

/// A statement with a line before its answer that says its place.
fn marked(place: usize, statement: &str) -> String {
    // A table, so that the statement is bound once, which takes longer than many an answer.
    format!(
        ".print {place}\nCREATE OR REPLACE TEMP TABLE {ANSWER} AS {statement}\n;\n{}",
        rows_of(&format!("FROM {ANSWER}"))
    )
}

/// SQL that replaces a view by a table, if `script` makes a view of that name. Whatever reads the
/// view then reads the table.
fn as_table(script: &str, view: &str) -> String {
    if !script.contains(&format!("VIEW {view} AS")) {
        return String::new();
    }
    format!(
        "CREATE TABLE shared_{view} AS FROM {view}; DROP VIEW {view}; ALTER TABLE shared_{view} RENAME TO {view};\n"
    )
}

/// Runs a script that prints the place of an answer on a line before its [rows](rows_of).
/// `answered` hears of each whose rows begin. `names` has the query at each place, or an empty text
/// for a statement of the report itself.
pub(super) fn read(
    script: &str,
    names: &[&'static str],
    answered: impl Fn(usize),
) -> Result<Vec<(usize, Answer)>, Error> {
    let mut session = Session::start(script)?;
    let mut answers: Vec<(usize, Answer)> = Vec::new();
    let mut name = "";
    let mut line = Vec::new();
    while session.read_line(&mut line)? {
        let place: usize = parsed(&line)?;
        name = names[place];
        if let Some((columns, rows)) = Rows::of(&mut session)? {
            answered(place);
            let rows = rows.collect::<Result<_, _>>()?;
            answers.push((place, Answer::of(name, columns, rows)));
        }
    }
    session.finish().map_err(|error| match error {
        // It failed in the query that began last, or before the first could begin.
        Error::DuckDbFailed { message, .. } => Error::DuckDbFailed {
            query: Some(name.to_owned()).filter(|name| !name.is_empty()),
            message,
        },
        error => error,
    })?;
    Ok(answers)
}
