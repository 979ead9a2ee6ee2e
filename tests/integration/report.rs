//! Runs of `robostat report`: the page is whole, agrees with the JSON, names no hosts, and shows
//! text of the crawl without executing it.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

use crate::support::browser;
use crate::support::folder::Folder;
use crate::support::markup;
use crate::support::mini_warc::{Dataset, MiniWarc};
use crate::support::program::{Run as _, robostat, sample};

/// A report as a page and as JSON, which one run writes.
pub(crate) struct Report {
    page: String,
    text: String,
    pub(crate) json: Value,
}

/// The report on the sample crawl, written once for all tests that read it.
static SAMPLE: LazyLock<(Folder, Report)> = LazyLock::new(|| {
    let folder = Folder::new();
    fs::copy(sample("crawl.warc.gz"), folder.path("crawl.warc.gz")).expect("the sample crawl");
    let ingest = "ingest --quiet --subset robotstxt crawl.warc.gz out/";
    in_sample(&folder, ingest.split(' ')).succeed();
    in_sample(&folder, ["report", "out/", "-o", "report.html"]).succeed();
    let report = Report::read(&folder);
    (folder, report)
});

/// The page of that report.
static PAGE: LazyLock<&str> = LazyLock::new(|| &SAMPLE.1.page);

/// The report on a crawl without a capture.
pub(crate) static EMPTY: LazyLock<Report> =
    LazyLock::new(|| Report::of(&MiniWarc::new().ingest(), &[]));

impl Report {
    /// The report on a dataset.
    #[track_caller]
    fn of(dataset: &Dataset, arguments: &[&str]) -> Self {
        let folder = Folder::new();
        let mut report = robostat(["report"]);
        report.arg(dataset.path()).args(arguments).arg("-o");
        report.arg(folder.path("report.html")).succeed();
        Self::read(&folder)
    }

    fn read(folder: &Folder) -> Self {
        let [page, text] = ["report.html", "report.json"]
            .map(|name| fs::read_to_string(folder.path(name)).expect("a report"));
        let json = serde_json::from_str(&text).expect("JSON");
        Self { page, text, json }
    }
}

/// The program in the folder of the sample's report, by relative paths, which the report contains.
fn in_sample<S: AsRef<OsStr>>(folder: &Folder, arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = robostat(arguments);
    command.current_dir(folder.path(""));
    command
}

/// Standard output of `robostat report`, which must succeed.
#[track_caller]
fn report(dataset: &Path, arguments: &[&str]) -> String {
    let mut report = robostat(["report"]);
    report.arg(dataset).args(arguments).args(["-o", "-"]);
    report.succeed()
}

