//! Records chosen by an index: the same rows as from the whole archive, nothing else read, and a
//! row for every problem.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::indexed::{Archive, PACKINGS};
use super::server::{Answer, Server};
use super::{gzip, lines, numbers, quick, run, verify};
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains, robostat};

/// The rows of the tables, where their input is left out.
pub(super) fn tables(out: &Path) -> Vec<String> {
    let tables = [
        "files", "policies", "groups", "rules", "agents", "damage", "hosts",
    ];
    let select = tables.map(|table| match table {
        "damage" => "SELECT 'damage', * EXCLUDE (input_id) FROM damage ORDER BY ALL;".to_owned(),
        "hosts" => "SELECT 'hosts', * EXCLUDE (input_id) FROM hosts ORDER BY ALL;".to_owned(),
        _ => format!("SELECT '{table}', * FROM {table} ORDER BY ALL;"),
    });
    let captures = "SELECT * EXCLUDE (input_id) FROM captures ORDER BY ALL;";
    lines(out, &(select.concat() + captures))
}

/// What an ingest with these arguments would do; it must end with `code`.
#[track_caller]
fn dry_run(arguments: &[&Path], code: i32) -> String {
    let mut command = robostat(["ingest", "--dry-run"]);
    let output = command.args(arguments).arg("x").output().expect("a run");
    assert_eq!(output.status.code(), Some(code));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// An ingest of the records that `index` names, below `base`.
pub(super) fn chosen(
    index: &Path,
    base: impl AsRef<std::ffi::OsStr>,
    out: &Path,
    code: i32,
) -> serde_json::Value {
    let mut command = quick();
    command.arg("--index").arg(index).arg("--base").arg(base);
    run(command.arg(out), code).0
}

pub(super) fn damage(out: &Path) -> Vec<String> {
    let sql = "SELECT warc_filename, \"offset\", length, kind, message FROM damage ORDER BY ALL";
    lines(out, sql)
}

#[test]
fn an_index_of_all_records_gives_the_rows_of_the_archive() {
    for (kind, pack) in PACKINGS {
        let folder = Folder::new();
        let archive = Archive::of(pack, 60, 300);
        let path = folder.write("crawl/a/x.warc", &archive.bytes);
        let whole = folder.path("whole");
        run(quick().arg(folder.path("crawl")).arg(&whole), 0);
        let expected = tables(&whole);

        let cdxj = folder.write("x.cdxj", archive.cdxj("a/x.warc").as_bytes());
        let packed = folder.write("x.cdx.gz", &gzip(archive.cdx("a/x.warc").as_bytes()));
        let parquet = folder.path("x.parquet");
        let sql = format!(
            "COPY (SELECT url, warc_filename, warc_record_offset::INTEGER AS warc_record_offset,
                 warc_record_length::INTEGER AS warc_record_length
             FROM captures ORDER BY hash(url)) TO '{}'",
            parquet.display()
        );
        lines(&whole, &sql);
        for index in [&cdxj, &packed, &parquet] {
            let out = folder.path("out");
            let summary = chosen(index, folder.path("crawl"), &out, 0);
            assert_eq!(summary["captures"], 60, "{kind} {index:?}");
            let bytes: usize = archive.records.iter().map(|(_, _, length)| length).sum();
            let sql = "SELECT bytes, record_bytes, skipped_bytes, path FROM inputs";
            assert_eq!(lines(&out, sql), [format!("{bytes}|{bytes}|0|a/x.warc")]);
            assert_eq!(tables(&out), expected, "{kind} {index:?}");
            verify(&out);
            let again = chosen(index, folder.path("crawl"), &out, 0);
            assert_eq!(
                numbers(&again, ["inputs", "inputs_ingested_before"]),
                [0, 1]
            );
            fs::remove_dir_all(&out).expect("a dataset");
        }

        let content = archive.bytes.clone();
        let server = Server::new(move |asked| Answer::file(asked, &content, "\"a\""));
        let out = folder.path("remote");
        chosen(&cdxj, server.url(""), &out, 0);
        assert_eq!(tables(&out), expected, "{kind}");
        // Records that lie close together are one request.
        assert_eq!(server.asked().len(), 1);
        chosen(&cdxj, server.url(""), &out, 0);
        assert_eq!(server.asked().len(), 1, "what is known is not asked for");

        let (_, offset, _) = &archive.records[7];
        let place = format!("{}@{offset}", path.display());
        let shown = robostat(["inspect", &place]).succeed();
        assert_contains(&shown, &["https://7.example/robots.txt"]);
    }
}

