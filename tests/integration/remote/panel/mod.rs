//! `robostat panel`, against a server with the layout of Common Crawl: lists, the columnar index in
//! Parquet, archives; with errors, refusals and a crawl that is not there.

mod columns;
mod damage;
mod provenance;
mod recipe;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::indexed::Archive;
use super::{gzip, lines, quick, run, verify};
use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::program::{NETWORK, Run as _, assert_contains, robostat, text};
use crate::support::server::{Answer, ServedRequest, Server};

/// The crawls that the server has.
const CRAWLS: [&str; 2] = ["CC-MAIN-2025-33", "CC-MAIN-2026-34"];
/// Files of the index, and archives, of each crawl.
const FILES: usize = 4;
/// Sites of the list of ranks.
const SITES: usize = 60;

fn command(words: &[&str]) -> Command {
    let mut command = robostat(words);
    for variable in NETWORK {
        command.env_remove(variable);
    }
    command
}

/// A list of ranks as Tranco publishes it.
fn ranks(folder: &Folder) -> std::path::PathBuf {
    let lines = (1..=SITES).map(|rank| format!("{rank},s{rank}.example\n"));
    folder.write("tranco.csv", lines.collect::<String>().as_bytes())
}

/// The files of a Common Crawl of two crawls, by path. Every second site is captured; in the first
/// crawl, every fourth one blocks GPTBot.
fn files(folder: &Folder) -> HashMap<String, Vec<u8>> {
    common_crawl(folder, &CRAWLS, |crawl, site| {
        let is_blocking = crawl == 1 || site % 4 == 0;
        (site % 2 == 0).then(|| (200, robots_txt(is_blocking)))
    })
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

/// Writes these files below a directory of this machine. Its path.
fn mirror(folder: &Folder, files: &HashMap<String, Vec<u8>>) -> String {
    for (path, body) in files {
        folder.write(&format!("mirror{path}"), body);
    }
    let path = folder.path("mirror").into_os_string();
    path.into_string().expect("UTF-8")
}

fn answer(files: &HashMap<String, Vec<u8>>, asked: &ServedRequest) -> Answer {
    match files.get(&asked.target) {
        Some(body) => Answer::file(asked, body, "\"v1\""),
        None => Answer::new(404, b"not here"),
    }
}

/// `panel STEP`, which asks quickly.
fn step(step: &str, base: &str, panel: &Path) -> Command {
    let mut command = command(&["panel", step, "--base", base]);
    command
        .args(["--max-rate", "1000", "--max-wait", "10"])
        .arg(panel);
    command
}

/// Chooses the sites of a panel, and counts those that the crawls have.
fn choose(folder: &Folder, panel: &Path) -> usize {
    let sites = panel.join("sites.csv");
    let words = ["panel", "choose", "--strata", "20", "--per-stratum", "20"];
    let mut command = command(&words);
    command
        .arg("--ranks")
        .arg(ranks(folder))
        .arg("-o")
        .arg(&sites)
        .succeed();
    let chosen = fs::read_to_string(&sites).expect("sites");
    let numbers = chosen
        .lines()
        .filter_map(|it| it[1..].split_once('.')?.0.parse::<usize>().ok());
    let number = numbers.filter(|site| site % 2 == 0).count();
    assert!(number > 10, "{chosen}");
    number
}

/// The words of the last line of a plan.
fn total(plan: &str) -> Vec<&str> {
    let all = plan.lines().last().expect("a total");
    all.split_whitespace().collect()
}

/// What the plan of a panel says is left in all: records and requests.
fn left(base: &str, panel: &Path) -> (usize, usize) {
    let plan = step("fetch", base, panel).arg("--dry-run").succeed();
    let all = total(&plan);
    assert_eq!(all[0], "all", "{plan}");
    let [records, requests] = [1, 2].map(|place| all[place].parse().expect("a number"));
    (records, requests)
}

#[test]
fn records_are_found_through_errors_refusals_and_a_missing_crawl() {
    let (folder, is_bad) = (Folder::new(), Arc::new(AtomicBool::new(true)));
    let panel = folder.path("panel");
    let number = choose(&folder, &panel);
    let list = fs::read_to_string(panel.join("sites.csv")).expect("a list");
    let all = list.lines().count() - 1;
    let found = format!("sites: {number} of {all}, records: {number}");
    let (files, bad) = (files(&folder), Arc::clone(&is_bad));
    let server = Server::new(move |asked| {
        let answer = answer(&files, asked);
        match (&*asked.target, asked.before) {
            // The last file of the second index is not there at first.
            (path, _) if path.contains("34/subset=robotstxt/part-3") && bad.load(Relaxed) => {
                Answer::new(404, b"")
            }
            (path, 0) if path.contains("robotstxt/part-0") => Answer::new(503, b"slow down"),
            (path, 0) if path.contains("robotstxt/part-1") => answer.cut(100),
            _ => answer,
        }
    });
    let base = server.url("");
    let find = || {
        let mut find = step("find", &base, &panel);
        find.args(["--crawl", "CC-MAIN-2025-33,CC-MAIN-2020-01"]);
        find.args(["--crawl", "CC-MAIN-2026-34"]);
        find
    };

    // The plan fetches lists, and the end of one file of each index.
    assert_contains(&find().arg("--dry-run").fail(3), &["404 Not Found"]);
    let asked: Vec<String> = server.asked().iter().map(|it| it.target.clone()).collect();
    let is_planned = |it: &String| it.ends_with(".paths.gz") || it.ends_with("/part-0.parquet");
    assert!(asked.iter().all(is_planned), "{asked:?}");

    let before = format!("CC-MAIN-2025-33: {found}");
    assert_contains(&find().fail(3), &[&before, "crawls that are missing: 2"]);
    is_bad.store(false, Relaxed);
    let before = server.asked().len();
    let now = format!("CC-MAIN-2026-34: {found}");
    assert_contains(&find().fail(3), &["CC-MAIN-2025-33: found before", &now]);
    let asked = server.asked()[before..].to_vec();
    let asked = asked.iter().map(|it| it.target.rsplit('/').next());
    let asked: Vec<_> = asked
        .flatten()
        .filter(|it| it.ends_with(".parquet"))
        .collect();
    assert_eq!(asked, ["part-3.parquet"; 2], "once for the plan");
    assert!(!panel.join("index/CC-MAIN-2026-34.partial").exists());

    // Other sites are another panel.
    fs::write(panel.join("sites.csv"), "domain\ns2.example\n").expect("space");
    let words = [
        "index has records of other sites",
        "use another directory, or remove",
    ];
    assert_contains(&find().fail(1), &words);
}

#[test]
fn records_are_fetched_and_nothing_else_and_nothing_twice() {
    let (folder, is_bad) = (Folder::new(), Arc::new(AtomicBool::new(true)));
    let panel = folder.path("panel");
    let number = choose(&folder, &panel);
    let files = files(&folder);
    let mirror = &*mirror(&folder, &files);
    let bad = Arc::clone(&is_bad);
    let server = Server::new(move |asked| {
        match (&*asked.target, asked.before) {
            // An archive is not there at first.
            (path, _)
                if path.ends_with("33/segments/1/robotstxt/1.warc.gz") && bad.load(Relaxed) =>
            {
                Answer::new(404, b"")
            }
            (path, 0) if path.ends_with("/2.warc.gz") => {
                Answer::new(429, b"").with("Retry-After", "0")
            }
            (path, 0) if path.ends_with("/3.warc.gz") => Answer::none(),
            _ => answer(&files, asked),
        }
    });
    let base = server.url("");
    command(&["panel", "find", "--base", "mirror", "--crawl"])
        .args([&CRAWLS.join(","), "panel"])
        .current_dir(folder.path(""))
        .succeed();
    // Without a base, the archives are where the indexes were.
    let mut plan = command(&["panel", "fetch", "--dry-run"]);
    let plan = plan.arg(&panel).succeed();
    let records = (2 * number).to_string();
    assert_eq!(total(&plan), ["all", &records, "0", "0", "B", "0", "s"]);
    assert_eq!(left(&base, &panel), (2 * number, 2 * FILES));
    assert!(server.asked().is_empty());
    let said = step("fetch", &base, &panel).fail(3);
    assert_contains(&said, &["404 Not Found"]);
    is_bad.store(false, Relaxed);
    assert_eq!(left(&base, &panel).1, 1, "one archive is left");
    let before = server.asked().len();
    step("fetch", &base, &panel).succeed();
    step("fetch", &base, &panel).succeed();
    let asked = server.asked().clone();
    assert_eq!(asked.len(), before + 1, "nothing is fetched twice");
    // Ranges of records, without the start.
    let is_range = |it: &ServedRequest| it.from() > Some(0) && it.last().is_some();
    assert!(asked.iter().all(is_range), "{asked:?}");

    // Each capture of each chosen site is there, and no other, as from files on this machine.
    let policies = "SELECT url, crawl, policy_id FROM captures ORDER BY ALL";
    let chosen = format!(
        "SELECT count(*) FROM captures WHERE replace(url_host_name, 'www.', '') IN
            (SELECT domain FROM read_csv('{}'))",
        panel.join("sites.csv").display()
    );
    for crawl in CRAWLS {
        let out = panel.join(crawl);
        verify(&out);
        let captures = lines(&out, policies);
        assert_eq!(captures.len(), number);
        assert!(captures.iter().all(|it| it.contains(crawl)));
        let index = panel.join(format!("index/{crawl}.parquet"));
        let local = folder.path(crawl);
        let mut ingest = quick();
        ingest.args(["--subset", "robotstxt", "--crawl", crawl]);
        ingest.args(["--base", mirror, "--index"]).arg(index);
        run(ingest.arg(&local), 0);
        assert_eq!(captures, lines(&local, policies));
        assert_eq!(lines(&out, &chosen), [number.to_string()]);
    }
}

#[test]
fn a_crawl_is_fetched_from_where_it_was_found() {
    let folder = Folder::new();
    let panel = folder.path("panel");
    choose(&folder, &panel);
    let (here, there): (HashMap<_, _>, HashMap<_, _>) =
        (files(&folder).into_iter()).partition(|(path, _)| path.contains(CRAWLS[0]));
    let mirror = &*mirror(&folder, &here);
    let server = Server::new(move |asked| answer(&there, asked));
    let base = server.url("");
    let find = |base: &str, crawl: &str| {
        let mut find = step("find", base, &panel);
        find.args(["--crawl", &format!("{crawl},{crawl}"), "--crawl", crawl]);
        text(&find.output().expect("a run"))
    };
    for (base, crawl) in [(mirror, CRAWLS[0]), (&base, CRAWLS[1])] {
        let said = find(base, crawl);
        let lines = said.lines().filter(|it| it.starts_with(crawl));
        assert_eq!(lines.count(), 2, "found once, and counted once: {said}");
    }
    let said = command(&["panel", "fetch"]).arg(&panel).fail(0);
    for (base, crawl) in [(mirror, CRAWLS[0]), (&base, CRAWLS[1])] {
        let words = format!("--base {base}, as before, for {crawl}\n");
        assert_contains(&said, &[&words]);
        verify(&panel.join(crawl));
    }
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let folder = Folder::new();
    let panel = folder.path("panel");
    let sites: Vec<String> = (1..=SITES).map(|site| format!("s{site}.example")).collect();
    let sites = format!("domain\n{}\n", sites.join("\n"));
    folder.write("panel/sites.csv", sites.as_bytes());
    let files = files(&folder);
    let server = Server::new(move |asked| {
        let is_slow = asked.target.ends_with("part-2.parquet") && asked.before == 0;
        let answer = answer(&files, asked);
        if is_slow { answer.stall(50) } else { answer }
    });
    let find = || {
        let mut find = step("find", &server.url(""), &panel);
        find.args(["--crawl", CRAWLS[0]]);
        find
    };
    let mut child = find().spawn().expect("a run");
    let second = panel.join("index/CC-MAIN-2025-33.partial/00001.parquet");
    while !second.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("a child");
    child.wait().expect("its end");
    find().succeed();
    let counts = [0, 1].map(|file| {
        let path = format!("cc-index/table/cc-main/warc/crawl={}", CRAWLS[0]);
        server.count(&format!("/{path}/subset=robotstxt/part-{file}.parquet"))
    });
    // Once for the plan, and not after the look-up.
    assert_eq!(counts, [2, 1]);
    let index = panel.join("index/CC-MAIN-2025-33.parquet");
    let rows = format!("SELECT count(*) FROM '{}'", index.display());
    assert_eq!(duckdb::lines(Path::new("/dev/null"), &rows), ["30"]);
}
