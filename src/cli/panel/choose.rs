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
    #[command(flatten)]
    choice: Choice,
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
    let ranks = &arguments.choice.ranks;
    check_file(ranks)?;
    let chosen = panel::choose(&arguments.choice).map_err(|error| match refusal(&error) {
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
