//! Inputs that bring nothing, and responses that are passed over: a run reports them, with
//! `--quiet` too, and says why in `inputs`.

use std::fs;
use std::path::Path;
use std::process::Output;

use flate2::write::GzEncoder;

use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::mini_warc::MiniWarc;
use crate::support::program::{assert_contains, ingest, number, robostat, sample, text};
use crate::support::warc;

/// A tar file with one file.
fn tar(name: &str, content: &[u8]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, name, content).expect("space");
    tar.into_inner().expect("space")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("space");
    encoder.finish().expect("space")
}

fn quietly(inputs: &[&Path], out: &Path) -> Output {
    let mut command = robostat(["ingest", "--quiet"]);
    command.args(inputs).arg(out).output().expect("a program")
}

/// The reason that `inputs` has for the input called `name`.
fn reason(out: &Path, name: &str) -> String {
    let sql = format!("SELECT no_captures_reason FROM inputs WHERE path = '{name}'");
    duckdb::lines(&out.join("views.sql"), &sql).join(" ")
}

#[test]
fn an_input_without_captures_is_reported_and_recorded() {
    let folder = Folder::new();
    let robots = b"User-agent: *\nDisallow: /\n";
    let warcinfo = MiniWarc::new().bytes().to_vec();
    let pages = MiniWarc::new()
        .answer("http://a.example/", 200, "x")
        .bytes()
        .to_vec();
    let mut flipped = gzip(&warc::response(1, "http://a.example/robots.txt", robots));
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0xff;
    for (name, bytes, expected) in [
        ("empty.warc", Vec::new(), "empty"),
        ("image.jpg", b"\xff\xd8\xff\xe0".to_vec(), "not_read"),
        ("notes.tar", tar("notes", b"some text"), "no_host_files"),
        (
            "notes.tar.gz",
            gzip(&tar("notes", b"some text")),
            "no_host_files",
        ),
        ("head.csv", b"url,status,body\n".to_vec(), "no_rows"),
        (
            "pages.csv",
            b"url,status,body\nhttp://a.example/,200,x\n".to_vec(),
            "no_robotstxt",
        ),
        ("warcinfo.warc", warcinfo.clone(), "no_responses"),
        ("warcinfo.warc.gz", gzip(&warcinfo), "no_responses"),
        ("pages.warc", pages.clone(), "no_robotstxt"),
        ("pages.warc.gz", gzip(&pages), "no_robotstxt"),
        ("flipped.warc.gz", flipped, "damaged"),
    ] {
        let out = folder.path(&format!("{name}.out"));
        let input = folder.write(name, &bytes);
        let output = quietly(&[&input, &sample("crawl.warc")], &out);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(3), "{name}: {said}");
        assert!(said.contains(name), "{name}: {said}");
        assert_eq!(reason(&out, name), expected, "{name}: {said}");
        assert_eq!(reason(&out, "crawl.warc"), "NULL");
        // What has been reported is an input like others.
        let again = quietly(&[&input, &sample("crawl.warc")], &out);
        assert_eq!(again.status.code(), Some(0), "{name}: {}", text(&again));
    }
}

#[test]
fn a_run_without_a_capture_is_no_success() {
    let folder = Folder::new();
    let pages = MiniWarc::new()
        .answer("http://a.example/", 200, "x")
        .bytes()
        .to_vec();
    let inputs = [
        ("notes.tar", tar("notes", b"some text")),
        ("pages.warc", pages),
    ];
    for (name, bytes) in inputs {
        let out = folder.path(&format!("{name}.out"));
        let input = folder.write(name, &bytes);
        let summary = ingest(&[], &input, &out, 3);
        assert_eq!(number(&summary, "inputs_without_captures"), 1, "{name}");
        let strict = folder.path(&format!("{name}.strict"));
        ingest(&["--strict"], &input, &strict, 1);
        // With its pages, the archive brings something.
        if name == "pages.warc" {
            ingest(&["--pages"], &input, &folder.path("with-pages"), 0);
        }
    }
}

