//! How a table of changes of policies becomes part of a dataset.
//!
//! The table is one file at the root of the dataset. The commit that names it replaces the whole
//! file, so it is complete or the one of the run before.

use std::sync::Arc;

use super::tables::policy_diffs::{FILE, table};
use super::{Dataset, PartWriter};
use crate::error::Error;

impl Dataset {
    /// Replaces the table by the rows that `fill` pushes. Returns the number of rows and the size
    /// of the file in bytes. If the rows are the ones of the last run, nothing is committed.
    ///
    /// Fails as `fill` does, and if the file cannot be written. The table stays as it was.
    pub(crate) fn replace_policy_diffs(
        &mut self,
        fill: impl FnOnce(&Self, &mut PartWriter) -> Result<(), Error>,
    ) -> Result<(u64, u64), Error> {
        let aside = self.staging.join(FILE);
        let mut writer = PartWriter::create(&aside, FILE, table(), Arc::clone(&self.pool))?;
        fill(self, &mut writer)?;
        let written = writer.close()?;
        if let Some(file) = self.changed_file(FILE)? {
            self.next.files.push(file);
            self.commit(Vec::new(), None)?;
        }
        Ok((written.rows, written.bytes))
    }
}
