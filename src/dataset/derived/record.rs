//! Records of the sorters: captures as bytes.
//!
//! A resolved capture's key sorts as the derived tables do: by reversed host, then origin, then
//! time (the latest first), then the capture's position. Its value is what was asked
//! ([`FirstCapture`]), followed by how that ended ([`LastCapture`]). The layout is known to this
//! file alone, and no file outlives the process.

use super::capture::{FirstCapture, StoredAnswer, write_reversed};
use crate::dataset::tables::{to_int, word_enum};

/// Bytes of a [`PositionKey`] in a key.
pub(super) const POSITION_BYTES: usize = 20;

/// Which capture: its input's number (in the order of names) and its two offsets, in the form that
/// sorts as they do.
pub(super) type PositionKey = [u8; POSITION_BYTES];

/// The position of a capture of the input numbered `input`.
pub(super) fn position(input: u32, offset: i64, inner_offset: i64) -> PositionKey {
    let mut position = [0; POSITION_BYTES];
    position[..4].copy_from_slice(&input.to_be_bytes());
    position[4..12].copy_from_slice(&rising(offset));
    position[12..].copy_from_slice(&rising(inner_offset));
    position
}

/// A number in the form that sorts as it does.
pub(super) fn rising(number: i64) -> [u8; 8] {
    (number.cast_unsigned() ^ (1 << 63)).to_be_bytes()
}

/// Appends a time in the form that sorts the latest first; none comes last.
pub(super) fn put_falling_time(key: &mut Vec<u8>, time: Option<i64>) {
    key.push(u8::from(time.is_none()));
    key.extend_from_slice(&rising(time.unwrap_or_default()).map(|byte| !byte));
}

/// Appends a text to a key so that keys sort as texts do, whatever follows.
pub(super) fn put_sorted_text(key: &mut Vec<u8>, text: &str) {
    for (number, piece) in text.split('\0').enumerate() {
        if number > 0 {
            key.extend_from_slice(&[0, 0xFF]);
        }
        key.extend_from_slice(piece.as_bytes());
    }
    key.extend_from_slice(&[0, 0]);
}

/// Where the text ends that [`put_sorted_text`] put at the beginning of a key.
fn text_end(key: &[u8]) -> usize {
    let end = key.windows(2).position(|pair| pair == [0, 0]);
    end.map_or(key.len(), |end| end + 2)
}

/// Where the host and the origin end in the key of a resolved capture.
pub(super) fn ends(key: &[u8]) -> (usize, usize) {
    let host = text_end(key);
    (host, host + text_end(&key[host..]))
}

/// Writes the key of a capture; `text` is room to work in.
pub(super) fn write_key(
    key: &mut Vec<u8>,
    capture: &FirstCapture<'_>,
    position: &PositionKey,
    text: &mut String,
) {
    key.clear();
    text.clear();
    if let Some(host) = capture.host {
        write_reversed(text, host, capture.tld.is_some());
    }
    put_sorted_text(key, text);
    text.clear();
    match (capture.protocol, capture.host) {
        // Of one host, origins sort by what they do not share.
        (Some(protocol), Some(_)) => {
            text.push_str(protocol);
            text.push(':');
            if let Some(port) = capture.port {
                text.push_str(&port.to_string());
            }
        }
        _ => capture.write_origin(text),
    }
    put_sorted_text(key, text);
    put_falling_time(key, capture.time);
    key.extend_from_slice(position);
}

impl<'r> FirstCapture<'r> {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for number in [self.input_id, self.offset, self.inner_offset] {
            put_number(out, number);
        }
        put_text(out, Some(self.url));
        put_text(out, self.protocol);
        put_text(out, self.host);
        put_text(out, self.tld);
        put_text(out, self.registered_domain);
        put_optional(out, self.port.map(i64::from));
        put_optional(out, self.time);
        put_optional(out, self.status.map(i64::from));
        put_text(out, self.redirect_url);
    }

    pub(super) fn read(from: &mut RecordDecoder<'r>) -> Self {
        Self {
            input_id: from.number(),
            offset: from.number(),
            inner_offset: from.number(),
            url: from.text().unwrap_or_default(),
            protocol: from.text(),
            host: from.text(),
            tld: from.text(),
            registered_domain: from.text(),
            port: from.optional().map(to_int),
            time: from.optional(),
            status: from.optional().map(to_int),
            redirect_url: from.text(),
        }
    }
}

