//! A capture's record: what was requested, and the head of the response.

use warc_recovery::http::ResponseHead;
use warc_recovery::sink::Position;
use warc_recovery::warc::{Field, RecordHead, RecordType};

use super::row::{Row, rows};
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

/// A capture and the record that holds it.
pub(super) struct Exchange<'r> {
    /// What the WARC file is called in a dataset.
    pub(super) input: InputName<'r>,
    pub(super) position: Position,
    pub(super) head: RecordHead<'r>,
    pub(super) capture: &'r Capture<'r>,
    /// Whether its digests are right; one record costs nothing to hash.
    pub(super) digest_valid: Option<bool>,
}

impl Exchange<'_> {
    /// Fields of the record's head.
    pub(super) fn warc_fields(&self) -> impl Iterator<Item = (&'static str, String)> {
        SHOWN_FIELDS.iter().filter_map(|(field, name)| {
            let value = self.head.get(*field)?;
            Some((*name, value.to_text().into_owned()))
        })
    }

    /// The status line, as far as it is kept.
    pub(super) fn status_line(&self) -> Option<String> {
        let http = self.capture.http()?;
        Some(match (http.version(), http.status()) {
            (Some(version), Some(status)) => {
                format!("HTTP/{} {status}", String::from_utf8_lossy(version))
            }
            (Some(version), None) => {
                format!("HTTP/{}, no status code", String::from_utf8_lossy(version))
            }
            (None, _) => "HTTP/0.9, no head".to_owned(),
        })
    }

    /// Headers of the response.
    pub(super) fn http_headers(&self) -> impl Iterator<Item = (String, String)> {
        let fields = self.capture.http().map(ResponseHead::fields);
        fields.into_iter().flatten().map(|(name, value)| {
            let name = String::from_utf8_lossy(name).into_owned();
            (name, value.to_text().into_owned())
        })
    }

    /// Why it does not contain a robots.txt.
    pub(super) fn why_no_file(&self) -> &'static str {
        if self.head.record_type() == RecordType::Revisit {
            "No robots.txt of its own: a revisit refers to the capture that it repeats."
        } else {
            "No robots.txt: the response is not a success, or has no body."
        }
    }

    /// The row in `captures`; `ids` identify the file and its policy.
    pub(super) fn row(&self, ids: Option<(i64, i64)>) -> Row {
        let mut builder = CapturesBuilder::default();
        self.capture.push(
            &mut builder,
            self.input,
            self.position,
            &self.head,
            ids,
            self.digest_valid,
        );
        let mut row = rows(&builder.finish()).pop().unwrap_or_default();
        let date = self.head.get(Field::Date);
        let date = date.filter(|_| self.head.date().is_some());
        row.insert(
            "fetch_time".to_owned(),
            date.map(|date| date.to_text().into_owned()).into(),
        );
        row
    }
}
