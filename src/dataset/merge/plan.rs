//! What to merge, what is reported meanwhile, and what it comes to.

use std::path::PathBuf;

use super::inputs::Duplicate;
use crate::dataset::DatasetCatalog;
use crate::dataset::tables::PerTable;

/// What to merge.
pub struct MergePlan {
    /// The datasets, in order.
    pub sources: Vec<PathBuf>,
    /// The output directory. A dataset in it comes first.
    pub out: PathBuf,
    /// Rows for the catalogue of crawlers; without, those that the datasets were given.
    pub catalog: Option<DatasetCatalog>,
    /// Threads that encode.
    pub jobs: usize,
    /// Bytes of the inputs after which to commit, at the end of an input, as in an ingest.
    pub commit_bytes: u64,
}

/// Receives reports of how a merge goes.
pub trait MergeWatcher {
    /// So many captures are to be merged.
    fn plan(&mut self, captures: u64);
    /// So many more are.
    fn advance(&mut self, captures: u64);
    /// An input is left out.
    fn skip(&mut self, duplicate: &Duplicate);
    /// Everything so far has been committed, with this many inputs.
    fn commit(&mut self, inputs: usize);
}

/// The result of a merge.
#[derive(Debug, Default)]
pub struct MergeTotals {
    /// Datasets merged.
    pub datasets: u64,
    /// Inputs added.
    pub inputs: u64,
    /// Inputs that the output had before.
    pub merged_before: u64,
    /// Inputs left out because an earlier dataset has them.
    pub duplicates: Vec<Duplicate>,
    /// Rows added.
    pub rows: PerTable<u64>,
    /// Distinct files in the output.
    pub files: u64,
    /// Distinct policies in the output.
    pub policies: u64,
    /// Small parts of the output that `robostat compact` would merge.
    pub small_parts: u64,
}
