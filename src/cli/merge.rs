//! `robostat merge`: datasets that were made apart become one.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::HumanCount;
use serde_json::{Map, Value, json};

use super::progress::Progress;
use super::signals::Signals;
use super::{COMPLETE, DAMAGED, Result, terminal};
use crate::dataset::GivenCatalog;
use crate::dataset::merge::{self, Plan, Totals};
use crate::error::Error;
use crate::ingest::COMMIT_BYTES;
use crate::threads;

/// Arguments of `robostat merge`.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct MergeArguments {
    /// Datasets, in the order in which one ingest would have read their inputs.
    #[arg(required = true, value_name = "DATASET")]
    datasets: Vec<PathBuf>,
    /// The output directory. If it holds a dataset, the others are added to that.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// CSV file of crawlers for agent_catalog, as in ingest [default: the one that the datasets
    /// were given].
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Threads that encode [default: the number of processors].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Bytes of the archives after which rows are committed, as in ingest.
    #[arg(long, value_name = "BYTES", default_value_t = COMMIT_BYTES)]
    commit_every: u64,
    /// Print the summary on standard output as one JSON object.
    #[arg(long)]
    json: bool,
    /// Print only errors: no progress and no summary.
    #[arg(short, long)]
    quiet: bool,
}

const HELP: &str = "\
The result has the rows of one ingest of the same archives in the same order,
and the same part files: each file and policy once, with the line numbers of the
first dataset that has it; all captures, inputs and damage. A revisit gets the
file that it repeats, whichever dataset before it has that. An archive that two
datasets have is taken from the first, which the output says. Crawls keep their
labels. The archives themselves are not needed.

Datasets made with another --limit, --max-sitemaps or --keep-bodies, another
Public Suffix List or another version of the tables are refused, and so is an
archive that was ingested with two values of --subset.

Rows are committed as in an ingest. Killed at any moment, the output is as at
the last commit, and the same command goes on from there. The datasets that are
read stay as they are. Memory grows with the number of distinct files and
policies, not with captures.

Exit codes:
  0    complete
  1    failed; earlier commits stay and are consistent
  2    the arguments are wrong
  3    complete, but some of the archives were damaged
  130  interrupted; the same command continues from the last commit
  143  the same, by SIGTERM; 129 by SIGHUP (a terminal that closes)

Examples:
  robostat merge part-1/ part-2/ part-3/ -o out/
  robostat merge 2026-09/ -o year/";

/// Runs the subcommand.
pub(super) fn run(arguments: MergeArguments) -> Result<u8> {
    let begun = Instant::now();
    let catalog = arguments.catalog.as_deref();
    let plan = Plan {
        sources: arguments.datasets,
        out: arguments.output,
        catalog: catalog.map(GivenCatalog::read).transpose()?,
        jobs: arguments.jobs.map_or_else(threads::available, usize::from),
        commit_bytes: arguments.commit_every,
    };
    let signals = Signals::watch()?;
    let mut progress = Progress::of_captures(arguments.quiet);
    let result = merge::merge(plan, &mut progress, signals.stop());
    progress.finish();
    if let Err(error @ Error::Interrupted) = &result {
        terminal::tell(&format!("robostat: {error}\n"));
        return Ok(signals.exit_code());
    }
    let totals = result?;
    if arguments.json {
        let summary = json(&totals, begun.elapsed());
        terminal::print(|out| writeln!(out, "{summary}"))?;
    } else if !arguments.quiet {
        terminal::tell(&text(&totals, begun.elapsed()));
    }
    Ok(if totals.rows.damage > 0 {
        DAMAGED
    } else {
        COMPLETE
    })
}

/// The summary as text.
fn text(totals: &Totals, elapsed: Duration) -> String {
    let mut out = String::new();
    let mut line = |label: &str, value: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{label:<10} {value}");
    };
    line("datasets", HumanCount(totals.datasets).to_string());
    let left_out = [
        (totals.merged_before, "merged before"),
        (totals.duplicates.len() as u64, "in an earlier dataset too"),
    ];
    let mut inputs = vec![format!("{} new", HumanCount(totals.inputs))];
    let left_out = left_out.iter().filter(|(n, _)| *n > 0);
    inputs.extend(left_out.map(|(n, what)| format!("{} {what}", HumanCount(*n))));
    line("inputs", inputs.join(", "));
    line(
        "files",
        format!(
            "{} distinct, {} policies in the dataset",
            HumanCount(totals.files),
            HumanCount(totals.policies)
        ),
    );
    let rows = totals.rows.iter();
    let rows = rows.map(|(table, n)| format!("{} {}", table.name, HumanCount(*n)));
    line("new rows", rows.collect::<Vec<_>>().join(", "));
    if totals.rows.damage > 0 {
        line(
            "damage",
            format!(
                "{} ranges of the archives could not be read; see the table damage",
                HumanCount(totals.rows.damage)
            ),
        );
    }
    line("time", format!("{:.2} s", elapsed.as_secs_f64()));
    out
}

/// The summary as one JSON object.
fn json(totals: &Totals, elapsed: Duration) -> Value {
    let rows = totals.rows.iter();
    let rows: Map<String, Value> = rows
        .map(|(table, n)| (table.name.to_owned(), (*n).into()))
        .collect();
    let duplicates = totals.duplicates.iter().map(|duplicate| {
        json!({
            "path": duplicate.name,
            "dataset": duplicate.dataset.to_string_lossy(),
            "kept_from": duplicate.kept_from.to_string_lossy(),
            "crawl": duplicate.crawls.as_ref().map(|(here, _)| here),
            "kept_crawl": duplicate.crawls.as_ref().map(|(_, there)| there),
        })
    });
    json!({
        "datasets": totals.datasets,
        "inputs": totals.inputs,
        "inputs_merged_before": totals.merged_before,
        "duplicates": duplicates.collect::<Vec<_>>(),
        "rows": rows,
        "files": totals.files,
        "policies": totals.policies,
        "small_parts": totals.small_parts,
        "seconds": elapsed.as_secs_f64(),
    })
}
