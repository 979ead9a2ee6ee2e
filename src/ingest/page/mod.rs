//! Pages: which records are pages, and what they say to robots.
//!
//! The same stage as [robots.txt captures](super::capture): WARC record and HTTP response → URL,
//! time, status, and the canonical form of the page's policy. A page is decoded up to the limit,
//! and searched only if it is HTML.

mod response;
#[cfg(test)]
mod tests;
mod wat;

use clap::ValueEnum;

use super::capture::ContentType;
use super::input::subset::Subset;
use crate::dataset::tables::pages::PageRow;
use crate::dataset::tables::to_int;
use crate::url_parts::{Url, host_name, registered_domain, tld};
use page_directives::html::Links;

pub use response::read_response;
pub use wat::{is_wat, read_wat};

/// Whether pages become rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Pages {
    /// Pages do not become rows.
    #[default]
    #[value(skip)]
    No,
    /// Pages, and robots.txt files.
    Also,
    /// Pages alone.
    Only,
}

impl Pages {
    /// The word for the setting in the manifest.
    pub fn name(self) -> &'static str {
        match self {
            Self::No => "",
            Self::Also => "also",
            Self::Only => "only",
        }
    }

    /// The setting for an input of `subset`: the other responses in a robots.txt subset are the
    /// targets of redirects, not pages that a crawler chose.
    pub fn of(self, subset: Subset) -> Self {
        match subset {
            Subset::RobotsTxt => Self::No,
            Subset::Mixed => self,
        }
    }
}

/// Receives the row of a page without its position, and the canonical form of its policy if the
/// record shows what the page says to robots.
pub type TakePage<'t> = dyn FnMut(PageRow<'_>, Option<&[u8]>) + 't;

/// The columns for a page's URL, its type, and its `links`, if they are counted. An extract has
/// links, but no other elements.
fn row_of<'p>(
    url: &'p str,
    parts: Option<&'p Url>,
    content_type: &'p ContentType,
    links: Option<&Links>,
    is_extract: bool,
) -> PageRow<'p> {
    let links = |of: fn(&Links) -> u32| links.map(|it| to_int(of(it)));
    let passages = |of| links(of).filter(|_| !is_extract);
    PageRow {
        source: if is_extract { "wat" } else { "warc" },
        url: url.as_bytes(),
        url_protocol: parts.map(|parts| parts.scheme().as_bytes()),
        url_host_name: parts.and_then(host_name).map(str::as_bytes),
        url_host_tld: parts.and_then(tld).map(str::as_bytes),
        url_host_registered_domain: parts.and_then(registered_domain).map(str::as_bytes),
        url_port: parts.and_then(Url::port).map(i32::from),
        url_path: parts.map(|parts| parts.path().as_bytes()),
        url_query: parts.and_then(Url::query).map(str::as_bytes),
        content_mime_type: Some(&*content_type.media_type).filter(|it| !it.is_empty()),
        content_charset: content_type.charset.as_deref(),
        n_links: links(|links| links.links),
        n_links_nofollow: links(|links| links.nofollow),
        n_links_ugc: links(|links| links.ugc),
        n_links_sponsored: links(|links| links.sponsored),
        n_links_qualified: links(|links| links.qualified),
        n_data_nosnippet: passages(|links| links.nosnippet),
        n_data_nosnippet_google: passages(|links| links.nosnippet_google),
        ..PageRow::default()
    }
}

/// Whether a media type is HTML. XHTML is read as HTML, as most crawlers do.
fn is_html_type(media_type: &[u8]) -> bool {
    matches!(media_type, b"text/html" | b"application/xhtml+xml")
}
