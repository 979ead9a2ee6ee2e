//! A capture's record: what was requested, and the head of the response.

use serde_json::Value;
use warc_recovery::digest;
use warc_recovery::http::ResponseHead;
use warc_recovery::recovery::OwnedRecord;
use warc_recovery::warc::{Field, RecordHead, RecordType};

use super::parsed::rows;
use crate::dataset::tables::captures::CapturesBuilder;
use crate::escape::lossy;
use crate::ingest::capture::Capture;
use crate::ingest::rows::InputName;

/// Fields of a record's head that are shown, with their names in the WARC standard.
const SHOWN_FIELDS: [(Field, &str); 13] = [
    (Field::Type, "WARC-Type"),
    (Field::TargetUri, "WARC-Target-URI"),
    (Field::Date, "WARC-Date"),
    (Field::RecordId, "WARC-Record-ID"),
    (Field::IpAddress, "WARC-IP-Address"),
    (Field::ContentLength, "Content-Length"),
    (Field::PayloadDigest, "WARC-Payload-Digest"),
    (Field::IdentifiedPayloadType, "WARC-Identified-Payload-Type"),
    (Field::Truncated, "WARC-Truncated"),
    (Field::Profile, "WARC-Profile"),
    (Field::RefersTo, "WARC-Refers-To"),
    (Field::RefersToTargetUri, "WARC-Refers-To-Target-URI"),
    (Field::RefersToDate, "WARC-Refers-To-Date"),
];

pub(super) struct Exchange {
    /// The row of `captures`.
    pub(super) row: Value,
    pub(super) warc_fields: Vec<(String, String)>,
    /// The status line, as far as it is kept.
    pub(super) status_line: Option<String>,
    pub(super) http_headers: Vec<(String, String)>,
    pub(super) is_revisit: bool,
}

impl Exchange {
    /// `ids` identify the file and its policy.
    pub(super) fn of(
        record: &OwnedRecord,
        head: &RecordHead<'_>,
        capture: &Capture<'_>,
        input: InputName<'_>,
        ids: Option<(i64, i64)>,
    ) -> Self {
        let block = &record.bytes[head.head_length()..];
        let http = capture.http.as_ref();
        // Hashing one record costs nothing.
        let is_valid = digest::verify(head, http, block);
        let mut builder = CapturesBuilder::default();
        capture.push(&mut builder, input, record.position, head, ids, is_valid);
        let mut row = rows(&builder.finish()).pop().unwrap_or_default();
        let date = head.get(Field::Date).filter(|_| head.date().is_some());
        row["fetch_time"] = date.map(|date| date.to_text().into_owned()).into();
        let warc_fields = SHOWN_FIELDS.iter().filter_map(|(field, name)| {
            let value = head.get(*field)?.to_text().into_owned();
            Some(((*name).to_owned(), value))
        });
        let http_headers = http.into_iter().flat_map(ResponseHead::fields);
        let http_headers =
            http_headers.map(|(name, value)| (lossy(name), value.to_text().into_owned()));
        Self {
            row,
            warc_fields: warc_fields.collect(),
            status_line: http.map(status_line),
            http_headers: http_headers.collect(),
            is_revisit: head.record_type() == RecordType::Revisit,
        }
    }
}

fn status_line(http: &ResponseHead<'_>) -> String {
    let Some(version) = http.version().map(String::from_utf8_lossy) else {
        return "HTTP/0.9, no head".to_owned();
    };
    match http.status() {
        Some(status) => format!("HTTP/{version} {status}"),
        None => format!("HTTP/{version}, no status code"),
    }
}
