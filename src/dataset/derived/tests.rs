//! What redirects end at depends neither on the size of memory nor on the order in which captures
//! come. The values are tested against DuckDB, in `tests/cases/derived.md`.

use std::sync::atomic::AtomicBool;

use super::capture::ResolvedCapture;
use super::*;
use crate::dataset::tables::captures::{CaptureRow, CapturesBuilder};
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

/// The captures with what their redirects end at, found with this much memory.
fn resolved(numbers: impl Iterator<Item = u64>, budget: usize) -> Vec<ResolvedCapture> {
    let mut captures = CapturesBuilder::default();
    numbers.for_each(|number| push(&mut captures, number));
    let batch = captures.finish();
    let directory = tempfile::tempdir().expect("a directory");
    let mut space = SortSpace::new(directory.path(), &threads::pool(2).expect("threads"));
    space.budget = budget;
    let mut sketch = Sketch::new();
    sketch.add_all(&batch);
    let mut redirects = Redirects::new(&space, sketch);
    let mut resolved = space.sorter();
    let columns = Columns::of(&batch);
    for row in 0..batch.num_rows() {
        let position = (0, columns.offset.value(row), 0);
        let added = redirects.add(&columns, row, position, &mut resolved);
        added.expect("space");
    }
    let followed = redirects.resolve(&mut resolved, &AtomicBool::new(false));
    followed.expect("readable runs");
    let resolved = resolved.finish();
    let captures = resolved.read().expect("readable runs");
    captures.collect::<Result<_, _>>().expect("readable runs")
}

#[test]
fn captures_depend_neither_on_memory_nor_on_their_order() {
    let all = resolved(0..CAPTURES, usize::MAX);
    assert_eq!(all.len(), 29_700);
    for wanted in [Ended::Final, Ended::Loop, Ended::TooMany] {
        assert!(all.iter().any(|it| it.ended == wanted), "{wanted:?}");
    }
    // Some runs each.
    assert!(resolved((0..CAPTURES).rev(), 3 << 20) == all);
    let mixed = (0..CAPTURES).step_by(2).chain((1..CAPTURES).step_by(2));
    assert!(resolved(mixed, 5 << 19) == all);
}
