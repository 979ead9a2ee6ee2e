//! A dataset that is merged into another: its tables, each read once from first row to last.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;

use crate::dataset::cursor::{Cursor, RowsByInput};
use crate::dataset::tables::{self, Key, Table};
use crate::dataset::{Snapshot, stored};
use crate::error::{Error, check_stop};

pub(super) struct Source<'s> {
    pub(super) of_inputs: Vec<(&'static Table, RowsByInput)>,
    pub(super) contents: Contents<'s>,
}

/// The tables of distinct contents, and the tables that belong to these.
pub(super) struct Contents<'s> {
    pub(super) files: Leader<'s>,
    pub(super) policies: Leader<'s>,
    pub(super) page_policies: Leader<'s>,
}

impl<'s> Source<'s> {
    pub(super) fn open(snapshot: &'s Snapshot, stop: &AtomicBool) -> Result<Self, Error> {
        let known = snapshot.manifest.inputs().into_iter();
        let known: HashSet<i64> = known.map(|it| it.fingerprint.input_id()).collect();
        let mut of_inputs = Vec::new();
        for table in tables::all().filter(|table| matches!(table.key, Some(Key::Input(_)))) {
            check_stop(stop)?;
            let rows = RowsByInput::new(snapshot, table)?;
            if let Some(input) = rows.other_than(&known) {
                return Err(lacks(snapshot, table.name, "input_id", input));
            }
            of_inputs.push((table, rows));
        }
        Ok(Self {
            of_inputs,
            contents: Contents {
                files: Leader::new(snapshot, tables::files::table()),
                policies: Leader::new(snapshot, tables::policies::table()),
                page_policies: Leader::new(snapshot, tables::page_policies::table()),
            },
        })
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        let contents = self.contents;
        for leader in [contents.files, contents.policies, contents.page_policies] {
            for mut cursor in leader.followers {
                if cursor.take(|_| 0)?.is_some() {
                    return Err(Error::unusable(
                        leader.snapshot.directory.join(cursor.table.name),
                        "rows of a missing file or policy, or in another order than the files \
                         and policies; `robostat verify` lists them",
                    ));
                }
            }
        }
        Ok(())
    }
}

/// A table of distinct contents, and the tables whose rows belong to its rows, in the same order.
pub(super) struct Leader<'s> {
    pub(super) snapshot: &'s Snapshot,
    /// The column with the id of the content in all these tables.
    pub(super) column: &'static str,
    pub(super) rows: Cursor,
    pub(super) followers: Vec<Cursor>,
}

impl<'s> Leader<'s> {
    fn new(snapshot: &'s Snapshot, leader: &'static Table) -> Self {
        let of_key = tables::all().filter(|table| table.key == leader.key);
        let followers = of_key.filter(|table| table.name != leader.name);
        Self {
            snapshot,
            column: leader.key.expect("the id of a content").column(),
            rows: Cursor::new(snapshot, leader),
            followers: followers
                .map(|table| Cursor::new(snapshot, table))
                .collect(),
        }
    }

    /// The next rows, up to the last id in `wanted`; ids that were read are removed from `wanted`.
    /// `None` if nothing is wanted. `by` is the table that refers to these ids.
    pub(super) fn rows_with(
        &mut self,
        wanted: &mut HashSet<i64>,
        by: &str,
    ) -> Result<Option<RecordBatch>, Error> {
        let Some(least) = wanted.iter().min().copied() else {
            return Ok(None);
        };
        let rows = self.rows.take(|batch| {
            let ids = stored::bigint(batch, self.column).values().iter();
            let is_before_last = |id: &&i64| {
                wanted.remove(id);
                !wanted.is_empty()
            };
            let before = ids.take_while(is_before_last).count();
            (before + 1).min(batch.num_rows())
        })?;
        rows.map(Some)
            .ok_or_else(|| lacks(self.snapshot, by, self.column, least))
    }
}

fn lacks(snapshot: &Snapshot, table: &str, column: &str, id: i64) -> Error {
    Error::unusable(
        snapshot.directory.join(table),
        format!(
            "a row has {column} {id}, which is nowhere else in the dataset; `robostat verify` \
             lists what is wrong"
        ),
    )
}
