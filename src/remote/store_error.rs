//! What an object store says of a request that it does not answer: an `Error` in XML.
//!
//! Amazon S3 API Reference, "Error responses" (REST error responses).

use std::io::Read;

/// Bytes of an answer that are looked at.
const SNIFF_BYTES: u64 = 16 << 10;
/// Longest message, in characters.
pub(super) const MAX_MESSAGE: usize = 300;

/// What a store says; nothing where its answer is something else.
#[derive(Default)]
pub(super) struct StoreError {
    /// What follows a status: a colon, the code, and the message in parentheses.
    pub(super) text: String,
    /// The region of the bucket, where the request was meant for another one.
    pub(super) region: Option<String>,
}

impl StoreError {
    /// Reads the start of an answer's body. A body that breaks off is read as far as it goes.
    pub(super) fn read(body: impl Read) -> Self {
        let mut bytes = Vec::new();
        let _ = body.take(SNIFF_BYTES).read_to_end(&mut bytes);
        let answer = String::from_utf8_lossy(&bytes);
        let Some((_, error)) = answer.split_once("<Error") else {
            return Self::default();
        };
        let text = match (element(error, "Code"), element(error, "Message")) {
            (Some(code), Some(message)) => format!(": {code} ({message})"),
            (Some(told), None) | (None, Some(told)) => format!(": {told}"),
            (None, None) => String::new(),
        };
        let region = element(error, "Region");
        Self { text, region }
    }
}

/// The text of the first element of a name, on one line; none where that is empty.
fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (text, _) = rest.split_once(&format!("</{name}>"))?;
    // `&` last, so that its replacement is not decoded again.
    let text = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&#34;", "\""),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (entity, character)| {
        text.replace(entity, character)
    });
    let is_end = |it: char| it.is_whitespace() || it.is_control();
    let words: Vec<&str> = text.split(is_end).filter(|it| !it.is_empty()).collect();
    let text: String = words.join(" ").chars().take(MAX_MESSAGE).collect();
    (!text.is_empty()).then_some(text)
}
