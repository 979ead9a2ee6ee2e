//! The report: shipped queries answered in two sessions of DuckDB, and what the answers say, as a
//! page, as Markdown or as JSON.
//!
//! [`chapters`] is the report's contents; everything else treats all sections alike. A section's
//! function makes claims, a figure and a table of its answer; [`mod@summary`] chooses the claims
//! that open the report; [`methods`] says how all of it was counted.

mod answer;
mod baseline;
mod chapters;
mod crawl;
mod figure;
mod format;
mod html;
mod json;
mod markdown;
mod methods;
mod naming;
mod section;
mod session;
mod summary;
mod table;
mod words;

use std::path::{Path, PathBuf};

use crate::analysis::query::shipped::ShippedQuery;
use crate::analysis::query::{ResultFormat, Scope, sql};
use crate::dataset::{self, Snapshot};
use crate::error::{Error, shown};
use answer::{Answer, Cell};
use methods::Methods;
use section::{Argument, Chapter, Claim, Context, NOTHING, Needs, Reading, Section, Told};
use words::Agents;

pub use html::html;
pub use json::json;
pub use markdown::markdown;

/// What a report is made of, and how.
#[derive(Debug, Default)]
pub struct ReportOptions {
    /// The heading; there is one by default.
    pub title: Option<String>,
    /// A CSV or Parquet file of ranks and domains.
    pub ranks: Option<PathBuf>,
    /// Another dataset, to compare with.
    pub baseline: Option<PathBuf>,
    /// Whether hosts may be named.
    pub names_hosts: bool,
    /// Ids of the chapters and sections to include; all if empty.
    pub sections: Vec<String>,
    /// Crawlers that it is about; the default ones if empty.
    pub agents: Vec<String>,
    /// The crawl that it is about; later crawls are left out. By default the last one.
    pub crawl: Option<String>,
}

/// A report, ready to be written.
#[derive(Debug)]
pub struct Report {
    /// The heading.
    title: String,
    /// Labels of the crawls, in order.
    crawls: Vec<String>,
    /// Claims that open it, and the section of each.
    summary: Vec<(String, String)>,
    /// Chapters that have a section, the front page first.
    chapters: Vec<WrittenChapter>,
    /// Sections that are not told, and why.
    left_out: Vec<LeftOut>,
    /// How it was made.
    methods: Methods,
    /// Whether hosts may be named.
    names_hosts: bool,
    /// How many domains of the user's list of ranks the dataset has.
    notes: Vec<String>,
}

impl Report {
    /// Notes for the person who asked for the report.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// A chapter with its findings.
#[derive(Debug)]
struct WrittenChapter {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    is_appendix: bool,
    findings: Vec<Finding>,
}

/// A section with its answer and what it says.
#[derive(Debug)]
struct Finding {
    /// The address on the page.
    id: &'static str,
    /// The heading.
    title: &'static str,
    /// How to read it.
    about: &'static str,
    /// The query, where it is a shipped one.
    shipped: Option<&'static ShippedQuery>,
    /// How to get the answer again.
    command: String,
    /// The whole answer, but for what is not to be named.
    answer: Answer,
    /// The same by registrable domain, where the section asks for that too: command and answer.
    by_domain: Option<(String, Answer)>,
    /// What it says.
    told: Told,
    /// Its figure, drawn.
    svg: Option<String>,
}

/// A section that is not told.
#[derive(Debug)]
struct LeftOut {
    title: &'static str,
    id: &'static str,
    reason: String,
}

/// The heading of a report that is given none.
const TITLE: &str = "Who may crawl: a report on robots.txt";

/// The parameter that makes every registrable domain weigh the same.
const BY_DOMAIN: (&str, Argument) = ("by", Argument::Typed("domain"));

/// Names that `--sections` takes, of chapters and sections.
#[must_use]
pub fn section_names() -> Vec<&'static str> {
    let of_chapter = |chapter: &'static Chapter| {
        std::iter::once(chapter.id).chain(chapter.sections.iter().map(|section| section.id))
    };
    chapters::ALL.iter().flat_map(of_chapter).collect()
}

