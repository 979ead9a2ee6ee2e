//! `robostat panel choose`: a list of ranks to the sites of a panel.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use super::super::query::to_output;
use super::super::{COMPLETE, Result};
use super::{INDEX, drawn};
use crate::analysis::panel::{self, Choice};
use crate::dataset::Panel;
use crate::error::{Error, shown};
use crate::whole_file::WholeFile;

/// Arguments of `robostat panel choose`.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct ChooseArguments {
    /// Ranks of domains: a CSV or Parquet file as Tranco, Umbrella, Majestic and CrUX publish them.
    #[arg(long, value_name = "FILE")]
    ranks: PathBuf,
    /// Sites of each stratum; a stratum with fewer is taken whole.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    per_stratum: u64,
    /// The last rank of each stratum, in order, separated by commas. Ranks after the last one are a
    /// stratum too.
    #[arg(long, value_name = "RANKS", value_delimiter = ',', default_value = "1000,10000,100000,1000000", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    strata: Vec<u64>,
    /// What decides which sites are drawn.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Write to this file, which is sites.csv in the directory of the panel [default: standard
    /// output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const HELP: &str = "\
Writes CSV with a line for each site: domain, rank, stratum, and weight: the
sites of the stratum, divided by those that were drawn. The same list and seed
give the same sites on every machine, and a larger --per-stratum has the sites
of a smaller --per-stratum. www.example.com counts as example.com.

With -o FILE, FILE.json records how the sites were chosen: name and SHA-256 of
the list of ranks, seed, strata. `robostat panel fetch` copies it into the
datasets, for cards and reports.

Needs the DuckDB program, as `robostat query` does.

Examples:
  robostat panel choose --ranks tranco.csv --per-stratum 2000 --seed 1 \\
    -o panel/sites.csv
  robostat panel choose --ranks crux.csv.gz --strata 1000,10000,100000 \\
    --per-stratum 500";

/// Runs the subcommand.
pub(super) fn run(arguments: &ChooseArguments) -> Result<u8> {
    if !arguments.strata.is_sorted_by(|one, next| one < next) {
        return Err("--strata: the ranks must be in order, each larger than the last".into());
    }
    let ranks = &arguments.ranks;
    if fs::metadata(ranks).map_err(Error::io(ranks))?.is_dir() {
        return Err(format!("{}: not a file", shown(ranks)).into());
    }
    if let Some(directory) = arguments.output.as_deref().and_then(|it| it.parent()) {
        let index = directory.join(INDEX);
        if index.exists() {
            let index = shown(&index);
            return Err(format!("{index} has records of other sites: write elsewhere").into());
        }
        fs::create_dir_all(directory).map_err(Error::io(directory))?;
    }
    let choice = Choice {
        ranks,
        borders: &arguments.strata,
        per_stratum: arguments.per_stratum,
        seed: arguments.seed,
    };
    let mut draw = None;
    to_output(arguments.output.as_deref(), |out| {
        draw = Some(panel::choose(&choice, out)?);
        Ok(())
    })?;
    let file = arguments.output.as_deref().filter(|it| it.is_file());
    if let (Some(sites), Some(draw)) = (file, draw) {
        let panel = Panel {
            sites: draw.strata.iter().map(|it| it.sites).sum(),
            sha256: Panel::sha256(sites)?,
            draw: Some(draw),
        };
        let text = serde_json::to_string_pretty(&panel)? + "\n";
        WholeFile::write(&drawn(sites), text.as_bytes())?;
    }
    Ok(COMPLETE)
}
