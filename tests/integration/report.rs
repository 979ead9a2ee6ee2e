//! Runs of `robostat report`: the page is whole, says what the JSON says, names nobody and obeys
//! nobody.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;

use crate::support::browser;
use crate::support::markup;
use crate::support::mini_warc::{MiniWarc, SAMPLE};
use crate::support::program::{Run as _, assert_contains, robostat};

/// Its report, as a page.
static PAGE: LazyLock<String> = LazyLock::new(|| report(&SAMPLE.path(), &[]));

/// Standard output of `robostat report`, which must succeed.
#[track_caller]
fn report(dataset: &Path, arguments: &[&str]) -> String {
    let to_stdout: &[&str] = if arguments.contains(&"-o") {
        &[]
    } else {
        &["-o", "-"]
    };
    let output = robostat(["report"])
        .arg(dataset)
        .args(arguments)
        .args(to_stdout)
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

#[test]
fn the_page_is_whole_and_needs_nothing() {
    markup::check(&PAGE);
    let shown = markup::shown(&PAGE);
    for element in [
        "<script", "<link", "<img", "<iframe", "<object", "@import", "url(", " style=",
    ] {
        assert!(!shown.contains(element), "{element}");
    }
    for tag in markup::tags(&shown) {
        assert!(!tag.contains("src="), "{tag}");
        if let Some((_, target)) = tag.split_once("href=\"") {
            assert!(
                target.starts_with('#') || target.starts_with("data:text/csv;"),
                "{tag}"
            );
        }
    }
    // Every link within the page leads somewhere.
    for target in shown.split("href=\"#").skip(1) {
        let id = target.split('"').next().expect("a value");
        assert!(shown.contains(&format!("id=\"{id}\"")), "{id}");
    }
    let charts = shown.matches("<svg ").count();
    assert!(charts > 5, "{charts}");
    assert_eq!(
        shown.matches("role=\"img\" aria-labelledby=").count(),
        charts
    );
    assert_eq!(shown.matches("<desc id=").count(), charts);
    // Its policy lets it run its own script and style, and nothing else.
    assert!(shown.contains("content=\"default-src 'none'; style-src 'sha256-"));
    assert!(PAGE.len() < 1024 * 1024, "{}", PAGE.len());
}

/// The section of that id in a report.
#[track_caller]
fn section<'r>(report: &'r Value, id: &str) -> &'r Value {
    let mut sections = sections(report).into_iter();
    sections
        .find(|section| section["id"] == id)
        .unwrap_or_else(|| panic!("no {id}"))
}

#[test]
fn the_page_says_what_the_json_says() {
    let report = json(&SAMPLE.path(), &[]);
    let (mut cells, mut tables) = (0, 0);
    for section in sections(&report) {
        let id = section["id"].as_str().expect("an id");
        let article = PAGE
            .split_once(&format!("<article id=\"{id}\""))
            .and_then(|(_, rest)| rest.split_once("</article>"))
            .unwrap_or_else(|| panic!("no {id} on the page"))
            .0;
        let text = markup::unescape(article);
        let claims = section["claims"].as_array().expect("claims");
        let by_domain = &section["by_domain"];
        let commands = [&section["title"], &section["command"]];
        let of_domains = (!by_domain.is_null()).then_some(&by_domain["command"]);
        for part in claims.iter().chain(commands).chain(of_domains) {
            let part = part.as_str().expect("text");
            assert!(text.contains(part), "{id}: {part}");
        }
        let rows = section["rows"].as_array().expect("rows");
        assert_eq!(markup::csv(article).len(), rows.len() + 1, "{id}");
        if !article.contains("<table>") {
            continue;
        }
        tables += 1;
        // Every number that a table sorts by is one of the answer, by host or by domain.
        let rows_by_domain = by_domain["rows"].as_array().into_iter().flatten();
        let numbers: Vec<f64> = rows
            .iter()
            .chain(rows_by_domain)
            .flat_map(|row| row.as_object().expect("a row").values())
            .filter_map(Value::as_f64)
            .collect();
        for value in article.split(" data-v=\"").skip(1) {
            let value = value.split('"').next().expect("a value");
            let value: f64 = value.parse().expect("a number");
            assert!(numbers.contains(&value), "{id}: {value}");
            cells += 1;
        }
    }
    assert!(tables > 15 && cells > 300, "{tables} {cells}");
    for finding in report["summary"].as_array().expect("a summary") {
        let text = finding["text"].as_str().expect("text");
        assert!(markup::unescape(&PAGE).contains(text), "{text}");
        let section = section(&report, finding["section"].as_str().expect("an id"));
        let claims = section["claims"].as_array().expect("claims");
        assert!(claims.contains(&finding["text"]), "{text}");
        // Each has its interval.
        assert!(text.contains("95% interval"), "{text}");
    }
}

