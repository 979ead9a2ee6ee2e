//! `robostat panel`: the same sites in many crawls of Common Crawl. Sites are chosen once, their
//! records looked up in the index of each crawl, and fetched into a dataset per crawl.

mod choose;
mod directory;
mod fetch;
mod find;
mod plan;
mod search;

use clap::{Args, Subcommand};

use super::outcome::Result;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../help/panel.txt"))]
pub(super) struct PanelArguments {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// Choose sites from a list of ranks: seeded, stratified by rank.
    Choose(choose::ChooseArguments),
    /// Look up the records of the sites in the index of each crawl.
    Find(find::FindArguments),
    /// Fetch these records, and ingest a dataset per crawl.
    Fetch(fetch::FetchArguments),
}

pub(super) fn run(arguments: PanelArguments) -> Result<u8> {
    match arguments.step {
        Step::Choose(arguments) => choose::run(&arguments),
        Step::Find(arguments) => find::run(arguments),
        Step::Fetch(arguments) => fetch::run(&arguments),
    }
}
