//! `robostat panel`: the same sites in many crawls of Common Crawl. Sites are chosen once, their
//! records looked up in the index of each crawl, and fetched into a dataset per crawl.

mod choose;
mod directory;
mod fetch;
mod find;
mod plan;
mod search;

use clap::Subcommand;

use super::outcome::Result;

#[derive(Debug, Subcommand)]
#[command(after_long_help = include_str!("../help/panel.txt"))]
pub(super) enum Step {
    /// Choose sites from a list of ranks: seeded, stratified by rank.
    Choose(choose::ChooseArguments),
    /// Look up the records of the sites in the index of each crawl.
    Find(find::FindArguments),
    /// Fetch these records, and ingest a dataset per crawl.
    Fetch(fetch::FetchArguments),
}

pub(super) fn run(step: &Step) -> Result<u8> {
    match step {
        Step::Choose(arguments) => choose::run(arguments),
        Step::Find(arguments) => find::run(arguments),
        Step::Fetch(arguments) => fetch::run(arguments),
    }
}
