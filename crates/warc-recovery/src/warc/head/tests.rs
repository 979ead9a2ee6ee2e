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
