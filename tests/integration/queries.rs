//! The shipped queries: their list is made from their heads, and some of their answers are compared
//! with the counts of a plain reading of the sample crawl, without robostat's own code.
//! `tests/cases` has answers on small crawls, and `every_query.md` runs them all.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use robostat::internals::shipped;

use crate::support::mini_warc::SAMPLE;
use crate::support::program::{assert_text, sample};
use crate::support::warc;

/// `queries/README.md` lists the queries from their heads, between these lines.
#[test]
fn the_readme_of_the_queries_is_made_from_their_heads() {
    const BORDERS: [&str; 2] = [
        "<!-- made from the heads of the queries -->\n",
        "<!-- end -->\n",
    ];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("queries/README.md");
    let text = fs::read_to_string(&path).expect("text");
    let (before, rest) = text.split_once(BORDERS[0]).expect("the first border");
    let (_, after) = rest.split_once(BORDERS[1]).expect("the last border");
    let mut lists = String::new();
    for (_, topic) in shipped::topics() {
        let _ = writeln!(lists, "\n## {topic}\n\n| query | question |\n|---|---|");
        for query in shipped::all()
            .iter()
            .filter(|query| query.topic() == *topic)
        {
            assert!(query.path.ends_with(&format!("/{}.sql", query.name)));
            let link = query.path.trim_start_matches("queries/");
            let question = query.summary().replace('|', "\\|");
            let _ = writeln!(lists, "| [{}]({link}) | {question} |", query.name);
        }
    }
    let made = format!("{before}{}{lists}\n{}{after}", BORDERS[0], BORDERS[1]);
    assert_text(&path, &made);
}

/// A response of the crawl, read by splitting its text.
struct Response {
    url: String,
    time: String,
    status: u16,
    location: Option<String>,
    body: Vec<u8>,
}

impl Response {
    /// The response of a record, if it has a status.
    fn read(record: &[u8]) -> Option<Self> {
        let (head, block) = split(record)?;
        let (http, body) = split(block)?;
        let head = head.replace("\r\n ", " ");
        if field(&head, "warc-type") != Some("response") {
            return None;
        }
        Some(Self {
            url: field(&head, "warc-target-uri")?
                .trim_matches(['<', '>'])
                .to_owned(),
            time: field(&head, "warc-date")?.to_owned(),
            status: http.split(' ').nth(1)?.parse().ok()?,
            location: field(&http, "location").map(str::to_owned),
            body: body.strip_suffix(b"\r\n\r\n")?.to_vec(),
        })
    }

    /// The host whose robots.txt was requested.
    fn host(&self) -> Option<&str> {
        let host = self.url.split_once("://")?.1.strip_suffix("/robots.txt")?;
        (!host.contains('/')).then_some(host)
    }

    /// The lines of the body, in lower case and trimmed.
    fn lines(&self) -> impl Iterator<Item = String> {
        let lines = self.body.split(|byte| matches!(byte, b'\n' | b'\r'));
        lines.map(|line| {
            String::from_utf8_lossy(line)
                .to_lowercase()
                .trim()
                .to_owned()
        })
    }
}

/// A head, and what follows the empty line at its end.
fn split(bytes: &[u8]) -> Option<(String, &[u8])> {
    let at = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some((
        String::from_utf8_lossy(&bytes[..at]).into_owned(),
        &bytes[at + 4..],
    ))
}

fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.split("\r\n").find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// The counts in the rows of a query whose `column` has these values.
#[track_caller]
fn counts<const N: usize>(
    query: &str,
    [column, counted]: [&str; 2],
    values: [&str; N],
) -> [Option<usize>; N] {
    let rows = SAMPLE.lines(&format!("SELECT {column}, {counted}::BIGINT FROM {query}"));
    values.map(|value| {
        let mut rows = rows.iter().filter_map(|row| row.rsplit_once('|'));
        rows.find(|(found, _)| *found == value)?.1.parse().ok()
    })
}

/// The responses of the sample crawl.
fn responses() -> Vec<Response> {
    let records = warc::records(&sample("crawl.warc"));
    records.iter().filter_map(|it| Response::read(it)).collect()
}

