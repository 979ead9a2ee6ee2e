//! Bodies that are not the file, or not all of it, and come with status 200.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::server::{Answer, Server};
use super::{cached, lines, quick, run, verify, walk, warc};
use crate::support::folder::Folder;
use crate::support::program::{assert_contains, numbers};
use crate::support::warc::gzip;

/// What servers send in place of a file, with the words that the message has for it.
const ERRORS: [(&str, &[u8], &str); 7] = [
    ("empty", b"", "the file is empty"),
    ("json", b"{\"error\": \"overloaded\"}\n", "JSON"),
    (
        "row",
        b"{\"status\": 503, \"url\": \"https://a.example/robots.txt\"}\n",
        "not an archive, as its name says, but jsonl",
    ),
    ("array", b"[{\"error\": 1}]", "a JSON array"),
    (
        "xml",
        b"<?xml version=\"1.0\"?><Error><Code>Busy</Code></Error>",
        "XML",
    ),
    ("text", b"Too many requests. Please wait.\n", "text"),
    ("html", b"<html><body>Busy</body></html>", "an HTML page"),
];

#[test]
fn an_error_with_status_200_is_not_remembered_as_the_file() {
    let folder = Folder::new();
    let is_up = Arc::new(AtomicBool::new(false));
    let up = Arc::clone(&is_up);
    let server = Server::new(move |asked| {
        let name = asked.stem();
        let (_, error, _) = ERRORS.iter().find(|it| it.0 == name).unwrap_or(&ERRORS[0]);
        if up.load(Ordering::Relaxed) || name == "good" {
            Answer::file(asked, &warc(name, 2), "\"a\"")
        } else {
            // With a validator, as a real answer has one.
            Answer::new(200, error).with("ETag", "\"a\"")
        }
    });
    let names = ERRORS.iter().map(|it| it.0).chain(["good"]);
    let urls: Vec<String> = names
        .map(|name| server.url(&format!("/{name}.warc.gz")))
        .collect();
    let (out, cache) = (folder.path("out"), folder.path("cache"));
    let ingest = |code| run(cached(&cache).args(&urls).arg(&out), code);
    let (summary, said) = ingest(3);
    assert_eq!(
        numbers(&summary, ["captures", "inputs_unreadable"]),
        [2, 7],
        "{said}"
    );
    for (name, _, words) in ERRORS {
        let sql =
            format!("SELECT kind, message FROM damage WHERE warc_filename = '{name}.warc.gz'");
        let damage = lines(&out, &sql).concat();
        assert!(damage.starts_with("not_fetched|"), "{name}: {damage}");
        assert!(damage.contains(words), "{name}: {damage}");
    }
    assert_eq!(walk(&cache).len(), 1, "only the file is kept");
    verify(&out);

    // Still down: the files are requested again, and the exit code is 3 again.
    ingest(3);
    is_up.store(true, Ordering::Relaxed);
    let (summary, _) = ingest(0);
    assert_eq!(summary["captures"], 14);
    assert!(lines(&out, "FROM damage").is_empty());
    assert_eq!(server.count("/good.warc.gz"), 1);
    verify(&out);
}

#[test]
fn an_error_that_an_old_cache_kept_is_asked_for_again() {
    let (folder, body) = (Folder::new(), warc("a", 2));
    let content = body.clone();
    let server = Server::new(move |asked| Answer::file(asked, &content, "\"a\""));
    let (url, cache) = (server.url("/a.warc.gz"), folder.path("cache"));
    let ingest = |out: &str| run(cached(&cache).arg(&url).arg(folder.path(out)), 0);
    ingest("one");
    let kept = walk(&cache).remove(0);
    let error = [b"{\"error\": \"".to_vec(), vec![b'x'; body.len() - 11]].concat();
    fs::write(&kept, &error[..body.len()]).expect("space");
    let (summary, _) = ingest("two");
    assert_eq!(summary["captures"], 2);
    assert!(fs::read(&kept).expect("a file") == body);
}

