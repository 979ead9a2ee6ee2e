//! The command line: one file per subcommand, each from arguments to exit code.
//!
//! Results go to standard output, everything about the run to standard error. Soft errors (damage
//! in an input) are printed as they occur and change the exit code; hard ones end the run.

mod check;
mod compact;
mod completions;
mod demo;
mod diff;
mod export;
mod history;
mod ingest;
mod inspect;
mod layout;
mod man;
mod merge;
mod outcome;
mod panel;
mod probe;
mod progress;
mod query;
mod remote;
mod report;
mod schema;
mod signals;
mod summary;
mod target;
#[cfg(test)]
mod tests;
mod values;
mod verify;

use std::env;
use std::error::Error as StdError;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use outcome::{COMPLETE, EXIT_CODES, FAILED, Result, tell};

use crate::error::{Error, is_broken_pipe};
use crate::escape;

/// Archived robots.txt captures (WARC) to Parquet tables for research.
#[derive(Debug, Parser)]
#[command(name = "robostat", version, about, propagate_version = true, after_help = after_help())]
#[command(max_term_width = 80)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read archives, and write or extend a dataset of Parquet tables.
    Ingest(ingest::IngestArguments),
    /// Test whether an agent may fetch a URL, by one file or many.
    Check(check::CheckArguments),
    /// Show what a change of a robots.txt means, for each crawler.
    Diff(diff::DiffArguments),
    /// Test agents and paths on every policy of a dataset.
    Probe(probe::ProbeArguments),
    /// Run a shipped query, or SQL of your own, on a dataset.
    Query(query::QueryArguments),
    /// Write a report on a dataset: HTML, Markdown or JSON.
    Report(report::ReportArguments),
    /// Show what a site answered, capture by capture, and what changed.
    History(history::HistoryArguments),
    /// Follow the same sites through many crawls of Common Crawl.
    #[command(subcommand)]
    Panel(panel::Step),
    /// Check a dataset: manifest, files, rows and keys.
    Verify(verify::VerifyArguments),
    /// Merge the small parts of a dataset into large ones.
    Compact(compact::CompactArguments),
    /// Merge several datasets into one.
    Merge(merge::MergeArguments),
    /// Show how a robots.txt or a capture is parsed, line by line.
    Inspect(inspect::InspectArguments),
    /// Describe the tables of a dataset: columns, types, meaning.
    Schema(schema::SchemaArguments),
    /// Describe a dataset for publication, in a standard format.
    Export(export::ExportArguments),
    /// Ingest a small made-up crawl, run a query on it, write a report.
    Demo(demo::DemoArguments),
    /// Print a completion script for a shell.
    Completions(completions::CompletionsArguments),
    /// Print the manual, or write it as pages.
    Man(man::ManArguments),
}

fn after_help() -> String {
    let hint = "`robostat help COMMAND` describes all options of a command, with examples.";
    format!("{hint}\n\n{EXIT_CODES}")
}

/// The command line, for callers that parse arguments without running a subcommand.
pub fn command() -> clap::Command {
    Arguments::command()
}

pub fn main() -> ExitCode {
    // clap exits with 2 on a usage error, with 0 after --help and --version.
    let words = ingest::with_pages_joined(env::args_os());
    let typed = command().try_get_matches_from(words);
    let typed = typed.unwrap_or_else(|error| exit(&error));
    let subcommand = typed.subcommand_name().unwrap_or_default();
    let arguments = Arguments::from_arg_matches(&typed);
    let arguments = arguments.unwrap_or_else(|error| exit(&error.format(&mut command())));
    match run(arguments.command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => fail(subcommand, error.as_ref()),
    }
}

fn run(command: Command) -> Result<u8> {
    match command {
        Command::Ingest(arguments) => return ingest::run(arguments, None),
        Command::Check(arguments) => return check::run(&arguments),
        Command::Diff(arguments) => return diff::run(&arguments),
        Command::Panel(step) => return panel::run(&step),
        Command::Verify(arguments) => return verify::run(&arguments),
        Command::Merge(arguments) => return merge::run(arguments),
        Command::Probe(arguments) => probe::run(&arguments)?,
        Command::Query(arguments) => query::run(&arguments)?,
        Command::Report(arguments) => report::run(&arguments)?,
        Command::History(arguments) => history::run(&arguments)?,
        Command::Compact(arguments) => compact::run(&arguments)?,
        Command::Inspect(arguments) => inspect::run(&arguments)?,
        Command::Schema(arguments) => schema::run(&arguments)?,
        Command::Completions(arguments) => completions::run(&arguments, self::command())?,
        Command::Man(arguments) => man::run(&arguments, self::command())?,
        Command::Export(arguments) => export::run(&arguments)?,
        Command::Demo(arguments) => demo::run(&arguments)?,
    }
    Ok(COMPLETE)
}

/// Ends the process as clap does on this error. Clap would print arguments unescaped.
fn exit(error: &clap::Error) -> ! {
    let arguments = env::args_os().map(|it| it.to_string_lossy().into_owned());
    if error.use_stderr() && arguments.into_iter().any(|it| escape::text(&it) != it) {
        tell!("{}", error.render().to_string().trim_end());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

fn fail(subcommand: &str, error: &(dyn StdError + 'static)) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::from(COMPLETE);
    }
    if let Some(error @ Error::Argument(_)) = error.downcast_ref() {
        let mut program = command();
        program.build(); // so that the usage line names the subcommand in full
        let command = program.find_subcommand_mut(subcommand);
        let command = command.expect("the subcommand that was run");
        command
            .error(ErrorKind::MissingRequiredArgument, error)
            .exit();
    }
    tell!("robostat: {error}");
    match error.downcast_ref() {
        Some(Error::Interrupted) => ExitCode::from(signals::exit_code()),
        _ if subcommand == "check" => ExitCode::from(check::FAILED),
        _ => ExitCode::from(FAILED),
    }
}
