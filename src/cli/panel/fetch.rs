//! `robostat panel fetch`: the records that were found for a panel, to a dataset per crawl.

use std::path::PathBuf;

use clap::{Args, Parser as _};

use super::super::args::{Arguments, Command};
use super::super::progress::shown_seconds;
use super::super::remote::NetworkArguments;
use super::super::{COMPLETE, DAMAGED, Result, ingest, terminal};
use super::plan::{self, Cost};
use super::{INDEX, SITES, drawn, found_crawls};
use crate::analysis::panel;
use crate::dataset::Panel;
use crate::ingest::corpus::CorpusOptions;
use crate::ingest::input::sources::{self, Request};
use crate::ingest::remainder;

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
  3    complete, but something is missing. The next run asks again for archives
       that could not be had, and once for archives with damaged records
  130  interrupted; the same command goes on

Examples:
  robostat panel fetch --dry-run panel/
  robostat panel fetch --contact me@example.org panel/
  robostat panel fetch --base s3://commoncrawl/ panel/";

/// A crawl, its index, and what is left of it.
struct Task {
    crawl: String,
    index: PathBuf,
    left: Cost,
}

/// Runs the subcommand.
pub(super) fn run(mut arguments: FetchArguments) -> Result<u8> {
    let (mut tasks, mut code) = (Vec::new(), COMPLETE);
    super::remember_base(&arguments.panel, &mut arguments.network);
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
        });
        // A crawl without any of the sites, or a damaged index, does not stop the other crawls.
        let left = match found.and_then(|found| remainder(&found, &out)) {
            Ok(left) => left,
            Err(error) => {
                terminal::tell(&format!("robostat: {crawl}: {error}\n"));
                code = DAMAGED;
                continue;
            }
        };
        let left = Cost {
            items: left.records,
            requests: left.requests,
            bytes: left.bytes,
            is_unknown: false,
        };
        tasks.push(Task { crawl, index, left });
    }
    let fewer = "a panel of fewer sites (panel choose --per-stratum), or fewer crawls";
    let costs = tasks.iter().map(|it| (&*it.crawl, &it.left));
    plan::print(&arguments.network, "records", fewer, costs)?;
    if arguments.dry_run {
        return Ok(code);
    }
    let panel = arguments.sites()?;
    for (place, task) in tasks.iter().enumerate() {
        let out = arguments.panel.join(&task.crawl);
        if task.left.items == 0 && crate::dataset::is_dataset(&out) {
            continue;
        }
        let left = Cost::total(tasks[place..].iter().map(|it| &it.left));
        terminal::tell(&format!(
            "{}: left with the crawls after it: {}\n",
            task.crawl,
            shown_seconds(left.seconds(&arguments.network))
        ));
        match arguments.ingest(task, out, panel.clone())? {
            COMPLETE => {}
            DAMAGED => code = DAMAGED,
            other => return Ok(other),
        }
    }
    Ok(code)
}

impl FetchArguments {
    /// The sites that were looked up; none if their list is not there.
    fn sites(&self) -> Result<Option<Panel>> {
        let sites = self.panel.join(SITES);
        let looked_up = self.panel.join(INDEX).join(SITES);
        let lists = [&looked_up, &sites];
        let list = lists.into_iter().find(|it| it.is_file());
        let list = list.map(|list| panel::of_list(list, &drawn(&sites)));
        Ok(list.transpose()?)
    }

    /// Ingests a crawl of the sites of a `panel` by the subcommand that a user would type.
    fn ingest(&self, task: &Task, out: PathBuf, panel: Option<Panel>) -> Result<u8> {
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
        ingest::run(ingest, panel)
    }
}
