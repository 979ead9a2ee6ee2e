//! The reader asks the sink about every record, and only the sink decides.

use std::cell::RefCell;
use std::ops::Range;

use proptest::prelude::*;
use warc_recovery::sink::{Position, RecordSink};
use warc_recovery::warc::RecordHead;

use crate::packing::{self, Packing};
use crate::read::{self, RobotsTxt};

/// Notes the URIs of the records that it is asked about, and wants none.
#[derive(Default)]
struct UriLog(RefCell<Vec<Option<String>>>);

impl RecordSink for UriLog {
    fn wants(&self, head: &RecordHead<'_>) -> bool {
        let uri = head.target_uri().map(|uri| uri.to_text().into_owned());
        self.0.borrow_mut().push(uri);
        false
    }

    fn record(&mut self, _: Position, _: &RecordHead<'_>, _: &[u8], _: u64) {
        unreachable!("nothing is wanted");
    }
}

#[test]
fn a_response_without_a_target_uri_is_asked_about() {
    let record = |field: &str| {
        format!("WARC/1.0\r\nWARC-Type: response\r\n{field}Content-Length: 3\r\n\r\nabc\r\n\r\n")
            .into_bytes()
    };
    let records = [
        record("WARC-Target-URI: http://a.example/\r\n"),
        record(""),
        record("WARC-Target-URI: http://b.example/\r\n"),
    ];
    let expected = [Some("http://a.example/"), None, Some("http://b.example/")];
    for packing in Packing::ALL {
        let mut bytes = packing.pack(&records);
        // Once by splits, and once by recovery, which damage at the start triggers.
        for damage in [&b""[..], b"damage\r\n"] {
            if packing == Packing::GzipWhole && !damage.is_empty() {
                continue;
            }
            bytes.splice(0..0, damage.iter().copied());
            let input = read::open(&bytes, true);
            let mut asked = UriLog::default();
            warc_recovery::read_all(&input, &mut asked).expect("readable");
            let asked = asked.0.into_inner();
            let uris: Vec<_> = asked.iter().map(Option::as_deref).collect();
            if damage.is_empty() || packing != Packing::ZstdDictionary {
                assert_eq!(uris, expected, "{packing:?}");
            }
        }
    }
}

/// Pages of a crawl, each large enough that a look at its start is worthwhile.
fn pages() -> Vec<Vec<u8>> {
    let page = |number| {
        let body = packing::noise(number, 20_000);
        packing::response(number, &format!("http://h{number}.example/"), &body)
    };
    (0..6).map(page).collect()
}

/// The robots.txt files and the damage in members.
fn robots_txt(members: &[u8]) -> (Vec<String>, usize) {
    let mut sink = RobotsTxt::default();
    let input = read::open(members, true);
    let accounting = warc_recovery::read_all(&input, &mut sink).expect("readable");
    assert_eq!(accounting.bytes(), input.len());
    let uris = sink.0.uris().into_iter().map(str::to_owned).collect();
    (uris, sink.0.damage.len())
}

/// Damage in a skipped page goes unseen; captures of the same size are read.
#[test]
fn pages_that_are_not_wanted_are_skipped_by_their_length() {
    let mut records = pages();
    let body = packing::noise(9, 20_000);
    records.push(packing::response(9, "http://a.example/robots.txt", &body));
    let last = Packing::GzipPerRecord.pack(&records[..5]).len();
    let mut members = Packing::GzipPerRecord.pack(&records);
    members[last + 10_000] ^= 0xff;
    assert_eq!(read::bytes(&members).damage.len(), 1);
    let capture = vec!["http://a.example/robots.txt".to_owned()];
    assert_eq!(robots_txt(&members), (capture, 0));
}

