//! How a command ends: with an exit code, or with an error.

use std::path::Path;
use std::{error, fs};

use thiserror::Error;

use crate::error::{Error, shown};
use crate::escape;

/// The result of a subcommand: its exit code, or why it failed.
pub(super) type Result<T, E = Box<dyn error::Error>> = std::result::Result<T, E>;

pub(super) const COMPLETE: u8 = 0;
pub(super) const FAILED: u8 = 1;
/// The run is complete, but something in the input was damaged or inconsistent.
pub(super) const DAMAGED: u8 = 3;

/// What the exit codes mean, unless the help of a command says otherwise.
pub(super) const EXIT_CODES: &str = include_str!("help/exit-codes.txt");

/// Arguments that clap accepts and the subcommand does not. The process ends as for those that clap
/// refuses.
#[derive(Debug, Error)]
#[error("{}", escape::text(.0))]
pub(super) struct UsageError(String);

pub(super) fn usage<T>(message: impl Into<String>) -> Result<T> {
    Err(UsageError(message.into()).into())
}

/// Fails if a file of the user's is not there, and with a [`UsageError`] if it is a directory.
pub(super) fn check_file(path: &Path) -> Result<()> {
    if fs::metadata(path).map_err(Error::io(path))?.is_dir() {
        return usage(format!("{}: a directory, not a file", shown(path)));
    }
    Ok(())
}

/// What a macro says of an argument that it refuses, out of DuckDB's message.
pub(super) fn refusal(error: &Error) -> Option<&str> {
    let Error::DuckDbFailed { message, .. } = error else {
        return None;
    };
    let message = message.strip_prefix("Invalid Input Error: ")?;
    message.lines().next()
}

/// A [`UsageError`] if a macro refused an argument; else the error.
pub(super) fn refused(error: Error) -> Box<dyn error::Error> {
    match refusal(&error) {
        Some(message) => UsageError(message.to_owned()).into(),
        None => error.into(),
    }
}
