//! A capture's record: what was requested, and the head of the response.

use warc_recovery::digest;
use warc_recovery::http::ResponseHead;
use warc_recovery::recovery::OwnedRecord;
use warc_recovery::warc::{Field, RecordHead, RecordType};

use super::json::{Row, rows};
use crate::dataset::tables::captures::CapturesBuilder;
use crate::ingest::capture::Capture;
use crate::ingest::rows::InputName;

/// Fields of a record's head that are shown: name as the WARC standard writes it.
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

pub(super) struct Exchange<'r> {
    head: RecordHead<'r>,
    capture: &'r Capture<'r>,
    pub(super) row: Row,
}

impl<'r> Exchange<'r> {
    /// `ids` identify the file and its policy.
    pub(super) fn of(
        record: &'r OwnedRecord,
        head: RecordHead<'r>,
        capture: &'r Capture<'r>,
        input: InputName<'_>,
        ids: Option<(i64, i64)>,
    ) -> Self {
        let block = &record.bytes[head.head_length()..];
        // One record costs nothing to hash.
        let is_valid = digest::verify(&head, capture.http.as_ref(), block);
        let mut builder = CapturesBuilder::default();
        capture.push(&mut builder, input, record.position, &head, ids, is_valid);
        let mut row = rows(&builder.finish()).pop().unwrap_or_default();
        let date = head.get(Field::Date).filter(|_| head.date().is_some());
        let date = date.map(|date| date.to_text().into_owned());
        row.insert("fetch_time".to_owned(), date.into());
        Self { head, capture, row }
    }

    pub(super) fn warc_fields(&self) -> impl Iterator<Item = (String, String)> {
        SHOWN_FIELDS.iter().filter_map(|(field, name)| {
            let value = self.head.get(*field)?;
            Some(((*name).to_owned(), value.to_text().into_owned()))
        })
    }

    /// The status line, as far as it is kept.
    pub(super) fn status_line(&self) -> Option<String> {
        let http = self.capture.http.as_ref()?;
        let Some(version) = http.version().map(String::from_utf8_lossy) else {
            return Some("HTTP/0.9, no head".to_owned());
        };
        Some(match http.status() {
            Some(status) => format!("HTTP/{version} {status}"),
            None => format!("HTTP/{version}, no status code"),
        })
    }

    pub(super) fn http_headers(&self) -> impl Iterator<Item = (String, String)> {
        let fields = self.capture.http.as_ref().map(ResponseHead::fields);
        fields.into_iter().flatten().map(|(name, value)| {
            let name = String::from_utf8_lossy(name).into_owned();
            (name, value.to_text().into_owned())
        })
    }

    pub(super) fn why_no_file(&self) -> &'static str {
        if self.head.record_type() == RecordType::Revisit {
            "No robots.txt of its own: a revisit refers to the capture that it repeats."
        } else {
            "No robots.txt: the response is not a success, or has no body."
        }
    }
}
