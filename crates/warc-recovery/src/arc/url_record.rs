//! Splits a URL record into fields, although URLs and types may contain spaces.

use memchr::{memchr, memrchr};

/// How URLs in archives begin.
const SCHEMES: [&[u8]; 16] = [
    b"http:",
    b"https:",
    b"filedesc:",
    b"dns:",
    b"ftp:",
    b"whois:",
    b"gopher:",
    b"mailto:",
    b"news:",
    b"nntp:",
    b"telnet:",
    b"wais:",
    b"rtsp:",
    b"mms:",
    b"metadata:",
    b"screenshot:",
];

/// Fields that only version 2 has, between type and length.
const FIELDS_ONLY_IN_2: usize = 5;

/// The parts of a URL record that are kept.
pub(super) struct UrlRecord<'a> {
    pub(super) url: &'a [u8],
    pub(super) ip_address: &'a [u8],
    pub(super) date: &'a [u8],
    pub(super) content_type: &'a [u8],
    pub(super) length: &'a [u8],
    pub(super) version: u16,
}

/// Splits a line, without its line ending, into fields; `None` if it is not a URL record.
pub(super) fn split(line: &[u8]) -> Option<UrlRecord<'_>> {
    split_dated(line).or_else(|| split_odd(line))
}

/// A line whose address and date are as the format requires.
fn split_dated(line: &[u8]) -> Option<UrlRecord<'_>> {
    let (rest, length) = split_lengths(line)?;
    // The URL ends before the address and the date. URL and type may contain spaces.
    let mut before = rest;
    let mut n_after = 0;
    let (url, ip_address, date) = loop {
        let space = memrchr(b' ', before)?;
        let date = &before[space + 1..];
        if is_date(date) {
            let space_before = memrchr(b' ', &before[..space])?;
            let ip_address = &before[space_before + 1..space];
            if is_address(ip_address) {
                break (&before[..space_before], ip_address, date);
            }
        }
        before = &before[..space];
        n_after += 1;
    };
    let url = url.trim_ascii();
    if !may_begin_url(url) || memchr(b':', url)? + 1 == url.len() {
        return None;
    }
    let after = rest[before.len()..].trim_ascii();
    let (content_type, version) = if n_after > FIELDS_ONLY_IN_2 {
        let type_end = nth_space_from_end(after, FIELDS_ONLY_IN_2)?;
        (&after[..type_end], 2)
    } else {
        (after, 1)
    };
    Some(UrlRecord {
        url,
        ip_address,
        date: readable_date(date),
        content_type: content_type.trim_ascii(),
        length,
        version,
    })
}

/// A line with an address and anything instead of the date, or with date and address swapped. The
/// line must have as many fields as one of the versions, and its length must be a number: nothing
/// else distinguishes the line from text.
fn split_odd(line: &[u8]) -> Option<UrlRecord<'_>> {
    let mut fields = line.trim_ascii_end().split(|byte| *byte == b' ');
    let (url, second) = (fields.next()?, fields.next()?);
    let (third, content_type) = (fields.next()?, fields.next()?);
    let length = fields.next_back()?;
    let version = match fields.count() {
        0 => 1,
        FIELDS_ONLY_IN_2 => 2,
        _ => return None,
    };
    let (ip_address, date) = if is_date(second) && is_address(third) {
        (third, second)
    } else if is_address(second) && !third.is_empty() {
        (second, third)
    } else {
        return None;
    };
    let is_number = (1..=20).contains(&length.len()) && length.iter().all(u8::is_ascii_digit);
    let has_host = may_begin_url(url) && memchr(b':', url)? + 1 < url.len();
    (is_number && has_host).then_some(UrlRecord {
        url,
        ip_address,
        date: readable_date(date),
        content_type,
        length,
        version,
    })
}

/// The readable beginning of a date: 14 digits, or 17 with milliseconds.
fn readable_date(date: &[u8]) -> &[u8] {
    let digits = date.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match digits {
        17 => &date[..17],
        14.. => &date[..14],
        _ => date,
    }
}

/// Whether `bytes` are, or may become, the start of a URL with one of the [`SCHEMES`]. Other
/// schemes are not accepted: after a wrong length, the rest of a URL could look like a URL record.
pub(super) fn may_begin_url(bytes: &[u8]) -> bool {
    SCHEMES.iter().any(|scheme| {
        let length = bytes.len().min(scheme.len());
        bytes[..length].eq_ignore_ascii_case(&scheme[..length])
    })
}

/// Splits a line before its last field, which should be a length. This quick check rules out nearly
/// every line.
pub(super) fn split_lengths(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii_end();
    let last = memrchr(b' ', line)?;
    let (rest, length) = (&line[..last], &line[last + 1..]);
    (length.len() <= 20).then_some((rest, length))
}

fn nth_space_from_end(bytes: &[u8], n: usize) -> Option<usize> {
    let mut end = bytes.len();
    for _ in 0..n {
        end = memrchr(b' ', &bytes[..end])?;
    }
    Some(end)
}

pub(super) fn is_date(field: &[u8]) -> bool {
    (12..=20).contains(&field.len()) && field.iter().all(u8::is_ascii_digit)
}

/// An IPv4 or IPv6 address, `0` or `-`.
pub(super) fn is_address(field: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':' | b'-');
    (1..=45).contains(&field.len()) && field.iter().all(is_part)
}
