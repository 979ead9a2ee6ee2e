//! Inputs on the network: what is asked of servers, what becomes of their answers, and what is left
//! when something breaks.

mod bodies;
mod index_rows;
mod index_runs;
mod indexed;
mod indexes;
mod lists;
mod long;
mod mirrors;
mod objects;
mod panel;
mod refusals;
mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::support::duckdb::of as lines;
use crate::support::folder::Folder;
use crate::support::mini_warc::MiniWarc;
use crate::support::program::{Run as _, assert_contains, numbers, robostat, text};
use crate::support::warc::gzip;
use server::{Answer, MODIFIED, ServedRequest, Server};

/// Variables of the environment that lead requests elsewhere.
const PROXIES: [&str; 8] = [
    "ALL_PROXY",
    "all_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "NO_PROXY",
    "no_proxy",
];

/// A gzipped WARC file with captures of `number` hosts of its own.
fn warc(name: &str, number: u32) -> Vec<u8> {
    let mut warc = MiniWarc::new();
    for host in 0..number {
        let url = format!("https://{host}.{name}.example/robots.txt");
        let body = format!("User-agent: *\nDisallow: /{name}/{host}\n");
        warc = warc.answer(&url, 200, &body);
    }
    gzip(warc.bytes())
}

/// An ingest that asks quickly and waits little: an hour of waiting is ten seconds.
fn quick() -> Command {
    paced(1000.0, 10.0)
}

/// The same with a cache.
fn cached(cache: &Path) -> Command {
    let mut command = quick();
    command.arg("--cache").arg(cache);
    command
}

/// An ingest that sends this many requests a second, and waits this many seconds for servers.
fn paced(rate: f64, wait: f64) -> Command {
    let (rate, wait) = (rate.to_string(), wait.to_string());
    let mut command = robostat(["ingest", "--json", "--max-rate", &rate, "--max-wait", &wait]);
    for proxy in PROXIES {
        command.env_remove(proxy);
    }
    command.env_remove("SSL_CERT_FILE");
    command
}

/// The summary of a run that must end with `code`, and what it said.
#[track_caller]
fn run(command: &mut Command, code: i32) -> (Value, String) {
    let output = command.output().expect("a program");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    (
        serde_json::from_slice(&output.stdout).unwrap_or_default(),
        said,
    )
}

/// The address of a server that is not there.
fn nobody() -> String {
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    format!("http://{}", port.local_addr().expect("an address"))
}

/// The rows of the tables of a dataset, where its inputs came from left out.
fn tables(out: &Path) -> Vec<String> {
    const TABLES: [&str; 9] = [
        "captures", "files", "policies", "groups", "rules", "agents", "damage", "hosts", "inputs",
    ];
    let select = TABLES.map(|table| {
        let columns = match table {
            "inputs" => "* EXCLUDE (source_url, etag, last_modified, sample_of, sample_seed)",
            _ => "*",
        };
        format!("SELECT '{table}', {columns} FROM {table} ORDER BY ALL;")
    });
    lines(out, &select.concat())
}

