//! Runs all queries of a report in two DuckDB sessions at the same time; each computes shared views
//! once.
//!
//! DuckDB plans a query, and finishes many operators, on one thread: two sessions with half of the
//! threads each leave less of a machine idle than one with all of them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::analysis::duckdb::Session;
use crate::analysis::query::row::{Rows, rows_of};
use crate::analysis::query::shipped::{self, ShippedQuery};
use crate::analysis::query::{DEFAULT_MEMORY, Scope, sql};
use crate::dataset::{DATASETS_OF_KEYS, Snapshot};
use crate::error::Error;
use crate::escape;
use crate::threads;

use super::answer::Answer;
use super::methods::{command, quoted_all};
use super::options::ReportOptions;
use super::words::Agents;

/// Views that take long: each becomes a table in a session whose queries read it.
const SHARED: [&str; 4] = [
    "file_marks",
    "agent_grouping_errors",
    "rule_features_of_policies",
    "stated_signals",
];
/// The report's own statements, which come after the queries: the catalogue, the crawlers that the
/// report is about by default, and two that depend on the options.
const CATALOG: &str = "SELECT product_token, name, successor_token, catalog_version, \
     since - DATE '1970-01-01' AS since_day, strftime(since, '%Y-%m') AS since_month \
     FROM agent_catalog";
const REPORT_AGENTS: &str = "getvariable('report_agents')";
const LEAD: &str = include_str!("lead.sql");
const GLANCE: &str = "agents-at-a-glance";
const USUAL_AGENTS: &str = "nullif(usual_agents(8, true), []::VARCHAR[])";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlannedQuery {
    shipped: &'static ShippedQuery,
    /// Name, value as typed (`None`: the usual crawlers, which a session finds), and literal.
    arguments: Vec<(&'static str, Option<String>, String)>,
}

impl PlannedQuery {
    /// The command that runs it on the datasets in `directories`; `usual` lists the usual crawlers.
    fn command(&self, directories: &[PathBuf], options: &ReportOptions, usual: &str) -> String {
        if options.crawl.is_some() && self.shipped.parameter("crawl").is_none() {
            // The query alone would count later crawls too.
            return command(directories, options) + " --format json -o -";
        }
        let datasets = quoted_all(directories);
        let settings = self.arguments.iter().map(|(name, value, _)| {
            let value = value.as_deref().unwrap_or(usual);
            format!(" --set {}", escape::shell_word(&format!("{name}={value}")))
        });
        let settings: String = settings.collect();
        format!("robostat query {datasets} {}{settings}", self.shipped.name)
    }

    fn call(&self) -> String {
        let arguments = self.arguments.iter();
        self.shipped
            .call(arguments.map(|(name, _, literal)| (*name, literal.as_str())))
    }
}

pub(super) struct QueryPlan<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) options: &'a ReportOptions,
    pub(super) before: Option<&'a str>,
    pub(super) asked: Vec<PlannedQuery>,
}

pub(super) struct Answers {
    pub(super) agents: Agents,
    /// The product tokens of the crawlers that a comparison with a baseline is about.
    pub(super) tokens: Vec<String>,
    pub(super) lead: Answer,
    pub(super) rows: Vec<Answer>,
}

