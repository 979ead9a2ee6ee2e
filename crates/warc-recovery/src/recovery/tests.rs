//! What recovery makes of records that do not fit together.

use std::fs;

use super::*;
use crate::input::Source;

fn recover(bytes: &[u8]) -> (Vec<u64>, Vec<(u64, u64, &'static str)>) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("input");
    fs::write(&path, bytes).expect("space");
    let input = Input::open(&Source::Path(path), true, directory.path()).expect("a file");
    let container = Container::detect(&input)
        .expect("a readable file")
        .expect("a container");
    let (mut records, mut damage, mut bytes) = (Vec::new(), Vec::new(), 0);
    let mut at = Boundary::START;
    while at.offset < input.len() {
        let mut recovery = Recovery::new(&input, &container, at).expect("a readable file");
        while let Some(batch) = recovery.next_batch().expect("a readable file") {
            bytes += batch.accounting.bytes();
            records.extend(batch.records.iter().map(|record| record.offset));
            damage.extend(
                batch
                    .damage
                    .iter()
                    .map(|damage| (damage.offset, damage.length, damage.kind.name())),
            );
        }
        assert!(recovery.end().offset > at.offset, "no standstill");
        at = recovery.end();
    }
    assert_eq!(bytes, input.len(), "every byte is accounted for");
    (records, damage)
}

fn record(length: &str, block: &str) -> String {
    format!("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n")
}

#[test]
fn records_with_a_wrong_length_cost_themselves_only() {
    let good = record("3", "abc");
    for bad in [
        record("4711", "abc"),
        record("2", "abc"),
        record("-1", "abc"),
        record("many", "abc"),
        record("", "abc"),
    ] {
        let (records, damage) = recover(format!("{good}{bad}{good}").as_bytes());
        assert_eq!(records, [0, (good.len() + bad.len()) as u64], "{bad}");
        assert_eq!(damage.len(), 1, "{bad}: {damage:?}");
        assert_eq!(
            (damage[0].0, damage[0].1),
            (good.len() as u64, bad.len() as u64),
            "{bad}"
        );
    }
}

#[test]
fn a_length_beyond_all_bounds_is_survived() {
    let (good, bad) = (record("3", "abc"), record("18446744073709551615", "abc"));
    let (records, damage) = recover(format!("{bad}{good}").as_bytes());
    assert_eq!(records, [bad.len() as u64]);
    assert_eq!(damage.len(), 1);
}

#[test]
fn zeros_at_the_end_are_padding() {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder
        .write_all(record("3", "abc").as_bytes())
        .expect("memory");
    let mut bytes = encoder.finish().expect("memory");
    bytes.extend_from_slice(&[0; 512]);
    let (records, damage) = recover(&bytes);
    assert_eq!((records.as_slice(), damage.len()), (&[0][..], 0));
}

#[test]
fn text_between_records_is_damage() {
    let good = record("3", "abc");
    let (records, damage) = recover(format!("{good}what is this\r\n{good}").as_bytes());
    assert_eq!(records, [0, good.len() as u64 + 14]);
    assert_eq!(damage, [(good.len() as u64, 14, "not_a_record")]);
}

#[test]
fn a_record_larger_than_what_is_kept_is_passed_over() {
    let block = "x".repeat(MAX_BLOCK_BYTES + 12345);
    let (giant, good) = (record(&block.len().to_string(), &block), record("3", "abc"));
    let (records, damage) = recover(format!("{giant}{good}").as_bytes());
    assert_eq!(records, [0, giant.len() as u64]);
    assert!(damage.is_empty(), "{damage:?}");
}
