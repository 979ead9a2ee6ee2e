//! The shipped queries, on the dataset of the sample crawl: every one runs and answers, and what
//! some of them answer is what a plain reading of the crawl counts, without robostat's own code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use robostat::internals::shipped;
use serde_json::Value;

use crate::support::duckdb;
use crate::support::mini_warc;
use crate::support::mini_warc::SAMPLE;

fn in_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The shipped queries: name without extension, text.
fn queries() -> BTreeMap<String, String> {
    let shipped = shipped::all().iter();
    shipped
        .map(|query| (query.name.to_owned(), query.sql.to_owned()))
        .collect()
}

/// SQL that runs a shipped query. A query that needs a list gets one of the samples.
fn call(name: &str, parameters: &str) -> String {
    let list = match name {
        "agent-restrictions-by-rank" | "common-crawl-status" | "status-classes-by-rank" => "ranks",
        _ => return format!("FROM {}({parameters});\n", name.replace('-', "_")),
    };
    let path = in_project(&format!("samples/{list}.csv"));
    let separator = if parameters.is_empty() { "" } else { ", " };
    format!(
        "FROM {}({list} := '{}'{separator}{parameters});\n",
        name.replace('-', "_"),
        path.display()
    )
}

/// The rows of a shipped query with `parameters` on the sample.
#[track_caller]
fn run(name: &str, parameters: &str) -> Vec<Value> {
    SAMPLE.rows(&call(name, parameters))
}

fn number(row: &Value, column: &str) -> u64 {
    let value = &row[column];
    // Sums are HUGEINT, which JSON has as floating point.
    let number = value
        .as_f64()
        .unwrap_or_else(|| panic!("no number {column} in {row}"));
    format!("{number:.0}").parse().expect("a count")
}

fn text<'row>(row: &'row Value, column: &str) -> &'row str {
    row[column]
        .as_str()
        .unwrap_or_else(|| panic!("no text {column} in {row}"))
}

#[test]
fn every_query_answers() {
    let queries = queries();
    assert!(queries.len() >= 70);
    let output = SAMPLE.lines(&one_after_the_other(&queries));
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    let mut name = "";
    for line in &output {
        if let Some(next) = line.strip_prefix("query: ") {
            name = next;
        } else {
            *rows.entry(name).or_default() += 1;
        }
    }
    // Those on pages, which the sample's robots.txt subset does not have, are asked in `pages`.
    for query in shipped::all() {
        let has_rows = rows.contains_key(query.name);
        assert!(has_rows || query.topic() == "Pages", "{}", query.name);
    }
}

#[test]
fn queries_work_without_captures() {
    let dataset = mini_warc::MiniWarc::new().ingest();
    duckdb::print(&dataset.views(), &one_after_the_other(&queries()));
}

/// Queries as one script, each after a row with its name: DuckDB need not be started for every one.
fn one_after_the_other(queries: &BTreeMap<String, String>) -> String {
    let mut script = String::new();
    for name in queries.keys() {
        let _ = writeln!(script, "SELECT 'query: {name}';\n{}", call(name, ""));
    }
    script
}

#[test]
fn every_query_has_a_name_for_shells_and_sql_in_a_file_of_its_own() {
    for query in shipped::all() {
        let is_allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        assert!(query.name.bytes().all(is_allowed), "{}", query.name);
        assert!(
            query.path.ends_with(&format!("/{}.sql", query.name)),
            "{query:?}"
        );
    }
    let names: BTreeSet<&str> = shipped::all().iter().map(|query| query.name).collect();
    assert_eq!(names.len(), shipped::all().len());
}