impl QueryPlan<'_> {
    /// Adds a query to the plan unless it is there already, and returns the index of its answer.
    /// `arguments` are written as in [`Section::arguments`](super::section::Section).
    pub(super) fn ask(&mut self, query: &str, arguments: &[&'static str]) -> Result<usize, Error> {
        let shipped = shipped::find(query).expect("a query that there is");
        let options = self.options;
        let mut planned: Vec<(&'static str, Option<String>, String)> = Vec::new();
        for argument in arguments {
            let (name, argument) = argument.split_once('=').unwrap_or((argument, ""));
            let value = match argument {
                "usual" | "given" if !options.agents.is_empty() => {
                    format!("[{}]", options.agents.join(","))
                }
                "given" => continue,
                "usual" => {
                    planned.push((name, None, REPORT_AGENTS.to_owned()));
                    continue;
                }
                "before" => self.before.unwrap_or_default().to_owned(),
                value => value.to_owned(),
            };
            let parameter = shipped.parameter(name).expect("a parameter that it has");
            let literal = sql::typed(&value, parameter.sql_type);
            let literal = literal.map_err(|message| Error::DuckDbFailed {
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

    pub(super) fn run(
        self,
        directories: &[PathBuf],
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Answers, Error> {
        // Each scope has its own directory for temporary files.
        let scope = || Scope::of(self.snapshot, DEFAULT_MEMORY);
        let scopes = [scope()?, scope()?];
        let (all, done) = (self.asked.len(), AtomicUsize::new(0));
        // Neighbouring queries take about equally long.
        let places = |number: usize| (number..all).step_by(2);
        let owner = self.glance().unwrap_or_default() % 2;
        let read_part = |number: usize| {
            let names = places(number).map(|place| self.asked[place].shipped.name);
            let names: Vec<_> = names.collect();
            let script = self.script(&scopes[number], places(number), number == owner);
            read(&script, &names, |place| {
                if place < names.len() {
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
                }
            })
        };
        let (first, second) = threads::pool(2)?.join(|| read_part(0), || read_part(1));
        let mut sessions = [first?.into_iter(), second?.into_iter()];
        let mut next = |number: usize| sessions[number].next().unwrap_or_default();
        let mut rows: Vec<Answer> = (0..all).map(|place| next(place % 2)).collect();
        let [catalog, usual, given, lead] = [(); 4].map(|()| next(owner));
        let usual = tokens(&usual);
        let listed = format!("[{}]", usual.join(","));
        for (answer, asked) in rows.iter_mut().zip(&self.asked) {
            answer.command = asked.command(directories, self.options, &listed);
        }
        Ok(Answers {
            agents: Agents::of(&catalog, usual),
            tokens: tokens(&given),
            lead,
            rows,
        })
    }

    fn glance(&self) -> Option<usize> {
        self.asked.iter().position(|it| it.shipped.name == GLANCE)
    }

    /// The report's own statements, in the order of their answers; no lead without [`GLANCE`].
    fn own_statements(&self) -> Vec<String> {
        let agents = &self.options.agents;
        let given = match self.options.baseline {
            Some(_) if !agents.is_empty() => {
                format!("known_tokens({})", sql::list_of_texts(agents))
            }
            _ => REPORT_AGENTS.to_owned(),
        };
        let names = |list: &str| format!("SELECT unnest({list}) AS product_token");
        let mut own = vec![CATALOG.to_owned(), names(REPORT_AGENTS), names(&given)];
        if let Some(glance) = self.glance() {
            let crawl = self.options.crawl.as_ref();
            let crawl = crawl.map_or("NULL".to_owned(), |label| sql::text(label));
            let lead = LEAD.replace("%answer", &table(glance));
            own.push(lead.replace("%crawl", &crawl));
        }
        own
    }

    /// The statements of the queries at `places`, then the report's own if `is_owner`.
    fn script(&self, scope: &Scope, places: impl Iterator<Item = usize>, is_owner: bool) -> String {
        let own = self.own_statements().into_iter().filter(|_| is_owner);
        let places: Vec<usize> = places.collect();
        let queries = places.iter().map(|place| self.asked[*place].call());
        let statements: Vec<String> = queries.chain(own).collect();
        let needed = statements.iter().map(String::as_str);
        let needed: Vec<&str> = needed.chain([USUAL_AGENTS]).collect();
        let mut script = scope.prologue_for(&needed);
        for view in DATASETS_OF_KEYS.iter().chain(&SHARED) {
            script.push_str(&as_table(&script, view));
        }
        let threads = (threads::available() / 2).max(1);
        let usual = format!("SET VARIABLE report_agents = {USUAL_AGENTS};\n");
        script.extend([format!("SET threads = {threads};\n"), usual]);
        // The report's own answers come after the answers of all queries.
        let places = places.into_iter().chain(self.asked.len()..);
        for (place, statement) in places.zip(&statements) {
            let table = table(place);
            // A table, so that it is bound once: binding often takes longer than answering.
            let answer = format!("CREATE TEMP TABLE {table} AS {statement}\n;\n");
            script.extend([answer, rows_of(&format!("FROM {table}"))]);
        }
        script
    }
}

fn tokens(answer: &Answer) -> Vec<String> {
    let rows = answer.rows();
    rows.map(|row| row.text("product_token").into_owned())
        .collect()
}

fn table(place: usize) -> String {
    format!("\"answer {place} of the report\"")
}

/// SQL that replaces a view with a table for statements that read it, if `script` defines it.
fn as_table(script: &str, view: &str) -> String {
    if !script.contains(&format!("VIEW {view} AS")) {
        return String::new();
    }
    format!(
        "CREATE TABLE shared_{view} AS FROM {view}; DROP VIEW {view}; ALTER TABLE shared_{view} RENAME TO {view};\n"
    )
}

/// The answers that a script prints, as [rows](rows_of). Calls `answered` with an answer's index
/// when its columns arrive. `names` has the queries, which the report's own statements follow.
pub(super) fn read(
    script: &str,
    names: &[&'static str],
    answered: impl Fn(usize),
) -> Result<Vec<Answer>, Error> {
    let mut session = Session::start(script)?;
    let mut answers = Vec::new();
    let name = |place: usize| names.get(place).copied().unwrap_or_default();
    while let Some((columns, rows)) = Rows::of(&mut session)? {
        answered(answers.len());
        let rows = rows.collect::<Result<_, _>>()?;
        answers.push(Answer::of(name(answers.len()), columns, rows));
    }
    session.finish().map_err(|mut error| {
        if let Error::DuckDbFailed { query, .. } = &mut error {
            // DuckDB failed in the first query without an answer, or before any query began.
            *query = names.get(answers.len()).map(|&name| name.to_owned());
        }
        error
    })?;
    Ok(answers)
}
