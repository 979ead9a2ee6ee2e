//! `robostat history`: what a site answered, as a user asks for it.

use std::fs;

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::support::duckdb;
use crate::support::mini_warc::MiniWarc;
use crate::support::program::{assert_contains, ingest, robostat, text};

/// Three crawls of a host and its relations.
fn dataset() -> TempDir {
    let directory = tempdir().expect("a directory");
    let first = "User-agent: *\nDisallow: /private/\n\nSitemap: https://example.com/a.xml\n";
    let comment =
        "# new\nUser-agent: *\nDisallow: /private/\n\nSitemap: https://example.com/b.xml\n";
    let blocked = "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\n\
                   Crawl-delay: 5\nDisallow: /private/\nAllow: /private/open\n";
    let loosened = "User-agent: GPTBot\nDisallow: /private/\n\nUser-agent: *\nCrawl-delay: 5\n\
                    Disallow: /private/\nAllow: /private/open\n";
    let url = "https://example.com/robots.txt";
    let crawls = [
        MiniWarc::new()
            .on("2026-01-01")
            .redirect("http://example.com/robots.txt", url)
            .answer(url, 200, first)
            .answer(url, 200, comment)
            .status("www.example.com", 404)
            .file("shop.example.com:8443", first)
            .answer("http://192.0.2.1/robots.txt", 200, first)
            .file("b\u{fc}cher.example", first),
        MiniWarc::new()
            .on("2026-02-01")
            .answer(url, 503, "")
            .answer(url, 200, blocked),
        MiniWarc::new()
            .on("2026-03-01")
            .answer(url, 200, loosened)
            .answer(url, 200, loosened)
            .answer(url, 404, ""),
    ];
    for (number, crawl) in (1..).zip(crawls) {
        let input = directory.path().join(format!("{number}.warc"));
        fs::write(&input, crawl.bytes()).expect("space");
        let label = format!("2026-0{number}");
        let options = ["--subset", "robotstxt", "--crawl", &label];
        ingest(&options, &input, &directory.path().join("out"), 0);
    }
    directory
}

fn history(directory: &TempDir, arguments: &[&str]) -> (Option<i32>, String) {
    let output = robostat(["history"])
        .arg(directory.path().join("out"))
        .args(arguments)
        .output()
        .expect("a program");
    let stdout = String::from_utf8_lossy(&output.stdout);
    (output.status.code(), stdout.into_owned() + &text(&output))
}

fn as_json(directory: &TempDir, arguments: &[&str]) -> Value {
    let (code, text) = history(directory, &[arguments, &["--json"]].concat());
    assert_eq!(code, Some(0), "{text}");
    serde_json::from_str(&text).expect("JSON")
}

/// The value of `key` of every capture.
fn every(answer: &Value, key: &str) -> Vec<Value> {
    let captures = answer["captures"].as_array().expect("a list");
    captures.iter().map(|it| it[key].clone()).collect()
}

