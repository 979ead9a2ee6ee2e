//! `agent_catalog.parquet`: the [catalogue](crate::dataset::catalog) as a table that is replaced.
//!
//! Every ingest rebuilds it from the shipped catalogue and the user's rows of `--catalog`, which
//! are kept in `agent_catalog.csv`. So a later run without `--catalog` keeps these rows, and a
//! newer program adds its own. Both files are staged and synced; the commit that lists them with
//! their checksums renames them into place. Unchanged files are not touched.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dataset::catalog::Catalog;
use crate::dataset::manifest::{Manifest, StoredFile};
use crate::dataset::tables::agent_catalog;
use crate::dataset::{Dataset, write_synced};
use crate::error::Error;

/// The path of the table within the dataset.
pub(crate) const TABLE: &str = "agent_catalog.parquet";
/// The path of the user's rows within the dataset.
pub(in crate::dataset) const GIVEN: &str = "agent_catalog.csv";

/// The file with the user's rows in the dataset in `directory`, if any.
///
/// Fails if the file is missing or differs from the manifest.
pub(in crate::dataset) fn given_file<'m>(
    directory: &Path,
    manifest: &'m Manifest,
) -> Result<Option<(PathBuf, &'m StoredFile)>, Error> {
    let path = directory.join(GIVEN);
    match manifest.files().get(GIVEN).copied() {
        Some(file) if !file.is_at(&path) => Err(Error::unusable(
            path,
            "the file that --catalog wrote is missing or has changed; put it back, or give \
             --catalog again",
        )),
        file => Ok(file.map(|file| (path, file))),
    }
}

#[derive(Debug)]
pub struct DatasetCatalog {
    catalog: Catalog,
    /// Content of [`GIVEN`]; `None` if no rows were given.
    given: Option<Vec<u8>>,
}

impl DatasetCatalog {
    /// The catalogue with the rows of a file given with `--catalog`; fails as
    /// [`Catalog::shipped_with`] does.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read(path).map_err(Error::io(path))?;
        Ok(Self {
            catalog: Catalog::shipped_with(&text, path)?,
            given: Some(text),
        })
    }

    /// Fails as [`given_file`] does.
    pub(in crate::dataset) fn of(directory: &Path, manifest: &Manifest) -> Result<Self, Error> {
        match given_file(directory, manifest)? {
            Some((path, _)) => Self::read(&path),
            None => Ok(Self {
                catalog: Catalog::shipped()?,
                given: None,
            }),
        }
    }

    /// Writes the files into the staging directory, durable on return. Returns those that the
    /// dataset does not have yet, which the next commit lists and renames into place.
    pub(in crate::dataset) fn stage(&self, dataset: &Dataset) -> Result<Vec<StoredFile>, Error> {
        let mut names = vec![TABLE];
        if let Some(text) = &self.given {
            write_synced(&dataset.staging.join(GIVEN), text)?;
            names.push(GIVEN);
        }
        let mut writer = dataset.part(agent_catalog::table(), TABLE.to_owned())?;
        writer.push(self.catalog.rows())?;
        writer.close()?;
        let changed = names.into_iter().map(|name| dataset.changed_file(name));
        changed.filter_map(Result::transpose).collect()
    }
}
