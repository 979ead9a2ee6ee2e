//! Who blocks a crawler: by top-level domain, by size of domain, owners or platforms.

use super::{FULL, of_hosts};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count};
use crate::analysis::report::section::{Claim, Context, Told};
use crate::analysis::report::summary::beyond;
use crate::analysis::report::table::{Col, ReportTable};
use crate::analysis::report::words;

fn hosts_in_words(part: &str) -> String {
    format!("{part} host{}", if part == "1" { "" } else { "s" })
}

fn part_in_words(part: &str) -> String {
    match part {
        "default" => "platform's lines alone".to_owned(),
        "own" => "owner's lines".to_owned(),
        "1" => "domain: 1 host".to_owned(),
        "2 to 9" => "domain: 2–9 hosts".to_owned(),
        "10 or more" => "domain: 10+ hosts".to_owned(),
        "all" => "all hosts".to_owned(),
        tld => format!(".{tld}"),
    }
}

/// Who blocks the crawler that most block: under which top-level domains, in large or small
/// domains.
pub(super) fn by_whom(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let hosts = |row: &Row<'_>| row.count("hosts_full");
    let most = answer
        .rows()
        .filter(|row| row.text("kind") == "all")
        .max_by(|one, other| hosts(one).total_cmp(&hosts(other)))?;
    let token = most.text("product_token").into_owned();
    let agent = context.agent(&token);
    let rows: Vec<Row<'_>> = answer
        .rows()
        .filter(|row| row.text("product_token") == token)
        .collect();
    let all = *rows.iter().find(|row| row.text("kind") == "all")?;
    if all.count("hosts_full") == 0.0 {
        return None;
    }
    let of = |kind: &'static str| rows.iter().filter(move |row| row.text("kind") == kind);
    let mut claims = Vec::new();
    let most = of("tld").max_by(|one, other| {
        one.count("hosts_full")
            .total_cmp(&other.count("hosts_full"))
    });
    if let Some(most) = most {
        let large = rows.iter().find(|row| row.text("part") == "10 or more");
        let large = large.map_or(String::new(), |row| {
            let domains = row.count("n_domains");
            format!(
                " and {} are in {} with ten or more hosts",
                Share::of(row.count("pct_of_blocking")).shown(),
                if domains > 1.0 {
                    format!("one of the {} registrable domains", count(domains))
                } else {
                    "the one registrable domain".to_owned()
                }
            )
        });
        claims.push(Claim::main(
            format!(
                "{agent} is blocked, by name or by the rules for every crawler, by {}. Of these \
                 hosts, {} are under .{}{large}.",
                of_hosts(
                    all.share(FULL)?,
                    all.count("hosts_full"),
                    all.count("n"),
                    words::population("answered")
                ),
                Share::of(most.count("pct_of_blocking")).shown(),
                most.text("part"),
            ),
            5.5,
        ));
    }
    // The group whose share is farthest from the share of all others, beyond both intervals.
    let sizes: Vec<&Row<'_>> = of("size").collect();
    if let (Some(small), Some(large)) = (sizes.first(), sizes.last())
        && let (Some(one), Some(other)) = (small.share(FULL), large.share(FULL))
        && one.is_apart_from(other)
    {
        claims.push(Claim::aside(format!(
            "Where a domain has {} in the crawl, {} of hosts block it; where it has {}, {} do.",
            hosts_in_words(&small.text("part")),
            one.with_interval(),
            hosts_in_words(&large.text("part")),
            other.with_interval()
        )));
    }
    let drawn = rows
        .iter()
        .map(|row| (part_in_words(&row.text("part")), vec![row.share(FULL)]));
    let figure = Figure {
        measure: format!("Hosts that block {agent}, of each group"),
        plot: Plot::Dots {
            axis: "% of the group's hosts".to_owned(),
            series: vec![agent.clone()],
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of hosts that answered conclusively, crawl {}. Bars: 95% intervals.",
            context.last()
        ),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::words("part", "Group", part_in_words),
                Col::count("n", "Hosts"),
                Col::count("n_domains", "Domains"),
                Col::count("hosts_full", "Blocking"),
                Col::interval(FULL, "Blocking (95% interval)"),
                Col::share("pct_of_blocking", "Of all that block"),
            ],
            60,
        ),
    })
}

