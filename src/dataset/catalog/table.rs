//! `agent_catalog.parquet`: the [catalogue](crate::dataset::catalog) as a table, beside those that commits
//! extend.
//!
//! It is made anew by every ingest, from the catalogue that the program ships and the rows that
//! the user gave with `--catalog`, which `agent_catalog.csv` keeps: a later run without
//! `--catalog` has them too, and those that a newer program ships. Each file is written aside,
//! synced and renamed, before the first commit exists, so that a dataset is never without it; where
//! nothing has changed, neither is touched.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use rayon::ThreadPool;

use crate::dataset::catalog::Catalog;
use crate::dataset::part::PartWriter;
use crate::dataset::sync_directory;
use crate::dataset::tables::agent_catalog;
use crate::error::Error;

/// The table, within the dataset.
pub(in crate::dataset) const TABLE: &str = "agent_catalog.parquet";
/// The rows that the user gave, within the dataset.
const GIVEN: &str = "agent_catalog.csv";

/// The rows of a file given with `--catalog`, found to be good.
#[derive(Debug)]
pub struct GivenCatalog {
    text: Vec<u8>,
    catalog: Catalog,
}

impl GivenCatalog {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read(path).map_err(Error::io(path))?;
        let catalog = Catalog::shipped_with(&text, path)?;
        Ok(Self { text, catalog })
    }
}

/// The catalogue of a dataset.
pub(in crate::dataset) struct DatasetCatalog {
    catalog: Catalog,
    /// What [`GIVEN`] is to hold; none where it stays as it is.
    given: Option<Vec<u8>>,
}

impl DatasetCatalog {
    /// The catalogue for the dataset in `directory`: with `given`, else with what it has.
    pub(in crate::dataset) fn new(
        directory: &Path,
        given: Option<GivenCatalog>,
    ) -> Result<Self, Error> {
        if let Some(given) = given {
            return Ok(Self {
                catalog: given.catalog,
                given: Some(given.text),
            });
        }
        let path = directory.join(GIVEN);
        let catalog = match fs::read(&path) {
            Ok(text) => Catalog::shipped_with(&text, &path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Catalog::shipped()?,
            Err(error) => return Err(Error::io(&path)(error)),
        };
        Ok(Self {
            catalog,
            given: None,
        })
    }

    /// Puts the files into `directory`, by way of `staging`; durable on return.
    pub(in crate::dataset) fn write(
        &self,
        directory: &Path,
        staging: &Path,
        pool: &Arc<ThreadPool>,
    ) -> Result<(), Error> {
        fs::create_dir_all(staging).map_err(Error::io(staging))?;
        if let Some(text) = &self.given {
            let aside = staging.join(GIVEN);
            let mut file = File::create(&aside).map_err(Error::io(&aside))?;
            file.write_all(text)
                .and_then(|()| file.sync_all())
                .map_err(Error::io(&aside))?;
            replace(directory, &aside, GIVEN)?;
        }
        let aside = staging.join(TABLE);
        let mut writer = PartWriter::create(&aside, agent_catalog::table(), Arc::clone(pool))?;
        writer.push(self.catalog.rows())?;
        writer.close()?;
        replace(directory, &aside, TABLE)
    }
}

/// Renames `aside` to `name` in `directory`, unless that holds the same bytes.
fn replace(directory: &Path, aside: &Path, name: &str) -> Result<(), Error> {
    let path = directory.join(name);
    let new = fs::read(aside).map_err(Error::io(aside))?;
    if fs::read(&path).is_ok_and(|old| old == new) {
        return fs::remove_file(aside).map_err(Error::io(aside));
    }
    fs::rename(aside, &path).map_err(Error::io(&path))?;
    sync_directory(directory)
}
