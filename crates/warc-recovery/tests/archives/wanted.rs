//! The reader asks the sink about every record, and only the sink decides.

use std::cell::RefCell;

use warc_recovery::sink::{Position, RecordSink};
use warc_recovery::warc::RecordHead;

use crate::packing::{self, Packing, stored};
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

/// A page with the bytes of its own end and of a capture after it, stored unchanged.
#[test]
fn a_page_cannot_pass_for_two_records() {
    let forged = packing::response(7, "http://victim.example/robots.txt", b"x");
    let url = "http://a.example/";
    let mut body = vec![b'x'; 20_000];
    let length = packing::response(6, url, &body).len();
    let size = u32::try_from(length).expect("short").to_le_bytes();
    let payload = [&size[..], &packing::gzip(&forged)].concat();
    body[5_000..5_000 + payload.len()].copy_from_slice(&payload);
    let page = packing::response(6, url, &body);
    assert_eq!(page.len(), length);
    let mut members = Packing::GzipPerRecord.pack(&pages());
    members.extend(stored(&[page]));
    assert!(members.windows(payload.len()).any(|it| it == payload));
    members.extend(Packing::GzipPerRecord.pack(&pages()));
    assert_eq!(robots_txt(&members), (vec![], 0));
}
