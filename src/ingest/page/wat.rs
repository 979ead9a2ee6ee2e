//! A page in a WAT file: Common Crawl's extract of a response, one JSON object per record.
//!
//! WAT has the header fields of the response, with names as sent, and all meta tags of the page
//! that have both a name and content. It does not record the place of a tag, so all count as tags
//! of the head. Before October 2024 a field that was sent several times has only one of its values.
//! The language of the page is a meta tag too, `HTML@/lang`. Only links with an end tag are
//! included.

use std::borrow::Cow;

use page_directives::html::{Links, Meta, Place};
use page_directives::names::{Attribute, addresses_robots};
use page_directives::policy::{HEADER_FIELDS, Writer};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use warc_recovery::header_fields::FieldValue;
use warc_recovery::recovery::MAX_BLOCK_BYTES;
use warc_recovery::warc::{Field, RecordHead, RecordType, parse_date};

use super::{TakePage, is_html_type, row_of};
use crate::dataset::tables::pages::PageRow;
use crate::ingest::capture::{ContentType, is_robotstxt};
use crate::ingest::pairs::Pairs;
use crate::url_parts::Url;

pub fn is_wat(head: &RecordHead<'_>) -> bool {
    let is_json = |value: FieldValue<'_>| {
        let media_type = ContentType::parse(value.raw()).media_type;
        media_type == b"application/json"
    };
    head.record_type() == RecordType::Metadata && head.get(Field::ContentType).is_some_and(is_json)
}

#[derive(Deserialize)]
struct Record {
    #[serde(rename = "Envelope")]
    envelope: Envelope,
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "WARC-Header-Metadata", default)]
    warc: Fields,
    #[serde(rename = "Payload-Metadata")]
    payload: Option<Payload>,
}

#[derive(Deserialize)]
struct Payload {
    #[serde(rename = "HTTP-Response-Metadata")]
    response: Option<Response>,
}

#[derive(Deserialize)]
struct Response {
    #[serde(rename = "Response-Message", default)]
    message: Fields,
    #[serde(rename = "Headers", default)]
    headers: Fields,
    #[serde(rename = "HTML-Metadata")]
    html: Option<Html>,
}

#[derive(Deserialize)]
struct Html {
    #[serde(rename = "Head")]
    head: Option<Head>,
    /// Not parsed unless links are counted.
    #[serde(rename = "Links")]
    links: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Head {
    #[serde(rename = "Metas", default)]
    metas: Vec<Fields>,
}

#[derive(Deserialize)]
struct Link {
    #[serde(default, deserialize_with = "text")]
    path: Option<String>,
    #[serde(default, deserialize_with = "text")]
    rel: Option<String>,
}

/// A value if it is text.
fn text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(value)? {
        Value::Text(text) => Some(text),
        Value::List(_) | Value::Other(_) => None,
    })
}

type Fields = Pairs<String, Value>;

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    /// Several values: those that are not text are left out.
    List(Vec<Value>),
    Other(IgnoredAny),
}

impl Value {
    fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::List(values) => values.iter().flat_map(Self::texts).collect(),
            Self::Other(_) => Vec::new(),
        }
    }
}

impl Fields {
    fn values(&self, name: &str) -> Vec<&str> {
        let fields = self.0.iter();
        let fields = fields.filter(|(found, _)| found.eq_ignore_ascii_case(name));
        fields.flat_map(|(_, value)| value.texts()).collect()
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.values(name).first().copied()
    }
}

fn counts(links: &RawValue) -> serde_json::Result<Links> {
    let mut counts = Links::default();
    for Link { path, rel } in serde_json::from_str::<Vec<Link>>(links.get())? {
        if matches!(path.as_deref(), Some("A@/href" | "AREA@/href")) {
            counts.link(rel.as_deref().unwrap_or_default().as_bytes());
        }
    }
    Ok(counts)
}

