//! `robostat panel`: the same sites in many crawls of Common Crawl. Sites are chosen once, their
//! records looked up in the index of each crawl, and fetched into a dataset per crawl.

mod choose;
mod fetch;
mod find;
mod plan;
mod search;
mod sites;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::remote::NetworkArguments;
use super::{Result, terminal};
use crate::error::Error;
use crate::ingest::corpus::CorpusOptions;
use crate::ingest::input::InputPlace;
use crate::ingest::input::sources::{self, FoundInputs, Request};
use crate::remote::Remote;

/// The sites of a panel, in its directory.
const SITES: &str = "sites.csv";
/// How these were chosen, next to their list.
const DRAWN: &str = ".json";
/// What was found in the indexes, in its directory: a Parquet file for each crawl, and a copy of
/// the list of sites that were looked up.
const INDEX: &str = "index";
/// The names of these sites, in the same directory.
const NAMES: &str = "names.csv";
/// The extension of the file with the base that a crawl was found below, in the same directory.
const BASE: &str = "base";

#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct PanelArguments {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// Choose sites from a list of ranks: seeded, stratified by rank.
    Choose(choose::ChooseArguments),
    /// Look up the records of the sites in the index of each crawl.
    Find(find::FindArguments),
    /// Fetch these records, and ingest a dataset per crawl.
    Fetch(fetch::FetchArguments),
}

const HELP: &str = "\
The directory of a panel has sites.csv, index/CRAWL.parquet, and a dataset CRAWL
for each crawl. Every step can be interrupted; the same command continues.
docs/panel.md describes the steps, and the questions that a panel answers.

Examples:
  robostat panel choose --ranks tranco.csv --per-stratum 2000 -o panel/sites.csv
  robostat panel find --crawl CC-MAIN-2025-33 --crawl CC-MAIN-2026-34 panel/
  robostat panel fetch --dry-run panel/
  robostat panel fetch --contact me@example.org panel/";

pub(super) fn run(arguments: PanelArguments) -> Result<u8> {
    match arguments.step {
        Step::Choose(arguments) => choose::run(&arguments),
        Step::Find(arguments) => find::run(arguments),
        Step::Fetch(arguments) => fetch::run(&arguments),
    }
}

/// The path of the table with what was found of a crawl.
fn found(index: &Path, crawl: &str) -> PathBuf {
    index.join(format!("{crawl}.parquet"))
}

/// The path of the file with how the sites of a list were chosen.
fn drawn(sites: &Path) -> PathBuf {
    let mut path = sites.as_os_str().to_owned();
    path.push(DRAWN);
    path.into()
}

/// The file with the base that a crawl was found below.
fn base_file(index: &Path, crawl: &str) -> PathBuf {
    index.join(format!("{crawl}.{BASE}"))
}

/// Crawls by the base that they were found below.
type Bases = BTreeMap<String, Vec<String>>;

/// The network for a crawl. Without a base that was typed, it has the one of the run that found the
/// crawl, which is noted in `bases`.
fn network_of(
    index: &Path,
    crawl: &str,
    typed: &NetworkArguments,
    bases: &mut Bases,
) -> NetworkArguments {
    let mut network = typed.clone();
    if network.base.is_none() {
        network.base = std::fs::read_to_string(base_file(index, crawl)).ok();
        if let Some(base) = &network.base {
            let crawls = bases.entry(base.clone()).or_default();
            crawls.push(crawl.to_owned());
        }
    }
    network
}

/// Reports the bases that were not typed.
fn tell_bases(bases: &Bases) {
    for (base, crawls) in bases {
        let (base, crawls) = (crate::escape::line(base), crawls.join(", "));
        terminal::tell(&format!("--base {base}, as before, for {crawls}\n"));
    }
}

/// The records that the index of a crawl names, for the dataset `out`. An index that cannot be read
/// to its end is an error.
fn read_index(
    index: &Path,
    out: &Path,
    network: &NetworkArguments,
    remote: &Remote,
) -> std::result::Result<FoundInputs, Error> {
    let index = index.to_owned();
    let found = sources::find(&Request {
        paths: &[],
        files_from: None,
        indexes: std::slice::from_ref(&index),
        wants_all: true,
        has_crawl: true,
        base: network.base.as_deref(),
        sample: None,
        out,
        corpora: &CorpusOptions::default(),
        remote,
    })?;
    let damage = found.inputs.iter().find_map(|it| match &it.place {
        InputPlace::Index(lost) => lost.first(),
        _ => None,
    });
    match damage {
        Some(damage) => {
            let damage = std::io::Error::other(damage.message.clone());
            Err(Error::io(&index)(damage))
        }
        None => Ok(found),
    }
}

/// The crawls of a panel that have an index, in the order of their names.
fn found_crawls(panel: &Path) -> Result<Vec<(String, PathBuf)>> {
    let index = panel.join(INDEX);
    let no_index = |why: std::io::Error| {
        let index = crate::error::shown(&index);
        format!("{index}: {why}; run `robostat panel find` first")
    };
    let mut crawls = Vec::new();
    for entry in std::fs::read_dir(&index).map_err(no_index)? {
        let path = entry.map_err(no_index)?.path();
        if path.extension().is_some_and(|it| it == "parquet")
            && let Some(crawl) = path.file_stem().and_then(|it| it.to_str())
        {
            crawls.push((crawl.to_owned(), path.clone()));
        }
    }
    if crawls.is_empty() {
        return Err(no_index(std::io::Error::other("no crawl was found")).into());
    }
    crawls.sort();
    Ok(crawls)
}
