//! Files as they are: sizes, encodings, and what occurs in them.

use super::appendix::told;
use super::{level_with, of_hosts};
use crate::analysis::report::answer::Answer;
use crate::analysis::report::format::{Share, count};
use crate::analysis::report::section::{Context, Told};
use crate::analysis::report::table::{Col, ReportTable};

/// What sizes are counted of, in words.
fn measure_of_files(measure: &str) -> String {
    match measure {
        "agents" => "crawlers named".to_owned(),
        measure => measure.replace('_', " "),
    }
}

pub(super) fn sizes(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let of = |name: &str| answer.rows().find(|row| row.text("measure") == name);
    let (bytes, lines) = (of("bytes")?, of("lines")?);
    told(
        format!(
            "Half of the files have at most {} bytes, and half at most {} lines; 99% have at most {} \
             bytes.",
            count(bytes.count("median")),
            count(lines.count("median")),
            count(bytes.count("p99"))
        ),
        ReportTable::of(
            context,
            answer,
            &[
                Col::words("measure", "Of a file", measure_of_files),
                Col::number("mean", "Mean"),
                Col::count("p10", "10% have at most"),
                Col::count("median", "Median"),
                Col::count("p90", "90% have at most"),
                Col::count("p99", "99% have at most"),
                Col::count("max", "Maximum"),
            ],
            15,
        ),
    )
}

pub(super) fn large(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let over = answer
        .rows()
        .find(|row| row.text("size").contains("500") && row.text("size").contains("ver"));
    let row = over.or_else(|| answer.rows().next_back())?;
    told(
        format!(
            "{} serve a body of this size: {}.",
            of_hosts(
                row.pct("pct_of_hosts_with_success"),
                row.count("hosts"),
                row.count("n"),
                "hosts that answered 2xx"
            ),
            row.text("size")
        ),
        ReportTable::of(
            context,
            answer,
            &[
                Col::text("size", "Size"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_success", "Of hosts answering 2xx"),
                Col::count("largest_bytes", "Largest, in bytes"),
            ],
            10,
        ),
    )
}

pub(super) fn encodings(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let total: f64 = answer.rows().map(|row| row.count("hosts")).sum();
    let plain: f64 = answer
        .rows()
        .filter(|row| row.text("encoding").starts_with("utf-8"))
        .map(|row| row.count("hosts"))
        .sum();
    (total > 0.0).then_some(())?;
    told(
        format!(
            "{} of hosts with a robots.txt serve UTF-8 ({} of {}).",
            Share::of(100.0 * plain / total).shown(),
            count(plain),
            count(total)
        ),
        ReportTable::of(
            context,
            answer,
            &[
                Col::text("encoding", "Encoding"),
                Col::text("line_ending", "Line ends"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_file", "Of hosts with a robots.txt"),
                Col::count("with_nul", "With NUL bytes"),
                Col::count("longest_line_bytes", "Longest line, in bytes"),
            ],
            12,
        ),
    )
}

pub(super) fn features(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let others = || answer.rows().filter(|row| row.text("feature") != "rule");
    let row = others().max_by(|one, other| one.count("hosts").total_cmp(&other.count("hosts")))?;
    told(
        format!(
            "The feature that most hosts use is \u{201c}{}\u{201d}: {} of hosts with rules.{}",
            row.text("feature"),
            row.pct("pct_of_hosts_with_rules").with_interval(),
            level_with(row, others(), "hosts", |row| row
                .text("feature")
                .into_owned())
        ),
        ReportTable::of(
            context,
            answer,
            &[
                Col::text("feature", "Feature"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_rules", "Of hosts with rules"),
                Col::count("rules", "Rules"),
                Col::share("pct_of_rules", "Of rules"),
            ],
            15,
        ),
    )
}
