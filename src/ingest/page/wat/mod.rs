//! A page in a WAT file: Common Crawl's extract of a response, one JSON object a record.
//!
//! WAT has the header fields of the response, names as sent, and the meta tags of the whole page,
//! those that have both a name and content. It does not say where a tag stands, so all are taken
//! for tags of the head. Before October 2024 a field that was sent several times has one of its
//! values only. The language of the page is a meta tag too, `HTML@/lang`. Links are those that have
//! an end tag.

mod cut;
mod fields;

use std::borrow::Cow;

use page_directives::html::{Attribute, Links, Meta, Place};
use page_directives::names::{subject_of_http_equiv, subject_of_meta};
use page_directives::policy::{HEADER_FIELDS, Writer};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use warc_recovery::header_fields::FieldValue;
use warc_recovery::recovery::MAX_BLOCK_BYTES;
use warc_recovery::warc::{Field, RecordHead, RecordType, parse_date};

use self::fields::{Fields, Text};
use super::{Page, WAT, is_html_type, joined};
use crate::ingest::capture::{ContentType, is_robotstxt};
use crate::url_parts::UrlParts;

/// Whether a record is one of WAT, by its head.
pub fn is_wat(head: &RecordHead<'_>) -> bool {
    let is_json = |value: FieldValue<'_>| {
        let media_type = ContentType::parse(value.raw()).media_type;
        media_type == b"application/json"
    };
    head.record_type() == RecordType::Metadata && head.get(Field::ContentType).is_some_and(is_json)
}

/// What a WAT record holds; its links are counted if `L`.
#[derive(Deserialize)]
struct Record<'a, const L: bool> {
    #[serde(rename = "Envelope", borrow)]
    envelope: Envelope<'a, L>,
}

#[derive(Deserialize)]
struct Envelope<'a, const L: bool> {
    #[serde(rename = "WARC-Header-Metadata", borrow, default)]
    warc: Fields<'a>,
    #[serde(rename = "Payload-Metadata", borrow)]
    payload: Option<Payload<'a, L>>,
}

#[derive(Deserialize)]
struct Payload<'a, const L: bool> {
    #[serde(rename = "HTTP-Response-Metadata", borrow)]
    response: Option<Response<'a, L>>,
}

#[derive(Deserialize)]
struct Response<'a, const L: bool> {
    #[serde(rename = "Response-Message", borrow, default)]
    message: Fields<'a>,
    #[serde(rename = "Headers", borrow, default)]
    headers: Fields<'a>,
    #[serde(rename = "HTML-Metadata", borrow)]
    html: Option<Html<'a, L>>,
}

#[derive(Deserialize)]
struct Html<'a, const L: bool> {
    #[serde(rename = "Head", borrow)]
    head: Option<Head<'a>>,
    #[serde(rename = "Links")]
    links: Option<Counts<L>>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(rename = "Metas", borrow, default)]
    metas: Vec<Fields<'a>>,
}

/// Counts of links; nothing is looked at unless `L`.
#[derive(Default)]
struct Counts<const L: bool>(Links);

impl<'de, const L: bool> Deserialize<'de> for Counts<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if L {
            deserializer.deserialize_seq(Self::default())
        } else {
            IgnoredAny::deserialize(deserializer).map(|_| Self::default())
        }
    }
}

impl<'de, const L: bool> Visitor<'de> for Counts<L> {
    type Value = Self;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a list of links")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut links: A) -> Result<Self, A::Error> {
        #[derive(Deserialize)]
        struct Link<'a> {
            #[serde(borrow)]
            path: Option<Text<'a>>,
            #[serde(borrow)]
            rel: Option<Text<'a>>,
        }

        while let Some(Link { path, rel }) = links.next_element()? {
            let path = path.as_ref().map(|Text(path)| &**path);
            if matches!(path, Some("A@/href" | "AREA@/href")) {
                let rel = rel.as_ref().map_or(&b""[..], |Text(rel)| rel.as_bytes());
                self.0.link(rel);
            }
        }
        Ok(self)
    }
}

/// Reads the page that a WAT record is an extract of. None where it is one of something else, or of
/// a robots.txt. Links are counted where `counts_links`.
///
/// `block` may be only the beginning of `block_length` bytes. Then the page has the fields found
/// there, and a policy only if the meta tags are among them.
///
/// Fails if the block is not WAT; the message says what is wrong.
pub fn read_wat(
    head: &RecordHead<'_>,
    block: &[u8],
    block_length: u64,
    counts_links: bool,
) -> Result<Option<Page<'static>>, String> {
    // The same limit as for records that are read, so that mapping changes nothing.
    let block = &block[..block.len().min(MAX_BLOCK_BYTES)];
    let is_cut = (block.len() as u64) < block_length;
    let block = if is_cut {
        let closed = cut::closed(block).ok_or("it is longer than the 4 MiB that are read")?;
        Cow::Owned(closed)
    } else {
        Cow::Borrowed(block)
    };
    if counts_links {
        read::<true>(head, &block, is_cut)
    } else {
        read::<false>(head, &block, is_cut)
    }
    .map_err(|error| error.to_string())
}

