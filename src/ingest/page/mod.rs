//! Pages: which records are pages, and what such a record says to robots.
//!
//! The same stage as [robots.txt captures](super::capture): WARC record and HTTP response → URL,
//! time, status, and the canonical form of the page's policy. A page is decoded up to the limit,
//! and searched only if it is HTML.

mod response;
mod wat;

use std::borrow::Cow;

use clap::ValueEnum;

use super::input::subset::Subset;
use super::rows::InputName;
use crate::dataset::tables::pages::{PageRow, PagesBuilder};
use crate::dataset::tables::{to_bigint, to_int};
use crate::url_parts::UrlParts;
use page_directives::html::Links;
use warc_recovery::sink::Position;
use warc_recovery::warc::{Field, RecordHead, RecordType};

pub use response::read_response;
pub use wat::{is_wat, read_wat};

/// Whether pages become rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Pages {
    /// They do not.
    #[default]
    #[value(skip)]
    No,
    /// Pages, and robots.txt files.
    Also,
    /// Pages alone.
    Only,
}

impl Pages {
    /// What the manifest says of an input.
    pub fn name(self) -> &'static str {
        match self {
            Self::No => "",
            Self::Also => "also",
            Self::Only => "only",
        }
    }

    /// The options of an input of which the manifest says `name` and `links`.
    pub fn option(name: &str, links: bool) -> String {
        let pages = match name {
            "" => "no --pages",
            "also" => "--pages",
            _ => "--pages=only",
        };
        let links = if links { " --links" } else { "" };
        format!("{pages}{links}")
    }

    /// What holds for an input of `subset`: what a robots.txt subset holds beside robots.txt files
    /// are the targets of their redirects, not pages that a crawler chose.
    pub fn of(self, subset: Subset) -> Self {
        match subset {
            Subset::RobotsTxt => Self::No,
            Subset::Mixed => self,
        }
    }
}

/// `pages.source` of a response.
const WARC: &str = "warc";
/// `pages.source` of an extract.
const WAT: &str = "wat";

/// A page, borrowed from its record.
pub struct Page<'r> {
    url: Cow<'r, str>,
    url_parts: Option<UrlParts>,
    source: &'static str,
    warc_type: RecordType,
    record_id: Option<Cow<'r, [u8]>>,
    fetch_time: Option<i64>,
    status: Option<u16>,
    mime_type: Option<Vec<u8>>,
    mime_detected: Option<Cow<'r, [u8]>>,
    charset: Option<Vec<u8>>,
    language: Option<Vec<u8>>,
    html_lang: Option<Vec<u8>>,
    truncated: Option<Cow<'r, [u8]>>,
    issues: String,
    is_html: bool,
    is_over_limit: bool,
    links: Option<Links>,
    /// The canonical form of its policy, where the record shows what the page says to robots.
    pub policy: Option<Vec<u8>>,
}

/// Whether a record may become a page, by its head alone.
pub fn may_be_page(head: &RecordHead<'_>) -> bool {
    match head.record_type() {
        RecordType::Response | RecordType::Revisit | RecordType::Resource => true,
        RecordType::Metadata => is_wat(head),
        _ => false,
    }
}

impl Page<'_> {
    /// Appends the page's row.
    pub fn push(
        &self,
        rows: &mut PagesBuilder,
        input: InputName<'_>,
        position: Position,
        page_policy_id: Option<i64>,
    ) {
        let parts = self.url_parts.as_ref();
        let links = |of: fn(&Links) -> u32| self.links.as_ref().map(|it| to_int(of(it)));
        // An extract has links, and no other elements.
        let passages = |of| links(of).filter(|_| self.source != WAT);
        rows.push(PageRow {
            input_id: input.id,
            warc_filename: input.name.as_bytes(),
            warc_record_offset: to_bigint(position.offset),
            warc_record_length: position.length.map(to_bigint),
            warc_record_inner_offset: to_bigint(position.inner_offset),
            warc_record_id: self.record_id.as_deref(),
            warc_type: self.warc_type.name(),
            source: self.source,
            url: self.url.as_bytes(),
            url_protocol: parts.map(|parts| parts.protocol().as_bytes()),
            url_host_name: parts.and_then(UrlParts::host_name).map(str::as_bytes),
            url_host_tld: parts.and_then(UrlParts::tld).map(str::as_bytes),
            url_host_registered_domain: parts
                .and_then(UrlParts::registered_domain)
                .map(str::as_bytes),
            url_port: parts.and_then(UrlParts::port).map(i32::from),
            url_path: parts.map(|parts| parts.path().as_bytes()),
            url_query: parts.and_then(UrlParts::query).map(str::as_bytes),
            fetch_time: self.fetch_time,
            fetch_status: self.status.map(i32::from),
            content_mime_type: self.mime_type.as_deref(),
            content_mime_detected: self.mime_detected.as_deref(),
            content_charset: self.charset.as_deref(),
            content_language: self.language.as_deref(),
            html_lang: self.html_lang.as_deref(),
            content_truncated: self.truncated.as_deref(),
            content_issues: (!self.issues.is_empty()).then_some(self.issues.as_bytes()),
            is_html: self.is_html,
            is_over_limit: self.is_over_limit,
            page_policy_id,
            n_links: links(|links| links.links),
            n_links_nofollow: links(|links| links.nofollow),
            n_links_ugc: links(|links| links.ugc),
            n_links_sponsored: links(|links| links.sponsored),
            n_links_qualified: links(|links| links.qualified),
            n_data_nosnippet: passages(|links| links.nosnippet),
            n_data_nosnippet_google: passages(|links| links.nosnippet_google),
        });
    }
}

/// Whether a media type is HTML. XHTML is read as HTML, as most crawlers do.
fn is_html_type(media_type: &[u8]) -> bool {
    matches!(media_type, b"text/html" | b"application/xhtml+xml")
}

/// The values of a header field as one (RFC 9110 §5.3); none where it is absent.
fn joined<'v>(values: impl Iterator<Item = Cow<'v, [u8]>>) -> Option<Vec<u8>> {
    values.map(Cow::into_owned).reduce(|mut all, value| {
        all.extend_from_slice(b", ");
        all.extend(value);
        all
    })
}

/// A field of the record's head, as it stands.
fn field<'r>(head: &RecordHead<'r>, field: Field) -> Option<Cow<'r, [u8]>> {
    head.get(field).map(|value| Cow::Borrowed(value.raw()))
}
