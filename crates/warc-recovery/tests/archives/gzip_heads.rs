//! gzip members with any valid head are read in parallel, and found after damage.

use std::io::Write as _;

use flate2::{Compression, Crc, GzBuilder};
use warc_recovery::container::{Container, Format};

use crate::packing;
use crate::read;

const RECORDS: usize = 3_000;

/// The heads that a writer makes: extra flags, operating system, time, extra field, name.
type Writer = (u8, u8, u32, &'static [u8], &'static str);

/// A subfield with the lengths of the member and its data, as some crawlers write it.
const LENGTHS: &[u8] = b"SL\x08\0\x01\x02\x03\x04\x05\x06\x07\x08";

/// The usual head first.
const WRITERS: [Writer; 7] = [
    (0, 3, 0, b"", ""),
    (9, 3, 0, b"", ""),
    (0, 77, 0, b"", ""),
    (255, 254, 0, b"", ""),
    (0, 3, 1_700_000_000, b"", ""),
    (0, 3, 0, LENGTHS, ""),
    (3, 200, 1, b"", "a-file-name.warc"),
];

fn record(number: usize) -> Vec<u8> {
    let url = format!("http://h{number}.example/");
    packing::response(number, &url, &packing::noise(number, 500))
}

fn member((extra_flags, system, time, extra, name): Writer, number: usize) -> Vec<u8> {
    let mut builder = GzBuilder::new().mtime(time).operating_system(system);
    if !extra.is_empty() {
        builder = builder.extra(extra);
    }
    if !name.is_empty() {
        builder = builder.filename(name);
    }
    let mut encoder = builder.write(Vec::new(), Compression::default());
    encoder.write_all(&record(number)).expect("memory");
    let mut member = encoder.finish().expect("memory");
    member[8] = extra_flags;
    member
}

/// A file, and where each member begins.
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
    let splits = read::splits(&read::open(&bytes, true));
    for split in &splits {
        let is_start = starts.binary_search(&split.start.offset).is_ok();
        assert!(is_start, "{name}: {split:?}");
    }
    let n_splits = splits.len();
    assert!(
        n_splits >= bytes.len() / (600 * 1024),
        "{name}: {n_splits} splits"
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

/// A head with a checksum of its own is read too, if the checksum is right.
#[test]
fn members_with_a_checksum_of_the_head_are_read() {
    let mut bytes = Vec::new();
    for number in 0..5 {
        let mut member = member(WRITERS[0], number);
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

/// Reserved flags rule a head out (RFC 1952 §2.3.1.2); the extra flags and the system may have any
/// value.
#[test]
fn any_valid_head_begins_a_member() {
    let container = Container::new(&read::open(b"", false), Format::Gzip);
    let begins = |flags: u8, extra_flags: u8, system: u8| {
        let head = [0x1f, 0x8b, 8, flags, 1, 2, 3, 4, extra_flags, system];
        assert_eq!(container.find_candidate(&head[..9], 0), None);
        container.find_candidate(&head, 0) == Some(0)
    };
    for byte in 0..=255 {
        assert!(begins(0, byte, !byte));
        assert_eq!(begins(byte, 0, 0), byte < 0x20);
    }
}
