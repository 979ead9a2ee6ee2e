//! Ingest as a user runs it: what comes out does not depend on how it was run.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::program::{
    Run as _, assert_contains, ingest, number, numbers, parts, robostat, sample, text,
};
use crate::support::warc;
use crate::support::warc::Packing;

/// Captures of the sample crawl, as its generator's README counts them.
const RECORDS: u64 = 715;

#[test]
fn every_encoding_gives_the_same_counts() {
    let directory = tempdir().expect("a directory");
    let mut summaries = Vec::new();
    for name in ["crawl.warc", "crawl.warc.gz", "crawl.warc.zst"] {
        let out = directory.path().join(name);
        let mut summary = ingest(&["--subset", "robotstxt"], &sample(name), &out, 0);
        assert_eq!(number(&summary, "records"), RECORDS);
        for key in ["seconds", "bytes_in", "record_bytes", "bytes_skipped"] {
            summary.as_object_mut().expect("an object").remove(key);
        }
        summaries.push(summary);
    }
    assert_eq!(summaries[0], summaries[1]);
    assert_eq!(summaries[0], summaries[2]);
}

#[test]
fn every_packing_gives_the_same_tables() {
    let directory = tempdir().expect("a directory");
    let records = warc::records(&sample("crawl.warc"));
    let mut expected = None;
    for packing in Packing::ALL {
        let input = directory.path().join("crawl");
        fs::write(&input, packing.pack(&records)).expect("space");
        let out = directory.path().join(format!("{packing:?}"));
        ingest(&["--subset", "robotstxt"], &input, &out, 0);
        let mut tables = parts(&out);
        // Offsets and lengths in the file are the packing's own.
        let has_offsets = ["captures", "inputs", "resolved", "origins", "hosts"];
        tables.retain(|path, _| !has_offsets.iter().any(|table| path.starts_with(table)));
        match &expected {
            None => expected = Some(tables),
            Some(expected) => assert!(*expected == tables, "{packing:?}"),
        }
    }
}

#[test]
fn parts_are_the_same_for_any_number_of_jobs_and_any_way_of_reading() {
    let directory = tempdir().expect("a directory");
    let mut expected = None;
    for arguments in [
        &["--jobs", "1"][..],
        &["--jobs", "2"],
        &["--jobs", "7"],
        &["--no-mmap"],
    ] {
        let out = directory.path().join(arguments.concat());
        ingest(arguments, &sample("crawl.warc.gz"), &out, 0);
        let tables = parts(&out);
        match &expected {
            None => expected = Some(tables),
            Some(expected) => assert!(*expected == tables, "{arguments:?}"),
        }
    }
}

#[test]
fn an_input_is_ingested_once_unless_forced_or_changed() {
    let directory = tempdir().expect("a directory");
    let (input, out) = (
        directory.path().join("crawl.warc.gz"),
        directory.path().join("out"),
    );
    fs::copy(sample("crawl.warc.gz"), &input).expect("space");
    let first = ingest(&[], &input, &out, 0);
    let again = ingest(&[], &input, &out, 0);
    assert_eq!(
        numbers(&again, ["inputs", "inputs_ingested_before"]),
        [0, 1]
    );
    assert_eq!(number(&again, "files"), number(&first, "files"));

    let forced = ingest(&["--force"], &input, &out, 0);
    assert_eq!(number(&forced, "captures"), number(&first, "captures"));
    assert_eq!(number(&forced["rows"], "files"), 0, "no file is new");
    let captures: Vec<_> = parts(&out)
        .into_keys()
        .filter(|path| path.starts_with("captures"))
        .collect();
    assert_eq!(captures.len(), 1, "the old rows are gone: {captures:?}");

    let records = warc::records(&sample("crawl.warc"));
    fs::write(&input, Packing::GzipPerRecord.pack(&records[..200])).expect("space");
    let changed = ingest(&[], &input, &out, 0);
    assert_eq!(numbers(&changed, ["inputs", "records"]), [1, 200]);
}

#[test]
fn a_directory_a_list_and_standard_input_are_inputs_too() {
    let directory = tempdir().expect("a directory");
    let nested = directory.path().join("crawl/robotstxt");
    fs::create_dir_all(&nested).expect("space");
    fs::copy(sample("crawl.warc.gz"), nested.join("a.warc.gz")).expect("space");
    fs::write(nested.join("notes.txt"), "not a WARC").expect("space");
    let summary = ingest(
        &[],
        &directory.path().join("crawl"),
        &directory.path().join("out1"),
        0,
    );
    assert_eq!(numbers(&summary, ["inputs", "records"]), [1, RECORDS]);

    let list = directory.path().join("list.paths");
    fs::write(&list, format!("{}\n\n", nested.join("a.warc.gz").display())).expect("space");
    robostat(["ingest", "--json", "--files-from"])
        .arg(&list)
        .arg(directory.path().join("out2"))
        .succeed();
}