/// How top-level domains differ.
pub(super) fn by_tld(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let mut tlds: Vec<String> = Vec::new();
    let mut tokens: Vec<(f64, String)> = Vec::new();
    for row in answer.rows() {
        let (tld, token) = (
            row.text("tld").into_owned(),
            row.text("product_token").into_owned(),
        );
        if !tlds.contains(&tld) {
            tlds.push(tld);
        }
        match tokens.iter_mut().find(|it| it.1 == token) {
            Some(it) => it.0 += row.count("pct_full") * row.count("n"),
            None => tokens.push((row.count("pct_full") * row.count("n"), token)),
        }
    }
    tokens.sort_by(|one, other| other.0.total_cmp(&one.0));
    let cell = |tld: &str, token: &str| {
        let mut rows = answer.rows();
        rows.find(|row| row.text("tld") == tld && row.text("product_token") == token)
    };
    let (_, token) = tokens.first()?;
    let mut shares: Vec<(&String, Share)> = tlds
        .iter()
        .filter_map(|tld| Some((tld, cell(tld, token)?.share(FULL)?)))
        .filter(|(_, share)| share.interval.is_some())
        .collect();
    shares.sort_by(|one, other| other.1.value.total_cmp(&one.1.value));
    let claims = difference_claim(context, token, &shares)
        .into_iter()
        .collect();
    let rows = tokens.iter().take(10).map(|(_, token)| {
        let values = tlds.iter().map(|tld| cell(tld, token)?.number("pct_full"));
        (context.agent(token), values.collect())
    });
    let figure = Figure {
        measure: "Hosts that block a crawler, by top-level domain".to_owned(),
        plot: Plot::Heat {
            axes: (
                "% of hosts under the column's domain".to_owned(),
                "that block the row's crawler by any rule".to_owned(),
            ),
            columns: tlds.iter().map(|tld| format!(".{tld}")).collect(),
            rows: rows.collect(),
        },
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of hosts that answered conclusively, crawl {}. Intervals are in the table.",
            context.last()
        ),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("tld", "Top-level domain", |tld| format!(".{tld}")),
                Col::agent("product_token", "Crawler"),
                Col::count("n", "Hosts"),
                Col::interval(FULL, "Blocked (95% interval)"),
                Col::share("pct_full_by_name", "By name"),
                Col::share("pct_partial", "Partly"),
            ],
            80,
        ),
    })
}

/// What can be said of the differences between these top-level domains in the share of hosts that
/// block a crawler. `shares` has the largest first.
fn difference_claim(
    context: &Context<'_>,
    token: &str,
    shares: &[(&String, Share)],
) -> Option<Claim> {
    // The pair that is farthest apart, of the pairs whose intervals do not overlap.
    let apart = shares
        .iter()
        .enumerate()
        .flat_map(|(place, high)| shares[place + 1..].iter().rev().map(move |low| (high, low)));
    let widest = apart
        .filter(|(high, low)| high.1.is_apart_from(low.1))
        .max_by(|one, other| {
            (one.0.1.value - one.1.1.value).total_cmp(&(other.0.1.value - other.1.1.value))
        });
    let Some((high, low)) = widest else {
        return (shares.len() > 1).then(|| {
            Claim::aside(format!(
                "Between no two of the top-level domains with intervals is the difference in hosts \
                 that block {} larger than these.",
                context.agent(token)
            ))
        });
    };
    let difference = high.1.value - low.1.value;
    let half = |share: Share| share.interval.map_or(0.0, |(low, high)| (high - low) / 2.0);
    let margin = half(high.1).hypot(half(low.1));
    let interest = beyond(2.6, difference, (difference - margin, difference + margin))?;
    Some(Claim::main(
        format!(
            "Top-level domains differ in how many hosts block {} by any rule: under .{}, {} of \
             those that answered conclusively; under .{}, {}.",
            context.agent(token),
            high.0,
            high.1.with_interval(),
            low.0,
            low.1.in_brief()
        ),
        interest,
    ))
}
