//! Ingests by an index in other ways than the usual one: threads, pages, indexes on the network,
//! ARC, archives that change, and a cache.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::indexed::Archive;
use super::indexes::tables;
use super::server::{Answer, Server};
use super::{gzip, lines, numbers, quick, run, verify};
use crate::support::folder::Folder;
use crate::support::program::parts;

/// An ingest with these arguments.
#[track_caller]
fn ingest(arguments: &[&str], out: &Path) -> Value {
    run(quick().args(arguments).arg(out), 0).0
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn parts_are_the_same_for_any_number_of_jobs() {
    let folder = Folder::new();
    let mut index = String::new();
    for name in ["a.warc.gz", "b.warc.gz"] {
        // One record is longer than what is read at once.
        let long = format!("User-agent: *\nDisallow: /\n#{}", "x y".repeat(300_000));
        let url = format!("https://{name}.example/robots.txt");
        let archive = Archive::of(<[u8]>::to_vec, 80, 2_000).with(&url, &long, 10);
        let archive = archive.with("https://z.example/robots.txt", name, 10);
        folder.write(&format!("crawl/{name}"), &archive.bytes);
        index += &archive.cdxj(name);
    }
    let index = folder.write("x.cdxj", index.as_bytes());
    let base = folder.path("crawl");
    let [one, three] = ["1", "3"].map(|jobs| {
        let out = folder.path(jobs);
        let options = ["--jobs", jobs, "--commit-every", "100000"];
        let index = ["--index", text(&index), "--base", text(&base)];
        let summary = ingest(&[&options[..], &index[..]].concat(), &out);
        assert_eq!(summary["captures"], 2 * 82);
        parts(&out)
    });
    assert!(one == three, "the bytes differ");
    assert!(one.len() > 10, "{}", one.len());
}

#[test]
fn pages_that_an_index_names_have_their_rows() {
    let folder = Folder::new();
    let mut archive = Archive::new(gzip);
    for number in 0..6 {
        let url = format!("https://{number}.example/page");
        let page = format!("<html><meta name=robots content=\"noindex, max-snippet:{number}\">");
        archive = archive.with(&url, &page, 10);
    }
    let path = folder.write("crawl/x.warc.gz", &archive.bytes);
    let index = folder.write("x.cdxj", archive.cdxj("x.warc.gz").as_bytes());
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    let options = ["--pages", "only"];
    ingest(&[&options[..], &[text(&path)]].concat(), &whole);
    let base = folder.path("crawl");
    let chosen = ["--index", text(&index), "--base", text(&base)];
    ingest(&[&options[..], &chosen[..]].concat(), &out);
    let sql = "SELECT * EXCLUDE (input_id) FROM pages ORDER BY ALL; \
               SELECT * FROM page_policies ORDER BY ALL; SELECT * FROM page_rules ORDER BY ALL;";
    let rows = lines(&whole, sql);
    assert!(rows.len() > 12, "{rows:?}");
    assert_eq!(lines(&out, sql), rows);
    verify(&out);
}

#[test]
fn an_index_on_the_network_names_archives_beside_it() {
    let folder = Folder::new();
    let archive = Archive::of(gzip, 5, 10);
    folder.write("crawl/deep/x.warc.gz", &archive.bytes);
    let index = gzip(archive.cdxj("deep/x.warc.gz").as_bytes());
    let content = archive.bytes.clone();
    let server = Server::new(move |asked| match &*asked.target {
        "/crawl/x.cdxj.gz" if asked.before == 0 => {
            Answer::file(asked, &index, "\"i\"").cut(index.len() / 2)
        }
        "/crawl/x.cdxj.gz" => Answer::file(asked, &index, "\"i\""),
        "/crawl/deep/x.warc.gz" => Answer::file(asked, &content, "\"a\""),
        _ => Answer::new(404, b""),
    });
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    ingest(&[text(&folder.path("crawl"))], &whole);
    let url = server.url("/crawl/x.cdxj.gz");
    ingest(&["--index", &url], &out);
    assert_eq!(tables(&out), tables(&whole));
    assert_eq!(server.count("/crawl/x.cdxj.gz"), 2);
    // The index is asked for by every run, the archive once.
    let summary = ingest(&["--index", &url], &out);
    assert_eq!(summary["inputs_ingested_before"], 1);
    assert_eq!(server.count("/crawl/x.cdxj.gz"), 3);
    assert_eq!(server.count("/crawl/deep/x.warc.gz"), 1);
}

#[test]
fn records_of_an_arc_file_are_read() {
    let folder = Folder::new();
    let arc = |head: &str, content: &str| {
        let text = format!("{head} text/plain {}\n{content}\n", content.len());
        gzip(text.as_bytes())
    };
    let about = "1 0 Alexa Internet\nURL IP-address Archive-date Content-type Archive-length\n";
    let mut bytes = arc("filedesc://x.arc.gz 0.0.0.0 20040801060000", about);
    let mut index = " CDX N b a V g S\n".to_owned();
    for host in 0..9 {
        let url = format!("http://{host}.example/robots.txt");
        let body = format!("User-agent: *\nDisallow: /{host}\n");
        let http = format!("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n{body}");
        let record = arc(&format!("{url} 192.0.2.1 20040801060000"), &http);
        let (offset, length) = (bytes.len(), record.len());
        let _ = writeln!(index, "k 20040801060000 {url} {offset} x.arc.gz {length}");
        bytes.extend(record);
    }
    let path = folder.write("crawl/x.arc.gz", &bytes);
    let index = folder.write("x.cdx", index.as_bytes());
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    assert_eq!(ingest(&[text(&path)], &whole)["captures"], 9);
    let base = folder.path("crawl");
    ingest(&["--index", text(&index), "--base", text(&base)], &out);
    assert_eq!(tables(&out), tables(&whole));
    verify(&out);
}

#[test]
fn an_archive_that_changes_is_read_as_it_is_at_last() {
    const FAR: usize = 3 << 20;
    let folder = Folder::new();
    // Records of the same lengths at the same places.
    let [old, new] = ["old", "new"].map(|word| {
        let body = format!("User-agent: {word}\nDisallow: /\n");
        let archive = Archive::new(<[u8]>::to_vec);
        let archive = archive.with("https://a.example/robots.txt", &body, 10);
        archive.with("https://b.example/robots.txt", &body, FAR)
    });
    assert_eq!(old.records, new.records);
    let index = folder.write("x.cdxj", old.cdxj("x.warc").as_bytes());
    let (before, after) = (old.bytes, new.bytes);
    let server = Server::new(move |asked| match asked.before {
        // The first range of the old one, and of the second range a part.
        0 => Answer::file(asked, &before, "\"v1\""),
        1 => Answer::file(asked, &before, "\"v1\"").cut(20),
        2..=4 => Answer::file(asked, &after, "\"v2\""),
        _ => Answer::file(asked, &before, "\"v3\""),
    });
    let out = folder.path("out");
    let base = server.url("");
    let options = ["--index", text(&index), "--base", &base];
    ingest(&options, &out);
    let rows = "SELECT DISTINCT etag, product_token FROM inputs, agents";
    assert_eq!(
        lines(&out, rows),
        ["\"v2\"|new"],
        "not a bit of the old one"
    );

    // Changed after it was read, it is not asked for; with --force it takes the place of that.
    let before = server.asked().len();
    assert_eq!(ingest(&options, &out)["inputs_ingested_before"], 1);
    assert_eq!(server.asked().len(), before);
    let summary = ingest(&[&["--force"], &options[..]].concat(), &out);
    assert_eq!(
        numbers(&summary, ["inputs_replaced", "captures_replaced"]),
        [1, 2]
    );
    assert_eq!(
        lines(&out, "SELECT etag, captures FROM inputs"),
        ["\"v3\"|2"]
    );
    verify(&out);
}

#[test]
fn a_cache_has_the_records_of_the_archives_that_it_has() {
    let folder = Folder::new();
    let archive = Archive::of(gzip, 20, 10);
    let index = folder.write("x.cdxj", archive.cdxj("x.warc.gz").as_bytes());
    let content = archive.bytes.clone();
    let server = Server::new(move |asked| Answer::file(asked, &content, "\"a\""));
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    let cache = folder.path("cache");
    let (url, base) = (server.url("/x.warc.gz"), server.url(""));
    ingest(&["--cache", text(&cache), &url], &whole);
    let chosen = ["--index", text(&index), "--base", &base];
    ingest(&[&["--cache", text(&cache)], &chosen[..]].concat(), &out);
    assert_eq!(server.asked().len(), 1);
    assert_eq!(tables(&out), tables(&whole));

    // Ranges are kept too.
    let cache = folder.path("ranges");
    for name in ["first", "second"] {
        let out = folder.path(name);
        ingest(&[&["--cache", text(&cache)], &chosen[..]].concat(), &out);
        assert_eq!(tables(&out), tables(&whole));
        assert_eq!(server.asked().len(), 2);
    }
}
