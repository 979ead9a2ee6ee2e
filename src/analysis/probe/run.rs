//! `probes/`: a table beside the others, written as a whole by a run of `robostat probe`.
//!
//! It is no part of the commits: an ingest leaves it alone. A run writes aside, syncs and renames,
//! so that there is always a whole table of a name, or none.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, RecordBatch};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{Capture, Questions, Speakers, Speaking};
use crate::dataset::tables::probes;
use crate::dataset::{self, Manifest, PartWriter, lock, stored, sync_directory};
use crate::error::Error;
use crate::threads;

/// Directory of the probes, within the dataset.
const DIRECTORY: &str = "probes";
/// Policies read at a time, at most: each may be as long as a robots.txt.
const BATCH_POLICIES: usize = 64;
/// Rows that a batch of policies should give.
const BATCH_ROWS: usize = 1 << 17;
/// Batches that are asked at a time.
const STEP_BATCHES: usize = 16;

/// What a run of probe came to.
#[derive(Debug)]
pub struct Probed {
    /// The table.
    pub path: PathBuf,
    /// Policies of the dataset.
    pub policies: u64,
    /// Rows written.
    pub rows: u64,
    /// Bytes written.
    pub bytes: u64,
    /// URLs and paths with a host for which no capture speaks.
    pub unspoken: Vec<String>,
}

/// Puts `questions` to every policy of the dataset in `directory`, into `probes/NAME.parquet`.
pub fn probe(directory: &Path, name: &str, questions: &Questions<'_>) -> Result<Probed, Error> {
    dataset::check(directory)?;
    // Until here another process may have committed.
    let _lock = lock::lock(directory)?;
    let manifest = Manifest::read(directory)?;
    let (speaking, unspoken) = speaking(directory, &manifest, questions)?;

    let folder = directory.join(DIRECTORY);
    fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    let aside = folder.join(format!("{name}.parquet.partial"));
    let path = folder.join(format!("{name}.parquet"));
    let pool = threads::pool(threads::available())?;
    let mut writer = PartWriter::create(&aside, probes::table(), Arc::clone(&pool))?;
    let batch_policies = (BATCH_ROWS / questions.rows_per_policy().max(1)).clamp(1, BATCH_POLICIES);
    let mut policies = 0;
    let mut step = Vec::new();
    for part in manifest.parts().values() {
        if part.table != "policies" {
            continue;
        }
        let part = directory.join(&part.path);
        let columns = ["policy_id", "canonical"];
        for batch in stored::open_in_batches(&part, Some(&columns), batch_policies)? {
            let batch = batch.map_err(|error| Error::parquet(&part)(error.into()))?;
            policies += batch.num_rows() as u64;
            step.push(batch);
            if step.len() == STEP_BATCHES {
                ask(&pool, &mut step, questions, &speaking, &mut writer)?;
            }
        }
    }
    ask(&pool, &mut step, questions, &speaking, &mut writer)?;
    let written = writer.close()?;
    fs::rename(&aside, &path).map_err(Error::io(&path))?;
    sync_directory(&folder)?;
    Ok(Probed {
        path,
        policies,
        rows: written.rows,
        bytes: written.bytes,
        unspoken,
    })
}

/// Asks the policies of some batches, in parallel, and writes the answers in order.
fn ask(
    pool: &ThreadPool,
    step: &mut Vec<RecordBatch>,
    questions: &Questions<'_>,
    speaking: &Speaking,
    writer: &mut PartWriter,
) -> Result<(), Error> {
    let answer = |batch: RecordBatch| {
        let ids = stored::bigint(&batch, "policy_id");
        let canonical = batch
            .column_by_name("canonical")
            .expect("a column that the scan asked for")
            .as_binary::<i32>();
        let policies = (0..batch.num_rows()).map(|row| (ids.value(row), canonical.value(row)));
        questions.ask(policies, speaking)
    };
    let step = std::mem::take(step);
    let answers: Vec<RecordBatch> = pool.install(|| step.into_par_iter().map(answer).collect());
    answers
        .into_iter()
        .try_for_each(|answers| writer.push(answers))
}

/// The policies that speak for the URLs and hosts of `questions`, and those without one.
fn speaking(
    directory: &Path,
    manifest: &Manifest,
    questions: &Questions<'_>,
) -> Result<(Speaking, Vec<String>), Error> {
    let mut speakers = Speakers::new(questions);
    let mut is_unfinished = questions.have_hosts();
    while is_unfinished {
        let columns = ["url", "fetch_redirect_url", "policy_id"];
        stored::scan(directory, manifest, "captures", &columns, |batch| {
            let text = |column: &str| {
                batch
                    .column_by_name(column)
                    .expect("a column that the scan asked for")
                    .as_string::<i32>()
            };
            let (urls, redirects) = (text("url"), text("fetch_redirect_url"));
            let policies = stored::bigint(batch, "policy_id");
            for row in 0..batch.num_rows() {
                speakers.capture(&Capture {
                    url: urls.value(row),
                    redirect_url: redirects.is_valid(row).then(|| redirects.value(row)),
                    policy_id: policies.is_valid(row).then(|| policies.value(row)),
                });
            }
            Ok(())
        })?;
        is_unfinished = speakers.follow();
    }
    let (speaking, unspoken) = speakers.finish();
    let shown = |url: &[u8]| String::from_utf8_lossy(url).into_owned();
    Ok((speaking, unspoken.into_iter().map(shown).collect()))
}
