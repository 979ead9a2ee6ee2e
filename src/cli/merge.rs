//! `robostat merge`: joins datasets into one.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::HumanCount;
use serde_json::json;

use super::outcome::{COMPLETE, DAMAGED, Result, tell};
use super::progress::{OF_CAPTURES, Progress};
use super::signals;
use super::summary::{self, SummaryArguments, rows_json};
use super::target::read_list;
use crate::analysis::policy_diffs::{dialects_of, policy_diffs};
use crate::analysis::probe;
use crate::dataset::merge::{self, MergePlan};
use crate::dataset::{Dataset, DatasetCatalog};
use crate::error::shown;
use crate::ingest::COMMIT_BYTES;
use crate::threads;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/merge.txt"))]
pub(super) struct MergeArguments {
    /// Datasets, in the order in which one ingest would have read their inputs.
    #[arg(required_unless_present = "files0_from", value_name = "DATASET")]
    datasets: Vec<PathBuf>,
    /// Read more datasets from this file, with a NUL after each; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    files0_from: Option<PathBuf>,
    /// The output directory. If it holds a dataset, the others are added to it.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// CSV file of crawlers for agent_catalog, as in ingest [default: the catalogue of the
    /// datasets].
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Threads that encode [default: the number of processors].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Bytes of the archives after which rows are committed, as in ingest.
    #[arg(long, value_name = "BYTES", default_value_t = COMMIT_BYTES)]
    commit_every: u64,
    #[command(flatten)]
    summary: SummaryArguments,
}

pub(super) fn run(mut arguments: MergeArguments) -> Result<u8> {
    let begun = Instant::now();
    if let Some(list) = &arguments.files0_from {
        arguments.datasets.extend(read_list(list)?.0);
    }
    let catalog = arguments.catalog.as_deref();
    let jobs = arguments.jobs.map_or_else(threads::available, usize::from);
    let out = arguments.output.clone();
    let compared = arguments.datasets.iter().chain([&out]);
    let dialects = dialects_of(compared.map(PathBuf::as_path))?;
    let probed = arguments.datasets.iter();
    let probed = probed.filter(|it| **it != out && it.join(probe::DIRECTORY).is_dir());
    for dataset in probed.filter(|_| !arguments.summary.quiet) {
        let dataset = shown(dataset);
        tell!("note: the tables of `robostat probe` in {dataset} are not merged; run it again");
    }
    let plan = MergePlan {
        sources: arguments.datasets,
        out: arguments.output,
        catalog: catalog.map(DatasetCatalog::read).transpose()?,
        jobs,
        commit_bytes: arguments.commit_every,
    };
    let stop = signals::watch()?;
    let mut progress = Progress::new(arguments.summary.quiet, OF_CAPTURES);
    let result = merge::merge(plan, &mut progress, stop);
    progress.finish();
    let totals = result?;
    if !dialects.is_empty() {
        let mut dataset = Dataset::reopen(&out, threads::pool(jobs)?)?;
        policy_diffs(&mut dataset, &dialects, stop)?;
    }
    let duplicates = totals.duplicates.iter().map(|duplicate| {
        json!({
            "path": duplicate.name,
            "dataset": duplicate.dataset.to_string_lossy(),
            "kept_from": duplicate.kept_from.to_string_lossy(),
            "crawl": duplicate.crawls.as_ref().map(|(here, _)| here),
            "kept_crawl": duplicate.crawls.as_ref().map(|(_, there)| there),
        })
    });
    let json = json!({
        "datasets": totals.datasets,
        "inputs": totals.inputs,
        "inputs_merged_before": totals.merged_before,
        "duplicates": duplicates.collect::<Vec<_>>(),
        "rows": rows_json(&totals.rows),
        "files": totals.files,
        "policies": totals.policies,
        "small_parts": totals.small_parts,
    });
    summary::print(arguments.summary, begun, json, |lines, elapsed| {
        lines.add("datasets", HumanCount(totals.datasets));
        let left_out = [
            (totals.merged_before, "merged before"),
            (totals.duplicates.len() as u64, "in an earlier dataset too"),
        ];
        let new = format!("{} new", HumanCount(totals.inputs));
        lines.add_counts("inputs", new, &left_out);
        lines.add_distinct(totals.files, totals.policies);
        lines.add_new_rows(&totals.rows);
        if totals.rows.damage > 0 {
            let damage = HumanCount(totals.rows.damage);
            let lost = "ranges of the archives could not be read; see the table damage";
            lines.add("damage", format_args!("{damage} {lost}"));
        }
        lines.add_time(elapsed);
    })?;
    Ok(match totals.rows.damage {
        0 => COMPLETE,
        _ => DAMAGED,
    })
}
