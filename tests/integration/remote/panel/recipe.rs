//! The recipe of docs/panel.md from end to end: sites are chosen, found and fetched, through
//! refusals and a run that is killed; the series, the report and the published summary have the
//! numbers that are recounted from what the server holds.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::super::indexed::Archive;
use super::step;
use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains, robostat, text};
use crate::support::server::{Answer, Server};
use crate::support::warc::gzip;

const CRAWLS: [&str; 3] = ["CC-MAIN-2023-40", "CC-MAIN-2025-33", "CC-MAIN-2026-34"];

/// Files of the index, and archives, of each crawl.
const FILES: usize = 4;
/// Sites of the list of ranks.
const SITES: usize = 60;

/// A list of ranks as Tranco publishes it.
fn ranks(folder: &Folder) -> std::path::PathBuf {
    let lines = (1..=SITES).map(|rank| format!("{rank},s{rank}.example\n"));
    folder.write("tranco.csv", lines.collect::<String>().as_bytes())
}

/// A robots.txt that blocks GPTBot from all of a site, or from a part.
fn robots_txt(is_blocking: bool) -> String {
    let rule = if is_blocking { "/" } else { "/private" };
    format!("User-agent: GPTBot\nDisallow: {rule}\n")
}

/// The files of a Common Crawl, by path. `respond` has the status and the body that a site answers
/// with in a crawl, by their numbers.
fn common_crawl(
    folder: &Folder,
    crawls: &[&str],
    respond: impl Fn(usize, usize) -> Option<(u16, String)>,
) -> HashMap<String, Vec<u8>> {
    let mut files = HashMap::new();
    for (number, crawl) in crawls.iter().enumerate() {
        let mut paths = String::new();
        for file in 0..FILES {
            let name = format!("crawl-data/{crawl}/segments/1/robotstxt/{file}.warc.gz");
            // Another site, which is not asked for.
            let other = "https://other.example/robots.txt";
            let mut archive = Archive::new(gzip).with(other, "", 300);
            let mut statuses = vec![200];
            for site in (1..=SITES).filter(|site| site / 2 % FILES == file) {
                if let Some((status, body)) = respond(number, site) {
                    let www = if site % 3 == 0 { "www." } else { "" };
                    let url = format!("https://{www}s{site}.example/robots.txt");
                    let body = format!("# {crawl}\n{body}");
                    archive = archive.answer(&url, status, &body, 300);
                    statuses.push(status);
                }
            }
            let rows = archive.records.iter().zip(statuses);
            let rows = rows.map(|((url, offset, length), status)| {
                let host = url.split('/').nth(2).expect("a host");
                format!(
                    "('{url}', '{host}', TIMESTAMP '2026-08-01', {status}, '{name}', {offset}, {length}),"
                )
            });
            let rows: String = rows.collect();
            let index = folder.path(&format!("{crawl}-{file}.parquet"));
            let columns = "url, url_host_name, fetch_time, fetch_status, warc_filename, \
                           warc_record_offset, warc_record_length";
            let sql = format!(
                "COPY (FROM (VALUES {rows}) AS rows({columns})) TO '{}'",
                index.display()
            );
            duckdb::lines(Path::new("/dev/null"), &sql);
            for subset in ["warc", "robotstxt"] {
                let path = format!(
                    "cc-index/table/cc-main/warc/crawl={crawl}/subset={subset}/part-{file}.parquet"
                );
                paths.extend([&path, "\n"]);
                if subset == "robotstxt" {
                    files.insert(format!("/{path}"), fs::read(&index).expect("an index"));
                }
            }
            files.insert(format!("/{name}"), archive.bytes);
        }
        let list = format!("/crawl-data/{crawl}/cc-index-table.paths.gz");
        files.insert(list, gzip(paths.as_bytes()));
    }
    files
}

/// What a site answers in a crawl, the first being 0: its status, and whether it blocks GPTBot.
fn respond(crawl: usize, site: usize) -> Option<(u16, bool)> {
    match (site % 10, crawl) {
        (0, 0) | (1, 2) => None,
        (2, 1) => Some((503, false)),
        (3, _) => Some((404, false)),
        _ => Some((200, site % 7 < 1 + 2 * crawl)),
    }
}

/// Whether a site answers conclusively.
fn is_settled(crawl: usize, site: usize) -> bool {
    respond(crawl, site).is_some_and(|it| it.0 != 503)
}

