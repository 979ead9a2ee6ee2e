//! Inputs on the network: TLS, pauses, many files, and panels. `tests/cases/remote` has what is
//! asked of servers, and what becomes of their answers.

mod index_rows;
mod indexed;
mod long;
mod panel;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::duckdb::of as lines;
use crate::support::folder::Folder;
use crate::support::mini_warc::MiniWarc;
use crate::support::program::{NETWORK, assert_contains, numbers, robostat, text};
use crate::support::server::{Answer, ServedRequest, Server};
use crate::support::warc::gzip;

/// A gzipped WARC file with captures of `number` hosts of its own.
fn warc(name: &str, number: u32) -> Vec<u8> {
    let mut warc = MiniWarc::new();
    for host in 0..number {
        let url = format!("https://{host}.{name}.example/robots.txt");
        let body = format!("User-agent: *\nDisallow: /{name}/{host}\n");
        warc = warc.answer(&url, 200, &body);
    }
    gzip(&warc.bytes())
}

/// An ingest that asks quickly and waits little: an hour of waiting is ten seconds.
fn quick() -> Command {
    paced(1000.0, 10.0)
}

/// An ingest that sends this many requests a second, and waits this many seconds for servers.
fn paced(rate: f64, wait: f64) -> Command {
    let (rate, wait) = (rate.to_string(), wait.to_string());
    let mut command = robostat(["ingest", "--json", "--max-rate", &rate, "--max-wait", &wait]);
    for variable in NETWORK {
        command.env_remove(variable);
    }
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

/// Long enough for a busy machine, and shorter than the first pauses of a run that tries again.
const AT_ONCE: Duration = Duration::from_secs(20);

#[test]
fn a_certificate_that_is_not_trusted_is_not_tried_again() {
    let folder = Folder::new();
    let untrusted = Server::with_tls(|asked| Answer::file(asked, b"", "\"a\""));
    let trusted = Server::new(|asked| Answer::file(asked, &warc("a", 2), "\"a\""));
    let urls = [untrusted.url("/x.warc.gz"), trusted.url("/a.warc.gz")];
    let begun = Instant::now();
    let (summary, said) = run(paced(1000.0, 3600.0).args(&urls).arg(folder.path("out")), 3);
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    assert_eq!(summary["captures"], 2);
    assert_contains(&said, &["certificate", "SSL_CERT_FILE"]);
    assert!(!said.contains("another try"), "{said}");
    // A list of such files does not take as long as its requests would.
    let urls = (0..100).map(|number| untrusted.url(&format!("/{number}.warc.gz")));
    let (_, said) = run(paced(20.0, 3600.0).args(urls).arg(folder.path("other")), 1);
    assert_contains(&said, &["10 files in a row could not be fetched"]);
    let list = untrusted.url("/x.paths");
    let (_, said) = run(paced(1000.0, 3600.0).arg(list).arg(folder.path("list")), 1);
    assert!(said.contains("certificate"), "{said}");
    assert!(begun.elapsed() < 2 * AT_ONCE, "{:?}", begun.elapsed());
}