/// `queries/README.md` lists the queries from their heads, between these lines.
#[test]
fn the_readme_of_the_queries_is_made_from_their_heads() {
    const BORDERS: [&str; 2] = [
        "<!-- made from the heads of the queries -->\n",
        "<!-- end -->\n",
    ];
    let path = in_project("queries/README.md");
    let text = fs::read_to_string(&path).expect("text");
    let (before, rest) = text.split_once(BORDERS[0]).expect("the first border");
    let (_, after) = rest.split_once(BORDERS[1]).expect("the last border");
    let mut lists = String::new();
    for (_, topic) in shipped::TOPICS {
        let _ = writeln!(lists, "\n## {topic}\n\n| query | question |\n|---|---|");
        for query in shipped::all().iter().filter(|query| query.topic() == topic) {
            let link = query.path.trim_start_matches("queries/");
            let question = query.summary().replace('|', "\\|");
            let _ = writeln!(lists, "| [{}]({link}) | {question} |", query.name);
        }
    }
    let made = format!("{before}{}{lists}\n{}{after}", BORDERS[0], BORDERS[1]);
    if std::env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, made).expect("written");
    } else {
        assert!(made == text, "run the tests with ROBOSTAT_UPDATE=1");
    }
}

/// The columns of every shipped query.
fn columns() -> BTreeMap<String, Vec<String>> {
    let mut script = String::new();
    for name in queries().keys() {
        let call = call(name, "");
        let call = call.trim_end_matches(";\n");
        let _ = writeln!(
            script,
            "SELECT '{name}', column_name FROM (DESCRIBE {call});"
        );
    }
    let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in SAMPLE.lines(&script) {
        let (name, column) = line.split_once('|').expect("a name and a column");
        let columns = columns.entry(name.to_owned()).or_default();
        columns.push(column.to_owned());
    }
    columns
}

/// A figure that is published says what it is a share of, how many that is, and how sure it is; it
/// can be had by host, by registrable domain and by the user's weights, or the query's head says
/// why not.
#[test]
fn every_share_has_its_population_its_unit_and_an_interval_or_a_reason() {
    let columns = columns();
    let mut without: Vec<String> = Vec::new();
    for (name, query) in queries() {
        let columns = &columns[&name];
        let has = |column: &str| columns.iter().any(|it| it == column);
        if !columns.iter().any(|column| column.starts_with("pct")) {
            continue;
        }
        let (head, _) = query.split_once("CREATE OR REPLACE").expect("a macro");
        let told = |part: &str| head.contains(&format!(" {part}: "));
        let by = query.contains("\"by\" := 'host'");
        for column in ["n", "population", "unit"] {
            if !has(column) {
                without.push(format!("{name}: no column {column}"));
            }
        }
        if by != query.contains(" weights := NULL") {
            without.push(format!("{name}: by and weights go together"));
        }
        if !by && !told("Unit") {
            without.push(format!("{name}: neither by nor a Unit"));
        }
        let intervals = columns.iter().any(|column| column.ends_with("_low"));
        if intervals == told("Intervals") {
            without.push(format!("{name}: either intervals or the reason why not"));
        }
        for column in columns.iter().filter(|column| column.ends_with("_low")) {
            let high = column.replace("_low", "_high");
            if !has(&high) {
                without.push(format!("{name}: no {high}"));
            }
        }
    }
    assert!(without.is_empty(), "{without:#?}");
}

/// A reader of an answer alone knows which crawl it is of, in any client of DuckDB.
#[test]
fn every_answer_names_its_crawl() {
    let columns = columns();
    let without: Vec<&String> = columns
        .iter()
        .filter(|(_, columns)| !columns.iter().any(|it| it == "crawl" || it == "all_crawls"))
        .map(|(name, _)| name)
        .collect();
    assert!(without.is_empty(), "{without:#?}");
}

/// By domain and by weights every query answers, over the same hosts.
#[test]
fn every_query_can_be_asked_by_domain_and_by_weight() {
    let weights = SAMPLE.path().with_file_name("weights-of-all.csv");
    fs::write(&weights, "domain,weight\nexample.com,3\n").expect("written");
    let mut script = String::new();
    let by = queries()
        .into_iter()
        .filter(|(_, query)| query.contains("\"by\" := 'host'"));
    let by: Vec<String> = by.map(|(name, _)| name).collect();
    assert!(by.len() > 50, "{}", by.len());
    for name in &by {
        for (unit, parameters) in [
            ("host", String::new()),
            ("domain", "\"by\" := 'domain'".to_owned()),
            (
                "weight",
                format!("\"by\" := 'weight', weights := '{}'", weights.display()),
            ),
        ] {
            let call = call(name, &parameters);
            let call = call.trim_end_matches(";\n");
            let _ = writeln!(
                script,
                "SELECT '{name} {unit}', count(*) FILTER (unit <> '{unit}') FROM ({call});"
            );
        }
    }
    let lines = SAMPLE.lines(&script);
    assert_eq!(lines.len(), 3 * by.len());
    for line in lines {
        assert!(line.ends_with("|0"), "another unit: {line}");
    }
}