fn read<const L: bool>(
    head: &RecordHead<'_>,
    block: &[u8],
    is_cut: bool,
) -> serde_json::Result<Option<Page<'static>>> {
    let Record::<L> { envelope } = serde_json::from_slice(block)?;
    let Some(response) = envelope.payload.and_then(|payload| payload.response) else {
        return Ok(None);
    };
    let warc = &envelope.warc;
    let headers = &response.headers;
    // What describes the response stands last, and may be cut off; the record repeats its URL and
    // names it.
    let url = match warc.value("WARC-Target-URI") {
        Some(url) => Some(url.to_owned()),
        None => head.target_uri().map(|url| url.to_text().into_owned()),
    };
    let Some(url) = url else {
        return Ok(None);
    };
    let url = Cow::Owned(url.trim_matches(['<', '>']).to_owned());
    let url_parts = UrlParts::parse(&url);
    if is_robotstxt(&url, url_parts.as_ref()) {
        return Ok(None);
    }
    let content_type = headers.value("Content-Type").unwrap_or_default();
    let ContentType {
        media_type,
        charset,
    } = ContentType::parse(content_type.as_bytes());

    let mut form = Vec::new();
    let mut writer = Writer::new(&mut form);
    for name in HEADER_FIELDS {
        for value in headers.values(name) {
            writer.header(name, value.as_bytes());
        }
    }
    let of_page = response.html.as_ref().and_then(|html| html.head.as_ref());
    let metas = of_page.map_or(&[][..], |head| &head.metas);
    for meta in metas {
        push_meta(&mut writer, meta);
    }
    writer.finish();
    let bytes = |text: &str| Cow::Owned(text.as_bytes().to_vec());
    let warc_type = match warc.value("WARC-Type") {
        Some("revisit") => RecordType::Revisit,
        Some("resource") => RecordType::Resource,
        _ => RecordType::Response,
    };
    let status = response.message.value("Status");
    let languages = headers.values("Content-Language");
    let is_html = response.html.is_some() || is_html_type(&media_type);
    let has_policy = match warc_type {
        RecordType::Revisit => response.html.is_some(),
        _ => !is_cut || of_page.is_some() || !is_html,
    };
    Ok(Some(Page {
        source: WAT,
        warc_type,
        record_id: (warc.value("WARC-Record-ID")).map(|id| bytes(id.trim_matches(['<', '>']))),
        fetch_time: (warc.value("WARC-Date")).and_then(|date| parse_date(date.as_bytes())),
        status: status.and_then(|status| status.trim().parse().ok()),
        mime_detected: warc.value("WARC-Identified-Payload-Type").map(bytes),
        language: joined(languages.map(|language| Cow::Borrowed(language.as_bytes()))),
        html_lang: language_of(metas).map(|language| language.as_bytes().to_vec()),
        truncated: warc.value("WARC-Truncated").map(bytes),
        issues: String::new(),
        is_html,
        mime_type: Some(media_type).filter(|media_type| !media_type.is_empty()),
        charset,
        is_over_limit: is_cut,
        policy: has_policy.then_some(form),
        links: (L && is_html).then(|| {
            let links = response.html.and_then(|html| html.links);
            links.unwrap_or_default().0
        }),
        url_parts,
        url,
    }))
}

