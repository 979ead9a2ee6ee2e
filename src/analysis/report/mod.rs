//! The report: shipped queries answered in one session of DuckDB, and what the answers say, as a
//! page, as Markdown or as JSON.
//!
//! [`chapters`] is the report's contents; everything else treats all sections alike.

mod answer;
mod chapters;
mod chart;
mod comparison;
mod finding;
mod html;
mod json;
mod markdown;
mod naming;
mod section;
mod session;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::analysis::query::shipped::{self, ShippedQuery};
use crate::dataset::Snapshot;
use crate::error::Error;
use answer::{Answer, Cell};
use section::{Needs, Section};

pub use html::html;
pub use json::json;
pub use markdown::markdown;

/// What a report is made of, and how.
#[derive(Debug, Default)]
pub struct Options {
    /// The heading; there is one by default.
    pub title: Option<String>,
    /// A CSV or Parquet file of ranks and domains.
    pub ranks: Option<PathBuf>,
    /// Another dataset, to compare with.
    pub baseline: Option<PathBuf>,
    /// Whether hosts may be named.
    pub names_hosts: bool,
}

/// A report, ready to be written.
#[derive(Debug)]
pub struct Report {
    /// The heading.
    title: String,
    /// Crawls in the corpus.
    n_crawls: usize,
    /// Chapters that have a section.
    chapters: Vec<Chapter>,
    /// Sections that are not told, and why.
    left_out: Vec<LeftOut>,
    /// Whether hosts may be named.
    names_hosts: bool,
}

/// Findings on one subject.
#[derive(Debug)]
struct Chapter {
    title: &'static str,
    about: &'static str,
    findings: Vec<Finding>,
}

/// A section with its answer.
#[derive(Debug)]
struct Finding {
    section: &'static Section,
    shipped: &'static ShippedQuery,
    /// The address on the page.
    id: String,
    /// The heading.
    title: String,
    /// What the answer says.
    sentences: Vec<String>,
    /// The whole answer, but for what is not to be named.
    answer: Answer,
    /// The part of it that the page shows.
    shown: Answer,
    /// How to get the answer again.
    command: String,
}

impl Finding {
    /// What the page shows of the answer.
    fn table(&self) -> Answer {
        let columns = self.section.columns;
        let mut table = self
            .shown
            .with_columns(|name| columns.is_empty() || columns.contains(&name));
        table.rows.truncate(self.section.rows);
        table
    }
}

impl Report {
    /// How to read it, in paragraphs; backquotes mark code.
    fn introduction(&self) -> Vec<String> {
        let crawls = match self.n_crawls {
            1 => "The corpus is one crawl.".to_owned(),
            n => format!(
                "The corpus is {n} crawls; where a section does not say otherwise, it is about the last one, by label."
            ),
        };
        let names = if self.names_hosts {
            "Hosts are named."
        } else {
            "No host is named: names of hosts are left out, or shown as (host)."
        };
        vec![
            format!(
                "What archived robots.txt files say, to whom, and how. {crawls} A host counts once in a crawl, by \
                 the response that counts after redirects. {names}"
            ),
            "A crawler is fully blocked (closed, shut out) where no path at all is open to it, partly where some \
             path is closed, and not where every path is open: decided exactly from the rules, under RFC 9309. What \
             a site asks for is not what crawlers do."
                .to_owned(),
            "Every section names its query and what its shares are shares of; the link CSV has all rows of its \
             table, and the command under Repeat gives them again from the dataset `out/`."
                .to_owned(),
        ]
    }
}

/// A section that is not told.
#[derive(Debug)]
struct LeftOut {
    title: &'static str,
    query: &'static str,
    reason: &'static str,
}

