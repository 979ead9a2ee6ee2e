//! The cases of `conformance/cases.jsonl`: what each clause of a dialect's source means for one
//! robots.txt, or for the response to a robots.txt request. `conformance/README.md` has the format.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use robots_dialects::access::{
    CacheHeaders,
    Response::{self, NoResponse, Status, TooManyRedirects},
};
use robots_dialects::dialect::Dialect;
use robots_dialects::path::UrlPath;
use serde_json::Value;

use super::Trial;

const CASES: &str = include_str!("../../conformance/cases.jsonl");

/// A test per case, named by dialect and clause.
pub(crate) fn tests() -> impl Iterator<Item = Trial> {
    CASES.lines().map(|line| {
        let case: Value = serde_json::from_str(line).expect("a case in JSON");
        let name = format!("{} {}", text(&case["dialect"]), text(&case["clause"]));
        super::test(name, move || check(&case))
    })
}

fn check(case: &Value) {
    let dialect: Dialect = text(&case["dialect"]).parse().expect("a dialect");
    if let Some(verdicts) = case["verdicts"].as_array() {
        check_verdicts(dialect, &body(case), verdicts);
    } else if let Some(responses) = case["responses"].as_array() {
        for response in responses.iter().map(response) {
            assert_eq!(dialect.access(response).name(), text(&case["access"]));
        }
    } else {
        let header = |name: &str| case["headers"][name].as_str().map(str::as_bytes);
        let headers = CacheHeaders {
            cache_control: header("Cache-Control"),
            expires: header("Expires"),
            date: header("Date"),
            fetched: None,
        };
        let seconds = dialect.freshness_seconds(&headers);
        assert_eq!(Some(seconds), case["freshness_seconds"].as_u64());
    }
}

fn check_verdicts(dialect: Dialect, body: &[u8], verdicts: &[Value]) {
    let ruleset = dialect.compile(body);
    for verdict in verdicts {
        let agent = text(&verdict[0]).as_bytes();
        let path = UrlPath::new(text(&verdict[1]).as_bytes());
        let got = [
            ruleset.verdict(agent, &path).allowed,
            // Batches of agents are judged by different code.
            ruleset.allowed_for_each(&[agent], &path)[0],
        ];
        let expected = verdict[2].as_bool().expect("true or false");
        assert_eq!(got, [expected; 2], "alone and in a batch: {verdict}");
    }
}

/// The robots.txt: text, or base64 if it is not UTF-8.
fn body(case: &Value) -> Vec<u8> {
    if let Some(text) = case["robots"].as_str() {
        return text.as_bytes().to_vec();
    }
    let encoded = text(&case["robots_base64"]);
    BASE64_STANDARD.decode(encoded).expect("base64")
}

/// A status, or the reason why it is missing.
fn response(value: &Value) -> Response {
    match value.as_str() {
        Some("no response") => NoResponse,
        Some("too many redirects") => TooManyRedirects,
        Some(other) => panic!("unknown response {other}"),
        None => Status(
            value
                .as_u64()
                .expect("a status")
                .try_into()
                .expect("a status"),
        ),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}