fn is_blocking(crawl: usize, site: usize) -> bool {
    respond(crawl, site).is_some_and(|it| it.1)
}

/// The counts of a crawl: of all sites, blocking and settled; the same of those that are settled in
/// every crawl; entered, left and silent since the crawl before.
fn recount(sites: &[usize], crawl: usize) -> [Option<usize>; 7] {
    let count = |is: &dyn Fn(usize) -> bool| Some(sites.iter().filter(|it| is(**it)).count());
    let is_balanced = |site| (0..CRAWLS.len()).all(|crawl| is_settled(crawl, site));
    let since = |is: &dyn Fn(usize, usize) -> bool| {
        let before = crawl.checked_sub(1)?;
        count(&|site| is(before, site))
    };
    [
        count(&|site| is_blocking(crawl, site)),
        count(&|site| is_settled(crawl, site)),
        count(&|site| is_balanced(site) && is_blocking(crawl, site)),
        count(&is_balanced),
        since(&|before, site| is_settled(crawl, site) && !is_settled(before, site)),
        since(&|before, site| is_settled(before, site) && respond(crawl, site).is_none()),
        since(&|before, site| {
            let is_captured = respond(crawl, site).is_some();
            is_settled(before, site) && is_captured && !is_settled(crawl, site)
        }),
    ]
}

/// The sites of a panel and their strata.
fn chosen(folder: &Folder, panel: &Path) -> BTreeMap<usize, String> {
    let sites = panel.join("sites.csv");
    let words = ["panel", "choose", "--strata", "30", "--per-stratum", "25"];
    let ranks = ranks(folder);
    let mut choose = super::command(&words);
    choose.arg("--ranks").arg(ranks).arg("-o").arg(&sites);
    choose.succeed();
    let sites = fs::read_to_string(&sites).expect("sites");
    let sites = sites.lines().skip(1).map(|line| {
        let values: Vec<&str> = line.split(',').collect();
        let number = values[0].trim_matches(|it: char| !it.is_ascii_digit());
        (number.parse().expect("a number"), values[2].to_owned())
    });
    sites.collect()
}

/// What the plan of a panel says is left in all: records and requests.
fn left(base: &str, panel: &Path) -> (usize, usize) {
    let plan = step("fetch", base, panel).arg("--dry-run").succeed();
    let all = plan.lines().last().expect("a total");
    let all: Vec<&str> = all.split_whitespace().collect();
    assert_eq!(all[0], "all", "{plan}");
    let [records, requests] = [1, 2].map(|place| all[place].parse().expect("a number"));
    (records, requests)
}

