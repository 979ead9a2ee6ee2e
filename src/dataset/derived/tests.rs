//! The rows depend neither on the size of memory nor on the division of captures into parts. Their
//! values are tested against DuckDB, in `tests/cases/derived.md`.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_select::concat::concat_batches;

use super::*;
use crate::dataset::tables::captures::{CaptureRow, CapturesBuilder};
use crate::dataset::tables::{captures, files, policies};
use crate::threads;

/// Captures in the crawl.
const CAPTURES: u64 = 30_000;

/// Adds the capture numbered `number`: of four in ten hosts a redirect to another, so that there
/// are chains and loops of every length, and several captures of most origins.
fn push(captures: &mut CapturesBuilder, number: u64) {
    let scattered = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    let host = |host: u64| format!("h{}.d{}.example", host % 7000, host % 50);
    let robots = |host: &str| format!("https://{host}/robots.txt");
    let own = host(scattered);
    let redirect = (scattered % 10 < 4).then(|| robots(&host(scattered / 3)));
    let url = robots(&own);
    let offset = i64::try_from(number).expect("a small number");
    captures.push(CaptureRow {
        input_id: 7,
        warc_filename: b"a.warc",
        warc_record_offset: offset,
        warc_type: "response",
        url: url.as_bytes(),
        url_protocol: Some(b"https"),
        url_host_name: Some(own.as_bytes()),
        url_host_tld: Some(b"example"),
        url_path: Some(b"/robots.txt"),
        is_robotstxt_url: !number.is_multiple_of(100),
        fetch_time: (!number.is_multiple_of(7)).then_some(offset % 1000),
        fetch_status: Some(if redirect.is_some() { 301 } else { 404 }),
        fetch_redirect_url: redirect.as_deref().map(str::as_bytes),
        ..CaptureRow::default()
    });
}

/// The derived tables of the captures, in parts of this many, made with this much memory.
fn made(part_captures: u64, budget: usize) -> BTreeMap<&'static str, RecordBatch> {
    let directory = tempfile::tempdir().expect("a directory");
    let pool = threads::pool(2).expect("threads");
    let write = |table: &'static Table, name: String, rows: RecordBatch| {
        let path = directory.path().join(name.replace('/', "!"));
        let mut part = PartWriter::create(&path, name, table, Arc::clone(&pool)).expect("space");
        part.push(rows).expect("space");
        (part.close().expect("space"), path)
    };
    let no_files = files::FilesBuilder::default().finish();
    let no_policies = policies::PoliciesBuilder::default().finish();
    let mut parts = vec![
        write(files::table(), "files/1".to_owned(), no_files),
        write(policies::table(), "policies/1".to_owned(), no_policies),
    ];
    for first in (0..CAPTURES).step_by(usize::try_from(part_captures).expect("small")) {
        let mut builder = CapturesBuilder::default();
        // The last part first.
        let first = CAPTURES - first - part_captures;
        (first..first + part_captures).for_each(|number| push(&mut builder, number));
        let name = format!("captures/crawl=a/{first}");
        parts.push(write(captures::table(), name, builder.finish()));
    }
    let stop = AtomicBool::new(false);
    let input: CommittedInput = serde_json::from_value(serde_json::json!({
        "fingerprint": format!("{:032x}", 7), "name": "a.warc", "bytes": 0, "modified": 0,
        "crawl": "a", "subset": "robotstxt", "captures": CAPTURES,
    }))
    .expect("an input");
    let sources = parts.iter().map(|(part, path)| (part, path.clone()));
    let room = (directory.path(), &pool);
    let inputs = std::iter::once(&input);
    let derivation = Derivation::new(sources.collect(), inputs, room, &stop);
    let mut derivation = derivation.expect("two tables");
    derivation.room.budget = budget;
    let mut collected: BTreeMap<&'static str, Vec<RecordBatch>> = BTreeMap::new();
    let mut collect = |table: &'static Table, rows| {
        collected.entry(table.name).or_default().push(rows);
        Ok(())
    };
    derivation.make("a", &mut collect).expect("rows");
    let one = |batches: Vec<RecordBatch>| concat_batches(&batches[0].schema(), &batches);
    let tables = collected.into_iter();
    tables
        .map(|(name, batches)| (name, one(batches).expect("one schema")))
        .collect()
}

#[test]
fn rows_depend_neither_on_memory_nor_on_parts() {
    let all = made(CAPTURES, usize::MAX);
    assert_eq!(all["resolved"].num_rows(), 29_700);
    assert_eq!(all["hosts"].num_rows(), all["origins"].num_rows());
    let ended = all["resolved"]["ended"].as_string::<i32>();
    for wanted in ["final", "loop", "too_many"] {
        assert!(
            ended.iter().flatten().any(|ended| ended == wanted),
            "{wanted}"
        );
    }
    // Some runs each; parts of other borders.
    assert!(made(CAPTURES / 6, 3 << 20) == all);
    assert!(made(CAPTURES / 2, 5 << 19) == all);
}
