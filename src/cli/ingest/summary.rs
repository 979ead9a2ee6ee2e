//! The summary of an ingest.

use std::collections::BTreeMap;
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use crate::cli::summary::{Lines, rows_json};
use crate::dataset::SMALL_BYTES;
use crate::ingest::Totals;
use crate::ingest::input::SkippedInput;
use crate::ingest::tally::Tally;

/// Small parts above which compaction pays.
const MANY_SMALL_PARTS: u64 = 100;

/// The summary for people.
pub(super) fn add_to(lines: &mut Lines, totals: &Totals, elapsed: Duration) {
    add_inputs(totals, lines);
    add_captures(totals, lines);
    lines.add_distinct(totals.files, totals.policies);
    lines.add_new_rows(&totals.rows);
    add_findings(&totals.tally, lines);
    let seconds = elapsed.as_secs_f64();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rates for people"
    )]
    let rate = |n: u64| (n as f64 / seconds.max(0.001)) as u64;
    lines.add(
        "time",
        format_args!(
            "{seconds:.2} s, {}/s, {} captures/s",
            HumanBytes(rate(totals.bytes_in)),
            HumanCount(rate(totals.tally.captures))
        ),
    );
    if totals.small_parts > MANY_SMALL_PARTS {
        lines.add(
            "parts",
            format_args!(
                "{} are smaller than {} MiB; `robostat compact` merges them, and queries \
                 become quicker",
                HumanCount(totals.small_parts),
                SMALL_BYTES >> 20
            ),
        );
    }
}

/// The summary for programs.
pub(super) fn json(totals: &Totals) -> Value {
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

/// What was read, and what was not.
fn add_inputs(totals: &Totals, lines: &mut Lines) {
    let others = [
        (totals.not_warc, "of them no WARC"),
        (totals.without_captures, "without a capture"),
        (totals.ingested_before, "ingested before"),
        (totals.unreadable, "unreadable"),
    ];
    let (n, bytes) = (HumanCount(totals.inputs), HumanBytes(totals.bytes_in));
    lines.add_counts("inputs", format!("{n} ({bytes})"), &others);
    if totals.replaced > 0 {
        lines.add(
            "replaced",
            format_args!(
                "{} inputs of earlier runs, with {} captures",
                HumanCount(totals.replaced),
                HumanCount(totals.captures_replaced)
            ),
        );
    }
    let skipped = skipped(totals);
    if !skipped.is_empty() {
        let skipped = skipped.iter().map(|(name, n)| format!("{name} {n}"));
        lines.add("skipped", skipped.collect::<Vec<_>>().join(", "));
    }
}

/// Records and captures.
fn add_captures(totals: &Totals, lines: &mut Lines) {
    let tally = &totals.tally;
    lines.add("records", HumanCount(tally.accounting.records));
    let classes = Tally::STATUS_CLASSES.iter().zip(tally.by_status);
    let classes = classes.filter(|(_, n)| *n > 0);
    let classes = classes.map(|(name, n)| format!("{name} {}", HumanCount(n)));
    let classes = match classes.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        classes => format!(" ({classes})"),
    };
    let captures = HumanCount(tally.captures);
    lines.add("captures", format_args!("{captures}{classes}"));
    if tally.pages > 0 {
        lines.add("pages", HumanCount(tally.pages));
    }
}

/// What is wrong in the inputs.
fn add_findings(tally: &Tally, lines: &mut Lines) {
    if tally.valid_digests + tally.invalid_digests > 0 {
        lines.add(
            "digests",
            format_args!(
                "{} right, {} wrong (captures.digest_valid)",
                HumanCount(tally.valid_digests),
                HumanCount(tally.invalid_digests)
            ),
        );
    }
    let damaged = tally.accounting.damaged_records;
    if damaged > 0 {
        lines.add(
            "damage",
            format_args!(
                "{} range{}, {} lost; see the table damage",
                HumanCount(damaged),
                if damaged == 1 { "" } else { "s" },
                HumanBytes(tally.accounting.damaged_bytes)
            ),
        );
    }
    if tally.no_target_uri > 0 {
        lines.add(
            "no URL",
            format_args!(
                "{} responses without WARC-Target-URI, which are not captures; see the table \
                damage",
                HumanCount(tally.no_target_uri)
            ),
        );
    }
}

/// What was neither read nor ingested before, by reason; files within folders, tar and zip files
/// too.
fn skipped(totals: &Totals) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for SkippedInput { reason, .. } in &totals.skipped {
        if !reason.is_ingested() {
            *counts.entry(reason.name()).or_default() += 1;
        }
    }
    for (name, n) in passed_over(&totals.tally) {
        if n > 0 {
            *counts.entry(name).or_default() += n;
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
