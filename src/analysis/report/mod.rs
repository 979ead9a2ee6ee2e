//! The report: shipped queries answered in two sessions of DuckDB, and what the answers say, as a
//! page, as Markdown or as JSON.
//!
//! `texts/` has what a reader sees: chapters, sections and their sentences, with placeholders for
//! the values of answers ([`section`], [`template`]). [`reading`] fills them; [`chapters`] finds
//! the values that are not in a row; [`mod@summary`] chooses the findings that open the report;
//! [`methods`] describes how all of it was counted.

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
mod reading;
mod section;
mod session;
mod summary;
mod table;
mod template;
mod terms;
mod words;

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::analysis::query::shipped::ShippedQuery;
use crate::analysis::query::{Call, DEFAULT_MEMORY, ResultFormat, Scope, sql};
use crate::dataset::{self, Snapshot};
use crate::error::Error;
use answer::{Answer, Cell};
use methods::Methods;
use reading::{Context, ReportContext, Statement};
use section::{ALL, Chapter, Section};
use words::Agents;

pub use html::html;
pub use json::json;
pub use markdown::markdown;

/// What a report is made of, and how: arguments of `robostat report`.
#[derive(Debug, Args)]
pub struct ReportOptions {
    /// The heading of the report.
    #[arg(long)]
    pub title: Option<String>,
    /// Chapters and sections to write, by id, separated by commas; the links next to the headings
    /// end with the ids.
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub sections: Vec<String>,
    /// Crawlers that the report is about, by name, separated by commas [default: those that most
    /// hosts name].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub agents: Vec<String>,
    /// The crawl that the report is about; later crawls are left out [default: the last one in
    /// time].
    #[arg(long, value_name = "LABEL")]
    pub crawl: Option<String>,
    /// Ranks of domains, for the sections that compare popular sites with others: a CSV or Parquet
    /// file of rank and domain, such as Tranco's.
    #[arg(long, value_name = "FILE")]
    pub ranks: Option<PathBuf>,
    /// Follow the sites of this list from crawl to crawl, each at one host, in place of hosts: a
    /// CSV or Parquet file of domain, as `robostat panel choose` writes it.
    #[arg(long, value_name = "FILE")]
    pub sites: Option<PathBuf>,
    /// Another dataset, to compare with on the hosts that both have.
    #[arg(long, value_name = "OTHER_OUT")]
    pub baseline: Option<PathBuf>,
    /// Begin the report with this text: the author's introduction, plain or in simple Markdown.
    #[arg(long, value_name = "FILE")]
    pub lede: Option<PathBuf>,
    /// Address of a picture that links to the report show, such as a figure saved as PNG.
    #[arg(long, value_name = "URL")]
    pub card: Option<String>,
    /// Let the report name hosts; without this, it names none.
    #[arg(long = "name-hosts")]
    pub names_hosts: bool,
}

impl ReportOptions {
    /// The heading, as given or by default.
    fn title(&self) -> &str {
        let default = "Who may crawl: a report on robots.txt";
        self.title.as_deref().unwrap_or(default)
    }
}

/// A report, ready to be written.
#[derive(Debug)]
pub struct Report {
    title: String,
    lede: Option<String>,
    /// The address of a picture for links to it.
    card: Option<String>,
    crawls: Vec<String>,
    /// Places of the chapters and of the findings that open it.
    summary: Vec<(usize, usize)>,
    /// Chapters that have a section, the front page first.
    chapters: Vec<WrittenChapter>,
    left_out: Vec<Omission>,
    methods: Methods,
    names_hosts: bool,
    /// How many domains of the user's lists the dataset has.
    notes: Vec<String>,
}

impl Report {
    /// Notes for the person who asked for the report.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

#[derive(Debug)]
struct WrittenChapter {
    chapter: &'static Chapter,
    findings: Vec<Finding>,
}

/// A section with its answer and what it says.
#[derive(Debug)]
struct Finding {
    section: &'static Section,
    /// The query, where it is a shipped one.
    shipped: Option<&'static ShippedQuery>,
    /// How to get the answer again.
    command: String,
    /// The whole answer, but for what is not to be named.
    answer: Answer,
    /// The same by registrable domain, where the section asks for that too: command and answer.
    by_domain: Option<(String, Answer)>,
    statement: Statement,
    svg: Option<String>,
}

impl Finding {
    /// Its headline and what is below it.
    fn claim(&self) -> String {
        format!("{}; {}", self.statement.headline, self.statement.below)
    }

    /// All that a reader sees of it at once.
    fn seen(&self) -> String {
        let figure = self.statement.figure.as_ref();
        let figure = figure.map(|it| format!("{}; {}", it.measure, it.axis));
        let sentences = self.statement.sentences.iter().cloned();
        let texts = [self.section.title.to_owned(), self.claim()].into_iter();
        let texts: Vec<String> = texts.chain(figure).chain(sentences).collect();
        texts.join("; ")
    }

