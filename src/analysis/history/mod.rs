//! A host's answers, capture by capture over all crawls, and what changed from each to the next.
//!
//! The tables are read directly: `resolved` is sorted by reversed host, and the tables of policies
//! have Bloom filters, so a look-up reads few row groups ([`crate::dataset::lookup`]).

mod policy;
mod site;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::temporal_conversions::timestamp_us_to_datetime;
use arrow_array::types::{Int32Type, Int64Type, TimestampMicrosecondType};
use robots_dialects::dialect::Dialect;
use serde::Serialize;

use crate::dataset::lookup::LookupValues;
use crate::dataset::{Answer, Snapshot, stored};
use crate::error::Error;

pub use policy::{Change, Policies};
pub use site::Site;

/// A capture of a robots.txt with its last response after redirects. JSON output has these fields.
#[derive(Debug, Clone, Serialize)]
pub struct ResolvedCapture {
    pub crawl: String,
    /// Scheme, host and port of the request.
    pub origin: String,
    pub url: String,
    /// Name of the input (`inputs.path`).
    pub warc_filename: String,
    #[serde(skip)]
    input_id: i64,
    /// Offset of the record, member or frame in the input; bytes.
    pub warc_record_offset: i64,
    /// Offset of the record in the decoded member or frame; bytes.
    pub warc_record_inner_offset: i64,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub fetch_time: Option<i64>,
    pub fetch_status: Option<i32>,
    pub n_redirects: i32,
    /// How the redirects ended (`resolved.ended`).
    pub ended: String,
    pub final_url: String,
    pub final_status: Option<i32>,
    /// What the last response means (`resolved.response_class`).
    pub response_class: String,
    /// Whether the answer shows what crawlers may do: it has a file, or reports that none exists.
    pub is_settled: bool,
    pub file_id: Option<i64>,
    pub policy_id: Option<i64>,
    /// The rule set of the previous settled capture of the origin.
    #[serde(skip)]
    pub policy_before: Option<i64>,
    /// The difference from the previous settled capture of the origin, if this one is settled.
    pub change: Option<Change>,
}

impl ResolvedCapture {
    pub fn by_rfc9309(&self) -> Option<Answer> {
        let dialect = Dialect::Rfc9309;
        Answer::of(dialect, self.policy_id, self.final_status, &self.ended)
    }

    /// When it was fetched, as in `2026-01-31 23:59:59Z`; empty if chrono has no such year.
    pub fn time(&self) -> Option<String> {
        let time = timestamp_us_to_datetime(self.fetch_time?);
        Some(time.map_or_else(String::new, |time| time.format("%F %TZ").to_string()))
    }
}

#[derive(Debug)]
pub struct History {
    pub entries: Vec<ResolvedCapture>,
    pub policies: Policies,
}

const COLUMNS: [&str; 17] = [
    "origin",
    "url",
    "url_port",
    "warc_filename",
    "input_id",
    "warc_record_offset",
    "warc_record_inner_offset",
    "fetch_time",
    "fetch_status",
    "n_redirects",
    "ended",
    "final_url",
    "final_status",
    "response_class",
    "is_settled",
    "file_id",
    "policy_id",
];

pub fn history(snapshot: &Snapshot, site: &Site, crawl: Option<&str>) -> Result<History, Error> {
    let wanted = LookupValues::Texts(site.hosts());
    let column = "url_host_name_reversed";
    let found = snapshot.look_up("resolved", column, &wanted, &COLUMNS, crawl)?;
    let behind = snapshot.manifest.behind();
    let mut entries = Vec::new();
    for (label, batch) in found.iter().filter(|(label, _)| !behind.contains(label)) {
        for row in 0..batch.num_rows() {
            let origin = text(batch, "origin", row);
            if site.has(origin, small_number(batch, "url_port", row)) {
                entries.push(entry(label, batch, row));
            }
        }
    }
    entries.sort_by(|one, other| place(one).cmp(&place(other)));
    let ids = |id: fn(&ResolvedCapture) -> Option<i64>| {
        entries.iter().filter_map(id).collect::<BTreeSet<_>>()
    };
    let policies = Policies::read(snapshot, ids(|it| it.policy_id), ids(|it| it.file_id))?;
    let mut before: BTreeMap<String, (Option<i64>, Option<i64>)> = BTreeMap::new();
    for entry in &mut entries {
        if entry.is_settled {
            let now = (entry.file_id, entry.policy_id);
            let before = before.insert(entry.origin.clone(), now);
            entry.policy_before = before.and_then(|(_, policy)| policy);
            entry.change = Some(policies.change(before, now));
        }
    }
    Ok(History { entries, policies })
}

