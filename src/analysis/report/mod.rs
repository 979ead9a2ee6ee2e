//! The report: shipped queries answered in two sessions of DuckDB, and their findings as a page, as
//! Markdown or as JSON.
//!
//! `texts/` has chapters, sections and their sentences, with placeholders for values ([`section`],
//! [`template`]). [`chapters`] finds these values in answers, and [`reading`] fills them in;
//! [`mod@summary`] chooses the findings that open the report; [`methods`] describes the counting.

mod answer;
mod baseline;
mod chapters;
mod context;
mod crawls;
mod figure;
mod finding;
mod format;
mod html;
mod json;
mod markdown;
mod methods;
mod naming;
mod options;
mod reading;
mod section;
mod session;
mod summary;
mod table;
mod template;
mod terms;
#[cfg(test)]
mod tests;
mod words;

use std::path::PathBuf;
use std::{fmt, fs};

use askama::filters::Escaper;

use crate::analysis::query::{DEFAULT_MEMORY, Scope, cell, sql};
use crate::dataset::{self, Snapshot};
use crate::error::Error;
use answer::Row;
use context::{Context, ReportContext};
use crawls::Crawl;
use finding::{Omission, WrittenChapter};
use methods::Methods;
use section::{ALL, Chapter, Section};

pub use finding::Report;
pub use format::list;
pub use html::html;
pub use json::json;
pub use markdown::markdown;
pub use options::ReportOptions;

const PANEL: [&str; 2] = ["agents=usual", "before=before"];
/// The parameter that makes every registrable domain weigh the same.
const BY_DOMAIN: &str = "by=domain";

/// How the templates of a format escape text; `askama.toml` names both formats.
#[derive(Clone, Copy)]
struct TextFormat(fn(&str) -> String);

const HTML: TextFormat = TextFormat(cell::html);
const MARKDOWN: TextFormat = TextFormat(cell::markdown);

impl Escaper for TextFormat {
    fn write_escaped_str<W: fmt::Write>(&self, mut out: W, text: &str) -> fmt::Result {
        out.write_str(&self.0(text))
    }
}

pub fn section_names() -> Vec<&'static str> {
    let of_chapter = |chapter: &'static Chapter| {
        std::iter::once(chapter.id).chain(chapter.sections.iter().map(|section| section.id))
    };
    ALL.iter().flat_map(of_chapter).collect()
}

