//! `robostat panel fetch`: fetches the records that were found for a panel, into a dataset per
//! crawl.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::{Args, Parser as _};

use super::directory::{
    Bases, INDEX, SITES, check, drawn, found_crawls, network_of, read_index, tell_bases,
};
use super::plan::{self, Cost};
use crate::analysis::panel;
use crate::cli::ingest::{self, IngestArguments};
use crate::cli::outcome::{COMPLETE, DAMAGED, Result, tell};
use crate::cli::progress::shown_seconds;
use crate::cli::remote::NetworkArguments;
use crate::dataset::{Manifest, Panel, is_dataset};
use crate::error::{Error, shown};
use crate::ingest::remainder;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../help/panel-fetch.txt"))]
pub(in crate::cli) struct FetchArguments {
    /// The directory of the panel, in which `robostat panel find` has found crawls.
    #[arg(value_name = "PANEL")]
    panel: PathBuf,
    /// Print the plan, and fetch nothing.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    network: NetworkArguments,
}

struct Task {
    crawl: String,
    index: PathBuf,
    left: Cost,
    network: NetworkArguments,
}

pub(super) fn run(arguments: &FetchArguments) -> Result<u8> {
    let (mut tasks, mut bases, mut code) = (Vec::new(), Bases::new(), COMPLETE);
    arguments.network.check_base()?;
    let panel = &arguments.panel;
    let remote = arguments.network.remote(None, false);
    for (crawl, index) in found_crawls(panel)? {
        let out = panel.join(&crawl);
        let typed = &arguments.network;
        let network = network_of(&panel.join(INDEX), &crawl, typed, &mut bases);
        // A damaged index does not stop the other crawls.
        let found = match read_index(&index, &out, &network, &remote) {
            Ok(found) => found,
            Err(error) => {
                let remedy = format!("; run `robostat panel find --crawl {crawl}` again");
                code = miss(&crawl, &error, &remedy);
                continue;
            }
        };
        if found.inputs.is_empty() {
            tell!("{crawl}: no records of these sites");
            continue;
        }
        match remainder(&found, &out) {
            Ok(left) => tasks.push(Task {
                left: Cost::new(left.records, left.requests, left.bytes, &network),
                crawl,
                index,
                network,
            }),
            Err(error) => code = miss(&crawl, &error, ""),
        }
    }
    tell_bases(&bases);
    if let Ok(listed) = panel::sites::read(&panel.join(SITES))
        && let Err(error) = check(panel, &listed)
    {
        tell!("robostat: {error}");
    }
    let fewer = "a panel of fewer sites (panel choose --per-stratum), or fewer crawls";
    let costs = tasks.iter().map(|it| (&*it.crawl, &it.network, it.left));
    plan::print("records", fewer, costs)?;
    if arguments.dry_run {
        return Ok(code);
    }
    let sites = sites_of(panel)?;
    for (place, task) in tasks.iter().enumerate() {
        let (crawl, out) = (&task.crawl, panel.join(&task.crawl));
        if task.left.items > 0 || !is_dataset(&out) {
            let left = tasks[place..].iter().map(|it| it.left.seconds);
            let left = shown_seconds(left.sum());
            tell!("{crawl}: left, with later crawls: {left}");
            match ingest(task, &out, sites.clone()) {
                Ok(COMPLETE | DAMAGED) => {}
                Ok(other) => return Ok(other),
                Err(error) => match error.downcast_ref() {
                    Some(error @ Error::NothingIngested(_)) => {
                        code = miss(crawl, error, "");
                    }
                    _ => return Err(error),
                },
            }
        }
    }
    // Damage of this run and of earlier ones, at the end, where it is not overlooked.
    for Task { crawl, .. } in &tasks {
        let out = panel.join(crawl);
        if !is_dataset(&out) {
            continue;
        }
        let manifest = Manifest::read(&out)?;
        let parts = manifest.parts().into_values();
        let damage = parts.filter(|it| it.table == "damage");
        let lost: u64 = damage.map(|it| it.rows).sum();
        if lost > 0 {
            let lost = format!("records or archives that are damaged or missing: {lost}");
            let query = format!("robostat query {} -e 'FROM damage'", shown(&out));
            code = miss(crawl, &lost, &format!("; `{query}` lists them"));
        }
    }
    Ok(code)
}

/// Reports that something of a crawl is missing, without stopping the other crawls.
fn miss(crawl: &str, error: &dyn Display, remedy: &str) -> u8 {
    tell!("robostat: {crawl}: {error}{remedy}");
    DAMAGED
}

/// The sites of a panel that were looked up; `None` if their list does not exist.
fn sites_of(panel: &Path) -> Result<Option<Panel>> {
    let sites = panel.join(SITES);
    let looked_up = panel.join(INDEX).join(SITES);
    let list = [&looked_up, &sites].into_iter().find(|it| it.is_file());
    let list = list.map(|list| panel::of_list(list, &drawn(&sites)));
    Ok(list.transpose()?)
}

/// Ingests the crawl of a `panel` by the subcommand that a user would type.
fn ingest(task: &Task, out: &Path, panel: Option<Panel>) -> Result<u8> {
    let typed = format!("ingest --subset robotstxt --crawl {} --index", task.crawl);
    let paths = [task.index.as_os_str(), out.as_os_str()];
    let typed = typed.split(' ').map(OsStr::new).chain(paths);
    let mut ingest = IngestArguments::try_parse_from(typed)?;
    ingest.remote.network = task.network.clone();
    ingest::run(ingest, panel)
}
