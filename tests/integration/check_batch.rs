//! `check --batch` says of every case what the library says. That the library is right is shown by
//! its own tests: `cargo test -p robots-dialects`.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use robots_dialects::dialect::Dialect;
use robots_dialects::path::UrlPath;
use serde_json::{Value, json};

use crate::support::mini_warc::MiniWarc;
use crate::support::program::code_and_stdout;

/// Files that the dialects interpret differently: blank lines, order and length of rules, escapes,
/// misspellings, several wildcard groups, versions, bytes that are not UTF-8.
const BODIES: [&[u8]; 8] = [
    b"",
    b"User-agent: abot\n\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n",
    b"User-agent: *\nAllow: /\nDisallow: /a\nAllow: /a/*.html$\n",
    b"User-agent: bot\nDisallow: /%61\nUser-agent: abot/2.0\nDisallow: /a%2Fb\n",
    b"Useragent: abot\ndisalow /a\nallowed: /a/index.html\n",
    b"User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow:\nUser-agent: *\nDisallow: /b\n",
    b"User-agent: *\nRobot-version: 2.0\nAllow: /a?\nDisallow: *\n",
    b"\xef\xbb\xbfUser-agent: *\rDisallow: /\xc3\xa9\r\nDisallow: /\xe9\n",
];
const AGENTS: [&str; 3] = ["abot", "ABot/1.0", "other"];
const URLS: [&str; 7] = [
    "https://h.example/",
    "https://h.example/a/index.html",
    "https://h.example/a%2Fb",
    "https://h.example/ab?c#d",
    "https://h.example/b",
    "https://h.example/%C3%A9",
    "https://h.example/robots.txt",
];

#[test]
fn a_batch_says_what_the_library_says() {
    let mut cases = Vec::new();
    for (number, body) in BODIES.iter().enumerate() {
        for dialect in Dialect::ALL {
            for (agent, url) in AGENTS.iter().flat_map(|agent| URLS.map(|url| (agent, url))) {
                let robots = BASE64_STANDARD.encode(body);
                let case = json!({
                    "robots_base64": robots, "agent": agent, "url": url, "dialect": dialect.name(),
                    "name": format!("body {number}"),
                });
                let path = UrlPath::from_url(url.as_bytes());
                let allowed = dialect
                    .compile(body)
                    .verdict(agent.as_bytes(), &path)
                    .allowed;
                cases.push((case, allowed));
            }
        }
    }
    // A program that always said the same would be wrong often.
    let n_allowed = cases.iter().filter(|(_, allowed)| *allowed).count();
    let n_blocked = cases.len() - n_allowed;
    assert!(n_allowed.min(n_blocked) >= 100, "{n_allowed} {n_blocked}");

    let lines: Vec<String> = cases.iter().map(|(case, _)| case.to_string()).collect();
    let (code, answers) = code_and_stdout(&["check", "--batch"], lines.join("\n").as_bytes());
    assert_eq!(code, Some(0));
    let answers: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), cases.len());
    for ((case, allowed), answer) in cases.iter().zip(&answers) {
        for field in ["robots_base64", "agent", "url", "dialect", "name"] {
            assert_eq!(case[field], answer[field], "{case}");
        }
        assert_eq!(answer["allowed"], *allowed, "{case}");
    }
}

/// The verdict columns of `agents` and `check` answer the same question, asked by the name that the
/// crawler publishes.
#[test]
fn the_columns_of_the_root_are_what_check_says() {
    let mut warc = MiniWarc::new();
    let own = [
        "User-agent: MJ12bot\nDisallow: /\n",
        "User-agent: *\nDisallow: /\n\nUser-agent: 008\nUser-agent: a.b\nAllow: /\n",
        "User-agent: MJ\nDisallow: /\n\nUser-agent: MJ12bot/v1.4\nDisallow: /a\n",
    ];
    let bodies = own.map(str::as_bytes).into_iter().chain(BODIES);
    for (number, body) in bodies.enumerate() {
        let url = format!("https://host{number}.example/robots.txt");
        warc = warc.answer(&url, 200, &String::from_utf8_lossy(body));
    }
    let dataset = warc.ingest_with(&["--keep-bodies"]);
    let columns = Dialect::ALL
        .map(|dialect| format!("NOT list_contains(root_disallowed_by, '{dialect}') AS {dialect}"));
    let rows = dataset.rows(&format!(
        "SELECT product_token, base64(body) AS robots, {}
             FROM agents JOIN policies USING (policy_id) JOIN files ON file_id = exemplar_file_id
             WHERE product_token <> '*'",
        columns.join(", ")
    ));
    assert!(rows.len() >= 10, "{}", rows.len());
    let asked: Vec<(Value, &Value)> = rows
        .iter()
        .flat_map(|row| Dialect::ALL.map(|dialect| (row, dialect)))
        .map(|(row, dialect)| {
            let case = json!({
                "robots_base64": row["robots"], "agent": row["product_token"],
                "url": "https://h.example/", "dialect": dialect.name(),
            });
            (case, &row[dialect.name()])
        })
        .collect();
    let lines: Vec<String> = asked.iter().map(|(case, _)| case.to_string()).collect();
    let (code, stdout) = code_and_stdout(&["check", "--batch"], lines.join("\n").as_bytes());
    assert_eq!(code, Some(0));
    for (answer, (case, expected)) in stdout.lines().zip(&asked) {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        assert_eq!(answer["allowed"], **expected, "{case}");
    }
    assert_eq!(stdout.lines().count(), asked.len());
}
