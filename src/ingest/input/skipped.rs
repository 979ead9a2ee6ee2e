//! What a run does not read, and why: nothing that was given or found is left out in silence.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::error::remedy;

/// Something that was given or found and is not ingested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its path; `standard input` for that.
    pub path: PathBuf,
    /// Why.
    pub reason: SkipReason,
}

/// Why something is not ingested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// A file in a directory that neither has the name nor the start of an archive, is not a table
    /// of fetches and is not named after a host.
    NoWarc,
    /// A file in a directory whose name is a host, and whose content is not a robots.txt.
    NoRobotsTxt,
    /// A link in a directory to what is not there.
    DanglingLink,
    /// A link in a directory to a directory: it could lead round in a circle.
    LinkToDirectory,
    /// A directory that was given, and holds nothing that can be read.
    NoInput,
    /// A pipe, socket or device in a directory.
    Special,
    /// The output directory.
    Output,
    /// A dataset of robostat in a directory.
    Dataset,
    /// The file was given, or found, before in the same run.
    Repeated,
    /// The file is as it was when it was ingested, by path, size and time.
    IngestedBefore {
        /// What its rows were filed under that this run asks to be otherwise, in words.
        differs: Option<String>,
    },
    /// An input with the same content was ingested.
    SameContent {
        /// Its name: `inputs.path`.
        name: String,
        /// What its rows were filed under that this run asks to be otherwise, in words.
        differs: Option<String>,
    },
    /// It cannot be read; what the system says.
    Unreadable(String),
}

impl SkipReason {
    /// The reason for what cannot be read, with what to do about it where that is known.
    pub fn unreadable(error: &io::Error) -> Self {
        Self::Unreadable(format!("{error}{}", remedy(error)))
    }

    /// The reason as a word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NoWarc => "no_warc",
            Self::NoRobotsTxt => "no_robots_txt",
            Self::DanglingLink => "dangling_link",
            Self::LinkToDirectory => "link_to_directory",
            Self::NoInput => "no_input",
            Self::Special => "special_file",
            Self::Output => "output_directory",
            Self::Dataset => "dataset",
            Self::Repeated => "repeated",
            Self::IngestedBefore { .. } => "ingested_before",
            Self::SameContent { .. } => "same_content",
            Self::Unreadable(_) => "unreadable",
        }
    }

    /// Whether the rows of what is skipped are in the dataset.
    pub fn is_ingested(&self) -> bool {
        matches!(self, Self::IngestedBefore { .. } | Self::SameContent { .. })
    }

    /// Whether the same is read in its own place, or was: no reason why a run brings nothing.
    pub fn is_elsewhere(&self) -> bool {
        *self == Self::Repeated || self.is_ingested()
    }

    /// Whether something was asked for and could not be done.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::NoInput)
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let differs = match self {
            Self::NoWarc => {
                return formatter.write_str(
                    "neither named nor begins like an archive, no table of fetches, not \
                     called after a host",
                );
            }
            Self::NoRobotsTxt => {
                return formatter.write_str(
                    "its name is a host, but its content is not a robots.txt; \
                     --name-pattern '{host}' reads it",
                );
            }
            Self::DanglingLink => return formatter.write_str("a link to what is not there"),
            Self::LinkToDirectory => {
                return formatter
                    .write_str("a link to a directory; name that directory to read it");
            }
            Self::NoInput => return formatter.write_str("a directory without an input"),
            Self::Special => {
                return formatter.write_str("a pipe, socket or device; name it to read it");
            }
            Self::Output => return formatter.write_str("the output directory"),
            Self::Dataset => return formatter.write_str("a dataset of robostat, not an input"),
            Self::Repeated => return formatter.write_str("given more than once"),
            Self::Unreadable(message) => return formatter.write_str(message),
            Self::IngestedBefore { differs } => {
                formatter.write_str("ingested before")?;
                differs
            }
            Self::SameContent { name, differs } => {
                write!(formatter, "same content as {name}, which was ingested")?;
                differs
            }
        };
        match differs {
            Some(differs) => write!(formatter, " {differs}; use --force to ingest it again"),
            None => Ok(()),
        }
    }
}
