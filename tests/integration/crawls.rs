//! Crawls in time: their order, their names in answers, and what changes from one to the next.

use std::fmt::Write as _;

use robostat::internals::shipped;
use serde_json::Value;

use crate::support::mini_warc::{Dataset, MiniWarc};
use crate::support::program::{assert_contains, robostat};

const OPEN: &str = "User-agent: *\nDisallow: /a\n";
const NO_GPTBOT: &str = "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /\n";

/// A month of hosts numbered from `first` on, of which the first `blocking` block GPTBot.
fn month(day: &str, first: u32, hosts: u32, blocking: u32) -> MiniWarc {
    let numbers = first..first + hosts;
    numbers.fold(MiniWarc::new().on(day), |warc, number| {
        let body = if number < first + blocking {
            NO_GPTBOT
        } else {
            OPEN
        };
        warc.file(&format!("site{number}.example"), body)
    })
}

/// Values of a column in the rows of a statement, as text.
#[track_caller]
fn column(dataset: &Dataset, statement: &str, column: &str) -> Vec<String> {
    let rows = dataset.rows(statement);
    let text = |row: &Value| match &row[column] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    rows.iter().map(text).collect()
}

const PANEL: &str = "FROM agent_panel(agents := ['gptbot'])";
const SERIES: &str = "FROM agent_restrictions_over_time(agents := ['gptbot'])";

#[test]
fn crawls_are_ordered_by_the_time_of_their_captures() {
    for (earlier, later) in [("july", "august"), ("2026-9", "2026-10")] {
        // The later month comes first, and by name it is the first too.
        let dataset = MiniWarc::ingest_crawls([
            (later, month("2026-08-01", 0, 40, 24)),
            (earlier, month("2026-07-01", 0, 40, 4)),
        ]);
        let both = [earlier, later];
        assert_eq!(column(&dataset, "FROM crawls", "label"), both);
        assert_eq!(column(&dataset, SERIES, "crawl"), both);
        assert_eq!(column(&dataset, SERIES, "pct_full"), ["10.0", "60.0"]);
        assert_eq!(column(&dataset, PANEL, "crawl_before"), [earlier]);
        assert_eq!(column(&dataset, PANEL, "crawl"), [later]);
        assert_eq!(column(&dataset, PANEL, "change"), ["50.0"]);
        let steps = "FROM restrictions_added_and_removed(agents := ['gptbot'])";
        assert_eq!(column(&dataset, steps, "full_added"), ["null", "20"]);
        let last = "FROM status_classes()";
        assert_eq!(column(&dataset, last, "crawl"), [later]);
        for series in [
            "FROM key_shares() WHERE measure = 'answered'",
            "FROM redirects_over_time()",
        ] {
            assert_eq!(column(&dataset, series, "crawl"), both, "{series}");
        }
    }
}

#[test]
fn a_stray_capture_does_not_reverse_two_months() {
    let stray = month("2026-07-01", 0, 5, 0)
        .on("2031-01-01")
        .file("late.example", OPEN);
    let dataset =
        MiniWarc::ingest_crawls([("july", stray), ("august", month("2026-08-01", 0, 5, 0))]);
    assert_eq!(column(&dataset, "FROM crawls", "label"), ["july", "august"]);
}

#[test]
fn crawls_that_overlap_in_time_carry_a_note() {
    let dataset = MiniWarc::ingest_crawls([
        ("july", month("2026-07-01", 0, 40, 4)),
        ("august", month("2026-07-01", 0, 40, 24)),
    ]);
    let note = "captures of august and july overlap in time";
    assert_eq!(column(&dataset, PANEL, "note"), [note]);
    assert_eq!(
        column(&dataset, SERIES, "note"),
        [
            "captures of august overlap in time with captures of july",
            "captures of july overlap in time with captures of august"
        ]
    );
    let apart = MiniWarc::ingest_crawls([
        ("july", month("2026-07-01", 0, 40, 4)),
        ("august", month("2026-08-01", 0, 40, 24)),
    ]);
    assert_eq!(column(&apart, SERIES, "note"), ["null", "null"]);
}

#[test]
fn a_change_needs_hosts_that_both_crawls_have() {
    let month_of_july = || month("2026-07-01", 0, 40, 4);
    let cases = [
        (
            MiniWarc::ingest_crawls([("july", month_of_july())]),
            "it is the first crawl",
        ),
        (
            MiniWarc::ingest_crawls([
                ("july", month_of_july()),
                ("august", month("2026-08-01", 500, 40, 24)),
            ]),
            "no host answered conclusively in both crawls",
        ),
        (
            MiniWarc::ingest_crawls([
                ("july", month_of_july()),
                ("august", month("2026-08-01", 30, 40, 24)),
            ]),
            "only 10 hosts answered conclusively in both crawls, fewer than 30",
        ),
        (
            MiniWarc::ingest_crawls([
                ("july", month("2026-07-01", 0, 400, 4)),
                ("august", month("2026-08-01", 365, 400, 24)),
            ]),
            "only 35 hosts answered conclusively in both crawls, less than 10% of the smaller crawl",
        ),
    ];
    for (dataset, reason) in cases {
        let note = format!("no claim about a change: {reason}");
        assert_eq!(column(&dataset, PANEL, "note"), [note]);
        for figure in ["change", "change_low", "pct_full_before", "pct_full"] {
            assert_eq!(column(&dataset, PANEL, figure), ["null"], "{reason}");
        }
    }
}

