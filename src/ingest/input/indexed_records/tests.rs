//! Which ranges of an index are read.

use super::*;
use crate::tests::check;

/// The ranges that are taken, the bytes given to each, and offsets of what is wrong; a record
/// begins at every multiple of ten. No byte is taken twice.
fn arranged(ranges: &[Range<u64>]) -> (Vec<(Range<u64>, u64)>, Vec<u64>) {
    let indexed = IndexedRecords::new(ranges.to_vec(), true);
    let found = arrange(&indexed.wanted.bytes, 100, |offset| {
        Ok(offset.is_multiple_of(10))
    });
    let (taken, wrong) = found.expect("no file");
    let bytes: u64 = taken.iter().map(|it| it.range.end - it.range.start).sum();
    assert!(bytes <= indexed.bytes(100), "{ranges:?}");
    let is_apart = |pair: &[ReadRange]| pair[0].range.end <= pair[1].range.start;
    assert!(taken.windows(2).all(is_apart), "{taken:?}");
    let taken = taken.into_iter().map(|it| (it.range, it.given));
    (
        taken.collect(),
        wrong.into_iter().map(|it| it.offset).collect(),
    )
}

#[test]
fn cases() {
    check(file!(), |_, [ranges, ..]| {
        let ranges = ranges.split(' ').map(|range| {
            let (start, end) = range.split_once("..").expect("a range");
            start.parse().expect("a number")..end.parse().expect("a number")
        });
        let (taken, wrong) = arranged(&ranges.collect::<Vec<_>>());
        let taken = taken
            .iter()
            .map(|(range, given)| format!("{range:?} ({given})"));
        let taken = taken.collect::<Vec<_>>().join(" ");
        if wrong.is_empty() {
            return taken;
        }
        let wrong = wrong.iter().map(u64::to_string).collect::<Vec<_>>();
        format!("{taken}; wrong: {}", wrong.join(" "))
    });
}

#[test]
fn a_dictionary_is_wanted_whole() {
    assert_eq!(head_bytes(b"\x1f\x8b\x08\0\0\0\0\0"), FIRST_BYTES);
    assert_eq!(
        head_bytes(b"\x5d\x2a\x4d\x18\0\0\x01\0"),
        8 + 65536 + FIRST_BYTES
    );
}
