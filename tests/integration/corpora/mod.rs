//! Corpora without WARC: the same captures in every form, and what is wrong in them.
//! `tests/cases/fetches.md` has tables as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

mod archives;
mod files;
mod layouts;
mod parquet;
mod samples;
mod zips;

use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::program::{Run as _, ingest, number, parts, robostat, sample};
use crate::support::warc::gzip;

/// A fetch, as each form writes it.
struct Fetch {
    url: String,
    time: &'static str,
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

/// The samples, served; then answers of other kinds.
fn fetches() -> Vec<Fetch> {
    let mut files: Vec<PathBuf> = fs::read_dir(sample("robots"))
        .expect("samples")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let fetch = |host: &str, status: u16, body: &[u8]| Fetch {
        url: format!("https://{host}/robots.txt"),
        time: "2026-08-01T12:00:00Z",
        status,
        headers: vec![
            ("Server", "made-up".to_owned()),
            ("X-Robots-Tag", "noindex, \"x\"".to_owned()),
        ],
        body: body.to_vec(),
    };
    let sample = |path: &PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy();
        let body = fs::read(path).expect("a file");
        fetch(&format!("{name}.example"), 200, &body)
    };
    let mut redirect = fetch("from.example", 301, b"");
    let location = "https://to.example/robots.txt".to_owned();
    redirect.headers.push(("Location", location));
    let file = b"User-agent: *\r\nDisallow: /x\r\n";
    let missing = b"<html>not \"found\", sorry</html>\n";
    let with_cr = b"User-agent: *\rDisallow: /a,\"b\"\r\t\r";
    let others = [
        redirect,
        fetch("to.example:8080", 200, file),
        fetch("none.example", 404, missing),
        fetch("broken.example", 503, b""),
        fetch("empty.example", 200, b""),
        fetch("cr.example", 200, with_cr),
        fetch("again.example", 200, file),
    ];
    files.iter().map(sample).chain(others).collect()
}

/// The response as a server sends it.
fn response(fetch: &Fetch) -> Vec<u8> {
    let mut response = format!("HTTP/1.1 {} Status\r\n", fetch.status).into_bytes();
    for (name, value) in &fetch.headers {
        let _ = write!(response, "{name}: {value}\r\n");
    }
    response.extend_from_slice(b"\r\n");
    response.extend_from_slice(&fetch.body);
    response
}

fn warc(fetches: &[Fetch]) -> Vec<u8> {
    let mut warc = Vec::new();
    for fetch in fetches {
        let block = response(fetch);
        let _ = write!(
            warc,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n",
            fetch.url,
            fetch.time,
            block.len()
        );
        warc.extend_from_slice(&block);
        warc.extend_from_slice(b"\r\n\r\n");
    }
    warc
}

fn headers(fetch: &Fetch) -> Value {
    fetch
        .headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect()
}

fn json_lines(fetches: &[Fetch], is_packed: bool) -> Vec<u8> {
    let mut lines = String::new();
    for fetch in fetches {
        let mut line = json!({
            "url": fetch.url,
            "fetched_at": fetch.time,
            "status": fetch.status,
            "headers": headers(fetch),
        });
        if is_packed {
            line["body_base64"] = json!(BASE64_STANDARD.encode(&fetch.body));
        } else {
            line["body"] = json!(String::from_utf8(fetch.body.clone()).expect("UTF-8"));
        }
        let _ = writeln!(lines, "{line}");
    }
    lines.into_bytes()
}

