//! Labels of crawls in names of directories, `captures/crawl=LABEL`, as in Hive partitioning.
//!
//! Labels may come from archives (`isPartOf`), so a label must not lead out of the dataset, and the
//! directory's name must give back the label.

use std::borrow::Cow;

use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode_byte, utf8_percent_encode,
};
use xxhash_rust::xxh3::xxh3_64;

/// Most bytes of a label in a directory's name: file systems allow names of 255 bytes, and the name
/// of a staged part is longer than its label.
const MAX_BYTES: usize = 192;

/// Names that readers of partitions take for null.
const NULLS: [&str; 2] = ["null", "__hive_default_partition__"];

const SPECIAL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// A label that fits into a directory's name: `label`, or its beginning followed by a hash of the
/// whole, so that labels that begin alike stay different.
pub(crate) fn fitting(label: &str) -> Cow<'_, str> {
    if fits(label) {
        return Cow::Borrowed(label);
    }
    let hash = xxh3_64(label.as_bytes());
    let mark = format!("-{hash:016x}");
    Cow::Owned(format!("{}{mark}", cut(label, MAX_BYTES - mark.len())))
}

/// The label that the user typed, or the reason why no directory can be named after it.
pub fn checked(label: &str) -> Result<String, String> {
    if label.is_empty() {
        Err("a label cannot be empty".to_owned())
    } else if fits(label) {
        Ok(label.to_owned())
    } else {
        Err(format!(
            "too long for a directory's name; at most {MAX_BYTES} letters, digits, `-`, `_` and \
             `.`; any other byte counts as three"
        ))
    }
}

fn fits(label: &str) -> bool {
    cut(label, MAX_BYTES).len() == label.len()
}

/// As much of a label as fits into `bytes` bytes of a directory's name.
fn cut(label: &str, bytes: usize) -> &str {
    let ends = label.char_indices().map(|(at, it)| at + it.len_utf8());
    let beginnings = ends.map(|end| &label[..end]);
    let length = |text| -> usize { utf8_percent_encode(text, SPECIAL).map(str::len).sum() };
    let fitting = beginnings.take_while(|text| length(text) <= bytes);
    fitting.last().unwrap_or_default()
}

/// A label, percent-encoded so that it cannot lead out of a directory or be taken for null.
pub(crate) fn escape(label: &str) -> String {
    let mut escaped = utf8_percent_encode(label, SPECIAL).to_string();
    if NULLS.iter().any(|null| null.eq_ignore_ascii_case(label)) {
        escaped.replace_range(..1, percent_encode_byte(label.as_bytes()[0]));
    }
    escaped
}

pub(super) fn unescape(escaped: &str) -> String {
    percent_decode_str(escaped).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests;
