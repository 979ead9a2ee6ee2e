//! Who blocks a crawler: by top-level domain, by size of website, by rank.

use indexmap::{IndexMap, IndexSet};

use super::evidence::Evidence;
use crate::analysis::report::answer::{Row, descending, most};
use crate::analysis::report::context::{Context, MIN_HOSTS, Pair, share_of};
use crate::analysis::report::figure::{Bar, Ink, Parts, Plot};
use crate::analysis::report::format::{Share, count, farthest_apart};
use crate::analysis::report::words;

const DRAWN: usize = 10;
const FULL: &str = "pct_full";

/// Who blocks the crawler that the most hosts block: by top-level domain, by size of website.
pub(super) fn by_whom<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let hosts = |row: &Row<'_>| row.count("hosts_full");
    let all = context.answer.rows();
    let all = most(all.filter(|row| row.text("kind") == "all"), hosts)?;
    if hosts(&all) == 0.0 {
        return None;
    }
    let token = all.text("product_token");
    let rows = context.answer.rows();
    let rows = rows.filter(|row| row.text("product_token") == token);
    let of = |kind: &'static str| rows.clone().filter(move |row| row.text("kind") == kind);
    let tld = most(of("tld"), hosts).filter(|row| row.text("part") != "other");
    // Small and large websites, if their intervals do not overlap.
    let size = |name: &str| of("size").find(|row| row.text("part") == name);
    let sizes = size("1").zip(size("10 or more").or_else(|| size("2 to 9")));
    let sizes = sizes.and_then(|(small, large)| {
        let share = |row| context.pair(row).share(FULL);
        let shares = [share(small)?, share(large)?];
        let is_clear = shares[0].is_apart_from(shares[1]);
        is_clear.then_some((small, large, shares))
    });
    let pairs = rows.clone().map(|row| context.pair(row));
    let is_shown = |pair: &Pair<'_>| {
        let has_interval = |share: Share| share.interval.is_some();
        pair.host.count("n") >= MIN_HOSTS && pair.share(FULL).is_some_and(has_interval)
    };
    let bars = pairs.filter(is_shown).map(|pair| Bar {
        name: context.words("group of hosts", &pair.host.text("part")),
        ink: context.ink(&token),
        shares: vec![pair.share(FULL)],
    });
    let part = |row: Row<'_>| row.text("part").into_owned();
    let of_tld = tld.map(|row| Share::of(row.count("pct_of_blocking")));
    let small: Option<f64> = sizes.and_then(|(small, ..)| part(small).parse().ok());
    let found = Evidence::about(context.pair(all))
        .drawing(Plot::dots(bars.collect()))
        .with("tld", tld.map(part))
        .with("of_tld", of_tld)
        .with("small", small)
        .with("large", sizes.map(|(_, large, _)| part(large)))
        .with("small_share", sizes.map(|(.., shares)| shares[0]))
        .with("large_share", sizes.map(|(.., shares)| shares[1]));
    Some(found)
}

pub(super) fn by_tld<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let answer = context.by_domain();
    let mut tlds: IndexSet<String> = IndexSet::new();
    let mut tokens: IndexMap<String, f64> = IndexMap::new();
    for row in answer.rows() {
        let [tld, token] = ["tld", "product_token"].map(|it| row.text(it).into_owned());
        tlds.insert(tld);
        *tokens.entry(token).or_default() += row.count(FULL) * row.count("n");
    }
    let tokens = descending(tokens, |(_, blocked)| *blocked);
    let share = |tld: &str, token: &str| {
        let row = answer.find(&[("tld", tld), ("product_token", token)])?;
        share_of(row, FULL)
    };
    // The crawler that is blocked most and, of the domains whose intervals do not overlap, the two
    // that are farthest apart.
    let (token, _) = tokens.first()?;
    let shares = tlds.iter();
    let shares = shares.filter_map(|tld| Some((tld, share(tld, token)?)));
    let shares: Vec<(&String, Share)> = shares.collect();
    let mut pair = farthest_apart(&shares)?;
    pair.sort_by(|one, other| other.1.value.total_cmp(&one.1.value));
    let [high, low] = pair;
    let rows = tokens.iter().take(DRAWN).map(|(token, _)| {
        let values = tlds.iter().map(|tld| share(tld, token));
        (context.agent(token), values.collect())
    });
    let found = Evidence::default()
        .drawing(Plot::Heat {
            columns: tlds.iter().map(|tld| format!(".{tld}")).collect(),
            rows: rows.collect(),
        })
        .with("crawler", Some(context.agent(token)))
        .with("high", Some(high.0.clone()))
        .with("high_share", Some(high.1))
        .with("low", Some(low.0.clone()))
        .with("low_share", Some(low.1));
    Some(found)
}

/// A range of ranks in words that follow `websites`.
fn with_rank(stratum: &str) -> String {
    let range = words::of("range", stratum);
    match stratum {
        "unranked" => range,
        stratum if stratum.starts_with("top ") => format!("in the {range}"),
        _ => format!("ranked {range}"),
    }
}

/// Rows of ranges without a common host: first "top", then "A to B", then hosts without a rank.
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
    // A domain of a list is one website, so the section is about shares of websites.
    let domains = context.by_domain();
    let all = domains.rows().filter(|row| row.text("stratum") == "all");
    let all = most(all, |row| row.count("pct_full"))?;
    let token = all.text("product_token");
    let crawler = context.agent(&token);
    let rows = domains.rows();
    let rows = ranges(rows.filter(|row| row.text("product_token") == token));
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
    // The range of more prominent sites is the first.
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

pub(super) fn classes_by_rank<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    const PARTS: [(&str, &str, Ink); 4] = [
        ("with_rules", "rules", Ink::Allowed),
        ("allow_all", "no file", Ink::Partly),
        ("forbidden", "forbidden", Ink::Blocked),
        ("defer", "error", Ink::Everybody),
    ];
    let captured = |row: &Row<'_>| row.count("n") - row.count("not_captured");
    let mut rows = ranges(context.answer.rows());
    let all = context.answer.rows();
    rows.extend(all.filter(|row| row.text("stratum") == "all"));
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
        shares: PARTS.map(|(column, ..)| share(row, column)).to_vec(),
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
