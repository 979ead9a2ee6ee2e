//! ARC files as they occur: URL records, wrong lengths, missing line endings, and files from other
//! writers.

use std::path::Path;

use crate::packing::{Packing, arc_response};
use crate::read::{self, Contents};

const HEAD: &[u8] = b"filedesc://made.arc 0.0.0.0 20080801000000 text/plain 72\n1 0 Made up\n\
    URL IP-address Archive-date Content-type Archive-length\n\n\n";

fn record(number: usize) -> Vec<u8> {
    let url = format!("http://h{number}.example/robots.txt");
    arc_response(number, &url, b"User-agent: *\nDisallow: /x")
}

/// The record with another length in its URL record.
fn lying(number: usize, by: isize) -> Vec<u8> {
    let record = record(number);
    let end = record
        .iter()
        .position(|byte| *byte == b'\n')
        .expect("a line");
    let line = String::from_utf8(record[..end].to_vec()).expect("text");
    let (start, length) = line.rsplit_once(' ').expect("a length");
    let length = length.parse::<isize>().expect("a number") + by;
    [format!("{start} {length}").as_bytes(), &record[end..]].concat()
}

fn block(number: usize) -> Vec<u8> {
    let record = record(number);
    let start = record
        .iter()
        .position(|byte| *byte == b'\n')
        .expect("a line")
        + 1;
    record[start..record.len() - 1].to_vec()
}

#[track_caller]
fn assert_whole(found: &Contents, names: &str) {
    assert_eq!(found.damage, [], "{found:?}");
    let hosts: Vec<&str> = (found.uris().iter())
        .map(|uri| {
            uri.trim_start_matches("http://")
                .split(['.', ':'])
                .next()
                .unwrap_or_default()
        })
        .collect();
    assert_eq!(hosts.join(" "), names);
}

#[test]
fn every_packing_gives_the_same_records() {
    let mut records: Vec<Vec<u8>> = (0..40).map(record).collect();
    records.insert(0, HEAD.to_vec());
    for packing in Packing::ALL {
        let found = read::bytes(&packing.pack(&records));
        assert_eq!(found.damage, [], "{packing:?}");
        assert_eq!(found.records.len(), 41, "{packing:?}");
        assert_eq!(found.uris()[0], "filedesc://made.arc");
        assert_eq!(found.records[7].block, block(6));
    }
}

#[test]
fn lengths_that_are_wrong_by_a_few_bytes_cost_nothing() {
    for by in [-8, -2, -1, 1, 2, 8] {
        let records = [
            record(0),
            lying(1, by),
            record(2),
            lying(3, by),
            lying(4, by),
            record(5),
            lying(6, by),
        ];
        for packing in [
            Packing::Plain,
            Packing::GzipPerRecord,
            Packing::GzipWhole,
            Packing::GzipBlocks,
        ] {
            let found = read::bytes(&packing.pack(&records));
            assert_whole(&found, "h0 h1 h2 h3 h4 h5 h6");
            for (number, record) in found.records.iter().enumerate() {
                let expected = block(number);
                // A line end counted in the length cannot be distinguished from a line end between
                // records.
                let is_right = record.block == expected
                    || by == 1 && record.block == [&expected[..], b"\n"].concat();
                assert!(is_right, "{packing:?} {by}: {:?}", record.block);
            }
        }
    }
}

#[test]
fn lengths_that_are_wrong_by_much_cost_their_record_only() {
    for by in [-30, 30, 100_000, 6_000_000] {
        let records = [record(0), lying(1, by), record(2)];
        for packing in [Packing::Plain, Packing::GzipPerRecord, Packing::GzipWhole] {
            let found = read::bytes(&packing.pack(&records));
            assert_eq!(found.records.len(), 2, "{packing:?} {by}: {found:?}");
            assert_eq!(found.damage.len(), 1, "{packing:?} {by}: {found:?}");
        }
    }
}

/// A record whose URL record has these fields between URL and content type.
fn odd(number: usize, fields: &str) -> Vec<u8> {
    let line = format!("http://h{number}.example/robots.txt {fields} text/plain 4\n");
    [line.as_bytes(), b"body\n"].concat()
}

#[test]
fn records_with_odd_dates_are_read_in_every_packing() {
    let fields = [
        "192.0.2.1 2001010203",
        "192.0.2.1 200101020304059",
        "192.0.2.1 20010102abc",
        "192.0.2.1 0x3a5b2c1d",
        "20010102030405 192.0.2.1",
    ];
    let mut records = vec![HEAD.to_vec(), record(0)];
    for (number, fields) in (1..).zip(fields) {
        records.push(odd(number, fields));
    }
    records.push(record(6));
    for packing in Packing::ALL {
        let found = read::bytes(&packing.pack(&records));
        assert_whole(&found, "filedesc h0 h1 h2 h3 h4 h5 h6");
    }
    // Damage costs only the record that contains it.
    let plain = records.concat();
    let from = HEAD.len();
    for at in from..plain.len() {
        let mut flipped = plain.clone();
        flipped[at] ^= 0x80;
        let found = read::bytes(&flipped);
        assert!(found.records.len() >= records.len() - 2, "{at}: {found:?}");
        let cut = read::bytes(&plain[..at]);
        // The last line end may be missing.
        assert!(cut.records.len() < records.len() || at == plain.len() - 1);
    }
}

/// Files from other projects.
#[test]
#[ignore = "needs the shared archives beside the clone"]
fn files_of_other_writers_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/warc");
    for (name, urls, damage) in [
        (
            "webrecorder_warcio__example.arc",
            "filedesc://live-web-example.arc.gz http://example.com/",
            0,
        ),
        (
            "webrecorder_warcio__example.arc.gz",
            "filedesc://live-web-example.arc.gz http://example.com/",
            0,
        ),
        (
            "webrecorder_warcio__example-space-in-url.arc",
            // A copy whose CRLFs have become LFs: the record is shorter than its length says.
            "filedesc://live-web-example.arc.gz",
            1,
        ),
        (
            "richardlehane_webarchive__hello-world.arc",
            "filedesc://IA-001102.arc http://www.dryswamp.edu:80/index.html",
            0,
        ),
        (
            "richardlehane_webarchive__hello-world2.arc",
            "filedesc://IA-001102.arc http://www.dryswamp.edu:80/index.html",
            0,
        ),
        ("webrecorder_warcio__bad.arc", "http://example.com/", 3),
    ] {
        let bytes = std::fs::read(folder.join(name)).expect("a file");
        let found = read::input(&read::open(&bytes, true));
        assert_eq!(found.uris().join(" "), urls, "{name}: {found:?}");
        assert_eq!(found.damage.len(), damage, "{name}: {:?}", found.damage);
    }
}