/// Runs all queries on `snapshot`, the state of the datasets in `directories`. Calls `progress`
/// after every answer, with the numbers of answers and of queries.
pub fn build(
    snapshot: &Snapshot,
    directories: &[PathBuf],
    options: &ReportOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Report, Error> {
    let lede = options.lede.as_ref();
    let lede = lede.map(|path| fs::read_to_string(path).map_err(Error::io(path)));
    let lede = lede.transpose()?;
    let baseline = options.baseline.as_deref().map(Snapshot::open);
    let baseline = baseline.transpose()?;
    if let Some(other) = &baseline {
        baseline::check_order(snapshot, other)?;
    }
    let crawls = crawls::in_time(&snapshot.manifest.crawls());
    let before = crawls::reference(&crawls).map(|crawl| crawl.label.as_str());
    let notes = list_notes(snapshot, options)?;
    let mut plan = session::QueryPlan {
        snapshot,
        options,
        before,
        asked: Vec::new(),
    };
    let corpus = plan.ask("corpus", &[])?;
    let panel = before.is_some().then(|| plan.ask("agent-panel", &PANEL));
    let panel = panel.transpose()?;
    let (asked, mut left_out) = plan_sections(&mut plan, &crawls)?;
    let session::Answers {
        agents,
        tokens,
        lead,
        rows: answers,
    } = plan.run(directories, progress)?;
    let captures = |row: Row<'_>| row.count("robotstxt_captures");
    let is_empty = answers[corpus].rows().map(captures).sum::<f64>() == 0.0;
    let no_change = panel.and_then(|place| answers[place].no_claim());
    let last = crawls.last().map(|crawl| crawl.label.as_str());
    let order = order_of(snapshot, [before, last]);
    let report = ReportContext {
        crawls: &crawls,
        before: before.unwrap_or_default(),
        no_change: no_change.as_deref(),
        order: &order,
        agents: &agents,
        options,
        lead: lead.rows().next(),
    };
    let chapters = ALL.iter().map(|chapter| WrittenChapter {
        chapter,
        findings: Vec::new(),
    });
    let mut chapters: Vec<WrittenChapter> = chapters.collect();
    for planned in asked {
        let section = planned.section;
        let nameable = |place: usize| {
            if options.names_hosts {
                return answers[place].clone();
            }
            naming::nameable(&answers[place], &section.hides, &agents)
        };
        let (answer, by_domain) = (nameable(planned.place), planned.by_domain.map(nameable));
        let context = Context {
            report: &report,
            section,
            answer: &answer,
            domains: by_domain.as_ref(),
        };
        match reading::read(&context)? {
            Ok(finding) => chapters[planned.chapter].findings.push(finding),
            // An empty dataset is the reason for all omissions.
            Err(omission) if is_empty && section.needs.is_empty() => left_out.push(Omission {
                reason: words::text("left out", "empty").to_owned(),
                ..omission
            }),
            Err(omission) => left_out.push(omission),
        }
    }
    if let Some(other) = &baseline {
        match baseline::compare(snapshot, directories, other, &report, &tokens)? {
            Ok(compared) => chapters.insert(chapters.len() - 1, compared),
            Err(omission) => left_out.push(omission),
        }
    }
    chapters.retain(|chapter| !chapter.findings.is_empty());
    let interests = chapters.iter().enumerate().flat_map(|(place, written)| {
        let findings = written.findings.iter();
        findings.map(move |it| (place, it.interest.filter(|_| it.drawn().is_some())))
    });
    let summary = summary::choose(&interests.collect::<Vec<_>>());
    let mut methods = Methods::of(snapshot, directories, &answers[corpus], &report);
    let lists = notes.iter().map(|note| ("Lists", format!("List {note}.")));
    methods.paragraphs.extend(lists);
    answers[corpus].check()?;
    Ok(Report {
        options: options.clone(),
        lede,
        crawls,
        summary,
        chapters,
        left_out,
        methods,
        notes,
    })
}

/// A sentence on the order of the crawls with these labels; empty if the order is certain.
fn order_of(snapshot: &Snapshot, labels: [Option<&str>; 2]) -> String {
    let mut compared = snapshot.manifest.crawls();
    compared.retain(|crawl| labels.contains(&Some(crawl.label.as_str())));
    let note = dataset::order_note(&compared);
    note.map_or(String::new(), |note| format!(" Note: {note}."))
}

/// Notes on how many domains of the rank and site lists the dataset has. A list that cannot be used
/// fails here, before any query runs.
fn list_notes(snapshot: &Snapshot, options: &ReportOptions) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    for (list, reader) in [(&options.ranks, "ranks_of"), (&options.sites, "sites_of")] {
        let Some(list) = list else { continue };
        let path = sql::text(&list.to_string_lossy());
        let count = format!("SELECT count(*) FROM {reader}({path})");
        let note = format!("FROM list_note({path})");
        notes.extend(Scope::of(snapshot, DEFAULT_MEMORY)?.check(&count, Some(&note))?);
    }
    Ok(notes)
}

/// A section whose query runs, and the places of its chapter and its answers.
struct SectionPlan {
    chapter: usize,
    section: &'static Section,
    place: usize,
    by_domain: Option<usize>,
}

fn plan_sections(
    plan: &mut session::QueryPlan<'_>,
    crawls: &[Crawl],
) -> Result<(Vec<SectionPlan>, Vec<Omission>), Error> {
    let options = plan.options;
    let pages = plan.snapshot.manifest.parts_of("pages");
    let pages = pages.filter(|part| part.rows > 0);
    let with_pages: Vec<String> = pages.filter_map(dataset::Part::partition).collect();
    let has_pages = crawls
        .last()
        .is_some_and(|it| with_pages.contains(&it.label));
    let is_wanted = |chapter: &Chapter, section: &Section| {
        let is_named = |name: &String| name == chapter.id || name == section.id;
        options.sections.is_empty() || options.sections.iter().any(is_named)
    };
    let (mut asked, mut left_out) = (Vec::new(), Vec::new());
    for (place_of_chapter, chapter) in ALL.iter().enumerate() {
        let wanted = chapter.sections.iter();
        for section in wanted.filter(|section| is_wanted(chapter, section)) {
            let lacking = match section.needs {
                "crawls" | "dates" if crawls.len() < 2 => "first crawl",
                "dates" if crawls.iter().any(|crawl| crawl.day.is_none()) => "dates",
                "pages" if with_pages.is_empty() && options.sections.is_empty() => continue,
                "pages" if !has_pages => "pages",
                "ranks" if options.ranks.is_none() => "ranks",
                _ => "",
            };
            if !lacking.is_empty() {
                let reason = words::text("left out", lacking).to_owned();
                left_out.push(Omission { section, reason });
                continue;
            }
            let place = plan.ask(section.query, &section.arguments)?;
            let by_domain = (section.by == "domain").then(|| {
                let arguments = [section.arguments.as_slice(), &[BY_DOMAIN]].concat();
                plan.ask(section.query, &arguments)
            });
            asked.push(SectionPlan {
                chapter: place_of_chapter,
                section,
                place,
                by_domain: by_domain.transpose()?,
            });
        }
    }
    Ok((asked, left_out))
}
