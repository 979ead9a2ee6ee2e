//! Bodies of HTTP responses: transfer and content codings under limits.

use warc_recovery::http::{BodyIssue, BodyLimits, ResponseHead, decode_body};

use super::first_line;

/// Codings by the letters of the data's first line.
const CODINGS: [(u8, &str); 6] = [
    (b'g', "gzip"),
    (b'd', "deflate"),
    (b'b', "br"),
    (b'z', "zstd"),
    (b'i', "identity"),
    (b'?', "unknown"),
];

/// Kept and decoded bytes stay within their limits, a smaller limit keeps the start of what a
/// larger one keeps, and chunks around a coded body do not change what it decodes to.
pub fn limits_hold_and_chunking_changes_nothing(data: &[u8]) {
    let (plan, stored) = first_line(data);
    let names: Vec<&str> = plan
        .iter()
        .filter_map(|letter| Some(CODINGS.iter().find(|(known, _)| known == letter)?.1))
        .take(10)
        .collect();
    let codings = names.join(", ");
    let whole = head(&format!("Content-Encoding: {codings}\r\n"));
    let max_decoded = 300_000;
    let keep = if plan.contains(&b'k') { 100 } else { 100_000 };

    let (bytes, length, issues) = decode(&whole, stored, keep, max_decoded);
    assert!(bytes.len() <= keep);
    assert!(bytes.len() == keep || bytes.len() as u64 == length);
    // A coding's output is bounded; without a coding the body is the stored bytes.
    assert!(length <= max_decoded.max(stored.len() as u64));
    let (less, same_length, same_issues) = decode(&whole, stored, keep / 2, max_decoded);
    assert!(bytes.starts_with(&less) && less.len() <= keep / 2);
    assert_eq!((same_length, &same_issues), (length, &issues));

    let chunked = head(&format!(
        "Content-Encoding: {codings}\r\nTransfer-Encoding: chunked\r\n"
    ));
    // The stored bytes need not be chunks.
    let (bytes_as_chunks, length_as_chunks, _) = decode(&chunked, stored, keep, max_decoded);
    assert!(bytes_as_chunks.len() <= keep);
    assert!(length_as_chunks <= max_decoded.max(stored.len() as u64));
    if stored.is_empty() {
        return;
    }
    let size = 1 + plan.len() * 7;
    let mut chunks = Vec::new();
    for chunk in stored.chunks(size) {
        chunks.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        chunks.extend_from_slice(chunk);
        chunks.extend_from_slice(b"\r\n");
    }
    chunks.extend_from_slice(b"0\r\n\r\n");
    let (joined, joined_length, joined_issues) = decode(&chunked, &chunks, keep, max_decoded);
    assert!(joined == bytes, "chunks of {size} change {codings:?}");
    assert_eq!(joined_length, length);
    assert_eq!(joined_issues, issues);
}

fn head(fields: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\n{fields}\r\n").into_bytes()
}

fn decode(
    head: &[u8],
    stored: &[u8],
    keep: usize,
    max_decoded: u64,
) -> (Vec<u8>, u64, Vec<BodyIssue>) {
    let head = ResponseHead::parse(head);
    let mut scratch = Vec::new();
    let limits = BodyLimits { keep, max_decoded };
    let body = decode_body(&head, stored, limits, &mut scratch);
    (
        body.bytes.to_vec(),
        body.decoded_length,
        body.issues.iter().collect(),
    )
}
