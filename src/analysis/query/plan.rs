//! The division of a query over datasets, each of which may be asked on a machine of its own.

use std::path::{Path, PathBuf};

use super::shipped::ShippedQuery;
use crate::dataset::{Crawl, Snapshot};
use crate::error::Error;

/// The crawls that a query is about.
#[derive(Debug, Clone, Copy)]
pub enum Crawls<'c> {
    /// The last one in time, or all where the query has no parameter `crawl`.
    Default,
    /// The crawl of this label.
    One(&'c str),
    /// Each, with an answer of its own.
    Each,
}

/// A part of an answer, whose rows come from these datasets only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The datasets that are asked together.
    pub datasets: Vec<PathBuf>,
    /// The crawl that is asked about, if it is one.
    pub crawl: Option<String>,
}

/// The steps whose rows, one step after the other, are the answer that the merge of `datasets`
/// would give: one for each dataset if an answer for a crawl needs no other crawl, in order of
/// their first crawls; else one for all. Only their manifests are read.
///
/// Fails if a manifest cannot be read, the datasets cannot be asked together, or they lack the
/// crawl.
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
        let crawls = source.manifest().crawls().into_iter();
        found.extend(crawls.map(|crawl| (crawl, source.directory())));
    }
    found.sort_by(|(one, _), (other, _)| one.place().cmp(&other.place()));
    let together = |crawl: Option<&str>| Step {
        datasets: datasets.to_vec(),
        crawl: crawl.map(str::to_owned),
    };
    if matches!(crawls, Crawls::One("all")) && query.takes_all_crawls() {
        return Ok(vec![together(None)]);
    }
    let label = match crawls {
        Crawls::One(label) => Some(label),
        Crawls::Each => None,
        Crawls::Default if query.parameter("crawl").is_none() => None,
        Crawls::Default => found.last().map(|(crawl, _)| crawl.label.as_str()),
    };
    let of_label = label.map(|label| {
        let has_label = |(crawl, _): &&(Crawl, &Path)| crawl.label == label;
        let of_label = found.iter().find(has_label);
        of_label.ok_or_else(|| Error::no_crawl(label, &labels(&found)))
    });
    let of_label = of_label.transpose()?;
    if found.is_empty() || !query.is_of_one_crawl(names_agents) {
        return Ok(vec![together(label)]);
    }
    let step = |directory: &Path, crawl: Option<&str>| Step {
        datasets: vec![directory.to_owned()],
        crawl: crawl.map(str::to_owned),
    };
    if let Some((_, directory)) = of_label {
        return Ok(vec![step(directory, label)]);
    }
    let mut directories: Vec<&Path> = Vec::new();
    for (_, directory) in &found {
        if !directories.contains(directory) {
            directories.push(directory);
        }
    }
    Ok(directories.into_iter().map(|it| step(it, None)).collect())
}

fn labels(crawls: &[(Crawl, &Path)]) -> String {
    let labels: Vec<&str> = crawls.iter().map(|(it, _)| it.label.as_str()).collect();
    labels.join(", ")
}
