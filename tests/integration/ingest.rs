//! Ingest as a user runs it: what comes out does not depend on how it was run.
//! tests/cases/inputs.md has the inputs that a run reads.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use robostat::internals::sources::{self, Request};
use robostat::internals::{
    COMMIT_BYTES, CollectorOptions, CorpusOptions, NoCaptures, Pages, Plan, Remote, RemoteOptions,
    Settings, SkippedInput, Tally, Watcher,
};
use tempfile::tempdir;
use warc_recovery::damage::Damage;

use crate::support::duckdb;
use crate::support::program::{ingest, number, parts, robostat, sample};
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

/// Hears nothing.
struct SilentWatcher;

impl Watcher for SilentWatcher {
    fn plan(&mut self, _: u64, _: Option<u64>) {}
    fn begin(&mut self, _: &str, _: u64) {}
    fn advance(&mut self, _: &Tally) {}
    fn damage(&mut self, _: &str, _: &Damage) {}
    fn skip(&mut self, _: &SkippedInput) {}
    fn note(&mut self, _: &str, _: &str) {}
    fn no_captures(&mut self, _: NoCaptures, _: &str, _: &str) {}
    fn commit(&mut self, _: usize) {}
}

#[test]
fn two_ingests_run_at_once_in_one_process() {
    let directory = tempdir().expect("a directory");
    let by_program = directory.path().join("by-program");
    ingest(&[], &sample("crawl.warc.gz"), &by_program, 0);
    let run = |jobs: usize| {
        let out = directory.path().join(jobs.to_string());
        let corpora = CorpusOptions::default();
        let inputs = [sample("crawl.warc.gz")];
        let remote = Arc::new(Remote::new(RemoteOptions::default()));
        let found = sources::find(&Request {
            paths: &inputs,
            files_from: None,
            indexes: &[],
            wants_all: false,
            has_crawl: false,
            base: None,
            sample: None,
            out: &out,
            corpora: &corpora,
            remote: &remote,
        });
        let plan = Plan {
            found: found.expect("an input"),
            remote,
            out: out.clone(),
            catalog: None,
            crawl: None,
            panel: None,
            subset: None,
            options: CollectorOptions {
                settings: Settings {
                    limit: 512_000,
                    max_sitemaps: 1000,
                    keep_bodies: false,
                },
                verify_digests: false,
                pages: Pages::No,
                links: false,
            },
            jobs,
            corpora,
            use_mmap: true,
            force: false,
            commit_bytes: COMMIT_BYTES,
        };
        let totals = robostat::internals::ingest(plan, &mut SilentWatcher, &AtomicBool::new(false));
        assert_eq!(totals.expect("a dataset").inputs, 1);
        parts(&out)
    };
    let (one, three) = std::thread::scope(|scope| {
        let three = scope.spawn(|| run(3));
        (run(1), three.join().expect("a dataset"))
    });
    let expected = parts(&by_program);
    assert!(one == expected && three == expected);
    let global = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global();
    assert!(global.is_ok(), "a run takes no threads but its own");
}