#[test]
fn years_before_a_crawler_was_announced_carry_a_note() {
    let dataset = MiniWarc::ingest_crawls([
        ("2021", month("2021-03-01", 0, 5, 1)),
        ("2026", month("2026-03-01", 0, 5, 1)),
    ]);
    let note = "before the crawler was announced in 2023-08";
    for query in ["agent_restrictions_over_time", "agent_adoption_over_time"] {
        let statement = format!("FROM {query}(agents := ['gptbot'])");
        assert_eq!(
            column(&dataset, &statement, "note"),
            [note, "null"],
            "{query}"
        );
    }
    for query in ["agent_restrictions_by_month", "agent_first_appearances"] {
        let statement = format!("FROM {query}(agents := ['gptbot']) WHERE month = '2021-03'");
        assert_eq!(column(&dataset, &statement, "note"), [note], "{query}");
    }
}

/// A query of one crawl has the note too, whatever it counts. A day on which a list first named a
/// crawler is no day of an announcement.
#[test]
fn a_crawl_before_a_crawler_was_known_carries_a_note_in_every_query() {
    const NO_BOT: &str = "\n\nUser-agent: FacebookBot\nDisallow: /\nCrawl-delay: 2\n";
    let hosts = (0..6).fold(month("2021-03-01", 0, 6, 6), |warc, number| {
        let url = format!("https://other{number}.example/robots.txt");
        warc.answer(&url, 200, &format!("{NO_GPTBOT}{NO_BOT}"))
    });
    let dataset = MiniWarc::ingest_crawls([("2021", hosts)]);
    let mut script = String::new();
    for query in shipped::all() {
        let takes = |parameter: &str| query.parameter(parameter).is_some();
        // agent-panel has the notes of the crawl before; probes of hosts have none.
        if takes("agents") && takes("crawl") && !takes("ranks") && !takes("before") {
            let name = query.macro_name();
            let _ = writeln!(
                script,
                "SELECT '{name}', to_json(answer)::VARCHAR \
                 FROM {name}(agents := ['gptbot', 'facebookbot']) AS answer;"
            );
        }
    }
    let mut told = std::collections::BTreeSet::new();
    for line in dataset.lines(&script) {
        let (name, row) = line.split_once('|').expect("a name and a row");
        let row: Value = serde_json::from_str(row).expect("JSON");
        let note = row["note"].as_str().unwrap_or_default();
        let expected = match row["product_token"].as_str() {
            Some("gptbot") => "before the crawler was announced in 2023-08",
            Some("facebookbot") => {
                "before 2024-03, when a public list first named the crawler; it may be older"
            }
            _ => continue,
        };
        assert!(note.contains(expected), "{name}: {row}");
        told.insert(name.to_owned());
    }
    assert!(told.len() >= 12, "{told:?}");
}

/// Standard output and standard error of the program, which must succeed.
#[track_caller]
fn run(command: &str, dataset: &Dataset, arguments: &[&str]) -> (String, String) {
    let output = robostat([command])
        .arg(dataset.path())
        .args(arguments)
        .output()
        .expect("a run");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    (String::from_utf8_lossy(&output.stdout).into_owned(), errors)
}

#[test]
fn a_query_is_about_the_last_crawl_or_the_chosen_one() {
    let dataset = MiniWarc::ingest_crawls([
        ("july", month("2026-07-01", 0, 7, 1)),
        ("august", month("2026-08-01", 0, 9, 1)),
    ]);
    let csv = ["status-classes", "--format", "csv"];
    let (answer, notes) = run("query", &dataset, &csv);
    assert!(
        answer
            .lines()
            .nth(1)
            .is_some_and(|row| row.contains(",9,captured,host,august,"))
    );
    assert_eq!(
        notes,
        "note: the answer is for the crawl august, the last of 2 in time; choose one with --crawl: \
         july, august\n"
    );
    let (answer, notes) = run(
        "query",
        &dataset,
        &[&csv[..], &["--crawl", "july"]].concat(),
    );
    assert!(
        answer
            .lines()
            .nth(1)
            .is_some_and(|row| row.contains(",7,captured,host,july,"))
    );
    assert_eq!(notes, "");
    let refused = |arguments: &[&str], message: &str| {
        let output = robostat(["query"])
            .arg(dataset.path())
            .args(arguments)
            .output()
            .expect("a run");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(message), "{errors}");
    };
    refused(
        &["status-classes", "--crawl", "may"],
        "there is no crawl may; the dataset has july, august",
    );
    refused(
        &["status-classes", "--crawl", "july", "--set", "crawl=july"],
        "not both",
    );
    refused(&["-e", "SELECT 1", "--crawl", "july"], "shipped queries");
}

#[test]
fn a_report_is_about_the_last_crawl_or_the_chosen_one() {
    let dataset = MiniWarc::ingest_crawls([
        ("july", month("2026-07-01", 0, 40, 4)),
        ("august", month("2026-08-01", 0, 40, 24)),
    ]);
    let markdown = ["--format", "markdown", "-o", "-"];
    let (report, notes) = run("report", &dataset, &markdown);
    assert_contains(
        &report,
        &["More websites block GPTBot: 60.0%, up from 10.0%"],
    );
    assert_contains(&notes, &["about the crawl august, the last of 2 in time"]);
    let (report, _) = run(
        "report",
        &dataset,
        &[&markdown[..], &["--crawl", "july"]].concat(),
    );
    assert!(!report.contains("august"), "{report}");
    assert!(report.contains("the dataset has one crawl"), "{report}");
}

#[test]
fn a_report_without_common_hosts_claims_no_change() {
    let dataset = MiniWarc::ingest_crawls([
        ("july", month("2026-07-01", 0, 40, 4)),
        ("august", month("2026-08-01", 500, 40, 24)),
    ]);
    let (report, _) = run("report", &dataset, &["--format", "markdown", "-o", "-"]);
    assert!(!report.contains("websites block GPTBot: "), "{report}");
    let reason = "no host gave a usable answer in both crawls";
    assert!(report.contains(reason), "{report}");
}
