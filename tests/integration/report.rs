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
    // Links have distinct names.
    let links: Vec<&str> = shown
        .split("<a ")
        .skip(1)
        .filter_map(|link| Some(link.split_once('>')?.1.split_once("</a>")?.0))
        .collect();
    let distinct: std::collections::BTreeSet<&str> = links.iter().copied().collect();
    assert_eq!(distinct.len(), links.len());
}

/// Links to the page show its title and its first finding.
#[test]
fn links_to_the_page_show_a_finding() {
    let report = json(&SAMPLE.path(), &[]);
    let [title, first, corpus] = [
        &report["title"],
        &report["summary"][0]["text"],
        &report["corpus"],
    ]
    .map(|it| it.as_str().expect("text"));
    let head = markup::unescape(PAGE.split_once("</head>").expect("a head").0);
    assert_contains(
        &head,
        &[
            &format!("<meta property=\"og:title\" content=\"{title}\">"),
            &format!("<meta property=\"og:description\" content=\"{first}. {corpus}\">"),
            "<meta name=\"twitter:card\" content=\"summary\">",
        ],
    );
    assert!(!head.contains("og:image"));
}

/// Whether a text has one of some words, not within others.
fn has_word(text: &str, words: &[String]) -> bool {
    let is_of_word = |character: char| character.is_alphanumeric() || character == '-';
    words.iter().any(|word| {
        text.match_indices(word.as_str()).any(|(at, _)| {
            !text[..at].ends_with(is_of_word) && !text[at + word.len()..].starts_with(is_of_word)
        })
    })
}

/// A part of a page without everything from `begin` to `end`.
fn without(page: &str, begin: &str, end: &str) -> String {
    let mut pieces = page.split(begin);
    let first = pieces.next().unwrap_or_default().to_owned();
    first
        + &pieces
            .map(|it| it.split_once(end).expect("an end").1)
            .collect::<String>()
}

/// A term is explained in the part of the page that is the first to use it; in every chapter, as
/// other chapters may not have been unfolded.
#[test]
fn terms_are_explained_where_they_are_first_used() {
    let terms = include_str!("../../src/analysis/report/texts/terms.txt");
    let terms = terms.lines().filter_map(|line| line.split_once(" = "));
    let terms: Vec<Vec<String>> = terms
        .map(|(forms, _)| forms.split("; ").map(str::to_lowercase).collect())
        .collect();
    let seen = without(
        &markup::shown(&PAGE),
        "<details class=\"sure\">",
        "</details>",
    );
    let seen = without(&seen, "<svg ", "</svg>").to_lowercase();
    let (_, body) = seen.split_once("<header>").expect("a header");
    let (body, _) = body
        .split_once("<section id=\"methods\">")
        .expect("methods");
    let mut sections = body.split("<section ");
    // The header and the summary are seen before any chapter.
    let front = sections
        .by_ref()
        .take(2)
        .collect::<Vec<_>>()
        .join("<article ");
    let (mut used, mut chapters) = (0, 0);
    for chapter in sections {
        chapters += 1;
        let parts: Vec<&str> = front
            .split("<article ")
            .chain(chapter.split("<article "))
            .collect();
        for forms in &terms {
            let is_of_text = |part: &&&str| has_word(&without(part, "<", ">"), forms);
            if let Some(part) = parts.iter().find(is_of_text) {
                used += 1;
                let explanation = format!("<dfn>{}</dfn>: ", forms[0]);
                assert!(part.contains(&explanation), "{forms:?}: {part}");
            }
        }
    }
    assert!(chapters > 5 && used > 10 * chapters, "{chapters} {used}");
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
        let sentences = section["sentences"].as_array().expect("sentences");
        let by_domain = &section["by_domain"];
        let parts = ["title", "headline", "below", "command"].map(|name| &section[name]);
        let of_domains = (!by_domain.is_null()).then_some(&by_domain["command"]);
        for part in sentences.iter().chain(parts).chain(of_domains) {
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
        assert_eq!(section["headline"], finding["text"]);
        assert_eq!(section["has_figure"], true, "{text}");
        // Each has its interval.
        let below = finding["below"].as_str().expect("text");
        assert!(below.contains("95% interval"), "{below}");
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
        &[
            "--sections",
            "summary,classes",
            "--agents",
            "ClaudeBot,ccbot",
        ],
    );
    let ids: Vec<&str> = sections(&report)
        .iter()
        .map(|it| it["id"].as_str().expect("an id"))
        .collect();
    assert!(
        ids.contains(&"most-blocked") && ids.contains(&"classes"),
        "{ids:?}"
    );
    assert!(
        !ids.contains(&"crawlers") && !ids.contains(&"codes"),
        "{ids:?}"
    );
    let rows = section(&report, "most-blocked")["rows"]
        .as_array()
        .expect("rows");
    let tokens: Vec<&Value> = rows.iter().map(|row| &row["product_token"]).collect();
    assert!(
        !tokens.is_empty() && tokens.iter().all(|it| *it == "claudebot" || *it == "ccbot"),
        "{tokens:?}"
    );
    // The author's words and picture are on the page, and in the command that writes it again.
    let folder = tempfile::tempdir().expect("a folder");
    let lede = folder.path().join("lede.md");
    std::fs::write(&lede, "Why we looked: **robots** <b>.\n").expect("space");
    let lede = lede.to_str().expect("text");
    let card = "https://news.example/card.png";
    let chosen = ["--sections", "classes", "--lede", lede, "--card", card];
    let page = self::report(&SAMPLE.path(), &chosen);
    assert_contains(
        &page,
        &[
            "<p>Why we looked: <strong>robots</strong> &lt;b&gt;.</p>",
            &format!("<meta property=\"og:image\" content=\"{card}\">"),
            "<meta property=\"og:image:alt\" content=\"67% of websites have a robots.txt with rules.\">",
            "<meta name=\"twitter:card\" content=\"summary_large_image\">",
            &format!("--lede {lede} --card {card}"),
        ],
    );
}