fn delimited(fetches: &[Fetch], delimiter: u8) -> Vec<u8> {
    let mut table = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(Vec::new());
    let names = [
        "id",
        "URL",
        "Status Code",
        "fetchedAt",
        "headers",
        "content",
    ];
    table.write_record(names).expect("memory");
    for (id, fetch) in fetches.iter().enumerate() {
        let (id, status) = (id.to_string(), fetch.status.to_string());
        let headers = headers(fetch).to_string();
        let fields = [&id, &fetch.url, &status, fetch.time, &headers].map(str::as_bytes);
        table
            .write_record(fields.iter().chain([&&*fetch.body]))
            .expect("memory");
    }
    table.into_inner().expect("memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(bytes, 1).expect("memory")
}

impl Folder {
    /// Ingests one file; its summary, and the dataset, which must be consistent.
    #[track_caller]
    fn ingest_file(
        &self,
        name: &str,
        bytes: &[u8],
        arguments: &[&str],
        code: i32,
    ) -> (Value, PathBuf) {
        let input = self.write(name, bytes);
        let out = self.path(&format!("out of {name}"));
        let summary = ingest(arguments, &input, &out, code);
        let accounted = ["record_bytes", "damaged_bytes", "bytes_skipped"];
        let accounted: u64 = accounted.iter().map(|key| number(&summary, key)).sum();
        assert_eq!(accounted, bytes.len() as u64, "{name}: {summary}");
        robostat(["verify"]).arg(&out).succeed();
        (summary, out)
    }
}

/// The bytes of the tables that do not depend on the input's form.
fn tables(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_of_input = |path: &Path| {
        let table = path.iter().next().and_then(|table| table.to_str());
        matches!(
            table,
            Some("captures" | "inputs" | "damage" | "resolved" | "origins" | "hosts")
        )
    };
    parts(out)
        .into_iter()
        .filter(|(path, _)| !is_of_input(path))
        .collect()
}

/// What captures say of their fetches.
fn captures(out: &Path) -> Vec<String> {
    let sql = "SELECT url, fetch_time, fetch_status, fetch_redirect_url, content_length,
             content_issues, file_id, access_rfc9309, freshness_seconds, http_server,
             http_x_robots_tag, warc_type
         FROM captures ORDER BY input_id, warc_record_offset, warc_record_inner_offset";
    duckdb::of(out, sql)
}

#[test]
fn the_same_captures_in_every_form_are_the_same_dataset() {
    let folder = Folder::new();
    let fetches = fetches();
    let (_, expected) = folder.ingest_file("a.warc", &warc(&fetches), &["--keep-bodies"], 0);
    let (tables_expected, captures_expected) = (tables(&expected), captures(&expected));
    assert_eq!(captures_expected.len(), fetches.len());
    for (name, bytes) in [
        ("a.jsonl", json_lines(&fetches, false)),
        ("a64.jsonl", json_lines(&fetches, true)),
        ("a.csv", delimited(&fetches, b',')),
        ("semicolons.csv", delimited(&fetches, b';')),
        ("a.tsv", delimited(&fetches, b'\t')),
        ("a.jsonl.gz", gzip(&json_lines(&fetches, false))),
        ("a.jsonl.zst", zstd(&json_lines(&fetches, true))),
        ("a.csv.gz", gzip(&delimited(&fetches, b','))),
        ("no-name", zstd(&delimited(&fetches, b'\t'))),
    ] {
        let (summary, out) = folder.ingest_file(name, &bytes, &["--keep-bodies"], 0);
        assert_eq!(number(&summary, "records"), fetches.len() as u64, "{name}");
        assert_eq!(captures(&out), captures_expected, "{name}");
        assert!(tables(&out) == tables_expected, "{name}");
    }
}

#[test]
fn the_dataset_does_not_depend_on_jobs_or_mapping() {
    let folder = Folder::new();
    let mut fetches = fetches();
    for n in 0..40 {
        let mut more = self::fetches();
        for fetch in &mut more {
            fetch.url = fetch.url.replace("https://", &format!("https://h{n}."));
            let _ = write!(
                fetch.body,
                "\nDisallow: /{}\n{}",
                n % 7,
                "# filler\n".repeat(500)
            );
        }
        fetches.extend(more);
    }
    for (name, bytes) in [
        ("x.jsonl", json_lines(&fetches, false)),
        ("x.csv.gz", gzip(&delimited(&fetches, b','))),
    ] {
        assert!(
            bytes.starts_with(&[0x1f, 0x8b]) || bytes.len() > 3 << 20,
            "several batches"
        );
        let [one, other, read] =
            [&["-j", "1"][..], &["-j", "3"], &["-j", "2", "--no-mmap"]].map(|arguments| {
                let (_, out) = folder.ingest_file(name, &bytes, arguments, 0);
                let parts = parts(&out);
                fs::remove_dir_all(out).expect("a dataset");
                parts
            });
        assert!(one == other && one == read, "{name}");
    }
}

/// Damage: kind, offset, length and message.
fn damage(out: &Path) -> Vec<String> {
    let sql = "SELECT kind, \"offset\", length, message FROM damage ORDER BY \"offset\", message";
    duckdb::of(out, sql)
}

fn hosts(out: &Path) -> String {
    let hosts =
        "SELECT url_host_name FROM captures ORDER BY warc_record_offset, warc_record_inner_offset";
    duckdb::of(out, hosts).join(" ").replace(".example", "")
}
