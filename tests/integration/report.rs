//! Runs of `robostat report`: the page is whole, says what the JSON says, names nobody and obeys
//! nobody.

use crate::support::browser;
use crate::support::duckdb;
use crate::support::markup;
use crate::support::program::robostat;
use std::path::Path;
use std::sync::LazyLock;

use crate::support::mini_warc::{Dataset, MiniWarc};
use serde_json::Value;

/// The sample crawl, ingested once.
static SAMPLE: LazyLock<Dataset> = LazyLock::new(|| {
    Dataset::ingest(&Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/crawl.warc.gz"))
});
/// Its report, as a page.
static PAGE: LazyLock<String> = LazyLock::new(|| report(&SAMPLE.path(), &[]));

/// Standard output of `robostat report`, which must succeed.
#[track_caller]
fn report(dataset: &Path, arguments: &[&str]) -> String {
    let output = robostat(["report"])
        .arg(dataset)
        .args(arguments)
        .env("ROBOSTAT_DUCKDB", duckdb::program())
        .output()
        .expect("a run");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(dataset: &Path, arguments: &[&str]) -> Value {
    let text = report(dataset, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

/// The sections of a report in JSON.
fn sections(report: &Value) -> Vec<&Value> {
    let chapters = report["chapters"].as_array().expect("chapters");
    let sections = chapters.iter().map(|chapter| &chapter["sections"]);
    sections
        .flat_map(|sections| sections.as_array().expect("sections"))
        .collect()
}

/// A value as the page shows it.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        other => {
            let text = other.to_string();
            text.strip_suffix(".0").unwrap_or(&text).to_owned()
        }
    }
}

/// A cell of the page without what makes it easier to read.
fn plain(cell: &str) -> String {
    let number = match cell.strip_suffix("\u{a0}%") {
        // Two decimals at least.
        Some(per_cent) => per_cent.trim_end_matches('0').trim_end_matches('.'),
        None => cell,
    };
    number.replace('−', "-").replace(',', "")
}

#[test]
fn the_page_is_whole_and_needs_nothing() {
    markup::check(&PAGE);
    for element in [
        "<script", "<link", "<img", "<iframe", "<object", "@import", "url(",
    ] {
        assert!(!PAGE.contains(element), "{element}");
    }
    for tag in markup::tags(&PAGE) {
        assert!(!tag.contains("src="), "{tag}");
        if let Some((_, target)) = tag.split_once("href=\"") {
            assert!(
                target.starts_with('#') || target.starts_with("data:text/csv;"),
                "{tag}"
            );
        }
    }
    // Every link within the page leads somewhere.
    for target in PAGE.split("href=\"#").skip(1) {
        let id = target.split('"').next().expect("a value");
        assert!(PAGE.contains(&format!("id=\"{id}\"")), "{id}");
    }
    let charts = PAGE.matches("<svg ").count();
    assert!(charts > 5, "{charts}");
    assert_eq!(
        PAGE.matches("role=\"img\" aria-labelledby=").count(),
        charts
    );
    assert_eq!(PAGE.matches("<desc id=").count(), charts);
}

#[test]
fn the_page_says_what_the_json_says() {
    let report = json(&SAMPLE.path(), &[]);
    let (mut cells, mut sections_with_table) = (0, 0);
    for section in sections(&report) {
        let id = section["id"].as_str().expect("an id");
        let article = PAGE
            .split_once(&format!("<article id=\"{id}\""))
            .and_then(|(_, rest)| rest.split_once("</article>"))
            .unwrap_or_else(|| panic!("no {id} on the page"))
            .0;
        let text = markup::unescape(article);
        for part in ["title", "finding", "command"] {
            let part = section[part].as_str().expect("text");
            assert!(text.contains(part), "{id}: {part}");
        }
        let query = section["query"].as_str().expect("a name");
        assert!(
            article.contains(&format!("Query <code>{query}</code>")),
            "{id}"
        );

        let rows = section["rows"].as_array().expect("rows");
        let csv = markup::csv(article);
        assert_eq!(csv.len(), rows.len() + 1, "{id}");
        let table = markup::table(article);
        let names: Vec<String> = table[0]
            .iter()
            .map(|heading| heading.replace("% ", "pct_").replace(' ', "_"))
            .collect();
        let mut rest = rows.iter();
        for row in &table[1..] {
            let found = rest.find(|candidate| {
                names.iter().zip(row).all(|(name, cell)| {
                    let expected = shown(&candidate[name.as_str()]);
                    *cell == expected || plain(cell) == expected
                })
            });
            assert!(
                found.is_some(),
                "{id}: {row:?} is not in the JSON, of {names:?}"
            );
            cells += row.len();
        }
        sections_with_table += 1;
    }
    assert!(
        sections_with_table > 15 && cells > 300,
        "{sections_with_table} {cells}"
    );
}

#[test]
fn markdown_says_the_same() {
    let markdown = report(&SAMPLE.path(), &["--format", "markdown"]);
    let report = json(&SAMPLE.path(), &[]);
    for section in sections(&report) {
        let command = section["command"].as_str().expect("text");
        assert!(
            markdown.contains(&format!("Repeat: `{command}`")),
            "{command}"
        );
        let rows = section["rows"].as_array().expect("rows").len();
        assert!(rows > 0, "{command}");
    }
    // Every row of a table has as many cells as its head.
    let mut head = None;
    for line in markdown.lines() {
        let cells = line.replace("\\|", "").matches('|').count();
        match head {
            Some(expected) if line.starts_with('|') => assert_eq!(cells, expected, "{line}"),
            _ => head = line.starts_with('|').then_some(cells),
        }
    }
}

#[test]
fn every_command_of_a_report_gives_its_rows() {
    let report = json(&SAMPLE.path(), &["--name-hosts"]);
    for section in sections(&report) {
        let command = section["command"].as_str().expect("text");
        let command = command
            .strip_prefix("robostat query out/ ")
            .expect("a query");
        let arguments = command
            .split_whitespace()
            .map(|word| word.trim_matches('\''));
        let output = robostat(["query"])
            .arg(SAMPLE.path())
            .args(arguments)
            .args(["--format", "json"])
            .env("ROBOSTAT_DUCKDB", duckdb::program())
            .output()
            .expect("a run");
        let rows: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{command}: {}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(rows, section["rows"], "{command}");
    }
}

/// A crawl whose every text wants to be more than text.
fn hostile() -> MiniWarc {
    let robots = "User-agent: GPTBot<script>alert(1)</script>\n\
         Disallow: /<script>alert('x')</script>\u{202e}\u{1b}[31m\n\
         User-agent: *\n\
         Disallow: /=cmd|' /C calc'!A0\n\
         Disallow: https://unmentionable-path.example/a\n\
         Host: unmentionable-directive.example\n\
         Dissallow: <img src=x onerror=alert(1)>\n\
         Desallow: unmentionable-typo.example\n\
         Crawl-delay: 10\n\
         X-\"'><svg/onload=alert(1)>: unmentionable-value.example\n\
         unmentionable-key.example: 1\n\
         www.unmentionable-word.example /\n\
         Sitemap: https://unmentionable-sitemap.example/s.xml\n";
    let mut warc = MiniWarc::new();
    for number in 0..8 {
        let host = format!("unmentionable-host-{number}.example");
        warc = warc.answer(&format!("https://{host}/robots.txt"), 200, robots);
    }
    warc.redirect(
        "https://unmentionable-old.example/robots.txt",
        "https://unmentionable-new.example/robots.txt",
    )
    .answer("https://unmentionable-<b>.example/robots.txt", 404, "")
}

#[test]
fn nobody_is_named_and_nobody_obeyed() {
    let dataset = hostile().ingest();
    let page = report(
        &dataset.path(),
        &["--title", "</title><script>alert(2)</script>"],
    );
    markup::check(&page);
    for order in [
        "<script",
        "<img",
        "<svg/",
        "onerror=a",
        "\u{202e}",
        "\u{1b}",
    ] {
        let is_shown = page.contains(&order.replace('<', "&lt;"));
        assert!(
            !page.contains(order) || (order == "onerror=a" && is_shown),
            "{order:?}"
        );
    }
    let markdown = report(&dataset.path(), &["--format", "markdown"]);
    let json = report(&dataset.path(), &["--format", "json"]);
    for text in [&page, &markdown, &json] {
        assert!(
            !text.contains("unmentionable"),
            "{}",
            around(text, "unmentionable")
        );
        assert!(!text.contains(['\u{202e}', '\u{1b}']));
    }
    for row in markup::articles(&page)
        .iter()
        .flat_map(|article| markup::csv(article))
    {
        assert!(!row.contains("unmentionable"), "{row}");
        assert!(!row.starts_with(['=', '+', '@']), "{row}");
    }
    // The rule's path is there, and is text.
    assert!(
        page.contains("&lt;script&gt;alert("),
        "the hostile rule is shown"
    );
    let naming = report(&dataset.path(), &["--name-hosts", "--format", "json"]);
    assert!(naming.contains("unmentionable-host-0.example"));
}

/// A text's neighbourhood, for messages.
fn around<'t>(text: &'t str, part: &str) -> &'t str {
    let at = text.find(part).unwrap_or(0);
    let begin = text[..at]
        .char_indices()
        .rev()
        .nth(200)
        .map_or(0, |(place, _)| place);
    let end = text[at..]
        .char_indices()
        .nth(200)
        .map_or(text.len(), |(place, _)| at + place);
    &text[begin..end]
}

