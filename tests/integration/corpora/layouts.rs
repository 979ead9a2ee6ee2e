//! How public corpora name their files after hosts; the hosts and contents here are made up.

use std::io::Write as _;

use rawzip::{CompressionMethod, ZipArchiveWriter};
use serde_json::Value;

use crate::support::duckdb;
use crate::support::program::{Run as _, ingest, number, parts, robostat, text};

use super::files::{files, host, tar};
use super::zips::zip;
use super::{Fetch, Folder, captures, damage, gzip, tables, warc, zstd};

/// A file: its path and content.
type File = (String, Vec<u8>);
/// The path of the file of this number and host.
type PathOf = fn(usize, &str) -> String;

const README: &[u8] = b"# The robots.txt files of 1,000 sites\n\nEach file looks like\n\n```\n\
    User-agent: *\nDisallow: /\n```\n\nand was fetched on one day.\nPlease cite us.\n";
const SCRIPT: &[u8] = b"import requests\n\nfor host in open('hosts'):\n    pass\n";

/// The files that people keep next to a corpus.
fn beside(directory: &str) -> Vec<File> {
    [
        ("README.md", README),
        ("fetch.py", SCRIPT),
        ("build.rs", b"fn main() {\n    println!(\"x\");\n}\n"),
        (".gitignore", b"*.log\n"),
        ("domains.txt", b"a.example\nb.example\n"),
        ("results.csv", b"rank,blocked\n1,true\n"),
    ]
    .map(|(name, content)| (format!("{directory}{name}"), content.to_vec()))
    .to_vec()
}

/// A corpus with a file of each host, called as `path_of` says by its number and host.
fn corpus(files: &[Fetch], path_of: PathOf) -> Vec<File> {
    let paths = (1..).zip(files);
    paths
        .map(|(number, file)| (path_of(number, host(file)), file.body.clone()))
        .collect()
}

fn packed(files: &[File]) -> Vec<u8> {
    let files = files.iter();
    tar(files.map(|(path, content)| (path.clone(), &content[..])))
}

fn zipped(files: &[File]) -> Vec<u8> {
    let members = files.iter().enumerate();
    let members: Vec<(&str, &[u8], bool)> = members
        .map(|(n, (path, content))| (path.as_str(), &content[..], n % 2 == 0))
        .collect();
    zip(&members)
}

/// The number of files that were passed over for this reason.
#[track_caller]
fn passed_over(summary: &Value, reason: &str) -> u64 {
    number(&summary["files_passed_over"], reason)
}

/// The hosts of the captures, in order of their names.
fn hosts(out: &std::path::Path) -> String {
    let hosts = "SELECT concat(url_host_name, ':' || url_port) FROM captures ORDER BY url";
    duckdb::of(out, hosts).join(" ")
}

#[test]
fn the_layouts_of_public_corpora_are_read() {
    let folder = Folder::new();
    let files = files();
    let (_, expected) = folder.ingest_file("a.warc", &warc(&files), &["--keep-bodies"], 0);
    let layouts: [(&str, PathOf, &str); 12] = [
        ("bare", |_, host| format!("robots/{host}"), ""),
        ("flat", |_, host| host.to_owned(), ""),
        (
            "upper",
            |_, host| format!("x/{}", host.to_uppercase()),
            "x/",
        ),
        ("text", |_, host| format!("robots/{host}.txt"), ""),
        (
            "hyphen",
            |_, host| format!("robots/{host}-robots.txt"),
            "robots/",
        ),
        ("underscore", |_, host| format!("{host}_robots.txt"), ""),
        ("dot", |_, host| format!("data/{host}.robots.txt"), "data/"),
        ("rank", |n, host| format!("top/{n:03}-{host}.txt"), "top/"),
        ("padded", |n, host| format!("{n:06}_{host}.txt"), ""),
        ("bare rank", |n, host| format!("sites/{n:03}-{host}"), ""),
        (
            "folders",
            |_, host| format!("2026-08-01/{host}/robots.txt"),
            "",
        ),
        (
            "url",
            |_, host| format!("out/https_{}_robots.txt", host.replace(':', "_")),
            "",
        ),
    ];
    for (nth, (name, path_of, directory)) in layouts.into_iter().enumerate() {
        let mut files = beside(directory);
        files.extend(corpus(&self::files(), path_of));
        files.sort();
        let n_files = self::files().len() as u64;
        for (path, content) in &files {
            folder.write(&format!("{name}/{path}"), content);
        }
        let out = folder.path(&format!("out of {name}"));
        let summary = ingest(&["--keep-bodies"], &folder.path(name), &out, 0);
        assert_eq!(number(&summary, "captures"), n_files, "{name}: {summary}");
        assert_eq!(summary["skipped"].as_array().map(Vec::len), Some(6));
        assert!(tables(&out) == tables(&expected), "{name}");

        let tar = packed(&files);
        let forms = [
            (format!("{name}.tar.gz"), gzip(&tar)),
            (format!("{name}.tar.zst"), zstd(&tar)),
            (format!("{name}.tar"), tar),
            (format!("{name}.zip"), zipped(&files)),
        ];
        // Every form of the first layout, and in turn one of the others.
        let forms = forms.into_iter().enumerate();
        for (_, (name, bytes)) in forms.filter(|(form, _)| nth == 0 || nth % 4 == *form) {
            let (summary, other) = folder.ingest_file(&name, &bytes, &["--keep-bodies"], 0);
            assert!(tables(&other) == tables(&expected), "{name}");
            assert_eq!(hosts(&other), hosts(&out), "{name}");
            let others = passed_over(&summary, "other_name");
            assert_eq!(others + passed_over(&summary, "no_robots_txt"), 6, "{name}");
        }
    }
    let expected = "SELECT concat(url_host_name, ':' || url_port) FROM captures ORDER BY url";
    let expected = duckdb::of(&folder.path("out of text"), expected);
    assert_eq!(hosts(&folder.path("out of bare rank")), expected.join(" "));
    assert_eq!(hosts(&folder.path("out of url")), expected.join(" "));
}

