//! `robostat diff DATASET`: the table `policy_diffs`. tests/cases/policy_diffs.md has more.

use crate::support::mini_warc::{MiniWarc, robots};
use crate::support::program::{Run as _, robostat};

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

/// The program and the view take every answer alike, by every dialect.
#[test]
fn the_view_has_the_pairs_of_the_table() {
    let host = robots("f.example");
    let mut crawl = changes().on("2026-01-07").answer(&host, 200, ONE);
    for status in STATUSES {
        crawl = crawl.answer(&host, status, "").answer(&host, 200, TWO);
    }
    let dataset = crawl.ingest();
    let out = dataset.path();
    let mut diff = robostat(["diff", "--quiet", "--dialect", "all"]);
    diff.arg(&out).succeed();
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
            assert_eq!(dataset.lines(&sql), [""; 0], "{dialect}");
        }
    }
    let banned = "SELECT dialect, count(DISTINCT policy_id_before) FROM policy_diffs
        WHERE access_after = 'disallow_all' AND access_before = 'parse' GROUP BY dialect ORDER BY ALL";
    // By koster1996, site d with ONE is banned by 403 too.
    assert_eq!(
        dataset.lines(banned),
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
