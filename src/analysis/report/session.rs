//! All queries of a report in two sessions of DuckDB at once, what they share worked out once.
//!
//! To plan a query takes DuckDB one thread, and so do the ends of many an operator: two sessions
//! with half of the threads each leave less of a machine idle than one with all of them.

use std::fmt::Write as _;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use crate::analysis::duckdb::Session;
use crate::analysis::query::row::Row;
use crate::analysis::query::shipped::{self, ShippedQuery};
use crate::analysis::query::{DEFAULT_MEMORY, Scope, rows_of, sql, unexpected};
use crate::dataset::{DATASETS_OF_KEYS, Snapshot};
use crate::error::{Error, shown};
use crate::threads;

use super::ReportOptions;
use super::answer::{Answer, Cell};
use super::section::Argument;
use super::words::Agents;

/// Views that many queries read and that take long: each becomes a table.
const SHARED: [&str; 1] = ["agent_grouping_errors"];
/// Sessions that run at once.
const SESSIONS: usize = 2;
/// Statements that every session begins with, which no query has asked for.
const OWN: usize = 3;
/// The table of a query's answer; no other is called so.
const ANSWER: &str = "\"answer of the report\"";
/// How far the crawler that most websites block by name is ahead of the next one: a panel of the
/// same hosts, with those that block the next one as those that blocked before. Names
/// after `%` are parameters.
const LEAD: &str = "WITH ranked AS (
        SELECT product_token, row_number() OVER (ORDER BY pct_of_domains DESC, product_token) AS place
        FROM agents_at_a_glance(%glance)
        WHERE %is_wanted AND hosts_full_by_name > 0
    ),
    blocking AS MATERIALIZED (
        SELECT policy_id, 'lead' AS product_token, place
        FROM agents JOIN ranked USING (product_token)
        WHERE restriction = 'full' AND place <= 2
    ),
    hosts AS MATERIALIZED (
        SELECT * REPLACE (if(has_rules, policy_id, NULL) AS policy_id)
        FROM hosts_by('answered', %crawl, 'host', NULL)
    ),
    hosts_too AS (SELECT url_host_name, policy_id FROM hosts),
    first AS (SELECT policy_id, product_token FROM blocking WHERE place = 1),
    next AS (SELECT policy_id, product_token FROM blocking WHERE place = 2)
    SELECT * FROM panel_of(['lead'], 'hosts_too', 'hosts', 'next', 'first', 'next', 'first', 'domain')";
/// Crawlers that a report is about by default.
const USUAL_AGENTS: &str = "nullif(usual_agents(8, true), []::VARCHAR[])";

/// A query with the values of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlannedQuery {
    /// The query.
    pub(super) shipped: &'static ShippedQuery,
    /// Names and values of parameters, as one would type them.
    typed: Vec<(String, String)>,
    /// Names and literals.
    literals: Vec<(&'static str, String)>,
    /// Whether the value of `agents` is the session's variable.
    takes_agents: bool,
}

impl PlannedQuery {
    /// The command that puts it to the datasets in `directories`.
    pub(super) fn command(&self, directories: &[PathBuf]) -> String {
        let datasets = quoted_all(directories);
        let mut command = format!("robostat query {datasets} {}", self.shipped.name);
        for (name, value) in &self.typed {
            // Writing to a String cannot fail.
            let _ = write!(command, " --set {}", quoted(&format!("{name}={value}")));
        }
        command
    }
}

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Directories as a shell takes them, one after the other.
pub(super) fn quoted_all(directories: &[PathBuf]) -> String {
    let words = directories.iter().map(|it| quoted(&shown(it)));
    words.collect::<Vec<_>>().join(" ")
}

/// Queries that are to be put.
pub(super) struct QueryPlan<'a> {
    snapshot: &'a Snapshot,
    options: &'a ReportOptions,
    before: Option<&'a str>,
    asked: Vec<PlannedQuery>,
}

