//! `robostat panel fetch`: the records that were found for a panel, to a dataset per crawl.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, Parser as _};
use indicatif::{HumanBytes, HumanCount};

use super::super::args::{Arguments, Command};
use super::super::progress::shown_seconds;
use super::super::remote::NetworkArguments;
use super::super::{COMPLETE, DAMAGED, Result, ingest, terminal};
use super::found_crawls;
use crate::ingest::corpus::CorpusOptions;
use crate::ingest::input::sources::{self, Request};
use crate::ingest::{Remainder, remainder};
use crate::remote::{RATE, STORE_RATE};

/// Arguments of `robostat panel fetch`.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct FetchArguments {
    /// The directory of the panel, in which `robostat panel find` has found crawls.
    #[arg(value_name = "PANEL")]
    panel: PathBuf,
    /// Print the plan, and fetch nothing.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    network: NetworkArguments,
}

const HELP: &str = "\
Prints the requests, bytes and hours that are left for each crawl, then fetches
the records crawl by crawl and ingests them into the dataset PANEL/CRAWL, as
`robostat ingest --index PANEL/index/CRAWL.parquet` does. Records of an archive
that are less than 1 MiB apart (object stores: 128 KiB) are one request.

Interrupted, or ended because the server refuses requests, the same command goes
on. A crawl that is complete is not requested again.

Exit codes:
  0    complete
  1    failed; what was committed stays, and the same command goes on
  2    the arguments are wrong
  3    complete, but some archives or records are missing; the next run looks
       for them again
  130  interrupted; the same command goes on

Examples:
  robostat panel fetch --dry-run panel/
  robostat panel fetch --contact me@example.org panel/
  robostat panel fetch --base s3://commoncrawl/ panel/";

/// A crawl, its index, and what is left of it.
struct Task {
    crawl: String,
    index: PathBuf,
    left: Remainder,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &FetchArguments) -> Result<u8> {
    let mut tasks = Vec::new();
    let remote = arguments.network.remote(None);
    for (crawl, index) in found_crawls(&arguments.panel)? {
        let out = arguments.panel.join(&crawl);
        let found = sources::find(&Request {
            paths: &[],
            files_from: None,
            indexes: std::slice::from_ref(&index),
            wants_all: true,
            has_crawl: true,
            base: arguments.network.base.as_deref(),
            sample: None,
            out: &out,
            corpora: &CorpusOptions::default(),
            remote: &remote,
        })?;
        let left = remainder(&found, &out)?;
        tasks.push(Task { crawl, index, left });
    }
    print_plan(arguments, &tasks)?;
    if arguments.dry_run {
        return Ok(COMPLETE);
    }
    let mut code = COMPLETE;
    for (place, task) in tasks.iter().enumerate() {
        let out = arguments.panel.join(&task.crawl);
        if task.left.records == 0 && crate::dataset::is_dataset(&out) {
            continue;
        }
        let left = total(&tasks[place..]);
        terminal::tell(&format!(
            "{}: left with the crawls after it: {}\n",
            task.crawl,
            shown_seconds(arguments.seconds(&left))
        ));
        match arguments.ingest(task, out)? {
            COMPLETE => {}
            DAMAGED => code = DAMAGED,
            other => return Ok(other),
        }
    }
    Ok(code)
}

impl FetchArguments {
    /// Ingests a crawl by the subcommand that a user would type.
    fn ingest(&self, task: &Task, out: PathBuf) -> Result<u8> {
        let typed = ["robostat", "ingest", "--subset", "robotstxt", "--crawl"];
        let typed = typed.map(Into::into).into_iter();
        let rest = [
            task.crawl.clone().into(),
            "--index".into(),
            task.index.clone().into_os_string(),
            out.into_os_string(),
        ];
        let parsed = Arguments::try_parse_from(typed.chain(rest))?;
        let Command::Ingest(mut ingest) = parsed.command else {
            unreachable!("an ingest was typed")
        };
        ingest.remote.network = self.network.clone();
        ingest::run(ingest)
    }

    /// Seconds that requests take.
    #[expect(clippy::cast_precision_loss, reason = "a duration for people")]
    fn seconds(&self, left: &Remainder) -> f64 {
        let base = self.network.base.as_deref();
        let is_store = base.is_some_and(|it| it.starts_with("s3://"));
        let usual = if is_store { STORE_RATE } else { RATE };
        left.requests as f64 / self.network.max_rate.unwrap_or(usual)
    }
}

fn total(tasks: &[Task]) -> Remainder {
    let mut sum = Remainder::default();
    for task in tasks {
        sum.records += task.left.records;
        sum.requests += task.left.requests;
        sum.bytes += task.left.bytes;
    }
    sum
}

/// Prints what is left, crawl by crawl, and what would be less.
fn print_plan(arguments: &FetchArguments, tasks: &[Task]) -> Result<()> {
    let all = total(tasks);
    let width = tasks
        .iter()
        .map(|it| it.crawl.len())
        .max()
        .unwrap_or(0)
        .max(5);
    let row = |name: &str, left: &Remainder| {
        format!(
            "{name:<width$} {:>10} {:>10} {:>12} {:>8}\n",
            HumanCount(left.records).to_string(),
            HumanCount(left.requests).to_string(),
            HumanBytes(left.bytes).to_string(),
            shown_seconds(arguments.seconds(left))
        )
    };
    let head = ["records", "requests", "bytes", "time"];
    terminal::print(|out| {
        let [records, requests, bytes, time] = head;
        writeln!(
            out,
            "{:<width$} {records:>10} {requests:>10} {bytes:>12} {time:>8}",
            "left"
        )?;
        for task in tasks {
            out.write_all(row(&task.crawl, &task.left).as_bytes())?;
        }
        out.write_all(row("all", &all).as_bytes())
    })?;
    if all.requests > 0 {
        terminal::tell(
            "Fewer requests: a panel of fewer sites (panel choose --per-stratum), or fewer \
             crawls.\nLess time: --base s3://commoncrawl/, on a machine in the bucket's region, \
             us-east-1.\n",
        );
    }
    Ok(())
}
