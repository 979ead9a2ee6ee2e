//! `robostat diff DATASET`: the table `policy_diffs`, and the queries on it.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::dataset::text;
use crate::support::duckdb;
use crate::support::mini_warc::{MiniWarc, robots};
use crate::support::program::{code_and_stdout, ingest, robostat};

const ONE: &str = "User-agent: *\nDisallow: /x\n";
const TWO: &str = "User-agent: *\nDisallow: /x\nDisallow: /y\n\nUser-agent: GPTBot\nDisallow: /\n";
/// The same as [`TWO`] in other words.
const THREE: &str = "User-agent: gptbot\nDisallow: /*\n\nUser-agent: *\nDisallow: /y\nDisallow: /x\nDisallow: /x/z\n";

/// Statuses that dialects take differently.
const STATUSES: [u16; 14] = [
    200, 204, 304, 302, 401, 403, 404, 408, 425, 429, 500, 503, 599, 999,
];

/// Five sites over three months.
fn changes() -> MiniWarc {
    MiniWarc::new()
        .on("2026-01-05")
        .file("a.example", ONE)
        .file("b.example", ONE)
        .file("c.example", TWO)
        .file("d.example", ONE)
        .file("e.example", ONE)
        .on("2026-02-05")
        .file("a.example", TWO)
        .file("b.example", TWO)
        .file("c.example", THREE)
        .status("d.example", 403)
        .redirect(&robots("e.example"), "https://elsewhere.example/robots.txt")
        .on("2026-03-05")
        .status("a.example", 404)
        .status("a.example", 503)
        .file("a.example", ONE)
        .file("d.example", ONE)
        .file("e.example", ONE)
}

/// A directory with a dataset `out` of a crawl.
fn dataset(crawl: &MiniWarc) -> TempDir {
    let directory = TempDir::new().expect("a directory");
    add(&directory, crawl, "one", "out");
    directory
}

/// Adds a crawl to a dataset in the directory.
fn add(directory: &TempDir, crawl: &MiniWarc, label: &str, out: &str) {
    let input = directory.path().join(format!("{label}.warc"));
    fs::write(&input, crawl.bytes()).expect("space");
    let options = ["--subset", "robotstxt", "--crawl", label];
    ingest(&options, &input, &directory.path().join(out), 0);
}

#[track_caller]
fn diff(out: &Path, more: &[&str]) -> Value {
    let arguments = [&["diff", text(out), "--json"], more].concat();
    let (code, stdout) = code_and_stdout(&arguments, b"");
    assert_eq!(code, Some(0));
    serde_json::from_str(&stdout).expect("JSON")
}

#[track_caller]
fn lines(out: &Path, sql: &str) -> Vec<String> {
    duckdb::lines(&out.join("views.sql"), sql)
}

#[test]
fn every_pair_is_compared_once_for_every_crawler() {
    let directory = dataset(&changes());
    let out = directory.path().join("out");
    let summary = diff(&out, &[]);
    assert_eq!(
        (&summary["pairs"], &summary["rows"]),
        (&7.into(), &10.into())
    );
    let sql =
        "SELECT before.policy, after.policy, access_before, access_after, product_token, class,
            witness_blocked, witness_opened, is_exact
        FROM policy_diffs
        LEFT JOIN named AS before ON before.policy_id = policy_id_before
        LEFT JOIN named AS after ON after.policy_id = policy_id_after
        ORDER BY ALL NULLS LAST";
    let named = "CREATE TEMP TABLE named AS SELECT policy_id,
        CASE n_rules WHEN 1 THEN 'one' WHEN 3 THEN 'two' ELSE 'three' END AS policy FROM policies;";
    assert_eq!(
        lines(&out, &format!("{named} {sql}")),
        [
            "one|two|parse|parse|*|stricter|/y|NULL|true",
            "one|two|parse|parse|gptbot|stricter|/|NULL|true",
            "one|NULL|parse|allow_all|*|looser|NULL|/x|true",
            "two|three|parse|parse|*|equal|NULL|NULL|true",
            "two|three|parse|parse|gptbot|equal|NULL|NULL|true",
            "two|NULL|parse|allow_all|*|looser|NULL|/x|true",
            "two|NULL|parse|allow_all|gptbot|looser|NULL|/|true",
            "NULL|one|allow_all|parse|*|stricter|/x|NULL|true",
            "NULL|one|disallow_all|parse|*|looser|NULL|/|true",
            "NULL|NULL|allow_all|disallow_all|*|stricter|/|NULL|true",
        ]
    );
    let reasons = "SELECT to_json(reasons), has_all_reasons FROM policy_diffs
        WHERE product_token = '*' AND witness_blocked = '/y'";
    assert_eq!(
        lines(&out, reasons),
        [
            "[{\"direction\":\"blocked\",\"rule_before\":null,\"rule_after\":\"Disallow: /y\",\
             \"rule_index_before\":null,\"rule_index_after\":1,\"patterns\":[\"/y\"],\
             \"witness\":\"/y\"}]|true"
        ]
    );
}

