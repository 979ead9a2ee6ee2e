//! Inputs and copies that tests of interrupted and repeated runs begin with.

use std::fs;
use std::path::{Path, PathBuf};

use super::program::sample;
use super::warc::{self, Packing};

/// Splits the sample crawl into six gzip archives, `robotstxt/00.warc.gz` and so on in `directory`.
/// Returns the folder that holds them.
pub(crate) fn split_sample(directory: &Path) -> PathBuf {
    let inputs = directory.join("robotstxt");
    fs::create_dir(&inputs).expect("space");
    let all = warc::records(&sample("crawl.warc"));
    for (number, some) in all.chunks(all.len().div_ceil(6)).enumerate() {
        let input = inputs.join(format!("{number:02}.warc.gz"));
        fs::write(input, Packing::GzipPerRecord.pack(some)).expect("space");
    }
    inputs
}

/// Copies a directory with all below it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("space");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("space");
        }
    }
}

/// How often a test kills a run: as often as `ROBOSTAT_KILLS` says, else `usually`.
pub(crate) fn kills(usually: u32) -> u32 {
    std::env::var("ROBOSTAT_KILLS")
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(usually)
}
