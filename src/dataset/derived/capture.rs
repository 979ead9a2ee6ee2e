//! Captures as the derived tables need them, and values derived from the parts of a URL.

use std::cmp::Reverse;

use arrow_array::{BooleanArray, Int32Array, Int64Array, StringArray, TimestampMicrosecondArray};
use serde::{Deserialize, Serialize};

use crate::dataset::stored::{columns, value};
use crate::dataset::tables::word_enum;

columns! {
    input_id: Int64Array = "input_id",
    offset: Int64Array = "warc_record_offset",
    inner_offset: Int64Array = "warc_record_inner_offset",
    url: StringArray = "url",
    protocol: StringArray = "url_protocol",
    host: StringArray = "url_host_name",
    tld: StringArray = "url_host_tld",
    registered_domain: StringArray = "url_host_registered_domain",
    port: Int32Array = "url_port",
    path: StringArray = "url_path",
    query: StringArray = "url_query",
    is_robotstxt: BooleanArray = "is_robotstxt_url",
    time: TimestampMicrosecondArray = "fetch_time",
    status: Int32Array = "fetch_status",
    redirect_url: StringArray = "fetch_redirect_url",
    file_id: Int64Array = "file_id",
    policy_id: Int64Array = "policy_id",
}

/// Identifies a capture: the number of its input (in the order of names) and its two offsets. Of
/// captures of one time, the last counts as the latest, so it sorts first.
pub(super) type Position = Reverse<(u32, i64, i64)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct StoredAnswer {
    pub(super) status: Option<i32>,
    pub(super) file_id: Option<i64>,
    pub(super) policy_id: Option<i64>,
}

impl StoredAnswer {
    pub(super) fn class(self) -> ResponseClass {
        match self.status {
            Some(200..=299) => ResponseClass::Success,
            _ if self.file_id.is_some() => ResponseClass::Success,
            Some(304) => ResponseClass::NotModified,
            Some(300..=399) => ResponseClass::Redirect,
            Some(401 | 403) => ResponseClass::Forbidden,
            Some(408 | 425 | 429) => ResponseClass::Defer,
            Some(400..=499) => ResponseClass::AllowAll,
            _ => ResponseClass::Defer,
        }
    }

    /// Lower ranks are preferred: by class, then answers with a file first.
    pub(super) fn rank(self) -> (ResponseClass, bool) {
        (self.class(), self.file_id.is_none())
    }

    /// Whether the answer determines what crawlers may do: a file, or the absence of one (404 and
    /// the like, 204).
    pub(super) fn is_settled(self) -> bool {
        self.policy_id.is_some()
            || self.status == Some(204)
            || self.class() == ResponseClass::AllowAll
    }

    /// How a chain of redirects ended if this answer is its last.
    pub(super) fn ended(self) -> Ended {
        match self.class() {
            ResponseClass::Redirect => Ended::NoLocation,
            _ => Ended::Final,
        }
    }
}

word_enum! {
    /// What a response means to a crawler, in the classes of Common Crawl's robots.txt experiments
    /// and the order in which `origins` prefers them: `response_class`.
    pub(in crate::dataset) ResponseClass {
        /// 2xx, and any other response with a file: a 304 for a known file, a resource record.
        Success = "success",
        /// 4xx except the codes below: the site does not have a robots.txt.
        AllowAll = "allow_all",
        /// 401, 403: some crawlers take these for "no robots.txt", others for "keep out".
        Forbidden = "forbidden",
        /// 408, 425, 429, 5xx, no status or an impossible one: try again later.
        Defer = "defer",
        Redirect = "redirect",
        /// 304 for a file that the dataset does not have.
        NotModified = "not_modified",
    }
}

