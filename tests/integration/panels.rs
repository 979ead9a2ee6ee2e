//! The same sites over time: the answers of `panel-over-time` are recounted from the answers of
//! hosts. `tests/cases/panels.md` has more of panels.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::mini_warc::{Dataset, MiniWarc};

const CRAWLS: [(&str, &str); 3] = [
    ("first", "2025-01-01"),
    ("second", "2025-06-01"),
    ("third", "2026-01-01"),
];
const HOSTS: u32 = 140;

/// What a host answers in a crawl, the first being 0: its status, and whether it blocks GPTBot.
fn answer(crawl: usize, host: u32) -> Option<(u16, bool)> {
    let is_blocking = match crawl {
        0 => host.is_multiple_of(10),
        1 => host.is_multiple_of(5),
        _ => host.is_multiple_of(4) && host < 60,
    };
    match (host, crawl) {
        (100..110, 1..) | (120..130, ..2) => None,
        (110..120, 1) => Some((503, false)),
        (130..140, _) => Some((404, false)),
        _ => Some((200, is_blocking)),
    }
}

fn dataset() -> Dataset {
    MiniWarc::ingest_crawls([0, 1, 2].map(|crawl: usize| {
        let (label, day) = CRAWLS[crawl];
        let warc = (0..HOSTS).fold(MiniWarc::new().on(day), |warc, host| {
            let url = format!("https://s{host}.example/robots.txt");
            match answer(crawl, host) {
                None => warc,
                Some((status, true)) => {
                    warc.answer(&url, status, "User-agent: GPTBot\nDisallow: /\n")
                }
                Some((status, false)) => warc.answer(&url, status, "User-agent: *\nDisallow: /a\n"),
            }
        });
        (label, warc)
    }))
}

/// Whether a host answers conclusively in a crawl.
fn is_settled(crawl: usize, host: u32) -> bool {
    answer(crawl, host).is_some_and(|(status, _)| status != 503)
}

fn is_blocking(crawl: usize, host: u32) -> bool {
    answer(crawl, host).is_some_and(|(_, is_blocking)| is_blocking)
}

fn count(is: impl Fn(u32) -> bool) -> u64 {
    (0..HOSTS)
        .filter(|host| is(*host))
        .count()
        .try_into()
        .expect("a count")
}

/// The counts of a row: blocking and all, the same of balanced hosts; entered, left, silent.
pub(crate) fn counts(row: &Value) -> [Option<u64>; 7] {
    let names = [
        "hosts_full",
        "n",
        "hosts_balanced_full",
        "n_balanced",
        "hosts_entered",
        "hosts_left",
        "hosts_silent",
    ];
    names.map(|name| row[name].as_u64())
}

/// The same, of the hosts of which `is_in` is true.
fn expected(crawl: usize, is_in: impl Fn(u32) -> bool) -> [Option<u64>; 7] {
    let is_balanced = |host| is_in(host) && (0..CRAWLS.len()).all(|it| is_settled(it, host));
    let of_two = |is: &dyn Fn(u32, usize) -> bool| {
        crawl
            .checked_sub(1)
            .map(|before| count(|host| is_in(host) && is(host, before)))
    };
    [
        Some(count(|host| is_in(host) && is_blocking(crawl, host))),
        Some(count(|host| is_in(host) && is_settled(crawl, host))),
        Some(count(|host| is_balanced(host) && is_blocking(crawl, host))),
        Some(count(is_balanced)),
        of_two(&|host, before| is_settled(crawl, host) && !is_settled(before, host)),
        of_two(&|host, before| is_settled(before, host) && answer(crawl, host).is_none()),
        of_two(&|host, before| {
            is_settled(before, host) && answer(crawl, host).is_some() && !is_settled(crawl, host)
        }),
    ]
}

#[test]
fn series_are_recounted_and_sites_that_come_and_go() {
    let dataset = dataset();
    let rows = dataset.rows("FROM panel_over_time(agents := ['gptbot'])");
    assert_eq!(rows.len(), 3);
    for (crawl, row) in rows.iter().enumerate() {
        assert_eq!(row["crawl"], CRAWLS[crawl].0);
        assert_eq!(counts(row), expected(crawl, |_| true), "{row}");
    }
    // The change is the difference of the balanced shares.
    let share = |row: &Value| row["pct_balanced"].as_f64().expect("a share");
    assert!(rows[0]["change"].is_null());
    for row in &rows[1..] {
        let change = row["change"].as_f64().expect("a change");
        assert!(
            (change - share(row) + share(&rows[0])).abs() < 0.011,
            "{row}"
        );
        let [low, high] =
            ["change_low", "change_high"].map(|it| row[it].as_f64().expect("a limit"));
        assert!(low < change && change < high, "{row}");
    }
}