#[test]
fn a_robots_txt_is_a_file_at_its_own_address_only() {
    let folder = Folder::new();
    let server = Server::new(|asked| Answer::file(asked, b"User-agent: *\nDisallow:\n", "\"a\""));
    for (path, words) in [
        ("/robots.txt", "what looks like a robots.txt"),
        ("/a.warc.gz", "the server answered, but not with the file"),
    ] {
        let (_, said) = run(quick().arg(server.url(path)).arg(folder.path("out")), 1);
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(
        (server.count("/robots.txt"), server.count("/a.warc.gz")),
        (1, 6)
    );
}

#[test]
fn a_list_or_index_that_is_an_error_is_not_kept() {
    let folder = Folder::new();
    let is_up = Arc::new(AtomicBool::new(false));
    let up = Arc::clone(&is_up);
    let server = Server::new(move |asked| {
        match &*asked.target {
        "/a.warc.gz" => Answer::file(asked, &warc("a", 2), "\"a\""),
        _ if !up.load(Ordering::Relaxed) => Answer::new(200, b"{\"error\": \"a.warc.gz/\"}"),
        "/x.paths" => Answer::new(200, b"a.warc.gz\n"),
        _ => Answer::new(
            200,
            b"example,a,0)/robots.txt 20260801000000 {\"url\": \"https://0.a.example/robots.txt\", \
              \"filename\": \"a.warc.gz\", \"offset\": \"0\", \"length\": \"300\"}\n",
        ),
    }
    });
    let cache = folder.path("cache");
    let ingest = |arguments: &[&str], out: &str, code| {
        run(cached(&cache).args(arguments).arg(folder.path(out)), code)
    };
    let (list, index) = (server.url("/x.paths"), server.url("/x.cdxj"));
    for arguments in [&[&*list][..], &["--index", &index]] {
        let (_, said) = ingest(arguments, "out", 1);
        assert!(said.contains("but not with the file"), "{said}");
    }
    is_up.store(true, Ordering::Relaxed);
    let (summary, _) = ingest(&[&list], "list", 0);
    assert_eq!(summary["captures"], 2);
    // The row of the index names the first record, which describes the archive.
    let (_, said) = ingest(&["--index", &index], "index", 3);
    assert_contains(&said, &["none of its 1 records is a response"]);
}

/// A server that sends `cut` bytes of a file at first, in one of the ways in which the end of a
/// body is not marked by its length.
fn cutting(body: &[u8], cut: usize, is_chunked: bool, has_tag: bool) -> Server {
    let body = body.to_vec();
    Server::new(move |asked| {
        let answer = if has_tag {
            Answer::file(asked, &body, "\"a\"")
        } else {
            Answer::new(200, &body)
        };
        let answer = if asked.before == 0 {
            answer.cut(cut)
        } else {
            answer
        };
        if is_chunked {
            answer.chunked()
        } else {
            answer.until_closed()
        }
    })
}

#[test]
fn a_body_cut_off_without_a_length_is_asked_for_again() {
    let folder = Folder::new();
    let packed = warc("a", 50);
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&packed[..]), &mut plain)
        .expect("a packed file");
    let mut number = 0;
    for (name, body) in [("a.warc.gz", &packed), ("a.warc", &plain)] {
        for (is_chunked, has_tag) in [(true, true), (true, false), (false, true), (false, false)] {
            let server = cutting(body, body.len() / 2, is_chunked, has_tag);
            number += 1;
            let out = folder.path(&format!("out{number}"));
            let (summary, said) = run(quick().arg(server.url(&format!("/{name}"))).arg(&out), 0);
            assert_eq!(
                summary["captures"], 50,
                "{name} {is_chunked} {has_tag}: {said}"
            );
            assert!(server.asked().len() <= 3, "{:?}", server.asked());
        }
    }
    // A packed file shows its end: no second request.
    let server = cutting(&packed, packed.len(), false, false);
    let url = server.url("/a.warc.gz");
    run(quick().arg(url).arg(folder.path("whole")), 0);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn an_archive_that_is_cut_off_on_the_server_is_ingested_as_it_is() {
    let folder = Folder::new();
    let packed = warc("a", 50);
    let body = packed[..packed.len() / 2].to_vec();
    let content = body.clone();
    let server = Server::new(move |_| Answer::new(200, &content).until_closed());
    let out = folder.path("out");
    let (summary, _) = run(quick().arg(server.url("/a.warc.gz")).arg(&out), 3);
    assert_eq!(summary["bytes_in"], body.len());
    assert_eq!(lines(&out, "SELECT kind FROM damage"), ["truncated"]);
    assert_eq!(server.asked().len(), 2, "twice the same is the file");
    run(quick().arg(server.url("/a.warc.gz")).arg(&out), 0);
    assert_eq!(server.asked().len(), 2, "and it is not asked for again");
}

#[test]
fn a_body_that_the_server_packs_once_more_is_unpacked() {
    let folder = Folder::new();
    let packed = warc("a", 5);
    let csv = b"url,status\nhttps://a.example/robots.txt,404\n".to_vec();
    let content = packed.clone();
    let server = Server::new(move |asked| match &*asked.target {
        "/a.warc.gz" => Answer::new(200, &gzip(&content)).with("Content-Encoding", "gzip"),
        "/b.warc.gz" => {
            let packed = zstd::encode_all(&content[..], 1).expect("memory");
            Answer::new(200, &packed).with("Content-Encoding", "zstd")
        }
        // Said of the file itself, as servers do that take .gz for a coding.
        "/c.warc.gz" => Answer::new(200, &content).with("Content-Encoding", "x-gzip"),
        "/d.csv" => Answer::new(200, &gzip(&gzip(&csv))).with("Content-Encoding", "gzip"),
        // An error, packed.
        "/f.warc.gz" => Answer::new(200, &gzip(b"<html>busy")).with("Content-Encoding", "gzip"),
        // Said, and not so.
        "/e.warc.gz" => Answer::new(200, b"<html>").with("Content-Encoding", "gzip"),
        _ => Answer::new(200, &gzip(b"a.warc.gz\n")).with("Content-Encoding", "gzip"),
    });
    for (path, captures, code) in [
        ("/a.warc.gz", 5, 0),
        ("/b.warc.gz", 5, 0),
        ("/c.warc.gz", 5, 0),
        ("/d.csv", 1, 0),
        ("/e.warc.gz", 0, 1),
        ("/f.warc.gz", 0, 1),
        ("/x.paths", 5, 0),
    ] {
        let out = folder.path(&path[1..]);
        let (summary, said) = run(quick().arg(server.url(path)).arg(&out), code);
        if code == 0 {
            assert_eq!(summary["captures"], captures, "{path}: {said}");
        }
    }
    let local = folder.write("local/a.warc.gz", &packed);
    let out = folder.path("local-out");
    run(quick().arg(local).arg(&out), 0);
    let bytes = |out: &Path| lines(out, "SELECT bytes, records FROM inputs");
    assert_eq!(bytes(&folder.path("a.warc.gz")), bytes(&out));
}
