//! `robostat compact`: merges the small parts of a dataset into large ones.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use serde_json::json;

use super::outcome::Result;
use super::signals;
use super::summary::{self, SummaryArguments};
use crate::dataset::Dataset;
use crate::threads;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/compact.txt"))]
pub(super) struct CompactArguments {
    /// The dataset: the output directory of `robostat ingest`.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Threads that encode [default: the number of processors].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    summary: SummaryArguments,
}

pub(super) fn run(arguments: &CompactArguments) -> Result<()> {
    let begun = Instant::now();
    let jobs = arguments.jobs.map_or_else(threads::available, usize::from);
    let mut dataset = Dataset::reopen(&arguments.out, threads::pool(jobs)?)?;
    let done = dataset.compact(signals::watch()?)?;
    let (before, after) = (&done.before, &done.after);
    let json = json!({
        "parts_before": before.parts,
        "parts_after": after.parts,
        "parts_merged": done.merged,
        "bytes_before": before.bytes,
        "bytes_after": after.bytes,
    });
    summary::print(arguments.summary, begun, json, |lines, elapsed| {
        let [parts, parts_after] = [before.parts, after.parts].map(HumanCount);
        let [bytes, bytes_after] = [before.bytes, after.bytes].map(HumanBytes);
        if done.merged == 0 {
            lines.add("parts", format_args!("{parts}, none to merge"));
        } else {
            let now = format_args!("{parts_after} ({bytes_after})");
            lines.add("parts", format_args!("{parts} ({bytes}) are now {now}"));
        }
        lines.add_time(elapsed);
    })
}
