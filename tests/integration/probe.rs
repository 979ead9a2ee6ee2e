//! `robostat probe` on the sample crawl: verdicts from policies are those from bodies.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use robots_dialects::dialect::Dialect;
use robots_dialects::path::UrlPath;

use crate::support::dataset::{bodies, ids, rows, sample_dataset};
use crate::support::program::{Run as _, robostat};

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
    let [agents, paths] = ["agents", "paths"].map(|name| folder.path().join(name));
    fs::write(&agents, "GPTBot\nGooglebot # and others\nx\n").expect("written");
    let lines = "# paths\n/\n/search?q=a\n/wp-admin/x.php\n/robots.txt\n";
    fs::write(&paths, lines).expect("written");
    let mut probe = robostat(["probe", "--quiet"]);
    probe.arg(&out).arg("--agents").arg(&agents);
    probe.arg("--paths").arg(&paths).succeed();
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
