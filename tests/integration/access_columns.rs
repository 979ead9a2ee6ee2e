//! The columns that say what crawlers of each dialect do with a response and with the root.

use std::collections::HashMap;

use arrow_array::Array as _;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use robots_dialects::dialect::Dialect;
use robots_dialects::path::UrlPath;

use crate::support::dataset::{bodies, ids, rows, sample_dataset};

#[test]
fn root_verdicts_are_those_of_the_dialects() {
    let folder = sample_dataset();
    let out = folder.path().join("out");
    let bodies = bodies(&out);
    let root = UrlPath::new(b"/");
    let mut n_rows = 0;
    for batch in rows(out.join("agents/part-000001.parquet")) {
        for (row, policy) in ids(&batch).iter().enumerate() {
            let agent = batch["product_token"].as_string::<i32>().value(row);
            let disallowed_by = batch["root_disallowed_by"].as_list::<i32>().value(row);
            let disallowed_by = disallowed_by.as_string::<i32>();
            for dialect in Dialect::ALL {
                let is_allowed = !disallowed_by
                    .iter()
                    .flatten()
                    .any(|it| it == dialect.name());
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
}

#[test]
fn responses_mean_what_each_dialect_says() {
    let folder = sample_dataset();
    let captures = folder.path().join("out/captures");
    let mut met: HashMap<(i32, bool), [String; 3]> = HashMap::new();
    for crawl in std::fs::read_dir(captures).expect("crawls") {
        let part = crawl.expect("a crawl").path().join("part-000001.parquet");
        for batch in rows(part) {
            let status = batch["fetch_status"].as_primitive::<Int32Type>();
            let freshness = batch["freshness_seconds"].as_primitive::<Int32Type>();
            let columns = ["access_koster1996", "access_rfc9309", "access_google"];
            for row in (0..batch.num_rows()).filter(|row| status.is_valid(*row)) {
                let access =
                    columns.map(|column| batch[column].as_string::<i32>().value(row).to_owned());
                let has_rules = matches!(access[1].as_str(), "parse" | "use_cached");
                assert_eq!(freshness.is_valid(row), has_rules);
                assert!(freshness.is_null(row) || freshness.value(row) >= 0);
                let leads = batch["fetch_redirect_url"].is_valid(row);
                met.insert((status.value(row), leads), access);
            }
        }
    }
    for (response, expected) in [
        ((200, false), ["parse", "parse", "parse"]),
        ((301, true), ["follow_redirect"; 3]),
        ((304, false), ["use_cached"; 3]),
        ((403, false), ["disallow_all", "allow_all", "allow_all"]),
        ((404, false), ["allow_all"; 3]),
        ((429, false), ["defer", "allow_all", "disallow_all"]),
        ((503, false), ["defer", "disallow_all", "disallow_all"]),
    ] {
        assert_eq!(met[&response], expected, "{response:?}");
    }
}
