//! The dataset: the output directory, and how it gets from one consistent state to the next.
//!
//! Last stage of the flow, and the only one that knows the directory. The steps of a commit:
//!
//! 1. parts are written to `.staging/`, each synced;
//! 2. a commit file that lists them is synced and renamed into `manifest/`: from here on the
//!    commit exists;
//! 3. the parts are renamed to their places, in the order of references, so that a reader of the
//!    directory finds the file and policy of every capture meanwhile.
//!
//! A process that dies before 2 leaves only `.staging/`, which the next run empties; after 2, the
//! next run finishes 3. `views.sql`, which lists the parts, is renamed into its place last. A
//! [`Snapshot`] is never taken during 2 and 3. A part's path is never used again, so that a reader
//! who knows an older state finds its parts or an error.
//!
//! Rows do not depend on the number of threads, nor on how the inputs are split into runs. They
//! depend on the order of the inputs in three things: which file of a policy is its exemplar
//! (`policies.exemplar_file_id`), and so the line numbers of its groups, rules, directives and
//! preferences; which body `files.content_length` counts, if several were cut to one file; and
//! whether a revisit finds the file that it repeats, which must come from an earlier capture.

pub mod catalog;
mod checksum;
mod commit;
mod compact;
mod cursor;
mod derived;
mod durable;
mod encoding;
pub mod export;
mod input;
pub mod known;
pub mod label;
mod listing;
pub(crate) mod lock;
pub mod lookup;
mod manifest;
pub mod merge;
mod open;
mod panel;
mod part;
mod part_name;
mod seal;
mod snapshot;
mod step;
pub(crate) mod stored;
pub mod tables;
mod times;
pub mod verify;
mod views;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::ThreadPool;

use crate::error::{Error, shown};
use tables::{Batches, Table};

pub use catalog::table::DatasetCatalog;
pub(crate) use catalog::table::TABLE as CATALOG;
pub(crate) use checksum::sha256_digits;
pub use compact::SMALL_BYTES;
pub(crate) use derived::reversed_host;
pub use derived::{Answer, AnswerPair};
pub(crate) use durable::sync_directory;
use durable::{replace_file, write_synced};
pub use input::{
    CommittedInput, Digest, Fingerprint, Landmarks, Location, Origin, SampleDraw, WHOLE_BYTES,
};
pub use listing::check_output;
pub use manifest::{Commit, Manifest, Mirror, Part, Settings};
pub use panel::{Panel, SiteDraw, Stratum};
pub(crate) use part::PartWriter;
use part_name::{part_path, staged_name};
pub use snapshot::Snapshot;
pub use stored::{DigestIndex, digest_key, may_have_file};
pub use times::{Crawl, order_note};
pub(crate) use times::{MICROS_PER_DAY, last_note};
pub(crate) use views::{DATASETS_OF_KEYS, LISTED, list_of_texts, literal, pattern};

const STAGING: &str = ".staging";
/// Files from the network whose rows are not committed yet.
const DOWNLOADS: &str = ".downloads";

/// Whether `directory` holds a dataset of any version.
pub fn is_dataset(directory: &Path) -> bool {
    manifest::commit_path(directory, 1).is_file()
}

/// The datasets in `directory`, if there are any, written for a shell: a path or a pattern.
pub fn datasets_in(directory: &Path) -> Option<String> {
    let entries = fs::read_dir(directory).ok()?.filter_map(Result::ok);
    let datasets = entries.filter(|it| is_dataset(&it.path()));
    let names = datasets.map(|it| it.file_name().to_string_lossy().into_owned());
    let names: BTreeSet<String> = names.collect();
    let (first, last) = (names.first()?, names.last()?);
    let shared = |end: &usize| last.starts_with(&first[..=*end]);
    let mut ends = first.rmatch_indices('-').map(|(end, _)| end);
    let pattern = match ends.find(shared) {
        _ if first == last => first.clone(),
        Some(end) => format!("{}*", &first[..=end]),
        None => "*".to_owned(),
    };
    Some(shown(&directory.join(pattern)))
}

fn no_dataset(directory: &Path) -> Error {
    // The records of a crawl that `robostat panel find` found.
    let crawl = directory.file_name().unwrap_or_default();
    let found = format!("index/{}.parquet", crawl.to_string_lossy());
    let panel = (directory.parent()).filter(|it| it.join(&found).is_file());
    let remedy = match (datasets_in(directory), panel) {
        (Some(datasets), _) => format!("name the datasets in it: {datasets}"),
        (None, Some(panel)) => {
            format!(
                "`robostat panel fetch {}` fetches it",
                shown(&panel.join(""))
            )
        }
        (None, None) => "name the output directory of `robostat ingest`".to_owned(),
    };
    let message = format!("not a robostat dataset, or nothing has been committed to it; {remedy}");
    Error::unusable(directory, message)
}

/// An output directory, open for writing by this process alone.
pub struct Dataset {
    pub(crate) directory: PathBuf,
    /// Copies of inputs that can be read only once may go here, too.
    pub(crate) staging: PathBuf,
    pub(crate) manifest: Manifest,
    /// The next commit so far; its files are staged.
    pub(crate) next: Commit,
    /// Bytes of its inputs.
    pub(crate) next_bytes: u64,
    /// Parts of the next commit, by their paths within the dataset.
    open: BTreeMap<String, PartWriter>,
    /// Whether `.staging` may hold parts of a commit that exists: it must not be removed then.
    is_publishing: bool,
    is_new: bool,
    pub(crate) pool: Arc<ThreadPool>,
    _lock: File,
}

impl Dataset {
    /// Unlike `staging`, it outlives a run that is killed.
    pub fn downloads(&self) -> PathBuf {
        self.directory.join(DOWNLOADS)
    }

    /// Appends rows to the next commit; captures go to the partition of `crawl`.
    pub fn push(&mut self, crawl: &str, batches: &Batches) -> Result<(), Error> {
        for (table, batch) in batches.iter().filter(|(_, batch)| batch.num_rows() > 0) {
            self.writer(table, crawl)?.push(batch.clone())?;
        }
        Ok(())
    }

    /// Adds an input to the next commit, whose rows have been pushed.
    pub(crate) fn add_input(&mut self, input: CommittedInput) {
        self.next_bytes += input.bytes;
        self.next.inputs.push(input);
    }

    pub fn roll_back(&mut self) {
        self.open.clear();
        self.next = self.next.emptied();
        self.clear_staging();
    }

    fn clear_staging(&self) {
        if !self.is_publishing {
            // The next run removes files that cannot be removed now.
            let _ = fs::remove_dir_all(&self.staging);
        }
    }

    /// The writer of the next commit's part of `table`, of `crawl` if it has partitions.
    fn writer(&mut self, table: &'static Table, crawl: &str) -> Result<&mut PartWriter, Error> {
        let path = part_path(table, crawl, self.next_sequence());
        if !self.open.contains_key(&path) {
            let writer = self.part(table, path.clone())?;
            self.open.insert(path.clone(), writer);
        }
        Ok(self.open.get_mut(&path).expect("it is open"))
    }

    /// A writer of the part of `table` that is to be at `path` within the dataset.
    fn part(&self, table: &'static Table, path: String) -> Result<PartWriter, Error> {
        let aside = self.staging.join(staged_name(&path));
        PartWriter::create(&aside, path, table, Arc::clone(&self.pool))
    }
}

impl Drop for Dataset {
    fn drop(&mut self) {
        self.open.clear();
        self.clear_staging();
        if self.manifest.commits.is_empty() && !self.is_publishing {
            self.leave_nothing();
        }
    }
}
