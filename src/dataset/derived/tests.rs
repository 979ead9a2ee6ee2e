//! Neither sorting nor the ends of redirects depend on the size of memory or the order in which
//! captures come. The values are tested against DuckDB, in `tests/cases/derived.md`.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use super::capture::{ResolvedCapture, before_path};
use super::domains::Domains;
use super::sorter::Sorter;
use super::*;
use crate::dataset::tables::captures::{CaptureRow, CapturesBuilder};
use crate::tests::check;
use crate::threads;

#[test]
fn cases() {
    check(file!(), |question, arguments| {
        let [text, kind, _] = arguments;
        match question {
            "before-path" => before_path(text).to_owned(),
            "numbers" => numbers(&arguments),
            _ => {
                let is_domain = kind != "address";
                let found = reversed_host(text, is_domain);
                assert_eq!(reversed_host(&found, is_domain), text);
                found
            }
        }
    });
}

/// The numbers of the domains in each batch.
fn numbers(batches: &[&str]) -> String {
    let mut domains = Domains::default();
    let batches = batches.iter().filter(|batch| !batch.is_empty());
    let numbers = batches.map(|batch| {
        for domain in batch.split(' ') {
            domains.push((domain != "-").then_some(domain));
        }
        let numbers = domains.finish().into_iter();
        let numbers = numbers.map(|number| number.unwrap_or(-1).to_string());
        numbers.collect::<Vec<_>>().join(" ")
    });
    let numbers = numbers.collect::<Vec<_>>().join("; ");
    assert!(domains.finish().is_empty());
    numbers
}

/// Captures in the crawl.
const CAPTURES: u64 = 30_000;

/// Adds the capture numbered `number`: for four in ten hosts, a redirect to another, so that there
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

/// The captures with the ends of their redirects, found with this much memory.
fn resolved(numbers: impl Iterator<Item = u64>, budget: usize) -> Vec<ResolvedCapture> {
    let mut captures = CapturesBuilder::default();
    numbers.for_each(|number| push(&mut captures, number));
    let batch = captures.finish();
    let directory = tempfile::tempdir().expect("a directory");
    let mut space = SortSpace::new(directory.path(), &threads::pool(2).expect("threads"));
    space.budget = budget;
    let mut redirects = Redirects::new(&space, batch.num_rows());
    redirects.note_targets(&batch);
    let mut resolved = space.sorter();
    let columns = Columns::of(&batch);
    for row in 0..batch.num_rows() {
        let position = Reverse((0, columns.offset.value(row), 0));
        let added = redirects.add(&columns, row, position, &mut resolved);
        added.expect("space");
    }
    let followed = redirects.resolve(&mut resolved, &AtomicBool::new(false));
    followed.expect("readable runs");
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
    // Several runs each.
    assert!(resolved((0..CAPTURES).rev(), 3 << 20) == all);
    let mixed = (0..CAPTURES).step_by(2).chain((1..CAPTURES).step_by(2));
    assert!(resolved(mixed, 5 << 19) == all);
}

fn sorted(budget: usize, texts: &[String]) -> Sorter<String> {
    let pool = threads::pool(2).expect("threads");
    let directory = tempfile::tempdir().expect("a directory");
    let mut space = SortSpace::new(directory.path(), &pool);
    space.budget = budget;
    let mut sorter = space.sorter();
    for text in texts {
        sorter.push(text.clone()).expect("space");
    }
    sorter
}

fn read(sorted: &mut Sorter<String>) -> Vec<String> {
    let records = sorted.read().expect("readable runs");
    records.collect::<Result<_, _>>().expect("a readable run")
}

#[test]
fn records_come_in_order_whether_they_fit_into_memory_or_not() {
    let texts = (0..5000_u64).map(|number| {
        let scattered = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        format!("{} {scattered} {number}", "a common beginning ".repeat(50))
    });
    let texts: Vec<String> = texts.collect();
    let mut wanted = texts.clone();
    wanted.sort();
    // All in memory; in few runs; in more runs than are merged at once.
    for (budget, has_runs) in [(usize::MAX, false), (2 << 20, true), (1, true)] {
        let mut sorted = sorted(budget, &texts);
        assert_eq!(!sorted.runs.is_empty(), has_runs);
        assert!(!sorted.is_empty());
        assert_eq!(read(&mut sorted), wanted);
        assert_eq!(read(&mut sorted), wanted, "a second time");
    }
}

#[test]
fn nothing_is_nothing() {
    let mut nothing = sorted(usize::MAX, &[]);
    assert!(nothing.is_empty());
    assert_eq!(read(&mut nothing), [""; 0]);
}
