//! `robostat panel choose`: draws the sites of a panel from a list of ranks.

use std::error::Error as StdError;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::HumanCount;

use super::directory::{SITES, check, drawn};
use crate::analysis::panel::{self, Choice};
use crate::cli::outcome::{COMPLETE, Result, check_file, put, refusal, tell};
use crate::dataset::Panel;
use crate::error::{Error, shown};
use crate::escape;
use crate::whole_file::WholeFile;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../help/panel-choose.txt"))]
pub(in crate::cli) struct ChooseArguments {
    #[command(flatten)]
    choice: Choice,
    /// Write to this file, which is sites.csv in the directory of the panel [default: standard
    /// output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

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
        tell!(
            "robostat: {ranks}: left out, not names of sites: {}; the first, in line {line}: \
             `{name}`",
            HumanCount(chosen.refused)
        );
    }
    Ok(COMPLETE)
}
