//! A dataset that is merged into another: its tables, each read once from the first row to the
//! last.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::cursor::{ByInput, Cursor};
use super::run::{check_stop, collision};
use crate::dataset::known::Collision;
use crate::dataset::tables::{self, Key};
use crate::dataset::{Part, Snapshot, checksum};
use crate::error::Error;

/// The tables of a dataset.
pub(super) struct Source<'s> {
    snapshot: &'s Snapshot,
    pub(super) captures: ByInput,
    pub(super) pages: ByInput,
    pub(super) damage: ByInput,
    pub(super) inputs: ByInput,
    pub(super) files: Cursor,
    pub(super) policies: Cursor,
    pub(super) of_files: Followers,
    pub(super) of_policies: Followers,
    pub(super) page_policies: Cursor,
    pub(super) of_page_policies: Followers,
}

/// Tables whose rows belong to rows of another table, in the same order.
pub(super) struct Followers {
    /// The column that names the row which a row belongs to.
    pub(super) column: &'static str,
    pub(super) cursors: Vec<Cursor>,
}

impl Followers {
    fn of(snapshot: &Snapshot, leader: &'static str, key: Key) -> Self {
        let tables = tables::all().into_iter();
        let followers = tables.filter(|table| table.key == Some(key) && table.name != leader);
        Self {
            column: key.column(),
            cursors: followers
                .map(|table| Cursor::new(snapshot, table))
                .collect(),
        }
    }
}

impl<'s> Source<'s> {
    /// Opens the tables, and finds the rows of every input.
    pub(super) fn open(snapshot: &'s Snapshot, stop: &AtomicBool) -> Result<Self, Error> {
        let captures = ByInput::new(snapshot, tables::captures::table())?;
        check_stop(stop)?;
        let pages = ByInput::new(snapshot, tables::pages::table())?;
        check_stop(stop)?;
        let damage = ByInput::new(snapshot, tables::damage::table())?;
        let inputs = ByInput::new(snapshot, tables::inputs::table())?;
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
            files: Cursor::new(snapshot, tables::files::table()),
            policies: Cursor::new(snapshot, tables::policies::table()),
            of_files: Followers::of(snapshot, "files", Key::File("file_id")),
            of_policies: Followers::of(snapshot, "policies", Key::Policy("policy_id")),
            page_policies: Cursor::new(snapshot, tables::page_policies::table()),
            of_page_policies: Followers::of(
                snapshot,
                "page_policies",
                Key::PagePolicy("page_policy_id"),
            ),
        })
    }

    /// Ends the reading: every row must have been passed.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        let followers = [
            &mut self.of_files,
            &mut self.of_policies,
            &mut self.of_page_policies,
        ];
        for cursor in followers.into_iter().flat_map(|it| &mut it.cursors) {
            if !cursor.is_at_end()? {
                return Err(Error::NotAsWritten {
                    path: self.snapshot.directory().join(cursor.table().name),
                    message: "rows of a file or policy that is not there, or not in the order of \
                              the files and policies; `robostat verify` tells which"
                        .to_owned(),
                });
            }
        }
        Ok(())
    }

    /// The error of a row of `table` that names an `id` which is not there.
    pub(super) fn lacks(&self, table: &str, column: &str, id: i64) -> Error {
        lacks(self.snapshot, table, column, id)
    }

    /// What becomes of two contents with one id.
    pub(super) fn collision(&self) -> impl Fn(Collision) -> Error + use<> {
        collision(self.snapshot.directory())
    }
}

fn lacks(snapshot: &Snapshot, table: &str, column: &str, id: i64) -> Error {
    Error::NotAsWritten {
        path: snapshot.directory().join(table),
        message: format!(
            "a row has {column} {id}, which is nowhere else in the dataset; `robostat verify` \
             tells what is wrong"
        ),
    }
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
