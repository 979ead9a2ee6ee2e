//! `robostat panel find`: looks up the records of a panel's sites in the columnar index of each
//! crawl.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indexmap::IndexSet;
use indicatif::HumanCount;

use super::directory::{
    Bases, INDEX, NAMES, SITES, check, found, keep, keep_base, network_of, read_index, tell_bases,
};
use super::plan::{self, Cost};
use super::search::{Search, Task};
use crate::analysis::panel;
use crate::cli::outcome::{COMPLETE, DAMAGED, Result, tell};
use crate::cli::remote::NetworkArguments;
use crate::cli::values::crawl;
use crate::dataset::lock;
use crate::error::{Error, shown};

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../help/panel-find.txt"))]
pub(in crate::cli) struct FindArguments {
    /// The directory of the panel, with sites.csv.
    #[arg(value_name = "PANEL")]
    panel: PathBuf,
    /// A crawl of Common Crawl, as CC-MAIN-2026-34; may be repeated, or a list with commas.
    #[arg(long = "crawl", value_name = "CRAWL", value_delimiter = ',', required = true, value_parser = crawl)]
    crawls: Vec<String>,
    /// Print the plan, and look nothing up.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    network: NetworkArguments,
}

pub(super) fn run(arguments: &FindArguments) -> Result<u8> {
    arguments.network.check_base()?;
    let list = arguments.panel.join(SITES);
    fs::metadata(&list).map_err(|error| {
        let list = shown(&list);
        format!("{list}: {error}; `robostat panel choose -o {list}` writes it")
    })?;
    let sites = panel::sites::read(&list)?;
    let index = arguments.panel.join(INDEX);
    fs::create_dir_all(&index).map_err(Error::io(&index))?;
    let _lock = lock::lock(&index)?;
    check(&arguments.panel, &sites)?;
    keep(&arguments.panel, &sites)?;
    let (remote, index) = (arguments.network.remote(None, false), index.as_path());
    let search = Search { remote, index };
    let (mut tasks, mut bases, mut missing) = (Vec::new(), Bases::new(), 0);
    let mut had = BTreeSet::new();
    let mut miss = |crawl: &str, error: &Error| {
        missing += 1;
        tell!("robostat: {crawl}: {error}");
    };
    let crawls: IndexSet<&String> = arguments.crawls.iter().collect();
    for &crawl in &crawls {
        let (place, out) = (found(index, crawl), arguments.panel.join(crawl));
        if place.is_file() {
            match read_index(&place, &out, &arguments.network, &search.remote) {
                Ok(_) => {
                    tell!("{crawl}: found before");
                    had.insert(crawl);
                    continue;
                }
                Err(error) => {
                    tell!("robostat: {crawl}: {error}; looking it up again");
                }
            }
        }
        let network = network_of(index, crawl, &arguments.network, &mut bases);
        match search.task(crawl, network) {
            Ok(task) => tasks.push(task),
            // The lists of other crawls could not be fetched either.
            Err(error @ Error::Remote { .. }) => return Err(error.into()),
            Err(error) => miss(crawl, &error),
        }
    }
    tell_bases(&bases);
    for task in &tasks {
        if let Some(base) = &task.network.base {
            keep_base(index, &task.crawl, base)?;
        }
    }
    print_plan(&search, &tasks)?;
    if !arguments.dry_run {
        for (place, task) in tasks.iter().enumerate() {
            let later = tasks[place + 1..].iter().map(|it| it.left.len());
            match search.find(task, later.sum()) {
                Ok(()) => {
                    tell!("{}: found", task.crawl);
                    had.insert(&task.crawl);
                }
                // The other crawls may be complete.
                Err(error @ Error::Missing { .. }) => miss(&task.crawl, &error),
                Err(error) => return Err(error.into()),
            }
        }
        let crawls = crawls.into_iter().filter(|it| had.contains(it));
        tell_coverage(&crawls.collect::<Vec<_>>(), index, sites.len())?;
    }
    if missing == 0 {
        return Ok(COMPLETE);
    }
    tell!("robostat: crawls that are missing: {missing}; the same command looks for them again");
    Ok(DAMAGED)
}

fn print_plan(search: &Search<'_>, tasks: &[Task]) -> Result<()> {
    if tasks.is_empty() {
        return Ok(());
    }
    let cost = |task: &Task| {
        search.cost(task).unwrap_or_else(|error| {
            let crawl = &task.crawl;
            tell!("robostat: {crawl}: requests and bytes are unknown: {error}");
            Cost {
                items: task.left.len() as u64,
                is_unknown: true,
                ..Cost::default()
            }
        })
    };
    let costs = tasks.iter().map(|it| (&*it.crawl, &it.network, cost(it)));
    plan::print("files", "fewer crawls", costs)?;
    tell!("Estimated from the first file of each index.");
    Ok(())
}

fn tell_coverage(crawls: &[&String], index: &Path, all: usize) -> Result<()> {
    if crawls.is_empty() {
        return Ok(());
    }
    let places: Vec<PathBuf> = crawls.iter().map(|it| found(index, it)).collect();
    let coverage = panel::coverage(&index.join(NAMES), &places)?;
    let all = HumanCount(all as u64);
    for crawl in crawls {
        let (sites, records) = coverage.crawls.get(*crawl).copied().unwrap_or_default();
        let (sites, records) = (HumanCount(sites), HumanCount(records));
        tell!("{crawl}: sites: {sites} of {all}, records: {records}");
    }
    if coverage.unfound > 0 {
        let first = coverage.first_unfound.join(", ");
        let is_all = coverage.unfound == coverage.first_unfound.len() as u64;
        tell!(
            "sites in none of these crawls: {} of {all}: {first}{}",
            HumanCount(coverage.unfound),
            if is_all { "" } else { ", …" }
        );
    }
    Ok(())
}
