//! `robostat probe`: a table of verdicts for every policy, agent, path and dialect.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use robots_dialects::dialect::Dialect;

use super::outcome::{Result, print_json, tell, usage};
use super::values::{Dialects, dialects, is_file_name};
use crate::analysis::probe::ProbePlan;
use crate::byte_order_mark::without_bom;
use crate::error::{Error, shown};

/// The most URLs and hosts without a policy that are printed one by one.
const MAX_WITHOUT_POLICY: usize = 10;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/probe.txt"))]
pub(super) struct ProbeArguments {
    /// The dataset.
    #[arg(value_name = "OUT")]
    dataset: PathBuf,
    /// Product tokens, one per line; `#` begins a comment.
    #[arg(long, value_name = "FILE")]
    agents: PathBuf,
    /// Paths (/a), paths with a host (example.com/a) or URLs, one per line; a line that begins with
    /// `#` is a comment. A path is tested with every policy, a URL with the policies of its host.
    #[arg(long, value_name = "FILE")]
    paths: PathBuf,
    /// The dialects of the protocol; may be repeated [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = dialects())]
    dialect: Vec<Dialects>,
    /// Name of the table: `probes/NAME.parquet` is replaced as a whole.
    #[arg(long, value_name = "NAME", default_value = "probe")]
    name: String,
    /// Print the summary on standard output as one JSON object.
    #[arg(long)]
    json: bool,
    /// No summary, only errors.
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(arguments: &ProbeArguments) -> Result<()> {
    let begun = Instant::now();
    let name = &arguments.name;
    if name.is_empty() || name.len() > 100 || !is_file_name(name) {
        return usage(
            "--name takes letters, digits, `-`, `_` and `.`, and does not begin with `.`",
        );
    }
    let agents = fs::read(&arguments.agents).map_err(Error::io(&arguments.agents))?;
    let paths = fs::read(&arguments.paths).map_err(Error::io(&arguments.paths))?;
    let chosen = arguments.dialect.concat();
    let is_chosen = |it: &Dialect| chosen.is_empty() || chosen.contains(it);
    let dialects = Dialect::ALL.into_iter().filter(is_chosen).collect();
    let plan = match ProbePlan::read(without_bom(&agents), without_bom(&paths), dialects) {
        Ok(plan) if !plan.is_empty() => plan,
        Ok(_) => return usage("there is nothing to test: no agent or no path"),
        Err(bad) => {
            let paths = shown(&arguments.paths);
            return usage(format!("{paths}, line {}: {}", bad.0, bad.1));
        }
    };
    let summary = crate::analysis::probe::probe(&arguments.dataset, name, &plan)?;

    let seconds = begun.elapsed().as_secs_f64();
    if arguments.json {
        print_json(&serde_json::json!({
            "path": summary.path.to_string_lossy(),
            "policies": summary.policies,
            "rows": summary.rows,
            "bytes": summary.bytes,
            "urls_without_policy": summary.without_policy,
            "seconds": seconds,
        }))?;
    } else if !arguments.quiet {
        for url in summary.without_policy.iter().take(MAX_WITHOUT_POLICY) {
            tell!("robostat: {url}: the dataset has no rules for it");
        }
        if let Some(more @ 1..) = summary.without_policy.len().checked_sub(MAX_WITHOUT_POLICY) {
            tell!("robostat: and {more} more");
        }
        let (policies, rows) = (HumanCount(summary.policies), HumanCount(summary.rows));
        let (path, bytes) = (shown(&summary.path), HumanBytes(summary.bytes));
        tell!(
            "robostat: {policies} policies tested, {rows} rows in {path} ({bytes}), {seconds:.2} s"
        );
    }
    Ok(())
}
