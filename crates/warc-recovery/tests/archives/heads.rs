//! Properties of heads. Cases of single heads are in `tests/cases`.

use proptest::prelude::{prop_assert, proptest};
use warc_recovery::http::link_target;
use warc_recovery::warc::{RESYNC_OVERLAP_BYTES, find_next_head};

#[test]
fn a_head_at_a_window_end_is_found_in_the_overlap() {
    let head = b"WARC/1.0\r\nWARC-Identified-Payload-Type: x\r\n";
    let mut bytes = vec![b'\n'; 500];
    bytes.extend_from_slice(head);
    for end in 500..bytes.len() {
        if let Some(found) = find_next_head(&bytes[..end], 0) {
            assert_eq!(found, 500);
        } else {
            let start = end.saturating_sub(RESYNC_OVERLAP_BYTES);
            assert_eq!(find_next_head(&bytes, start), Some(500));
        }
    }
}

proptest! {
    #[test]
    fn whatever_the_value_of_a_link_there_is_an_end(value in "[<>;,=\"\\\\ relicnsa/]{0,40}") {
        let found = link_target(value.as_bytes(), b"license");
        prop_assert!(found.is_none_or(|target| value.len() > target.len() + 2));
    }
}
