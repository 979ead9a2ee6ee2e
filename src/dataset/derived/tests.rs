//! The rows depend neither on the size of memory nor on the division of captures into parts. Their
//! values are tested against DuckDB, in `tests/integration/derived.rs`.

use std::collections::BTreeMap;
use std::path::Path;
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
        warc_record_length: None,
        warc_record_inner_offset: 0,
        warc_record_id: None,
        warc_type: "response",
        url: url.as_bytes(),
        url_protocol: Some(b"https"),
        url_host_name: Some(own.as_bytes()),
        url_host_tld: Some(b"example"),
        url_host_registered_domain: None,
        url_port: None,
        url_path: Some(b"/robots.txt"),
        url_query: None,
        is_robotstxt_url: !number.is_multiple_of(100),
        fetch_time: (!number.is_multiple_of(7)).then_some(offset % 1000),
        fetch_status: Some(if redirect.is_some() { 301 } else { 404 }),
        fetch_redirect: None,
        fetch_redirect_url: redirect.as_deref().map(str::as_bytes),
        redirect_same_host: None,
        content_mime_type: None,
        content_mime_detected: None,
        content_charset: None,
        content_length: 0,
        content_truncated: None,
        content_digest: None,
        digest_valid: None,
        content_issues: None,
        file_id: None,
        policy_id: None,
        access_koster1996: "",
        access_rfc9309: "",
        access_google: "",
        freshness_seconds: None,
        http_server: None,
        http_cache_control: None,
        http_expires: None,
        http_etag: None,
        http_last_modified: None,
        http_content_encoding: None,
        http_x_robots_tag: None,
        http_content_signal: None,
        http_content_usage: None,
        http_tdm_reservation: None,
        http_tdm_policy: None,
        http_link_license: None,
        ip_address: None,
    });
}

fn write(path: &Path, table: &'static Table, rows: RecordBatch, pool: &Arc<ThreadPool>) {
    let mut part = PartWriter::create(path, "", table, Arc::clone(pool)).expect("space");
    part.push(rows).expect("space");
    part.close().expect("space");
}

#[derive(Default)]
struct Collected(BTreeMap<&'static str, Vec<RecordBatch>>);

impl Sink for Collected {
    fn push(&mut self, table: &'static Table, rows: RecordBatch) -> Result<(), Error> {
        self.0.entry(table.name).or_default().push(rows);
        Ok(())
    }
}

/// The derived tables of the captures, in parts of this many, made with this much memory.
fn made(part_captures: u64, budget: usize) -> BTreeMap<&'static str, RecordBatch> {
    let directory = tempfile::tempdir().expect("a directory");
    let pool = threads::pool(2).expect("threads");
    let place = |name: &str| directory.path().join(name);
    let mut sources = Sources {
        files: vec![place("files")],
        policies: vec![place("policies")],
        ..Sources::default()
    };
    let no_files = files::FilesBuilder::default().finish();
    write(&sources.files[0], files::table(), no_files, &pool);
    let no_policies = policies::PoliciesBuilder::default().finish();
    write(&sources.policies[0], policies::table(), no_policies, &pool);
    for first in (0..CAPTURES).step_by(usize::try_from(part_captures).expect("small")) {
        let mut builder = CapturesBuilder::default();
        // The last part first.
        let first = CAPTURES - first - part_captures;
        (first..first + part_captures).for_each(|number| push(&mut builder, number));
        let path = place(&format!("captures{first}"));
        write(&path, captures::table(), builder.finish(), &pool);
        sources.captures.push(("a".to_owned(), path, part_captures));
    }
    let stop = AtomicBool::new(false);
    let input: CommittedInput = serde_json::from_value(serde_json::json!({
        "fingerprint": format!("{:032x}", 7), "name": "a.warc", "bytes": 0, "modified": 0,
        "crawl": "a", "subset": "robotstxt", "captures": CAPTURES,
    }))
    .expect("an input");
    let inputs = Inputs::new(std::iter::once(&input));
    let populations = Populations::read(&sources, &stop).expect("two tables");
    let room = Room {
        budget,
        directory: directory.path().to_owned(),
        pool,
    };
    let mut collected = Collected::default();
    let context = (&inputs, &populations);
    make("a", &sources, context, &room, &mut collected, &stop).expect("rows");
    let one = |batches: Vec<RecordBatch>| concat_batches(&batches[0].schema(), &batches);
    let tables = collected.0.into_iter();
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
