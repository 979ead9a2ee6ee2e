//! Ingest as a user runs it: the result does not depend on how it was run. tests/cases/inputs.md
//! has the inputs that a run reads, and sample_crawl.md more ways to run it.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use robostat::internals::sources::{self, Request};
use robostat::internals::{
    COMMIT_BYTES, CollectorOptions, CorpusOptions, NoCaptures, Pages, Plan, Remote, RemoteOptions,
    Settings, SkippedInput, Tally, Watcher,
};
use tempfile::tempdir;
use warc_recovery::damage::Damage;

use crate::support::program::{ingest, parts, sample};
use crate::support::warc;
use crate::support::warc::Packing;

#[test]
fn every_packing_gives_the_same_tables() {
    let directory = tempdir().expect("a directory");
    let records = warc::records(&sample("crawl.warc"));
    let mut expected = None;
    for packing in Packing::ALL {
        let input = directory.path().join("crawl");
        fs::write(&input, packing.pack(&records[..120])).expect("space");
        let out = directory.path().join(format!("{packing:?}"));
        ingest(&["--subset", "robotstxt"], &input, &out, 0);
        let mut tables = parts(&out);
        // Offsets and lengths in the file depend on the packing.
        let has_offsets = ["captures", "inputs", "resolved", "origins", "hosts"];
        tables.retain(|path, _| !has_offsets.iter().any(|table| path.starts_with(table)));
        match &expected {
            None => expected = Some(tables),
            Some(expected) => assert!(*expected == tables, "{packing:?}"),
        }
    }
}

/// Ignores all reports.
struct SilentWatcher;

impl Watcher for SilentWatcher {
    fn plan(&mut self, _: u64, _: Option<u64>) {}
    fn advance(&mut self, _: &Tally) {}
    fn damage(&mut self, _: &str, _: &Damage) {}
    fn skip(&mut self, _: &SkippedInput) {}
    fn note(&mut self, _: &str, _: &str) {}
    fn no_captures(&mut self, _: NoCaptures, _: &str, _: &str) {}
    fn end(&mut self) {}
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
        let remote = Arc::new(Remote::new(RemoteOptions {
            contact: None,
            max_rate: None,
            max_wait: Duration::from_secs(3600),
            first_pause: Duration::from_secs(1),
            timeout: Duration::from_secs(60),
            cache: None,
            note: None,
        }));
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
