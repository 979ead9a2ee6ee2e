//! `robostat probe` on the sample crawl: verdicts from policies are those from bodies.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use robots_dialects::dialect::Dialect;
use robots_dialects::path::UrlPath;

use crate::support::dataset::{bodies, ids, rows, sample_dataset, text};
use crate::support::mini_warc::MiniWarc;
use crate::support::program::code_and_stdout;

/// Runs probe on the dataset in `folder`; its exit code and summary.
fn probe(folder: &Path, agents: &str, paths: &str, more: &[&str]) -> (Option<i32>, String) {
    let (agents_file, paths_file) = (folder.join("agents"), folder.join("paths"));
    fs::write(&agents_file, agents).expect("written");
    fs::write(&paths_file, paths).expect("written");
    let out = folder.join("out");
    let mut arguments = vec!["probe", text(&out), "--json"];
    arguments.extend(["--agents", text(&agents_file), "--paths", text(&paths_file)]);
    arguments.extend(more);
    code_and_stdout(&arguments, b"")
}

/// Line numbers of rules, by policy and `rule_index`.
fn rule_lines(out: &Path) -> HashMap<(i64, i32), i32> {
    let mut lines = HashMap::new();
    for batch in rows(out.join("rules/part-000001.parquet")) {
        let index = batch["rule_index"].as_primitive::<Int32Type>().values();
        let line = batch["line_number"].as_primitive::<Int32Type>().values();
        for ((policy, index), line) in ids(&batch).iter().zip(index).zip(line) {
            lines.insert((*policy, *index), *line);
        }
    }
    lines
}

#[test]
fn every_row_is_what_the_dialect_says_of_every_body() {
    let folder = sample_dataset();
    let out = folder.path().join("out");
    let agents = "GPTBot\nGooglebot # and others\nx\n";
    let paths = "# paths\n/\n/search?q=a\n/wp-admin/x.php\n/robots.txt\n";
    assert_eq!(probe(folder.path(), agents, paths, &[]).0, Some(0));
    let (bodies, lines) = (bodies(&out), rule_lines(&out));
    let mut n_rows = 0;
    for batch in rows(out.join("probes/probe.parquet")) {
        let column = |name: &str| batch[name].as_string::<i32>();
        let rule_index = batch["rule_index"].as_primitive::<Int32Type>();
        for (row, policy) in ids(&batch).iter().enumerate() {
            n_rows += 1;
            let dialect: Dialect = column("dialect").value(row).parse().expect("a dialect");
            let agent = column("agent").value(row).as_bytes();
            let path = UrlPath::new(column("path").value(row).as_bytes());
            // Every file, not the exemplar alone: all files of a policy get its verdicts.
            for (index, body) in bodies[policy].iter().enumerate() {
                let ruleset = dialect.compile(body);
                let verdict = ruleset.verdict(agent, &path);
                assert_eq!(verdict.allowed, batch["allowed"].as_boolean().value(row));
                assert_eq!(verdict.reason.name(), column("reason").value(row));
                assert_eq!(verdict.choice.name(), column("choice").value(row));
                // Rules have the line numbers of the exemplar.
                if let (0, Some(line)) = (index, verdict.line) {
                    let found = lines[&(*policy, rule_index.value(row))];
                    assert_eq!(u32::try_from(found), Ok(line));
                }
            }
        }
    }
    assert_eq!(n_rows, bodies.len() * 3 * 4 * Dialect::ALL.len());
}

#[test]
fn a_url_is_put_to_its_own_hosts_policy() {
    let folder = sample_dataset();
    let paths = "https://allow-all.robots.example/a\nhttps://nowhere.example/a\n";
    let (code, summary) = probe(
        folder.path(),
        "x",
        paths,
        &["--dialect", "google", "--name", "urls"],
    );
    assert_eq!(code, Some(0));
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["rows"], 1);
    let unspoken = serde_json::json!(["https://nowhere.example/a"]);
    assert_eq!(summary["urls_without_capture"], unspoken);
    assert!(folder.path().join("out/probes/urls.parquet").is_file());
    // Another run replaces the table.
    let (_, again) = probe(folder.path(), "x\ny", paths, &["--name", "urls"]);
    let again: serde_json::Value = serde_json::from_str(&again).expect("JSON");
    assert_eq!(again["rows"], 2 * Dialect::ALL.len());
}

