//! The table that a run of `robostat probe` writes: `probes/NAME.parquet`.
//!
//! The table is not part of any commit, and an ingest leaves it alone. A run writes to another
//! name, syncs and renames, so a table of this name is always whole.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use rayon::prelude::*;

use super::{ApplicablePolicies, ProbePlan, preferences};
use crate::dataset::tables::probes;
use crate::dataset::{Manifest, PartWriter, Snapshot, lock, stored, sync_directory};
use crate::error::Error;
use crate::escape;
use crate::threads;
use crate::whole_file::WholeFile;

pub const DIRECTORY: &str = "probes";
/// The most policies in a batch: each may be as long as a robots.txt.
const BATCH_POLICIES: usize = 64;
const BATCH_ROWS: usize = 1 << 17;
const PARALLEL_BATCHES: usize = 16;

#[derive(Debug)]
pub struct ProbeSummary {
    pub path: PathBuf,
    pub policies: u64,
    pub rows: u64,
    pub bytes: u64,
    /// The URLs and paths with a host to which no policy of the dataset applies.
    pub without_policy: Vec<String>,
}

/// Tests every policy of the dataset in `directory` by `plan`, and writes `probes/NAME.parquet`. An
/// existing table of that name stays unchanged if the run fails.
pub fn probe(directory: &Path, name: &str, plan: &ProbePlan<'_>) -> Result<ProbeSummary, Error> {
    Snapshot::open(directory)?;
    // Read again, as another process may have committed before the lock was ours.
    let _lock = lock::lock(directory)?;
    let snapshot = Snapshot::open_whole(directory)?;
    let manifest = &snapshot.manifest;
    let (applicable, without_policy) = applicable(directory, manifest, plan)?;
    let lines = preferences::read(directory, manifest)?;

    let folder = directory.join(DIRECTORY);
    fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    let path = folder.join(format!("{name}.parquet"));
    let file = WholeFile::required_at(&path)?;
    let pool = threads::pool(threads::available())?;
    let mut writer = PartWriter::create(file.aside(), name, probes::table(), Arc::clone(&pool))?;
    let batch_policies = (BATCH_ROWS / plan.rows_per_policy().max(1)).clamp(1, BATCH_POLICIES);
    let columns = ["policy_id", "canonical"];
    let mut batches = manifest.parts_of("policies").flat_map(|part| {
        let part = directory.join(&part.path);
        let batches = stored::open_in_batches(&part, &columns, batch_policies);
        batches.unwrap_or_else(|error| Box::new(std::iter::once(Err(error))))
    });
    let test = |batch: RecordBatch| {
        let ids = stored::bigint(&batch, columns[0]);
        let canonical = batch[columns[1]].as_binary::<i32>();
        let policies = (0..batch.num_rows()).map(|row| (ids.value(row), canonical.value(row)));
        plan.rows(policies, &applicable, &lines)
    };
    let mut policies = 0;
    loop {
        let wave = batches.by_ref().take(PARALLEL_BATCHES);
        let wave: Vec<RecordBatch> = wave.collect::<Result<_, _>>()?;
        if wave.is_empty() {
            break;
        }
        policies += wave.iter().map(|it| it.num_rows() as u64).sum::<u64>();
        let answers: Vec<_> = pool.install(|| wave.into_par_iter().map(&test).collect());
        for answers in answers {
            writer.push(answers)?;
        }
    }
    let written = writer.close()?;
    file.put_in_place()?;
    sync_directory(&folder)?;
    Ok(ProbeSummary {
        path,
        policies,
        rows: written.rows,
        bytes: written.bytes,
        without_policy,
    })
}

/// The policies that apply to the URLs and hosts of `plan`, and those without a policy.
///
/// A policy applies to a URL when a capture of the URL's robots.txt returned it, directly or at the
/// end of redirects (RFC 9309 §2.3.1.2). Every capture counts: the views choose one capture for
/// each host.
fn applicable(
    directory: &Path,
    manifest: &Manifest,
    plan: &ProbePlan<'_>,
) -> Result<(ApplicablePolicies, Vec<String>), Error> {
    let mut by_host: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, path) in plan.paths.iter().enumerate() {
        if let Some(host) = &path.host {
            by_host.entry(host).or_default().push(index);
        }
    }
    if by_host.is_empty() {
        return Ok((ApplicablePolicies::new(), Vec::new()));
    }
    if let Some(crawl) = manifest.behind().first() {
        let message = format!(
            "the tables resolved, origins and hosts do not match the captures of crawl {}: the run \
             that writes them was interrupted; run it again",
            escape::line(crawl)
        );
        return Err(Error::unusable(directory, message));
    }
    let mut found = ApplicablePolicies::new();
    let columns = ["url_host_name", "origin", "policy_id"];
    let [hosts, origins, policies] = columns;
    stored::scan(directory, manifest, "resolved", &columns, |batch| {
        let text = |column: &str| batch[column].as_string::<i32>();
        let (hosts, origins) = (text(hosts), text(origins));
        let policies = stored::bigint(batch, policies);
        for row in 0..batch.num_rows() {
            let Some(policy) = stored::value(policies, row) else {
                continue;
            };
            let is_asked = |path: &&usize| {
                let origin = plan.paths[**path].origin.as_deref();
                origin.is_none_or(|origin| origin == origins.value(row))
            };
            let paths = by_host.get(hosts.value(row)).into_iter().flatten();
            found.extend(paths.filter(is_asked).map(|path| (policy, *path)));
        }
        Ok(())
    })?;
    let with_policy: HashSet<usize> = found.iter().map(|(_, path)| *path).collect();
    let paths = plan.paths.iter().enumerate();
    let without_policy = paths
        .filter(|(index, path)| path.host.is_some() && !with_policy.contains(index))
        .map(|(_, path)| String::from_utf8_lossy(path.written).into_owned());
    Ok((found, without_policy.collect()))
}
