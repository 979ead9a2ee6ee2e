//! `robostat compact`: small parts of a dataset become large ones.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use serde_json::json;

use super::signals::Signals;
use super::{COMPLETE, Result, terminal};
use crate::dataset::{Compaction, Dataset};
use crate::error::{Error, shown};
use crate::threads;

/// Arguments of `robostat compact`.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct CompactArguments {
    /// The dataset: the output directory of `robostat ingest`.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Threads that encode [default: the number of processors].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Print the summary on standard output as one JSON object.
    #[arg(long)]
    json: bool,
    /// No summary, only errors.
    #[arg(short, long)]
    quiet: bool,
}

const HELP: &str = "\
Every commit of an ingest adds a part file per table. After many small runs
there are many small parts, and every run and query opens them all. Compaction
merges adjacent parts, up to 256 MiB together; parts of 128 MiB and more stay as
they are. Tables have the same rows as before, in the same order, and the result
is the same for any --jobs.

It is one commit: killed at any moment, the dataset is as it was or compacted,
and the next run finishes the rest. Until the commit, the disk holds both the
old parts and the merged ones. A query that runs meanwhile ends as it would
have, or with an error if it opens a part that has been replaced. A DuckDB
session that has read the old views.sql must read it again.

Exit codes:
  0    compacted, or nothing to merge
  1    failed; the dataset is as it was
  2    the arguments are wrong
  130  interrupted; the dataset is as it was
  143  the same, by SIGTERM; 129 by SIGHUP (a terminal that closes)

Examples:
  robostat compact out/
  robostat compact --json out/ | jq .parts_after";

/// Runs the subcommand.
pub(super) fn run(arguments: &CompactArguments) -> Result<u8> {
    let begun = Instant::now();
    let jobs = arguments.jobs.map_or_else(threads::available, usize::from);
    let mut dataset = Dataset::reopen(&arguments.out, threads::pool(jobs)?)?;
    let signals = Signals::watch()?;
    let result = dataset.compact(signals.stop());
    if let Err(Error::Interrupted) = &result {
        terminal::tell("robostat: interrupted; the dataset is as it was\n");
        return Ok(signals.exit_code());
    }
    let compaction = result?;
    if arguments.json {
        let summary = json(&compaction, begun.elapsed());
        terminal::print(|out| writeln!(out, "{summary}"))?;
    } else if !arguments.quiet {
        let text = text(&compaction, begun.elapsed());
        terminal::tell(&format!("robostat: {}: {text}\n", shown(&arguments.out)));
    }
    Ok(COMPLETE)
}

fn text(compaction: &Compaction, elapsed: Duration) -> String {
    let Compaction { before, after, .. } = compaction;
    if compaction.merged == 0 {
        return format!("{} parts, none to merge", HumanCount(before.parts));
    }
    format!(
        "{} parts ({}) are now {} ({}), {:.2} s",
        HumanCount(before.parts),
        HumanBytes(before.bytes),
        HumanCount(after.parts),
        HumanBytes(after.bytes),
        elapsed.as_secs_f64()
    )
}

fn json(compaction: &Compaction, elapsed: Duration) -> serde_json::Value {
    json!({
        "parts_before": compaction.before.parts,
        "parts_after": compaction.after.parts,
        "parts_merged": compaction.merged,
        "bytes_before": compaction.before.bytes,
        "bytes_after": compaction.after.bytes,
        "seconds": elapsed.as_secs_f64(),
    })
}