/// Reads the page that a WAT record describes, unless it describes something else, or a robots.txt.
/// `block` may be only the beginning of `block_length` bytes. Then the page has the fields found
/// there, and a policy only if the meta tags are among them.
pub fn read_wat(
    head: &RecordHead<'_>,
    block: &[u8],
    block_length: u64,
    counts_links: bool,
    take: &mut TakePage<'_>,
) -> Result<(), String> {
    // Recovery keeps no more of a block, and a page must not depend on how it is read.
    let block = &block[..block.len().min(MAX_BLOCK_BYTES)];
    let is_cut = (block.len() as u64) < block_length;
    let block = if is_cut {
        let closed = closed(block).ok_or("it is longer than the 4 MiB that are read")?;
        Cow::Owned(closed)
    } else {
        Cow::Borrowed(block)
    };
    let text = |error: serde_json::Error| error.to_string();
    let Record { envelope } = serde_json::from_slice(&block).map_err(text)?;
    let Some(response) = envelope.payload.and_then(|payload| payload.response) else {
        return Ok(());
    };
    let (warc, headers) = (&envelope.warc, &response.headers);
    // The response's own WARC fields come last, and may be cut off; the record's head repeats the
    // URL.
    let url = match warc.value("WARC-Target-URI") {
        Some(url) => Some(Cow::Borrowed(url)),
        None => head.target_uri().map(FieldValue::to_text),
    };
    let Some(url) = url.as_deref().map(|url| url.trim_matches(['<', '>'])) else {
        return Ok(());
    };
    let url_parts = Url::parse(url).ok();
    if is_robotstxt(url, url_parts.as_ref()) {
        return Ok(());
    }
    let content_type = headers.value("Content-Type").unwrap_or_default();
    let content_type = ContentType::parse(content_type.as_bytes());

    let mut form = Vec::new();
    let mut writer = Writer::new(&mut form);
    for name in HEADER_FIELDS {
        for value in headers.values(name) {
            writer.header(name, value.as_bytes());
        }
    }
    let html = response.html.as_ref();
    let of_page = html.and_then(|html| html.head.as_ref());
    let metas = of_page.map_or(&[][..], |head| &head.metas);
    for meta in metas {
        push_meta(&mut writer, meta);
    }
    writer.finish();
    let warc_type = match warc.value("WARC-Type") {
        Some("revisit") => RecordType::Revisit,
        Some("resource") => RecordType::Resource,
        _ => RecordType::Response,
    };
    let is_html = html.is_some() || is_html_type(&content_type.media_type);
    let has_policy = match warc_type {
        RecordType::Revisit => html.is_some(),
        _ => !is_cut || of_page.is_some() || !is_html,
    };
    let links = match html.and_then(|html| html.links.as_deref()) {
        Some(links) if counts_links => Some(counts(links).map_err(text)?),
        _ => (counts_links && is_html).then(Links::default),
    };
    let languages = headers.values("Content-Language");
    let language = (!languages.is_empty()).then(|| languages.join(", "));
    let status = response.message.value("Status");
    let status = status.and_then(|status| status.trim().parse::<u16>().ok());
    let field = |name: &str| warc.value(name).map(str::as_bytes);
    let id = warc.value("WARC-Record-ID");
    take(
        PageRow {
            warc_type: warc_type.name(),
            warc_record_id: id.map(|id| id.trim_matches(['<', '>']).as_bytes()),
            fetch_time: field("WARC-Date").and_then(parse_date),
            fetch_status: status.map(i32::from),
            content_mime_detected: field("WARC-Identified-Payload-Type"),
            content_language: language.as_deref().map(str::as_bytes),
            html_lang: language_of(metas).map(str::as_bytes),
            content_truncated: field("WARC-Truncated"),
            is_html,
            is_over_limit: is_cut,
            ..row_of(url, url_parts.as_ref(), &content_type, links.as_ref(), true)
        },
        has_policy.then_some(&*form),
    );
    Ok(())
}

fn language_of(metas: &[Fields]) -> Option<&str> {
    let named = |name: &str| {
        let mut of_html = metas.iter().filter(|meta| meta.value("name") == Some(name));
        of_html.find_map(|meta| meta.value("content"))
    };
    let language = named("HTML@/lang").or_else(|| named("HTML@/xml:lang"))?;
    Some(language.trim_ascii()).filter(|language| !language.is_empty())
}

fn push_meta(writer: &mut Writer<'_>, meta: &Fields) {
    let Some(content) = meta.value("content") else {
        return;
    };
    for attribute in Attribute::ALL {
        let name = meta.value(attribute.name()).map(str::as_bytes);
        if let Some(name) = name.filter(|it| addresses_robots(attribute, it)) {
            writer.meta(&Meta {
                attribute,
                name,
                content: content.as_bytes(),
                place: Place::Head,
            });
        }
    }
}

/// The usable part of an extract that is cut, because only the first 4 MiB of a record are held and
/// a page may have very many links; headers and meta tags come before them. It ends with the last
/// complete object or list, and open ones are closed. `None` if nothing is complete.
pub(super) fn closed(json: &[u8]) -> Option<Vec<u8>> {
    let (mut open, mut last) = (Vec::new(), None);
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, byte) in json.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'"' => is_text = !is_text,
            b'\\' => is_escaped = is_text,
            _ if is_text => {}
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop()?;
                last = Some((at + 1, open.len()));
            }
            _ => {}
        }
    }
    // Objects and lists opened later are at the end of `open`.
    let (end, depth) = last?;
    let mut closed = json[..end].to_vec();
    closed.extend(open[..depth].iter().rev());
    Some(closed)
}