/// The language of a page: what the extract has of its `html` tag.
fn language_of<'m>(metas: &'m [Fields<'_>]) -> Option<&'m str> {
    let named = |name: &str| {
        let mut of_html = metas.iter().filter(|meta| meta.value("name") == Some(name));
        of_html.find_map(|meta| meta.value("content"))
    };
    let language = named("HTML@/lang").or_else(|| named("HTML@/xml:lang"))?;
    Some(language.trim_ascii()).filter(|language| !language.is_empty())
}

fn push_meta(writer: &mut Writer<'_>, meta: &Fields<'_>) {
    let Some(content) = meta.value("content") else {
        return;
    };
    let named = meta.value("name").and_then(|name| {
        subject_of_meta(name.as_bytes()).map(|subject| (Attribute::Name, name, subject))
    });
    let equivalent = meta.value("http-equiv").and_then(|name| {
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

    const HEAD: &[u8] =
        b"WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: https://a.example/x\r\n\
        Content-Type: application/json\r\nContent-Length: 0\r\n\r\n";

    /// The page of the first `length` bytes of an extract.
    fn read_cut(block: &str, length: usize) -> Result<Option<Page<'static>>, String> {
        let head = RecordHead::parse(HEAD).expect("a head");
        let start = &block.as_bytes()[..length];
        read_wat(&head, start, block.len() as u64, true)
    }

    fn policy<'p>(page: &'p Page<'_>) -> &'p str {
        let policy = page.policy.as_deref().expect("a policy");
        std::str::from_utf8(policy).expect("text")
    }

    fn read(block: &str) -> Option<Page<'static>> {
        read_cut(block, block.len()).expect("WAT")
    }

    #[test]
    fn headers_and_metas_of_an_extract() {
        let page = read(
            r#"{"Container":{"Offset":"7"},"Envelope":{"WARC-Header-Metadata":{
            "WARC-Type":"response","WARC-Target-URI":"https://a.example/x","WARC-Date":"2024-05-18T01:58:10Z",
            "WARC-Record-ID":"<urn:uuid:1>"},"Payload-Metadata":{"HTTP-Response-Metadata":{
            "Response-Message":{"Status":"200"},"Headers":{"content-type":"text/html; charset=UTF-8",
            "X-robots-tag":["noindex","bot: nofollow"],"Content-Language":["de","en"]},"HTML-Metadata":{"Links":[
            {"url":"/"},{"path":"A@/href","url":"/","rel":"nofollow ugc"},{"path":"IMG@/src","url":"x"},
            {"path":"AREA@/href","url":"/"}],"Head":{
            "Title":"x","Metas":[{"name":"HTML@/lang","content":"de-AT"},{"name":"ROBOTS","content":"a, b"},{"name":"viewport","content":"c"},
            {"property":"og:x","content":"d"},{"http-equiv":"x-robots-tag","content":"e"},{"name":"robots"}]}}}}}}"#,
        )
        .expect("a page");
        assert_eq!(
            policy(&page),
            "header x-robots-tag: noindex\nheader x-robots-tag: bot: nofollow\n\
             meta head robots: a, b\nhttp-equiv head x-robots-tag: e\n"
        );
        assert_eq!(
            (page.status, page.is_html, page.source),
            (Some(200), true, "wat")
        );
        assert_eq!(page.record_id.as_deref(), Some(&b"urn:uuid:1"[..]));
        assert_eq!(page.charset.as_deref(), Some(&b"utf-8"[..]));
        assert_eq!(page.language.as_deref(), Some(&b"de, en"[..]));
        assert_eq!(page.html_lang.as_deref(), Some(&b"de-AT"[..]));
        let links = page.links.expect("links");
        assert_eq!((links.links, links.nofollow, links.ugc), (2, 1, 1));
        assert!(!page.is_over_limit);
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
        assert!(read_cut("{", 1).is_err());
        assert!(read_cut("{\"Envelope\":7}", 14).is_err());
    }

    #[test]
    fn of_a_cut_extract_what_is_there_counts() {
        let link = r#"{"path":"A@/href","url":"/","rel":"nofollow"},"#;
        let block = format!(
            r#"{{"Envelope":{{"Payload-Metadata":{{"HTTP-Response-Metadata":{{"Response-Message":{{"Status":"200"}},
            "Headers":{{"X-Robots-Tag":"noindex"}},"HTML-Metadata":{{"Head":{{"Metas":[{{"name":"robots","content":"a"}}]}},
            "Links":[{}{{}}]}}}}}},"WARC-Header-Metadata":{{"WARC-Target-URI":"https://b.example/","WARC-Date":
            "2024-05-18T01:58:10Z"}}}}}}"#,
            link.repeat(10)
        );
        let after_links = block.find("{}]").expect("the last");
        let page = read_cut(&block, after_links - 1)
            .expect("WAT")
            .expect("a page");
        assert_eq!(
            policy(&page),
            "header x-robots-tag: noindex\nmeta head robots: a\n"
        );
        assert_eq!((&*page.url, page.fetch_time), ("https://a.example/x", None));
        assert_eq!(page.links.expect("links").nofollow, 10);
        assert!(page.is_over_limit);

        // Without its meta tags nothing is known of what the page says.
        let metas = block.find("Head\"").expect("a head");
        let page = read_cut(&block, metas - 1).expect("WAT").expect("a page");
        assert!(page.is_over_limit);
        assert!(!read_cut(&block, 30).is_ok_and(|page| page.is_some()));
        for length in 0..block.len() {
            let _ = read_cut(&block, length);
        }
    }
}