#[test]
fn the_json_has_the_digest_of_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("news.html");
    report(&SAMPLE.path(), &["-o", path.to_str().expect("UTF-8")]);
    let page = std::fs::read(&path).expect("a page");
    assert_eq!(page, PAGE.as_bytes(), "the same report has the same bytes");
    let text = std::fs::read_to_string(folder.path().join("news.json")).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["page"]["bytes"], page.len());
    let digest = report["page"]["sha256"].as_str().expect("a digest");
    assert_eq!(digest.len(), 64);
    let inputs = report["inputs"].as_array().expect("inputs");
    assert_eq!(inputs.len(), 1);
    assert!(inputs[0]["bytes"].as_u64().expect("bytes") > 0);
    let bibtex = report["bibtex"].as_str().expect("BibTeX");
    assert!(bibtex.starts_with("@misc{robostat-"), "{bibtex}");
}

#[test]
fn markdown_says_the_same_with_figures_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("appendix.md");
    report(&SAMPLE.path(), &["-o", path.to_str().expect("UTF-8")]);
    let markdown = std::fs::read_to_string(&path).expect("a report");
    let report = json(&SAMPLE.path(), &[]);
    for section in sections(&report) {
        let command = section["command"].as_str().expect("text");
        assert!(markdown.contains(&format!("`{command}`")), "{command}");
    }
    let figures = markdown.matches("](appendix-figures/").count();
    assert!(figures > 5, "{figures}");
    for figure in markdown.split("](appendix-figures/").skip(1) {
        let name = figure.split(')').next().expect("a name");
        let svg = std::fs::read_to_string(folder.path().join("appendix-figures").join(name));
        let svg = svg.expect("a figure");
        let start = "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:#fff\" viewBox=";
        assert!(svg.starts_with(start), "{name}");
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
fn a_file_that_is_no_report_is_refused() {
    let output = robostat(["report"])
        .arg(SAMPLE.path())
        .args(["-o", "report.pdf"])
        .fail(1);
    let errors = output;
    assert_contains(
        &errors,
        &["report.pdf: a report is written as .html, .md or .json"],
    );
    let errors = robostat(["report"])
        .arg(SAMPLE.path())
        .args(["--sections", "summary,nonsense"])
        .fail(2);
    assert_contains(
        &errors,
        &["there is no section nonsense; there are summary, most-blocked"],
    );
}

#[test]
fn sections_and_crawlers_are_chosen() {
    let report = json(
        &SAMPLE.path(),
        &["--sections", "who,classes", "--agents", "ClaudeBot,ccbot"],
    );
    let ids: Vec<&str> = sections(&report)
        .iter()
        .map(|it| it["id"].as_str().expect("an id"))
        .collect();
    assert!(
        ids.contains(&"crawlers") && ids.contains(&"classes"),
        "{ids:?}"
    );
    assert!(
        !ids.contains(&"most-blocked") && !ids.contains(&"codes"),
        "{ids:?}"
    );
    let rows = section(&report, "crawlers")["rows"]
        .as_array()
        .expect("rows");
    let tokens: Vec<&Value> = rows.iter().map(|row| &row["product_token"]).collect();
    assert!(
        !tokens.is_empty() && tokens.iter().all(|it| *it == "claudebot" || *it == "ccbot"),
        "{tokens:?}"
    );
    let claim = section(&report, "crawlers")["claims"][0].to_string();
    assert!(claim.contains(", of these 2: "), "{claim}");
}

#[test]
fn a_crawler_that_was_chosen_is_not_called_the_first_of_all() {
    // Most hosts block GPTBot; the report is about another.
    let agents: Vec<&str> = (0..60)
        .map(|number| if number < 57 { "GPTBot" } else { "CCBot" })
        .collect();
    let dataset = crawl("one", &agents).ingest();
    let claim = |agents: &str, id: &str| {
        let report = json(
            &dataset.path(),
            &["--sections", "summary,who", "--agents", agents],
        );
        let text = &section(&report, id)["claims"][0];
        text.as_str().expect("text").to_owned()
    };
    let blocked = claim("CCBot", "most-blocked");
    assert!(
        blocked.starts_with("CCBot is blocked by name: "),
        "{blocked}"
    );
    let named = claim("CCBot", "crawlers");
    assert!(
        named.starts_with("CCBot is named by 3 of 60 hosts"),
        "{named}"
    );
    let both = claim("CCBot,GPTBot", "most-blocked");
    assert!(
        both.starts_with("GPTBot is the crawler that most hosts block by name, of these 2: "),
        "{both}"
    );
    // The subject of the section does not depend on the order of names.
    let whom = claim("CCBot,GPTBot", "by-whom");
    assert!(whom.starts_with("GPTBot is blocked, "), "{whom}");
}

/// A crawl of hosts of which each file blocks one of these crawlers.
fn crawl(label: &str, agents: &[&str]) -> MiniWarc {
    let mut warc = MiniWarc::new();
    for (number, agent) in agents.iter().enumerate() {
        let url = format!("https://h{number}.example{}.com/robots.txt", number / 3);
        warc = warc.answer(
            &url,
            200,
            &format!("# {label}\nUser-agent: {agent}\nDisallow: /\n"),
        );
    }
    warc
}

#[test]
fn the_summary_counts_right() {
    // 30 hosts under 10 domains: 12 block GPTBot by name, 3 CCBot, 15 no known crawler.
    let agents: Vec<&str> = (0..30)
        .map(|number| match number {
            0..12 => "GPTBot",
            12..15 => "CCBot",
            _ => "nobody",
        })
        .collect();
    let dataset = crawl("one", &agents).ingest();
    let report = json(&dataset.path(), &[]);
    let claims = section(&report, "most-blocked")["claims"]
        .as_array()
        .expect("claims");
    let claim = claims[0].as_str().expect("text");
    assert!(
        claim.starts_with(
            "GPTBot is the AI crawler that most hosts block by name: 40% of registrable domains \
             (95% interval 11–73%) and 40% of hosts (12 of 30 that answered conclusively; 11–73%) \
             allow it no path."
        ),
        "{claim}"
    );
    let row = &section(&report, "most-blocked")["rows"][0];
    assert_eq!(row["product_token"], "gptbot");
    for (column, expected) in [("hosts_named", 12), ("n", 30), ("n_domains", 10)] {
        assert_eq!(row[column], expected, "{column}");
    }
    // Domains of three hosts each, p = 0.4: Wilson's limits for 9 independent hosts with Student's
    // t of 9 degrees, 2.262, the lower one with half a host less.
    for (column, expected) in [
        ("pct_full_by_name", 40.0),
        ("pct_low", 10.92),
        ("pct_high", 73.34),
        ("pct_of_domains", 40.0),
        ("pct_of_domains_low", 10.92),
    ] {
        assert_eq!(row[column], expected, "{column}");
    }
    let rows = section(&report, "any")["rows"].as_array().expect("rows");
    let hosts = |measure: &str| {
        let row = rows
            .iter()
            .find(|row| row["measure"] == measure)
            .expect("a measure");
        (row["hosts"].as_u64(), row["n"].as_u64())
    };
    assert_eq!(hosts("blocks_ai"), (Some(15), Some(30)));
    assert_eq!(hosts("blocks_all"), (Some(0), Some(30)));
    assert_eq!(hosts("with_rules"), (Some(30), Some(30)));
    let rows = section(&report, "by-whom")["rows"]
        .as_array()
        .expect("rows");
    let part = rows
        .iter()
        .find(|row| row["part"] == "2 to 9")
        .expect("a part");
    assert_eq!(part["n"], 30);
    assert_eq!(part["hosts_full"], 12);
    assert_eq!(part["pct_of_blocking"], 100.0);
    let summary = report["summary"].as_array().expect("a summary");
    assert!(summary.len() >= 3, "{summary:?}");
}

#[test]
fn what_one_domain_with_many_hosts_does_is_told_beside_what_domains_do() {
    // Twenty hosts of one domain block GPTBot and CCBot; of four domains with a host each, three
    // block AhrefsBot and ClaudeBot, one nobody.
    let mut warc = MiniWarc::new();
    for number in 0..20 {
        let url = format!("https://h{number}.large.com/robots.txt");
        warc = warc.answer(
            &url,
            200,
            "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n",
        );
    }
    for number in 0..4 {
        let agents = match number {
            0 => "User-agent: nobody\n",
            _ => "User-agent: AhrefsBot\nUser-agent: ClaudeBot\n",
        };
        let url = format!("https://small{number}.com/robots.txt");
        warc = warc.answer(&url, 200, &format!("{agents}Disallow: /\n"));
    }
    let report = json(&warc.ingest().path(), &[]);
    let claim = |id: &str, place: usize| {
        let text = &section(&report, id)["claims"][place];
        text.as_str().expect("text").to_owned()
    };
    assert_eq!(
        claim("how-many", 0),
        "Of registrable domains that block an AI crawler by name, 75.0% block exactly 1 of them. \
         Of the 23 hosts that block one, 87.0% block exactly 2; the most that a host blocks is 2."
    );
    let kinds = [claim("kinds", 0), claim("kinds", 1)];
    for (claim, share) in kinds.iter().zip(["80%", "95.8%"]) {
        assert!(claim.starts_with(share), "{claim}");
    }
    assert!(kinds[0].contains("of registrable domains with rules"));
    let pair = claim("siblings", 0);
    assert!(
        pair.starts_with("The pair that most hosts tell apart: GPTBot is blocked and ")
            && pair.contains(" is not by 20% of registrable domains ")
            && pair.contains("(20 of 24 that answered conclusively"),
        "{pair}"
    );
}

/// One domain has most of the hosts: the share of hosts has no interval, and each place that prints
/// it gives the reason.
#[test]
fn a_share_without_an_interval_has_the_reason_beside_it() {
    let mut warc = MiniWarc::new();
    for number in 0..40 {
        let (host, agents) = match number {
            0..36 => (format!("h{number}.large.com"), "User-agent: GPTBot\n"),
            36..38 => (format!("small{number}.com"), "User-agent: CCBot\n"),
            _ => (format!("small{number}.com"), "User-agent: nobody\n"),
        };
        let url = format!("https://{host}/robots.txt");
        warc = warc.answer(&url, 200, &format!("{agents}Disallow: /\n"));
    }
    let dataset = warc.ingest();
    let written = json(&dataset.path(), &[]);
    let most = section(&written, "most-blocked");
    let claim = most["claims"][0].as_str().expect("text");
    assert_contains(
        claim,
        &["(36 of 40 that answered conclusively; no interval: too few domains)"],
    );
    let has_interval = |section: &&Value| {
        let columns = section["columns"].as_array().expect("columns");
        columns.iter().any(|column| column["name"] == "pct_low")
    };
    let all = sections(&written);
    let with_intervals = all.iter().copied().filter(has_interval);
    for claim in with_intervals.flat_map(|it| it["claims"].as_array().expect("claims")) {
        let claim = claim.as_str().expect("text");
        let is_share = claim.contains("90.0% of hosts") || claim.contains("(90.0%");
        assert!(
            !is_share || claim.contains("no interval: too few domains"),
            "{claim}"
        );
    }
    assert_eq!(
        most["rows"][0]["note"],
        "no interval: too few registrable domains count (1.2 of equal weight; 5 are needed)"
    );
    let page = report(&dataset.path(), &[]);
    assert!(page.contains("Where a share has no bar, too few domains count for an interval."));
    assert!(page.contains(">90.0% (no interval)<"));

    // Without intervals there is nothing that could overlap, and no difference within one.
    let few = (0..3).fold(MiniWarc::new(), |warc, number| {
        let agents = ["GPTBot", "GPTBot\nUser-agent: CCBot", "nobody"][number];
        let url = format!("https://site{number}.com/robots.txt");
        warc.answer(&url, 200, &format!("User-agent: {agents}\nDisallow: /\n"))
    });
    let few = report(&few.ingest().path(), &["--format", "markdown"]);
    assert!(few.contains("GPTBot is the AI crawler that most hosts block by name"));
    assert!(!few.contains("overlap: their order") && !few.contains("Between no two"));
}

/// What is level is said to be: nothing is the most of two that are alike.
#[test]
fn what_is_level_with_the_first_is_named() {
    let mut warc = MiniWarc::new();
    for number in 0..12 {
        let body = match number {
            0..4 => "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n",
            4..8 => "User-agent: *\nDisallow: /a/\nCrawl-delay: 0.5\n",
            _ => "User-agent: *\nDisallow: /b/\nCrawl-delay: 10\n",
        };
        let tld = if number % 2 == 0 { "com" } else { "org" };
        warc = warc.answer(&format!("https://site{number}.{tld}/robots.txt"), 200, body);
    }
    let written = json(&warc.ingest().path(), &[]);
    let claim = |id: &str| {
        let text = section(&written, id)["claims"][0].as_str();
        text.expect("text").to_owned()
    };
    for (id, level) in [
        ("most-blocked", "Level with it: "),
        ("tlds", "no top-level domain has more. Level with it: .org."),
        ("paths", "Level with it: /"),
        ("crawl-delays", "0.5 seconds"),
    ] {
        assert!(claim(id).contains(level), "{id}: {}", claim(id));
    }
    assert!(!claim("most-blocked").contains("Counted by registrable domain"));
    assert_eq!(
        claim("definitions"),
        "All four definitions give the same share for each of these crawlers."
    );
    assert!(
        !claim("sizes").contains("has more than"),
        "{}",
        claim("sizes")
    );
}

#[test]
fn every_command_of_a_report_gives_its_rows() {
    let report = json(&SAMPLE.path(), &["--name-hosts"]);
    for section in sections(&report) {
        let by_domain = &section["by_domain"];
        assert!(
            by_domain.is_null()
                || by_domain["command"]
                    .as_str()
                    .is_some_and(|it| it.ends_with("by=domain"))
        );
        for answer in [section, by_domain] {
            let Some(command) = answer["command"].as_str() else {
                continue;
            };
            let arguments = command
                .strip_prefix(&format!("robostat query {} ", SAMPLE.path().display()))
                .expect("a query of the dataset");
            let arguments = arguments
                .split_whitespace()
                .map(|word| word.trim_matches('\''));
            let output = robostat(["query"])
                .arg(SAMPLE.path())
                .args(arguments)
                .args(["--format", "json"])
                .output()
                .expect("a run");
            let rows: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| {
                panic!("{command}: {}", String::from_utf8_lossy(&output.stderr))
            });
            assert_eq!(rows, answer["rows"], "{command}");
        }
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
    let shown = markup::shown(&page);
    for order in [
        "<script",
        "<img",
        "<svg/",
        "onerror=a",
        "\u{202e}",
        "\u{1b}",
    ] {
        let is_shown = shown.contains(&order.replace('<', "&lt;"));
        assert!(
            !shown.contains(order) || (order == "onerror=a" && is_shown),
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
fn a_baseline_is_compared_over_the_hosts_of_both() {
    let before: Vec<&str> = (0..30)
        .map(|number| if number < 3 { "GPTBot" } else { "nobody" })
        .collect();
    let after: Vec<&str> = (0..33)
        .map(|number| if number < 21 { "GPTBot" } else { "nobody" })
        .collect();
    let (before, after) = (
        crawl("before", &before).ingest(),
        crawl("after", &after).ingest(),
    );
    let other = before.path();
    let report = json(
        &after.path(),
        &["--baseline", other.to_str().expect("UTF-8")],
    );
    let section = section(&report, "baseline-panel");
    let rows = section["rows"].as_array().expect("rows");
    let row = rows
        .iter()
        .find(|row| row["product_token"] == "gptbot")
        .expect("a row");
    // The three hosts that only the later crawl has do not count.
    assert_eq!(row["n"], 30, "{row}");
    assert_eq!(row["hosts_full_before"], 3);
    assert_eq!(row["hosts_full"], 21);
    assert_eq!(row["change"], 60.0);
    assert_eq!(row["hosts_added"], 18);
    assert_eq!(row["hosts_rule_gone"], 0);
    assert!(row["change_low"].as_f64().expect("an end") > 0.0, "{row}");
    let claim = section["claims"][0].as_str().expect("text");
    assert!(claim.starts_with("GPTBot is blocked more in "), "{claim}");
    assert_contains(
        claim,
        &["of the 10 registrable domains of 30 hosts in both"],
    );
    assert_eq!(section["by_domain"]["rows"][0]["pct_full"], 70.0);
}

#[test]
fn several_crawls_are_compared_over_their_panel() {
    let of = |label, blocking| {
        let agents: Vec<&str> = (0..30)
            .map(|number| {
                if number < blocking {
                    "GPTBot"
                } else {
                    "nobody"
                }
            })
            .collect();
        (label, crawl(label, &agents))
    };
    let dataset = MiniWarc::ingest_crawls([of("2026-03", 3), of("2026-08", 21)]);
    let report = json(&dataset.path(), &[]);
    let panel = section(&report, "panel");
    assert_eq!(panel["has_figure"], true);
    let row = &panel["rows"][0];
    for (column, expected) in [
        ("crawl_before", "2026-03"),
        ("crawl", "2026-08"),
        ("product_token", "gptbot"),
    ] {
        assert_eq!(row[column], expected, "{column}");
    }
    assert_eq!(row["change"], 60.0);
    // Of the ten domains of three hosts, one blocked it and seven do.
    let of_domains = &panel["by_domain"]["rows"][0];
    assert_eq!(of_domains["pct_full_before"], 10.0);
    assert_eq!(of_domains["pct_full"], 70.0);
    let claim = panel["claims"][0].as_str().expect("text");
    assert!(
        claim.starts_with(
            "GPTBot is blocked more in 2026-08 than in 2026-03: of the 10 registrable domains of \
             30 hosts in both, the share that block it by any rule went from 10.0% to 70.0% (+60 \
             percentage points, 95% interval +"
        ),
        "{claim}"
    );
    let summary = report["summary"].as_array().expect("a summary");
    assert!(
        summary.iter().any(|finding| finding["text"] == claim),
        "{summary:?}"
    );
    assert_eq!(section(&report, "over-time")["has_figure"], true);
}

/// A claim about a change is read alone: it says where the order of the crawls is uncertain, and
/// the row of a crawl that is older than a crawler says that.
#[test]
fn a_change_has_the_notes_of_its_crawls() {
    let of = |day: &str, blocking: u32| {
        (0..40).fold(MiniWarc::new().on(day), |warc, number| {
            let agent = if number < blocking {
                "GPTBot"
            } else {
                "nobody"
            };
            let url = format!("https://site{number}.example/robots.txt");
            warc.answer(&url, 200, &format!("User-agent: {agent}\nDisallow: /\n"))
        })
    };
    let overlapping =
        MiniWarc::ingest_crawls([("x", of("2026-07-01", 4)), ("y", of("2026-07-01", 24))]);
    let written = json(&overlapping.path(), &[]);
    let note = "Note: the order of the crawls is uncertain: captures of x and y overlap in time.";
    for id in ["panel", "came-and-went", "over-time"] {
        let claim = section(&written, id)["claims"][0].as_str().expect("text");
        assert!(claim.contains(note), "{id}: {claim}");
    }
    let early = MiniWarc::ingest_crawls([
        ("2021", of("2021-03-01", 4)),
        ("2026", of("2026-03-01", 24)),
    ]);
    let written = json(&early.path(), &["--agents", "gptbot"]);
    assert_eq!(
        section(&written, "over-time")["rows"][0]["note"],
        "before the crawler was announced in 2023-08"
    );
    let page = report(&early.path(), &["--agents", "gptbot"]);
    assert!(page.contains("before the crawler was announced in 2023-08</td>"));
}

#[test]
fn a_directive_changes_only_beyond_its_intervals() {
    let of = |label, delays: usize, hosts: usize| {
        let mut warc = MiniWarc::new();
        for number in 0..40 {
            let delay = if number < delays {
                "Crawl-delay: 5\n"
            } else {
                ""
            };
            let host = if number < hosts {
                "Host: example.com\n"
            } else {
                ""
            };
            let url = format!("https://h{number}.com/robots.txt");
            let body = format!("# {label}\nUser-agent: *\nDisallow: /a\n{delay}{host}");
            warc = warc.answer(&url, 200, &body);
        }
        (label, warc)
    };
    let told = |hosts| {
        let dataset = MiniWarc::ingest_crawls([of("2026-03", 20, 2), of("2026-08", 22, hosts)]);
        let report = json(&dataset.path(), &["--sections", "directives-over-time"]);
        let claims = &section(&report, "directives-over-time")["claims"];
        claims[0].as_str().expect("text").to_owned()
    };
    let unchanged = told(2);
    assert!(
        unchanged.starts_with(
            "No directive's use changed beyond the intervals; that of crawl-delay, which most \
             hosts use, went from 50% (95%"
        ),
        "{unchanged}"
    );
    let changed = told(20);
    assert!(
        changed.starts_with("The use of host changed most: it went from 5%")
            && changed.contains(" to 50% ("),
        "{changed}"
    );
}

#[test]
fn ranges_of_ranks_are_compared() {
    // 150 domains of one host: the first 40 are ranked 1 to 40, the next 40 from 2,001 on.
    let mut warc = MiniWarc::new();
    let mut ranks: Vec<String> = Vec::new();
    for number in 0..150 {
        let is_blocking = match number {
            0..40 => number % 2 == 0,
            40..80 => number % 20 == 0,
            _ => number % 10 == 0,
        };
        let agent = if is_blocking { "GPTBot" } else { "nobody" };
        let url = format!("https://site{number}.com/robots.txt");
        warc = warc.answer(&url, 200, &format!("User-agent: {agent}\nDisallow: /\n"));
        match number {
            0..40 => ranks.push(format!("{},site{number}.com", number + 1)),
            40..80 => ranks.push(format!("{},site{number}.com", number + 1961)),
            _ => {}
        }
    }
    let dataset = warc.ingest();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ranks.csv");
    ranks.push("90000,elsewhere.com".to_owned());
    std::fs::write(&path, ranks.join("\n")).expect("a file");
    let report = json(&dataset.path(), &["--ranks", path.to_str().expect("UTF-8")]);
    let section = section(&report, "by-rank");
    let claim = section["claims"][0].as_str().expect("text");
    assert!(
        claim.starts_with(
            "Prominent sites block GPTBot more often: of registrable domains in the \
             top 1,000, 50% (95% interval "
        ),
        "{claim}"
    );
    assert_contains(claim, &["; of those ranked 1,001–10,000, 5% ("]);
    let summary = report["summary"].as_array().expect("a summary");
    assert!(
        summary.iter().any(|finding| finding["text"] == claim),
        "{summary:?}"
    );
    assert_eq!(section["has_figure"], true);
    let methods = report["methods"].to_string();
    let note = "ranks.csv: matched 80 of 81 domains.";
    assert!(methods.contains(note), "{methods}");
}

#[test]
fn owners_and_platforms_are_told_apart() {
    // Ten owners block GPTBot themselves; Cloudflare's block does it for twenty others.
    let managed = "# BEGIN Cloudflare Managed content\n\nUser-agent: *\n\
                   Content-Signal: search=yes,ai-train=no\n\
                   Allow: /\n\nUser-agent: GPTBot\nDisallow: /\n\n\
                   # END Cloudflare Managed Content\n";
    let mut warc = MiniWarc::new();
    for number in 0..60 {
        let body = match number {
            0..10 => "User-agent: GPTBot\nDisallow: /\n".to_owned(),
            10..30 => format!("{managed}\nUser-agent: *\nDisallow: /private{number}/\n"),
            _ => "User-agent: *\nDisallow: /a/\n".to_owned(),
        };
        warc = warc.answer(&format!("https://site{number}.com/robots.txt"), 200, &body);
    }
    let dataset = warc.ingest();
    let report = json(&dataset.path(), &[]);
    let section = section(&report, "owner-choices");
    let rows = section["rows"].as_array().expect("rows");
    let hosts = |made_by: &str| {
        let mut rows = rows.iter();
        let row = rows.find(|row| row["product_token"] == "gptbot" && row["made_by"] == made_by);
        row.expect("a row")["hosts_full_by_name"].as_u64()
    };
    assert_eq!(
        [hosts("all"), hosts("own"), hosts("default")],
        [Some(30), Some(10), Some(20)]
    );
    let claims: Vec<&str> = section["claims"]
        .as_array()
        .expect("claims")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(
        claims[0].starts_with("GPTBot is blocked by name by 50% of registrable domains"),
        "{claims:?}"
    );
    assert!(
        claims[1]
            .starts_with("Platforms block GPTBot for 20 of the 30 hosts that block it by name"),
        "{claims:?}"
    );
}

#[test]
fn an_empty_corpus_has_a_report_too() {
    let dataset = MiniWarc::new().ingest();
    let page = report(&dataset.path(), &[]);
    markup::check(&page);
    assert!(page.contains("<h3>Left out</h3>"));
    assert!(page.contains("the dataset has no such data"));
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

#[test]
fn an_accessibility_checker_finds_nothing() {
    let Some(browser) = browser::find() else {
        println!("skipped: no Chromium or Chrome on the PATH");
        return;
    };
    let axe = match browser::axe() {
        Ok(axe) => axe,
        Err(why) => {
            println!("skipped: {why}");
            return;
        }
    };
    let folder = tempfile::tempdir().expect("a folder");
    for is_dark in [false, true] {
        let found = browser::violations(&browser, &axe, folder.path(), &PAGE, is_dark);
        assert_eq!(found, "none", "dark: {is_dark}");
    }
}

#[test]
fn with_script_tables_sort_and_a_crawler_is_found() {
    let Some(browser) = browser::find() else {
        println!("skipped: no Chromium or Chrome on the PATH");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("report.html"), &*PAGE).expect("a file");
    let told = browser::in_frame(
        &browser,
        folder.path(),
        "report.html",
        1280,
        "const type = (input, text) => { input.value = text; input.dispatchEvent(new page.defaultView.Event('input')); };\
         const search = page.querySelector('#search input');\
         type(search, 'gptbot');\
         const found = page.querySelector('#search').textContent;\
         type(search, 'no such crawler');\
         const missing = page.querySelector('#search').textContent;\
         const table = page.querySelector('#crawlers table');\
         const numbers = () => [...table.tBodies[0].rows].map(row => Number(row.cells[3].dataset.v));\
         table.tHead.rows[0].cells[3].querySelector('button').click();\
         const falling = numbers();\
         const order = table.tHead.rows[0].cells[3].getAttribute('aria-sort');\
         table.tHead.rows[0].cells[3].querySelector('button').click();\
         const rising = numbers();\
         const isFalling = falling.every((one, place) => place === 0 || falling[place - 1] >= one);\
         const isRising = rising.every((one, place) => place === 0 || rising[place - 1] <= one);\
         const buttons = [...page.querySelectorAll('#crawlers .downloads button')].map(it => it.textContent).join();\
         return [found.includes('The AI crawlers blocked most'), missing.includes('No table'), order, isFalling, isRising,\
             buttons].join(';');",
    );
    assert_eq!(told, "true;true;descending;true;true;SVG,PNG");
}

/// The claims that open a page.
fn claims(page: &str) -> &str {
    let (_, rest) = page.split_once("<ol class=\"claims\">").expect("claims");
    rest.split_once("</ol>").expect("their end").0
}

#[test]
fn the_sample_report_in_the_documentation_is_the_programs() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    // By relative paths, which the report contains.
    let run = |arguments: &[&str]| {
        robostat(arguments.iter().copied())
            .current_dir(folder.path())
            .succeed();
    };
    let input = folder.path().join("crawl.warc.gz");
    std::fs::copy(project.join("samples/crawl.warc.gz"), input).expect("the sample crawl");
    run(&[
        "ingest",
        "--quiet",
        "--subset",
        "robotstxt",
        "crawl.warc.gz",
        "out/",
    ]);
    run(&["report", "out/", "-o", "report.html"]);
    let page = std::fs::read_to_string(folder.path().join("report.html")).expect("a page");
    let kept = project.join("docs/sample-report.html");
    if std::env::var_os("ROBOSTAT_UPDATE").is_some() {
        std::fs::write(&kept, &page).expect("space");
    }
    // The findings are compared, not every byte: it also contains heads of queries.
    let kept = std::fs::read_to_string(&kept).expect("docs/sample-report.html");
    assert_eq!(
        claims(&kept),
        claims(&page),
        "ROBOSTAT_UPDATE=1 rewrites it"
    );
}