#[test]
fn far_records_are_asked_for_by_ranges_that_resume() {
    const FAR: usize = 3 << 20;
    let folder = Folder::new();
    let mut archive = Archive::new(gzip);
    for (host, filler) in [("a", 10), ("b", FAR), ("c", 10)] {
        let url = format!("https://{host}.example/robots.txt");
        let body = format!("User-agent: {host}\nDisallow: /\n");
        archive = archive.with(&url, &body, filler);
    }
    let path = folder.write("crawl/x.warc.gz", &archive.bytes);
    let whole = folder.path("whole");
    run(quick().arg(path).arg(&whole), 0);
    let index = folder.write("x.cdxj", archive.cdxj("x.warc.gz").as_bytes());

    let content = archive.bytes.clone();
    let server = Server::new(move |asked| {
        let answer = Answer::file(asked, &content, "\"a\"");
        match asked.before {
            1 => answer.cut(50),
            2 => Answer::new(503, b""),
            _ => answer,
        }
    });
    let out = folder.path("out");
    chosen(&index, server.url(""), &out, 0);
    assert_eq!(tables(&out), tables(&whole));
    let asked = server.asked();
    let (_, b, _) = archive.records[1];
    let (_, c, length) = archive.records[2];
    let last = c + length - 1;
    let ranges: Vec<_> = asked.iter().filter_map(|it| it.header("range")).collect();
    let rest = format!("bytes={}-{last}", b + 50);
    assert_eq!(
        ranges,
        ["bytes=0-16383", &format!("bytes={b}-{last}"), &rest, &rest]
    );
    assert_eq!(asked[3].header("if-range"), Some("\"a\""));
    drop(asked);

    // A server that knows no ranges sends everything, and the rows are the same.
    let content = archive.bytes.clone();
    let server = Server::new(move |_| Answer::new(200, &content));
    let out = folder.path("whole-answers");
    chosen(&index, server.url(""), &out, 0);
    assert_eq!(tables(&out), tables(&whole));
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn what_an_index_gets_wrong_is_told_and_costs_nothing_else() {
    let folder = Folder::new();
    let archive = Archive::of(gzip, 12, 10);
    let mut bytes = archive.bytes.clone();
    let at = |record: usize| (archive.records[record].1, archive.records[record].2);
    bytes[at(5).0 + at(5).1 / 2] ^= 0xff;
    bytes.truncate(at(11).0 + 20);
    folder.write("crawl/x.warc.gz", &bytes);
    let mut index = archive.cdx("x.warc.gz");
    let mut row = |offset: &str, length: &str, name: &str| {
        let _ = writeln!(
            index,
            "k 20260801060000 https://a.example/robots.txt t 200 X - - {length} {offset} {name}"
        );
    };
    let within = (at(1).0 + 3).to_string();
    row(&within, "30", "x.warc.gz");
    row(&bytes.len().to_string(), "7", "x.warc.gz");
    row("18446744073709551615", "7", "x.warc.gz");
    row("5", "-7", "x.warc.gz");
    row("0", "7", "../../etc/passwd");
    row("9", "7", "none.warc.gz");
    row("9", "7", "/etc/passwd");
    let index = folder.write("x.cdx", index.as_bytes());
    let out = folder.path("out");
    let summary = chosen(&index, folder.path("crawl"), &out, 3);
    assert_eq!(summary["captures"], 10);
    let found = damage(&out);
    let expected = [
        "../../etc/passwd|0|0|not_fetched|an archive whose path has `..` is not looked for; \
         records of it in the index: 1"
            .to_owned(),
        format!("|{}|", at(5).0),
        format!(
            "|{}|0|bad_range|the index names 30 bytes here, but no record begins",
            at(1).0 + 3
        ),
        format!("|{}|20|", at(11).0),
        format!(
            "|{}|0|bad_range|the index names 7 bytes here, but the archive ends",
            bytes.len()
        ),
        "none.warc.gz|9|0|not_fetched|No such file".to_owned(),
        "x.cdx|".to_owned(),
        "line 16: the offset 18446744073709551615 is more".to_owned(),
        "line 17: the length -7 is negative".to_owned(),
        "passwd|9|0|not_fetched|an absolute path is not below --base".to_owned(),
    ];
    for expected in &expected {
        assert!(
            found.iter().any(|it| it.contains(expected.as_str())),
            "{expected}\n{found:#?}"
        );
    }
    assert_eq!(found.len(), 9, "{found:#?}");
    verify(&out);

    // What is missing is looked for again, and its rows come when it is there.
    folder.write("crawl/none.warc.gz", &archive.bytes);
    let summary = chosen(&index, folder.path("crawl"), &out, 3);
    assert_eq!(summary["inputs"], 1);
    assert!(
        !damage(&out).iter().any(|it| it.contains("No such file")),
        "{:#?}",
        damage(&out)
    );
}

#[test]
fn lengths_that_are_wrong_are_told_with_the_place() {
    let folder = Folder::new();
    for (kind, pack) in PACKINGS {
        let mut archive = Archive::of(pack, 4, 10);
        folder.write("crawl/x.warc", &archive.bytes);
        archive.records[1].2 -= 9;
        archive.records[2].2 += 9;
        archive.records[3].1 += 3;
        archive.records[3].2 -= 3;
        let index = folder.write("x.cdxj", archive.cdxj("x.warc").as_bytes());
        let out = folder.path(kind);
        let summary = chosen(&index, folder.path("crawl"), &out, 3);
        assert_eq!(summary["captures"], 2, "{kind}");
        let found = damage(&out);
        let (first, second) = (archive.records[1].1, archive.records[2].1);
        let behind = second + archive.records[2].2 - 9;
        let third = archive.records[3].1;
        for (place, words) in [
            (first, "the record is longer than the"),
            (behind, "bytes to the record before"),
            (third, "no record begins where the index says"),
        ] {
            let place = format!("x.warc|{place}|");
            let is_told = |it: &String| {
                it.starts_with(&place) && it.contains("bad_range") && it.contains(words)
            };
            assert!(
                found.iter().any(is_told),
                "{kind} {place} {words}\n{found:#?}"
            );
        }
        assert_eq!(found.len(), 3, "{kind} {found:#?}");
        verify(&out);
    }
}

#[test]
fn indexes_are_filtered_sampled_and_shown() {
    let folder = Folder::new();
    let mut index = String::new();
    for number in 0..5 {
        // None has the content of another one.
        let url = format!("https://{number}.second.example/robots.txt");
        let archive = Archive::of(gzip, 1, 10).with(&url, "", 10 + number);
        let archive = archive.with("https://0.example/page", "x", 10);
        let name = format!("{number}.warc.gz");
        folder.write(
            &format!("crawl/{name}"),
            &[archive.bytes.clone(), gzip(name.as_bytes())].concat(),
        );
        index += &archive.cdxj(&name);
    }
    // Next to the index.
    let index = folder.write("crawl/indexes/all.cdxj", index.as_bytes());
    let (indexes, base) = (folder.path("crawl/indexes"), folder.path("crawl"));
    let out = folder.path("out");
    let mut command = quick();
    command.arg("--index").arg(indexes).arg("--base").arg(&base);
    let (summary, said) = run(command.args(["--sample", "2", "--seed", "7"]).arg(&out), 0);
    assert_eq!(numbers(&summary, ["inputs", "captures"]), [2, 4]);
    assert_contains(&said, &["rows of other URLs than robots.txt"]);
    let drawn = "SELECT DISTINCT sample_of, sample_seed, bytes = record_bytes FROM inputs";
    assert_eq!(lines(&out, drawn), ["5|7|true"]);

    let shown = dry_run(&["--index".as_ref(), &index, "--base".as_ref(), &base], 0);
    assert_contains(&shown, &["WARC, gzip, records: 2"]);
    let packed = folder.write("x.cdx.gz", &gzip(b" CDX N b a m s k r M S V g\n"));
    assert_contains(&dry_run(&[&packed], 3), &["a CDX index", "--index"]);

    let image = folder.write("x.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0");
    let mut command = robostat(["ingest", "--index"]);
    let errors = command.arg(&image).arg(folder.path("none")).fail(1);
    let words = "not an index of records (Parquet, CDXJ or CDX): a JPEG image";
    assert_contains(&errors, &[words]);
    assert!(!folder.path("none").exists());
}
