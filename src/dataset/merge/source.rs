//! A dataset that is merged into another: its tables, each read once from the first row to the
//! last.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::dataset::cursor::{Cursor, RowsByInput};
use crate::dataset::known::Collision;
use crate::dataset::tables::{self, Key, Table};
use crate::dataset::{Part, Snapshot, checksum};
use crate::error::{Error, check_stop};

/// The tables of a dataset.
pub(super) struct Source<'s> {
    snapshot: &'s Snapshot,
    pub(super) captures: RowsByInput,
    pub(super) pages: RowsByInput,
    pub(super) damage: RowsByInput,
    pub(super) inputs: RowsByInput,
    pub(super) files: Leader<'s>,
    pub(super) policies: Leader<'s>,
    pub(super) page_policies: Leader<'s>,
}

/// A table of distinct contents, and the tables whose rows belong to its rows, in the same order.
pub(super) struct Leader<'s> {
    snapshot: &'s Snapshot,
    /// The column that names the content in all of them.
    pub(super) column: &'static str,
    pub(super) rows: Cursor,
    pub(super) followers: Vec<Cursor>,
}

impl<'s> Leader<'s> {
    fn new(snapshot: &'s Snapshot, leader: &'static Table, key: Key) -> Self {
        let followers =
            tables::all().filter(|table| table.key == Some(key) && table.name != leader.name);
        Self {
            snapshot,
            column: key.column(),
            rows: Cursor::new(snapshot, leader),
            followers: followers
                .map(|table| Cursor::new(snapshot, table))
                .collect(),
        }
    }

    /// The next rows, until none is `wanted` any more by rows of the table named `by`; what is read
    /// is taken out of `wanted`. `None` if nothing is wanted.
    pub(super) fn rows_with(
        &mut self,
        wanted: &mut HashSet<i64>,
        by: &str,
    ) -> Result<Option<RecordBatch>, Error> {
        let Some(least) = wanted.iter().min().copied() else {
            return Ok(None);
        };
        let rows = self.rows.rows_with(self.column, wanted)?;
        match rows {
            Some(rows) => Ok(Some(rows)),
            None => Err(lacks(self.snapshot, by, self.column, least)),
        }
    }

    /// The error for two contents with one id.
    pub(super) fn collision(&self, collision: Collision) -> Error {
        collision.of(self.snapshot.directory())
    }
}

impl<'s> Source<'s> {
    /// Opens the tables, and finds the rows of every input.
    pub(super) fn open(snapshot: &'s Snapshot, stop: &AtomicBool) -> Result<Self, Error> {
        let captures = RowsByInput::new(snapshot, tables::captures::table())?;
        check_stop(stop)?;
        let pages = RowsByInput::new(snapshot, tables::pages::table())?;
        check_stop(stop)?;
        let damage = RowsByInput::new(snapshot, tables::damage::table())?;
        let inputs = RowsByInput::new(snapshot, tables::inputs::table())?;
        let of_manifest = snapshot.manifest().inputs();
        let known = of_manifest.iter().map(|input| input.fingerprint.input_id());
        let known: HashSet<i64> = known.collect();
        for (table, rows) in [
            ("captures", &captures),
            ("pages", &pages),
            ("damage", &damage),
            ("inputs", &inputs),
        ] {
            if let Some(input) = rows.other_than(&known) {
                return Err(lacks(snapshot, table, "input_id", input));
            }
        }
        Ok(Self {
            snapshot,
            captures,
            pages,
            damage,
            inputs,
            files: Leader::new(snapshot, tables::files::table(), Key::File("file_id")),
            policies: Leader::new(
                snapshot,
                tables::policies::table(),
                Key::Policy("policy_id"),
            ),
            page_policies: Leader::new(
                snapshot,
                tables::page_policies::table(),
                Key::PagePolicy("page_policy_id"),
            ),
        })
    }

    /// Ends the reading: every row must have been passed.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        let leaders = [&mut self.files, &mut self.policies, &mut self.page_policies];
        for cursor in leaders.into_iter().flat_map(|it| &mut it.followers) {
            if !cursor.is_at_end()? {
                return Err(Error::unusable(
                    self.snapshot.directory().join(cursor.table().name),
                    "rows of a file or policy that is not there, or not in the order of \
                     the files and policies; `robostat verify` tells which",
                ));
            }
        }
        Ok(())
    }
}

fn lacks(snapshot: &Snapshot, table: &str, column: &str, id: i64) -> Error {
    Error::unusable(
        snapshot.directory().join(table),
        format!(
            "a row has {column} {id}, which is nowhere else in the dataset; `robostat verify` \
             tells what is wrong"
        ),
    )
}

/// Refuses a dataset of which a part is not, byte for byte, what was written: damage must not get a
/// checksum of its own.
pub(super) fn check(
    snapshot: &Snapshot,
    pool: &ThreadPool,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let parts: Vec<&Part> = snapshot.manifest().parts().into_values().collect();
    pool.install(|| {
        parts.into_par_iter().try_for_each(|part| {
            check_stop(stop)?;
            checksum::check(&snapshot.directory().join(&part.path), &part.xxh3)
        })
    })
}