/// Answers to the queries of a plan.
pub(super) struct Answers {
    /// What is known of crawlers.
    pub(super) agents: Agents,
    /// How far the first crawler is ahead of the second: a row of `agent-panel`.
    pub(super) lead: Answer,
    /// The answers, in order.
    pub(super) rows: Vec<Answer>,
    /// What was asked.
    pub(super) asked: Vec<PlannedQuery>,
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
        arguments: &[(&'static str, Argument)],
    ) -> Result<usize, Error> {
        let shipped = shipped::find(query).ok_or_else(|| Error::NoQuery(query.to_owned()))?;
        let mut asked = PlannedQuery {
            shipped,
            typed: Vec::new(),
            literals: Vec::new(),
            takes_agents: false,
        };
        for (name, argument) in arguments {
            let given = || format!("[{}]", self.options.agents.join(","));
            let value = match argument {
                Argument::Typed(value) => (*value).to_owned(),
                Argument::Before => self.before.unwrap_or_default().to_owned(),
                Argument::Agents | Argument::GivenAgents if !self.options.agents.is_empty() => {
                    given()
                }
                Argument::GivenAgents => continue,
                Argument::Agents => {
                    asked
                        .literals
                        .push((name, "getvariable('report_agents')".to_owned()));
                    asked.takes_agents = true;
                    continue;
                }
            };
            let parameter = shipped.parameter(name);
            let parameter = parameter.ok_or_else(|| format!("it has no parameter {name}"));
            let literal = parameter
                .and_then(|parameter| sql::typed(&value, parameter.sql_type))
                .map_err(|message| Error::DuckDbFailed {
                    query: Some(query.to_owned()),
                    message,
                })?;
            asked.typed.push(((*name).to_owned(), value));
            asked.literals.push((name, literal));
        }
        if let Some(ranks) = &self.options.ranks
            && shipped.parameter("ranks").is_some()
        {
            let path: PathBuf = std::path::absolute(ranks).map_err(Error::io(ranks))?;
            asked
                .literals
                .push(("ranks", sql::text(&path.to_string_lossy())));
            asked
                .typed
                .push(("ranks".to_owned(), ranks.to_string_lossy().into_owned()));
        }
        if let Some(crawl) = &self.options.crawl
            && shipped.parameter("crawl").is_some()
        {
            asked.literals.push(("crawl", sql::text(crawl)));
            asked.typed.push(("crawl".to_owned(), crawl.clone()));
        }
        if let Some(place) = self.asked.iter().position(|it| *it == asked) {
            return Ok(place);
        }
        self.asked.push(asked);
        Ok(self.asked.len() - 1)
    }

    /// Puts the queries; tells `progress` of every answer.
    pub(super) fn run(mut self, progress: &mut dyn FnMut(usize, usize)) -> Result<Answers, Error> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let shares = self.shares(SESSIONS.min(threads));
        let mut scopes = vec![Scope::of_snapshot(self.snapshot, DEFAULT_MEMORY)?];
        while scopes.len() < shares.len() {
            scopes.push(scopes[0].for_another_session());
        }
        let threads = (threads / shares.len()).max(1);
        let (began, of_any) = mpsc::channel();
        let (mut agents, mut lead, mut usual) = (None, Answer::default(), Vec::new());
        let mut rows: Vec<Answer> = Vec::new();
        rows.extend(
            self.asked
                .iter()
                .map(|asked| Answer::to(asked.shipped.name)),
        );
        thread::scope(|threads_of| {
            let running: Vec<_> = shares
                .iter()
                .zip(&scopes)
                .map(|(share, scope)| {
                    let script = self.script(share, scope, threads);
                    let names: Vec<_> = share
                        .iter()
                        .map(|it| self.asked[*it].shipped.name)
                        .collect();
                    let began = began.clone();
                    threads::spawn_in(threads_of, move || {
                        read(&script, &names, &mut |place, _| {
                            // Nobody hears it where the other session has failed.
                            let _ = (place > 0).then(|| began.send(()));
                        })
                    })
                })
                .collect::<Result<_, Error>>()?;
            drop(began);
            for (count, ()) in of_any.iter().enumerate() {
                progress(count + 1, self.asked.len());
            }
            for (share, session) in shares.iter().zip(running) {
                let mut answers = session.join().expect("reads answers")?.into_iter();
                let own = answers.by_ref().take(OWN).collect::<Vec<_>>();
                if let [of_agents, of_usual, of_lead] = own.as_slice() {
                    let tokens = of_usual.rows();
                    usual = tokens
                        .map(|row| row.text("product_token").into_owned())
                        .collect();
                    agents = Some(Agents::of(of_agents, usual.clone()));
                    lead.clone_from(of_lead);
                }
                for (place, answer) in share.iter().zip(answers) {
                    let Answer {
                        columns,
                        rows: cells,
                        ..
                    } = answer;
                    (rows[*place].columns, rows[*place].rows) = (columns, cells);
                }
            }
            Ok::<(), Error>(())
        })?;
        for asked in self.asked.iter_mut().filter(|asked| asked.takes_agents) {
            asked
                .typed
                .insert(0, ("agents".to_owned(), format!("[{}]", usual.join(","))));
        }
        Ok(Answers {
            agents: agents.unwrap_or_default(),
            lead,
            rows,
            asked: self.asked,
        })
    }