#[test]
fn the_output_directory_is_no_input() {
    let directory = tempdir().expect("a directory");
    fs::copy(sample("crawl.warc"), directory.path().join("a.warc")).expect("space");
    let out = directory.path().join("out");
    for expected in [1, 0] {
        let output = robostat(["ingest", "--json"])
            .args([directory.path(), &out])
            .output();
        let output = output.expect("a program");
        let summary = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(number(&summary, "inputs"), expected);
        assert!(
            expected == 1 || text(&output).contains("out: the output directory"),
            "{}",
            text(&output)
        );
    }
    let nothing = robostat(["ingest"])
        .args([&out.join("manifest"), &directory.path().join("other")])
        .output();
    let nothing = nothing.expect("a program");
    assert_eq!(nothing.status.code(), Some(1));
    assert_contains(&text(&nothing), &["nothing was ingested"]);
    // With `--quiet` too, the reason is printed.
    let empty = directory.path().join("empty");
    std::fs::create_dir(&empty).expect("a directory");
    let errors = robostat(["ingest", "-q"])
        .args([&empty, &directory.path().join("other")])
        .fail(1);
    assert_contains(&errors, &["empty: a directory without an input"]);
}

#[test]
fn rows_are_the_same_however_inputs_are_split_into_runs() {
    let directory = tempdir().expect("a directory");
    let records = warc::records(&sample("crawl.warc"));
    let mut inputs = Vec::new();
    for (number, records) in records.chunks(150).enumerate() {
        let input = directory.path().join(format!("{number}.warc.gz"));
        fs::write(&input, Packing::GzipPerRecord.pack(records)).expect("space");
        inputs.push(input);
    }
    let (once, often) = (
        directory.path().join("once"),
        directory.path().join("often"),
    );
    let all = robostat(["ingest", "-q"]).args(&inputs).arg(&once).status();
    assert!(all.expect("a program").success());
    for inputs in inputs.chunks(2) {
        let some = robostat(["ingest", "-q"]).args(inputs).arg(&often).status();
        assert!(some.expect("a program").success());
    }
    let mut sql = String::new();
    let tables = robostat::internals::tables::all();
    for table in tables.filter(|table| !table.is_optional) {
        let of = |out: &Path| {
            let (out, table) = (out.display(), table.name);
            format!("SELECT * FROM read_parquet('{out}/{table}/**/*.parquet')")
        };
        let (once, often, table) = (of(&once), of(&often), table.name);
        let _ = writeln!(
            sql,
            "SELECT '{table}', count(*) FROM (({once} EXCEPT ALL {often}) UNION ALL ({often} EXCEPT ALL {once}));"
        );
    }
    for line in duckdb::lines(Path::new("/dev/null"), &sql) {
        assert!(line.ends_with("|0"), "rows differ: {line}");
    }
}

#[test]
fn streams_are_told_apart_by_their_content() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    let pipe = |bytes: &[u8]| {
        let mut child = robostat(["ingest", "--json", "-"])
            .arg(&out)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a program");
        child
            .stdin
            .take()
            .expect("a pipe")
            .write_all(bytes)
            .expect("a reader");
        let output = child.wait_with_output().expect("an end");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let records = warc::records(&sample("crawl.warc"));
    let (one, other) = (
        Packing::GzipPerRecord.pack(&records),
        Packing::Plain.pack(&records[..100]),
    );
    let first = pipe(&one);
    assert_eq!(numbers(&first, ["inputs", "records"]), [1, RECORDS]);
    let again = pipe(&one);
    assert_eq!(
        numbers(&again, ["inputs", "inputs_ingested_before"]),
        [0, 1]
    );
    assert_eq!(number(&pipe(&other), "records"), 100);
    let parts: Vec<_> = parts(&out)
        .into_keys()
        .filter(|path| path.starts_with("captures"))
        .collect();
    assert_eq!(
        parts.len(),
        2,
        "neither stream replaces the other: {parts:?}"
    );
}

