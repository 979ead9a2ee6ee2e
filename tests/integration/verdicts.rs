//! `check --batch`, the columns on the root and `probe` agree with the library on every file. The
//! library's own tests check its verdicts: `cargo test -p robots-dialects`.

use std::collections::HashMap;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use robots_dialects::dialect::Dialect;
use robots_dialects::path::UrlPath;
use serde_json::{Value, json};

use crate::support::dataset::{bodies, ids, rows};
use crate::support::folder::Folder;
use crate::support::program::{Run as _, code_and_stdout, robostat, sample};
use crate::support::warc;

/// Files that the dialects interpret differently: blank lines, order and length of rules, escapes,
/// misspellings, several wildcard groups, versions, bytes that are not UTF-8, names of crawlers
/// with digits and dots.
const BODIES: [&[u8]; 11] = [
    b"",
    b"User-agent: abot\n\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n",
    b"User-agent: *\nAllow: /\nDisallow: /a\nAllow: /a/*.html$\n",
    b"User-agent: bot\nDisallow: /%61\nUser-agent: abot/2.0\nDisallow: /a%2Fb\n",
    b"Useragent: abot\ndisalow /a\nallowed: /a/index.html\n",
    b"User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow:\nUser-agent: *\nDisallow: /b\n",
    b"User-agent: *\nRobot-version: 2.0\nAllow: /a?\nDisallow: *\n",
    b"\xef\xbb\xbfUser-agent: *\rDisallow: /\xc3\xa9\r\nDisallow: /\xe9\n",
    b"User-agent: MJ12bot\nDisallow: /\n",
    b"User-agent: *\nDisallow: /\n\nUser-agent: 008\nUser-agent: a.b\nAllow: /\n",
    b"User-agent: MJ\nDisallow: /\n\nUser-agent: MJ12bot/v1.4\nDisallow: /a\n",
];
const AGENTS: [&str; 6] = ["abot", "ABot/1.0", "other", "MJ12bot", "008", "a.b"];
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
    for (body, dialect) in (BODIES.iter()).flat_map(|body| Dialect::ALL.map(|it| (body, it))) {
        let ruleset = dialect.compile(body);
        for (agent, url) in AGENTS.iter().flat_map(|agent| URLS.map(|url| (agent, url))) {
            let case = json!({
                "robots_base64": BASE64_STANDARD.encode(body), "agent": agent, "url": url,
                "dialect": dialect.name(), "name": format!("case {}", cases.len()),
            });
            let path = UrlPath::from_url(url.as_bytes());
            cases.push((case, ruleset.verdict(agent.as_bytes(), &path).allowed));
        }
    }
    // A program with only one verdict would often be wrong.
    let n_allowed = cases.iter().filter(|(_, allowed)| *allowed).count();
    let n_blocked = cases.len() - n_allowed;
    assert!(n_allowed.min(n_blocked) >= 100, "{n_allowed} {n_blocked}");

    let lines: Vec<String> = cases.iter().map(|(case, _)| case.to_string()).collect();
    let (code, answers) = code_and_stdout(&["check", "--batch"], lines.join("\n").as_bytes());
    assert_eq!(code, Some(0));
    assert_eq!(answers.lines().count(), cases.len());
    for ((case, allowed), answer) in cases.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        for field in ["robots_base64", "agent", "url", "dialect", "name"] {
            assert_eq!(case[field], answer[field], "{case}");
        }
        assert_eq!(answer["allowed"], *allowed, "{case}");
    }
}

/// Every file of a policy is tested, not only the exemplar: all have the policy's verdicts.
#[test]
fn columns_and_probes_say_what_the_library_says_of_every_file() {
    let folder = Folder::new();
    let records = (0..).zip(BODIES);
    let records = records.flat_map(|(number, body)| {
        warc::response(
            number,
            &format!("https://host{number}.example/robots.txt"),
            body,
        )
    });
    let more = folder.write("bodies.warc", &records.collect::<Vec<u8>>());
    let out = folder.path("out");
    let mut ingest = robostat(["ingest", "--quiet", "--keep-bodies"]);
    ingest
        .args([&sample("crawl.warc.gz"), &more, &out])
        .succeed();
    let bodies = bodies(&out);

    let root = UrlPath::new(b"/");
    let mut n_rows = 0;
    for batch in rows(out.join("agents/part-000001.parquet")) {
        for (row, policy) in ids(&batch).iter().enumerate() {
            let agent = batch["product_token"].as_string::<i32>().value(row);
            let blocked_by = batch["root_disallowed_by"].as_list::<i32>().value(row);
            let blocked_by: Vec<Option<&str>> = blocked_by.as_string::<i32>().iter().collect();
            for dialect in Dialect::ALL {
                let is_allowed = !blocked_by.contains(&Some(dialect.name()));
                for body in &bodies[policy] {
                    let ruleset = dialect.compile(body);
                    let verdict = ruleset.verdict(agent.as_bytes(), &root);
                    assert_eq!(verdict.allowed, is_allowed, "{dialect} {agent}");
                }
            }
            n_rows += 1;
        }
    }
    assert!(n_rows > 100);

    // Line numbers of the rules of the exemplar, by policy and `rule_index`.
    let mut lines = HashMap::new();
    for batch in rows(out.join("rules/part-000001.parquet")) {
        let [index, line] = ["rule_index", "line_number"]
            .map(|column| batch[column].as_primitive::<Int32Type>().values());
        let rules = ids(&batch).iter().zip(index).zip(line);
        lines.extend(rules.map(|((policy, index), line)| ((*policy, *index), *line)));
    }
    let agents = folder.write("agents", b"GPTBot\nGooglebot # and others\nx\n");
    let paths = "# paths\n/\n/search?q=a\n/wp-admin/x.php\n/robots.txt\n";
    let paths = folder.write("paths", paths.as_bytes());
    let mut probe = robostat(["probe", "--quiet"]);
    probe.arg(&out).arg("--agents").arg(&agents);
    probe.arg("--paths").arg(&paths).succeed();
    let mut n_rows = 0;
    for batch in rows(out.join("probes/probe.parquet")) {
        let column = |name: &str| batch[name].as_string::<i32>();
        let rule_index = batch["rule_index"].as_primitive::<Int32Type>();
        for (row, policy) in ids(&batch).iter().enumerate() {
            n_rows += 1;
            let dialect: Dialect = column("dialect").value(row).parse().expect("a dialect");
            let agent = column("agent").value(row).as_bytes();
            let path = UrlPath::new(column("path").value(row).as_bytes());
            for (index, body) in bodies[policy].iter().enumerate() {
                let ruleset = dialect.compile(body);
                let verdict = ruleset.verdict(agent, &path);
                assert_eq!(verdict.allowed, batch["allowed"].as_boolean().value(row));
                assert_eq!(verdict.reason.name(), column("reason").value(row));
                assert_eq!(verdict.choice.name(), column("choice").value(row));
                if let (0, Some(line)) = (index, verdict.line) {
                    let found = lines[&(*policy, rule_index.value(row))];
                    assert_eq!(u32::try_from(found), Ok(line));
                }
            }
        }
    }
    assert_eq!(n_rows, bodies.len() * 3 * 4 * Dialect::ALL.len());
}
