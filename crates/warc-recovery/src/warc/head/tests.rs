//! Oddities of record heads, each as bytes.

use super::*;

fn error(input: &[u8]) -> HeadError {
    RecordHead::parse(input).expect_err("not a head")
}

#[test]
fn a_head_that_never_ends() {
    let mut input = b"WARC/1.0\r\n".to_vec();
    while input.len() < MAX_HEAD_BYTES {
        input.extend_from_slice(b"X-Filler: abcdefghijklmnopqrstuvwxyz\r\n");
    }
    assert_eq!(error(&input[..MAX_HEAD_BYTES - 1]), HeadError::Incomplete);
    assert_eq!(error(&input), HeadError::TooLong);
    input.extend_from_slice(b"Content-Length: 0\r\n\r\n");
    assert_eq!(error(&input), HeadError::TooLong);
    let one_line = [b"WARC/".as_slice(), &vec![b'1'; MAX_HEAD_BYTES]].concat();
    assert_eq!(error(&one_line), HeadError::TooLong);
}

proptest::proptest! {
    #[test]
    fn a_head_never_panics(
        start in proptest::sample::select(vec!["", "WARC/1.0\r\n", "WARC/1.0\nContent-Length: "]),
        rest in proptest::collection::vec(
            proptest::prop_oneof![
                proptest::prelude::any::<u8>(),
                proptest::sample::select(b"\r\n: \tWARC/1.0".to_vec()),
            ],
            0..300,
        ),
    ) {
        let input = [start.as_bytes(), &rest].concat();
        match RecordHead::parse(&input) {
            Ok(head) => {
                assert!(head.head_length() <= input.len());
                // What was read does not depend on what follows.
                let again = RecordHead::parse(&input[..head.head_length()]).expect("the same");
                assert_eq!(again.content_length(), head.content_length());
            }
            Err(HeadError::Interrupted(at)) => assert!(input[at..at + 5].eq_ignore_ascii_case(b"WARC/")),
            Err(_) => {}
        }
        let _ = crate::warc::find_next_head(&input, 0);
        let _ = parse_date(&rest);
    }
}