pub(crate) fn json(dataset: &Path, arguments: &[&str]) -> Value {
    let text = report(dataset, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

/// The sections of a report in JSON.
pub(crate) fn sections(report: &Value) -> Vec<&Value> {
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
    // The page's policy allows its own script and style, and nothing else.
    assert!(shown.contains("content=\"default-src 'none'; style-src 'sha256-"));
    // A chapter on pages needs pages.
    assert!(!PAGE.contains("Rules in pages"));
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

/// Whether a text has one of `words`, not within another word.
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

/// A term is explained in the part of the page that first uses it, and in every chapter, as other
/// chapters may still be folded.
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
    let report = &SAMPLE.1.json;
    let (mut cells, mut tables) = (0, 0);
    for section in sections(report) {
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
        // Every number that a table sorts by is in the answer, by host or by domain.
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
        let section = section(report, finding["section"].as_str().expect("an id"));
        assert_eq!(section["headline"], finding["text"]);
        assert_eq!(section["has_figure"], true, "{text}");
        // Each finding has its interval.
        let below = finding["below"].as_str().expect("text");
        assert!(below.contains("95% interval"), "{below}");
    }
}

#[test]
fn markdown_says_the_same_with_figures_beside_it() {
    let (folder, report) = &*SAMPLE;
    in_sample(folder, ["report", "out/", "-o", "appendix.md"]).succeed();
    let markdown = fs::read_to_string(folder.path("appendix.md")).expect("a report");
    for section in sections(&report.json) {
        let command = section["command"].as_str().expect("text");
        assert!(markdown.contains(&format!("`{command}`")), "{command}");
    }
    let figures = markdown.matches("](appendix-figures/").count();
    assert!(figures > 5, "{figures}");
    for figure in markdown.split("](appendix-figures/").skip(1) {
        let name = figure.split(')').next().expect("a name");
        let svg = fs::read_to_string(folder.path("appendix-figures").join(name));
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

/// The rows that a command in a report prints.
fn rows_of(folder: &Folder, command: &str) -> Value {
    let arguments = command.strip_prefix("robostat ").expect("a command");
    let arguments = arguments
        .split_whitespace()
        .map(|word| word.trim_matches('\''));
    let rows = in_sample(folder, arguments.chain(["--format", "json"])).succeed();
    serde_json::from_str(&rows).unwrap_or_else(|error| panic!("{command}: {error}: {rows}"))
}

/// A section by host and by domain has two commands, which differ only in that; sections alternate
/// in which one is run.
#[test]
fn every_command_of_a_report_gives_its_rows() {
    let (folder, report) = &*SAMPLE;
    let mut hidden = Vec::new();
    let asked = sections(&report.json).into_iter().enumerate();
    for (turn, section) in asked {
        let by_domain = &section["by_domain"];
        let mut answer = section;
        if !by_domain.is_null() {
            let of_hosts = section["command"].as_str().expect("a command");
            assert_eq!(by_domain["command"], format!("{of_hosts} --set by=domain"));
            for (answer, unit) in [(section, "host"), (by_domain, "domain")] {
                let rows = answer["rows"].as_array().expect("rows");
                let is_of_unit = |row: &Value| row["unit"].is_null() || row["unit"] == unit;
                assert!(rows.iter().all(is_of_unit), "{of_hosts}");
            }
            if turn % 2 == 0 {
                answer = by_domain;
            }
        }
        let command = answer["command"].as_str().expect("a command");
        let rows = rows_of(folder, command);
        if rows != answer["rows"] {
            hidden.push((section["id"].as_str().expect("an id"), command, rows));
        }
    }
    // Sections that name hosts have their rows in a report that may name them.
    let ids: Vec<&str> = hidden.iter().map(|(id, _, _)| *id).collect();
    let options = ["--name-hosts", "--sections", &ids.join(",")];
    let named = json(&folder.path("out"), &options);
    assert_eq!(sections(&named).len(), ids.len());
    for (section, (_, command, rows)) in sections(&named).into_iter().zip(&hidden) {
        let is_by_domain = command.ends_with("by=domain");
        let answer = if is_by_domain {
            &section["by_domain"]
        } else {
            section
        };
        assert_eq!(*rows, answer["rows"], "{command}");
    }
}

/// A crawl whose texts all try to be executed.
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
    let title = ["--title", "</title><script>alert(2)</script>"];
    let Report { page, text, json } = Report::of(&dataset, &title);
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
    // Markdown of the sections with special characters from the crawl.
    let is_hostile = |section: &&Value| section["rows"].to_string().contains(['<', '(', '=']);
    let hostile = sections(&json).into_iter().filter(is_hostile);
    let hostile = hostile.filter_map(|section| section["id"].as_str());
    let hostile = hostile.collect::<Vec<_>>().join(",");
    assert!(hostile.contains("shared,") && hostile.contains("paths"));
    let options = ["--format", "markdown", "--sections", &hostile];
    let markdown = report(&dataset.path(), &options);
    assert!(markdown.contains("alert"), "the hostile rule is shown");
    for text in [&page, &markdown, &text] {
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
    let naming = ["--name-hosts", "--format", "json", "--sections", "shared"];
    let naming = report(&dataset.path(), &naming);
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
fn an_empty_corpus_has_a_report_too() {
    let page = &EMPTY.page;
    markup::check(page);
    assert!(page.contains("<h3>Left out</h3>"));
    assert!(page.contains("the dataset has no capture of robots.txt"));
    assert!(!page.contains("fetched"), "{}", around(page, "fetched"));
}

#[test]
fn a_browser_shows_it_without_overflow_and_prints_it() {
    let Some(browser) = browser::find() else {
        println!("skipped: no Chromium or Chrome on the PATH");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.html");
    fs::write(&path, *PAGE).expect("a file");
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
    // Height in pixels, and tab stops with chapters folded and open.
    assert!(
        numbers[0] < 8000 && numbers[1] < 30 && (50..150).contains(&numbers[2]),
        "{told}"
    );
    let pdf = folder.path().join("report.pdf");
    browser::print(&browser, &path, &pdf);
    let bytes = fs::read(&pdf).expect("a PDF");
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
    fs::write(folder.path().join("report.html"), *PAGE).expect("a file");
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
    let kept = project.join("docs/sample-report.html");
    if std::env::var_os("ROBOSTAT_UPDATE").is_some() {
        fs::write(&kept, *PAGE).expect("space");
    }
    // The findings are compared, not every byte: the page also contains heads of queries.
    let kept = fs::read_to_string(&kept).expect("docs/sample-report.html");
    assert_eq!(
        claims(&kept),
        claims(&PAGE),
        "ROBOSTAT_UPDATE=1 rewrites it"
    );
}