/// A crawl with a redirect to another host's file, a host with two services, and a changed file.
#[test]
fn hosts_are_asked_by_the_response_that_counts() {
    let dataset = MiniWarc::new()
        .file("e.example", "User-agent: *\nDisallow: /a\n")
        .answer(
            "http://e.example/robots.txt",
            200,
            "User-agent: *\nDisallow: /b\n",
        )
        .redirect("http://r.example/robots.txt", "https://www.r.example/rules")
        .answer(
            "https://www.r.example/rules",
            200,
            "User-agent: *\nDisallow: /c\n",
        )
        .status("none.example", 404)
        .ingest();
    let (out, folder) = (dataset.path(), tempfile::tempdir().expect("a folder"));
    let (agents, paths) = (folder.path().join("agents"), folder.path().join("paths"));
    fs::write(&agents, "x").expect("written");
    let asked = "/a\ne.example/a\n//e.example/b\nhttp://e.example/b\nhttps://E.example:443/b\n\
        http://r.example/c/d\nr.example/a\nhttps://none.example/a\n";
    fs::write(&paths, asked).expect("written");
    let arguments = [
        "probe",
        text(&out),
        "--quiet",
        "--dialect",
        "rfc9309",
        "--agents",
        text(&agents),
        "--paths",
        text(&paths),
    ];
    assert_eq!(code_and_stdout(&arguments, b"").0, Some(0));
    let sql = "SELECT url_host_name, origin, path, allowed FROM host_probes('probe') ORDER BY ALL";
    assert_eq!(
        dataset.lines(sql),
        [
            "e.example|http://e.example|http://e.example/b|false",
            "e.example|https://e.example|//e.example/b|true",
            "e.example|https://e.example|/a|false",
            "e.example|https://e.example|e.example/a|false",
            "e.example|https://e.example|https://E.example:443/b|true",
            "r.example|http://r.example|/a|true",
            "r.example|http://r.example|http://r.example/c/d|false",
            "r.example|http://r.example|r.example/a|true",
        ]
    );
    // By policy: /a three times, paths with a host for both services of e.example, URLs once.
    let sql = "SELECT count(*) FROM probes('probe')";
    assert_eq!(dataset.lines(sql), ["11"]);
}

/// The example of draft-ietf-aipref-attach-05, after lines that are not part of the policy.
#[test]
fn preferences_hold_for_agents_and_paths() {
    let dataset = MiniWarc::new()
        .file(
            "e.example",
            "# a comment\n\nSitemap: https://e.example/s.xml\nUser-Agent: *\nAllow: /\n\
             Disallow: /never/\nContent-Usage: train-ai=n\nContent-Usage: /ai-ok/ train-ai=y\n\n\
             User-Agent: ExampleBot\nAllow: /\nContent-Usage: train-ai=y\n",
        )
        .ingest();
    let (out, folder) = (dataset.path(), tempfile::tempdir().expect("a folder"));
    let (agents, paths) = (folder.path().join("agents"), folder.path().join("paths"));
    fs::write(&agents, "ExampleBot\nother\n").expect("written");
    fs::write(&paths, "/test\n/never/test\n/ai-ok/test\n").expect("written");
    let arguments = [
        &["probe", text(&out), "--quiet", "--dialect", "google"][..],
        &["--agents", text(&agents), "--paths", text(&paths)],
    ];
    assert_eq!(code_and_stdout(&arguments.concat(), b"").0, Some(0));
    let held = |allows: bool, line: u32| {
        format!(
            "[{{\"vocabulary\":\"content-usage\",\"preference\":\"train-ai\",\
             \"allows\":{allows},\"line_number\":{line}}}]"
        )
    };
    let own = held(true, 12);
    assert_eq!(
        dataset.lines("SELECT agent, path, to_json(preferences) FROM probes('probe') ORDER BY ALL"),
        [
            format!("ExampleBot|/ai-ok/test|{own}"),
            format!("ExampleBot|/never/test|{own}"),
            format!("ExampleBot|/test|{own}"),
            format!("other|/ai-ok/test|{}", held(true, 8)),
            "other|/never/test|NULL".to_owned(),
            format!("other|/test|{}", held(false, 7)),
        ]
    );
    let rows = "SELECT product_token, path, preference, allows, line_number
        FROM effective_preferences ORDER BY ALL NULLS FIRST";
    assert_eq!(
        dataset.lines(rows),
        [
            "*|NULL|train-ai|false|7",
            "*|/ai-ok/|train-ai|true|8",
            "examplebot|NULL|train-ai|true|12",
        ]
    );
}

#[test]
fn what_cannot_be_asked_leaves_no_table() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(probe(folder.path(), "x", "/", &[]).0, Some(1));
    assert_eq!(probe(folder.path(), "# none", "/", &[]).0, Some(2));
    assert_eq!(probe(folder.path(), "x", "a/b", &[]).0, Some(2));
    let name = ["--name", "../x"];
    assert_eq!(probe(folder.path(), "x", "/", &name).0, Some(2));
    assert!(!folder.path().join("out").exists());
}