/// The sort key of entries: time first, entries without a time before all others, as in `changes`.
fn place(entry: &ResolvedCapture) -> (Option<i64>, &str, &str, &str, [i64; 3]) {
    (
        entry.fetch_time,
        &entry.crawl,
        &entry.origin,
        &entry.warc_filename,
        [
            entry.input_id,
            entry.warc_record_offset,
            entry.warc_record_inner_offset,
        ],
    )
}

fn text<'b>(batch: &'b RecordBatch, column: &str, row: usize) -> &'b str {
    batch[column].as_string::<i32>().value(row)
}

fn number(batch: &RecordBatch, column: &str, row: usize) -> Option<i64> {
    stored::value(batch[column].as_primitive::<Int64Type>(), row)
}

fn small_number(batch: &RecordBatch, column: &str, row: usize) -> Option<i32> {
    stored::value(batch[column].as_primitive::<Int32Type>(), row)
}

fn entry(crawl: &str, batch: &RecordBatch, row: usize) -> ResolvedCapture {
    let time = batch["fetch_time"].as_primitive::<TimestampMicrosecondType>();
    let owned = |column: &str| text(batch, column, row).to_owned();
    ResolvedCapture {
        crawl: crawl.to_owned(),
        origin: owned("origin"),
        url: owned("url"),
        warc_filename: owned("warc_filename"),
        input_id: number(batch, "input_id", row).unwrap_or_default(),
        warc_record_offset: number(batch, "warc_record_offset", row).unwrap_or_default(),
        warc_record_inner_offset: number(batch, "warc_record_inner_offset", row)
            .unwrap_or_default(),
        fetch_time: stored::value(time, row),
        fetch_status: small_number(batch, "fetch_status", row),
        n_redirects: small_number(batch, "n_redirects", row).unwrap_or_default(),
        ended: owned("ended"),
        final_url: owned("final_url"),
        final_status: small_number(batch, "final_status", row),
        response_class: owned("response_class"),
        is_settled: batch["is_settled"].as_boolean().value(row),
        file_id: number(batch, "file_id", row),
        policy_id: number(batch, "policy_id", row),
        policy_before: None,
        change: None,
    }
}

/// Hosts of the dataset whose names are spelt like the site's host, or are above or below it, the
/// nearest first.
pub fn nearest(snapshot: &Snapshot, site: &Site) -> Result<Vec<String>, Error> {
    const MAX_NEAREST: usize = 3;
    /// The least likeness of a name, from 0 to 1.
    const MIN_LIKENESS: f64 = 0.85;
    let mut like: BTreeMap<String, f64> = BTreeMap::new();
    let (directory, manifest) = (&snapshot.directory, &snapshot.manifest);
    stored::scan(directory, manifest, "hosts", &["url_host_name"], |batch| {
        for host in batch.column(0).as_string::<i32>().iter().flatten() {
            let mut likeness = strsim::jaro_winkler(site.host(), host);
            if site.is_related(host) {
                likeness += 1.0;
            }
            if likeness >= MIN_LIKENESS {
                like.insert(host.to_owned(), likeness);
            }
        }
        Ok(())
    })?;
    let mut like: Vec<(String, f64)> = like.into_iter().collect();
    like.sort_by(|one, other| other.1.total_cmp(&one.1));
    like.truncate(MAX_NEAREST);
    Ok(like.into_iter().map(|(host, _)| host).collect())
}
