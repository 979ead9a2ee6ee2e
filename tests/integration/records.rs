//! Records as archives in circulation have them, end to end: what their rows in `captures` say.
//!
//! All are in one WARC file, each under a host of its own name, with the expected row. Damage is
//! tested in `damage.rs`.

use std::fmt::Write as _;
use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha1::Digest as _;
use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::program;
use crate::support::warc::gzip;

const BODY: &str = "User-agent: *\nDisallow: /x\n";
const HTTP: &str = "Content-Type: application/http; msgtype=response\r\n";
const OK: &str = "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /x\n";

/// A record under `http://HOST/robots.txt`; `fields` end in CRLF each.
fn record(version: &str, record_type: &str, host: &str, fields: &str, block: &str) -> String {
    format!(
        "{version}\r\nWARC-Type: {record_type}\r\nWARC-Target-URI: http://{host}/robots.txt\r\n\
         {fields}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn response(host: &str, block: &str) -> String {
    record("WARC/1.0", "response", host, HTTP, block)
}

fn sha1(bytes: &str) -> String {
    format!("sha1:{}", STANDARD.encode(sha1::Sha1::digest(bytes)))
}

/// Ingests records, and compares what DuckDB prints of the host and `columns` of every capture.
#[track_caller]
fn check(records: &[String], arguments: &[&str], columns: &str, expected: &[&str]) {
    let folder = tempdir().expect("a folder");
    let (input, out) = (folder.path().join("odd.warc"), folder.path().join("out"));
    fs::write(&input, records.concat()).expect("space");
    let summary = program::ingest(arguments, &input, &out, 0);
    assert_eq!(program::number(&summary, "records"), records.len() as u64);
    let rows = duckdb::of(
        &out,
        &format!(
            "SELECT url_host_name, {columns} FROM captures LEFT JOIN files USING (file_id) ORDER BY 1"
        ),
    );
    assert_eq!(rows, expected);
}

#[test]
fn heads_are_read_as_they_come() {
    let lower = record("warc/1.0", "response", "lower", HTTP, OK).replace("WARC-T", "warc-t");
    let folded = response("folded", OK).replace("WARC-Type: ", "WARC-Type:\r\n\t");
    let angles =
        response("angles", OK).replace("http://angles/robots.txt", "<http://angles/robots.txt>");
    let spaces = response("spaces", OK).replace("http://spaces", "  http://spaces  ");
    let spaces = spaces.replace("spaces  /", "spaces/");
    let lf = response("lf", &OK.replace("\r\n", "\n")).replace("\r\n", "\n");
    let old = record("WARC/0.17", "response", "old", HTTP, OK);
    let date = "WARC-Date: 2026-08-01T00:00:00.123456789Z\r\n";
    let exact = record(
        "WARC/1.1",
        "response",
        "exact",
        &format!("{date}{HTTP}"),
        OK,
    );
    let twice = format!("{HTTP}WARC-Payload-Digest: sha1:A\r\nWARC-Payload-Digest: md5:B\r\n");
    let twice = record("WARC/1.0", "response", "twice", &twice, OK);
    let untyped = record("WARC/1.0", "response", "untyped", "", OK);
    let records = [
        lower, folded, angles, spaces, lf, old, exact, twice, untyped,
    ];
    let expected = [
        "angles|200|rules|0|NULL",
        "exact|200|rules|123456|NULL",
        "folded|200|rules|0|NULL",
        "lf|200|rules|0|NULL",
        "lower|200|rules|0|NULL",
        "old|200|rules|0|NULL",
        "spaces|200|rules|0|NULL",
        "twice|200|rules|0|sha1:A",
        "untyped|200|rules|0|NULL",
    ];
    let columns =
        "fetch_status, content_class, coalesce(epoch_us(fetch_time) % 1000000, 0), content_digest";
    check(&records, &[], columns, &expected);
}

#[test]
fn answers_are_read_as_they_come() {
    let line = |host, line: &str| response(host, &OK.replace("HTTP/1.1 200 OK", line));
    let of_type = |host, media: &str, block: &str| {
        let media = format!("Content-Type: {media}\r\n");
        record("WARC/1.0", "resource", host, &media, block)
    };
    let records = [
        line("http2", "HTTP/2 200"),
        line("small", "http/1.0 200"),
        line("no-code", "HTTP/1.1 OK"),
        response("http09", BODY),
        response("nothing", ""),
        line("empty", "HTTP/1.1 204 No"),
        of_type("resource", "Text/Plain; charset=x", BODY),
        of_type("wrapped", "application/http", OK),
        record("WARC/1.0", "conversion", "c", "", BODY),
        record("WARC/1.0", "continuation", "c", "", BODY),
        record("WARC/1.0", "metadata", "c", "", BODY),
        record("WARC/1.0", "unheard-of", "c", "", BODY),
    ];
    let expected = [
        "empty|204|NULL|parse|NULL",
        "http09|NULL|rules|parse|NULL",
        "http2|200|rules|parse|NULL",
        "no-code|NULL|NULL|disallow_all|NULL",
        "nothing|NULL|NULL|disallow_all|NULL",
        "resource|NULL|rules|parse|text/plain",
        "small|200|rules|parse|NULL",
        "wrapped|200|rules|parse|NULL",
    ];
    let columns = "fetch_status, content_class, access_rfc9309, content_mime_type";
    check(&records, &[], columns, &expected);
}

#[test]
fn a_gzip_file_under_the_coding_gzip_is_read() {
    let folder = tempdir().expect("a folder");
    let (input, out) = (folder.path().join("a.warc"), folder.path().join("out"));
    let once = gzip(BODY.as_bytes());
    let mut warc = Vec::new();
    for (host, coding, body) in [
        ("coded", "Content-Encoding: gzip\r\n", &once),
        ("file", "", &once),
        ("file-coded", "Content-Encoding: gzip\r\n", &gzip(&once)),
    ] {
        // The digest of the gzip file, which is the body without its coding.
        let digest = STANDARD.encode(sha1::Sha1::digest(&once));
        let length = body.len();
        let head = format!("HTTP/1.1 200 OK\r\n{coding}Content-Length: {length}\r\n\r\n");
        let fields = format!("WARC-Payload-Digest: sha1:{digest}\r\n{HTTP}");
        let length = head.len() + body.len();
        let record = record("WARC/1.0", "response", host, &fields, "");
        let record = record.replace(
            "Content-Length: 0\r\n",
            &format!("Content-Length: {length}\r\n"),
        );
        warc.extend_from_slice(record.trim_end().as_bytes());
        warc.extend_from_slice(b"\r\n\r\n");
        warc.extend_from_slice(head.as_bytes());
        warc.extend_from_slice(body);
        warc.extend_from_slice(b"\r\n\r\n");
    }
    for (name, bytes) in [
        ("a.warc", warc.clone()),
        ("a.warc.gz", gzip(&warc)),
        (
            "a.warc.zst",
            zstd::encode_all(&warc[..], 1).expect("memory"),
        ),
    ] {
        let input = input.with_file_name(name);
        let out = out.with_extension(name);
        fs::write(&input, bytes).expect("space");
        program::ingest(&["--verify-digests"], &input, &out, 0);
        let sql = "SELECT url_host_name, content_class, content_issues, digest_valid
             FROM captures JOIN files USING (file_id) ORDER BY 1";
        let rows = duckdb::of(&out, sql);
        let expected = [
            "coded|rules|NULL|true",
            "file|compressed|NULL|true",
            "file-coded|rules|bad_encoding|true",
        ];
        assert_eq!(rows, expected, "{name}");
    }
}

#[test]
fn revisits_take_the_file_that_came_before() {
    let digest = format!("WARC-Payload-Digest: {}\r\n", sha1(BODY));
    let with_digest = format!("{HTTP}{digest}");
    let revisit = |host, block| record("WARC/1.0", "revisit", host, &with_digest, block);
    let records = [
        revisit("a-before", "HTTP/1.1 200 OK\r\n\r\n"),
        record("WARC/1.0", "response", "b-first", &with_digest, OK),
        revisit("c-after", "HTTP/1.1 200 OK\r\n\r\n"),
        revisit("d-unchanged", "HTTP/1.1 304 Not Modified\r\n\r\n"),
        revisit("e-bare", ""),
    ];
    let expected = [
        "a-before|revisit|NULL",
        "b-first|response|rules",
        "c-after|revisit|rules",
        "d-unchanged|revisit|rules",
        "e-bare|revisit|rules",
    ];
    check(&records, &[], "warc_type, content_class", &expected);
}

#[test]
fn digests_are_verified_on_demand() {
    let digests = |host, block: &str, claims: &[&str]| {
        let mut fields = HTTP.to_owned();
        for claim in claims {
            let _ = write!(fields, "{claim}\r\n");
        }
        record("WARC/1.0", "response", host, &fields, block)
    };
    let payload = format!("WARC-Payload-Digest: {}", sha1(BODY));
    let block = format!("WARC-Block-Digest: {}", sha1(OK));
    let wrong = format!("WARC-Block-Digest: {}", sha1(BODY));
    let records = [
        digests("both", OK, &[&payload, &block]),
        digests("none", OK, &[]),
        digests("one-wrong", OK, &[&payload, &wrong]),
        digests("unknown", OK, &["WARC-Payload-Digest: b3:AA"]),
    ];
    let verified = ["both|true", "none|NULL", "one-wrong|false", "unknown|NULL"];
    check(&records, &["--verify-digests"], "digest_valid", &verified);
    let unverified = ["both|NULL", "none|NULL", "one-wrong|NULL", "unknown|NULL"];
    check(&records, &[], "digest_valid", &unverified);
}

/// What the media type says is often wrong, and writers put blank lines first: `HTTP/` decides.
#[test]
fn the_block_tells_whether_it_is_a_response() {
    let of_type = |kind, host, media: &str, block: &str| {
        let media = format!("Content-Type: {media}\r\n");
        record("WARC/1.0", kind, host, &media, block)
    };
    let blank = format!("\r\n \t\r\n\n{OK}");
    let icy = OK.replace("HTTP/1.1", "ICY");
    let records = [
        of_type("response", "plain", "text/plain", OK),
        response("blank", &blank),
        of_type("response", "both", "text/plain", &blank),
        response("icy", &icy),
        of_type("response", "none", "text/plain", BODY),
        of_type("resource", "page", "text/plain", OK),
    ];
    let expected = [
        "blank|200|2|2|NULL",
        "both|200|2|2|NULL",
        "icy|200|2|2|NULL",
        "none|NULL|2|2|NULL",
        "page|NULL|4|2|NULL",
        "plain|200|2|2|NULL",
    ];
    let columns = "fetch_status, n_lines, n_user_agent_lines + n_disallow, content_issues";
    check(&records, &[], columns, &expected);
}

#[test]
fn what_a_limit_cuts_is_flagged() {
    let filler = "X-Filler: 0123456789\r\n".repeat(60_000);
    let long = format!("HTTP/1.1 200 OK\r\n{filler}\r\n{BODY}");
    let endless = format!("HTTP/1.1 200 OK\r\n{filler}");
    let giant = format!("{OK}{}", "# padding\n".repeat(500_000));
    let records = [
        response("long", &long),
        response("endless", &endless),
        response("cut", "HTTP/1.1 200 OK\r\nServer: a\r\n"),
        response("whole", OK),
    ];
    let expected = [
        "cut|0|head_truncated",
        "endless|0|head_too_long,head_truncated",
        "long|2|head_too_long",
        "whole|2|NULL",
    ];
    check(&records, &[], "n_lines, content_issues", &expected);
    let packed = tempdir().expect("a folder");
    let (input, out) = (packed.path().join("giant.warc"), packed.path().join("out"));
    fs::write(
        &input,
        format!("WARC/1.0\r\nbroken\r\n\r\n{}", response("giant", &giant)),
    )
    .expect("space");
    program::ingest(&[], &input, &out, 3);
    let rows = duckdb::of(&out, "SELECT content_issues FROM captures");
    assert_eq!(rows, ["block_cut"]);
}
