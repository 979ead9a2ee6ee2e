//! A page in a WAT file: Common Crawl's extract of a response, one JSON object a record.
//!
//! WAT has the header fields of the response, names as sent, and the meta tags of the whole page, those
//! that have both a name and content. It does not say where a tag stands, so all are taken for tags of
//! the head. Before October 2024 a field that was sent several times has one of its values only.

use std::borrow::Cow;
use std::collections::BTreeMap;

use page_directives::html::{Attribute, Meta, Place};
use page_directives::names::{subject_of_http_equiv, subject_of_meta};
use page_directives::policy::{HEADER_FIELDS, Writer};
use serde::Deserialize;
use serde_json::Value;
use warc_recovery::header_fields::FieldValue;
use warc_recovery::warc::{Field, RecordHead, RecordType, parse_date};

use super::{Page, is_html_type, is_robotstxt, parts_of};
use crate::ingest::capture::ContentType;

/// Whether a record is one of WAT, by its head.
#[must_use]
pub fn is_wat(head: &RecordHead<'_>) -> bool {
    let is_json = |value: FieldValue<'_>| {
        let media_type = ContentType::parse(value.raw()).media_type;
        media_type == b"application/json"
    };
    head.record_type() == RecordType::Metadata && head.get(Field::ContentType).is_some_and(is_json)
}

/// What a WAT record holds.
#[derive(Deserialize)]
struct Record {
    #[serde(rename = "Envelope")]
    envelope: Envelope,
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "WARC-Header-Metadata", default)]
    warc: BTreeMap<String, Value>,
    #[serde(rename = "Payload-Metadata", default)]
    payload: Payload,
}

#[derive(Deserialize, Default)]
struct Payload {
    #[serde(rename = "HTTP-Response-Metadata")]
    response: Option<Response>,
}

#[derive(Deserialize)]
struct Response {
    #[serde(rename = "Response-Message", default)]
    message: BTreeMap<String, Value>,
    #[serde(rename = "Headers", default)]
    headers: BTreeMap<String, Value>,
    #[serde(rename = "HTML-Metadata")]
    html: Option<Html>,
}

#[derive(Deserialize)]
struct Html {
    #[serde(rename = "Head", default)]
    head: Head,
}

#[derive(Deserialize, Default)]
struct Head {
    #[serde(rename = "Metas", default)]
    metas: Vec<BTreeMap<String, Value>>,
}

/// Reads the page that a WAT record is an extract of, and writes the canonical form of its policy into
/// `form`. None where it is one of something else, or of a robots.txt.
///
/// # Errors
///
/// The block is no WAT; the message says what is wrong.
pub fn read_wat(block: &[u8], form: &mut Vec<u8>) -> Result<Option<Page<'static>>, String> {
    let Record { envelope } = serde_json::from_slice(block).map_err(|error| error.to_string())?;
    let Some(response) = envelope.payload.response else {
        return Ok(None);
    };
    let warc = |name: &str| values(&envelope.warc, name).next();
    let header = |name: &str| values(&response.headers, name).next();
    let Some(url) = warc("WARC-Target-URI") else {
        return Ok(None);
    };
    let url = Cow::Owned(url.trim_matches(['<', '>']).to_owned());
    let url_parts = parts_of(&url).map(crate::url_parts::UrlParts::into_owned);
    if is_robotstxt(&url, url_parts.as_ref()) {
        return Ok(None);
    }
    let content_type = header("Content-Type").unwrap_or_default();
    let ContentType {
        media_type,
        charset,
    } = ContentType::parse(content_type.as_bytes());

    let mut writer = Writer::new(form);
    for name in HEADER_FIELDS {
        for value in values(&response.headers, name) {
            writer.header(name, value.as_bytes());
        }
    }
    let metas = response
        .html
        .as_ref()
        .map(|html| html.head.metas.as_slice());
    for meta in metas.unwrap_or_default() {
        push_meta(&mut writer, meta);
    }
    writer.finish();
    let bytes = |text: &str| Cow::Owned(text.as_bytes().to_vec());
    let warc_type = match warc("WARC-Type") {
        Some("revisit") => RecordType::Revisit,
        Some("resource") => RecordType::Resource,
        _ => RecordType::Response,
    };
    let status = values(&response.message, "Status").next();
    Ok(Some(Page {
        source: "wat",
        warc_type,
        record_id: warc("WARC-Record-ID").map(|id| bytes(id.trim_matches(['<', '>']))),
        fetch_time: warc("WARC-Date").and_then(|date| parse_date(date.as_bytes())),
        status: status.and_then(|status| status.trim().parse().ok()),
        mime_detected: warc("WARC-Identified-Payload-Type").map(bytes),
        language: header("Content-Language").map(bytes),
        truncated: warc("WARC-Truncated").map(bytes),
        issues: String::new(),
        is_html: response.html.is_some() || is_html_type(&media_type),
        mime_type: Some(media_type).filter(|media_type| !media_type.is_empty()),
        charset,
        is_over_limit: false,
        has_policy: warc_type != RecordType::Revisit || response.html.is_some(),
        url_parts,
        url,
    }))
}