/// A capture of a robots.txt. It sorts as the rows of the derived tables do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct ResolvedCapture {
    pub(super) reversed: Option<String>,
    pub(super) origin: String,
    /// Latest first; captures without a time last.
    pub(super) time: Reverse<Option<i64>>,
    pub(super) position: Position,
    pub(super) url: String,
    pub(super) protocol: Option<String>,
    pub(super) tld: Option<String>,
    pub(super) registered_domain: Option<String>,
    pub(super) port: Option<i32>,
    pub(super) status: Option<i32>,
    pub(super) redirect_url: Option<String>,
    pub(super) n_redirects: i32,
    pub(super) ended: Ended,
    /// The URL of the last capture in the chain; `None` if that is this capture.
    pub(super) final_url: Option<String>,
    pub(super) answer: StoredAnswer,
}

word_enum! {
    /// How a chain of redirects ended: `resolved.ended`.
    #[derive(Serialize, Deserialize)]
    pub(in crate::dataset) Ended {
        Final = "final",
        NoLocation = "no_location",
        NotCaptured = "not_captured",
        Loop = "loop",
        TooMany = "too_many",
    }
}

impl Columns<'_> {
    /// The capture in a row, before its redirects are followed.
    pub(super) fn capture(&self, row: usize, position: Position) -> ResolvedCapture {
        let text = |column| value(column, row).map(str::to_owned);
        let (tld, answer) = (text(self.tld), self.answer(row));
        let host = value(self.host, row);
        ResolvedCapture {
            reversed: host.map(|host| reversed_host(host, tld.is_some())),
            origin: self.origin(row),
            time: Reverse(value(self.time, row)),
            position,
            url: self.url.value(row).to_owned(),
            protocol: text(self.protocol),
            tld,
            registered_domain: text(self.registered_domain),
            port: value(self.port, row),
            status: answer.status,
            redirect_url: text(self.redirect_url),
            n_redirects: 0,
            ended: answer.ended(),
            final_url: None,
            answer,
        }
    }

    pub(super) fn answer(&self, row: usize) -> StoredAnswer {
        StoredAnswer {
            status: value(self.status, row),
            file_id: value(self.file_id, row),
            policy_id: value(self.policy_id, row),
        }
    }

    /// Scheme, host and port of the row's URL as one text, a default port left out. A URL whose
    /// host cannot exist has no parts; its origin is the text before the path.
    fn origin(&self, row: usize) -> String {
        let (protocol, host) = (value(self.protocol, row), value(self.host, row));
        match (protocol, host, value(self.port, row)) {
            (Some(protocol), Some(host), None) => format!("{protocol}://{host}"),
            (Some(protocol), Some(host), Some(port)) => format!("{protocol}://{host}:{port}"),
            _ => before_path(self.url.value(row)).to_owned(),
        }
    }

    /// The row's URL as it appears in redirects: normalised, or as recorded if it has no parts.
    pub(super) fn target_url(&self, row: usize) -> String {
        let Some(path) = value(self.path, row) else {
            return self.url.value(row).to_owned();
        };
        let mut url = self.origin(row);
        url.push_str(path);
        if let Some(query) = value(self.query, row) {
            url.extend(["?", query]);
        }
        url
    }
}

/// The text before the path of a URL; empty if the URL has no authority.
pub(super) fn before_path(url: &str) -> &str {
    const ENDS: [char; 3] = ['/', '?', '#'];
    let Some(scheme) = url.find(ENDS).filter(|at| url[*at..].starts_with("//")) else {
        return "";
    };
    let authority = scheme + 2;
    let length = url[authority..].find(ENDS);
    &url[..length.map_or(url.len(), |length| authority + length)]
}

/// The port of a URL: its own, else its scheme's default.
pub(super) fn effective_port(protocol: Option<&str>, port: Option<i32>) -> Option<i32> {
    port.or(match protocol? {
        "https" => Some(443),
        "http" => Some(80),
        "ftp" => Some(21),
        _ => None,
    })
}

/// A host with its labels in reverse, `com.example.www`, so that hosts of a domain sort together.
/// An IP address, which has no top-level domain, stays as it is. Reversing twice restores the host.
pub(crate) fn reversed_host(host: &str, is_domain: bool) -> String {
    if !is_domain {
        return host.to_owned();
    }
    host.rsplit('.').collect::<Vec<_>>().join(".")
}
