//! No nonsense on any data: every sentence of reports on datasets of all shapes is read, and its
//! numbers are looked up in the answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::report::{EMPTY, json, sections};
use crate::support::mini_warc::MiniWarc;
use crate::support::program::{Run as _, robostat};

/// Sections whose sentences have sums and quotients of an answer's numbers.
const DERIVED: [&str; 2] = ["classes-by-rank", "operators"];

/// Text that no sentence may contain.
const NONSENSE: [&str; 12] = [
    "{",
    "}",
    "NaN",
    "inf%",
    "null",
    "None",
    "  ",
    " ,",
    "()",
    "to .",
    "1 of 1 ",
    "100.0% are under",
];

/// The percentages of a text, and how many digits follow the point.
fn percentages(text: &str) -> Vec<(f64, usize)> {
    let pieces: Vec<&str> = text.split('%').collect();
    let before = pieces[..pieces.len() - 1].iter();
    let number = before.filter_map(|piece| {
        let digits = piece.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let (before, digits) = piece.split_at(digits.len());
        // Numbers below or above a limit, and differences, are left out.
        let is_end = before.ends_with(['<', '>', '−', '+']) || before.ends_with("than ");
        let decimals = digits.split_once('.').map_or(0, |(_, after)| after.len());
        (!is_end && !digits.is_empty()).then(|| (digits.parse().expect("a number"), decimals))
    });
    number.collect()
}

/// The counts of a text: whole numbers that are not shares or parts of a name or a date.
fn counts(text: &str) -> Vec<f64> {
    let words = text.split([' ', ';', '(', ')']);
    let words = words.map(|word| word.trim_end_matches([',', '.', ':']));
    let is_count = |word: &&str| {
        let is_number = word.chars().all(|c| c.is_ascii_digit() || c == ',');
        is_number && word.starts_with(|c: char| c.is_ascii_digit())
    };
    words
        .filter(is_count)
        .filter_map(|word| word.replace(',', "").parse().ok())
        .collect()
}

/// Checks that counts and their nouns agree.
fn check_plural(text: &str) {
    let words: Vec<&str> = text
        .split([' ', ';', ',', '.'])
        .filter(|it| !it.is_empty())
        .collect();
    for pair in words.windows(2) {
        let [number, noun] = [
            pair[0].trim_matches(['(', ':']),
            pair[1].trim_matches([')', ':']),
        ];
        if !number.chars().all(|c| c.is_ascii_digit()) {
            continue;
        }
        assert!(
            number != "0" || !["hosts", "websites", "pages", "files"].contains(&noun),
            "{text}"
        );
        for singular in [
            "host", "website", "page", "file", "edit", "origin", "crawler", "byte",
        ] {
            assert!(number == "1" || noun != singular, "{number} {noun}: {text}");
            assert!(
                number != "1" || noun != format!("{singular}s"),
                "{number} {noun}: {text}"
            );
        }
    }
}

/// Checks that verbs after a count of one are singular.
fn check_verbs(text: &str) {
    let words: Vec<&str> = text.split([' ', ',', '(']).collect();
    for (place, number) in words.iter().enumerate().filter(|(_, word)| **word == "1") {
        let verb = words[place + 1..]
            .iter()
            .skip(1)
            .find(|word| **word != "that");
        let is_plural = ["have", "do", "block", "count", "refer", "deny", "state"];
        assert!(
            !verb.is_some_and(|verb| is_plural.contains(verb)),
            "{number}: {text}"
        );
    }
}

