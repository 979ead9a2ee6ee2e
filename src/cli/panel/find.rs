//! `robostat panel find`: the records of the sites of a panel, by the columnar index of each crawl.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::remote::NetworkArguments;
use super::super::{COMPLETE, DAMAGED, Result, terminal};
use super::plan::{self, Cost};
use super::search::{Search, Task};
use super::{INDEX, SITES};
use crate::analysis::panel;
use crate::dataset::lock;
use crate::error::{Error, shown};
use crate::remote::COMMON_CRAWL;
use crate::whole_file::WholeFile;

/// Arguments of `robostat panel find`.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct FindArguments {
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

const HELP: &str = "\
Reads the list crawl-data/CRAWL/cc-index-table.paths.gz below --base, prints the
requests, bytes and time that are left, and looks the sites up in the files of
the subset robotstxt. The rows of each site, and of www. before it, are kept in
PANEL/index/CRAWL.parquet. Of each file, the end is fetched, which says where
the columns are, and then the seven columns that are needed. If --base is a
directory, the files are read there.

A crawl whose index was found before is skipped. Interrupted, the same command
continues with the files that are left. A crawl that is missing, or has a file
that is missing or cannot be read, does not stop the others.

Exit codes:
  0    complete
  1    failed
  2    the arguments are wrong
  3    complete, but a crawl is missing

Examples:
  robostat panel find --crawl CC-MAIN-2025-33,CC-MAIN-2026-34 panel/
  robostat panel find --crawl CC-MAIN-2026-34 --base s3://commoncrawl/ panel/";

/// Runs the subcommand.
pub(super) fn run(arguments: &FindArguments) -> Result<u8> {
    let sites = arguments.panel.join(SITES);
    fs::metadata(&sites).map_err(|error| {
        let sites = shown(&sites);
        format!("{sites}: {error}; `robostat panel choose -o {sites}` writes it")
    })?;
    match panel::count(&sites) {
        Ok(0) => return Err(format!("{}: the list of sites is empty", shown(&sites)).into()),
        Err(error @ Error::DuckDbFailed { .. }) => {
            return Err(format!("{}: {error}", shown(&sites)).into());
        }
        counted => counted?,
    };
    let index = arguments.panel.join(INDEX);
    fs::create_dir_all(&index).map_err(Error::io(&index))?;
    let _lock = lock::lock(&index)?;
    same_sites(&sites, &index)?;
    let base = arguments.network.base.as_deref().unwrap_or(COMMON_CRAWL);
    let mut search = Search::new(base, arguments.network.remote(None), &sites, &index);
    let (mut tasks, mut missing) = (Vec::new(), 0);
    let mut miss = |crawl: &str, error: &Error| {
        missing += 1;
        terminal::tell(&format!("robostat: {crawl}: {error}\n"));
    };
    for crawl in &arguments.crawls {
        if index.join(format!("{crawl}.parquet")).is_file() {
            terminal::tell(&format!("{crawl}: found before\n"));
            continue;
        }
        match search.task(crawl) {
            Ok(task) => tasks.push(task),
            Err(error) => miss(crawl, &error),
        }
    }
    print_plan(arguments, &search, &tasks)?;
    if !arguments.dry_run {
        for (place, task) in tasks.iter().enumerate() {
            let later = tasks[place + 1..].iter().map(|it| it.left.len());
            match search.find(task, later.sum())? {
                Ok(found) => terminal::tell(&format!("{}: {found}\n", task.crawl)),
                Err(error) => miss(&task.crawl, &error),
            }
        }
    }
    if missing == 0 {
        return Ok(COMPLETE);
    }
    terminal::tell(&format!(
        "robostat: crawls that are missing: {missing}; the same command looks for them again\n"
    ));
    Ok(DAMAGED)
}

/// Prints what is left of each crawl.
fn print_plan(arguments: &FindArguments, search: &Search<'_>, tasks: &[Task]) -> Result<()> {
    if tasks.is_empty() {
        return Ok(());
    }
    let mut costs = Vec::new();
    for task in tasks {
        let cost = search.cost(task).unwrap_or_else(|error| {
            let crawl = &task.crawl;
            terminal::tell(&format!(
                "{crawl}: requests and bytes are unknown: {error}\n"
            ));
            Cost {
                items: task.left.len() as u64,
                is_unknown: true,
                ..Cost::default()
            }
        });
        costs.push(cost);
    }
    let costs = tasks.iter().map(|it| &*it.crawl).zip(&costs);
    plan::print(&arguments.network, "files", "fewer crawls", costs)?;
    terminal::tell("Estimated by the first file of each index.\n");
    Ok(())
}

/// The name of a crawl, which names a file and a directory too.
fn crawl(typed: &str) -> std::result::Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if typed.starts_with('.') || !typed.chars().all(is_plain) {
        return Err("a crawl is named like CC-MAIN-2026-34".to_owned());
    }
    super::super::ingest::crawl_label(typed)
}

/// Checks that what was found before was found for the sites that there are now: a panel has the
/// same sites in every crawl.
fn same_sites(sites: &Path, index: &Path) -> Result<()> {
    let kept = index.join(SITES);
    let now = fs::read(sites).map_err(Error::io(sites))?;
    let mut found = fs::read_dir(index).map_err(Error::io(index))?;
    let is_other = |it: fs::DirEntry| {
        let name = it.file_name().to_string_lossy().into_owned();
        !name.starts_with(SITES) && name != lock::LOCK
    };
    let has_other = found.any(|it| it.is_ok_and(is_other));
    if has_other && fs::read(&kept).is_ok_and(|before| before != now) {
        return Err(format!(
            "{} has changed since {} was made; use another directory for another panel",
            shown(sites),
            shown(index)
        )
        .into());
    }
    Ok(WholeFile::write(&kept, &now)?)
}
