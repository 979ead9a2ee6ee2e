//! Describes an input that is neither an archive nor a table of fetches, and suggests what to do.

use memchr::{memchr, memmem};
use page_directives::html::begins_as_html;

use crate::byte_order_mark::without_bom;
use crate::ingest::corpus::extension;

pub(crate) const SNIFF_BYTES: usize = 4096;

/// One kind of file per line: its first bytes as [`escape_ascii`](slice::escape_ascii) writes them,
/// what it is, and what to do with it.
const KNOWN: &str = include_str!("no_warc.txt");
const MAX_MAGIC_BYTES: usize = 16;

/// Describes the input whose unpacked content begins with `start`, with the remedy.
pub(crate) fn describe(start: &[u8]) -> String {
    let start = &start[..start.len().min(SNIFF_BYTES)];
    match what(start) {
        Some(what) => format!("not an input, but {what}"),
        None => {
            "not an input: neither an archive (WARC, ARC, WACZ) nor a table of fetches".to_owned()
        }
    }
}

/// Describes a file that begins with `start`, and what to do with it.
pub(crate) fn what(start: &[u8]) -> Option<&'static str> {
    let magic = start[..start.len().min(MAX_MAGIC_BYTES)].escape_ascii();
    let magic = magic.to_string();
    let mut known = KNOWN.lines().filter_map(|line| line.split_once(": "));
    if let Some((_, what)) = known.find(|(known, _)| magic.starts_with(known)) {
        return Some(what);
    }
    let is_text = !start.is_empty() && memchr(0, start).is_none();
    if begins_as_cdx(start) {
        Some(
            "a CDX index, which lists captures but does not contain them: robostat ingest \
             --index reads these captures from their archives",
        )
    } else if is_text && is_html(start) {
        Some("an HTML page, perhaps a server's error message: look at it, and fetch the file again")
    } else if is_text && start.trim_ascii_start().starts_with(b"<") {
        Some("XML")
    } else if has_user_agent(start) {
        Some("what looks like a robots.txt: `robostat check` and `robostat inspect` read these")
    } else if is_text && is_mostly_text(start) {
        Some(
            "text; `robostat check` and `robostat inspect` read single robots.txt files, and \
             --files-from reads lists of files",
        )
    } else {
        None
    }
}

/// Whether a file begins with a header of CDX, or with a CDX line: SURT key, time of 14 digits.
pub(crate) fn begins_as_cdx(start: &[u8]) -> bool {
    let mut lines = start.split(|byte| matches!(byte, b'\n' | b'\r'));
    let line = lines.next().unwrap_or_default();
    let mut fields = line.split(|byte| *byte == b' ');
    line.starts_with(b" CDX ")
        || line.starts_with(b"!meta")
        || fields.next().is_some_and(|key| key.contains(&b')'))
            && (fields.next())
                .is_some_and(|time| time.len() == 14 && time.iter().all(u8::is_ascii_digit))
}

/// Whether text is a page: it begins as one, or has its root element after other markup.
fn is_html(start: &[u8]) -> bool {
    let has_root = || memmem::find(&start.to_ascii_lowercase(), b"<html").is_some();
    begins_as_html(start) || without_bom(start).trim_ascii_start().starts_with(b"<") && has_root()
}

/// Whether text that begins with `start` has a user-agent line of a robots.txt.
pub(crate) fn has_user_agent(start: &[u8]) -> bool {
    let is_user_agent = |line: &[u8]| {
        let line = without_bom(line);
        let key = line.split(|byte| *byte == b':').next().unwrap_or_default();
        key.len() < line.len() && key.trim_ascii().eq_ignore_ascii_case(b"user-agent")
    };
    let mut lines = start.split(|byte| matches!(byte, b'\n' | b'\r'));
    memchr(0, start).is_none() && lines.any(is_user_agent)
}

fn is_mostly_text(start: &[u8]) -> bool {
    let is_text = |byte: &&u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    start.iter().filter(is_text).count() == start.len() && start.utf8_chunks().count() <= 2
}

/// Why an archive of this name has no captures, if the name shows it.
pub(crate) fn without_captures(name: &str) -> Option<String> {
    let (kind, content) = match &*extension(name) {
        "wat" => ("WAT", "data extracted from pages"),
        "wet" => ("WET", "the text of pages"),
        _ => return None,
    };
    Some(format!(
        "no capture: {kind} files have {content}, and no robots.txt; ingest the robots.txt or WARC \
         files of the same crawl"
    ))
}
