//! Crawlers that are blocked: which, how, by whose choice, which together, and of which operators.

use std::borrow::Cow;

use indexmap::IndexMap;

use super::evidence::Evidence;
use super::row::row;
use crate::analysis::report::answer::{Answer, Row, descending, most};
use crate::analysis::report::context::{Context, MIN_HOSTS, share_of};
use crate::analysis::report::figure::{Bar, Ink, Parts, Plot};
use crate::analysis::report::format::Share;

const DRAWN: usize = 10;
const MAX_TOGETHER: usize = 8;
/// Shares by name of `agents-at-a-glance`, by website and by host.
const BY_DOMAIN: &str = "pct_of_domains";
const BY_HOST: &str = "pct_full_by_name";

fn glance<'a>(context: &Context<'a>, rows: &[Row<'a>]) -> Option<Evidence<'a>> {
    let first = *rows.first()?;
    let bars = rows.iter().take(DRAWN).map(|row| {
        let share = share_of(*row, BY_DOMAIN);
        context.bar(&row.text("product_token"), vec![share])
    });
    let lead = context.pair(first);
    Some(Evidence::about(lead).drawing(Plot::dots(bars.collect())))
}

/// The rows of crawlers that somebody blocks by name, the most blocked first.
fn blocked<'a>(answer: &'a Answer, is_wanted: impl Fn(&Row<'a>) -> bool) -> Vec<Row<'a>> {
    let is_blocked = |row: &Row<'a>| row.count("hosts_full_by_name") > 0.0 && is_wanted(row);
    descending(answer.rows().filter(is_blocked), |row| row.count(BY_DOMAIN))
}

fn is_ai(row: &Row<'_>) -> bool {
    row.optional_text("is_ai").as_deref() == Some("true")
}

pub(super) fn most_blocked<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let rows = blocked(context.answer, is_ai);
    // The difference from the next crawler, on the same websites.
    let lead = context.report.lead.and_then(|row| share_of(row, "change"));
    let is_clear = lead.is_some_and(|lead| lead.value > 0.0 && lead.is_apart_from_zero());
    let is_ahead = is_clear && rows.len() > 1;
    let by_default = context
        .report
        .lead
        .and_then(|row| row.number("pct_by_default"));
    let is_default = by_default.is_some_and(|share| share > 50.0);
    let rivals = if context.report.options.agents.is_empty() {
        "AI crawler"
    } else {
        "AI crawler chosen"
    };
    let second = rows.get(1);
    let name = second.map(|row| context.agent(&row.text("product_token")));
    let share = second.and_then(|row| share_of(*row, BY_DOMAIN));
    let found = glance(context, &rows)?
        .with("mostly", is_default.then(String::new))
        .with(
            "rivals",
            (is_ahead && !is_default).then(|| rivals.to_owned()),
        )
        .with("second", name.clone().filter(|_| is_ahead))
        .with("second_share", share)
        .with("lead", lead.filter(|_| is_ahead))
        .with("runner_up", name.filter(|_| lead.is_some() && !is_ahead))
        .with("runner_up_share", share);
    Some(found)
}

pub(super) fn crawlers<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let named = most(context.answer.rows(), |row| row.count("pct_named"))?;
    // The purpose of a crawler that the catalogue lacks is unknown.
    let is_other = |row: &Row<'_>| row.optional_text("is_ai").as_deref() == Some("false");
    let rows = blocked(context.answer, is_other);
    let found = glance(context, &rows)?
        .with("named", Some(context.agent(&named.text("product_token"))))
        .with("named_share", share_of(named, "pct_named"));
    Some(found)
}

/// Blocked by name, or by the rules for its fallback or every crawler.
pub(super) fn effective<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let found = row(context)?;
    let rows = context.by_domain().rows();
    let rows = rows.filter(|row| row.text("crawl") == context.last());
    let rows = descending(rows, |row| row.count("pct_full"));
    let parts = [
        ("by name", Ink::Blocked, "pct_full_by_name"),
        ("by * or a fallback", Ink::Everybody, "pct_full_by_wildcard"),
        ("partly", Ink::Partly, "pct_partial"),
    ];
    let rows = rows.iter().map(|row| Parts {
        name: context.agent(&row.text("product_token")),
        shares: parts.iter().map(|(.., column)| row.count(column)).collect(),
        interval: row.pct("pct_full").interval,
        end: row.pct("pct_full").shown(),
    });
    let plot = Plot::Stack {
        rows: rows.collect(),
        parts: parts.map(|(name, ink, _)| (name, ink)).to_vec(),
        rest: "not blocked",
    };
    Some(found.drawing(plot))
}

