//! What stops a run. Damage in an input does not: it is data (rows of `damage`).

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use thiserror::Error;

use crate::escape::visible_line;

/// Why a command failed.
#[derive(Debug, Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}{}", shown(path), remedy(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// An input could not be found or listed.
    #[error("{0}")]
    Inputs(io::Error),
    /// The output directory cannot be used as it is.
    #[error("{}: {message}", shown(path))]
    Output {
        /// The directory.
        path: PathBuf,
        /// Why, and what to do.
        message: String,
    },
    /// A catalogue of crawlers cannot be used.
    #[error("{}:{line}: {message}", shown(path))]
    Catalog {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// What is wrong with it, and what to do.
        message: String,
    },
    /// A Parquet file could not be written or read.
    #[error("{}: {source}", shown(path))]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the library says.
        source: ParquetError,
    },
    /// Two different contents have one id.
    #[error(
        "{}: two different contents have the id {id}; the dataset cannot hold both",
        visible_line(input)
    )]
    Collision {
        /// The input with the second one.
        input: String,
        /// The id.
        id: i64,
    },
    /// DuckDB is not there, or could not do what it was asked.
    #[error("{0}")]
    DuckDb(String),
    /// What was found out could not be handed on.
    #[error("the output cannot be written: {0}")]
    Unwritten(io::Error),
    /// The user or the system asked to stop.
    #[error("interrupted; what was committed stays, the same command goes on from there")]
    Interrupted,
}

impl Error {
    /// An I/O error at `path`.
    pub fn io(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| Self::Io { path, source }
    }

    /// A Parquet error at `path`.
    pub fn parquet(path: impl AsRef<Path>) -> impl FnOnce(ParquetError) -> Self {
        let path = path.as_ref().to_owned();
        move |source| match source {
            // A full disk is to be told as one, wherever it is met.
            ParquetError::External(cause) => match cause.downcast::<io::Error>() {
                Ok(source) => Self::Io {
                    path,
                    source: *source,
                },
                Err(cause) => Self::Parquet {
                    path,
                    source: ParquetError::External(cause),
                },
            },
            source => Self::Parquet { path, source },
        }
    }
}

/// A path as a message shows it. The names of files that were found in a directory are not the
/// user's own.
#[must_use]
pub fn shown(path: &Path) -> String {
    visible_line(&path.to_string_lossy()).into_owned()
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull => " (free some space and run the same command again)",
        io::ErrorKind::PermissionDenied => " (check the owner and permissions)",
        _ => "",
    }
}