/// A response of the crawl, read by splitting its text.
struct Response {
    url: String,
    time: String,
    status: u16,
    location: Option<String>,
    body: Vec<u8>,
}

/// Every response record of `samples/crawl.warc` that has a status.
fn responses() -> Vec<Response> {
    let crawl = fs::read(in_project("samples/crawl.warc")).expect("the sample can be read");
    let mut responses = Vec::new();
    let mut rest = crawl.as_slice();
    while !rest.is_empty() {
        let (head, after) = split(rest, b"\r\n\r\n").expect("a record head");
        let head = String::from_utf8_lossy(head).replace("\r\n ", " ");
        let length = field(&head, "content-length").expect("a length");
        let (block, after) = after.split_at(length.parse().expect("digits"));
        rest = after
            .strip_prefix(b"\r\n\r\n")
            .expect("the end of a record");
        let Some((http, body)) = split(block, b"\r\n\r\n") else {
            continue;
        };
        let http = String::from_utf8_lossy(http);
        let status = http
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        if let (Some("response"), Some(status)) = (field(&head, "warc-type"), status) {
            let url = field(&head, "warc-target-uri").expect("a URL");
            responses.push(Response {
                url: url.trim_matches(['<', '>']).to_owned(),
                time: field(&head, "warc-date").expect("a time").to_owned(),
                status,
                location: field(&http, "location").map(str::to_owned),
                body: body.to_vec(),
            });
        }
    }
    responses
}

fn split<'t>(text: &'t [u8], separator: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let at = text
        .windows(separator.len())
        .position(|window| window == separator)?;
    Some((&text[..at], &text[at + separator.len()..]))
}

fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.split("\r\n").find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// Whether a URL is the robots.txt of a host, and which host.
fn robots_host(url: &str) -> Option<&str> {
    let host = url.split_once("://")?.1.strip_suffix("/robots.txt")?;
    (!host.contains('/')).then_some(host)
}

#[test]
fn errors_are_as_many_as_in_the_crawl() {
    let mut latest: BTreeMap<&str, &Response> = BTreeMap::new();
    let responses = responses();
    for response in responses
        .iter()
        .filter(|response| robots_host(&response.url).is_some())
    {
        let entry = latest.entry(&response.url).or_insert(response);
        if response.time >= entry.time {
            *entry = response;
        }
    }
    let mut expected: BTreeMap<u64, u64> = BTreeMap::new();
    for response in latest.values() {
        *expected.entry(response.status.into()).or_default() += 1;
    }
    let found: BTreeMap<u64, u64> = run("status-codes", "")
        .iter()
        .filter(|row| !row["fetch_status"].is_null())
        .map(|row| (number(row, "fetch_status"), number(row, "origins")))
        .collect();
    // The crawl has revisits of a success, and URLs that differ only in how they are written.
    let but_success = |counts: &BTreeMap<u64, u64>| {
        let errors = counts
            .iter()
            .filter(|(status, _)| !matches!(status, 200 | 304));
        errors.map(|(status, n)| (*status, *n)).collect::<Vec<_>>()
    };
    assert!(expected.len() > 10);
    assert_eq!(but_success(&found), but_success(&expected));
}

