//! The summary of an ingest.

use std::collections::BTreeMap;
use std::time::Instant;

use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use crate::cli::outcome::Result;
use crate::cli::progress::per_second;
use crate::cli::summary::{self, Lines, SummaryArguments, rows_json};
use crate::dataset::SMALL_BYTES;
use crate::ingest::Totals;
use crate::ingest::input::SkippedInput;
use crate::ingest::tally::Tally;

/// Number of small parts above which compaction pays off.
const MANY_SMALL_PARTS: u64 = 100;

pub(super) fn print(arguments: SummaryArguments, begun: Instant, totals: &Totals) -> Result<()> {
    summary::print(arguments, begun, json(totals), |lines, elapsed| {
        add_inputs(totals, lines);
        add_captures(totals, lines);
        lines.add_distinct(totals.files, totals.policies);
        lines.add_new_rows(&totals.rows);
        add_findings(&totals.tally, lines);
        let seconds = elapsed.as_secs_f64();
        let bytes = HumanBytes(per_second(totals.bytes_in, elapsed));
        let captures = HumanCount(per_second(totals.tally.captures, elapsed));
        lines.add(
            "time",
            format_args!("{seconds:.2} s, {bytes}/s, {captures} captures/s"),
        );
        if totals.small_parts > MANY_SMALL_PARTS {
            let (parts, mebibytes) = (HumanCount(totals.small_parts), SMALL_BYTES >> 20);
            let remedy = "`robostat compact` merges them, and queries become quicker";
            lines.add(
                "parts",
                format_args!("{parts} are smaller than {mebibytes} MiB; {remedy}"),
            );
        }
    })
}

fn json(totals: &Totals) -> Value {
    let tally = &totals.tally;
    let skipped = totals.skipped.iter().map(|SkippedInput { path, reason }| {
        json!({
            "path": path.to_string_lossy(),
            "reason": reason.name(),
            "message": reason.to_string(),
        })
    });
    let by_status = Tally::STATUS_CLASSES.into_iter().zip(tally.by_status);
    json!({
        "inputs": totals.inputs,
        "inputs_not_warc": totals.not_warc,
        "inputs_without_captures": totals.without_captures,
        "inputs_ingested_before": totals.ingested_before,
        "inputs_unreadable": totals.unreadable,
        "inputs_replaced": totals.replaced,
        "captures_replaced": totals.captures_replaced,
        "skipped": skipped.collect::<Value>(),
        "files_passed_over": BTreeMap::from(passed_over(tally)),
        "bytes_in": totals.bytes_in,
        "records": tally.accounting.records,
        "captures": tally.captures,
        "pages": tally.pages,
        "captures_by_status": by_status.collect::<BTreeMap<_, _>>(),
        "responses_passed_over": tally.passed_over,
        "valid_digests": tally.valid_digests,
        "invalid_digests": tally.invalid_digests,
        "files": totals.files,
        "policies": totals.policies,
        "rows": rows_json(&totals.rows),
        "responses_without_target_uri": tally.no_target_uri,
        "damaged_records": tally.accounting.damaged_records,
        "record_bytes": tally.accounting.record_bytes,
        "damaged_bytes": tally.accounting.damaged_bytes,
        "bytes_skipped": tally.accounting.skipped_bytes,
        "small_parts": totals.small_parts,
        "nothing_ingested": totals.nothing_ingested,
    })
}

fn add_inputs(totals: &Totals, lines: &mut Lines) {
    let others = [
        (totals.not_warc, "of them not WARC"),
        (totals.without_captures, "without a capture"),
        (totals.ingested_before, "ingested before"),
        (totals.unreadable, "unreadable"),
    ];
    let (n, bytes) = (HumanCount(totals.inputs), HumanBytes(totals.bytes_in));
    lines.add_counts("inputs", format!("{n} ({bytes})"), &others);
    if totals.replaced > 0 {
        let captures = HumanCount(totals.captures_replaced);
        let replaced = HumanCount(totals.replaced);
        let what = format_args!("inputs of earlier runs: {replaced}, captures: {captures}");
        lines.add("replaced", what);
    }
    let skipped = skipped(totals);
    if !skipped.is_empty() {
        let skipped = skipped.iter().map(|(name, n)| format!("{name} {n}"));
        lines.add("skipped", skipped.collect::<Vec<_>>().join(", "));
    }
}

fn add_captures(totals: &Totals, lines: &mut Lines) {
    let tally = &totals.tally;
    lines.add("records", HumanCount(tally.accounting.records));
    let classes = Tally::STATUS_CLASSES.iter().zip(tally.by_status);
    let classes = classes.filter(|(_, n)| *n > 0);
    let classes = classes.map(|(name, n)| format!("{name} {}", HumanCount(n)));
    let captures = HumanCount(tally.captures);
    match classes.collect::<Vec<_>>().join(", ").as_str() {
        "" => lines.add("captures", captures),
        classes => lines.add("captures", format_args!("{captures} ({classes})")),
    }
    if tally.pages > 0 {
        lines.add("pages", HumanCount(tally.pages));
    }
}

fn add_findings(tally: &Tally, lines: &mut Lines) {
    if tally.valid_digests + tally.invalid_digests > 0 {
        let [right, wrong] = [tally.valid_digests, tally.invalid_digests].map(HumanCount);
        let digests = format_args!("{right} right, {wrong} wrong (captures.digest_valid)");
        lines.add("digests", digests);
    }
    let damaged = tally.accounting.damaged_records;
    if damaged > 0 {
        let lost = HumanBytes(tally.accounting.damaged_bytes);
        let ranges = if damaged == 1 { "range" } else { "ranges" };
        let damaged = HumanCount(damaged);
        let damage = format_args!("{damaged} {ranges}, {lost} lost; see the table damage");
        lines.add("damage", damage);
    }
    if tally.no_target_uri > 0 {
        let n = HumanCount(tally.no_target_uri);
        let text = "responses without WARC-Target-URI are not captures; see the table damage";
        lines.add("no URL", format_args!("{n}: {text}"));
    }
}

/// Inputs, and files in folders, tar and zip files, that were neither read nor ingested before.
fn skipped(totals: &Totals) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::from(passed_over(&totals.tally));
    counts.retain(|_, n| *n > 0);
    for SkippedInput { reason, .. } in &totals.skipped {
        if !reason.is_ingested() {
            *counts.entry(reason.name()).or_default() += 1;
        }
    }
    counts
}

/// Files within folders, tar and zip files that are not read, by reason.
fn passed_over(tally: &Tally) -> [(&'static str, u64); 3] {
    let files = &tally.unread_files;
    [
        ("other_name", files.other_name),
        ("no_robots_txt", files.other_content),
        ("link", files.links),
    ]
}