#[test]
fn captures_come_in_order_with_what_changed() {
    let directory = dataset();
    let answer = as_json(&directory, &["https://example.com"]);
    assert_eq!(
        every(&answer, "crawl"),
        [
            "2026-01", "2026-01", "2026-02", "2026-02", "2026-03", "2026-03", "2026-03"
        ]
    );
    let mut changes = every(&answer, "change");
    // the_json_is_complete has these.
    for change in changes.iter_mut().filter_map(Value::as_object_mut) {
        change.remove("effects");
    }
    let kinds: Vec<_> = changes.iter().map(|it| it["kind"].as_str()).collect();
    let expected = [
        Some("first"),
        Some("file"),
        None,
        Some("rules"),
        Some("rules"),
        Some("same"),
        Some("rules"),
    ];
    assert_eq!(kinds, expected);
    let change = |kind: &str,
                  agents: [&[&str]; 2],
                  restrictions: Value,
                  rules: [u32; 2],
                  sitemaps: [&[&str]; 2]| {
        json!({
            "kind": kind,
            "agents_added": agents[0],
            "agents_removed": agents[1],
            "restrictions": restrictions,
            "rules_added": rules[0],
            "rules_removed": rules[1],
            "sitemaps_added": sitemaps[0],
            "sitemaps_removed": sitemaps[1],
        })
    };
    let (a, b) = ("https://example.com/a.xml", "https://example.com/b.xml");
    assert_eq!(
        changes[1],
        change("file", [&[], &[]], json!([]), [0, 0], [&[b], &[a]])
    );
    assert_eq!(
        changes[3],
        change(
            "rules",
            [&["ccbot", "gptbot"], &[]],
            json!([]),
            [2, 0],
            [&[], &[b]]
        )
    );
    let less = json!([{"product_token": "gptbot", "before": "full", "after": "partial"}]);
    assert_eq!(
        changes[4],
        change("rules", [&[], &["ccbot"]], less, [1, 1], [&[], &[]])
    );
    assert_eq!(
        changes[6],
        change(
            "rules",
            [&[], &["*", "gptbot"]],
            json!([]),
            [0, 3],
            [&[], &[]]
        )
    );
}

#[test]
fn the_macro_says_the_same_as_the_command() {
    let directory = dataset();
    let views = directory.path().join("out/views.sql");
    for host in ["example.com", "www.example.com", "192.0.2.1"] {
        let answer = as_json(&directory, &[host]);
        let captures = answer["captures"].as_array().expect("a list");
        let rows = duckdb::run(
            &views,
            &format!(
                "SELECT crawl, origin, fetch_status, n_redirects, final_status, change, policy_id::VARCHAR AS policy_id,
                    agents_added, agents_removed FROM history('{host}')"
            ),
        );
        assert_eq!(rows.len(), captures.len(), "{host}");
        for (row, capture) in rows.iter().zip(captures) {
            for key in [
                "crawl",
                "origin",
                "fetch_status",
                "n_redirects",
                "final_status",
                "policy_id",
            ] {
                assert_eq!(row[key], capture[key], "{host} {key}");
            }
            let change = &capture["change"];
            assert_eq!(row["change"], change["kind"], "{host}");
            for key in ["agents_added", "agents_removed"] {
                let none = json!([]);
                let expected = change.get(key).unwrap_or(&none);
                assert_eq!(row[key], *expected, "{host} {key}");
            }
        }
    }
}

#[test]
fn a_site_is_named_in_many_ways() {
    let directory = dataset();
    for (arguments, captures) in [
        (&["example.com"][..], 8),
        (&["EXAMPLE.com"], 8),
        (&["http://example.com/some/page"], 1),
        (&["https://example.com"], 7),
        (&["example.com", "--crawl", "2026-02"], 2),
        (&["example.com", "--www"], 9),
        (&["www.example.com", "--www"], 9),
        (&["example.com", "--subdomains"], 10),
        (&["shop.example.com:8443"], 1),
        (&["192.0.2.1"], 1),
        (&["b\u{fc}cher.example"], 1),
    ] {
        let answer = as_json(&directory, arguments);
        assert_eq!(every(&answer, "url").len(), captures, "{arguments:?}");
    }
}

