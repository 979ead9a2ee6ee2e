//! `robostat diff`: what a change means, as people read it and scripts use it.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::support::mini_warc::MiniWarc;
use crate::support::program::{assert_contains, ingest, robostat, text};

const OLD: &str = "User-agent: *\nDisallow: /archive/\nDisallow: /*.pdf$\nCrawl-delay: 10\n\n\
                   User-agent: GPTBot\nDisallow: /\n\nSitemap: https://example.com/a.xml\n";
const NEW: &str = "User-agent: *\nDisallow: /private/\nAllow: /*.pdf\n\n\
                   User-agent: CCBot\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /a\nDisallow: /\n";

/// A directory with `old` and `new`.
fn files(old: &str, new: &str) -> TempDir {
    let directory = tempdir().expect("a directory");
    fs::write(directory.path().join("old"), old).expect("space");
    fs::write(directory.path().join("new"), new).expect("space");
    directory
}

fn diff(directory: &TempDir, arguments: &[&str]) -> Output {
    let mut command = robostat(["diff"]);
    command.current_dir(directory.path()).args(arguments);
    command.output().expect("a program")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn each_crawler_has_its_class_and_reasons_in_words() {
    let directory = files(OLD, NEW);
    let output = diff(&directory, &["old", "new"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(
        stdout(&output),
        "\
old -> new

by rfc9309
CCBot: stricter
  - everything is now blocked: line 6 `Disallow: /` instead of no rule; for
    example /. Before, other rules decided for /archive/ and /*.pdf$
every other crawler: mixed
  - /private/ is now blocked: line 2 `Disallow: /private/` instead of no rule;
    for example /private/. Before, other rules decided for /private/*.pdf$
  - /*.pdf$ except /private/*.pdf$ is now allowed: line 3 `Allow: /*.pdf`
    instead of line 3 `Disallow: /*.pdf$`; for example /example.pdf
  - /archive/ is now allowed: no rule instead of line 2 `Disallow: /archive/`;
    for example /archive/
  - /archive/*.pdf is now allowed: line 3 `Allow: /*.pdf` instead of line 2
    `Disallow: /archive/`; for example /archive/example.pdf
GPTBot: nothing changes

other lines
crawl-delay for CCBot and every other crawler: 10 s -> none
- sitemap https://example.com/a.xml
"
    );
}

#[test]
fn the_exit_code_is_4_where_something_changes() {
    let directory = files(OLD, NEW);
    let code = |arguments: &[&str]| diff(&directory, arguments).status.code();
    assert_eq!(code(&["old", "new", "--exit-code"]), Some(4));
    assert_eq!(code(&["old", "new"]), Some(0));
    assert_eq!(
        code(&["old", "new", "--exit-code", "--agent", "GPTBot"]),
        Some(0)
    );
    assert_eq!(
        code(&["old", "old", "--exit-code", "--dialect", "all"]),
        Some(0)
    );
    assert_eq!(code(&["old", "no-such-file"]), Some(1));
    assert_eq!(code(&["old"]), Some(2));
    assert_eq!(code(&["-", "-"]), Some(2));
}

#[test]
fn json_has_every_class_reason_and_changed_url() {
    let directory = files(OLD, NEW);
    fs::write(
        directory.path().join("urls"),
        "/private/1\nhttps://e.example/x\n",
    )
    .expect("space");
    let arguments = ["old", "new", "--json", "--agent", "any", "--urls", "urls"];
    let answer: Value = serde_json::from_str(&stdout(&diff(&directory, &arguments))).expect("JSON");
    assert_eq!(
        (&answer["is_equal"], &answer["class"]),
        (&false.into(), &"mixed".into())
    );
    let comparison = &answer["comparisons"][0];
    assert_eq!(comparison["class"], "mixed");
    assert_eq!(comparison["crawlers"], json!(["any"]));
    assert_eq!(
        comparison["reasons"][0],
        json!({
            "direction": "blocked",
            "old": null,
            "new": { "line": 2, "rule": "disallow: /private/" },
            "patterns": ["/private/"],
            "except": [],
            "already": ["/private/*.pdf$"],
            "has_all_exceptions": true,
            "example": "/private/",
        })
    );
    assert_eq!(
        comparison["changed_urls"],
        json!([{ "url": "/private/1", "allowed": false }])
    );
    assert_eq!(
        answer["sitemaps"]["removed"],
        json!(["https://example.com/a.xml"])
    );
}

#[test]
fn dialects_that_agree_are_shown_together() {
    let directory = files(
        "User-agent: *\nDisallow: /x\n",
        "User-agent: *\nDisallow: /x*\n",
    );
    let out = stdout(&diff(&directory, &["old", "new", "--dialect", "all"]));
    assert_contains(
        &out,
        &["by rep1994, koster1996, conner1996\nevery crawler: looser"],
    );
    assert_contains(
        &out,
        &["by rep2019, rfc9309, google\nevery crawler: nothing changes"],
    );
}

#[test]
fn two_answers_of_a_host_are_compared() {
    let directory = tempdir().expect("a directory");
    let url = "https://example.com/robots.txt";
    let answers = [
        ("2024-01-05", 200, OLD),
        ("2024-06-01", 200, NEW),
        ("2025-01-01", 503, ""),
        ("2025-02-01", 404, ""),
    ];
    for (date, status, body) in answers {
        let input = directory.path().join(format!("{date}.warc"));
        let crawl = MiniWarc::new().on(date).answer(url, status, body);
        fs::write(&input, crawl.bytes()).expect("space");
        let options = ["--subset", "robotstxt", "--crawl", date];
        ingest(&options, &input, &directory.path().join("out"), 0);
    }
    let compare = |dates: &[&str]| {
        let arguments = [&["out", "--host", "example.com"], dates].concat();
        diff(&directory, &arguments)
    };
    let out = stdout(&compare(&["--from", "2024-01", "--to", "2024"]));
    assert!(out.contains("every other crawler: mixed"), "{out}");
    // A dataset has no lines of the file, so the output has no line numbers.
    assert!(
        out.contains("\n\nby rfc9309\n") && !out.contains("line 2"),
        "{out}"
    );
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    // A site without a file allows everything.
    let out = stdout(&compare(&["--to", "2025-02"]));
    assert_contains(&out, &["status 404, no file", "GPTBot: looser"]);
    // A server error forbids everything by RFC 9309, and is not an answer to the draft of 1996.
    let out = stdout(&compare(&["--to", "2025-01"]));
    assert_contains(
        &out,
        &["status 503, no file", "every other crawler: stricter"],
    );
    let koster = compare(&["--to", "2025-01", "--dialect", "koster1996"]);
    assert_contains(
        &stdout(&koster),
        &["2024-06-01", "every other crawler: mixed"],
    );
    let early = compare(&["--from", "2023"]);
    assert_eq!(early.status.code(), Some(1));
    assert_contains(&text(&early), &["its first answer is of 2024-01-05"]);
}

#[test]
fn two_captures_in_an_archive_are_compared() {
    let url = "https://example.com/robots.txt";
    let info = MiniWarc::new;
    let offsets = [
        info(),
        info().answer(url, 200, OLD),
        info().answer(url, 200, OLD).answer(url, 404, ""),
    ];
    let [first, second, third] = offsets.map(|before| format!("a.warc@{}", before.bytes().len()));
    let crawl = MiniWarc::new()
        .answer(url, 200, OLD)
        .answer(url, 404, "")
        .redirect(url, "https://example.com/x");
    let directory = files(OLD, NEW);
    fs::write(directory.path().join("a.warc"), crawl.bytes()).expect("space");
    let output = diff(&directory, &[&first, "old", "--exit-code"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let out = stdout(&diff(&directory, &[&first, &second]));
    let lost = "GPTBot: looser\n  - everything is now allowed: status 404 instead of line 7";
    assert_contains(&out, &["(status 404, no file)", lost]);
    let redirect = diff(&directory, &[&first, &third]);
    assert_eq!(redirect.status.code(), Some(1));
    assert_contains(&text(&redirect), &["by rfc9309, this answer says nothing"]);
    let whole = diff(&directory, &["a.warc", "old"]);
    assert_eq!(whole.status.code(), Some(1));
    assert_contains(&text(&whole), &["a.warc@OFFSET"]);
}

#[test]
fn one_file_by_two_dialects() {
    let body = "User-agent: *\nDisallow: /a\nAllow: /a/b\n\nUser-agent: x\nDisallow: /\n";
    let directory = files(body, "");
    let output = diff(
        &directory,
        &["old", "--json", "--dialect", "all", "--exit-code"],
    );
    assert_eq!(output.status.code(), Some(4));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["old_dialect"], "rfc9309");
    let comparisons = value["comparisons"].as_array().expect("comparisons");
    let found = comparisons.iter().map(|comparison| {
        let text = |key: &str| comparison[key].as_str().expect("text").to_owned();
        (
            text("dialect"),
            text("class"),
            comparison["every_other_crawler"] == true,
        )
    });
    let expected = [
        ("rep1994", "stricter", true),
        ("rep1994", "equal", false),
        ("koster1996", "stricter", true),
        ("koster1996", "equal", false),
        ("conner1996", "stricter", true),
        ("conner1996", "equal", false),
        ("rep2019", "equal", true),
        ("google", "equal", true),
    ];
    let expected =
        expected.map(|(dialect, class, others)| (dialect.to_owned(), class.to_owned(), others));
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let reason = &comparisons[0]["reasons"][0];
    assert_eq!(
        (&reason["example"], &reason["new"]["line"]),
        (&"/a/b".into(), &2.into())
    );

    assert_eq!(diff(&directory, &["old"]).status.code(), Some(2));
}
