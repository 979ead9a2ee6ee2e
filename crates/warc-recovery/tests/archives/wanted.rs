//! The sink is asked about every record, and decides alone.

use std::cell::RefCell;

use warc_recovery::sink::{Position, RecordSink};
use warc_recovery::warc::RecordHead;

use crate::packing::Packing;
use crate::read;

/// Notes what it is asked about, and wants nothing.
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
        // Once by splits, and once by recovery, which damage at the start calls.
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
