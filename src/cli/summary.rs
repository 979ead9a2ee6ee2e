//! The summary at the end of an ingest, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use serde_json::{Map, Value, json};

use crate::dataset::SMALL_BYTES;
use crate::ingest::tally::Tally;
use crate::ingest::{Skipped, Totals};

/// Small parts above which compaction pays.
const MANY_SMALL_PARTS: u64 = 100;

/// What was written, and what is wrong in the inputs.
fn rows_and_damage(totals: &Totals, line: &mut impl FnMut(&str, String)) {
    let tally = &totals.tally;
    let rows: Vec<String> = totals
        .rows
        .iter()
        .map(|(table, n)| format!("{} {}", table.name, HumanCount(*n)))
        .collect();
    line("new rows", rows.join(", "));
    if tally.valid_digests + tally.invalid_digests > 0 {
        line(
            "digests",
            format!(
                "{} right, {} wrong (captures.digest_valid)",
                HumanCount(tally.valid_digests),
                HumanCount(tally.invalid_digests)
            ),
        );
    }
    if tally.accounting.damaged_records > 0 {
        line(
            "damage",
            format!(
                "{} ranges, {} lost; see the table damage",
                HumanCount(tally.accounting.damaged_records),
                HumanBytes(tally.accounting.damaged_bytes)
            ),
        );
    }
    if tally.no_target_uri > 0 {
        line(
            "no URL",
            format!(
                "{} responses without WARC-Target-URI, which are no captures; see the table damage",
                HumanCount(tally.no_target_uri)
            ),
        );
    }
}

/// The summary as text.
pub(super) fn text(totals: &Totals, elapsed: Duration) -> String {
    let tally = &totals.tally;
    let mut out = String::new();
    let mut line = |label: &str, value: String| {
        let _ = writeln!(out, "{label:<10} {value}");
    };
    let counted = |n: u64, what: &str| (n > 0).then(|| format!(", {} {what}", HumanCount(n)));
    let other_inputs = [
        (totals.not_warc, "of them no WARC"),
        (totals.ingested_before, "ingested before"),
        (totals.unreadable, "unreadable"),
    ];
    let other_inputs: String = other_inputs
        .iter()
        .filter_map(|(n, what)| counted(*n, what))
        .collect();
    line(
        "inputs",
        format!(
            "{} ({}){other_inputs}",
            HumanCount(totals.inputs),
            HumanBytes(totals.bytes_in)
        ),
    );
    if totals.replaced > 0 {
        line(
            "replaced",
            format!(
                "{} inputs of earlier runs, with {} captures",
                HumanCount(totals.replaced),
                HumanCount(totals.captures_replaced)
            ),
        );
    }
    let skipped = skipped(totals);
    if !skipped.is_empty() {
        let skipped = skipped.iter().map(|(name, n)| format!("{name} {n}"));
        line("skipped", skipped.collect::<Vec<_>>().join(", "));
    }
    line("records", HumanCount(tally.accounting.records).to_string());
    let classes = Tally::STATUS_CLASSES
        .iter()
        .zip(tally.by_status)
        .filter(|(_, n)| *n > 0);
    let classes: Vec<String> = classes
        .map(|(name, n)| format!("{name} {}", HumanCount(n)))
        .collect();
    let by_status = if classes.is_empty() {
        String::new()
    } else {
        format!(" ({})", classes.join(", "))
    };
    line(
        "captures",
        format!("{}{by_status}", HumanCount(tally.captures)),
    );
    line(
        "files",
        format!(
            "{} distinct, {} policies in the dataset",
            HumanCount(totals.files),
            HumanCount(totals.policies)
        ),
    );
    rows_and_damage(totals, &mut line);
    let seconds = elapsed.as_secs_f64();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rates for people"
    )]
    let rate = |n: u64| (n as f64 / seconds.max(0.001)) as u64;
    line(
        "time",
        format!(
            "{seconds:.2} s, {}/s, {} captures/s",
            HumanBytes(rate(totals.bytes_in)),
            HumanCount(rate(tally.captures))
        ),
    );
    if totals.small_parts > MANY_SMALL_PARTS {
        line(
            "parts",
            format!(
                "{} are smaller than {} MiB; `robostat compact` merges them, and queries become quicker",
                HumanCount(totals.small_parts),
                SMALL_BYTES >> 20
            ),
        );
    }
    out
}

/// What was neither read nor ingested before, by reason.
fn skipped(totals: &Totals) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for Skipped { reason, .. } in &totals.skipped {
        if !reason.is_ingested() {
            *counts.entry(reason.name()).or_default() += 1;
        }
    }
    counts
}

/// The summary as one JSON object.
pub(super) fn json(totals: &Totals, elapsed: Duration) -> Value {
    let tally = &totals.tally;
    let rows: Map<String, Value> = totals
        .rows
        .iter()
        .map(|(table, n)| (table.name.to_owned(), (*n).into()))
        .collect();
    let skipped = totals.skipped.iter().map(|Skipped { path, reason }| {
        json!({
            "path": path.to_string_lossy(),
            "reason": reason.name(),
            "message": reason.to_string(),
        })
    });
    let skipped: Vec<Value> = skipped.collect();
    let by_status: Map<String, Value> = Tally::STATUS_CLASSES
        .iter()
        .zip(tally.by_status)
        .map(|(name, n)| ((*name).to_owned(), n.into()))
        .collect();
    json!({
        "inputs": totals.inputs,
        "inputs_not_warc": totals.not_warc,
        "inputs_ingested_before": totals.ingested_before,
        "inputs_unreadable": totals.unreadable,
        "inputs_replaced": totals.replaced,
        "captures_replaced": totals.captures_replaced,
        "skipped": skipped,
        "bytes_in": totals.bytes_in,
        "records": tally.accounting.records,
        "captures": tally.captures,
        "captures_by_status": by_status,
        "valid_digests": tally.valid_digests,
        "invalid_digests": tally.invalid_digests,
        "files": totals.files,
        "policies": totals.policies,
        "rows": rows,
        "responses_without_target_uri": tally.no_target_uri,
        "damaged_records": tally.accounting.damaged_records,
        "record_bytes": tally.accounting.record_bytes,
        "damaged_bytes": tally.accounting.damaged_bytes,
        "bytes_skipped": tally.accounting.skipped_bytes,
        "small_parts": totals.small_parts,
        "seconds": elapsed.as_secs_f64(),
    })
}