    /// The places of the queries that each of `n` sessions puts: those that share a view in the
    /// last, the others in turn.
    fn shares(&self, n: usize) -> Vec<Vec<usize>> {
        let mut shares = vec![Vec::new(); n];
        let reads_a_view = |place: &usize| {
            let sql = self.asked[*place].shipped.sql;
            SHARED.iter().any(|view| sql.contains(view))
        };
        let (of_views, others): (Vec<usize>, Vec<usize>) =
            (0..self.asked.len()).partition(reads_a_view);
        shares[n - 1].extend(of_views);
        for place in others {
            let least = (0..n)
                .min_by_key(|share| shares[*share].len())
                .unwrap_or_default();
            shares[least].push(place);
        }
        shares
    }

    /// The statement of the lead of the crawler that is blocked most.
    fn lead(&self) -> String {
        let text = |name: &String| sql::text(name);
        let agents = self.options.agents.iter().map(text).collect::<Vec<_>>();
        let crawl = self.options.crawl.as_ref().map_or("NULL".to_owned(), text);
        let (given, is_ai) = if agents.is_empty() {
            (String::new(), "is_ai")
        } else {
            (format!("agents := [{}], ", agents.join(", ")), "true")
        };
        let glance = format!("{given}crawl := {crawl}");
        LEAD.replace("%glance", &glance)
            .replace("%is_wanted", is_ai)
            .replace("%crawl", &crawl)
    }

    /// The script of a session that puts the queries at `places`.
    fn script(&self, places: &[usize], scope: &Scope, threads: usize) -> String {
        let mut script = scope.prologue();
        let asked = || places.iter().map(|place| &self.asked[*place]);
        let shared = SHARED.into_iter();
        let shared = shared.filter(|view| asked().any(|it| it.shipped.sql.contains(view)));
        for view in DATASETS_OF_KEYS.into_iter().chain(shared) {
            script.push_str(&as_table(&script, view));
        }
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(script, "SET threads = {threads};");
        let _ = writeln!(script, "SET VARIABLE report_agents = {USUAL_AGENTS};");
        let mut statements = vec![
            "SELECT product_token, name, catalog_version, since - DATE '1970-01-01' AS since_day, \
             strftime(since, '%Y-%m') AS since_month FROM agent_catalog"
                .to_owned(),
            "SELECT unnest(getvariable('report_agents')) AS product_token".to_owned(),
            self.lead(),
        ];
        statements.extend(asked().map(|asked| asked.shipped.call(&asked.literals)));
        for (index, statement) in statements.iter().enumerate() {
            // A line of its own marks the start of each result.
            let _ = writeln!(script, ".mode list\n.headers off\nSELECT '\"{index}\"';");
            // A table, so that the statement is bound once, which takes longer than many an answer.
            let _ = writeln!(
                script,
                "CREATE OR REPLACE TEMP TABLE {ANSWER} AS {statement}\n;"
            );
            script.push_str(&rows_of(&format!("FROM {ANSWER}")));
        }
        script
    }
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

/// Runs a script that prints a line with a number in quotes before each result.
pub(super) fn read(
    script: &str,
    names: &[&str],
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Answer>, Error> {
    let mut session = Session::start(script)?;
    let mut answers: Vec<Answer> = Vec::new();
    let own = |answers: usize| answers.saturating_sub(OWN);
    let mut line = Vec::new();
    while session.read_line(&mut line)? {
        match (line.first(), answers.last_mut()) {
            (Some(b'"'), _) => {
                answers.push(Answer::default());
                progress(own(answers.len()), names.len());
            }
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
    let began = own(answers.len());
    session.finish().map_err(|error| match error {
        // It failed in the query that began last, or before the first could begin.
        Error::DuckDbFailed { message, .. } => Error::DuckDbFailed {
            query: began
                .checked_sub(1)
                .and_then(|place| names.get(place))
                .map(|it| (*it).to_owned()),
            message,
        },
        error => error,
    })?;
    Ok(answers)
}