#[test]
fn a_baseline_shows_what_changed() {
    let rule = |agent: &str| format!("User-agent: {agent}\nDisallow: /\n");
    let crawl = |agents: [&str; 4]| {
        let mut warc = MiniWarc::new();
        for (number, agent) in agents.into_iter().enumerate() {
            warc = warc.answer(
                &format!("https://h{number}.example/robots.txt"),
                200,
                &rule(agent),
            );
        }
        warc.ingest()
    };
    let before = crawl(["GPTBot", "*", "*", "*"]);
    let after = crawl(["GPTBot", "GPTBot", "GPTBot", "*"]);
    let other = before.path();
    let report = json(
        &after.path(),
        &["--baseline", other.to_str().expect("UTF-8")],
    );
    let sections = sections(&report);
    let section = sections
        .iter()
        .find(|section| section["id"] == "baseline-agent-adoption")
        .expect("a comparison");
    let rows = section["rows"].as_array().expect("rows");
    let row = rows
        .iter()
        .find(|row| row["product_token"] == "gptbot")
        .expect("a row");
    assert_eq!(row["pct_named_of_baseline"], 25, "{row}");
    assert_eq!(row["pct_named"], 75);
    assert_eq!(row["difference"], 50);
}

#[test]
fn an_empty_corpus_has_a_report_too() {
    let dataset = MiniWarc::new().ingest();
    let page = report(&dataset.path(), &[]);
    markup::check(&page);
    assert!(page.contains("<h2>Left out</h2>"));
    assert!(page.contains("the corpus has nothing of the kind"));
}

#[test]
fn a_browser_shows_it_without_overflow_and_prints_it() {
    let Some(browser) = browser::find() else {
        println!("skipped: no Chromium or Chrome on the PATH");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.html");
    std::fs::write(&path, &*PAGE).expect("a file");
    for width in [390, 1280] {
        let measured = browser::measure(&browser, folder.path(), "report.html", width);
        assert!(measured.page <= measured.window, "{width}: {measured:?}");
        assert_eq!(measured.wide, "", "wider than a window of {width}");
        assert!(measured.charts > 5, "{measured:?}");
    }
    let pdf = folder.path().join("report.pdf");
    browser::print(&browser, &path, &pdf);
    let bytes = std::fs::read(&pdf).expect("a PDF");
    assert!(
        bytes.starts_with(b"%PDF-") && bytes.len() > 20_000,
        "{}",
        bytes.len()
    );
}