#[test]
fn a_file_is_asked_for_once_and_its_answer_is_noted() {
    let body = warc("a", 3);
    let (content, folder) = (body.clone(), Folder::new());
    let server = Server::new(move |asked| Answer::file(asked, &content, "\"v1\""));
    let url = server.url("/item/a.warc.gz?download=1#top");
    let out = folder.path("out");
    let words = ["--contact", "me@example.org", &url];
    let (summary, _) = run(quick().args(words).arg(&out), 0);
    assert_eq!(summary["captures"], 3);
    {
        let asked = server.asked();
        assert_eq!(asked.len(), 1, "one GET, no HEAD: {asked:?}");
        assert_eq!(
            (&*asked[0].method, &*asked[0].target),
            ("GET", "/item/a.warc.gz?download=1")
        );
        let agent = asked[0].header("user-agent").expect("a name");
        assert!(agent.starts_with("robostat/"), "{agent}");
        assert!(agent.contains("me@example.org"), "{agent}");
        assert_eq!(asked[0].header("accept-encoding"), Some("identity"));
    }
    let noted = lines(
        &out,
        "SELECT path, source_url, etag, epoch(last_modified)::BIGINT, bytes, sample_of FROM inputs",
    );
    let url = url.trim_end_matches("#top");
    let bytes = body.len();
    let expected = format!("a.warc.gz|{url}|\"v1\"|1785564000|{bytes}|NULL");
    assert_eq!(noted, [expected], "{MODIFIED}");
    assert!(!out.join(".downloads").exists());

    let (summary, _) = run(quick().arg(url).arg(&out), 0);
    assert_eq!(summary["inputs_ingested_before"], 1);
    assert_eq!(server.asked().len(), 1, "nothing is asked for twice");

    let (summary, _) = run(quick().args(["--force", url]).arg(&out), 0);
    assert_eq!(summary["inputs_replaced"], 1);
    assert_eq!(server.asked().len(), 2);

    // The same rows as from a local copy.
    let copy = folder.write("a.warc.gz", &body);
    let local = folder.path("local");
    run(quick().arg(copy).arg(&local), 0);
    assert_eq!(tables(&local), tables(&out));
}

#[test]
fn a_broken_connection_goes_on_where_it_broke() {
    let body = warc("a", 300);
    let (content, folder) = (body.clone(), Folder::new());
    let server = Server::new(move |asked| {
        let answer = Answer::file(asked, &content, "\"v1\"");
        match asked.before {
            0 => answer.cut(1000),
            1 => answer.cut(0), // nothing new
            2 => answer.cut(500),
            _ => answer,
        }
    });
    let out = folder.path("out");
    let (summary, said) = run(quick().arg(server.url("/a.warc.gz")).arg(&out), 0);
    assert_eq!(
        numbers(&summary, ["captures", "bytes_in"]),
        [300, body.len() as u64]
    );
    assert!(said.contains("another try"), "{said}");
    let asked = server.asked();
    let ranges = asked.iter().map(|it| (it.from(), it.header("if-range")));
    let tag = Some("\"v1\"");
    let expected = [
        (None, None),
        (Some(1000), tag),
        (Some(1000), tag),
        (Some(1500), tag),
    ];
    assert_eq!(ranges.collect::<Vec<_>>(), expected);
}

