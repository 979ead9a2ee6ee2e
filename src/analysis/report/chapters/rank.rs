//! Prominent sites and others, by a list of ranks.

use super::FULL;
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Ink, Plot};
use crate::analysis::report::format::{Share, count, grouped};
use crate::analysis::report::section::{Claim, Context, Told};
use crate::analysis::report::table::{Col, ReportTable};

/// Domains that a range must have for its share to be called different.
const FEWEST: f64 = 30.0;

/// A range of ranks in words: `top 1,000`, `1,001–10,000`.
pub(super) fn range_in_words(stratum: &str) -> String {
    let number = |text: &str| grouped(text);
    if stratum == "unranked" {
        return "not in the list".to_owned();
    }
    if stratum == "all" {
        return "all hosts".to_owned();
    }
    match (stratum.strip_prefix("top "), stratum.split_once(" to ")) {
        (Some(top), _) => format!("top {}", number(top)),
        (None, Some((from, to))) => format!("{}–{}", number(from), number(to)),
        (None, None) => stratum.to_owned(),
    }
}

/// The same where it follows `of registrable domains`.
fn with_rank(stratum: &str) -> String {
    let range = range_in_words(stratum);
    if stratum == "unranked" {
        range
    } else if stratum.starts_with("top ") {
        format!("in the {range}")
    } else {
        format!("ranked {range}")
    }
}

/// Ranges of an answer that have no host in common.
fn ranges(answer: &Answer) -> Vec<String> {
    // The first "top", then "A to B", then those without a rank.
    let is_range = |stratum: &str| stratum.contains(" to ") || stratum == "unranked";
    let mut strata: Vec<String> = Vec::new();
    for row in answer.rows() {
        let stratum = row.text("stratum").into_owned();
        let is_first = stratum.starts_with("top ") && strata.is_empty();
        if (is_first || is_range(&stratum)) && !strata.contains(&stratum) && row.count("n") > 0.0 {
            strata.push(stratum);
        }
    }
    strata
}

/// The row of a range and a crawler.
fn row_of<'a>(answer: &'a Answer, stratum: &str, token: &str) -> Option<Row<'a>> {
    let mut rows = answer.rows();
    rows.find(|row| row.text("stratum") == stratum && row.text("product_token") == token)
}

fn share_of(answer: &Answer, stratum: &str, token: &str) -> Option<Share> {
    row_of(answer, stratum, token)?.share(FULL)
}

/// A range of ranks and the share of its domains that block.
type Range<'a> = (&'a String, Share);

/// The two of these ranges that are farthest apart beyond their intervals, the more prominent one
/// first. Intervals of a handful of domains are not to be relied on.
fn farthest<'a>(
    ranges: &[Range<'a>],
    n_domains: impl Fn(&str) -> f64,
) -> Option<(Range<'a>, Range<'a>)> {
    let large = ranges
        .iter()
        .filter(|(stratum, _)| n_domains(stratum) >= FEWEST);
    let pairs = large.clone().enumerate().flat_map(|(place, above)| {
        let below = large.clone().skip(place + 1);
        below.map(move |below| (*above, *below))
    });
    let gap = |pair: &(Range<'a>, Range<'a>)| (pair.0.1.value - pair.1.1.value).abs();
    pairs
        .filter(|(above, below)| above.1.is_apart_from(below.1))
        .max_by(|one, other| gap(one).total_cmp(&gap(other)))
}

/// Whether prominent sites block a crawler more than others.
pub(super) fn by_rank(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let strata = ranges(answer);
    if strata.len() < 2 {
        return None;
    }
    let token = answer
        .rows()
        .filter(|row| row.text("stratum") == "all")
        .max_by(|one, other| one.count("pct_full").total_cmp(&other.count("pct_full")))?
        .text("product_token")
        .into_owned();
    let agent = context.agent(&token);
    // A domain of a list is one site, so shares of domains come first.
    let domains = context.domains?;
    let rest = strata.last()?;
    let against = share_of(domains, rest, &token)?;
    let ranked: Vec<Range<'_>> = strata[..strata.len() - 1]
        .iter()
        .filter_map(|stratum| Some((stratum, share_of(domains, stratum, &token)?)))
        .collect();
    let last = [(rest, against)];
    let ranges = || ranked.iter().chain(&last);
    let others: Vec<String> = ranges()
        .map(|(stratum, share)| format!("{}: {}", range_in_words(stratum), share.in_brief()))
        .collect();
    let n_domains =
        |stratum: &str| row_of(domains, stratum, &token).map_or(0.0, |row| row.count("n_domains"));
    let all: Vec<Range<'_>> = ranges().copied().collect();
    let claim = if let Some(((above, share), (below, other))) = farthest(&all, n_domains) {
        format!(
            "Prominent sites block {agent} {} often: of registrable domains {}, {} block it by any \
             rule; of those {}, {}.",
            if share.value > other.value {
                "more"
            } else {
                "less"
            },
            with_rank(above),
            share.with_interval(),
            with_rank(below),
            other.in_brief()
        )
    } else {
        let (first, share) = ranked.first()?;
        format!(
            "Prominent sites do not block {agent} more or less often than others, beyond the \
             intervals: of registrable domains {}, {} block it by any rule; of those not in the \
             list, {}.",
            with_rank(first),
            share.with_interval(),
            against.in_brief()
        )
    };
    let mut claims = vec![
        Claim::main(claim, 9.0),
        Claim::aside(format!(
            "Of registrable domains, by rank (95% intervals): {}.",
            others.join("; ")
        )),
    ];
    if let (Some(first), Some(last)) = (
        share_of(answer, &strata[0], &token),
        share_of(answer, rest, &token),
    ) {
        claims.push(Claim::aside(format!(
            "Of hosts, {} {} block it, and {} of those not in the list.",
            first.with_interval(),
            with_rank(&strata[0]),
            last.in_brief()
        )));
    }
    let figure = figure(domains, &strata, &token, &agent);
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of the registrable domains (n) with hosts that answered conclusively, crawl {}. Bars: \
             95% intervals of \u{201c}fully\u{201d}.",
            context.last()
        ),
        table: table(context, domains, &strata),
    })
}

fn table(context: &Context<'_>, domains: &Answer, strata: &[String]) -> ReportTable {
    ReportTable::of_rows(
        context,
        domains,
        &[
            Col::words("stratum", "Rank", range_in_words),
            Col::agent("product_token", "Crawler"),
            Col::count("n", "Hosts"),
            Col::count("n_domains", "Domains"),
            Col::interval(FULL, "Domains that block it (95% interval)"),
            Col::share("pct_full_by_name", "By name"),
            Col::share("pct_partial", "Partly"),
        ],
        120,
        |row| strata.iter().any(|stratum| *stratum == row.text("stratum")),
    )
}

fn figure(domains: &Answer, strata: &[String], token: &str, agent: &str) -> Figure {
    let drawn = strata.iter().filter_map(|stratum| {
        let row = row_of(domains, stratum, token)?;
        let parts = vec![row.share(FULL)?, Share::of(row.count("pct_partial"))];
        let n = format!("n = {}", count(row.count("n_domains")));
        Some((range_in_words(stratum), parts, n))
    });
    Figure {
        measure: format!("Domains that block {agent}, by rank"),
        plot: Plot::Stack {
            axis: "% of the registrable domains of the range".to_owned(),
            parts: vec![
                ("fully".to_owned(), Ink::Blocked),
                ("partly".to_owned(), Ink::Partly),
            ],
            rows: drawn.collect(),
            rest: "not blocked".to_owned(),
        },
    }
}