/// What is given twice is read once, and that is never why a run brings nothing.
#[test]
fn a_repeat_is_no_reason_why_nothing_was_ingested() {
    let folder = Folder::new();
    let image = folder.write("image.jpg", b"\xff\xd8\xff\xe0");
    let reason = |command: &mut std::process::Command| {
        let output = command.arg(folder.path("out")).output();
        let output = output.expect("a program");
        let said = text(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        said.lines().last().expect("a line").to_owned()
    };
    let names = format!("{0}\n{0}\n", image.display());
    let lines = folder.write("lines", names.as_bytes());
    let nuls = folder.write("nuls", names.replace('\n', "\0").as_bytes());
    for said in [
        reason(robostat(["ingest", "-q"]).args([&image, &image])),
        reason(robostat(["ingest", "-q", "--files-from"]).arg(lines)),
        reason(robostat(["ingest", "-q", "--files0-from"]).arg(nuls)),
    ] {
        assert_contains(&said, &["image.jpg: not an input, but a JPEG"]);
    }
    let empty = folder.write("empty.paths", b"# none\n\n");
    let said = reason(robostat(["ingest", "-q"]).arg(empty));
    assert_contains(&said, &["empty.paths: the list names no input"]);
    // Known inputs alone are a success, and so they are beside the same file twice.
    let out = folder.path("out");
    let crawl = sample("crawl.warc");
    ingest(&[], &crawl, &out, 0);
    let twice = quietly(&[&crawl, &crawl], &out);
    assert_eq!(twice.status.code(), Some(0), "{}", text(&twice));
    let other = quietly(&[&crawl, &crawl, &image], &out);
    assert_eq!(other.status.code(), Some(3), "{}", text(&other));
}

#[test]
fn a_directory_without_an_input_is_reported() {
    let folder = Folder::new();
    fs::create_dir(folder.path("nothing")).expect("space");
    folder.write("notes/README", b"some text");
    for name in ["nothing", "notes"] {
        let out = folder.path(&format!("{name}.out"));
        let output = quietly(&[&folder.path(name), &sample("crawl.warc")], &out);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(3), "{name}: {said}");
        assert!(said.contains("a directory without an input"), "{said}");
        // Alone, it leaves nothing.
        let alone = folder.path(&format!("{name}.alone"));
        let output = quietly(&[&folder.path(name)], &alone);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        assert!(!alone.exists());
    }
}

#[test]
fn targets_of_redirects_that_are_passed_over_are_told() {
    let folder = Folder::new();
    let passed_over = |arguments: &[&str], input: &Path, name: &str| {
        let mut command = robostat(["ingest", "--json"]);
        let command = command.args(arguments).arg(input).arg(folder.path(name));
        let output = command.output().expect("a program");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (number(&summary, "responses_passed_over"), text(&output))
    };
    let crawl = sample("crawl.warc.gz");
    let (all, _) = passed_over(&["--subset", "robotstxt"], &crawl, "all");
    assert_eq!(all, 0);
    let (some, said) = passed_over(&[], &crawl, "some");
    let captures = |name: &str| {
        let sql = "SELECT count(*) FROM captures";
        let count = duckdb::lines(&folder.path(name).join("views.sql"), sql);
        count[0].parse::<u64>().expect("a number")
    };
    assert_eq!(captures("all") - captures("some"), some);
    assert!(said.contains(&format!("{some} of its ")), "{said}");
    assert!(said.contains("--subset robotstxt"), "{said}");
    let (_, said) = passed_over(&["--subset", "mixed"], &crawl, "mixed");
    assert!(!said.contains("--subset"), "{said}");
    // A crawl of pages is not taken for a robots.txt subset.
    let pages = (0..9).fold(MiniWarc::new(), |warc, number| {
        warc.answer(&format!("http://a.example/{number}"), 200, "x")
    });
    let pages = pages.redirect("http://a.example/robots.txt", "/1");
    let pages = folder.write("pages.warc", pages.bytes());
    let (some, said) = passed_over(&[], &pages, "pages");
    assert_eq!(some, 9);
    assert!(!said.contains("--subset"), "{said}");
}

#[test]
fn the_former_name_of_a_subset_is_told() {
    let folder = Folder::new();
    let mut command = robostat(["ingest", "-q", "--subset", "pages"]);
    let output = command
        .args([sample("crawl.warc"), folder.path("out")])
        .output()
        .expect("a program");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_contains(&text(&output), &["--subset mixed"]);
}