/// The latest success of each host, after redirects.
fn files(responses: &[Response]) -> BTreeMap<&str, (&str, &[u8])> {
    let mut by_url: BTreeMap<&str, &Response> = BTreeMap::new();
    for response in responses {
        by_url.insert(&response.url, response);
    }
    let mut files: BTreeMap<&str, (&str, &[u8])> = BTreeMap::new();
    for first in responses {
        let Some(host) = robots_host(&first.url) else {
            continue;
        };
        let mut last = first;
        for _ in 0..5 {
            let target = last.location.as_deref().and_then(|to| by_url.get(to));
            last = target.copied().unwrap_or(last);
        }
        if last.status == 200
            && files
                .get(host)
                .is_none_or(|(time, _)| *time <= first.time.as_str())
        {
            files.insert(host, (&first.time, &last.body));
        }
    }
    files
}

/// The lines of a body, lower case, white space at their ends aside.
fn lines(body: &[u8]) -> impl Iterator<Item = String> {
    body.split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(|line| {
            String::from_utf8_lossy(line)
                .to_lowercase()
                .trim()
                .to_owned()
        })
}

#[test]
fn agents_are_named_by_as_many_hosts_as_in_the_crawl() {
    let responses = responses();
    let mut hosts: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (host, (_, body)) in files(&responses) {
        for line in lines(body) {
            let agent = line.strip_prefix("user-agent:").unwrap_or_default();
            let token = agent
                .trim()
                .split([' ', '/', '#'])
                .next()
                .unwrap_or_default();
            hosts.entry(token.to_owned()).or_default().insert(host);
        }
    }
    let rows = run("agent-adoption", "top := 1000");
    for token in [
        "gptbot",
        "ccbot",
        "claudebot",
        "googlebot",
        "bingbot",
        "ahrefsbot",
        "google-extended",
    ] {
        let row = rows.iter().find(|row| row["product_token"] == token);
        let expected = hosts.get(token).map(BTreeSet::len);
        assert!(expected > Some(2), "{token}: {expected:?}");
        let found = row.map(|row| number(row, "hosts"));
        assert_eq!(found, expected.map(|count| count as u64), "{token}");
    }
}

#[test]
fn the_largest_file_is_that_of_the_crawl() {
    let responses = responses();
    let largest = responses
        .iter()
        .filter(|response| response.status == 200 && robots_host(&response.url).is_some())
        .map(|response| response.body.len() as u64)
        .max();
    let over: Vec<Value> = run("size-bins", "")
        .into_iter()
        .filter(|row| text(row, "size") == "over 500 KiB")
        .collect();
    assert_eq!(
        over.first().map(|row| number(row, "largest_bytes")),
        largest
    );
    assert!(largest > Some(500 * 1024));
}

#[test]
fn extensions_are_used_by_as_many_hosts_as_in_the_crawl() {
    let responses = responses();
    let files = files(&responses);
    let rows = run("directives", "top := 1000");
    for directive in [
        "crawl-delay",
        "host",
        "clean-param",
        "content-signal",
        "noindex",
    ] {
        let expected = files
            .values()
            .filter(|(_, body)| {
                lines(body).any(|line| {
                    // One host of the sample forgot the colon.
                    let rest = line.strip_prefix(directive);
                    rest.is_some_and(|rest| rest.starts_with([':', ' ']))
                })
            })
            .count();
        assert!(expected > 0, "{directive}");
        let row = rows.iter().find(|row| row["directive"] == directive);
        let found = row.map(|row| number(row, "hosts"));
        assert_eq!(found, Some(expected as u64), "{directive}");
    }
}

#[test]
fn files_of_a_size_are_as_many_as_in_the_crawl() {
    let responses = responses();
    let files = files(&responses);
    let sizes = |at_least: usize| {
        let large = |(_, body): &&(&str, &[u8])| body.len() >= at_least;
        files.values().filter(large).count() as u64
    };
    let rows = run("size-thresholds", "");
    for (at_least, bytes) in [("20 KB", 20_000), ("over 500 KiB", 512_001)] {
        let row = rows
            .iter()
            .find(|row| row["measure"] == "bytes" && row["at_least"] == at_least);
        let found = row.map(|row| number(row, "hosts"));
        assert!(sizes(bytes) > 0);
        assert_eq!(found, Some(sizes(bytes)), "{at_least}");
    }
}
