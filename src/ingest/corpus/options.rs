//! What a user may say of a corpus.

use super::columns::Columns;
use super::names::FileNames;

/// How corpora are read: what their columns hold, and how their files are named after hosts.
#[derive(Debug, Clone, Default)]
pub struct CorpusOptions {
    /// Which columns of tables hold what.
    pub columns: Columns,
    /// How files are named after their hosts.
    pub names: FileNames,
}