#[test]
fn the_recipe_gives_the_numbers_of_the_server() {
    let folder = Folder::new();
    let panel = folder.path("panel");
    let strata = chosen(&folder, &panel);
    let sites: Vec<usize> = strata.keys().copied().collect();
    assert_eq!(sites.len(), 50);
    let files = common_crawl(&folder, &CRAWLS, |crawl, site| {
        let (status, is_blocking) = respond(crawl, site)?;
        let is_file = status == 200;
        let body = is_file.then(|| robots_txt(is_blocking));
        Some((status, body.unwrap_or_default()))
    });
    let slow = format!("/crawl-data/{}/segments/1/robotstxt/2.warc.gz", CRAWLS[1]);
    let stalled = slow.clone();
    let server = Server::new(move |asked| {
        let answer = super::answer(&files, asked);
        let is = |end| asked.before == 0 && asked.target.ends_with(end);
        if is("robotstxt/part-1.parquet") {
            Answer::new(503, b"<Code>SlowDown</Code>").with("Retry-After", "1")
        } else if is("34/segments/1/robotstxt/1.warc.gz") {
            Answer::new(429, b"").with("Retry-After", "1")
        } else if is("40/segments/1/robotstxt/1.warc.gz") {
            Answer::new(503, b"")
        } else if is(&*stalled) {
            answer.stall(50)
        } else {
            answer
        }
    });
    let base = server.url("");
    let mut find = step("find", &base, &panel);
    let said = find.args(["--crawl", &CRAWLS.join(",")]).fail(0);
    let words = "503 Service Unavailable: all requests pause for 1.0 s";
    assert_contains(&said, &[words]);

    // The plan of a slow fetch names quicker ways.
    let captured = |crawl| {
        let is_captured = |site: &&usize| respond(crawl, **site).is_some();
        sites.iter().filter(is_captured).count()
    };
    let all: usize = (0..CRAWLS.len()).map(captured).sum();
    assert_eq!(left(&base, &panel).0, all);
    let mut slowly = super::command(&["panel", "fetch", "--dry-run", "--max-rate", "0.001"]);
    let said = text(&slowly.arg(&panel).output().expect("a run"));
    assert_contains(&said, &["fewer sites", "fewer crawls", "us-east-1"]);

    // Killed in the second crawl, the same command continues there.
    let mut child = step("fetch", &base, &panel).spawn().expect("a run");
    while server.count(&slow) == 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("a child");
    child.wait().expect("its end");
    assert!(left(&base, &panel).0 < all);
    let of_first = |server: &Server| {
        let asked = server.asked();
        let is_first = |it: &&str| it.starts_with(&format!("/crawl-data/{}/seg", CRAWLS[0]));
        asked.iter().map(|it| &*it.target).filter(is_first).count()
    };
    let before = of_first(&server);
    let said = step("fetch", &base, &panel).fail(0);
    let words = "429 Too Many Requests: all requests pause for 1.0 s";
    assert_contains(&said, &[words]);
    assert_eq!(of_first(&server), before, "nothing is fetched twice");
    assert_eq!(left(&base, &panel), (0, 0));

    let datasets = CRAWLS.map(|crawl| panel.join(crawl));
    // A site that is listed twice counts once.
    let list = fs::read_to_string(panel.join("sites.csv")).expect("a list");
    let (head, lines) = list.split_once('\n').expect("a head");
    folder.write("panel/sites.csv", format!("{list}{lines}").as_bytes());
    series_are_recounted(&datasets, &panel, &strata);
    let other = lines.lines().next().expect("a site").replace(",1-", ",2-");
    let mixed = folder.write("mixed.csv", format!("{head}\n{lines}{other}\n").as_bytes());
    let said = robostat(["query"])
        .args(&datasets)
        .args(["panel-over-time", "--set"])
        .arg(format!("sites={}", mixed.display()))
        .fail(2);
    assert_contains(&said, &["mixed.csv: two strata for s"]);
    // An index that cannot be read does not stop the other crawls.
    folder.write("panel/index/CC-MAIN-2020-05.parquet", b"cut");
    let said = step("fetch", &base, &panel).fail(3);
    let words = ["robostat: CC-MAIN-2020-05: ", "not an index of records"];
    assert_contains(&said, &words);
    let list = panel.join("sites.csv");
    report_and_summary_are_recounted(&folder, &datasets, &sites, &list);
}

/// The counts of a row, as [`recount`] has them.
fn counts(row: &Value) -> [Option<u64>; 7] {
    let names = [
        "hosts_full",
        "n",
        "hosts_balanced_full",
        "n_balanced",
        "hosts_entered",
        "hosts_left",
        "hosts_silent",
    ];
    names.map(|name| row[name].as_u64())
}

/// Compares the series, of all sites and of each stratum.
fn series_are_recounted(datasets: &[PathBuf], panel: &Path, strata: &BTreeMap<usize, String>) {
    let sites = format!("sites={}", panel.join("sites.csv").display());
    let answer = robostat(["query"])
        .args(datasets)
        .args(["panel-over-time", "--format", "json"])
        .args(["--set", "agents=gptbot", "--set", &sites])
        .succeed();
    let rows: Vec<Value> = serde_json::from_str(&answer).expect("rows");
    assert_eq!(rows.len(), 3 * CRAWLS.len(), "{answer}");
    for (place, row) in rows.iter().enumerate() {
        let crawl = place % CRAWLS.len();
        assert_eq!(row["crawl"], CRAWLS[crawl]);
        let stratum = row["stratum"].as_str().expect("a name");
        let is_in = |it: &(&usize, &String)| stratum == "all" || it.1 == stratum;
        let sites: Vec<usize> = strata.iter().filter(is_in).map(|it| *it.0).collect();
        let expected = recount(&sites, crawl);
        let numbers = expected.map(|it| it.map(|it| it as u64));
        assert_eq!(counts(row), numbers, "{row}");
        let [_, _, Some(full), Some(balanced), ..] = expected else {
            panic!("counts")
        };
        let is_large = crawl > 0 && balanced >= 30;
        assert_eq!(row["change"].is_number(), is_large, "{row}");
        if is_large {
            let [_, _, Some(first), ..] = recount(&sites, 0) else {
                panic!("counts")
            };
            #[expect(clippy::cast_precision_loss, reason = "few sites")]
            let change = 100.0 * (full as f64 - first as f64) / balanced as f64;
            let of_row = row["change"].as_f64().expect("a number");
            assert!((of_row - change).abs() < 0.01, "{change}: {row}");
        }
    }
}

