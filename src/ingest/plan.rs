//! The plan of an ingest, its progress reports, and its result.

use std::path::PathBuf;
use std::sync::Arc;

use warc_recovery::damage::Damage;

use super::collector::CollectorOptions;
use super::corpus::CorpusOptions;
use super::input::SkippedInput;
use super::input::sources::FoundInputs;
use super::input::subset::Subset;
use super::tally::Tally;
use crate::dataset::tables::PerTable;
use crate::dataset::tables::inputs::NoCaptures;
use crate::dataset::{DatasetCatalog, Panel};
use crate::remote::Remote;

/// Bytes of input after which the rows so far are committed, at the end of an input.
pub const COMMIT_BYTES: u64 = 256 * 1024 * 1024;

pub struct Plan {
    pub found: FoundInputs,
    /// The network, for inputs that have to be fetched.
    pub remote: Arc<Remote>,
    pub out: PathBuf,
    /// Rows for the dataset's catalogue of crawlers. `None`: the catalogue keeps its rows.
    pub catalog: Option<DatasetCatalog>,
    /// The crawl of every capture. `None`: the crawl of each input's warcinfo, else `default`.
    pub crawl: Option<String>,
    /// The sites for which the inputs were chosen, if they were.
    pub panel: Option<Panel>,
    /// Which responses become captures. `None`: as each input's path suggests.
    pub subset: Option<Subset>,
    pub corpora: CorpusOptions,
    pub options: CollectorOptions,
    /// Threads that read and encode, in addition to the calling thread.
    pub jobs: usize,
    pub use_mmap: bool,
    pub force: bool,
    pub commit_bytes: u64,
}

pub trait Watcher {
    /// `bytes` are `None` if some inputs are on the network, whose size is not known yet.
    fn plan(&mut self, inputs: u64, bytes: Option<u64>);
    /// `tally` was read since the last call.
    fn advance(&mut self, tally: &Tally);
    fn damage(&mut self, path: &str, damage: &Damage);
    fn skip(&mut self, skipped: &SkippedInput);
    /// Something else that the user should know about an input.
    fn note(&mut self, path: &str, note: &str);
    /// An input has been read, and has no captures.
    fn no_captures(&mut self, reason: NoCaptures, path: &str, message: &str);
    /// An input has been read.
    fn end(&mut self);
    /// Everything so far has been committed.
    fn commit(&mut self, inputs: usize);
}

#[derive(Debug, Default)]
pub struct Totals {
    pub inputs: u64,
    /// Inputs among them that are not WARC.
    pub not_warc: u64,
    /// Inputs among them that could be read, and have neither captures nor pages.
    pub without_captures: u64,
    pub ingested_before: u64,
    /// Inputs of earlier runs whose rows were replaced.
    pub replaced: u64,
    /// Rows in `captures` of these inputs.
    pub captures_replaced: u64,
    /// Inputs that could not be read or fetched.
    pub unreadable: u64,
    /// Other things that were not read; of the inputs ingested before, only those known under
    /// another name.
    pub skipped: Vec<SkippedInput>,
    pub bytes_in: u64,
    pub tally: Tally,
    pub rows: PerTable<u64>,
    pub files: u64,
    pub policies: u64,
    /// Parts that [`Dataset::compact`](crate::dataset::Dataset::compact) would merge.
    pub small_parts: u64,
    /// Why the run added nothing to the dataset, which is unchanged.
    pub nothing_ingested: Option<String>,
}

impl Totals {
    /// Whether something requested could not be read whole, or added nothing.
    pub fn has_failures(&self) -> bool {
        self.tally.accounting.damaged_records + self.unreadable + self.without_captures > 0
    }
}