/// Blocks in whole files, and in files without the lines of platforms, for the crawler that
/// platforms block for the most hosts.
pub(super) fn owner_choices<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let part = |answer: &'a Answer, token: &str, made_by: &str| {
        answer.find(&[("product_token", token), ("made_by", made_by)])
    };
    let of = |made_by: &'static str| {
        let rows = context.answer.rows();
        rows.filter(move |row| row.text("made_by") == made_by)
    };
    let default = most(of("default"), |row| row.count("hosts_full_by_name"))?;
    if default.count("hosts_full_by_name") == 0.0 {
        return None;
    }
    let token = default.text("product_token");
    let lead = context.pair(part(context.answer, &token, "all")?);
    let domains = context.by_domain();
    let share = |token: &str, made_by: &str| share_of(part(domains, token, made_by)?, BY_HOST);
    let own = share(&token, "own")?;
    let all = of("all").filter(|row| row.count("hosts_full_by_name") > 0.0);
    let all = descending(all, |row| row.count(BY_HOST));
    let bars = all.iter().map(|row| {
        let token = row.text("product_token");
        context.bar(&token, vec![share(&token, "all"), share(&token, "own")])
    });
    let found = Evidence::about(lead)
        .drawing(Plot::Dots {
            series: vec![
                "the whole file".to_owned(),
                "without platforms' lines".to_owned(),
            ],
            rows: bars.collect(),
            is_linked: true,
        })
        .with("default", default.number("hosts_full_by_name"))
        .with("own", Some(own));
    Some(found)
}

/// Published definitions of a full block: the crawler and the definition that differ most.
pub(super) fn definitions<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    const OTHERS: [(&str, &str); 3] = [
        ("pct_cc_disallow_all", "Common Crawl's definition"),
        ("pct_dpi_all", "Data Provenance's definition"),
        ("pct_imc_full", "the definition of Liu et al."),
    ];
    let difference =
        |row: &Row<'_>, column: &str| (row.count(column) - row.count("pct_full")).abs();
    let domains = context.by_domain();
    let (row, column, name) = domains
        .rows()
        .flat_map(|row| OTHERS.map(|(column, name)| (row, column, name)))
        .max_by(|one, other| difference(&one.0, one.1).total_cmp(&difference(&other.0, other.1)))
        .filter(|(row, column, _)| difference(row, column) > 0.0)?;
    let token = row.text("product_token");
    let host = context.answer.find(&[("product_token", &token)])?;
    let found = Evidence::about(context.pair(host))
        .with("name", Some(name.to_owned()))
        .with("theirs", share_of(row, column));
    Some(found)
}

/// Published scripts that lose rules of crawlers: the crawler and the script with the largest loss.
pub(super) fn grouping<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    const SCRIPTS: [(&str, &str); 3] = [
        ("pct_lost_cc", "Common Crawl"),
        ("pct_lost_ha", "HTTP Archive"),
        ("pct_lost_dpi", "Data Provenance Initiative"),
    ];
    let pairs = context.answer.rows().filter(|row| context.is_kept(row));
    let losses = pairs.flat_map(|row| {
        let pair = context.pair(row);
        SCRIPTS.map(|(column, script)| (pair, column, script, pair.share(column)))
    });
    let lost = |loss: &(_, _, _, Option<Share>)| loss.3.map_or(0.0, |share| share.value);
    let losses = descending(losses, lost);
    let (pair, column, script, share) = *losses.first().filter(|loss| lost(loss) > 0.0)?;
    let found = Evidence::about(pair)
        .with("script", Some(context.words("script", script)))
        .with("share", share)
        .with("host_share", share_of(pair.host, column));
    Some(found)
}

