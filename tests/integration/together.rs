//! Queries of several datasets: their answers are those of the merged dataset.

use std::path::PathBuf;
use std::process::Output;

use robostat::analysis::query::shipped;

use crate::support::duckdb;
use crate::support::mini_warc::{Dataset, MiniWarc};
use crate::support::program::robostat;

const FILES: [&str; 3] = [
    "User-agent: GPTBot\nDisallow: /\n",
    "User-agent: *\nDisallow: /a\nSitemap: https://a.example/s.xml\n",
    "User-agent: GPTBot\nAllow: /\nUser-agent: CCBot\nDisallow: /b*\nCrawl-delay: 3\n",
];

/// A crawl of nine hosts, whose files turn round from crawl to crawl: every crawl has all of them.
fn crawl(label: &str, turn: usize) -> Dataset {
    let hosts = (0..9).fold(MiniWarc::new(), |warc, number| {
        let url = format!("https://h{number}.d{}.example/robots.txt", number % 5);
        warc.answer(&url, 200, FILES[(number + turn) % 3])
    });
    MiniWarc::ingest_crawls([(label, hosts)])
}

fn query(datasets: &[PathBuf], arguments: &[&str]) -> Output {
    let mut command = robostat(["query"]);
    command.args(datasets).args(arguments);
    command.env("ROBOSTAT_DUCKDB", duckdb::program());
    command.output().expect("a run")
}

#[test]
fn several_datasets_answer_as_their_merge_does() {
    let crawls = [crawl("one", 0), crawl("two", 1), crawl("three", 2)];
    let datasets: Vec<PathBuf> = crawls.iter().map(Dataset::path).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let merged = folder.path().join("merged");
    let mut merge = robostat(["merge", "--quiet", "--output"]);
    let status = merge.arg(&merged).args(&datasets).status();
    assert!(status.expect("a run").success());
    let merged = [merged];
    // Every table, its rows counted and its columns read.
    let tables =
        "SELECT (SELECT count(*) FROM files) AS files, (SELECT sum(policy_id) FROM policies)
        AS policies, (SELECT count(*) FROM rules) AS rules, (SELECT count(*) FROM agents) AS agents,
        (SELECT count(*) FROM inputs) AS inputs, (SELECT count(*) FROM sitemaps) AS sitemaps,
        (SELECT count(*) FROM hosts) AS hosts, (SELECT count(*) FROM directives) AS directives";
    let mut asked = vec![vec!["-e", tables]];
    for query in shipped::all() {
        let needs_a_list = ["ranks", "labels"]
            .iter()
            .any(|it| query.parameter(it).is_some());
        // Each starts DuckDB twice; all of them were compared on real crawls once.
        if !needs_a_list && query.parameter("crawl").is_some() {
            asked.push(vec![query.name, "--each-crawl"]);
        } else if !needs_a_list {
            asked.push(vec![query.name]);
        }
    }
    for arguments in asked.iter().step_by(7) {
        let arguments = [arguments.as_slice(), &["--format", "csv"]].concat();
        let (found, expected) = (query(&datasets, &arguments), query(&merged, &arguments));
        let errors = String::from_utf8_lossy(&found.stderr);
        assert!(found.status.success(), "{arguments:?}: {errors}");
        assert_eq!(found.stdout, expected.stdout, "{arguments:?}");
    }
    let csv = query(&datasets, &["-e", tables, "--format", "csv"]).stdout;
    let csv = String::from_utf8(csv).expect("UTF-8");
    let row = csv.lines().nth(1).expect("a row");
    assert!(row.starts_with("3,") && row.contains(",3,1,27,"), "{csv}");
}

#[test]
fn a_crawl_in_two_datasets_is_refused() {
    let (one, other) = (crawl("one", 0), crawl("one", 1));
    let paths = [one.path(), other.path()];
    let output = query(&paths, &["corpus"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("has the crawl one") && errors.contains("robostat merge"),
        "{errors}"
    );
}
