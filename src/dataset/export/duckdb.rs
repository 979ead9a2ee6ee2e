//! `views.sql` for readers of a published dataset: views for DuckDB that do not contain paths of
//! the publisher's machine.

use std::fs;

use crate::dataset::manifest::Manifest;
use crate::dataset::{STAGING, Snapshot, label, lock, replace_file, views};
use crate::error::Error;

pub const FILE: &str = views::FILE;

/// The content of the file. The dataset will be published at the URL `base`. Without a URL, a
/// reader must work in the dataset's directory or set DuckDB's variable `dataset`.
///
/// Fails if a crawl's label cannot be part of a URL.
pub fn views(snapshot: &Snapshot, base: Option<&str>) -> Result<String, Error> {
    if let Some(base) = base.filter(|it| it.starts_with("http")) {
        // A server decodes the escapes, and then looks for a directory that does not exist.
        no_escaped_label(snapshot, &format!("below {base}; leave --base-url out"))?;
    }
    Ok(views::file(&snapshot.manifest, base.unwrap_or(".")))
}

/// Refuses crawls whose labels are escaped in paths. `place` ends the message: "cannot be read …".
pub(super) fn no_escaped_label(snapshot: &Snapshot, place: &str) -> Result<(), Error> {
    let labels = snapshot.crawls();
    match labels.iter().find(|crawl| label::escape(crawl) != **crawl) {
        None => Ok(()),
        Some(crawl) => Err(Error::unusable(
            &snapshot.directory,
            format!(
                "the label of crawl {crawl:?} is escaped in the paths of its parts, which cannot \
                 be read {place}"
            ),
        )),
    }
}

/// Replaces the dataset's own `views.sql` with `text`, until the next commit rewrites the file.
///
/// Fails if the dataset is being written or has a new commit, or if the file cannot be written.
pub fn replace(snapshot: &Snapshot, text: &str) -> Result<(), Error> {
    let directory = &snapshot.directory;
    let _lock = lock::lock(directory)?;
    if Manifest::read(directory)?.commits.len() != snapshot.manifest.commits.len() {
        return Err(Error::unusable(
            directory,
            "another run has committed to the dataset; run this again",
        ));
    }
    let staging = directory.join(STAGING);
    replace_file(&staging, &directory.join(FILE), text.as_bytes())?;
    // The next run removes files that an interrupted run left there.
    let _ = fs::remove_dir(&staging);
    Ok(())
}
