//! Errors that stop a run. Damage in an input does not stop it: damage is data (rows of `damage`).
//!
//! Every message is complete: it names the place, the cause and, if one is known, the remedy. So
//! [`source`](std::error::Error::source) is `None` for all of them, and a program that prints a
//! chain of causes prints nothing twice; [`Error::cause`] has the error underneath.

use std::error::Error as StdError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use parquet::errors::ParquetError;
use thiserror::Error;

use crate::escape;

#[derive(Debug, Error)]
pub enum Error {
    #[error("{}: {cause}{}", shown(path), remedy(cause))]
    Io { path: PathBuf, cause: io::Error },
    /// A Parquet file could not be written or read, although no I/O operation failed.
    #[error("{}: {cause}{}", shown(path), remedy_in(&cause.to_string()))]
    Parquet { path: PathBuf, cause: ParquetError },
    /// Standard output, or the stream used instead, could not be written.
    #[error("the output cannot be written: {cause}{}", remedy(cause))]
    Unwritten { cause: io::Error },
    /// A file or directory is missing, damaged, or cannot be used as requested.
    #[error("{}: {message}", shown(path))]
    Unusable { path: PathBuf, message: String },
    #[error(
        "queries need the DuckDB program; {} ({origin}): {reason}\n\
         Get it with `pip install duckdb-cli` or from https://duckdb.org, or name it in \
         ROBOSTAT_DUCKDB.",
        shown(program)
    )]
    DuckDbNotFound {
        program: PathBuf,
        origin: &'static str,
        reason: String,
    },
    #[error("{}{message}", of_query(query.as_deref()))]
    DuckDbFailed {
        /// The shipped query that was running, or the last that ran.
        query: Option<String>,
        message: String,
    },
    #[error(
        "the system cannot start another thread: {0} (raise the limit on processes, ulimit -u, or \
         on memory, ulimit -v, or use fewer threads with --jobs)"
    )]
    NoThreads(io::Error),
    /// A file on the network could not be fetched, or a server refused for too long.
    #[error("{}: {message}", escape::line(url))]
    Remote { url: String, message: String },
    /// A file on the network does not exist; others may.
    #[error("{}: {message}", escape::line(url))]
    Missing { url: String, message: String },
    /// The reason why the first input was not read, with its path.
    #[error("nothing was ingested: {}", escape::line(.0))]
    NothingIngested(String),
    /// A wrong argument that clap accepts. The process ends as for arguments that clap refuses.
    #[error("{}", escape::text(.0))]
    Argument(String),
    #[error("{0}")]
    Failed(String),
    #[error(
        "interrupted; committed rows are kept. Run the same command to continue from the last commit"
    )]
    Interrupted,
}

impl Error {
    pub const fn unwritten(cause: io::Error) -> Self {
        Self::Unwritten { cause }
    }

    pub fn unusable(path: impl AsRef<Path>, message: impl Into<String>) -> Self {
        Self::Unusable {
            path: path.as_ref().to_owned(),
            message: message.into(),
        }
    }

    pub fn no_crawl(label: &str, crawls: &str) -> Self {
        let (label, crawls) = (escape::line(label), escape::line(crawls));
        Self::Argument(format!(
            "the dataset has no crawl {label}; its crawls: {crawls}"
        ))
    }

    pub fn not_utf8(path: &Path) -> Self {
        Self::unusable(
            path,
            "DuckDB takes only UTF-8 paths; rename it, or link to it",
        )
    }

    pub fn io(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |cause| Self::Io { path, cause }
    }

    /// A Parquet error at `path`; an I/O error inside it becomes [`Error::Io`] at `path`.
    pub fn parquet(path: impl AsRef<Path>) -> impl FnOnce(ParquetError) -> Self {
        let path = path.as_ref().to_owned();
        move |cause| match cause {
            // A full disk is reported as a full disk, whichever library notices it first.
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(cause) => Self::io(path)(*cause),
                Err(inner) => Self::Parquet {
                    path,
                    cause: ParquetError::External(inner),
                },
            },
            cause => Self::Parquet { path, cause },
        }
    }

    /// The error underneath, whose text is part of the message already.
    pub fn cause(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Io { cause, .. } | Self::Unwritten { cause } | Self::NoThreads(cause) => {
                Some(cause)
            }
            Self::Parquet { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

/// Whether `error`, or any error that it wraps, means a closed pipe: the program that read our
/// output has seen enough, which is not a failure.
pub fn is_broken_pipe(error: &(dyn StdError + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        next = error.source();
        if let Some(error) = error.downcast_ref::<io::Error>() {
            if error.kind() == io::ErrorKind::BrokenPipe {
                return true;
            }
            // `source` of an io::Error skips the error that it wraps.
            next = error.get_ref().map_or(next, |inner| Some(inner));
        } else if let Some(error) = error.downcast_ref::<serde_json::Error>() {
            if error.io_error_kind() == Some(io::ErrorKind::BrokenPipe) {
                return true;
            }
        } else if let Some(error) = error.downcast_ref::<Error>() {
            next = error.cause();
        }
    }
    false
}

/// A path as a message shows it: on one line, with control characters escaped. The user did not
/// choose the names of files found in a directory.
pub fn shown(path: &Path) -> String {
    escape::line(&path.to_string_lossy())
}

const MORE_MEMORY: &str = " (give it more memory, or use fewer threads with --jobs)";

/// A remedy for an error of the system, in parentheses after a space; empty if none is known.
pub fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull => " (free some space and run the same command again)",
        io::ErrorKind::QuotaExceeded => {
            " (free some space, or raise the quota, and run the same command again)"
        }
        io::ErrorKind::FileTooLarge => {
            " (raise the limit on the size of files, ulimit -f, or use another file system, and run \
             the same command again)"
        }
        io::ErrorKind::PermissionDenied => " (check the owner and permissions)",
        io::ErrorKind::OutOfMemory => MORE_MEMORY,
        // zstd reports this only as text.
        io::ErrorKind::Other if error.to_string().starts_with("Allocation error") => MORE_MEMORY,
        _ if matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) => {
            " (raise the limit on open files, ulimit -n)"
        }
        _ => "",
    }
}

/// Fails with [`Error::Interrupted`] if `stop` is set.
pub fn check_stop(stop: &AtomicBool) -> Result<(), Error> {
    if stop.load(Ordering::Relaxed) {
        Err(Error::Interrupted)
    } else {
        Ok(())
    }
}

/// What to do about an error in a part. Arrow passes errors of the system on as text.
fn remedy_in(message: &str) -> &'static str {
    let number = message
        .rsplit_once("(os error ")
        .and_then(|(_, number)| number.trim_end().strip_suffix(')')?.parse().ok());
    number.map_or(
        "; `robostat verify` finds the parts whose bytes have changed",
        |number| remedy(&io::Error::from_raw_os_error(number)),
    )
}

fn of_query(query: Option<&str>) -> String {
    query.map_or_else(String::new, |query| format!("query {query}: "))
}

#[cfg(test)]
mod tests;
