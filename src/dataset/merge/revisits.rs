//! Revisits get the file of the first capture with their digest in any of the datasets.

use std::collections::HashMap;

use arrow_array::{Int32Array, Int64Array, RecordBatch, StringArray};
use robots_dialects::access::Access;

use crate::dataset::stored::columns;
use crate::dataset::{DigestIndex, Snapshot, digest_key, may_have_file, stored};
use crate::error::Error;

/// The digests of revisits, each with the file of the first capture that has the digest.
#[derive(Default)]
pub(super) struct Revisits {
    pub(super) files: HashMap<u64, Option<i64>>,
}

impl Revisits {
    pub(super) fn look_for(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let (directory, manifest) = (&snapshot.directory, &snapshot.manifest);
        stored::scan(directory, manifest, "captures", &COLUMNS, |batch| {
            let rows = Columns::of(batch);
            let repeating = (0..batch.num_rows()).filter(|row| rows.repeats(*row));
            for key in repeating.filter_map(|row| rows.key(row)) {
                self.files.entry(key).or_default();
            }
            Ok(())
        })
    }

    pub(super) fn add_stored(&mut self, stored: &DigestIndex) {
        for (key, file) in &mut self.files {
            *file = file.or_else(|| stored.get(key).copied());
        }
    }

    /// Notes the files of captures, and gives revisits the files that they repeat. Returns the rows
    /// that were changed, with their new files.
    pub(super) fn take(&mut self, batch: &mut RecordBatch) -> Vec<(usize, i64)> {
        if self.files.is_empty() {
            return Vec::new();
        }
        let rows = Columns::of(batch);
        let mut changed = Vec::new();
        for row in 0..batch.num_rows() {
            let Some(found) = rows.key(row).and_then(|key| self.files.get_mut(&key)) else {
                continue;
            };
            if !rows.repeats(row) {
                *found = found.or(rows.file(row));
            } else if let Some(file) = *found
                && rows.file(row) != Some(file)
            {
                changed.push((row, file));
            }
        }
        let files = changed.iter().map(|(row, file)| (*row, Some(*file)));
        stored::set_bigints(batch, "file_id", files);
        changed
    }
}

columns! {
    types: StringArray = "warc_type",
    statuses: Int32Array = "fetch_status",
    accesses: StringArray = "access_rfc9309",
    lengths: Int64Array = "content_length",
    digests: StringArray = "content_digest",
    files: Int64Array = "file_id",
}

impl Columns<'_> {
    fn key(&self, row: usize) -> Option<u64> {
        let digest = stored::value(self.digests, row);
        digest.and_then(|digest| digest_key(digest.as_bytes()))
    }

    fn file(&self, row: usize) -> Option<i64> {
        stored::value(self.files, row)
    }

    /// Whether the row is a revisit without a file of its own; only a success with a body has one.
    fn repeats(&self, row: usize) -> bool {
        let access = self.accesses.value(row);
        let has_own = self.lengths.value(row) > 0 && access == Access::Parse.name();
        self.types.value(row) == "revisit"
            && may_have_file(access, stored::value(self.statuses, row))
            && (self.file(row).is_none() || !has_own)
    }
}
