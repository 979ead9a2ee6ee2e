//! Arguments as typed: the program and its subcommands.

use clap::{Parser, Subcommand};

use super::exit::EXIT_CODES;

/// Archived robots.txt captures (WARC) to Parquet tables for research.
#[derive(Debug, Parser)]
#[command(name = "robostat", version, about, propagate_version = true, after_help = after_help())]
#[command(max_term_width = 80)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Read archives, and write or extend a dataset of Parquet tables.
    Ingest(super::ingest::IngestArguments),
    /// Test whether an agent may fetch a URL, by one file or many.
    Check(super::check::CheckArguments),
    /// Show what a change of a robots.txt means, for each crawler.
    Diff(super::diff::DiffArguments),
    /// Test agents and paths on every policy of a dataset.
    Probe(super::probe::ProbeArguments),
    /// Run a shipped query, or SQL of your own, on a dataset.
    Query(super::query::QueryArguments),
    /// Write a report on a dataset: HTML, Markdown or JSON.
    Report(super::report::ReportArguments),
    /// Show what a site answered, capture by capture, and what changed.
    History(super::history::HistoryArguments),
    /// Follow the same sites through many crawls of Common Crawl.
    Panel(super::panel::PanelArguments),
    /// Check a dataset: manifest, files, rows and keys.
    Verify(super::verify::VerifyArguments),
    /// Merge the small parts of a dataset into large ones.
    Compact(super::compact::CompactArguments),
    /// Make one dataset of several separate ones.
    Merge(super::merge::MergeArguments),
    /// Show how a robots.txt or a capture is parsed, line by line.
    Inspect(super::inspect::InspectArguments),
    /// Describe the tables of a dataset: columns, types, meaning.
    Schema(super::schema::SchemaArguments),
    /// Describe a dataset for publication, in a standard format.
    Export(super::export::ExportArguments),
    /// Ingest a small made-up crawl, run a query on it, write a report.
    Demo(super::demo::DemoArguments),
    /// Print a completion script for a shell.
    Completions(super::completions::CompletionsArguments),
    /// Print the manual, or write it as pages.
    Man(super::man::ManArguments),
}

fn after_help() -> String {
    let hint = "`robostat help COMMAND` describes all options of a command, with examples.";
    format!("{hint}\n\n{EXIT_CODES}")
}
