//! Who blocks a crawler: by top-level domain, by size of website, owners or platforms.

use crate::analysis::report::answer::{Row, most};
use crate::analysis::report::context::{Context, MIN_HOSTS, Pair, share_of};
use crate::analysis::report::evidence::Evidence;
use crate::analysis::report::figure::plot::{Bar, Plot};
use crate::analysis::report::format::{Share, farthest_apart};

/// Crawlers in a heat map.
const DRAWN: usize = 10;
const FULL: &str = "pct_full";

/// Who blocks the crawler that most hosts block: under which top-level domains, in large or small
/// websites.
pub(super) fn by_whom<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let hosts = |row: &Row<'_>| row.count("hosts_full");
    let all = context.answer.rows();
    let all = most(all.filter(|row| row.text("kind") == "all"), hosts)?;
    if hosts(&all) == 0.0 {
        return None;
    }
    let token = all.text("product_token");
    let rows = context.answer.rows();
    let rows: Vec<Row<'_>> = rows
        .filter(|row| row.text("product_token") == token)
        .collect();
    let of = |kind: &'static str| {
        rows.iter()
            .copied()
            .filter(move |row| row.text("kind") == kind)
    };
    let tld = most(of("tld"), hosts).filter(|row| row.text("part") != "other");
    // Small and large websites, where their intervals do not overlap.
    let sizes = of("size").next().zip(of("size").next_back());
    let sizes = sizes.and_then(|(small, large)| {
        let shares = (share_of(small, FULL)?, share_of(large, FULL)?);
        shares
            .0
            .is_apart_from(shares.1)
            .then_some((small, large, shares))
    });
    let pairs = rows.iter().map(|row| context.pair(*row));
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
    let found = Evidence::about(context.pair(all)).drawing(Plot::dots(bars.collect()));
    Some(
        found
            .with("tld", tld.map(part))
            .with("of_tld", of_tld)
            .with("small", small)
            .with("large", sizes.map(|(_, large, _)| part(large)))
            .with("small_share", sizes.map(|(.., (small, _))| small))
            .with("large_share", sizes.map(|(.., (_, large))| large)),
    )
}

/// How top-level domains differ.
pub(super) fn by_tld<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let answer = context.by_domain();
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
        let blocked = row.count(FULL) * row.count("n");
        match tokens.iter_mut().find(|it| it.1 == token) {
            Some(it) => it.0 += blocked,
            None => tokens.push((blocked, token)),
        }
    }
    tokens.sort_by(|one, other| other.0.total_cmp(&one.0));
    let cell = |tld: &str, token: &str| {
        let mut rows = answer.rows();
        rows.find(|row| row.text("tld") == tld && row.text("product_token") == token)
    };
    // The crawler that is blocked most, and the two that are farthest apart beyond their intervals.
    let (_, token) = tokens.first()?;
    let shares = tlds
        .iter()
        .filter_map(|tld| Some((tld, share_of(cell(tld, token)?, FULL)?)));
    let shares: Vec<(&String, Share)> = shares.collect();
    let mut pair = farthest_apart(&shares)?;
    pair.sort_by(|one, other| other.1.value.total_cmp(&one.1.value));
    let [high, low] = pair;
    let rows = tokens.iter().take(DRAWN).map(|(_, token)| {
        let values = tlds.iter().map(|tld| share_of(cell(tld, token)?, FULL));
        (context.agent(token), values.collect())
    });
    let found = Evidence::default().drawing(Plot::Heat {
        columns: tlds.iter().map(|tld| format!(".{tld}")).collect(),
        rows: rows.collect(),
    });
    Some(
        found
            .with("crawler", Some(context.agent(token)))
            .with("high", Some(high.0.clone()))
            .with("high_share", Some(high.1))
            .with("low", Some(low.0.clone()))
            .with("low_share", Some(low.1)),
    )
}
