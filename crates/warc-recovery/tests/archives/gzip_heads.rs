//! gzip members with any valid head: read in parallel, and found behind damage.

use std::io::Write as _;

use flate2::{Compression, Crc, GzBuilder};
use warc_recovery::container::{Boundary, Container};
use warc_recovery::input::{Input, Source};
use warc_recovery::split;

use crate::packing;
use crate::read;

const RECORDS: usize = 3_000;

/// How a writer makes its heads.
#[derive(Debug, Clone, Copy)]
struct Writer {
    extra_flags: u8,
    system: u8,
    time: u32,
    /// A subfield `SL` with the lengths of the member and its data, as some crawlers write it.
    has_lengths: bool,
    name: Option<&'static str>,
}

const USUAL: Writer = Writer {
    extra_flags: 0,
    system: 3,
    time: 0,
    has_lengths: false,
    name: None,
};

const WRITERS: [Writer; 7] = [
    USUAL,
    Writer {
        extra_flags: 9,
        ..USUAL
    },
    Writer {
        system: 77,
        ..USUAL
    },
    Writer {
        extra_flags: 255,
        system: 254,
        ..USUAL
    },
    Writer {
        time: 1_700_000_000,
        ..USUAL
    },
    Writer {
        has_lengths: true,
        ..USUAL
    },
    Writer {
        name: Some("a-file-name.warc"),
        time: 1,
        extra_flags: 3,
        system: 200,
        ..USUAL
    },
];

fn record(number: usize) -> Vec<u8> {
    let mut state = number as u64 + 1;
    let body: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state.to_le_bytes()[7]
    })
    .take(500)
    .collect();
    packing::response(number, &format!("http://h{number}.example/"), &body)
}

fn member(writer: Writer, number: usize) -> Vec<u8> {
    let data = record(number);
    let mut builder = GzBuilder::new()
        .mtime(writer.time)
        .operating_system(writer.system);
    if writer.has_lengths {
        builder = builder.extra(b"SL\x08\0\x01\x02\x03\x04\x05\x06\x07\x08".to_vec());
    }
    if let Some(name) = writer.name {
        builder = builder.filename(name);
    }
    let mut encoder = builder.write(Vec::new(), Compression::default());
    encoder.write_all(&data).expect("memory");
    let mut member = encoder.finish().expect("memory");
    member[8] = writer.extra_flags;
    member
}

/// The file, and where each member begins.
fn file(writer: impl Fn(usize) -> Writer) -> (Vec<u8>, Vec<u64>) {
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    for number in 0..RECORDS {
        starts.push(bytes.len() as u64);
        bytes.extend(member(writer(number), number));
    }
    (bytes, starts)
}

/// Members in a file are found by any valid head: one damaged member costs one record, and the file
/// is split at true starts of members.
fn assert_is_read(name: &str, writer: impl Fn(usize) -> Writer) {
    let (mut bytes, starts) = file(writer);
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("archive");
    std::fs::write(&path, &bytes).expect("space");
    let input = Input::open(&Source::Path(path), true, directory.path()).expect("a file");
    let container = Container::detect(&input).expect("readable").expect("gzip");
    let (mut at, mut splits) = (Boundary::START, 0_u32);
    while at.offset < input.len() {
        let split = split::plan(&input, &container, at).expect("readable");
        assert!(
            starts.binary_search(&split.start.offset).is_ok(),
            "{name}: {split:?}"
        );
        at = split.end;
        splits += 1;
    }
    assert!(
        u64::from(splits) >= input.len() / (600 * 1024),
        "{name}: {splits} splits"
    );

    let found = read::bytes(&bytes);
    assert_eq!(
        (found.records.len(), &found.damage[..]),
        (RECORDS, &[][..]),
        "{name}"
    );
    let middle = usize::try_from(starts[RECORDS / 2]).expect("small") + 60;
    bytes[middle] ^= 0xff;
    bytes[middle + 1] ^= 0xff;
    let found = read::bytes(&bytes);
    assert_eq!(
        found.records.len(),
        RECORDS - 1,
        "{name}: {:?}",
        found.damage
    );
    assert_eq!(found.damage.len(), 1, "{name}: {:?}", found.damage);
}

#[test]
fn a_damaged_member_costs_one_record_whatever_the_heads() {
    for writer in WRITERS {
        assert_is_read(&format!("{writer:?}"), |_| writer);
    }
}

#[test]
fn heads_may_differ_within_a_file() {
    assert_is_read("joined", |number| {
        WRITERS[usize::from(number > RECORDS / 3)]
    });
    assert_is_read("alternating", |number| WRITERS[number % WRITERS.len()]);
}

/// A head with a checksum of its own is read too, where it is right.
#[test]
fn members_with_a_checksum_of_the_head_are_read() {
    let mut bytes = Vec::new();
    for number in 0..5 {
        let mut member = member(USUAL, number);
        member[3] |= 2;
        let mut crc = Crc::new();
        crc.update(&member[..10]);
        let sum = crc.sum().to_le_bytes();
        member.splice(10..10, [sum[0], sum[1]]);
        bytes.extend(member);
    }
    let found = read::bytes(&bytes);
    assert_eq!((found.records.len(), found.damage.len()), (5, 0));
}