pub(super) fn together<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    // The number of hosts that block each crawler.
    let mut alone: IndexMap<Cow<'_, str>, f64> = IndexMap::new();
    for row in context.answer.rows() {
        for (column, only) in [("agent", "hosts_agent_only"), ("other", "hosts_other_only")] {
            let hosts = row.count(only) + row.count("hosts_both");
            alone.entry(row.text(column)).or_insert(hosts);
        }
    }
    let mut alone = descending(alone, |(_, hosts)| *hosts);
    alone.retain(|(_, hosts)| *hosts >= MIN_HOSTS);
    alone.truncate(MAX_TOGETHER);
    let domains = context.by_domain();
    // The share of websites that block `other` among those that block `one`.
    let both = |answer: &'a Answer, one: &str, other: &str| {
        let row = |agent, other| answer.find(&[("agent", agent), ("other", other)]);
        let shares = [
            (row(one, other), "pct_of_agent"),
            (row(other, one), "pct_of_other"),
        ];
        let mut shares = shares.into_iter();
        shares.find_map(|(row, column)| Some((row?, share_of(row?, column)?)))
    };
    let pairs = alone.iter().flat_map(|(one, hosts)| {
        let others = alone.iter().filter(move |(other, _)| other != one);
        others.filter_map(move |(other, _)| {
            let (_, share) = both(domains, one, other)?;
            share.interval.map(|_| (one, other, share, *hosts))
        })
    });
    let (one, other, share, hosts) =
        pairs.max_by(|one, other| one.2.value.total_cmp(&other.2.value))?;
    let (row, host_share) = both(context.answer, one, other)?;
    let columns = alone.iter().map(|(token, _)| context.agent(token));
    let rows = alone.iter().map(|(one, _)| {
        let values = alone
            .iter()
            .map(|(other, _)| Some(both(domains, one, other)?.1));
        (context.agent(one), values.collect())
    });
    let found = Evidence::default()
        .drawing(Plot::Heat {
            columns: columns.collect(),
            rows: rows.collect(),
        })
        .with("one", Some(context.agent(one)))
        .with("other", Some(context.agent(other)))
        .with("share", Some(share))
        .with("host_share", Some(host_share))
        .with("both", row.number("hosts_both"))
        .with("hosts", Some(hosts));
    Some(found)
}

type Blocked<'a> = (Row<'a>, Share);

pub(super) fn operators<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let agents = context.report.agents;
    let is_current = |row: &Row<'_>| !agents.is_former_name(&row.text("product_token"));
    let blocked = blocked(context.answer, is_current);
    let mut by_operator: IndexMap<Cow<'_, str>, Vec<Blocked<'a>>> = IndexMap::new();
    for row in blocked {
        let share = share_of(row, "pct_of_domains");
        if let Some((operator, share)) = row.optional_text("operator").zip(share) {
            by_operator.entry(operator).or_default().push((row, share));
        }
    }
    by_operator.retain(|_, rows| rows.len() > 1 && rows.iter().any(|(row, _)| is_ai(row)));
    for rows in by_operator.values_mut() {
        rows.sort_by(|one, other| other.1.value.total_cmp(&one.1.value));
    }
    let gap = |rows: &[Blocked<'_>]| {
        let (high, low) = (rows.first()?.1, rows.last()?.1);
        high.is_apart_from(low).then_some(high.value - low.value)
    };
    let widest = by_operator.iter();
    let widest = widest.filter_map(|(name, rows)| Some((name, rows, gap(rows)?)));
    let (operator, rows, _) = widest.max_by(|one, other| one.2.total_cmp(&other.2))?;
    let (high, low) = (rows.first()?, rows.last()?);
    let name = |row: &Blocked<'_>| context.agent(&row.0.text("product_token"));
    let drawn = descending(&by_operator, |(_, rows)| gap(rows).unwrap_or(0.0));
    let bars = drawn.into_iter().take(5).flat_map(|(operator, rows)| {
        // The crawlers blocked most, and the crawler blocked least.
        let (first, rest) = rows.split_at(rows.len().min(3));
        first.iter().chain(rest.last()).map(move |row| Bar {
            name: format!("{operator}: {}", name(row)),
            ink: context.ink(&row.0.text("product_token")),
            shares: vec![Some(row.1)],
        })
    });
    let found = Evidence::default()
        .drawing(Plot::dots(bars.collect()))
        .with("operator", Some(operator.to_string()))
        .with("high", Some(name(high)))
        .with("high_share", Some(high.1))
        .with("low", Some(name(low)))
        .with("low_share", Some(low.1));
    Some(found)
}
