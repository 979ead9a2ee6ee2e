//! The content of a report: chapters with findings, and the sections that are left out.

use super::answer::Answer;
use super::crawls::Crawl;
use super::figure::Figure;
use super::methods::Methods;
use super::options::ReportOptions;
use super::section::{Chapter, Section};
use super::table::ReportTable;
use crate::analysis::query::shipped::{self, ShippedQuery};

#[derive(Debug)]
pub struct Report {
    pub(super) options: ReportOptions,
    pub(super) lede: Option<String>,
    pub(super) crawls: Vec<Crawl>,
    /// Indices of the findings that open the report, in the list of all findings.
    pub(super) summary: Vec<usize>,
    /// Chapters that have a section, the front page first.
    pub(super) chapters: Vec<WrittenChapter>,
    pub(super) left_out: Vec<Omission>,
    pub(super) methods: Methods,
    /// How many domains of the user's lists the dataset has.
    pub notes: Vec<String>,
}

impl Report {
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.chapters.iter().flat_map(|it| &it.findings)
    }

    pub(super) fn front(&self) -> &[Finding] {
        let front = self.chapters.iter().find(|it| it.chapter.id == "summary");
        front.map_or(&[], |it| &it.findings)
    }

    pub(super) fn summary(&self) -> impl Iterator<Item = &Finding> {
        let findings: Vec<&Finding> = self.findings().collect();
        self.summary.iter().map(move |place| findings[*place])
    }

    pub(super) fn claims(&self) -> String {
        let claims = self.summary().map(Finding::claim);
        claims.collect::<Vec<_>>().join("; ")
    }

    /// The first headline of the summary as a sentence; empty without a summary.
    pub(super) fn first_claim(&self) -> String {
        let first = self.summary().next();
        first.map_or(String::new(), |it| format!("{}. ", it.headline))
    }
}

#[derive(Debug)]
pub(super) struct WrittenChapter {
    pub(super) chapter: &'static Chapter,
    pub(super) findings: Vec<Finding>,
}

#[derive(Debug)]
pub(super) struct Finding {
    pub(super) section: &'static Section,
    /// The whole answer, without columns that name hosts unless the report may name them.
    pub(super) answer: Answer,
    /// The same answer by registrable domain, if the section needs that too.
    pub(super) by_domain: Option<Answer>,
    pub(super) headline: String,
    /// Its interval, its crawl, and the share by host.
    pub(super) below: String,
    pub(super) sentences: Vec<String>,
    pub(super) about: String,
    /// Its weight for the summary; `None`: not for the summary. See [`mod@super::summary`].
    pub(super) interest: Option<f64>,
    pub(super) figure: Option<Figure>,
    pub(super) table: ReportTable,
}

impl Finding {
    /// Its figure as SVG, and what the figure shows, as a title.
    pub(super) fn drawn(&self) -> Option<(&str, &str)> {
        let figure = self.figure.as_ref()?;
        Some((figure.svg.as_deref()?, &figure.measure))
    }

    pub(super) fn shipped(&self) -> Option<&'static ShippedQuery> {
        shipped::find(self.section.query)
    }

    pub(super) fn claim(&self) -> String {
        format!("{}; {}", self.headline, self.below)
    }

    /// The texts that a reader sees before unfolding anything.
    pub(super) fn seen(&self) -> String {
        let mut texts = vec![self.section.title.to_owned(), self.claim()];
        if let Some(figure) = &self.figure {
            texts.extend([figure.measure.clone(), figure.axis.clone()]);
        }
        texts.extend_from_slice(&self.sentences);
        texts.join("; ")
    }

    /// The folded texts: how to read the finding, and the headings of its table.
    pub(super) fn folded(&self) -> String {
        let heads = self.table.heads.iter();
        let heads: Vec<&str> = heads.map(|(head, _)| head.as_str()).collect();
        format!("{}; {}", self.about, heads.join("; "))
    }
}

#[derive(Debug)]
pub(super) struct Omission {
    pub(super) section: &'static Section,
    pub(super) reason: String,
}