/// Reads every sentence of a report.
fn check(name: &str, report: &Value) {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let mut n = 0;
    let mut headlines = BTreeSet::new();
    for section in sections(report) {
        let id = text(&section["id"]);
        let sentences = section["sentences"].as_array().expect("sentences");
        let all = [&section["headline"], &section["below"]]
            .into_iter()
            .chain(sentences);
        let rows = section["rows"].as_array().into_iter().flatten();
        let by_domain = section["by_domain"]["rows"]
            .as_array()
            .into_iter()
            .flatten();
        let rows: Vec<&Value> = rows.chain(by_domain).collect();
        let values = rows
            .iter()
            .flat_map(|row| row.as_object().expect("a row").values());
        // Hosts that stopped blocking a crawler: their rule or their file is gone.
        let gone = |row: &&Value| {
            Some(row["hosts_rule_gone"].as_f64()? + row["hosts_file_gone"].as_f64()?)
        };
        let numbers: Vec<f64> = values
            .filter_map(Value::as_f64)
            .chain(rows.iter().filter_map(gone))
            .collect();
        for sentence in all.map(text) {
            n += 1;
            for nonsense in NONSENSE {
                assert!(
                    !sentence.contains(nonsense),
                    "{name} {id}: {nonsense}: {sentence}"
                );
            }
            check_plural(&sentence);
            check_verbs(&sentence);
            // The names of crawls end in their number.
            for count in counts(&sentence.replace("(2 crawls)", "")) {
                let is_known = numbers.iter().any(|number| (number - count).abs() < 0.5);
                assert!(
                    is_known,
                    "{name} {id}: {count} is not in the answer: {sentence}"
                );
            }
            for (share, decimals) in percentages(&sentence) {
                assert!((0.0..=100.0).contains(&share), "{name} {id}: {sentence}");
                let half = 0.5 * 0.1_f64.powi(i32::try_from(decimals).expect("few")) + 1e-9;
                let is_named = |number: f64, phrase| {
                    (share - number).abs() < 1e-9 && sentence.contains(phrase)
                };
                let is_95 =
                    is_named(95.0, "95% interval") || is_named(99.0, "99% of websites have");
                let is_known = numbers.iter().any(|number| (number - share).abs() <= half);
                assert!(
                    is_95 || is_known || DERIVED.contains(&id.as_str()),
                    "{name} {id}: {share} is not in the answer: {sentence}"
                );
            }
        }
        let headline = text(&section["headline"]);
        let words = headline.split(' ').count();
        assert!((1..15).contains(&words), "{name} {id}: {headline}");
        // In Markdown, links lead to the headline.
        assert!(
            headlines.insert(headline.clone()),
            "{name} {id}: {headline}"
        );
    }
    for left_out in report["left_out"].as_array().expect("a list") {
        let reason = text(&left_out["reason"]);
        assert!(
            !reason.is_empty() && !reason.contains(['{', '[']),
            "{name}: {left_out}"
        );
        check_plural(&reason);
    }
    let summary = report["summary"].as_array().expect("a summary");
    assert!(summary.len() <= 5, "{name}: {summary:?}");
    assert!(n < 400, "{name}");
    check_plural(report["corpus"].as_str().expect("text"));
}

/// The AI crawler that the report calls the most blocked, if any.
fn superlative(report: &Value) -> Option<String> {
    let mut sections = sections(report).into_iter();
    let headline = sections.find(|it| it["id"] == "most-blocked")?["headline"].as_str()?;
    let (_, rest) = headline.split_once(" block ")?;
    let (crawler, rest) = rest.split_once(" by name")?;
    rest.contains("more than any other")
        .then(|| crawler.to_owned())
}

fn robots(agents: &[&str]) -> String {
    let lines = agents.iter().map(|agent| format!("User-agent: {agent}\n"));
    lines.collect::<String>() + "Disallow: /\n"
}

/// A crawl of websites with one host each; `file` returns the status and the body of its
/// robots.txt.
fn websites(n: u32, tld: &str, file: impl Fn(u32) -> (u16, String)) -> MiniWarc {
    (0..n).fold(MiniWarc::new(), |warc, number| {
        let (status, body) = file(number);
        warc.answer(
            &format!("https://site{number}.{tld}/robots.txt"),
            status,
            &body,
        )
    })
}

/// Checks a report on websites that are alike: no crawler is blocked more than another.
fn check_uniform(name: &str, report: &Value) {
    check(name, report);
    assert_eq!(superlative(report), None, "{name}");
}

#[test]
fn small_and_uniform_datasets_make_sense() {
    check_uniform("empty", &EMPTY.json);
    let html = "<!DOCTYPE html><html><body>no robots here</body></html>";
    let all = |body: &str| (200, body.to_owned());
    for (name, warc) in [
        (
            "one host",
            websites(1, "com", |_| all(&robots(&["GPTBot"]))),
        ),
        (
            "five hosts",
            websites(5, "example", |_| all(&robots(&["GPTBot", "CCBot"]))),
        ),
        ("only HTML", websites(40, "com", |_| all(html))),
        ("no file", websites(40, "com", |_| (404, String::new()))),
    ] {
        let report = json(&warc.ingest().path(), &[]);
        check_uniform(name, &report);
        if name.contains("host") {
            assert_eq!(report["summary"], Value::Array(Vec::new()), "{name}");
        }
    }
}

#[test]
fn one_website_with_most_hosts_makes_sense() {
    let mut warc = websites(40, "net", |number| {
        (200, robots(&[["GPTBot", "nobody"][number as usize % 2]]))
    });
    for number in 0..360 {
        let url = format!("https://h{number}.large.com/robots.txt");
        warc = warc.answer(&url, 200, &robots(&["CCBot"]));
    }
    let report = json(&warc.ingest().path(), &[]);
    check("one website", &report);
    // Twenty websites block GPTBot, one with 360 hosts CCBot.
    assert_eq!(superlative(&report).as_deref(), Some("GPTBot"));
}