#[test]
fn a_crawler_that_was_chosen_is_not_called_the_first_of_all() {
    // Most hosts block GPTBot; the report is about another.
    let agents: Vec<&str> = (0..60)
        .map(|number| if number < 57 { "GPTBot" } else { "CCBot" })
        .collect();
    let dataset = crawl("one", &agents).ingest();
    let headline = |agents: &str, id: &str| {
        let report = json(
            &dataset.path(),
            &["--sections", "summary,who", "--agents", agents],
        );
        said(&report, id, "headline")
    };
    assert_eq!(
        headline("CCBot", "most-blocked"),
        "5% of websites block CCBot by name"
    );
    assert_eq!(
        headline("CCBot,GPTBot", "most-blocked"),
        "95% of websites block GPTBot by name, more than any other crawler asked for"
    );
    // The subject of the section does not depend on the order of names.
    assert_contains(
        &headline("CCBot,GPTBot", "by-whom"),
        &["block GPTBot, by name"],
    );
}

/// A text of a section.
#[track_caller]
fn said(report: &Value, id: &str, name: &str) -> String {
    let text = section(report, id)[name].as_str();
    text.expect("text").to_owned()
}

/// Why a section is left out.
#[track_caller]
fn reason(report: &Value, id: &str) -> String {
    let mut left_out = report["left_out"].as_array().expect("a list").iter();
    let left_out = left_out.find(|it| it["id"] == id);
    let reason = left_out.unwrap_or_else(|| panic!("{id} is not left out"))["reason"].as_str();
    reason.expect("text").to_owned()
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
    assert_eq!(
        said(&report, "most-blocked", "headline"),
        "40% of websites block GPTBot by name"
    );
    assert_eq!(
        said(&report, "most-blocked", "below"),
        "95% interval 11–73%, crawl MINI. By host: 40% (12 of 30 hosts that gave a usable \
         answer; 95% interval 11–73%)."
    );
    // The difference to CCBot, 30 percentage points of ten websites, is not clear.
    assert_eq!(
        section(&report, "most-blocked")["sentences"][0],
        "CCBot is blocked by 10% of websites: the difference of the two is not statistically clear."
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
    // Ten websites are too few for a summary of what they do.
    let is_of_blocks = |it: &Value| it["section"] == "most-blocked" || it["section"] == "any";
    assert!(!summary.iter().any(is_of_blocks), "{summary:?}");
}

#[test]
fn what_one_domain_with_many_hosts_does_is_told_beside_what_domains_do() {
    // Forty hosts of one domain block GPTBot and CCBot; of twelve domains with a host each, nine
    // block AhrefsBot and ClaudeBot, three nobody.
    let mut warc = MiniWarc::new();
    for number in 0..40 {
        let url = format!("https://h{number}.large.com/robots.txt");
        warc = warc.answer(
            &url,
            200,
            "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n",
        );
    }
    for number in 0..12 {
        let agents = match number {
            0..3 => "User-agent: nobody\n",
            _ => "User-agent: AhrefsBot\nUser-agent: ClaudeBot\n",
        };
        let url = format!("https://small{number}.com/robots.txt");
        warc = warc.answer(&url, 200, &format!("{agents}Disallow: /\n"));
    }
    let report = json(&warc.ingest().path(), &[]);
    assert_eq!(
        said(&report, "how-many", "headline"),
        "90% of websites that block AI crawlers block exactly 1 of them"
    );
    assert_eq!(
        said(&report, "how-many", "below"),
        "95% interval 52–99.6%; crawl MINI. By host: 18.4% (9 of 49 hosts that block an AI crawler by \
         name; no interval: too few websites)."
    );
    let pair = said(&report, "siblings", "headline") + &said(&report, "siblings", "below");
    assert_contains(
        &pair,
        &[
            "69% of websites block ClaudeBot but not Claude-SearchBot",
            "(9 of 52 hosts ",
        ],
    );
    let concentration = said(&report, "concentration", "headline");
    assert_eq!(
        concentration,
        "One website has 100.0% of the hosts that block CCBot by name"
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
    assert_contains(
        &said(&written, "most-blocked", "below"),
        &["5.0% (2 of 40 hosts that gave a usable answer; no interval: too few websites)"],
    );
    assert_eq!(
        most["rows"][0]["note"],
        "no interval: too few registrable domains count (1.2 of equal weight; 5 are needed)"
    );
    let page = report(&dataset.path(), &[]);
    assert!(page.contains(">90.0% (no interval)<"));

    // A handful of hosts does not give shares.
    let few = (0..3).fold(MiniWarc::new(), |warc, number| {
        let agents = ["GPTBot", "GPTBot\nUser-agent: CCBot", "nobody"][number];
        let url = format!("https://site{number}.com/robots.txt");
        warc.answer(&url, 200, &format!("User-agent: {agents}\nDisallow: /\n"))
    });
    let few = json(&few.ingest().path(), &[]);
    assert_eq!(
        reason(&few, "most-blocked"),
        "shares need 30 hosts that gave a usable answer, and there are 3"
    );
    assert_eq!(few["summary"].as_array().map(Vec::len), Some(0));
}

/// Nothing is the most of two that are alike.
#[test]
fn of_a_tie_nothing_is_more_than_any_other() {
    let mut warc = MiniWarc::new();
    for number in 0..60 {
        let body = match number {
            0..20 => "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n",
            20..40 => "User-agent: *\nDisallow: /a/\nCrawl-delay: 0.5\n",
            _ => "User-agent: *\nDisallow: /b/\nCrawl-delay: 10\n",
        };
        warc = warc.file(&format!("site{number}.com"), body);
    }
    let written = json(&warc.ingest().path(), &[]);
    assert_eq!(
        said(&written, "most-blocked", "headline"),
        "33% of websites block CCBot by name"
    );
    let sentences = &section(&written, "most-blocked")["sentences"];
    assert_eq!(
        sentences[0],
        "GPTBot is blocked by 33% of websites: the difference of the two is not statistically clear."
    );
    for (id, expected) in [
        ("tlds", "all hosts are under one top-level domain"),
        (
            "definitions",
            "all four definitions give the same shares for these crawlers",
        ),
        ("panel", "the dataset has one crawl"),
    ] {
        assert_eq!(reason(&written, id), expected);
    }
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
    for number in 0..40 {
        let host = format!("unmentionable-host-{number}.example");
        warc = warc.file(&host, robots);
    }
    warc.redirect(
        "https://unmentionable-old.example/robots.txt",
        "https://unmentionable-new.example/robots.txt",
    )
    .status("unmentionable-<b>.example", 404)
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
    assert_eq!(
        section["headline"],
        "More websites block GPTBot: 70.0%, up from 10.0%"
    );
    let below = section["below"].as_str().expect("text");
    assert_contains(
        below,
        &["Of the panel's 10 websites; +60 percentage points"],
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
    assert_eq!(
        panel["headline"],
        "More websites block GPTBot: 70.0%, up from 10.0%"
    );
    let below = panel["below"].as_str().expect("text");
    let expected = "Of the panel's 10 websites; +60 percentage points, 95% interval +";
    assert!(below.starts_with(expected), "{below}");
    assert_contains(
        below,
        &["Crawls 2026-03 and 2026-08.", "from 10.0% to 70.0% of 30"],
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
    for id in ["panel", "over-time", "files-over-time"] {
        let below = said(&written, id, "below");
        assert!(below.contains(note), "{id}: {below}");
    }
    let early = MiniWarc::ingest_crawls([
        ("2021", of("2021-03-01", 4)),
        ("2026", of("2026-03-01", 24)),
    ]);
    let written = json(&early.path(), &["--agents", "gptbot"]);
    let note = "before the crawler was announced in 2023-08; no claim about a change: it is the first crawl";
    assert_eq!(section(&written, "over-time")["rows"][0]["note"], note);
    let page = report(&early.path(), &["--agents", "gptbot"]);
    assert!(page.contains(&format!("{note}</td>")));
}

/// Two crawls without a host in common: nothing is said of a change.
#[test]
fn disjoint_crawls_are_not_compared() {
    let of = |label: &'static str, blocking: usize| {
        let warc = (0..40).fold(MiniWarc::new(), |warc, number| {
            let agent = if number < blocking {
                "GPTBot"
            } else {
                "nobody"
            };
            let url = format!("https://{label}{number}.com/robots.txt");
            warc.answer(&url, 200, &format!("User-agent: {agent}\nDisallow: /\n"))
        });
        (label, warc)
    };
    let dataset = MiniWarc::ingest_crawls([of("july", 4), of("june", 30)]);
    let written = json(&dataset.path(), &[]);
    let why = "no host gave a usable answer in both crawls";
    assert!(reason(&written, "panel").starts_with(why));
    let sentence = section(&written, "over-time")["sentences"][0].to_string();
    assert_contains(&sentence, &["In july it was 10% ", why]);
    let text = written.to_string();
    assert!(
        !text.contains("up from") && !text.contains("down from"),
        "{text}"
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
    assert_eq!(
        section["headline"],
        "50% of websites in the top 1,000 block GPTBot; ranked 1,001–10,000, 5%"
    );
    let below = section["below"].as_str().expect("text");
    assert!(
        below.starts_with("Websites in the top 1,000: 50% (95% interval "),
        "{below}"
    );
    assert_contains(below, &["Websites ranked 1,001–10,000: 5% ("]);
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
        warc = warc.file(&format!("site{number}.com"), &body);
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
    assert_eq!(
        section["headline"],
        "50% of websites with rules block GPTBot by name; without platforms' lines, 17% do"
    );
    let below = section["below"].as_str().expect("text");
    let only = "20 of the 30 hosts that block it do so only by a platform's default.";
    assert!(below.ends_with(only), "{below}");
}

#[test]
fn an_empty_corpus_has_a_report_too() {
    let dataset = MiniWarc::new().ingest();
    let page = report(&dataset.path(), &[]);
    markup::check(&page);
    assert!(page.contains("<h3>Left out</h3>"));
    assert!(page.contains("the dataset has no capture of robots.txt"));
    assert!(!page.contains("fetched"), "{}", around(&page, "fetched"));
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
    let stops = "const stops = () => [...page.querySelectorAll('a[href], button, input, summary, [tabindex=\"0\"]')]\
         .filter(one => one.checkVisibility()).length;\
         const folded = [page.documentElement.scrollHeight, stops()];\
         for (const chapter of page.querySelectorAll('.chapter')) chapter.open = true;\
         return [...folded, stops()].join(';');";
    let told = browser::in_frame(&browser, folder.path(), "report.html", 1280, stops);
    let numbers: Vec<u32> = told
        .split(';')
        .map(|it| it.parse().expect("a number"))
        .collect();
    // Height in pixels, and stops of the keyboard with chapters folded and open.
    assert!(
        numbers[0] < 8000 && numbers[1] < 30 && (50..150).contains(&numbers[2]),
        "{told}"
    );
    let pdf = folder.path().join("report.pdf");
    browser::print(&browser, &path, &pdf);
    let bytes = std::fs::read(&pdf).expect("a PDF");
    assert!(
        bytes.starts_with(b"%PDF-") && bytes.len() > 20_000,
        "{}",
        bytes.len()
    );
    let pages = String::from_utf8_lossy(&bytes)
        .matches("/Type /Page\n")
        .count();
    assert!((5..=10).contains(&pages), "{pages} pages");
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
         page.querySelector('#crawlers .sure').dispatchEvent(new page.defaultView.Event('toggle'));\
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
