//! The division of a query over datasets, each of which may be queried on its own machine.

use std::path::{Path, PathBuf};

use indexmap::IndexSet;

use super::shipped::ShippedQuery;
use crate::dataset::{Crawl, Snapshot};
use crate::error::Error;

#[derive(Debug, Clone, Copy)]
pub enum Crawls<'c> {
    /// The last crawl in time, or all crawls if the query has no parameter `crawl`.
    Default,
    One(&'c str),
    Each,
}

/// A part of an answer, whose rows come from these datasets only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub datasets: Vec<PathBuf>,
    pub crawl: Option<String>,
}

/// The steps whose rows, one step after the other, are the answer that the merge of `datasets`
/// would give. If an answer for a crawl needs no other crawl, each dataset has a step, in order of
/// their first crawls; else there is one step. Only manifests are read.
pub fn steps(
    query: &ShippedQuery,
    crawls: Crawls<'_>,
    names_agents: bool,
    datasets: &[PathBuf],
) -> Result<Vec<Step>, Error> {
    let sources = datasets.iter().map(|path| Snapshot::of_manifest(path));
    let sources: Vec<Snapshot> = sources.collect::<Result<_, _>>()?;
    if sources.len() > 1 {
        Snapshot::agree(&sources)?;
    }
    let mut found: Vec<(Crawl, &Path)> = Vec::new();
    for source in &sources {
        let crawls = source.manifest.crawls().into_iter();
        found.extend(crawls.map(|crawl| (crawl, &*source.directory)));
    }
    found.sort_by(|(one, _), (other, _)| one.place().cmp(&other.place()));
    let step = |datasets: &[PathBuf], crawl: Option<&str>| Step {
        datasets: datasets.to_vec(),
        crawl: crawl.map(str::to_owned),
    };
    if matches!(crawls, Crawls::One("all")) && query.takes_all_crawls() {
        return Ok(vec![step(datasets, None)]);
    }
    let label = match crawls {
        Crawls::One(label) => Some(label),
        Crawls::Each => None,
        Crawls::Default if query.parameter("crawl").is_none() => None,
        Crawls::Default => found.last().map(|(crawl, _)| crawl.label.as_str()),
    };
    let is_asked = |crawl: &Crawl| label.is_none_or(|label| crawl.label == label);
    let asked = found.iter().filter(|(crawl, _)| is_asked(crawl));
    let directories: IndexSet<&Path> = asked.map(|(_, directory)| *directory).collect();
    if let (Some(label), true) = (label, directories.is_empty()) {
        let crawls: Vec<&str> = found.iter().map(|(it, _)| it.label.as_str()).collect();
        return Err(Error::no_crawl(label, &crawls.join(", ")));
    }
    if found.is_empty() || !query.is_of_one_crawl(names_agents) {
        return Ok(vec![step(datasets, label)]);
    }
    let steps = directories.into_iter();
    let steps = steps.map(|directory| step(&[directory.to_owned()], label));
    Ok(steps.collect())
}
