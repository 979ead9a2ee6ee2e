//! `robostat demo`: from nothing to a report.

use std::fs;

use tempfile::tempdir;

use crate::support::program::{Run as _, assert_contains, robostat, text};

#[test]
fn the_demo_goes_from_nothing_to_a_report() {
    let folder = tempdir().expect("a folder");
    let output = robostat(["demo", "a demo"])
        .current_dir(folder.path())
        .output()
        .expect("a run");
    assert!(output.status.success(), "{}", text(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    // Every command as it can be typed, the result of the query, what to do next.
    for shown in [
        "$ robostat ingest --subset robotstxt 'a demo/crawl.warc.zst' 'a demo/out'\n",
        "$ robostat query 'a demo/out' ai-agents-most-blocked --set top=8\n",
        "│ GPTBot ",
        "$ robostat report 'a demo/out' -o 'a demo/report.html'\n",
        "Open a demo/report.html",
        "  robostat query 'a demo/out' -e 'FROM hosts LIMIT 5'\n",
        "  robostat ingest YOUR.warc.gz out/\n",
    ] {
        assert!(printed.contains(shown), "{shown}\n{printed}");
    }
    assert_contains(&text(&output), &["captures   359 ("]);
    let report = fs::read_to_string(folder.path().join("a demo/report.html")).expect("a report");
    assert!(report.contains("</html>"));

    let errors = robostat(["demo", "a demo"])
        .current_dir(folder.path())
        .fail(1);
    assert!(errors.contains("a demo: the directory is not empty; remove it, or name"));
}

#[test]
fn without_duckdb_the_crawl_is_ingested_and_the_rest_is_told() {
    let folder = tempdir().expect("a folder");
    let output = robostat(["demo"])
        .current_dir(folder.path())
        .env("ROBOSTAT_DUCKDB", "/nowhere/duckdb")
        .output()
        .expect("a run");
    assert_eq!(output.status.code(), Some(1));
    assert_contains(&text(&output), &["pip install duckdb-cli"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    let next =
        "go on with:\n  robostat query robostat-demo/out ai-agents-most-blocked --set top=8\n";
    assert!(printed.contains(next), "{printed}");
    robostat(["verify", "robostat-demo/out"])
        .current_dir(folder.path())
        .succeed();
}