#[test]
fn a_site_keeps_its_last_answer_over_gaps() {
    let dataset = dataset();
    for gaps in [0, 1, 2, 2_147_483_647] {
        // The last answer of a host, if it is at most so many crawls old.
        let last = |crawl: usize, host: u32| {
            let earliest = crawl.saturating_sub(gaps);
            (earliest..=crawl).rev().find(|it| is_settled(*it, host))
        };
        let is_balanced = |host: u32| (0..CRAWLS.len()).all(|it| last(it, host).is_some());
        let sql = format!("FROM panel_over_time(agents := ['gptbot'], gaps := {gaps})");
        for (crawl, row) in dataset.rows(&sql).iter().enumerate() {
            let is_blocked = |host| last(crawl, host).is_some_and(|it| is_blocking(it, host));
            let [full, n, _, _, moves @ ..] = expected(crawl, |_| true);
            let same = Some(count(|host| is_balanced(host) && is_blocked(host)));
            let [entered, left, silent] = moves;
            let all = [
                full,
                n,
                same,
                Some(count(is_balanced)),
                entered,
                left,
                silent,
            ];
            assert_eq!(counts(row), all, "{gaps}: {row}");
        }
    }
    assert!(
        count(|host| is_settled(0, host)) > count(|host| (0..3).all(|it| is_settled(it, host)))
    );
}

/// What `panel_over_time` answers about the sites of a list, by weight.
fn of_sites(dataset: &Dataset, list: &str) -> Vec<Value> {
    let folder = Folder::new();
    let sites = folder.write("sites.csv", list.as_bytes());
    let sql = format!(
        "FROM panel_over_time(agents := ['gptbot'], sites := '{}', \"by\" := 'weight')",
        sites.display()
    );
    dataset.rows(&sql)
}

#[test]
fn a_stratum_without_an_answer_has_a_row() {
    let stratum = |host: u32| match host {
        100..110 => "left",
        110..120 => "silent",
        120..130 => "late",
        _ => "rest",
    };
    let lines: Vec<String> = (0..HOSTS)
        .map(|host| format!("s{host}.example,{},1", stratum(host)))
        .collect();
    let text = format!(
        "domain,stratum,weight\n{}\nnowhere.example,never,1\n",
        lines.join("\n")
    );
    let rows = of_sites(&dataset(), &text);
    let strata = ["all", "late", "left", "never", "rest", "silent"];
    assert_eq!(rows.len(), CRAWLS.len() * strata.len());
    for (place, row) in rows.iter().enumerate() {
        let (crawl, name) = (place % CRAWLS.len(), strata[place / CRAWLS.len()]);
        assert_eq!([&row["stratum"], &row["crawl"]], [name, CRAWLS[crawl].0]);
        let is_in = |host: u32| name == "all" || stratum(host) == name;
        assert_eq!(counts(row), expected(crawl, is_in), "{row}");
        assert_eq!(row["pct_full"].is_null(), row["n"] == 0, "{row}");
        assert_eq!(row["unit"], "weight");
    }
}

#[test]
fn strata_have_rows_of_their_own_and_weights() {
    let dataset = dataset();
    let is_top = |host: u32| host.is_multiple_of(2);
    let line = |host: u32| {
        let (stratum, weight) = if is_top(host) {
            ("1-100", 1)
        } else {
            ("101-", 9)
        };
        format!("s{host}.example,{host},{stratum},{weight}")
    };
    let lines: Vec<String> = (0..HOSTS).map(line).collect();
    let text = format!("domain,rank,stratum,weight\n{}\n", lines.join("\n"));
    let rows = of_sites(&dataset, &text);
    let strata: Vec<&str> = rows
        .iter()
        .map(|it| it["stratum"].as_str().expect("it"))
        .collect();
    assert_eq!(strata, [["all"; 3], ["1-100"; 3], ["101-"; 3]].concat());
    let mut shares = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        let crawl = place % 3;
        let is_in = |host: u32| match strata[place] {
            "all" => true,
            "1-100" => is_top(host),
            _ => !is_top(host),
        };
        assert_eq!(counts(row), expected(crawl, is_in), "{row}");
        shares.insert(
            (strata[place], crawl),
            row["pct_full"].as_f64().expect("a share"),
        );
    }
    // The share of all is the mean of the shares of the strata, by the weight of their hosts.
    for crawl in 0..3 {
        let hosts = |is_in: bool| count(|it| is_settled(crawl, it) && is_top(it) == is_in);
        let (top, rest) = (
            f64::from(u32::try_from(hosts(true)).expect("few")),
            hosts(false),
        );
        let rest = 9.0 * f64::from(u32::try_from(rest).expect("few"));
        let share = shares[&("1-100", crawl)] * top + shares[&("101-", crawl)] * rest;
        let all = shares[&("all", crawl)];
        assert!((share / (top + rest) - all).abs() < 0.02, "{all}, {share}");
    }
}