#[test]
fn a_name_that_is_a_host_is_not_enough() {
    let folder = Folder::new();
    let mut project = beside("");
    project.push(("src/__init__.py".to_owned(), Vec::new()));
    project.push((
        "docs/index.page".to_owned(),
        b"<!DOCTYPE html><p>x".to_vec(),
    ));
    project.push(("robots/a.example".to_owned(), b"User-agent: *\n".to_vec()));
    for (path, content) in &project {
        folder.write(&format!("project/{path}"), content);
    }
    let out = folder.path("out");
    let summary = ingest(&[], &folder.path("project"), &out, 0);
    assert_eq!(hosts(&out), "a.example");
    let skipped = summary["skipped"].as_array().expect("a list");
    let reasons: Vec<_> = skipped.iter().map(|it| &it["reason"]).collect();
    let of = |reason: &str| reasons.iter().filter(|it| **it == reason).count();
    assert_eq!((of("no_robots_txt"), of("no_warc")), (5, 3), "{skipped:?}");
    let (summary, out) = folder.ingest_file("a.tar", &packed(&project), &[], 0);
    assert_eq!(hosts(&out), "a.example");
    assert_eq!(passed_over(&summary, "no_robots_txt"), 5);
    assert_eq!(passed_over(&summary, "other_name"), 3);

    // A host may be called like an archive.
    folder.write("sites/page.warc.com", b"User-agent: *\n");
    let out = folder.path("out of sites");
    ingest(&[], &folder.path("sites"), &out, 0);
    assert_eq!(hosts(&out), "page.warc.com");

    // A directory without any is not an input.
    let errors = robostat(["ingest"])
        .args([folder.path("project/src"), folder.path("nothing")])
        .fail(1);
    assert!(errors.contains("its name is a host, but its content is not"));
}

#[test]
fn empty_and_other_answers_need_files_of_robots_txt_around() {
    let folder = Folder::new();
    let robots = b"User-agent: *\nDisallow: /x\n".to_vec();
    let mut files: Vec<File> = vec![
        ("a.example".to_owned(), Vec::new()),
        ("b.example".to_owned(), b"<html>404</html>".to_vec()),
        ("c.example".to_owned(), b"Not found".to_vec()),
        ("d.example".to_owned(), robots.clone()),
        ("e.example".to_owned(), robots.clone()),
        ("f.example".to_owned(), robots.clone()),
    ];
    for (n, expected) in [(6, "d.example e.example f.example"), (7, "")] {
        files.resize(n, ("z.example".to_owned(), robots.clone()));
        let all: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        let all = all.join(" ");
        let expected = if expected.is_empty() { &all } else { expected };
        for (name, bytes) in [("a.tar", packed(&files)), ("a.zip", zipped(&files))] {
            let (_, out) = folder.ingest_file(&format!("{n} {name}"), &bytes, &[], 0);
            assert_eq!(hosts(&out), *expected, "{n} {name}");
        }
    }
}

#[test]
fn names_of_other_forms_are_read_by_a_pattern() {
    let folder = Folder::new();
    let files: Vec<File> = [
        "2026-07/2026-07-01_a-b.example_200.dat",
        "2026-07/2026-07-02_c.example_404.dat",
        "2026-07/notes.dat",
        "d.example.txt",
    ]
    .map(|path| (path.to_owned(), b"anything".to_vec()))
    .to_vec();
    let pattern = ["--name-pattern", "{date}_{host}_{*}.dat"];
    let (summary, out) = folder.ingest_file("a.tar", &packed(&files), &pattern, 0);
    assert_eq!(hosts(&out), "a-b.example c.example");
    assert_eq!(passed_over(&summary, "other_name"), 2);
    let times = "SELECT fetch_time FROM captures ORDER BY url";
    let times = duckdb::of(&out, times);
    assert_eq!(times, ["2026-07-01 00:00:00+00", "2026-07-02 00:00:00+00"]);
    let expected = captures(&out);
    let (_, out) = folder.ingest_file("a.zip", &zipped(&files), &pattern, 0);
    assert_eq!(captures(&out).len(), 2);
    for (path, content) in &files {
        folder.write(&format!("a/{path}"), content);
    }
    let out = folder.path("out");
    ingest(&pattern, &folder.path("a"), &out, 0);
    assert_eq!(captures(&out), expected);

    let bad = ["ingest", "--name-pattern", "{domain}.txt", "a", "b"];
    let errors = robostat(bad).fail(2);
    let words = "`{domain}` is not one of {host}, {rank}, {date} and {*}";
    assert!(errors.contains(words), "{}", errors);
}

