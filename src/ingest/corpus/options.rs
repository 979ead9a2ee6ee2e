//! The user's options for a corpus.

use super::columns::Columns;
use super::name_pattern::NamePattern;
use super::names::HostFile;

/// How corpora are read.
#[derive(Debug, Clone, Default)]
pub struct CorpusOptions {
    pub columns: Columns,
    /// How files are named after their hosts; `None`: as in public corpora.
    pub name_pattern: Option<NamePattern>,
}

impl CorpusOptions {
    /// The host that the file at this path is named after; `/` separates directories.
    pub(crate) fn host_file(&self, path: &str) -> Option<HostFile> {
        match &self.name_pattern {
            Some(pattern) => pattern.host_file(path),
            None => HostFile::of_usual_name(path),
        }
    }
}