#[test]
fn statuses_are_what_a_plain_reading_of_the_crawl_counts() {
    let responses = responses();
    // The latest status of each URL. The crawl has revisits of a success, and URLs that differ only
    // in how they are written, so that successes are not compared.
    let mut latest: BTreeMap<&str, &Response> = BTreeMap::new();
    for response in responses.iter().filter(|it| it.host().is_some()) {
        let entry = latest.entry(&response.url).or_insert(response);
        if response.time >= entry.time {
            *entry = response;
        }
    }
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for response in latest.values() {
        *statuses.entry(response.status).or_default() += 1;
    }
    statuses.retain(|status, _| !matches!(status, 200 | 304));
    assert!(statuses.len() > 10);
    let expected: Vec<String> = statuses
        .iter()
        .map(|(status, n)| format!("{status}|{n}"))
        .collect();
    let sql = "SELECT fetch_status, origins FROM status_codes()
        WHERE fetch_status NOT IN (200, 304) ORDER BY fetch_status";
    assert_eq!(SAMPLE.lines(sql), expected);
}

#[test]
fn answers_are_what_a_plain_reading_of_the_crawl_counts() {
    let responses = responses();
    // The latest success of each host, after redirects.
    let by_url: BTreeMap<&str, &Response> =
        responses.iter().map(|it| (it.url.as_str(), it)).collect();
    let mut files: BTreeMap<&str, (&str, &Response)> = BTreeMap::new();
    for first in &responses {
        let Some(host) = first.host() else { continue };
        let mut last = first;
        for _ in 0..5 {
            let target = last.location.as_deref().and_then(|to| by_url.get(to));
            last = target.copied().unwrap_or(last);
        }
        let is_later = files
            .get(host)
            .is_none_or(|(time, _)| *time <= first.time.as_str());
        if last.status == 200 && is_later {
            files.insert(host, (&first.time, last));
        }
    }
    let with = |is: &dyn Fn(&Response) -> bool| Some(files.values().filter(|it| is(it.1)).count());

    let agents = [
        "gptbot",
        "ccbot",
        "claudebot",
        "googlebot",
        "bingbot",
        "ahrefsbot",
        "google-extended",
    ];
    let naming = agents.map(|agent| {
        with(&|file| {
            let named = |line: String| {
                let name = line.strip_prefix("user-agent:").map(str::trim);
                name.and_then(|it| it.split([' ', '/', '#']).next()) == Some(agent)
            };
            file.lines().any(named)
        })
    });
    assert!(naming.iter().all(|hosts| *hosts > Some(2)), "{naming:?}");
    assert_eq!(
        counts(
            "agent_adoption(top := 1000)",
            ["product_token", "hosts"],
            agents
        ),
        naming
    );

    let directives = [
        "crawl-delay",
        "host",
        "clean-param",
        "content-signal",
        "noindex",
    ];
    let using = directives.map(|directive| {
        // One host of the sample forgot the colon.
        let is = |line: String| {
            line.strip_prefix(directive)
                .is_some_and(|it| it.starts_with([':', ' ']))
        };
        with(&|file| file.lines().any(is))
    });
    assert!(using.iter().all(|hosts| *hosts > Some(0)), "{using:?}");
    assert_eq!(
        counts(
            "directives(top := 1000)",
            ["directive", "hosts"],
            directives
        ),
        using
    );

    let sizes = [20_000, 512_001].map(|bytes| with(&|file| file.body.len() >= bytes));
    assert!(sizes.iter().all(|hosts| *hosts > Some(0)), "{sizes:?}");
    let query = "size_thresholds() WHERE measure = 'bytes'";
    assert_eq!(
        counts(query, ["at_least", "hosts"], ["20 KB", "over 500 KiB"]),
        sizes
    );

    let bodies = responses
        .iter()
        .filter(|it| it.status == 200 && it.host().is_some());
    let largest = bodies.map(|it| it.body.len()).max();
    assert!(largest > Some(500 * 1024));
    let found = counts("size_bins()", ["size", "largest_bytes"], ["over 500 KiB"]);
    assert_eq!(found, [largest]);
}
