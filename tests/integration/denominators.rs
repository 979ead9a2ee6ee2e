//! What shares of every query are of: one name, one denominator, whatever hosts weigh;
//! `tests/cases/denominators.md` has single answers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use robostat::internals::shipped;
use serde_json::Value;

use crate::support::duckdb::number;
use crate::support::mini_warc::{Dataset, MiniWarc};

const NO_GPTBOT: &str =
    "User-agent: *\nDisallow: /a\nCrawl-delay: 5\nUser-agent: GPTBot\nDisallow: /\n";
const ALLOWED: &str = "User-agent: *\nDisallow:\n";
const WEB_PAGE: &str = "<html><body>Welcome</body></html>";

/// Hosts whose every population has another size: web pages, lines without rules, errors, empty
/// bodies; and a domain of nine hosts of which one answers.
fn every_kind() -> Dataset {
    let mut warc = MiniWarc::new();
    for (number, body) in [
        NO_GPTBOT,
        NO_GPTBOT,
        ALLOWED,
        "Sitemap: https://e.example/map.xml\n",
        "",
        WEB_PAGE,
        WEB_PAGE,
        "Crawl-delay: 10\nUser-agnet: *\nDisallow: /\n",
    ]
    .into_iter()
    .enumerate()
    {
        warc = warc.file(&format!("h{number}.example-{number}.com"), body);
    }
    warc = warc
        .status("none.example", 404)
        .status("empty.example", 204)
        .status("broken.example", 503)
        .file("answers.large.com", NO_GPTBOT);
    for host in 0..8 {
        warc = warc.status(&format!("h{host}.large.com"), 503);
    }
    warc.ingest()
}

/// A script that prints every row of the shipped queries that have shares of hosts, each after the
/// name of its query.
fn every_row() -> String {
    let queries = shipped::all().iter();
    let with_shares = queries.filter(|query| query.sql.contains("AS pct_of_hosts"));
    let statements = with_shares.map(|query| {
        let name = query.macro_name();
        format!("SELECT '{name}', to_json(answer)::VARCHAR FROM {name}() AS answer;\n")
    });
    statements.collect()
}

#[test]
fn one_column_name_has_one_denominator() {
    let dataset = every_kind();
    let ask = |sql: &str| dataset.rows(sql);
    let populations: BTreeMap<String, f64> =
        ask("SELECT population, number FROM populations() WHERE population IS NOT NULL")
            .iter()
            .map(|row| {
                (
                    row["population"].as_str().unwrap_or_default().to_owned(),
                    number(row, "number"),
                )
            })
            .collect();
    assert_eq!(populations.len(), 4, "{populations:?}");
    let mut compared = 0;
    let mut wrong = String::new();
    for line in dataset.lines(&every_row()) {
        let (query, row) = line.split_once('|').expect("a name and a row");
        let row: Value = serde_json::from_str(row).expect("JSON");
        let row_of = row["population"].as_str().unwrap_or_default();
        for (column, value) in row.as_object().expect("a row") {
            let Some(of) = column.strip_prefix("pct_of_hosts") else {
                continue;
            };
            let (Some(share), Some(n)) = (value.as_f64(), row["n"].as_f64()) else {
                continue;
            };
            let expected = match of.trim_start_matches('_') {
                "" | "naming" | "stating" => None,
                population => Some(population),
            };
            if expected.is_some_and(|expected| expected != row_of) {
                let _ = writeln!(wrong, "{query}: {column} of {row_of}");
            }
            if expected.is_some_and(|it| {
                populations
                    .get(it)
                    .is_some_and(|size| (size - n).abs() > 0.1)
            }) {
                let _ = writeln!(wrong, "{query}: {column} of {n} hosts");
            }
            let Some(hosts) = row["hosts"].as_f64() else {
                continue;
            };
            compared += 1;
            if (share - 100.0 * hosts / n).abs() > 0.006 {
                let _ = writeln!(wrong, "{query}: {column} is not {hosts} of {n}: {row}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared > 30, "{compared}");
}

/// What nobody does has an upper limit, and what is not known is null: a share without an interval
/// has the reason beside it.
#[test]
fn every_share_has_an_interval_or_the_reason_beside_it() {
    for hosts in [2, 12] {
        let mut warc = MiniWarc::new();
        for number in 0..hosts {
            let body = if number == 0 { NO_GPTBOT } else { ALLOWED };
            warc = warc.file(&format!("site{number}.com"), body);
        }
        let dataset = warc.ingest();
        let mut shares = 0;
        for line in dataset.lines(&every_row()) {
            let (query, row) = line.split_once('|').expect("a name and a row");
            // The share stands before the ends of its interval.
            let Some((before, _)) = row.split_once("\"pct_low\":") else {
                continue;
            };
            let share = before.rsplit('"').nth(1).expect("a column");
            let columns: Value = serde_json::from_str(row).expect("a row");
            let (share, low) = (&columns[share], &columns["pct_low"]);
            if share.is_null() {
                continue;
            }
            shares += 1;
            let reason = columns["note"].as_str().unwrap_or_default();
            assert_eq!(
                low.is_null(),
                reason.contains("no interval: "),
                "{query}: {row}"
            );
        }
        assert!(shares > 20, "{shares}");
    }
}

#[test]
fn a_domain_weighs_one_whatever_else_it_has() {
    let dataset = every_kind();
    let ask = |sql: &str| dataset.rows(sql);
    // Three domains block GPTBot: two of single hosts, and large.com, one host of which answers.
    let answered = ask("SELECT count(DISTINCT domain)::DOUBLE AS n FROM hosts WHERE is_settled");
    let expected = 100.0 * 3.0 / number(&answered[0], "n");
    let labels = dataset.path().with_file_name("labels.csv");
    fs::write(&labels, "domain,label\nlarge.com,large\n").expect("written");
    let row = &ask(&format!(
        "FROM ai_agents_by_group(\"by\" := 'domain', labels := '{}') WHERE \"group\" = 'all'",
        labels.display()
    ))[0];
    assert!(
        (number(row, "pct_blocking_ai_agents") - expected).abs() < 0.006,
        "{row}"
    );
    // Each of these hosts has a domain of its own among those with a body, and so weighs as much.
    for query in ["content_classes", "common_files", "size_bins"] {
        let by = |unit: &str| {
            let mut rows = ask(&format!(
                "SELECT * EXCLUDE (unit) FROM {query}(\"by\" := '{unit}')"
            ));
            rows.sort_by_key(ToString::to_string);
            rows
        };
        assert_eq!(by("host"), by("domain"), "{query}");
    }
}
