//! `robostat query` and the shipped queries; tests/cases/query.md has the rest.

use robostat::internals::shipped;
use serde_json::{Value, json};

use crate::support::mini_warc::SAMPLE;
use crate::support::program::{Run as _, assert_contains, robostat};

/// What a run on the sample prints, which must succeed.
#[track_caller]
fn answer(arguments: &[&str]) -> String {
    let mut command = robostat(["query"]);
    command.arg(SAMPLE.path()).args(arguments).succeed()
}

#[track_caller]
fn rows(arguments: &[&str]) -> Vec<Value> {
    let json = answer(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// The names of the shipped queries.
fn shipped() -> Vec<String> {
    shipped::all()
        .iter()
        .map(|query| query.name.to_owned())
        .collect()
}

/// A value with numbers as numbers: the shell writes large types as text.
fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.parse::<f64>() {
            Ok(number) => json!(number),
            Err(_) => value.clone(),
        },
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(plain).collect(),
        _ => value.clone(),
    }
}

#[test]
fn every_shipped_query_is_run_as_by_plain_duckdb() {
    let listed: Vec<Value> = serde_json::from_str(&answer(&["--format", "json"])).expect("JSON");
    let names: Vec<&str> = listed
        .iter()
        .filter_map(|entry| entry["name"].as_str())
        .collect();
    assert_eq!(names, shipped());
    // Every query is run by DuckDB itself elsewhere; each of these starts it twice.
    let needs_a_list = |name: &String| name.ends_with("by-rank");
    let names = shipped().into_iter().filter(|name| !needs_a_list(name));
    for name in names.step_by(9) {
        let call = format!("FROM {}()", name.replace('-', "_"));
        let expected = SAMPLE.rows(&call);
        let found = rows(&[&name]);
        assert_eq!(expected.len(), found.len(), "{name}");
        for (expected, found) in expected.iter().zip(&found) {
            let columns = |row: &Value| -> Vec<(String, Value)> {
                let row = row.as_object().expect("a row").iter();
                row.map(|(column, value)| (column.clone(), plain(value)))
                    .collect()
            };
            assert_eq!(columns(expected), columns(found), "{name}");
        }
    }
}

#[test]
fn queries_are_listed_by_topic_after_those_to_start_with() {
    let list = answer(&[]);
    for name in shipped() {
        let line = format!("  {name}");
        assert_eq!(
            list.lines().filter(|it| **it == line).count(),
            1,
            "{name} in {list}"
        );
    }
    assert!(list.starts_with("Start here\n  corpus\n"), "{list}");
    let (starters, _) = list
        .split_once("\nWho is named\n")
        .expect("the first topic");
    let names = starters.lines().filter(|line| !line.starts_with("    "));
    assert_eq!(names.count(), 1 + shipped::STARTERS.len());
    assert!(list.contains("robostat history OUT example.com"), "{list}");
    assert_contains(
        &list,
        &[
            "    agents=gptbot,ccbot crawl=2026-33 population=with_rules by=host\n    weights=weights.csv top=30\n",
        ],
    );
    let sql = answer(&["agent-adoption", "--sql"]);
    assert!(sql.starts_with("-- Which crawlers do hosts name"), "{sql}");
}