#[test]
fn text_is_for_reading() {
    let directory = dataset();
    let (code, text) = history(&directory, &["example.com", "--text", "--crawl", "2026-02"]);
    assert_eq!(code, Some(0), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..2],
        [
            "2026-02-01 00:01:00Z  2026-02  https://example.com/robots.txt  503",
            "    closed everything to everyone until the next answer (server error, RFC 9309)",
        ]
    );
    assert_eq!(
        lines[2],
        "2026-02-01 00:02:00Z  2026-02  https://example.com/robots.txt  200"
    );
    assert!(
        lines[3].ends_with(": * partial, ccbot full, gptbot full"),
        "{}",
        lines[3]
    );
    assert_eq!(
        lines[5..],
        [
            "        User-agent: GPTBot",
            "        User-agent: CCBot",
            "        Disallow: /",
            "",
            "        User-agent: *",
            "        Crawl-delay: 5",
            "        Disallow: /private/",
            "        Allow: /private/open",
            "",
        ]
    );
    let (_, text) = history(&directory, &["http://example.com"]);
    assert_contains(&text, &["301 -> https://example.com/robots.txt 200"]);
    let (_, text) = history(&directory, &["example.com", "--crawl", "2026-03"]);
    assert!(text.contains(": as before"), "{text}");
    let effect = "opened /private/ to everyone";
    assert_contains(
        &text,
        &[&format!(
            "    no robots.txt\n    - agents *, gptbot\n      {effect}\n"
        )],
    );
}

#[test]
fn a_change_is_named_by_the_paths_that_it_opens_and_closes() {
    let directory = dataset();
    let (_, text) = history(&directory, &["https://example.com"]);
    for effect in [
        "closed everything to GPTBot and CCBot\n      opened /private/open to every other crawler",
        "opened everything except /private/ to GPTBot\n      \
         opened everything except /private/, /private/open to CCBot",
    ] {
        assert!(text.contains(effect), "{effect}\n{text}");
    }
}

#[test]
fn what_is_not_there_is_an_error_that_helps() {
    let directory = dataset();
    for (arguments, code, expected) in [
        (
            &["exmaple.com"][..],
            1,
            "no capture of exmaple.com; the dataset has example.com",
        ),
        (
            &["blog.shop.example.com"],
            1,
            "the dataset has shop.example.com",
        ),
        (&["nothing.invalid"], 1, "no capture of nothing.invalid\n"),
        (
            &["example.com", "--crawl", "2025"],
            1,
            "there is no crawl 2025; the dataset has 2026-01, 2026-02, 2026-03",
        ),
        (
            &["shop.example.com", "--crawl", "2026-02"],
            1,
            "no capture of shop.example.com in crawl 2026-02",
        ),
        (&["a b"], 2, "SITE is a host or a URL"),
    ] {
        let (found, text) = history(&directory, arguments);
        assert_eq!(found, Some(code), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

/// The JSON has what the text has: what each policy says, what opened and closed, and crawlers that
/// are named earlier than they are known.
#[test]
fn the_json_is_complete() {
    let directory = tempdir().expect("a directory");
    let input = directory.path().join("old.warc");
    let url = "https://example.com/robots.txt";
    let crawl = MiniWarc::new()
        .on("2021-03-01")
        .answer(url, 200, "User-agent: GPTBot\nDisallow: /\n")
        .on("2026-03-01")
        .answer(
            url,
            200,
            "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n",
        );
    fs::write(&input, crawl.bytes()).expect("space");
    ingest(
        &["--subset", "robotstxt", "--crawl", "c"],
        &input,
        &directory.path().join("out"),
        0,
    );
    let (_, as_text) = history(&directory, &["example.com"]);
    let note = "gptbot is known since 2023-08 (agent_catalog.since)";
    assert_eq!(as_text.matches(note).count(), 1, "{as_text}");
    let (_, as_json) = history(&directory, &["example.com", "--json"]);
    let answer: Value = serde_json::from_str(&as_json).expect("JSON");
    let captures = &answer["captures"];
    assert_eq!(captures[0]["agents"], json!({ "gptbot": "full" }));
    assert_eq!(captures[0]["notes"], json!([note]));
    assert_eq!(
        captures[1]["agents"],
        json!({ "*": "partial", "gptbot": "full" })
    );
    assert_eq!(captures[1]["notes"], json!([]));
    let effect = captures[1]["change"]["effects"][0].as_str();
    let effect = effect.expect("what closed");
    assert!(
        effect.starts_with("closed /a") && as_text.contains(effect),
        "{effect}: {as_text}"
    );
}