#[test]
fn a_file_that_changed_meanwhile_starts_over() {
    let (old, new) = (warc("old", 200), warc("new", 250));
    let folder = Folder::new();
    let server = Server::new(move |asked| match asked.before {
        0 => Answer::file(asked, &old, "\"v1\"").cut(1000),
        _ => Answer::file(asked, &new, "\"v2\""),
    });
    let out = folder.path("out");
    let (summary, _) = run(quick().arg(server.url("/a.warc.gz")).arg(&out), 0);
    assert_eq!(summary["captures"], 250);
    assert_eq!(lines(&out, "SELECT etag FROM inputs"), ["\"v2\""]);
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn without_a_strong_etag_the_time_is_compared_and_without_that_nothing_resumes() {
    let body = warc("a", 200);
    for (weak, dated, expected) in [(true, true, Some(MODIFIED)), (true, false, None)] {
        let (content, folder) = (body.clone(), Folder::new());
        let server = Server::new(move |asked| {
            let from = asked.from().unwrap_or(0);
            let last = content.len() - 1;
            let mut answer = Answer::new(if from > 0 { 206 } else { 200 }, &content[from..]);
            if from > 0 {
                let range = format!("bytes {from}-{last}/{}", content.len());
                answer = answer.with("Content-Range", &range);
            }
            if weak {
                answer = answer.with("ETag", "W/\"v1\"");
            }
            if dated {
                answer = answer.with("Last-Modified", MODIFIED);
            }
            if asked.before == 0 {
                answer.cut(1000)
            } else {
                answer
            }
        });
        let out = folder.path("out");
        let (summary, _) = run(quick().arg(server.url("/a.warc.gz")).arg(&out), 0);
        assert_eq!(summary["captures"], 200);
        let asked = server.asked();
        assert_eq!(asked[1].header("if-range"), expected);
        assert_eq!(asked[1].from().is_some(), expected.is_some());
    }
}

#[test]
fn lengths_that_are_wrong_are_found_out() {
    let body = warc("a", 50);
    let bytes = body.len();
    // Said to be longer than it is: asked for the rest, the server knows better.
    let (content, folder) = (body.clone(), Folder::new());
    let server = Server::new(move |asked| match asked.before {
        0 => Answer::file(asked, &content, "\"v1\"").lie(bytes + 10),
        _ => Answer::file(asked, &content, "\"v1\""),
    });
    let out = folder.path("out");
    let (summary, _) = run(quick().arg(server.url("/a.warc.gz")).arg(&out), 0);
    assert_eq!(summary["captures"], 50);
    assert_eq!(server.asked()[1].from(), Some(bytes));
    drop(server);

    // Said to be longer whenever it is asked: the file is given up, the others are not.
    let (content, other) = (body.clone(), warc("b", 5));
    let server = Server::new(move |asked| match &*asked.target {
        "/a.warc.gz" => Answer::new(200, &content).lie(bytes + 10),
        _ => Answer::file(asked, &other, "\"b\""),
    });
    let out = folder.path("given-up");
    let urls = [server.url("/a.warc.gz"), server.url("/b.warc.gz")];
    let (summary, _) = run(quick().args(urls).arg(&out), 3);
    assert_eq!(numbers(&summary, ["captures", "inputs_unreadable"]), [5, 1]);
    let damage = lines(&out, "SELECT kind, length, message FROM damage");
    assert_eq!(damage.len(), 1, "{damage:?}");
    let start = "not_fetched|0|the connection broke after ";
    assert!(damage[0].starts_with(start), "{damage:?}");
}

#[test]
fn what_cannot_be_had_is_a_row_and_is_asked_for_again() {
    let bodies = ["a", "b", "c"].map(|name| warc(name, 2));
    let folder = Folder::new();
    let server = Server::new(move |asked| match (&*asked.target, asked.before) {
        ("/b.warc.gz", 0 | 1) => Answer::new(404, b"<html>not here"),
        ("/a.warc.gz", _) => Answer::file(asked, &bodies[0], "\"a\""),
        ("/b.warc.gz", _) => Answer::file(asked, &bodies[1], "\"b\""),
        _ => Answer::file(asked, &bodies[2], "\"c\""),
    });
    let out = folder.path("out");
    let urls = ["/a.warc.gz", "/b.warc.gz", "/c.warc.gz"].map(|path| server.url(path));
    let (summary, said) = run(quick().args(&urls).arg(&out), 3);
    assert_eq!(numbers(&summary, ["inputs", "inputs_unreadable"]), [2, 1]);
    assert!(said.contains("404 Not Found"), "{said}");
    let inputs = "SELECT path, container, bytes, damaged_records FROM inputs ORDER BY path";
    assert_eq!(lines(&out, inputs)[1], "b.warc.gz|none|0|1");
    let damage = "SELECT warc_filename, kind, message FROM damage";
    let missing = "b.warc.gz|not_fetched|HTTP status 404 Not Found";
    assert_eq!(lines(&out, damage), [missing]);
    verify(&out);

    // Still not there: the same rows, and only that file is asked for.
    let rows = tables(&out);
    let (summary, _) = run(quick().args(&urls).arg(&out), 3);
    assert_eq!(numbers(&summary, ["inputs", "inputs_unreadable"]), [0, 1]);
    assert_eq!(tables(&out), rows);
    let (summary, _) = run(quick().args(&urls).arg(&out), 0);
    assert_eq!(numbers(&summary, ["captures", "captures_replaced"]), [2, 0]);
    assert!(lines(&out, damage).is_empty());
    assert_eq!(lines(&out, "SELECT count(*) FROM inputs"), ["3"]);
    verify(&out);
    let counts = ["/a.warc.gz", "/b.warc.gz", "/c.warc.gz"].map(|path| server.count(path));
    assert_eq!(counts, [1, 3, 1]);
}

#[test]
fn files_that_are_tried_again_keep_no_others_waiting() {
    // More than there are connections, and than failures that end a run, all at the beginning.
    const DEAD: usize = 12;
    let folder = Folder::new();
    let server = Server::new(move |asked| {
        let number: usize = asked.stem().parse().expect("two digits");
        match number.checked_sub(DEAD) {
            None => Answer::new(200, b"<html>not now"),
            Some(number) => Answer::file(asked, &warc(&format!("s{number}"), 1), "\"a\""),
        }
    });
    let out = folder.path("out");
    let urls = (0..2 * DEAD).map(|number| server.url(&format!("/{number:02}.warc.gz")));
    // The tries of a file last two seconds, so that a busy machine comes to the last file before.
    let (summary, _) = run(paced(1000.0, 120.0).args(urls).arg(&out), 3);
    assert_eq!(
        numbers(&summary, ["captures", "inputs_unreadable"]),
        [DEAD as u64; 2]
    );
    let asked = server.asked();
    let first_of_last = asked.iter().position(|it| it.target.starts_with("/23"));
    let last_of_first = asked.iter().rposition(|it| it.target.starts_with("/00"));
    assert!(
        first_of_last < last_of_first,
        "{first_of_last:?} {last_of_first:?}"
    );
}

#[test]
fn a_page_of_html_is_not_taken_for_the_file() {
    let body = warc("a", 4);
    let folder = Folder::new();
    let page = b"\n<!DOCTYPE HTML><title>Please wait</title>";
    let server = Server::new(move |asked| match (&*asked.target, asked.before) {
        ("/a.warc.gz", 0) | ("/b.warc.gz", _) => Answer::new(200, page),
        _ => Answer::file(asked, &body, "\"a\""),
    });
    let out = folder.path("out");
    let urls = ["/a.warc.gz", "/b.warc.gz"].map(|path| server.url(path));
    let (summary, said) = run(quick().args(urls).arg(&out), 3);
    assert_eq!(numbers(&summary, ["captures", "inputs_unreadable"]), [4, 1]);
    assert_contains(
        &said,
        &["but not with the file: not an input, but an HTML page"],
    );
}

#[test]
fn redirects_are_followed_as_far_as_that_makes_sense() {
    let body = warc("a", 4);
    let folder = Folder::new();
    let other = Server::new(move |asked| Answer::file(asked, &body, "\"a\""));
    let elsewhere = other.url("/elsewhere");
    let server = Server::new(move |asked| match &*asked.target {
        "/x/a.warc.gz" => Answer::new(302, b"moved").with("Location", "../b?c=1"),
        "/b?c=1" => Answer::new(307, b"").with("Location", &elsewhere),
        "/round.warc.gz" => Answer::new(301, b"").with("Location", "/round.warc.gz"),
        "/file.warc.gz" => Answer::new(301, b"").with("Location", "file:///etc/passwd"),
        _ => Answer::new(301, b""),
    });
    let out = folder.path("out");
    let urls = ["x/a", "round", "file", "nowhere"].map(|it| server.url(&format!("/{it}.warc.gz")));
    let (summary, _) = run(quick().args(urls).arg(&out), 3);
    assert_eq!(numbers(&summary, ["captures", "inputs_unreadable"]), [4, 3]);
    assert_eq!(other.count("/elsewhere"), 1);
    assert_eq!(server.count("/round.warc.gz"), 11);
    let expected = [
        "file.warc.gz|a redirect from http to file",
        "nowhere.warc.gz|a redirect without Location",
        "round.warc.gz|more than 10 redirects",
    ];
    let damage = "SELECT warc_filename, message FROM damage ORDER BY ALL";
    assert_eq!(lines(&out, damage), expected);
    // The address that was asked for.
    let url = lines(&out, "SELECT source_url FROM inputs WHERE bytes > 0");
    assert_eq!(url, [server.url("/x/a.warc.gz")]);
}

#[test]
fn a_connection_that_brings_nothing_is_given_up_and_resumed() {
    let body = warc("a", 300);
    let folder = Folder::new();
    let server = Server::new(move |asked| {
        let answer = Answer::file(asked, &body, "\"a\"");
        if asked.before == 0 {
            answer.stall(1000)
        } else {
            answer
        }
    });
    let out = folder.path("out");
    let url = server.url("/a.warc.gz");
    let (summary, said) = run(quick().args(["--timeout", "0.5", &url]).arg(&out), 0);
    assert_eq!(summary["captures"], 300, "{said}");
    assert_eq!(server.asked()[1].from(), Some(1000));
}

#[test]
fn refusals_pause_everybody_and_end_the_run_in_the_end() {
    let bodies = ["a", "b", "c"].map(|name| warc(name, 2));
    let folder = Folder::new();
    let server = Server::new(move |asked| match (&*asked.target, asked.before) {
        ("/a.warc.gz", 0) => Answer::new(503, b"slow down"),
        ("/b.warc.gz", 0) => Answer::new(429, b"").with("Retry-After", "1"),
        ("/c.warc.gz", _) => Answer::new(403, b""),
        ("/a.warc.gz", _) => Answer::file(asked, &bodies[0], "\"a\""),
        _ => Answer::file(asked, &bodies[1], "\"b\""),
    });
    let out = folder.path("out");
    let urls = ["/a.warc.gz", "/b.warc.gz"].map(|path| server.url(path));
    let (summary, said) = run(paced(1000.0, 60.0).args(&urls).arg(&out), 0);
    assert_eq!(summary["captures"], 4);
    assert!(said.contains("all requests pause for"), "{said}");
    let asked = server.asked().clone();
    let first = asked.iter().find(|it| it.target == "/b.warc.gz");
    let refused = first.expect("asked for").at;
    let is_paused = |it: &&ServedRequest| it.at > refused + Duration::from_millis(200);
    let pause = asked.iter().find(is_paused).expect("asked again").at - refused;
    assert!(pause >= Duration::from_millis(950), "{pause:?}");

    // Common Crawl's 403 holds for everything, and at last the run ends; the rest is committed.
    let url = server.url("/c.warc.gz");
    let (_, said) = run(paced(1000.0, 2.0).arg(url).arg(&out), 1);
    let words = [
        "403 Forbidden",
        "of the 0.2 s that robostat waits for it (a tenth of --max-wait",
        "the same command goes on",
    ];
    assert_contains(&said, &words);
    verify(&out);
}

#[test]
fn a_file_that_is_forbidden_does_not_hold_up_the_others() {
    let folder = Folder::new();
    let server = Server::new(move |asked| match &*asked.target {
        "/secret.warc.gz" => Answer::new(403, b""),
        _ => Answer::file(asked, &warc(asked.stem(), 1), "\"a\""),
    });
    let mut urls = vec![server.url("/secret.warc.gz")];
    urls.extend((0..40).map(|number| server.url(&format!("/f{number}.warc.gz"))));
    let out = folder.path("out");
    let (summary, _) = run(paced(40.0, 20.0).args(urls).arg(&out), 3);
    assert_eq!(
        numbers(&summary, ["captures", "inputs_unreadable"]),
        [40, 1]
    );
}

#[test]
fn a_server_that_is_away_ends_the_run_and_what_was_fetched_stays() {
    let folder = Folder::new();
    let server = Server::new(move |asked| match asked.stem() {
        name if name.len() == 2 => Answer::file(asked, &warc(name, 1), "\"a\""),
        _ => Answer::new(500, b""),
    });
    // More than are put aside at a time, some of them begun while others arrive.
    let urls = (0..120).map(|number| server.url(&format!("/f{number}.warc")));
    let out = folder.path("out");
    let (_, said) = run(paced(1000.0, 1.0).args(urls).arg(&out), 1);
    assert_contains(&said, &["10 files in a row could not be fetched"]);
    let fetched = "SELECT count(*) FROM inputs WHERE bytes > 0";
    assert_eq!(lines(&out, fetched), ["10"]);
    verify(&out);
}

#[test]
fn what_is_no_address_is_told_as_such() {
    let folder = Folder::new();
    let known = "of addresses, http://, https:// and s3:// are read";
    for (address, words) in [
        ("https://", "not a URL"),
        ("https://me:secret@localhost/x", "password"),
        ("s3:///x", "needs a bucket"),
        ("ftp://localhost/x.warc.gz", known),
    ] {
        let (_, said) = run(quick().arg(address).arg(folder.path("out")), 1);
        assert!(said.contains(words), "{said}");
        assert!(!folder.path("out").exists());
    }
    // Nobody answers: an input that cannot be read, as any other.
    let closed = nobody() + "/x.warc.gz";
    let (_, said) = run(paced(1000.0, 1.0).arg(closed).arg(folder.path("out")), 1);
    assert_contains(&said, &["nothing was ingested", "refused"]);
}

#[test]
fn tls_is_spoken_and_only_trusted_certificates_are() {
    let body = warc("a", 3);
    let folder = Folder::new();
    let server = Server::with_tls(move |asked| {
        let answer = Answer::file(asked, &body, "\"a\"");
        if asked.before == 0 {
            answer.cut(100)
        } else {
            answer
        }
    });
    let url = server.url("/a.warc.gz");
    let out = folder.path("out");
    let (_, said) = run(paced(1000.0, 1.0).arg(&url).arg(&out), 1);
    assert!(said.to_lowercase().contains("certificate"), "{said}");
    assert!(server.asked().is_empty());
    let trusting = |certificates: &Path, words: &[&str], code| {
        let mut command = quick();
        command.env("SSL_CERT_FILE", certificates);
        run(command.args(words).arg(&out), code)
    };
    let (summary, _) = trusting(server.certificate(), &[&url], 0);
    assert_eq!(summary["captures"], 3);
    let none = folder.write("no.pem", b"nothing");
    let (_, said) = trusting(&none, &["--force", &url], 1);
    assert!(said.contains("no certificate"), "{said}");
}

#[test]
fn a_proxy_is_taken_from_the_environment() {
    let folder = Folder::new();
    // A proxy that refuses shows that it was used.
    let proxy = Server::new(|_| Answer::new(407, b""));
    let mut command = paced(1000.0, 1.0);
    command.env("HTTPS_PROXY", proxy.url(""));
    let url = "https://a.example/x.warc.gz";
    run(command.arg(url).arg(folder.path("out")), 1);
    let asked = proxy.asked();
    let is_connect = |it: &ServedRequest| it.method == "CONNECT" && it.target == "a.example:443";
    assert!(
        !asked.is_empty() && asked.iter().all(is_connect),
        "{asked:?}"
    );
}

#[test]
fn a_cache_keeps_files_and_is_used_before_the_network() {
    let body = warc("a", 3);
    let folder = Folder::new();
    let server = Server::new(move |asked| Answer::file(asked, &body, "\"a\""));
    let (url, cache) = (server.url("/crawl-data/x/a.warc.gz"), folder.path("cache"));
    for out in ["one", "two"] {
        run(cached(&cache).arg(&url).arg(folder.path(out)), 0);
    }
    assert_eq!(server.asked().len(), 1);
    assert_eq!(tables(&folder.path("one")), tables(&folder.path("two")));
    let etag = "SELECT etag, path FROM inputs";
    assert_eq!(
        lines(&folder.path("two"), etag),
        ["\"a\"|crawl-data/x/a.warc.gz"]
    );
    // The directory is a tree of the files, to be ingested as any other.
    let found = walk(&cache);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("crawl-data/x/a.warc.gz"), "{found:?}");
}

/// The files in a directory, hidden ones left out.
fn walk(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let is_hidden = path
            .file_name()
            .is_some_and(|it| it.to_string_lossy().starts_with('.'));
        if path.is_dir() && !is_hidden {
            found.extend(walk(&path));
        } else if !is_hidden {
            found.push(path);
        }
    }
    found
}

/// Checks a dataset.
#[track_caller]
fn verify(out: &Path) {
    robostat(["verify"]).arg(out).succeed();
}