/// Puts all queries to the dataset in `directory`.
pub fn build(directory: &Path, options: &Options) -> Result<Report, Error> {
    let n_crawls = Snapshot::open(directory)?.crawls().len().max(1);
    let mut left_out = Vec::new();
    let mut asked = Vec::new();
    for section in chapters::ALL.iter().flat_map(|chapter| chapter.sections) {
        let shipped = shipped_of(section)?;
        let reason = match section.needs {
            Needs::SeveralCrawls if n_crawls < 2 => "the corpus has one crawl only",
            Needs::Ranks if options.ranks.is_none() => "no ranks were given (--ranks FILE)",
            _ => {
                asked.push((section, shipped));
                continue;
            }
        };
        left_out.push(LeftOut {
            title: section.title,
            query: section.query,
            reason,
        });
    }
    let ranks = options.ranks.as_deref();
    let answers = session::answers(directory, &asked, ranks)?;
    let baseline = match &options.baseline {
        Some(other) => session::answers(other, &asked, ranks)?,
        None => Vec::new(),
    };
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut comparisons = Vec::new();
    let mut findings = Vec::new();
    for (index, (&(section, shipped), answer)) in asked.iter().zip(answers).enumerate() {
        let answer = nameable(section, answer, options.names_hosts);
        if let Some(before) = baseline.get(index) {
            let before = nameable(section, before.clone(), options.names_hosts);
            comparisons.extend(comparison::compare(section, shipped, &answer, &before));
        }
        match finding(section, shipped, answer, options) {
            Some(finding) => findings.push(finding),
            None => left_out.push(LeftOut {
                title: section.title,
                query: section.query,
                reason: "the corpus has nothing of the kind",
            }),
        }
    }
    for chapter in chapters::ALL {
        let (own, others) = findings.into_iter().partition(|finding: &Finding| {
            chapter
                .sections
                .iter()
                .any(|section| std::ptr::eq(section, finding.section))
        });
        findings = others;
        chapters.push(Chapter {
            title: chapter.title,
            about: chapter.about,
            findings: own,
        });
    }
    if options.baseline.is_some() {
        chapters.push(Chapter {
            title: "Against the baseline",
            about: comparison::ABOUT,
            findings: comparisons,
        });
    }
    chapters.retain(|chapter| !chapter.findings.is_empty());
    Ok(Report {
        title: options
            .title
            .clone()
            .unwrap_or_else(|| "Who may crawl: a report on robots.txt".to_owned()),
        n_crawls,
        chapters,
        left_out,
        names_hosts: options.names_hosts,
    })
}

fn shipped_of(section: &Section) -> Result<&'static ShippedQuery, Error> {
    shipped::find(section.query).ok_or_else(|| Error::NoQuery(section.query.to_owned()))
}

/// The section with its answer; none where the answer has no rows.
fn finding(
    section: &'static Section,
    shipped: &'static ShippedQuery,
    answer: Answer,
    options: &Options,
) -> Option<Finding> {
    let mut shown = answer.clone();
    if let Some((name, value)) = section.without
        && let Some(column) = shown.column(name)
    {
        shown.rows.retain(|row| row[column].text() != value);
    }
    if shown.rows.is_empty() {
        return None;
    }
    let sentences = section
        .finding
        .iter()
        .filter_map(|sentence| finding::fill(sentence, &answer))
        .collect();
    Some(Finding {
        section,
        shipped,
        id: section.id(),
        title: section.title.to_owned(),
        sentences,
        answer,
        shown,
        command: command(section, shipped, options.ranks.is_some()),
    })
}

/// How to get an answer again.
fn command(section: &Section, shipped: &ShippedQuery, has_ranks: bool) -> String {
    let mut command = format!("robostat query out/ {}", section.query);
    for (name, value) in section.set {
        // Writing to a String cannot fail.
        let _ = write!(command, " --set '{name}={value}'");
    }
    if has_ranks && shipped.parameter("ranks").is_some() {
        command.push_str(" --set ranks=FILE");
    }
    command
}

/// An answer without what names hosts, unless that is wanted.
fn nameable(section: &Section, answer: Answer, names_hosts: bool) -> Answer {
    if names_hosts {
        return answer;
    }
    let mut answer = answer.with_columns(|name| !section.naming.contains(&name));
    for cell in answer.rows.iter_mut().flatten() {
        if cell.is_text() {
            let text = cell.text();
            let hidden = naming::without_hosts(&text);
            if hidden != text {
                *cell = Cell::of_text(&hidden);
            }
        }
    }
    answer
}