#[test]
fn the_choice_of_files_does_not_depend_on_jobs() {
    let folder = Folder::new();
    let mut files = vec![("sites/a.example".to_owned(), Vec::new())];
    for n in 0..1_200 {
        let filler = format!("# {}\n", "filler ".repeat(n % 700)).repeat(2);
        let content = format!("User-agent: *\nDisallow: /{}\n{filler}", n % 50);
        files.push((format!("sites/h{n}.example"), content.into_bytes()));
    }
    for (name, bytes) in [
        ("a.tar.gz", gzip(&packed(&files))),
        ("a.tar", packed(&files)),
        ("a.zip", zipped(&files)),
    ] {
        let [one, other] = [&["-j", "1"][..], &["-j", "3", "--no-mmap"]].map(|arguments| {
            let (summary, out) = folder.ingest_file(name, &bytes, arguments, 0);
            assert_eq!(number(&summary, "captures"), 1_201);
            let parts = parts(&out);
            std::fs::remove_dir_all(out).expect("a dataset");
            parts
        });
        assert!(one == other, "{name}");
    }
}

#[test]
fn damage_within_bare_hosts_is_told() {
    let folder = Folder::new();
    let files: Vec<File> = ["a", "b", "c", "d"]
        .map(|host| (format!("{host}.example"), b"User-agent: *\n".to_vec()))
        .to_vec();
    // The first is empty, so all are surveyed.
    let files = [vec![("0.example".to_owned(), Vec::new())], files].concat();
    let tar = packed(&files);
    let zip = zipped(&files);
    for at in (0..tar.len()).step_by(997) {
        let mut flipped = tar.clone();
        flipped[at] ^= 1;
        let input = folder.write("flipped.tar", &flipped);
        let cut = folder.write(
            "cut.tar.gz",
            &gzip(&tar)[..gzip(&tar).len() * at / tar.len()],
        );
        let zip_flipped = {
            let mut flipped = zip.clone();
            flipped[at * zip.len() / tar.len()] ^= 0x10;
            folder.write("flipped.zip", &flipped)
        };
        for input in [input, cut, zip_flipped] {
            let out = folder.path(&format!("out {at} {}", input.display()).replace('/', "_"));
            let output = robostat(["ingest", "--json"])
                .args([&input, &out])
                .output()
                .expect("a run");
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 1 | 3)), "{at}: {}", text(&output));
            if out.exists() {
                let n_hosts = hosts(&out).split_whitespace().count();
                let is_whole = n_hosts == files.len();
                assert!(is_whole || n_hosts < files.len() && code != Some(1), "{at}");
                assert!(
                    is_whole || code == Some(3) || damage(&out).is_empty(),
                    "{at}"
                );
            }
        }
    }
}

#[test]
fn links_are_no_robots_txt() {
    let folder = Folder::new();
    let body = b"User-agent: *\n";
    let mut zip = Vec::new();
    let mut writer = ZipArchiveWriter::new(&mut zip);
    for (path, mode, content) in [
        ("a.example.txt", 0o100_644, &body[..]),
        ("b.example.txt", 0o120_777, b"a.example.txt"),
        ("c.example", 0o120_777, b"a.example.txt"),
        ("d.example/robots.txt", 0o120_777, b"../a.example.txt"),
        ("made/x.warc.gz", 0o120_777, b"../x.warc.gz"),
    ] {
        let (mut entry, config) = writer
            .new_file(path)
            .compression_method(CompressionMethod::STORE)
            .unix_permissions(mode)
            .start()
            .expect("memory");
        let mut data = config.wrap(&mut entry);
        data.write_all(content).expect("memory");
        let descriptor = data.finish().expect("memory").1;
        entry.finish(descriptor).expect("memory");
    }
    writer.finish().expect("memory");
    let (summary, out) = folder.ingest_file("a.zip", &zip, &[], 0);
    assert_eq!(hosts(&out), "a.example");
    assert_eq!(passed_over(&summary, "link"), 3);

    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(body.len() as u64);
    header.set_mode(0o644);
    builder
        .append_data(&mut header, "a.example.txt", &body[..])
        .expect("memory");
    for (path, kind) in [
        ("b.example", tar::EntryType::Symlink),
        ("c.example.txt", tar::EntryType::Link),
        ("notes", tar::EntryType::Symlink),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        builder
            .append_link(&mut header, path, "a.example.txt")
            .expect("memory");
    }
    let tar = builder.into_inner().expect("memory");
    for (name, bytes) in [("a.tar", tar.clone()), ("a.tar.gz", gzip(&tar))] {
        let (summary, out) = folder.ingest_file(name, &bytes, &[], 0);
        assert_eq!(hosts(&out), "a.example");
        assert_eq!(passed_over(&summary, "link"), 2);
    }
}
