//! What a run does not read, and why: nothing that was given or found is left out silently.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::error::remedy;

/// Something that was given or found but is not ingested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedInput {
    /// Its path; `standard input` for the stream.
    pub path: PathBuf,
    pub reason: SkipReason,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SkipReason {
    #[error(
        "not an archive by its name or its beginning, not a table of fetches, not named after a host"
    )]
    NoWarc,
    #[error(
        "its name is a host, but its content is not a robots.txt; --name-pattern '{{host}}' reads it"
    )]
    NoRobotsTxt,
    #[error("a link to a missing file")]
    DanglingLink,
    /// It could lead in a circle.
    #[error("a link to a directory; give that directory to read it")]
    LinkToDirectory,
    #[error("a directory without an input")]
    NoInput,
    #[error("a pipe, socket or device; give its path to read it")]
    Special,
    #[error("the output directory")]
    Output,
    #[error("a dataset of robostat, not an input")]
    Dataset,
    /// In the same run.
    #[error("given more than once")]
    Repeated,
    /// The file is as it was when it was ingested, by path, size and time.
    #[error("ingested before{}", again(.differs.as_deref()))]
    IngestedBefore {
        /// The options of its ingest that differ in this run, in words.
        differs: Option<String>,
    },
    #[error("same content as {name}, which was ingested{}", again(.differs.as_deref()))]
    SameContent {
        /// `inputs.path`.
        name: String,
        differs: Option<String>,
    },
    #[error("{0}")]
    Unreadable(String),
}

impl From<io::Error> for SkipReason {
    /// Adds the remedy, if one is known.
    fn from(error: io::Error) -> Self {
        Self::Unreadable(format!("{error}{}", remedy(&error)))
    }
}

impl SkipReason {
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

    /// Whether the rows of the skipped input are in the dataset.
    pub fn is_ingested(&self) -> bool {
        matches!(self, Self::IngestedBefore { .. } | Self::SameContent { .. })
    }

    /// Whether the same content is or was read elsewhere: not a reason why a run brings nothing.
    pub fn is_elsewhere(&self) -> bool {
        *self == Self::Repeated || self.is_ingested()
    }

    /// Whether something that was requested could not be done.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::NoInput)
    }
}

fn again(differs: Option<&str>) -> String {
    let again = |differs| format!(" {differs}; use --force to ingest it again");
    differs.map(again).unwrap_or_default()
}