#[test]
fn queries_count_the_edits() {
    let directory = dataset(&changes());
    let out = directory.path().join("out");
    let edits = "SELECT kind, effect, edits, pct_of_edits, n, domains, n_domains, note FROM edits() ORDER BY ALL";
    let not_compared = "run robostat diff on the dataset, with --dialect if not rfc9309";
    assert_eq!(
        lines(&out, edits),
        [
            format!("file added|not compared|1|100.0|1|1|1|{not_compared}"),
            format!("file removed|not compared|2|100.0|2|2|2|{not_compared}"),
            format!("policies|not compared|3|100.0|3|3|3|{not_compared}"),
            format!("server error|not compared|2|100.0|2|1|1|{not_compared}"),
        ]
    );
    diff(&out, &[]);
    let compared = [
        "file added|stricter|1|100.0|1|1|1|1.0",
        "file removed|looser|2|100.0|2|2|2|2.0",
        "policies|nothing|1|33.33|3|1|3|3.0",
        "policies|stricter|2|66.67|3|2|3|3.0",
        "server error|looser|1|50.0|2|1|1|1.0",
        "server error|stricter|1|50.0|2|1|1|1.0",
    ];
    let compared = compared.map(|row| {
        let (row, clusters) = row.rsplit_once('|').expect("a number");
        let why = "no interval: too few registrable domains count";
        format!("{row}|{why} ({clusters} of equal weight; 5 are needed)")
    });
    assert_eq!(lines(&out, edits), compared);
    let months = "SELECT product_token, month, edits, opened, closed, mixed, n_domains, note
        FROM openings_and_closings() ORDER BY ALL";
    assert_eq!(
        lines(&out, months),
        [
            "*|2026-02-01|3|0|2|0|3|NULL",
            "gptbot|2026-02-01|3|0|2|0|3|NULL",
        ]
    );
    // A capture that the table does not know yet.
    let later = MiniWarc::new().on("2026-04-05").file("b.example", "");
    add(&directory, &later, "two", "out");
    let unknown = lines(&out, "FROM edits() WHERE effect = 'not compared'");
    assert_eq!(unknown.len(), 1, "{unknown:?}");
    diff(&out, &[]);
    assert_eq!(
        lines(
            &out,
            "SELECT edits FROM edits() WHERE kind = 'policies' AND effect = 'looser'"
        ),
        ["1"]
    );
}

/// The program and the view take every answer alike, by every dialect.
#[test]
fn the_view_has_the_pairs_of_the_table() {
    let host = robots("f.example");
    let mut crawl = changes().on("2026-01-07").answer(&host, 200, ONE);
    for status in STATUSES {
        crawl = crawl.answer(&host, status, "").answer(&host, 200, TWO);
    }
    let directory = dataset(&crawl);
    let out = directory.path().join("out");
    diff(&out, &["--dialect", "all"]);
    for dialect in [
        "rep1994",
        "koster1996",
        "conner1996",
        "rep2019",
        "rfc9309",
        "google",
    ] {
        let columns = "policy_id_before, policy_id_after, access_before, access_after";
        let (edits, diffs) = (
            format!("SELECT {columns} FROM policy_edits('{dialect}')"),
            format!("SELECT {columns} FROM policy_diffs WHERE dialect = '{dialect}'"),
        );
        for sql in [
            format!("({edits} EXCEPT {diffs}) UNION ALL ({diffs} EXCEPT {edits})"),
            format!("FROM edits(by_dialect := '{dialect}') WHERE effect = 'not compared'"),
        ] {
            assert_eq!(lines(&out, &sql), [""; 0], "{dialect}");
        }
    }
    let banned = "SELECT dialect, count(DISTINCT policy_id_before) FROM policy_diffs
        WHERE access_after = 'disallow_all' AND access_before = 'parse' GROUP BY dialect ORDER BY ALL";
    // By koster1996, site d with ONE is banned by 403 too.
    assert_eq!(
        lines(&out, banned),
        [
            "conner1996|1",
            "google|1",
            "koster1996|2",
            "rep1994|1",
            "rep2019|1",
            "rfc9309|1"
        ]
    );
}