/// Compares what is published.
fn report_and_summary_are_recounted(
    folder: &Folder,
    datasets: &[PathBuf],
    sites: &[usize],
    list: &Path,
) {
    let report = folder.path("panel.json");
    let words = ["report", "--agents", "GPTBot", "--sections", "over-time"];
    let mut command = robostat(words);
    command.arg("-o").arg(&report).args(datasets).succeed();
    let summary = folder.path("published");
    let mut command = robostat(["export", "--summary", "--sites"]);
    command.arg(list).arg("--weights").arg(list).arg("-o");
    command.arg(&summary).args(datasets).succeed();
    let expected = CRAWLS.iter().enumerate().map(|(number, crawl)| {
        let [full, n, ..] = recount(sites, number).map(Option::unwrap_or_default);
        format!("{crawl}|{full}|{n}")
    });
    let expected: Vec<String> = expected.collect();

    let report = fs::read_to_string(&report).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let chapters = report["chapters"].as_array().expect("chapters");
    let sections = chapters.iter().filter_map(|it| it["sections"].as_array());
    let section = sections.flatten().find(|it| it["id"] == "over-time");
    let rows = section.and_then(|it| it["rows"].as_array()).expect("rows");
    let row = |it: &Value| {
        let crawl = it["crawl"].as_str().expect("a label");
        format!("{crawl}|{}|{}", it["hosts_full"], it["n"])
    };
    assert_eq!(rows.iter().map(row).collect::<Vec<_>>(), expected);
    let [
        _,
        _,
        Some(full),
        Some(balanced),
        Some(entered),
        Some(left),
        Some(silent),
    ] = recount(sites, 2)
    else {
        panic!("counts")
    };
    let [_, _, Some(first), ..] = recount(sites, 0) else {
        panic!("counts")
    };
    #[expect(clippy::cast_precision_loss, reason = "few sites")]
    let change = 100.0 * (full - first) as f64 / balanced as f64;
    let sentences = section.map(|it| it["sentences"].to_string());
    assert_contains(
        &sentences.expect("sentences"),
        &[
            &format!("of the {balanced} hosts that gave a usable answer in every crawl"),
            &format!("since {}, +{change:.0} percentage points, 95% ", CRAWLS[0]),
            &format!("{entered} hosts entered, {left} left and {silent} fell silent."),
        ],
    );

    let views = format!(
        "SET VARIABLE summary = '{}';\n.read '{}'\n",
        summary.join("*.parquet").display(),
        summary.join("summary.sql").display()
    );
    let sql = "SELECT crawl, hosts_full, n FROM agent_restrictions_over_time(agents := ['gptbot'])
        ORDER BY crawl";
    let published = duckdb::lines(&folder.write("views.sql", views.as_bytes()), sql);
    assert_eq!(published, expected);
    // The series of the same sites, by each unit.
    for unit in ["host", "domain", "weight"] {
        let answer = robostat(["query"])
            .args(datasets)
            .args(["panel-over-time", "--format", "json", "--set"])
            .args(["agents=gptbot", "--set", &format!("by={unit}"), "--set"])
            .arg(format!("sites={}", list.display()))
            .succeed();
        let asked: Vec<Value> = serde_json::from_str(&answer).expect("rows");
        let sql = format!(
            "SELECT to_json(rows) FROM panel_over_time(
                agents := ['gptbot'], \"by\" := '{unit}', file := '{}'
            ) AS rows",
            summary.join("series/panel.parquet").display()
        );
        let published = duckdb::lines(&folder.path("views.sql"), &sql);
        let published = published.iter().map(|it| serde_json::from_str(it));
        let published: Vec<Value> = published.collect::<Result<_, _>>().expect("rows");
        assert!(asked.iter().any(|row| row["change"].is_number()));
        assert_eq!(published, asked, "{unit}");
    }
}