/// A page with the bytes of its own end and of a capture after it, stored unchanged: its head is
/// compressed, and the noise after it is not.
#[test]
fn a_page_cannot_pass_for_two_records() {
    let forged = packing::response(7, "http://victim.example/robots.txt", b"x");
    let url = "http://a.example/";
    let mut body = packing::noise(6, 100_000);
    let length = packing::response(6, url, &body).len();
    let size = u32::try_from(length).expect("short").to_le_bytes();
    let payload = [&size[..], &packing::gzip(&forged)].concat();
    body[60_000..60_000 + payload.len()].copy_from_slice(&payload);
    let page = packing::response(6, url, &body);
    assert_eq!(page.len(), length);
    for missing_line_ends in [0, 2, 4] {
        let cut = |record: Vec<u8>| record[..record.len() - missing_line_ends].to_vec();
        let pages: Vec<_> = pages().into_iter().map(cut).collect();
        let mut members = Packing::GzipPerRecord.pack(&pages);
        members.extend(packing::gzip(&cut(page.clone())));
        assert!(members.windows(payload.len()).any(|it| it == payload));
        members.extend(Packing::GzipPerRecord.pack(&pages));
        assert_eq!(robots_txt(&members), (vec![], 0), "{missing_line_ends}");
    }
}

/// A record of a made-up crawl: whether it is a robots.txt, bytes of its body, and line endings
/// after it.
type MadeRecord = (bool, usize, &'static str);

/// Many records have the same length, or differ by the bytes of a line end.
fn record() -> impl Strategy<Value = MadeRecord> {
    let bytes = prop_oneof![Just(20), Just(9_000), Just(9_002), Just(9_004)];
    let line_ends = prop_oneof![4 => Just("\r\n\r\n"), 2 => Just("\r\n"), 1 => Just("")];
    (any::<bool>(), bytes, line_ends)
}

/// The robots.txt files in a gzip member, and where the member is in the file.
type Member = (Vec<String>, Range<usize>);

/// A gzip file with these records in each member.
fn members(records: &[Vec<MadeRecord>]) -> (Vec<u8>, Vec<Member>) {
    let (mut file, mut members, mut number) = (Vec::new(), Vec::new(), 1_000);
    for records in records {
        let (mut data, mut uris) = (Vec::new(), Vec::new());
        for (is_robots_txt, bytes, line_ends) in records {
            let name = if *is_robots_txt {
                "robots.txt"
            } else {
                "index.html"
            };
            let uri = format!("http://h{number}.example/{name}");
            let body = "x".repeat(*bytes);
            let record = packing::response(number, &uri, body.as_bytes());
            data.extend_from_slice(&record[..record.len() - 4]);
            data.extend_from_slice(line_ends.as_bytes());
            uris.extend(is_robots_txt.then_some(uri));
            number += 1;
        }
        let start = file.len();
        file.extend(packing::gzip(&data));
        members.push((uris, start..file.len()));
    }
    (file, members)
}

fn crawls() -> impl Strategy<Value = Vec<Vec<MadeRecord>>> {
    let member = prop::collection::vec(record(), 1..3);
    prop::collection::vec(member, 1..16)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// However members are filled and records end, a skipped page hides no record.
    #[test]
    fn every_record_of_an_intact_crawl_is_read_or_skipped(crawl in crawls()) {
        let (file, members) = members(&crawl);
        let mut sink = RobotsTxt::default();
        let input = read::open(&file, true);
        let accounting = warc_recovery::read_all(&input, &mut sink).expect("readable");
        let uris: Vec<String> = members.into_iter().flat_map(|(uris, _)| uris).collect();
        prop_assert_eq!(sink.0.uris(), uris);
        prop_assert_eq!(accounting.records, crawl.concat().len() as u64);
        prop_assert_eq!(sink.0.damage, []);
    }

    /// Bytes that are lost or changed cost no robots.txt of other members.
    #[test]
    fn damage_costs_no_robots_txt_of_intact_members(
        crawl in crawls(),
        at in any::<prop::sample::Index>(),
        length in 1..300_usize,
        is_deleted in any::<bool>(),
    ) {
        let (mut file, members) = members(&crawl);
        let at = at.index(file.len());
        let damaged = at..file.len().min(at + length);
        if is_deleted {
            file.drain(damaged.clone());
        } else {
            file[damaged.clone()].iter_mut().for_each(|byte| *byte ^= 0x55);
        }
        let (found, n_damaged) = robots_txt(&file);
        for (uris, member) in members {
            if member.end <= damaged.start || damaged.end <= member.start {
                let lost = uris.iter().find(|uri| !found.contains(uri));
                prop_assert!(lost.is_none(), "{lost:?} {n_damaged}");
            }
        }
    }
}
