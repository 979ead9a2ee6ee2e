//! Reads a file with a sink that keeps what tests compare.

use std::fs;
use std::path::Path;

use warc_recovery::accounting::Accounting;
use warc_recovery::container::{Boundary, Container};
use warc_recovery::damage::Damage;
use warc_recovery::input::{Input, Source};
use warc_recovery::recovery::Recovery;
use warc_recovery::sink::{Position, RecordSink};
use warc_recovery::split::{self, Split};
use warc_recovery::warc::{RecordHead, begins_record};

/// What was read from a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) accounting: Accounting,
    /// The records, in order.
    pub(crate) records: Vec<Record>,
    /// The damage, in order.
    pub(crate) damage: Vec<Damage>,
}

/// A record that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) position: Position,
    pub(crate) uri: Option<String>,
    pub(crate) block: Vec<u8>,
}

impl Contents {
    pub(crate) fn uris(&self) -> Vec<&str> {
        (self
            .records
            .iter()
            .map(|record| record.uri.as_deref().unwrap_or_default()))
        .collect()
    }
}

impl RecordSink for Contents {
    fn wants(&self, _: &RecordHead<'_>) -> bool {
        true
    }

    fn record(&mut self, position: Position, head: &RecordHead<'_>, block: &[u8], length: u64) {
        // Lengths in ARC may be wrong by a few bytes.
        let is_wrong_by = length.abs_diff(head.content_length());
        assert!(is_wrong_by <= if begins_record(head.bytes()) { 0 } else { 10 });
        assert!(block.len() as u64 <= length);
        let place = |at: Position| (at.offset, at.inner_offset);
        let last = self.records.last();
        assert!(
            last.is_none_or(|last| place(last.position) < place(position)),
            "records in order, each once"
        );
        self.records.push(Record {
            position,
            uri: head.target_uri().map(|uri| uri.to_text().into_owned()),
            block: block.to_vec(),
        });
    }

    fn damage(&mut self, damage: &Damage) {
        self.damage.push(damage.clone());
    }
}

pub(crate) fn is_robots_txt(uri: &str) -> bool {
    uri.ends_with("/robots.txt")
}

/// A sink that keeps robots.txt files only, and damage.
#[derive(Default)]
pub(crate) struct RobotsTxt(pub(crate) Contents);

impl RecordSink for RobotsTxt {
    fn wants(&self, head: &RecordHead<'_>) -> bool {
        head.target_uri()
            .is_some_and(|uri| is_robots_txt(&uri.to_text()))
    }

    fn record(&mut self, position: Position, head: &RecordHead<'_>, block: &[u8], length: u64) {
        self.0.record(position, head, block, length);
    }

    fn damage(&mut self, damage: &Damage) {
        self.0.damage(damage);
    }
}

/// An input of these bytes, mapped or not.
pub(crate) fn open(bytes: &[u8], use_mmap: bool) -> Input {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), bytes).expect("space");
    let source = Source::Path(file.path().to_owned());
    Input::open(&source, use_mmap, Path::new("/nonexistent")).expect("a file")
}

/// The container of an input.
pub(crate) fn container(input: &Input) -> Container {
    Container::detect(input).expect("readable").expect("WARC")
}

/// The splits of an input.
pub(crate) fn splits(input: &Input) -> Vec<Split> {
    let container = container(input);
    let plan = |start: Boundary| {
        let is_inside = start.offset < input.len();
        is_inside.then(|| split::plan(&container, start).expect("readable"))
    };
    std::iter::successors(plan(Boundary::default()), |split| plan(split.end)).collect()
}

/// Reads an input. Every byte of it must be accounted for, and every damaged part handed over.
#[track_caller]
pub(crate) fn input(input: &Input) -> Contents {
    let mut found = Contents::default();
    found.accounting = warc_recovery::read_all(input, &mut found).expect("a readable file");
    assert_eq!(
        found.accounting.bytes(),
        input.len(),
        "every byte is accounted for: {found:?}"
    );
    assert_eq!(found.accounting.records, found.records.len() as u64);
    assert_eq!(found.accounting.damaged_records, found.damage.len() as u64);
    let damaged: u64 = found.damage.iter().map(|damage| damage.length).sum();
    assert_eq!(found.accounting.damaged_bytes, damaged, "{found:?}");
    found
}

/// What recovery alone reads from an input, from its start.
pub(crate) fn recovered(input: &Input) -> Contents {
    let container = container(input);
    let mut found = Contents::default();
    let mut at = Boundary::default();
    while at.offset < input.len() {
        let mut recovery = Recovery::new(&container, at).expect("a readable file");
        while let Some(batch) = recovery.next_batch().expect("a readable file") {
            found.accounting += batch.accounting;
            batch.deliver(&mut found);
        }
        assert!(recovery.end().offset > at.offset, "no standstill");
        at = recovery.end();
    }
    assert_eq!(found.accounting.bytes(), input.len());
    found
}

/// Reads a file of these bytes.
#[track_caller]
pub(crate) fn bytes(bytes: &[u8]) -> Contents {
    input(&open(bytes, false))
}
