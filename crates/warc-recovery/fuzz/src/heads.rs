//! Heads of WARC records and of HTTP responses.

use warc_recovery::arc;
use warc_recovery::http::{Header, ResponseHead};
use warc_recovery::warc::{Field, HeadError, RecordHead, begins_record, find_next_head};

use super::lies_within;

/// A head is read from its own bytes: with fewer it is incomplete, and more change nothing. The
/// search for the next head finds what a search at every byte finds.
pub fn warc_head_is_decided_by_its_own_bytes(data: &[u8]) {
    match RecordHead::parse(data) {
        Ok(head) => {
            let length = head.head_length();
            assert!(begins_record(data) && length <= data.len());
            assert!(lies_within(head.bytes(), data));
            let again = RecordHead::parse(&data[..length]).expect("the same head");
            assert_eq!(again.head_length(), length);
            assert_eq!(again.content_length(), head.content_length());
            assert_eq!(again.record_type(), head.record_type());
            for cut in [length - 1, length / 2, length.saturating_sub(3)] {
                let error = RecordHead::parse(&data[..cut]).expect_err("a head that is cut off");
                assert_eq!(error, HeadError::Incomplete, "cut at {cut}");
            }
            for value in Field::ALL.iter().filter_map(|field| head.get(*field)) {
                assert!(lies_within(value.raw(), head.bytes()));
            }
            let _ = head.date();
            assert!(head.values_of(Field::PayloadDigest.name()).count() <= length);
        }
        Err(HeadError::Interrupted(at)) => assert!(begins_record(&data[at..])),
        Err(_) => {}
    }
    let from = usize::from(data.first().copied().unwrap_or_default() % 16);
    let found = find_next_head(data, from);
    let slow = (from..data.len()).find(|at| {
        // `begins_record` takes the slice for the start of a line; `find_next_head` sees the byte
        // before.
        begins_record(&data[*at..])
            && matches!(&data[*at..*at + 4], b"WARC" | b"warc")
            && find_next_head(data, *at) == Some(*at)
    });
    assert_eq!(found, slow);
}

/// The same for the URL record at the head of an ARC record.
pub fn url_record_is_decided_by_its_own_bytes(data: &[u8]) {
    match arc::parse(data) {
        Ok(head) => {
            let length = head.head_length();
            assert!(arc::begins_record(data) && length <= data.len());
            assert!(lies_within(head.bytes(), data) && head.bytes().ends_with(b"\n"));
            let again = arc::parse(&data[..length]).expect("the same head");
            assert_eq!(again.content_length(), head.content_length());
            let error = arc::parse(&data[..length - 1]).expect_err("a line that is cut off");
            assert_eq!(error, HeadError::Incomplete);
            for field in [Field::TargetUri, Field::Date, Field::IpAddress] {
                let value = head.get(field);
                assert!(value.is_none_or(|value| lies_within(value.raw(), head.bytes())));
            }
            assert!(head.target_uri().is_some());
            let _ = head.date();
        }
        Err(HeadError::BadContentLength) => assert!(arc::begins_record(data)),
        Err(_) => assert!(!arc::begins_record(data)),
    }
    let from = usize::from(data.first().copied().unwrap_or_default() % 16);
    let found = arc::find_next_head(data, from);
    let is_line_start = |at: &usize| *at == 0 || data[*at - 1] == b'\n';
    let slow = (from..data.len())
        .filter(is_line_start)
        .find(|at| arc::begins_record(&data[*at..]));
    // The search also finds heads in the middle of a line.
    assert!(found.is_none_or(|at| at >= from && arc::begins_record(&data[at..])));
    assert!(slow.is_none_or(|slow| found.is_some_and(|found| found <= slow)));
    let _ = arc::is_part_of(data);
}

/// Every slice of a head is within the block, the body begins where the head ends, and reading the
/// head alone gives the same.
pub fn http_head_lies_within_its_block(data: &[u8]) {
    let head = ResponseHead::parse(data);
    assert!(head.body_offset() <= data.len());
    assert!(
        head.status()
            .is_none_or(|status| (100..1000).contains(&status))
    );
    for (name, value) in head.fields() {
        assert!(lies_within(name, &data[..head.body_offset()]));
        assert!(lies_within(value.raw(), &data[..head.body_offset()]));
        assert!(!value.unfolded().contains(&b'\n'));
    }
    for &header in Header::ALL {
        let (first, mut all) = (head.get(header), head.get_all(header));
        assert_eq!(all.next(), first, "the first of all values");
        assert_eq!(head.get_joined(header).is_some(), first.is_some());
    }
    if head.is_complete() {
        let again = ResponseHead::parse(&data[..head.body_offset()]);
        assert_eq!(again.status(), head.status());
        assert_eq!(again.version(), head.version());
        assert_eq!(again.body_offset(), head.body_offset());
        assert!(again.fields().eq(head.fields()));
    }
}
