//! Prominent sites and others, by a list of ranks.

use crate::analysis::report::answer::{Row, most};
use crate::analysis::report::context::{Context, MIN_HOSTS, share_of};
use crate::analysis::report::evidence::Evidence;
use crate::analysis::report::figure::plot::{Ink, Parts, Plot};
use crate::analysis::report::format::{Share, count, farthest_apart};
use crate::analysis::report::words;

/// A range of ranks in words where it follows `websites`.
fn with_rank(stratum: &str) -> String {
    let range = words::of("range", stratum);
    match stratum {
        "unranked" => range,
        stratum if stratum.starts_with("top ") => format!("in the {range}"),
        _ => format!("ranked {range}"),
    }
}

/// Rows of ranges that have no host in common: the first "top", then "A to B", then those without
/// a rank.
fn ranges<'a>(rows: impl Iterator<Item = Row<'a>>) -> Vec<Row<'a>> {
    let mut ranges: Vec<Row<'a>> = Vec::new();
    for row in rows.filter(|row| row.count("n") > 0.0) {
        let stratum = row.text("stratum");
        let is_first = stratum.starts_with("top ") && ranges.is_empty();
        if is_first || stratum.contains(" to ") || stratum == "unranked" {
            ranges.push(row);
        }
    }
    ranges
}

/// Whether prominent sites block a crawler more than others.
pub(super) fn by_rank<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    // A domain of a list is one website, so shares of websites are what it is about.
    let domains = context.by_domain();
    let all = domains.rows().filter(|row| row.text("stratum") == "all");
    let all = most(all, |row| row.count("pct_full"))?;
    let token = all.text("product_token");
    let crawler = context.agent(&token);
    let rows = ranges(
        domains
            .rows()
            .filter(|row| row.text("product_token") == token),
    );
    // Intervals of a handful of websites are not to be relied on.
    let large: Vec<(Row<'_>, Share)> = rows
        .iter()
        .filter(|row| row.count("n_domains") >= MIN_HOSTS)
        .filter_map(|row| Some((*row, share_of(*row, "pct_full")?)))
        .collect();
    let (first, last) = (large.first()?, large.last()?);
    if large.len() < 2 {
        return None;
    }
    // The more prominent one first.
    let widest = farthest_apart(&large);
    let [above, below] = widest.unwrap_or([*first, *last]);
    let parts = rows.iter().map(|row| Parts {
        name: words::of("range", &row.text("stratum")),
        shares: vec![row.count("pct_full"), row.count("pct_partial")],
        interval: row.pct("pct_full").interval,
        end: format!("n = {}", count(row.count("n_domains"))),
    });
    let plot = Plot::Stack {
        parts: vec![("fully", Ink::Blocked), ("partly", Ink::Partly)],
        rows: parts.collect(),
        rest: "not blocked",
    };
    let same = widest.is_none().then(|| crawler.clone());
    let found = Evidence::default()
        .drawing(plot)
        .with("clear", widest.map(|_| above.1))
        .with("same", same)
        .with("crawler", Some(crawler))
        .with("above", Some(with_rank(&above.0.text("stratum"))))
        .with("above_share", Some(above.1))
        .with("below", Some(with_rank(&below.0.text("stratum"))))
        .with("below_share", Some(below.1));
    Some(found)
}

/// What the domains of a list answered.
pub(super) fn classes_by_rank<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    const PARTS: [(&str, &str, Ink); 4] = [
        ("with_rules", "rules", Ink::Allowed),
        ("allow_all", "no file", Ink::Partly),
        ("forbidden", "forbidden", Ink::Blocked),
        ("defer", "error", Ink::Everybody),
    ];
    let captured = |row: &Row<'_>| row.count("n") - row.count("not_captured");
    let mut rows = ranges(context.answer.rows());
    rows.extend(
        context
            .answer
            .rows()
            .filter(|row| row.text("stratum") == "all"),
    );
    rows.retain(|row| captured(row) >= MIN_HOSTS);
    let (first, last) = (rows.first()?, rows.last()?);
    if rows.len() < 2 {
        return None;
    }
    let share = |row: &Row<'_>, column| 100.0 * row.count(column) / captured(row);
    let with_rules = |row| Share::of(share(row, "with_rules"));
    let range = |row: &Row<'_>| words::of("range", &row.text("stratum"));
    let parts = rows.iter().map(|row| Parts {
        name: range(row),
        shares: PARTS
            .iter()
            .map(|(column, ..)| share(row, column))
            .collect(),
        interval: None,
        end: format!("n = {}", count(captured(row))),
    });
    let plot = Plot::Stack {
        rows: parts.collect(),
        parts: PARTS.map(|(_, name, ink)| (name, ink)).to_vec(),
        rest: "other",
    };
    let found = Evidence::default()
        .drawing(plot)
        .with("share", Some(with_rules(first)))
        .with("n", Some(captured(first)))
        .with("range", Some(with_rank(&first.text("stratum"))))
        .with("rest", Some(range(last)))
        .with("rest_share", Some(with_rules(last)));
    Some(found)
}
