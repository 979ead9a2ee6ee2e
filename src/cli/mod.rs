//! The command line: one file per subcommand, each from arguments to exit code.
//!
//! Results go to standard output, everything about the run to standard error. Soft errors (damage
//! in an input) are printed as they occur and change the exit code; hard ones end the run.

mod args;
mod check;
mod compact;
mod completions;
mod date;
mod demo;
mod dialect;
mod diff;
mod export;
mod files0;
mod history;
mod ingest;
mod inspect;
mod layout;
mod man;
mod merge;
mod output;
mod panel;
mod probe;
mod progress;
mod query;
mod remote;
mod report;
mod schema;
mod signals;
mod style;
mod summary;
mod terminal;
mod verify;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use args::{Arguments, Command};

use crate::error::{Error, is_broken_pipe, shown};
use crate::escape;

/// The result of a subcommand: its exit code, or why it failed.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The run is complete.
const COMPLETE: u8 = 0;
/// The run failed.
const FAILED: u8 = 1;
/// The run is complete, but something in the input was damaged or inconsistent.
const DAMAGED: u8 = 3;
/// The run was interrupted: 128 and the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// The command line: what clap makes of arguments can be asked without running a subcommand.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Parses the arguments and runs the subcommand.
pub fn main() -> ExitCode {
    // clap exits with 2 on a usage error, with 0 after --help and --version.
    let arguments = args::with_pages_joined(std::env::args_os());
    let arguments = Arguments::try_parse_from(arguments).unwrap_or_else(|error| exit(&error));
    match run(arguments.command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => fail(error.as_ref()),
    }
}

fn run(command: Command) -> Result<u8> {
    match command {
        Command::Ingest(arguments) => ingest::run(arguments, None),
        Command::Check(arguments) => check::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Panel(arguments) => panel::run(arguments),
        Command::Probe(arguments) => probe::run(&arguments),
        Command::Query(arguments) => query::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::History(arguments) => history::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Compact(arguments) => compact::run(&arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
    }
}

/// Ends the process as clap does on a usage error of the subcommand `name`.
fn usage(name: &str, message: &str) -> ! {
    let mut command = command();
    command.build(); // so that the usage line names the subcommand in full
    let command = command.find_subcommand_mut(name).expect("a subcommand");
    command
        .error(
            clap::error::ErrorKind::MissingRequiredArgument,
            escape::text(message),
        )
        .exit()
}

/// Checks that a file of the user's is there, and ends the process if it is a directory.
fn check_file(command: &str, path: &Path) -> std::result::Result<(), Error> {
    if fs::metadata(path).map_err(Error::io(path))?.is_dir() {
        usage(
            command,
            &format!("{}: a directory, not a file", shown(path)),
        );
    }
    Ok(())
}

/// What a macro says of an argument that it refuses, out of DuckDB's message.
fn refusal(error: &Error) -> Option<&str> {
    let Error::DuckDbFailed { message, .. } = error else {
        return None;
    };
    let message = message.strip_prefix("Invalid Input Error: ")?;
    message.lines().next()
}

/// Ends the process as [`usage`] does if a macro refused an argument; else the error.
fn refused(command: &str, error: Error) -> Error {
    match refusal(&error) {
        Some(message) => usage(command, message),
        None => error,
    }
}

/// Ends the process as clap does on this error. Clap repeats arguments as they are.
fn exit(error: &clap::Error) -> ! {
    let arguments = std::env::args_os().map(|it| it.to_string_lossy().into_owned());
    if error.use_stderr() && arguments.into_iter().any(|it| escape::text(&it) != it) {
        terminal::tell(&error.render().to_string());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// Prints why the command failed, and returns its exit code.
fn fail(error: &(dyn std::error::Error + 'static)) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::from(COMPLETE);
    }
    terminal::tell(&format!("robostat: {error}\n"));
    match error.downcast_ref() {
        Some(Error::Interrupted) => ExitCode::from(INTERRUPTED),
        _ => ExitCode::from(FAILED),
    }
}
