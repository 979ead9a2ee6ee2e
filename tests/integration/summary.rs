//! `robostat export --summary`: shares and intervals without the tables, as queries give them.
//! `tests/cases/export.md` has summaries that are refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::mini_warc::{Dataset, MiniWarc};
use crate::support::program::{Run as _, robostat, text};

const FILES: [&str; 4] = [
    "User-agent: GPTBot\nDisallow: /\nUser-agent: *\nDisallow: /a\n",
    "User-agent: *\nDisallow: /\nSitemap: https://a.example/s.xml\n",
    "User-agent: GPTBot\nUser-agent: own.example\nAllow: /\nUser-agent: *\nDisallow: /\n",
    "User-agent: CCBot\nUser-agent: homemade\nDisallow: /b*\nUser-agent: Googlebot\nDisallow: /\n",
];

/// A crawl of forty hosts of seventeen domains, each with one of the files, none, or an error.
fn crawl(label: &str, day: &str, turn: usize) -> Dataset {
    let hosts = (0..40).fold(MiniWarc::new().on(day), |warc, number| {
        let url = format!("https://h{number}.d{}.example/robots.txt", number % 17);
        match (number * 7 + turn) % 9 {
            file @ 0..6 => warc.answer(&url, 200, FILES[file % 4]),
            6 => warc.answer(&url, 200, "<html>"),
            7 => warc.answer(&url, 404, ""),
            _ => warc.answer(&url, 503, ""),
        }
    });
    MiniWarc::ingest_crawls([(label, hosts)])
}

/// The columns that the tables and a summary have in common, of queries with a `unit` to fill in.
const QUERIES: [&str; 6] = [
    "SELECT crawl, measure, hosts, pct, pct_low, pct_high, n, n_domains, population, unit
    FROM key_shares(\"by\" := 'UNIT')",
    "SELECT response_class, content, hosts, pct_of_hosts, pct_low, pct_high, n, crawl
    FROM status_classes(\"by\" := 'UNIT')",
    "SELECT product_token, hosts, hosts_with_rules, domains, pct_named, pct_low, pct_high,
        pct_of_captured, n, crawl
    FROM agent_adoption(\"by\" := 'UNIT')
    WHERE product_token NOT IN ('homemade', 'own.example')",
    "SELECT product_token, crawl, hosts, pct_of_hosts_with_rules, pct_low, pct_high, n
    FROM agent_adoption_over_time(agents := ['ccbot', 'googlebot', 'gptbot'], \"by\" := 'UNIT')",
    "SELECT product_token, crawl, hosts_full, pct_full, pct_low, pct_high, pct_full_by_name,
        pct_full_by_wildcard, pct_partial, pct_none, n
    FROM agent_restrictions_over_time(
        agents := ['ccbot', 'googlebot', 'gptbot', 'mediapartners-google'], \"by\" := 'UNIT'
    )",
    "FROM panel_over_time(agents := ['ccbot', 'gptbot'], \"by\" := 'UNIT')",
];

/// What a summary answers.
#[track_caller]
fn of_summary(directory: &Path, sql: &str) -> String {
    let mut duckdb = Command::new(duckdb::program());
    duckdb.args(["-csv", "-nullvalue", "", "-init", "summary.sql", "-c", sql]);
    let output = duckdb.current_dir(directory).output().expect("a run");
    assert!(output.status.success(), "{sql}: {}", text(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_summary_gives_the_shares_of_the_tables_and_names_no_host() {
    let crawls = [
        crawl("one", "2026-01-05", 0),
        crawl("two", "2026-02-05", 1),
        crawl("three", "2026-03-05", 2),
    ];
    let datasets: Vec<PathBuf> = crawls.iter().map(Dataset::path).collect();
    let folder = tempdir().expect("a folder");
    let (once, again) = (folder.path().join("once"), folder.path().join("again"));
    let export = |datasets: &[PathBuf], out: &Path| {
        let mut command = robostat(["export", "--summary"]);
        command.args(datasets).arg("-o").arg(out);
        command.env("ROBOSTAT_DUCKDB", duckdb::program()).succeed();
    };
    export(&datasets, &once);
    for dataset in &datasets {
        export(std::slice::from_ref(dataset), &again);
    }
    for file in ["one.parquet", "two.parquet", "three.parquet", "summary.sql"] {
        let bytes = |directory: &Path| fs::read(directory.join(file)).expect(file);
        assert!(bytes(&once) == bytes(&again), "{file}");
    }

    // Without the series of the same sites, the others are there.
    assert!(!again.join("series").exists());
    let crawls = "SELECT count(DISTINCT crawl) FROM key_shares()";
    assert_eq!(of_summary(&again, crawls).lines().nth(1), Some("3"));

    for unit in ["host", "domain"] {
        for query in QUERIES.map(|query| query.replace("UNIT", unit)) {
            let mut asked = robostat(["query", "--format", "csv", "-e", &query]);
            asked.env("ROBOSTAT_DUCKDB", duckdb::program());
            let output = asked.args(&datasets).output().expect("a run");
            assert!(output.status.success(), "{query}: {}", text(&output));
            let of_tables = String::from_utf8(output.stdout).expect("UTF-8");
            assert!(of_tables.lines().count() > 1, "{query}");
            let of_summary = of_summary(&once, &query).replace('"', "");
            let of_tables = of_tables.replace('"', "");
            assert_eq!(of_summary, of_tables, "{query}");
        }
    }

    let named =
        "SELECT string_agg(DISTINCT product_token, ' ') FROM summary WHERE hosts > 0 AND NOT
        list_contains(['*', 'ccbot', 'googlebot', 'gptbot'], product_token) AND answer = 'named'";
    assert_eq!(of_summary(&once, named).lines().nth(1), Some("homemade"));
    for rows in ["summary", "read_parquet('series/panel.parquet')"] {
        let hosts = format!(
            "SELECT count(*) FROM {rows} AS rows WHERE contains(rows::VARCHAR, '.example')"
        );
        assert_eq!(of_summary(&once, &hosts).lines().nth(1), Some("0"));
    }
    let metadata = "SELECT string_agg(decode(key), ' ' ORDER BY key)
        FROM parquet_kv_metadata('one.parquet')";
    let keys = "catalog crawl data robostat summary";
    assert_eq!(of_summary(&once, metadata).lines().nth(1), Some(keys));
}
