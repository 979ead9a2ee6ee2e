//! `robostat report`: what the shipped questions answer, as a page, as Markdown or as JSON.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::query::to_output;
use super::{COMPLETE, Result, terminal};
use crate::analysis::report::{self, Options};
use crate::error::Error;

/// Arguments of `robostat report`.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct ReportArguments {
    /// The dataset: the output directory of `robostat ingest`.
    #[arg(value_name = "OUT")]
    dataset: PathBuf,
    /// Write to this file instead of standard output; put in place as a whole.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to write it [default: by the extension of --output, else html].
    #[arg(long, value_enum)]
    format: Option<FormatArgument>,
    /// The heading of the report.
    #[arg(long)]
    title: Option<String>,
    /// Ranks of domains, for the sections that tell prominent sites from others: a CSV or Parquet
    /// file of rank and domain, such as Tranco's.
    #[arg(long, value_name = "FILE")]
    ranks: Option<PathBuf>,
    /// Another dataset, to compare with: an earlier crawl, another country.
    #[arg(long, value_name = "OTHER_OUT")]
    baseline: Option<PathBuf>,
    /// Name hosts; without it nothing in the report does.
    #[arg(long)]
    name_hosts: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArgument {
    /// One page that needs no network and no script.
    Html,
    /// For papers; tables, no charts.
    Markdown,
    /// For programs; every section with all its rows.
    Json,
}

const HELP: &str = "\
Puts the shipped questions to the dataset and tells what they answer: each section has its main
finding, a chart, a table, the denominator, and the command that gives its rows again. Sections
that the corpus has nothing for are listed at the end with the reason.

Needs the DuckDB program, as `robostat query` does.

Exit codes:
  0    complete
  1    failed: no dataset, no DuckDB
  2    the arguments are wrong

Examples:
  robostat report out/ -o report.html
  robostat report out/ -o report.html --title \"News sites, 2026\" --ranks tranco.csv
  robostat report out/ -o changes.html --baseline last-year/
  robostat report out/ --format json | jq -r '.chapters[].sections[] | [.query, .finding] | @tsv'";

/// Runs the subcommand.
pub(super) fn run(arguments: &ReportArguments) -> Result<u8> {
    if let Some(ranks) = &arguments.ranks {
        std::fs::File::open(ranks).map_err(Error::io(ranks))?;
    }
    let report = report::build(
        &arguments.dataset,
        &Options {
            title: arguments.title.clone(),
            ranks: arguments.ranks.clone(),
            baseline: arguments.baseline.clone(),
            names_hosts: arguments.name_hosts,
        },
    )?;
    let by_extension = || match arguments.output.as_deref()?.extension()?.to_str()? {
        "md" | "markdown" => Some(FormatArgument::Markdown),
        "json" => Some(FormatArgument::Json),
        _ => None,
    };
    let text = match arguments.format.or_else(by_extension) {
        Some(FormatArgument::Markdown) => report::markdown(&report),
        Some(FormatArgument::Json) => terminal::printable_json(&report::json(&report)) + "\n",
        Some(FormatArgument::Html) | None => report::html(&report),
    };
    to_output(arguments.output.as_deref(), |out| {
        out.write_all(text.as_bytes()).map_err(Error::unwritten)
    })?;
    Ok(COMPLETE)
}
