//! The derived tables: what DuckDB makes of the captures by other means, row for row, whatever way
//! the dataset has become what it is.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::inputs::{copy, split_sample};
use crate::support::mini_warc::{MiniWarc, robots};
use crate::support::program::{Run as _, ingest, robostat, text};

/// The definitions in SQL.
const BY_SQL: &str = include_str!("derived.sql");
/// Columns that both have.
const COLUMNS: &str = "crawl, input_id, warc_filename, warc_record_offset, \
    warc_record_inner_offset, url, origin, url_protocol, url_host_name, url_host_tld, \
    url_host_registered_domain, url_port, fetch_time, fetch_status, fetch_redirect_url, \
    n_redirects, ended, final_url, final_status, file_id, policy_id";

/// Compares the tables of a dataset with the definitions in SQL; returns the rows of each.
#[track_caller]
fn compare(out: &Path) -> Vec<u64> {
    let views = out.join("views.sql");
    let compare = |table: &str, more: &str| {
        let by_sql = format!("{table}_by_sql");
        let both = format!(
            "(SELECT {COLUMNS}{more} FROM {table} EXCEPT ALL SELECT {COLUMNS}{more} FROM {by_sql})
             UNION ALL BY NAME
             (SELECT {COLUMNS}{more} FROM {by_sql} EXCEPT ALL SELECT {COLUMNS}{more} FROM {table})"
        );
        format!("SELECT '{table}', * FROM ({both});\n")
    };
    let differences = [
        compare("resolved", ", is_latest"),
        compare("origins", ", response_class, n_captures"),
        compare("hosts", ", response_class, n_captures"),
    ];
    let sql = format!("{BY_SQL}\n{}", differences.concat());
    let lines = duckdb::lines(&views, &sql);
    assert!(lines.is_empty(), "{}", lines.join("\n"));

    let derived = "
        SELECT table_name, url_host_name FROM derived
        LEFT JOIN files USING (file_id) LEFT JOIN policies ON policies.policy_id = derived.policy_id
        WHERE response_class <> response_class(final_status, derived.file_id)
            OR is_settled <> (
                derived.policy_id IS NOT NULL OR coalesce(final_status = 204, false)
                OR response_class(final_status, derived.file_id) = 'allow_all'
            )
            OR has_rules <> coalesce(policies.n_rules > 0, false)
            OR has_lines <> coalesce(content_class IN ('rules', 'no_rules') OR policies.n_rules > 0, false)
            OR domain IS DISTINCT FROM coalesce(url_host_registered_domain, url_host_name)
            OR url_host_name_reversed IS DISTINCT FROM if(
                url_host_tld IS NULL,
                url_host_name,
                array_to_string(list_reverse(string_split(url_host_name, '.')), '.')
            )";
    let union = "CREATE TEMP VIEW derived AS
        SELECT 'resolved' AS table_name, * FROM resolved UNION ALL BY NAME
        SELECT 'origins' AS table_name, * FROM origins UNION ALL BY NAME
        SELECT 'hosts' AS table_name, * FROM hosts;\n";
    let wrong = duckdb::lines(&views, &format!("{union}{derived}"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    // A number belongs to one domain of a crawl, and every domain with several hosts has a number.
    let misnumbered = "
        SELECT crawl, domain, list(DISTINCT domain_number) FROM hosts GROUP BY ALL
        HAVING count(DISTINCT domain_number) > 1 OR (count(*) > 1 AND count(domain_number) < count(*));
        SELECT crawl, domain_number, list(DISTINCT domain) FROM hosts WHERE domain_number IS NOT NULL
        GROUP BY ALL HAVING count(DISTINCT domain) > 1";
    let misnumbered = duckdb::lines(&views, misnumbered);
    assert!(misnumbered.is_empty(), "{}", misnumbered.join("\n"));

    // In the order that the tables promise.
    let unordered = "
        SELECT count(*) FROM (
            SELECT
                (coalesce(url_host_name_reversed, ''), origin, -epoch_us(fetch_time)) AS place,
                lag(place) OVER (ORDER BY filename, file_row_number) AS before,
                filename,
                lag(filename) OVER (ORDER BY filename, file_row_number) AS filename_before
            FROM read_parquet(dataset_path('resolved/*/*.parquet'), file_row_number = true, filename = true)
        ) WHERE filename = filename_before AND place < before";
    assert_eq!(duckdb::lines(&views, unordered), ["0"]);

    let counts =
        "SELECT count(*) FROM resolved; SELECT count(*) FROM origins; SELECT count(*) FROM hosts;";
    let counts = duckdb::lines(&views, counts);
    counts
        .iter()
        .map(|count| count.parse().expect("a count"))
        .collect()
}

#[track_caller]
fn verify(out: &Path) {
    robostat(["verify"]).arg(out).succeed();
}

/// A crawl with every way in which a chain of redirects can end, and hosts that are hard to name.
fn strange_crawl() -> MiniWarc {
    let rules = "User-agent: *\nDisallow: /\n";
    let mut warc = MiniWarc::new()
        .redirect(&robots("a.example"), &robots("b.example"))
        .redirect(&robots("b.example"), &robots("a.example"))
        .redirect(&robots("self.example"), &robots("self.example"))
        .redirect(&robots("cookie.example"), &robots("cookie.example"))
        .file("cookie.example", rules)
        .redirect(&robots("gone.example"), &robots("nowhere.example"))
        .response(&robots("silent.example"), 302, "", "")
        .response(&robots("odd.example"), 304, "Location: /elsewhere\r\n", "")
        .redirect(&robots("kept.example"), &robots("fresh.example"))
        .response(
            &robots("fresh.example"),
            304,
            &format!("Location: {}\r\n", robots("query.example")),
            "",
        )
        .redirect(&robots("query.example"), "/robots.txt?a=b&c")
        .answer("https://query.example/robots.txt?a=b&c", 200, rules)
        .redirect(
            &robots("upper.example"),
            "https://OTHER.example:443/a/../Home#part",
        )
        .answer("https://other.example/Home", 200, "<html>")
        .redirect(
            &robots("port.example"),
            "https://port.example:8443/robots.txt",
        )
        .status("port.example:8443", 404)
        .answer("http://port.example/robots.txt", 200, rules)
        // The default port of another scheme is one like any other: the first by name counts.
        .file("ports.example:79", "")
        .file("ports.example:80", rules)
        .answer("http://192.0.2.1/robots.txt", 200, rules)
        .status("[2001:db8::1]:8080", 204)
        .file("www.203.0.113.7.1", rules)
        .file("www.203.0.113.7.1?", rules)
        .answer("http://./robots.txt", 200, rules)
        .answer("ftp://files.example/robots.txt", 200, rules)
        .file("b\u{fc}cher.example", "Sitemap: https://a/\n")
        .status("co.uk", 403)
        .status("www.example.co.uk", 429)
        .status("example.co.uk", 503)
        .file("empty.example", "")
        .file("html.example", "<html>User-agent: *\nDisallow: /x\n");
    for number in 0..7 {
        let hop = |number: u32| robots(&format!("hop-{number}.example"));
        warc = warc.redirect(&hop(number), &hop(number + 1));
    }
    warc.file("hop-7.example", rules)
}

#[test]
fn derived_tables_are_what_sql_makes_of_the_captures() {
    let dataset = strange_crawl().ingest();
    let rows = compare(&dataset.path());
    assert!(rows[0] > rows[1] && rows[1] > rows[2], "{rows:?}");
    verify(&dataset.path());

    let folder = crate::support::dataset::sample_dataset();
    let out = folder.path().join("out");
    let rows = compare(&out);
    assert!(rows[0] > rows[1] && rows[1] > rows[2], "{rows:?}");
    verify(&out);
}

#[test]
fn each_crawl_has_its_own_and_what_changes_is_made_anew() {
    let rules = "User-agent: *\nDisallow: /\n";
    let crawl = |label| {
        MiniWarc::of_crawl(label)
            .redirect(&robots("a.example"), &robots("b.example"))
            .file("c.example", rules)
    };
    // A redirect does not lead into another crawl, but into another input of its own.
    let answer = |day| {
        let warc = MiniWarc::new().on(day);
        warc.file("b.example", rules)
    };
    let dataset = MiniWarc::ingest_crawls([("one", crawl("one")), ("two", answer("2026-01-01"))]);
    let ended = || {
        let sql = "SELECT ended FROM resolved WHERE url_host_name = 'a.example'";
        dataset.lines(sql)
    };
    assert_eq!(ended(), ["not_captured"]);
    compare(&dataset.path());

    let more = dataset.path().with_file_name("more.warc");
    fs::write(&more, answer("2026-02-01").bytes()).expect("space");
    ingest(&["--crawl", "one"], &more, &dataset.path(), 0);
    assert_eq!(ended(), ["final"]);
    compare(&dataset.path());
    verify(&dataset.path());

    // The input goes to another crawl, and with it what the redirect led to.
    ingest(&["--crawl", "three", "--force"], &more, &dataset.path(), 0);
    assert_eq!(ended(), ["not_captured"]);
    compare(&dataset.path());
    verify(&dataset.path());
}

/// A run that ends between commits leaves a crawl whose derived tables are behind: to ask for
/// them is an error, other crawls answer, and the next run, or a compaction, makes them.
#[test]
fn a_crawl_that_is_behind_is_not_answered_from() {
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path(), 30);
    let out = directory.path().join("out");
    ingest(&["--crawl", "whole"], &inputs.join("00.warc.gz"), &out, 0);
    let mut child = robostat([
        "ingest",
        "--quiet",
        "--commit-every",
        "1",
        "--crawl",
        "behind",
    ])
    .args([&inputs, &out])
    .stderr(Stdio::null())
    .spawn()
    .expect("a program");
    let commit = out.join("manifest/000003.json");
    while !commit.exists() && child.try_wait().expect("a process").is_none() {
        sleep(Duration::from_millis(1));
    }
    // SIGTERM: what is being committed is finished, or rolled back.
    let kill = Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.expect("a program").success(), "the run had ended");
    child.wait().expect("an end");

    let query = |sql: &str| {
        let mut command = robostat(["query"]);
        let output = command.arg(&out).args(["-e", sql]).output();
        let output = output.expect("a program");
        (output.status.code(), text(&output))
    };
    let (code, message) = query("SELECT count(*) FROM hosts");
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("captures of crawl behind"), "{message}");
    let (code, message) = query("SELECT count(*) FROM hosts WHERE crawl = 'whole'");
    assert_eq!(code, Some(0), "{message}");
    verify(&out);

    let compacted = directory.path().join("compacted");
    copy(&out, &compacted);
    robostat(["compact", "--quiet"]).arg(&compacted).succeed();
    compare(&compacted);
    verify(&compacted);

    ingest(&["--crawl", "behind"], &inputs, &out, 0);
    compare(&out);
    verify(&out);
}

/// Captures of many hosts, as crawled: `ROBOSTAT_CRAWL` names an archive.
#[test]
#[ignore = "needs an archive, which ROBOSTAT_CRAWL names"]
fn derived_tables_of_a_real_crawl_are_what_sql_makes() {
    let crawl = std::env::var("ROBOSTAT_CRAWL").expect("ROBOSTAT_CRAWL names an archive");
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(&["--subset", "robotstxt"], Path::new(&crawl), &out, 0);
    assert!(compare(&out).iter().all(|rows| *rows > 0));
    verify(&out);
}
