//! `robostat panel choose`: a list of ranks to the sites of a panel.

use std::error::Error as StdError;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::HumanCount;

use super::directory::{SITES, check, drawn};
use crate::analysis::panel::{self, Choice};
use crate::cli::exit::{COMPLETE, Result, check_file, refusal};
use crate::cli::output::put;
use crate::cli::terminal;
use crate::dataset::Panel;
use crate::error::{Error, shown};
use crate::escape;
use crate::whole_file::WholeFile;

#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct ChooseArguments {
    /// Ranks of domains: a CSV or Parquet file as Tranco, Umbrella, Majestic and CrUX publish them.
    #[arg(long, value_name = "FILE")]
    ranks: PathBuf,
    /// Sites of each stratum; a stratum with fewer is taken whole.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive)]
    per_stratum: u64,
    /// The last rank of each stratum, in order, separated by commas. Ranks after the last one are a
    /// stratum too.
    #[arg(long, value_name = "RANKS", default_value = "1000,10000,100000,1000000", allow_negative_numbers = true, value_parser = borders)]
    strata: Borders,
    /// What decides which sites are drawn.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, allow_negative_numbers = true, value_parser = seed)]
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

pub(super) fn run(arguments: &ChooseArguments) -> Result<u8> {
    let ranks = &arguments.ranks;
    check_file(ranks)?;
    let choice = Choice {
        ranks,
        borders: &arguments.strata.0,
        per_stratum: arguments.per_stratum,
        seed: arguments.seed,
    };
    let chosen = panel::choose(&choice).map_err(|error| match refusal(&error) {
        Some(message) => message.into(),
        None => Box::<dyn StdError>::from(error),
    })?;
    let output = arguments.output.as_deref();
    if let Some(directory) = output.and_then(Path::parent) {
        if output.is_some_and(|it| it.ends_with(SITES)) {
            let sites = panel::sites::parse(chosen.list.as_bytes());
            check(directory, &sites.map_err(Error::io(ranks))?)?;
        }
        fs::create_dir_all(directory).map_err(Error::io(directory))?;
    }
    put(output, &chosen.list)?;
    if let Some(sites) = output.filter(|it| it.is_file()) {
        let panel = Panel {
            sites: chosen.draw.strata.iter().map(|it| it.sites).sum(),
            sha256: Panel::sha256(sites)?,
            draw: Some(chosen.draw),
        };
        let text = serde_json::to_string_pretty(&panel)? + "\n";
        WholeFile::write(&drawn(sites), text.as_bytes())?;
    }
    if let Some((line, name)) = chosen.first_refused {
        let (ranks, name) = (shown(ranks), escape::line(&name));
        terminal::tell(&format!(
            "robostat: {ranks}: left out, not names of sites: {}; the first, in line {line}: \
             `{name}`\n",
            HumanCount(chosen.refused)
        ));
    }
    Ok(COMPLETE)
}

/// The last ranks of strata.
#[derive(Debug, Clone)]
struct Borders(Vec<u64>);

fn borders(typed: &str) -> Result<Borders, String> {
    let ranks = typed.split(',').map(positive);
    let ranks: Vec<u64> = ranks.collect::<Result<_, _>>()?;
    if ranks.is_sorted_by(|one, next| one < next) {
        Ok(Borders(ranks))
    } else {
        Err("each rank must be larger than the rank before it, as in 1000,10000,100000".to_owned())
    }
}

fn positive(typed: &str) -> Result<u64, String> {
    let number = seed(typed).ok().filter(|it| *it > 0);
    number.ok_or_else(|| "a whole number of 1 or more is needed".to_owned())
}

fn seed(typed: &str) -> Result<u64, String> {
    // SQL takes numbers with a sign.
    let number = typed.trim().parse::<i64>().ok();
    let number = number.and_then(|it| it.try_into().ok());
    number.ok_or_else(|| "a whole number of 0 or more is needed".to_owned())
}
