//! The sample crawl covers what `samples/README.md` says, in each of its packings.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::support::duckdb;
use crate::support::program::robostat;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

fn read(name: &str) -> Vec<u8> {
    let path = samples().join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Where two files part, rather than a megabyte of both.
#[track_caller]
fn assert_same(name: &str, found: &[u8], expected: &[u8]) {
    let difference = found.iter().zip(expected).position(|(a, b)| a != b);
    assert!(
        difference.is_none() && found.len() == expected.len(),
        "{name} differs at byte {}, of {} and {}; samples/README.md shows how to make it again",
        difference.unwrap_or(found.len().min(expected.len())),
        found.len(),
        expected.len()
    );
}

#[test]
fn gzip_members_hold_the_same_records() {
    let mut decoded = Vec::new();
    flate2::read::MultiGzDecoder::new(read("crawl.warc.gz").as_slice())
        .read_to_end(&mut decoded)
        .expect("valid gzip");
    assert_same("crawl.warc.gz", &decoded, &read("crawl.warc"));
}

#[test]
fn zstd_frames_hold_the_same_records() {
    let packed = read("crawl.warc.zst");
    let (magic, rest) = packed.split_first_chunk().expect("a first frame");
    assert_eq!(
        u32::from_le_bytes(*magic),
        0x184D_2A5D,
        "the first frame holds the dictionary"
    );
    let (length, rest) = rest.split_first_chunk().expect("the frame's length");
    let (dictionary, frames) = rest.split_at(u32::from_le_bytes(*length) as usize);
    let dictionary = zstd::decode_all(dictionary).expect("a compressed dictionary");
    let mut decoded = Vec::new();
    let mut frames =
        zstd::stream::read::Decoder::with_dictionary(frames, &dictionary).expect("a dictionary");
    frames.read_to_end(&mut decoded).expect("valid frames");
    assert_same("crawl.warc.zst", &decoded, &read("crawl.warc"));
}

#[test]
fn crawl_serves_every_single_file() {
    let crawl = read("crawl.warc");
    for entry in fs::read_dir(samples().join("robots")).expect("samples/robots") {
        let path = entry.expect("an entry").path();
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a name");
        let url = format!("WARC-Target-URI: https://{stem}.robots.example/robots.txt\r\n");
        assert!(
            contains(&crawl, url.as_bytes()),
            "no capture of {stem}.robots.example"
        );
        assert!(
            contains(&crawl, &fs::read(&path).expect("a file")),
            "another file than {}",
            path.display()
        );
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// What `samples/README.md` promises of the crawl, asked of its tables.
#[test]
fn crawl_covers_every_class() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let ingest = robostat(["ingest", "-q", "--subset", "robotstxt"])
        .args([&samples().join("crawl.warc.zst"), &out])
        .status();
    assert!(ingest.expect("a program").success());
    let promises = [
        (
            "files",
            "content_class",
            "binary compressed empty html no_rules other rules",
        ),
        ("files", "encoding", "other utf-16 utf-8 utf-8-bom"),
        ("files", "line_ending", "cr crlf lf mixed none"),
        ("files", "is_over_limit", "false true"),
        ("files", "is_valid_utf8", "false true"),
        ("files", "has_nul", "false true"),
        ("captures", "fetch_status // 100", "2 3 4 5 9 NULL"),
        ("captures", "warc_type", "resource response revisit"),
        ("captures", "is_robotstxt_url", "false true"),
        (
            "captures",
            "access_rfc9309",
            "allow_all disallow_all follow_redirect parse use_cached",
        ),
        (
            "captures",
            "http_content_encoding",
            "NULL X-GZIP br deflate gzip gzip, br gzip, gzip identity utf-8 zstd",
        ),
    ];
    let mut sql = String::new();
    for (table, what, _) in promises {
        let _ = writeln!(
            sql,
            "WITH found AS (SELECT DISTINCT coalesce(({what})::VARCHAR, 'NULL') AS it FROM {table}) \
             SELECT string_agg(it, ' ' ORDER BY it) FROM found;"
        );
    }
    let found = duckdb::lines(&out.join("views.sql"), &sql);
    assert_eq!(found.len(), promises.len());
    for (found, (table, what, expected)) in found.iter().zip(promises) {
        assert_eq!(found, expected, "{table}: {what}");
    }
}