#[test]
fn the_table_is_part_of_the_dataset() {
    let directory = dataset(&changes());
    let out = directory.path().join("out");
    let [other, both] = ["other", "both"].map(|name| directory.path().join(name));
    diff(&out, &[]);
    let bytes = fs::read(out.join("policy_diffs.parquet")).expect("a table");
    let commits = || fs::read_dir(out.join("manifest")).expect("commits").count();
    let n_commits = commits();
    diff(&out, &[]);
    assert_eq!(commits(), n_commits, "nothing has changed");
    let verify = || code_and_stdout(&["verify", text(&out)], b"");
    let (code, report) = verify();
    assert_eq!(code, Some(0), "{report}");
    assert!(
        report.contains("policy_diffs is sound (10 rows)"),
        "{report}"
    );
    let card = [
        "export",
        text(&out),
        "--output",
        "-",
        "--for",
        "croissant",
        "--license",
        "CC0-1.0",
        "--name",
        "n",
    ];
    let (_, card) = code_and_stdout(&card, b"");
    assert!(card.contains("policy_diffs.parquet"), "{card}");
    // A merge makes it again, with the changes between the datasets.
    let later = MiniWarc::new().on("2026-04-05").file("b.example", ONE);
    add(&directory, &later, "two", "other");
    let merge = ["merge", text(&out), text(&other), "-q", "-o", text(&both)];
    assert_eq!(code_and_stdout(&merge, b"").0, Some(0));
    let rows = "SELECT count(*) FROM policy_diffs";
    assert_eq!(lines(&both, rows), ["12"]);
    // A damaged table is found, and made again.
    let mut damaged = bytes.clone();
    damaged[100] ^= 1;
    fs::write(out.join("policy_diffs.parquet"), damaged).expect("space");
    assert_eq!(verify().0, Some(3));
    diff(&out, &[]);
    assert_eq!(fs::read(out.join("policy_diffs.parquet")).ok(), Some(bytes));
}

#[test]
fn the_report_has_a_chapter() {
    let mut crawl = MiniWarc::new();
    for (day, bodies) in [("2026-01-05", [TWO, ONE]), ("2026-02-05", [THREE, TWO])] {
        crawl = crawl.on(day);
        for site in 0..30 {
            let body = bodies[usize::from(site >= 20)];
            crawl = crawl.file(&format!("site{site}.example"), body);
        }
    }
    let directory = dataset(&crawl);
    let out = directory.path().join("out");
    let report = || {
        let output = robostat([
            "report",
            "--sections",
            "edits",
            "--format",
            "markdown",
            "-o",
            "-",
        ])
        .env("ROBOSTAT_DUCKDB", duckdb::program())
        .arg(&out)
        .output();
        String::from_utf8(output.expect("a program").stdout).expect("UTF-8")
    };
    let left_out = report();
    assert!(!left_out.contains("of 30 edits"), "{left_out}");
    diff(&out, &[]);
    let compared = report();
    for said in [
        "67% of edits change nothing for any crawler",
        "95% interval 48–83%: 20 of 30 edits from one file to another on 30 websites, in ",
        "33% of edits only close paths.",
        "No edits only open paths to ",
        ", 10 only close paths",
    ] {
        assert!(compared.contains(said), "{said}: {compared}");
    }
}

#[test]
fn options_for_two_files_are_refused() {
    let directory = dataset(&changes());
    let out = directory.path().join("out");
    for option in [&["--agent", "x"][..], &["--exit-code"], &["--urls", "list"]] {
        let output = robostat(["diff"]).arg(&out).args(option).output();
        assert_eq!(
            output.expect("a program").status.code(),
            Some(2),
            "{option:?}"
        );
    }
}