#[test]
fn edits_and_pages_make_sense() {
    let of = |label: &'static str, day: &str, last: &[&str]| {
        let first = MiniWarc::new().on(day);
        let warc = (0..40_usize).fold(first, |warc, number| {
            let file = format!("User-agent: *\nDisallow: /a\n{}", last[number % last.len()]);
            warc.file(&format!("site{number}.com"), &file)
        });
        (label, warc)
    };
    let edited = ["Disallow: /b\n", "# a\nDisallow: /a\n", "Allow: /a\n"];
    let dataset = MiniWarc::ingest_crawls([
        of("before", "2026-01-05", &[""]),
        of("after", "2026-02-05", &edited),
    ]);
    robostat(["diff", "--quiet"]).arg(dataset.path()).succeed();
    let edits = json(&dataset.path(), &[]);
    check("edits", &edits);
    assert!(edits.to_string().contains("% of edits "));
    let pages = (0..40).fold(MiniWarc::new(), |warc, number| {
        // All websites have the same robots.txt.
        let header = ["", "X-Robots-Tag: noindex\r\n"][number % 2];
        let meta = ["", "<meta name=robots content=noai>"][usize::from(number % 3 == 0)];
        let url = format!("https://site{number}.com/");
        let header = format!("Content-Type: text/html\r\n{header}");
        warc.answer(&format!("{url}robots.txt"), 200, &robots(&["GPTBot"]))
            .response(&url, 200, &header, &format!("<html><head>{meta}</head>"))
    });
    let folder = tempfile::tempdir().expect("a folder");
    let [input, out] = ["pages.warc", "out"].map(|name| folder.path().join(name));
    fs::write(&input, pages.bytes()).expect("space");
    robostat(["ingest", "--quiet", "--pages"])
        .args([&input, &out])
        .succeed();
    let pages = json(&out, &[]);
    check_uniform("pages", &pages);
    let text = pages.to_string();
    assert!(text.contains("Rules in pages") && text.contains("% of HTML pages "));
}

#[test]
fn disjoint_crawls_make_sense() {
    let of = |label: &'static str, tld: &str| {
        let file = |number| {
            (
                200,
                robots(&[["GPTBot", "CCBot", "nobody"][number as usize % 3]]),
            )
        };
        (label, websites(60, tld, file))
    };
    let dataset = MiniWarc::ingest_crawls([of("2026-03", "com"), of("2026-08", "org")]);
    let report = json(&dataset.path(), &[]);
    // Two crawlers are blocked alike.
    check_uniform("disjoint", &report);
    // Without a common host, the report mentions no change.
    let text = report.to_string();
    for change in ["websites block GPTBot: ", "up from", "down from"] {
        assert!(!text.contains(change), "{change}");
    }
}

/// A crawl of the same 200 hosts on a day, and the websites of the hosts that block each crawler.
fn random_crawl(
    day: &str,
    random: &mut impl FnMut(u32) -> u32,
) -> (MiniWarc, BTreeMap<&'static str, BTreeSet<u32>>) {
    const AGENTS: [&str; 6] = [
        "GPTBot",
        "CCBot",
        "ClaudeBot",
        "Bytespider",
        "AhrefsBot",
        "*",
    ];
    let mut blocked: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    let mut warc = MiniWarc::new().on(day);
    for number in 0..200_u32 {
        // A few websites have many hosts.
        let site = (number * number / 7) % 120;
        let url = format!(
            "https://h{number}.site{site}.{}/robots.txt",
            ["com", "de"][site as usize % 2]
        );
        let agents: Vec<&str> = AGENTS
            .iter()
            .enumerate()
            .filter(|(place, _)| random(4 + 9 * u32::try_from(*place).expect("few")) == 0)
            .map(|(_, agent)| *agent)
            .collect();
        let (status, body) = match random(10) {
            0 => (404, String::new()),
            1 => (503, String::new()),
            _ if agents.is_empty() => (200, "User-agent: *\nDisalow: /x\nAllow /y\n".to_owned()),
            _ => (200, robots(&agents)),
        };
        if status == 200 {
            for agent in agents {
                blocked.entry(agent).or_default().insert(site);
            }
        }
        warc = warc.answer(&url, status, &body);
    }
    (warc, blocked)
}

#[test]
fn random_datasets_make_sense() {
    let mut state = 2_654_435_761_u32;
    let mut random = move |below: u32| {
        // xorshift: any sequence will do.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % below
    };
    let (first, blocked_first) = random_crawl("2025-01-05", &mut random);
    let (last, blocked_last) = random_crawl("2026-01-05", &mut random);
    let dataset = MiniWarc::ingest_crawls([("january", first), ("december", last)]);
    // The report on the first crawl does not know the last.
    let of_first = json(&dataset.path(), &["--crawl", "january"]);
    assert!(!of_first.to_string().contains("december"));
    let of_last = json(&dataset.path(), &[]);
    for (report, blocked) in [(of_first, blocked_first), (of_last, blocked_last)] {
        check("random", &report);
        if let Some(crawler) = superlative(&report) {
            // The crawler called the most blocked is blocked on more websites than the others.
            let of = |agent: &str| blocked.get(agent).map_or(0, BTreeSet::len);
            for other in ["GPTBot", "CCBot", "ClaudeBot", "Bytespider"] {
                assert!(
                    other == crawler || of(&crawler) > of(other),
                    "{crawler} {other}"
                );
            }
        }
    }
}
