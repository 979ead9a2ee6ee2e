//! What a section of the report is: a query, and a function that reads its answer.
//!
//! To add a section is to add an entry to a chapter. The function turns the answer into claims, a
//! figure and a table. If it returns `None`, the page lists the section as left out.

use super::answer::{Answer, Row};
use super::crawl::Crawl;
use super::figure::Figure;
use super::table::ReportTable;
use super::words::Agents;
use crate::error::Error;

/// Sections on one subject.
#[derive(Debug)]
pub(super) struct Chapter {
    /// Its address on the page, and its name for `--sections`.
    pub(super) id: &'static str,
    /// Its heading.
    pub(super) title: &'static str,
    /// What it is about, in a sentence or two.
    pub(super) about: &'static str,
    /// Its sections.
    pub(super) sections: &'static [Section],
    /// Whether it is for those who look closer.
    pub(super) is_appendix: bool,
}

/// A query and how its answer is read.
#[derive(Debug)]
pub(super) struct Section {
    /// Its address on the page, and its name for `--sections`.
    pub(super) id: &'static str,
    /// The heading.
    pub(super) title: &'static str,
    /// Name of the shipped query.
    pub(super) query: &'static str,
    /// Parameters and their values.
    pub(super) arguments: &'static [(&'static str, Argument)],
    /// Whether the query is put a second time, by registrable domain; the answer is in
    /// [`Context::domains`].
    pub(super) also_by_domain: bool,
    /// What the section cannot do without.
    pub(super) needs: Needs,
    /// How to read it, and what it does not say.
    pub(super) about: &'static str,
    /// Reads the answer.
    pub(super) read: fn(&Context<'_>, &Answer) -> Option<Told>,
    /// Columns whose values may name hosts: left out unless the report may name them.
    pub(super) naming: &'static [&'static str],
}

/// What an entry leaves as it is.
pub(super) const PLAIN: Section = Section {
    id: "",
    title: "",
    query: "",
    arguments: &[],
    also_by_domain: false,
    needs: Needs::Nothing,
    about: "",
    read: |_, _| None,
    naming: &[],
};

/// The value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Argument {
    /// As one would type it.
    Typed(&'static str),
    /// The crawl that the last one is compared with.
    Before,
    /// The crawlers that the report is about: the crawlers of `--agents`, else the AI crawlers that
    /// most policies name.
    Agents,
    /// The crawlers of `--agents`; without it the query's own.
    GivenAgents,
}

/// What a section cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// It is always included.
    Nothing,
    /// A corpus of more than one crawl.
    SeveralCrawls,
    /// A list of ranks.
    Ranks,
    /// Pages in the dataset. Without them it is not mentioned, unless it is asked for.
    Pages,
}

/// What readers of answers know in addition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    /// The crawls, in order.
    pub(super) crawls: &'a [Crawl],
    /// The label of the crawl that the last one is compared with.
    pub(super) before: &'a str,
    /// Why nothing can be said about changes between the two; none where something can.
    pub(super) no_change: Option<&'a str>,
    /// A sentence on the order of the two, for claims about changes; empty where it is certain.
    pub(super) order: &'a str,
    /// How crawlers are spelt.
    pub(super) agents: &'a Agents,
    /// Whether `--agents` names those that the report is about: then none of them is the first of
    /// all.
    pub(super) is_chosen: bool,
    /// The answer of `key-shares`, by host.
    pub(super) by_host: &'a Answer,
    /// The same by registrable domain.
    pub(super) by_domain: &'a Answer,
    /// The section's own answer by registrable domain, where it asks for that too.
    pub(super) domains: Option<&'a Answer>,
}

impl<'a> Context<'a> {
    /// The label of the last crawl, which sections are about.
    pub(super) fn last(&self) -> &str {
        self.crawls.last().map_or("", |crawl| &crawl.label)
    }

    /// The crawls as points in time.
    pub(super) fn times(&self) -> Vec<(String, f64)> {
        self.crawls
            .iter()
            .map(|crawl| (crawl.label.clone(), crawl.day))
            .collect()
    }

    /// The row of [`Context::domains`] that has the same values in these columns.
    pub(super) fn domain_row(&self, row: Row<'_>, columns: &[&str]) -> Option<Row<'a>> {
        let is_same = |it: &Row<'_>| columns.iter().all(|name| it.text(name) == row.text(name));
        self.domains?.rows().find(is_same)
    }

    /// What a section says about its answer.
    ///
    /// # Errors
    /// [`Error::DuckDbFailed`]: the reader asked for a column that its answer does not have.
    pub(super) fn read(
        &self,
        read: fn(&Context<'_>, &Answer) -> Option<Told>,
        answer: &Answer,
    ) -> Result<Reading, Error> {
        let told = read(self, answer).map(Told::with_reasons);
        let shared = [
            Some(answer),
            Some(self.by_host),
            Some(self.by_domain),
            self.domains,
        ];
        for answer in shared.into_iter().flatten() {
            if let Some(reason) = answer.check()? {
                return Ok(Reading::LeftOut(reason));
            }
        }
        Ok(told.map_or_else(
            || Reading::LeftOut(NOTHING.to_owned()),
            |told| Reading::Told(Box::new(told)),
        ))
    }

    /// The name of a crawler as its operator spells it.
    pub(super) fn agent(&self, token: &str) -> String {
        self.agents.name(token)
    }
}

/// What became of a section.
#[derive(Debug)]
pub(super) enum Reading {
    /// It says something.
    Told(Box<Told>),
    /// It does not, for this reason.
    LeftOut(String),
}

/// Why a section is left out that has data and says nothing.
pub(super) const NOTHING: &str = "the dataset has no such data, or too little for a statement";

/// What a section says.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// What follows from the answer, the main claim first.
    pub(super) claims: Vec<Claim>,
    /// Its figure.
    pub(super) figure: Option<Figure>,
    /// What the figure's shares are of, in a sentence.
    pub(super) note: String,
    /// Its table.
    pub(super) table: ReportTable,
}

impl Told {
    /// The same with the reason why shares of the figure have no interval, where some have none.
    fn with_reasons(mut self) -> Self {
        let mut shares = self.figure.iter().flat_map(Figure::shares);
        let reason = shares.find_map(|share| share.no_interval);
        if let Some(reason) = reason.filter(|_| !self.note.is_empty()) {
            let bars = [
                " Where a share has no bar, ",
                reason,
                " count for an interval.",
            ];
            self.note.push_str(&bars.concat());
        }
        self
    }
}

/// A sentence that the answer bears out.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    /// The sentence.
    pub(super) text: String,
    /// Its weight for the summary; `None`: not for the summary. See [`mod@super::summary`].
    pub(super) interest: Option<f64>,
}

impl Claim {
    /// A sentence for its section alone.
    pub(super) fn aside(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            text,
            interest: None,
        }
    }

    /// A sentence that the summary may take.
    pub(super) fn main(text: impl Into<String>, interest: f64) -> Self {
        let text = text.into();
        Self {
            text,
            interest: Some(interest),
        }
    }
}