    /// What is folded: how to read it, and the heads of its table.
    fn folded(&self) -> String {
        let heads = self.statement.table.heads.iter();
        let heads: Vec<&str> = heads.map(|(head, _)| head.as_str()).collect();
        format!("{}; {}", self.statement.about, heads.join("; "))
    }
}

/// A section that says nothing, and why.
#[derive(Debug)]
struct Omission {
    section: &'static Section,
    reason: String,
}

/// The parameter that makes every registrable domain weigh the same.
const BY_DOMAIN: (&str, &str) = ("by", "domain");

/// Names that `--sections` takes, of chapters and sections.
pub fn section_names() -> Vec<&'static str> {
    let of_chapter = |chapter: &'static Chapter| {
        std::iter::once(chapter.id).chain(chapter.sections.iter().map(|section| section.id))
    };
    ALL.iter().flat_map(of_chapter).collect()
}

/// Runs all queries on the datasets in `directories`, asked as one. Calls `progress` after every
/// answer, with the number of answers and of queries.
///
/// Fails if the dataset or DuckDB is missing, DuckDB fails, or a name in `options` is unknown.
pub fn build(
    directories: &[PathBuf],
    options: &ReportOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Report, Error> {
    let snapshot = Snapshot::open_together(directories)?.until(options.crawl.as_deref())?;
    let lede = options.lede.as_ref();
    let lede = lede.map(|path| fs::read_to_string(path).map_err(Error::io(path)));
    let crawls = crawl::in_time(&snapshot.manifest().crawls());
    let labels: Vec<String> = crawls.iter().map(|crawl| crawl.label.clone()).collect();
    let before = crawl::reference(&crawls).map(|crawl| crawl.label.clone());
    let notes = list_notes(&snapshot, options)?;
    let mut plan = session::QueryPlan::new(&snapshot, options, before.as_deref());
    let corpus = plan.ask("corpus", &[])?;
    let panel = before
        .is_some()
        .then(|| plan.ask("agent-panel", &chapters::PANEL));
    let panel = panel.transpose()?;
    let (asked, mut left_out) =
        plan_sections(&mut plan, options, labels.len(), has_pages(&snapshot))?;
    let session::Answers {
        agents,
        tokens,
        lead,
        rows: answers,
        asked: calls,
    } = plan.run(progress)?;
    let captures = |row: answer::Row<'_>| row.count("robotstxt_captures");
    let is_empty = answers[corpus].rows().map(captures).sum::<f64>() == 0.0;
    let no_change = panel.and_then(|place| answers[place].no_claim());
    let order = order_of(&snapshot, &[before.as_ref(), labels.last()]);
    let context = ReportContext {
        crawls: &crawls,
        before: before.as_deref().unwrap_or_default(),
        no_change: no_change.as_deref(),
        order: &order,
        agents: &agents,
        follows_sites: options.sites.is_some(),
        is_chosen: !options.agents.is_empty(),
        lead: lead.rows().next(),
    };
    let mut chapters: Vec<WrittenChapter> = Vec::new();
    for chapter in ALL.iter() {
        let is_of = |it: &&SectionPlan| chapter.sections.iter().any(|own| own.id == it.section.id);
        let mut findings = Vec::new();
        for planned in asked.iter().filter(is_of) {
            let nameable = |place: usize| {
                let naming = &planned.section.hides;
                nameable(naming, &answers[place], &agents, options.names_hosts)
            };
            let command = |place: usize| calls[place].command(directories);
            let answered = SectionAnswer {
                shipped: Some(calls[planned.place].shipped),
                command: command(planned.place),
                no_claim: answers[planned.place].no_claim(),
                answer: nameable(planned.place),
                by_domain: planned
                    .by_domain
                    .map(|place| (command(place), nameable(place))),
            };
            match finding(&context, planned.section, answered)? {
                Ok(finding) => findings.push(finding),
                Err(reason) => {
                    let section = planned.section;
                    // An empty dataset is the reason for all.
                    let is_of_all = is_empty && section.needs.is_empty();
                    let of_all = is_of_all.then(|| words::text("left out", "empty").to_owned());
                    let reason = of_all.unwrap_or(reason);
                    left_out.push(Omission { section, reason });
                }
            }
        }
        chapters.push(WrittenChapter { chapter, findings });
    }
    if let Some(other) = &options.baseline {
        match baseline::compare(&snapshot, directories, other, &agents, &tokens, progress)? {
            Ok(compared) => chapters.insert(chapters.len() - 1, compared),
            Err(reason) => left_out.push(reason),
        }
    }
    chapters.retain(|chapter| !chapter.findings.is_empty());
    let summary = summarise(&chapters);
    let mut methods = Methods::of(
        &snapshot,
        directories,
        options,
        &crawls,
        &answers[corpus],
        &agents.version,
        before.as_deref(),
    );
    let lists = notes.iter().map(|note| ("Lists", format!("List {note}.")));
    methods.paragraphs.extend(lists);
    answers[corpus].check()?;
    Ok(Report {
        title: options.title().to_owned(),
        lede: lede.transpose()?,
        card: options.card.clone(),
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

/// How many domains of the lists of ranks and of sites the dataset has.
///
/// Fails where a list is not what it should be, or has no domain of the dataset: before any query
/// runs.
fn list_notes(snapshot: &Snapshot, options: &ReportOptions) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    for (list, reader) in [(&options.ranks, "ranks_of"), (&options.sites, "sites_of")] {
        let Some(list) = list else { continue };
        let path = sql::text(&list.to_string_lossy());
        let call = Call {
            sql: format!("FROM (SELECT count(*) FROM {reader}({path}))"),
            crawl: None,
        };
        let note = format!("FROM list_note({path})");
        notes.extend(Scope::of_snapshot(snapshot, DEFAULT_MEMORY)?.run_shipped(
            &[call],
            Some(&note),
            ResultFormat::Csv,
            &mut std::io::sink(),
        )?);
    }
    Ok(notes)
}

fn is_wanted(chapter: &Chapter, section: &Section, options: &ReportOptions) -> bool {
    let is_named = |name: &String| name == chapter.id || name == section.id;
    options.sections.is_empty() || options.sections.iter().any(is_named)
}

/// A section whose query runs: places of its answers.
struct SectionPlan {
    section: &'static Section,
    place: usize,
    by_domain: Option<usize>,
}

fn has_pages(snapshot: &Snapshot) -> bool {
    let parts = snapshot.manifest().parts();
    parts
        .values()
        .any(|part| part.table == "pages" && part.rows > 0)
}

/// Plans the queries of the wanted sections; returns them, and the sections that lack data.
fn plan_sections(
    plan: &mut session::QueryPlan<'_>,
    options: &ReportOptions,
    crawls: usize,
    has_pages: bool,
) -> Result<(Vec<SectionPlan>, Vec<Omission>), Error> {
    let (mut asked, mut left_out) = (Vec::new(), Vec::new());
    for chapter in ALL.iter() {
        let wanted = chapter.sections.iter();
        for section in wanted.filter(|section| is_wanted(chapter, section, options)) {
            let reason = match section.needs {
                "crawls" if crawls < 2 => "first crawl",
                "pages" if !has_pages && options.sections.is_empty() => continue,
                "pages" if !has_pages => "pages",
                "ranks" if options.ranks.is_none() => "ranks",
                _ => {
                    let place = plan.ask(section.query, &section.arguments)?;
                    let by_domain = section.also_by_domain.then(|| {
                        let arguments = [section.arguments.as_slice(), &[BY_DOMAIN]].concat();
                        plan.ask(section.query, &arguments)
                    });
                    asked.push(SectionPlan {
                        section,
                        place,
                        by_domain: by_domain.transpose()?,
                    });
                    continue;
                }
            };
            let reason = words::text("left out", reason).to_owned();
            left_out.push(Omission { section, reason });
        }
    }
    Ok((asked, left_out))
}

/// The answers to a section's query.
struct SectionAnswer {
    shipped: Option<&'static ShippedQuery>,
    command: String,
    no_claim: Option<String>,
    answer: Answer,
    by_domain: Option<(String, Answer)>,
}

/// The section with its answers, or the reason why it says nothing.
fn finding(
    report: &ReportContext<'_>,
    section: &'static Section,
    answered: SectionAnswer,
) -> Result<Result<Finding, String>, Error> {
    if let Some(reason) = answered.no_claim.filter(|_| section.share == "change") {
        return Ok(Err(reason));
    }
    let context = Context {
        report,
        section,
        answer: &answered.answer,
        domains: answered.by_domain.as_ref().map(|(_, answer)| answer),
    };
    let statement = match context.read()? {
        Ok(statement) => statement,
        Err(reason) => return Ok(Err(reason)),
    };
    let figure = statement.figure.as_ref();
    let svg = figure.and_then(|figure| figure.draw(section.id));
    Ok(Ok(Finding {
        section,
        shipped: answered.shipped,
        command: answered.command,
        answer: answered.answer,
        by_domain: answered.by_domain,
        statement,
        svg,
    }))
}

/// The findings that open the report, by their chapter and their place in it.
fn summarise(chapters: &[WrittenChapter]) -> Vec<(usize, usize)> {
    let places = chapters.iter().enumerate().flat_map(|(chapter, written)| {
        let findings = 0..written.findings.len();
        findings.map(move |finding| (chapter, finding))
    });
    let places: Vec<(usize, usize)> = places.collect();
    let interest = |(chapter, place): &(usize, usize)| {
        let finding = &chapters[*chapter].findings[*place];
        (
            *chapter,
            finding.statement.interest.filter(|_| finding.svg.is_some()),
        )
    };
    let interests: Vec<_> = places.iter().map(interest).collect();
    let chosen = summary::choose(&interests);
    chosen.into_iter().map(|place| places[place]).collect()
}

impl Report {
    fn summary(&self) -> impl Iterator<Item = &Finding> {
        let places = self.summary.iter();
        places.map(|(chapter, place)| &self.chapters[*chapter].findings[*place])
    }
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