/// Runs all queries on the dataset in `directory`. Calls `progress` after every answer, with the
/// number of answers and of queries.
///
/// # Errors
/// If the dataset or DuckDB is missing, DuckDB fails, or a name in `options` is unknown.
pub fn build(
    directory: &Path,
    options: &ReportOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Report, Error> {
    let snapshot = Snapshot::open(directory)?.until(options.crawl.as_deref())?;
    let crawls = crawl::in_time(&snapshot.manifest().crawls());
    let labels: Vec<String> = crawls.iter().map(|crawl| crawl.label.clone()).collect();
    let before = crawl::reference(&crawls).map(|crawl| crawl.label.clone());
    let notes = list_notes(directory, options)?;
    let mut plan = session::QueryPlan::new(&snapshot, options, before.as_deref());
    let by_host = plan.ask("key-shares", &[])?;
    let by_domain = plan.ask("key-shares", &[BY_DOMAIN])?;
    let corpus = plan.ask("corpus", &[])?;
    let panel = before
        .is_some()
        .then(|| plan.ask("agent-panel", &chapters::PANEL));
    let panel = panel.transpose()?;
    let (asked, mut left_out) =
        plan_sections(&mut plan, options, labels.len(), has_pages(&snapshot))?;
    let session::Answers {
        agents,
        rows: answers,
        asked: calls,
    } = plan.run(progress)?;
    let no_change = panel.and_then(|place| answers[place].no_claim());
    let order = order_of(&snapshot, &[before.as_ref(), labels.last()]);
    let context = Context {
        crawls: &crawls,
        before: before.as_deref().unwrap_or_default(),
        no_change: no_change.as_deref(),
        order: &order,
        agents: &agents,
        is_chosen: !options.agents.is_empty(),
        by_host: &answers[by_host],
        by_domain: &answers[by_domain],
        domains: None,
    };
    let mut chapters: Vec<WrittenChapter> = Vec::new();
    for chapter in chapters::ALL {
        let is_of = |it: &&Planned| chapter.sections.iter().any(|own| own.id == it.section.id);
        let mut findings = Vec::new();
        for planned in asked.iter().filter(is_of) {
            let nameable = |place: usize| {
                let naming = planned.section.naming;
                nameable(naming, &answers[place], &agents, options.names_hosts)
            };
            let command = |place: usize| calls[place].command(&shown(directory));
            let answered = Answered {
                shipped: calls[planned.place].shipped,
                command: command(planned.place),
                no_claim: answers[planned.place].no_claim(),
                answer: nameable(planned.place),
                by_domain: planned
                    .by_domain
                    .map(|place| (command(place), nameable(place))),
            };
            match finding(&context, planned.section, answered)? {
                Ok(finding) => findings.push(finding),
                Err(reason) => left_out.push(LeftOut {
                    title: planned.section.title,
                    id: planned.section.id,
                    reason,
                }),
            }
        }
        chapters.push(WrittenChapter {
            id: chapter.id,
            title: chapter.title,
            about: chapter.about,
            is_appendix: chapter.is_appendix,
            findings,
        });
    }
    if let Some(other) = &options.baseline {
        match baseline::compare(&snapshot, other, options, &agents, progress)? {
            Ok(compared) => chapters.insert(chapters.len() - 1, compared),
            Err(reason) => left_out.push(reason),
        }
    }
    let summary = summarise(&chapters);
    chapters.retain(|chapter| !chapter.findings.is_empty());
    let mut methods = Methods::of(
        &snapshot,
        directory,
        options,
        &crawls,
        &answers[corpus],
        &agents.version,
        before.as_deref(),
    );
    let ranks = |note: &String| ("Ranks", format!("List of ranks {note}."));
    methods.paragraphs.extend(notes.iter().map(ranks));
    answers[corpus].check()?;
    Ok(Report {
        title: options.title.as_deref().unwrap_or(TITLE).to_owned(),
        crawls: labels,
        summary,
        chapters,
        left_out,
        methods,
        names_hosts: options.names_hosts,
        notes,
    })
}

/// A sentence on the order of the crawls with these labels; empty where it is certain.
fn order_of(snapshot: &Snapshot, labels: &[Option<&String>]) -> String {
    let mut compared = snapshot.manifest().crawls();
    compared.retain(|crawl| labels.contains(&Some(&crawl.label)));
    let note = dataset::order_note(&compared);
    note.map_or(String::new(), |note| format!(" Note: {note}."))
}

/// How many domains of the list of ranks the dataset has.
///
/// # Errors
/// Where the list is not one of ranks, or has no domain of the dataset: before any query runs.
fn list_notes(directory: &Path, options: &ReportOptions) -> Result<Vec<String>, Error> {
    let Some(ranks) = &options.ranks else {
        return Ok(Vec::new());
    };
    let path = sql::text(&ranks.to_string_lossy());
    let scope = Scope::of(directory, session::MEMORY)?;
    let call = format!("FROM (SELECT count(*) FROM ranks_of({path}))");
    let note = format!("FROM list_note({path})");
    scope.run_shipped(&call, Some(&note), ResultFormat::Csv, &mut std::io::sink())
}

fn is_wanted(chapter: &Chapter, section: &Section, options: &ReportOptions) -> bool {
    let is_named = |name: &String| name == chapter.id || name == section.id;
    options.sections.is_empty() || options.sections.iter().any(is_named)
}

/// A section whose query is put: places of its answers.
struct Planned {
    section: &'static Section,
    place: usize,
    by_domain: Option<usize>,
}

/// Whether pages were ingested.
fn has_pages(snapshot: &Snapshot) -> bool {
    let parts = snapshot.manifest().parts();
    parts
        .values()
        .any(|part| part.table == "pages" && part.rows > 0)
}

/// Puts the queries of the wanted sections on the plan; returns them, and those that cannot be
/// told.
fn plan_sections(
    plan: &mut session::QueryPlan<'_>,
    options: &ReportOptions,
    crawls: usize,
    has_pages: bool,
) -> Result<(Vec<Planned>, Vec<LeftOut>), Error> {
    let (mut asked, mut left_out) = (Vec::new(), Vec::new());
    for chapter in chapters::ALL {
        let wanted = chapter.sections.iter();
        for section in wanted.filter(|section| is_wanted(chapter, section, options)) {
            let reason = match section.needs {
                Needs::SeveralCrawls if crawls < 2 => "the crawl is the first one",
                Needs::Pages if !has_pages && options.sections.is_empty() => continue,
                Needs::Pages if !has_pages => "the dataset has no pages (ingest --pages)",
                Needs::Ranks if options.ranks.is_none() => "no ranks were given (--ranks FILE)",
                _ => {
                    let place = plan.ask(section.query, section.arguments)?;
                    let by_domain = section.also_by_domain.then(|| {
                        let arguments = [section.arguments, &[BY_DOMAIN]].concat();
                        plan.ask(section.query, &arguments)
                    });
                    asked.push(Planned {
                        section,
                        place,
                        by_domain: by_domain.transpose()?,
                    });
                    continue;
                }
            };
            left_out.push(LeftOut {
                title: section.title,
                id: section.id,
                reason: reason.to_owned(),
            });
        }
    }
    Ok((asked, left_out))
}

/// The answers to a section's query.
struct Answered {
    shipped: &'static ShippedQuery,
    command: String,
    no_claim: Option<String>,
    answer: Answer,
    by_domain: Option<(String, Answer)>,
}

/// The section with its answers, or the reason why it says nothing.
fn finding(
    context: &Context<'_>,
    section: &'static Section,
    answered: Answered,
) -> Result<Result<Finding, String>, Error> {
    if let Some(reason) = answered.no_claim {
        return Ok(Err(reason));
    }
    let context = Context {
        domains: answered.by_domain.as_ref().map(|(_, answer)| answer),
        ..*context
    };
    let told = match context.read(section.read, &answered.answer)? {
        Reading::Told(told) => *told,
        Reading::LeftOut(reason) => return Ok(Err(reason)),
    };
    let svg = told
        .figure
        .as_ref()
        .and_then(|figure| figure.draw(section.id));
    let has_something = !told.claims.is_empty() || svg.is_some() || !told.table.rows.is_empty();
    if !has_something {
        return Ok(Err(NOTHING.to_owned()));
    }
    Ok(Ok(Finding {
        id: section.id,
        title: section.title,
        about: section.about,
        shipped: Some(answered.shipped),
        command: answered.command,
        answer: answered.answer,
        by_domain: answered.by_domain,
        told,
        svg,
    }))
}

/// The claims that open the report, each with its section's address.
fn summarise(chapters: &[WrittenChapter]) -> Vec<(String, String)> {
    let claims: Vec<Vec<(usize, &Claim)>> = chapters
        .iter()
        .map(|chapter| {
            let findings = chapter.findings.iter().enumerate();
            let claims = findings.flat_map(|(place, finding)| {
                finding.told.claims.iter().map(move |claim| (place, claim))
            });
            claims.collect()
        })
        .collect();
    summary::choose(&claims)
        .into_iter()
        .map(|(chapter, place)| {
            let (section, claim) = claims[chapter][place];
            (
                claim.text.clone(),
                chapters[chapter].findings[section].id.to_owned(),
            )
        })
        .collect()
}

/// Columns of the catalogue and of robostat's own words, which name no host of the crawl.
const OWN_WORDS: [&str; 4] = ["operator", "category", "platform", "crawl"];

/// An answer without what names hosts, unless that is wanted.
fn nameable(naming: &[&str], answer: &Answer, agents: &Agents, names_hosts: bool) -> Answer {
    if names_hosts {
        return answer.clone();
    }
    let mut answer = answer.without_columns(|name| naming.contains(&name));
    answer.without_notes_on_domains();
    let is_own: Vec<bool> = answer
        .columns
        .iter()
        .map(|column| OWN_WORDS.contains(&column.name.as_str()))
        .collect();
    for row in &mut answer.rows {
        for (cell, is_own) in row.iter_mut().zip(&is_own) {
            if *is_own || !cell.is_text() || agents.has(&cell.text()) {
                continue;
            }
            let text = cell.text();
            let hidden = naming::without_hosts(&text);
            if hidden != text {
                *cell = Cell::of_text(&hidden);
            }
        }
    }
    answer
}