word_enum! {
    /// How a chain of redirects ended: `resolved.ended`.
    pub(in crate::dataset) Ended {
        /// At a response that redirects no further.
        Final = "final",
        /// At a 3xx that does not say where to.
        NoLocation = "no_location",
        /// At a redirect whose target the crawl does not have.
        NotCaptured = "not_captured",
        /// At a redirect to a capture that the chain has been at.
        Loop = "loop",
        /// At a sixth redirect.
        TooMany = "too_many",
    }
}

/// The last capture of a chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastCapture<'r> {
    pub(super) n_redirects: u8,
    pub(super) ended: Ended,
    /// Its URL; none where it is the capture that was asked first.
    pub(super) url: Option<&'r str>,
    pub(super) answer: StoredAnswer,
}

impl<'r> LastCapture<'r> {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.n_redirects, self.ended as u8]);
        put_text(out, self.url);
        put_answer(out, self.answer);
    }

    pub(super) fn read(from: &mut RecordDecoder<'r>) -> Self {
        let [n_redirects, ended] = from.array();
        Self {
            n_redirects,
            ended: Ended::ALL[usize::from(ended)],
            url: from.text(),
            answer: from.answer(),
        }
    }
}

pub(super) fn put_answer(out: &mut Vec<u8>, answer: StoredAnswer) {
    put_optional(out, answer.status.map(i64::from));
    put_optional(out, answer.file_id);
    put_optional(out, answer.policy_id);
}

pub(super) fn put_text(out: &mut Vec<u8>, text: Option<&str>) {
    // Texts come from Arrow columns, which are shorter than 4 GiB; so none is taken for no text.
    let length = text.map_or(u32::MAX, |text| u32::try_from(text.len()).unwrap_or(0));
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(text.unwrap_or_default().as_bytes());
}

fn put_number(out: &mut Vec<u8>, number: i64) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_optional(out: &mut Vec<u8>, number: Option<i64>) {
    out.push(u8::from(number.is_some()));
    if let Some(number) = number {
        put_number(out, number);
    }
}

/// Decodes what the functions above encode.
pub(super) struct RecordDecoder<'r>(pub(super) &'r [u8]);

impl<'r> RecordDecoder<'r> {
    pub(super) fn bytes(&mut self, length: usize) -> &'r [u8] {
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        bytes
    }

    pub(super) fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N));
        array
    }

    pub(super) fn small_number(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    fn number(&mut self) -> i64 {
        i64::from_le_bytes(self.array())
    }

    fn optional(&mut self) -> Option<i64> {
        let [is_some] = self.array();
        (is_some == 1).then(|| self.number())
    }

    pub(super) fn text(&mut self) -> Option<&'r str> {
        let length = self.small_number();
        if length == u32::MAX {
            return None;
        }
        // It was a text when it was written.
        Some(std::str::from_utf8(self.bytes(length as usize)).unwrap_or_default())
    }

    pub(super) fn answer(&mut self) -> StoredAnswer {
        StoredAnswer {
            status: self.optional().map(to_int),
            file_id: self.optional(),
            policy_id: self.optional(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_times_sort_as_numbers_do() {
        let positions = [(0, 5, 9), (0, 300, 0), (0, 300, 1), (1, 0, 0)];
        let positions = positions.map(|(input, offset, inner)| position(input, offset, inner));
        assert!(positions.is_sorted());
        let times = [Some(300), Some(7), Some(0), Some(-5), None].map(|time| {
            let mut key = Vec::new();
            put_falling_time(&mut key, time);
            key
        });
        assert!(times.is_sorted());
    }

    #[test]
    fn texts_sort_as_they_are_whatever_follows() {
        let texts = ["", "\0", "\0a", "a", "a\0", "a\0\0", "a\u{1}", "ab"];
        assert!(texts.is_sorted());
        let keys = texts.map(|text| {
            [0xFF, 0].map(|next| {
                let mut key = Vec::new();
                put_sorted_text(&mut key, text);
                key.push(next);
                key
            })
        });
        for pair in keys.windows(2) {
            assert!(pair[0].iter().max() < pair[1].iter().min(), "{pair:?}");
        }
    }
}
