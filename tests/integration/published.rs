//! The tables of others, from our data: their columns, and their counts on a small made-up crawl.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::mini_warc::{Dataset, MiniWarc, robots};

const RULES: &str = "User-agent: GPTBot\nUser-agent: Name with spaces\nDisallow: /\n";

/// Two hosts that redirect, one of them to itself, and the answers of others.
fn dataset() -> Dataset {
    MiniWarc::ingest_crawls([
        (
            "2026-01",
            MiniWarc::new()
                .on("2026-01-10")
                .redirect(&robots("a.example"), &robots("www.a.example"))
                .file("www.a.example", RULES)
                .redirect(&robots("loop.example"), &robots("loop.example"))
                .status("b.example", 404)
                .file("c.example", "")
                .status("d.example", 503),
        ),
        (
            "2026-02",
            MiniWarc::new()
                .on("2026-02-10")
                .file("a.example", RULES)
                .file("b.example", "User-agent: *\nDisallow: /a\n"),
        ),
    ])
}

/// The rows of a query as arrays of values, and its columns.
#[track_caller]
fn ask(dataset: &Dataset, query: &str, columns: &[&str]) -> Vec<Vec<Value>> {
    let rows = dataset.rows(query);
    let values = |row: &Value| {
        let value = |name: &&str| {
            row.get(name)
                .unwrap_or_else(|| panic!("{name} in {row}"))
                .clone()
        };
        columns.iter().map(value).collect()
    };
    rows.iter().map(values).collect()
}

#[test]
fn captures_of_common_crawl_follow_redirects() {
    let dataset = dataset();
    let columns = [
        "n_captures",
        "n_fetch_success",
        "n_redirects",
        "crawl",
        "redirects",
    ];
    let rows = ask(&dataset, "FROM common_crawl_captures()", &columns);
    let expected = serde_json::json!([
        [6, 2, 2, "2026-01", 0],
        [1, 1, 0, "2026-01", 1],
        [2, 2, 0, "2026-02", 0],
    ]);
    assert_eq!(serde_json::json!(rows), expected);
    // Of listed hosts only: www.a.example is reached, not listed.
    let folder = Folder::new();
    let list = folder.write(
        "ranks.csv",
        b"1,a.example\n2,b.example\n3,missing.example\n",
    );
    let query = format!("FROM common_crawl_captures(ranks := '{}')", list.display());
    let rows = ask(&dataset, &query, &columns);
    let expected = serde_json::json!([
        [2, 0, 1, "2026-01", 0],
        [1, 1, 0, "2026-01", 1],
        [2, 2, 0, "2026-02", 0],
    ]);
    assert_eq!(serde_json::json!(rows), expected);

    let columns = [
        "crawl",
        "top-k",
        "No robots.txt capture",
        "HTTP forbidden",
        "HTTP defer visits",
        "HTTP allow all",
        "HTTP redirect not resolved",
        "MIME not a robots.txt",
        "Robots.txt no rules",
        "Robots.txt with rules",
        "dt",
    ];
    let query = format!(
        "FROM common_crawl_status(crawl := '2026-01', ranks := '{}', tops := [2, 1000])",
        list.display()
    );
    let rows = ask(&dataset, &query, &columns);
    let expected = serde_json::json!([
        ["2026-01", "2", 0, 0, 0, 1, 0, 0, 0, 1, "2026-01-10"],
        ["2026-01", "1k", 1, 0, 0, 1, 0, 0, 0, 1, "2026-01-10"],
    ]);
    assert_eq!(serde_json::json!(rows), expected);
}

#[test]
fn agents_of_common_crawl_are_those_of_all_its_crawls() {
    let dataset = dataset();
    let columns = ["user_agent", "cnt", "n_crawls"];
    let rows = ask(&dataset, "FROM common_crawl_agents()", &columns);
    // `*` is in one of two crawls.
    let expected = serde_json::json!([["gptbot", 2, 2], ["name with spaces", 2, 2]]);
    assert_eq!(serde_json::json!(rows), expected);
    let rows = ask(
        &dataset,
        "FROM common_crawl_agents(min_crawls := 1)",
        &columns,
    );
    assert_eq!(rows.len(), 3);
    assert!(
        ask(
            &dataset,
            "FROM common_crawl_agents(min_count := 3)",
            &columns
        )
        .is_empty()
    );
}

#[test]
fn tables_of_http_archive_have_fractions_of_sites() {
    let dataset = dataset();
    let crawl = "crawl := '2026-01'";
    let query = format!("FROM http_archive_status({crawl})");
    let rows = ask(&dataset, &query, &["status_code", "total", "n"]);
    let total: u64 = rows
        .iter()
        .map(|row| row[1].as_u64().expect("a count"))
        .sum();
    assert_eq!(total, 6);
    assert!(
        rows.contains(&vec!["404".into(), 1.into(), 6.into()]),
        "{rows:?}"
    );
    // A redirect has the status at its end.
    assert!(
        rows.contains(&vec!["200".into(), 3.into(), 6.into()]),
        "{rows:?}"
    );

    let query = format!("FROM http_archive_agents({crawl}, min_sites := 1)");
    let rows = ask(&dataset, &query, &["user_agent", "sites", "pct"]);
    let expected =
        serde_json::json!([["gptbot", 2, 0.333_333], ["name with spaces", 2, 0.333_333],]);
    assert_eq!(serde_json::json!(rows), expected);

    let query = format!("FROM http_archive_sizes({crawl})");
    let columns = [
        "sites",
        "pct_0",
        "pct_0_100",
        "pct_gt500",
        "pct_missing",
        "count_missing",
    ];
    let rows = ask(&dataset, &query, &columns);
    let expected = serde_json::json!([[6, 0.166_667, 0.333_333, 0.0, 0.5, 3]]);
    assert_eq!(serde_json::json!(rows), expected);
}