/// The texts under a name in any case; several where the value is a list.
fn values<'v>(fields: &'v BTreeMap<String, Value>, name: &str) -> impl Iterator<Item = &'v str> {
    let found = fields
        .iter()
        .filter(move |(found, _)| found.eq_ignore_ascii_case(name));
    found.flat_map(|(_, value)| {
        let values = match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        values.iter().filter_map(Value::as_str)
    })
}

fn push_meta(writer: &mut Writer<'_>, meta: &BTreeMap<String, Value>) {
    let value = |name: &str| values(meta, name).next();
    let Some(content) = value("content") else {
        return;
    };
    let named = value("name").and_then(|name| {
        subject_of_meta(name.as_bytes()).map(|subject| (Attribute::Name, name, subject))
    });
    let equivalent = value("http-equiv").and_then(|name| {
        subject_of_http_equiv(name.as_bytes()).map(|subject| (Attribute::HttpEquiv, name, subject))
    });
    for (attribute, name, subject) in [named, equivalent].into_iter().flatten() {
        writer.meta(&Meta {
            attribute,
            name: name.as_bytes(),
            subject,
            content: content.as_bytes(),
            place: Place::Head,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(block: &str) -> Option<(Page<'static>, String)> {
        let mut form = Vec::new();
        let page = read_wat(block.as_bytes(), &mut form).expect("WAT");
        page.map(|page| (page, String::from_utf8(form).expect("text")))
    }

    #[test]
    fn headers_and_metas_of_an_extract() {
        let (page, form) = read(
            r#"{"Container":{"Offset":"7"},"Envelope":{"WARC-Header-Metadata":{
            "WARC-Type":"response","WARC-Target-URI":"https://a.example/x","WARC-Date":"2024-05-18T01:58:10Z",
            "WARC-Record-ID":"<urn:uuid:1>"},"Payload-Metadata":{"HTTP-Response-Metadata":{
            "Response-Message":{"Status":"200"},"Headers":{"content-type":"text/html; charset=UTF-8",
            "X-robots-tag":["noindex","bot: nofollow"]},"HTML-Metadata":{"Links":[{"url":"/"}],"Head":{
            "Title":"x","Metas":[{"name":"ROBOTS","content":"a, b"},{"name":"viewport","content":"c"},
            {"property":"og:x","content":"d"},{"http-equiv":"x-robots-tag","content":"e"},{"name":"robots"}]}}}}}}"#,
        )
        .expect("a page");
        assert_eq!(
            form,
            "header x-robots-tag: noindex\nheader x-robots-tag: bot: nofollow\n\
             meta head robots: a, b\nhttp-equiv head x-robots-tag: e\n"
        );
        assert_eq!(
            (page.status, page.is_html, page.source),
            (Some(200), true, "wat")
        );
        assert_eq!(page.record_id.as_deref(), Some(&b"urn:uuid:1"[..]));
        assert_eq!(page.charset.as_deref(), Some(&b"utf-8"[..]));
    }

    #[test]
    fn requests_and_robots_txt_are_no_pages() {
        for (url, payload) in [
            ("https://a.example/", "HTTP-Request-Metadata"),
            ("https://a.example/robots.txt", "HTTP-Response-Metadata"),
        ] {
            let block = format!(
                r#"{{"Envelope":{{"WARC-Header-Metadata":{{"WARC-Target-URI":"{url}"}},"Payload-Metadata":{{"{payload}":{{}}}}}}}}"#
            );
            assert!(read(&block).is_none(), "{block}");
        }
        assert!(read_wat(b"{", &mut Vec::new()).is_err());
        assert!(read_wat(b"{\"Envelope\":7}", &mut Vec::new()).is_err());
    }
}