#[test]
fn what_is_no_warc_is_told_and_costs_nothing_else() {
    let directory = tempdir().expect("a directory");
    let image = directory.path().join("photo.jpg");
    fs::write(&image, b"\xff\xd8\xff\xe0\0\x10JFIF").expect("space");
    let errors = robostat(["ingest"])
        .args([
            &image,
            &sample("crawl.warc.gz"),
            &directory.path().join("out"),
        ])
        .fail(3);
    assert_contains(&errors, &["photo.jpg: not an input, but a JPEG"]);

    let strict = robostat(["ingest", "-q", "--strict"])
        .args([&image, &directory.path().join("out2")])
        .status();
    assert_eq!(strict.expect("a program").code(), Some(1));
}

#[test]
fn the_output_directory_is_never_somebody_elses() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("home");
    fs::create_dir(&out).expect("space");
    fs::write(out.join("thesis.tex"), "years of work").expect("space");
    let output = robostat(["ingest"])
        .args([&sample("crawl.warc"), &out])
        .fail(1);
    assert!(output.contains("other things"), "{}", output);
    assert_eq!(
        fs::read_dir(&out).expect("a directory").count(),
        1,
        "untouched"
    );

    robostat(["ingest", "only-one"]).fail(2);
    let errors = robostat(["ingest", "no-such-file.warc"])
        .arg(directory.path().join("out"))
        .fail(1);
    assert!(errors.contains("no-such-file.warc"));
}

#[test]
fn other_settings_for_the_same_dataset_are_refused() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(&[], &sample("crawl.warc"), &out, 0);
    let errors = robostat(["ingest", "--keep-bodies"])
        .args([&sample("crawl.warc.gz"), &out])
        .fail(1);
    assert_contains(&errors, &["without --keep-bodies"]);
}

#[test]
fn a_dataset_of_another_version_is_refused_with_a_remedy() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(&[], &sample("crawl.warc"), &out, 0);
    let commit = out.join("manifest/000001.json");
    let text_of = fs::read_to_string(&commit).expect("a commit");
    let mut older: serde_json::Value = serde_json::from_str(&text_of).expect("JSON");
    older["schema_version"] = 1.into();
    // Manifests of versions 1 to 3 have no checksum.
    let members = older.as_object_mut().expect("members");
    assert!(members.remove("xxh3_of_the_above").is_some());
    fs::write(&commit, older.to_string()).expect("written");
    let before = parts(&out);
    let errors = robostat(["ingest"])
        .args([&sample("crawl.warc.gz"), &out])
        .fail(1);
    for word in ["tables of version 1,", "ingest into a new directory"] {
        assert!(errors.contains(word), "{}", errors);
    }
    assert!(parts(&out) == before, "nothing is touched");
}

#[test]
fn preferences_are_the_lines_taken_apart() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(&[], &sample("crawl.warc"), &out, 0);
    let lines = |sql: &str| duckdb::of(&out, sql);
    // Taken apart a second time, by DuckDB: a path, then what stands between commas,
    // unless that is nothing and the line has more.
    let apart = "SELECT policy_id, line_number, vocabulary, path, preference, value FROM (
            SELECT *, unnest(string_split(if(path IS NULL, line, line[length(path) + 1:]), ',')) AS item,
                lower(trim(split_part(item, '=', 1))) AS preference, trim(split_part(item, '=', 2)) AS value
            FROM (
                SELECT policy_id, line_number, directive AS vocabulary, value AS line,
                    nullif(regexp_extract(value, '^/[^ \t]*'), '') AS path
                FROM directives WHERE directive IN ('content-signal', 'content-usage')
            )
        ) WHERE trim(item) <> '' OR trim(line) = ''
        UNION ALL
        SELECT policy_id, line_number, if(directive LIKE 'tdm-%', 'tdm', directive), NULL, directive, value
        FROM directives WHERE directive IN ('license', 'llm-policy', 'tdm-reservation', 'tdm-policy')";
    let ours =
        "SELECT policy_id, line_number, vocabulary, path, preference, value FROM preferences";
    for (one, other) in [(apart, ours), (ours, apart)] {
        let none: [&str; 0] = [];
        assert_eq!(lines(&format!("({one}) EXCEPT ALL ({other})")), none);
    }
    let vocabularies = lines("SELECT DISTINCT vocabulary FROM preferences ORDER BY 1");
    let expected = [
        "content-signal",
        "content-usage",
        "license",
        "llm-policy",
        "tdm",
    ];
    assert_eq!(vocabularies, expected);
    assert_eq!(
        lines(
            "SELECT count(*) FILTER (allows) > 0 AND count(*) FILTER (NOT allows) > 0 FROM preferences"
        ),
        ["true"]
    );
}
