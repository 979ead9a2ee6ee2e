//! Captures as the derived tables need them: columns of `captures`, and what follows from a URL's
//! parts.

use arrow_array::{BooleanArray, Int32Array, Int64Array, StringArray, TimestampMicrosecondArray};

use crate::dataset::stored::{columns, value};

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

impl<'b> Columns<'b> {
    /// The capture in a row.
    pub(super) fn row(&self, row: usize) -> StoredCapture<'b> {
        let status = value(self.status, row);
        StoredCapture {
            asked: FirstCapture {
                input_id: self.input_id.value(row),
                offset: self.offset.value(row),
                inner_offset: self.inner_offset.value(row),
                url: self.url.value(row),
                protocol: value(self.protocol, row),
                host: value(self.host, row),
                tld: value(self.tld, row),
                registered_domain: value(self.registered_domain, row),
                port: value(self.port, row),
                time: value(self.time, row),
                status,
                redirect_url: value(self.redirect_url, row),
            },
            path: value(self.path, row),
            query: value(self.query, row),
            is_robotstxt: self.is_robotstxt.value(row),
            answer: StoredAnswer {
                status,
                file_id: value(self.file_id, row),
                policy_id: value(self.policy_id, row),
            },
        }
    }
}

/// The capture that was asked first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FirstCapture<'r> {
    pub(super) input_id: i64,
    pub(super) offset: i64,
    pub(super) inner_offset: i64,
    pub(super) url: &'r str,
    pub(super) protocol: Option<&'r str>,
    pub(super) host: Option<&'r str>,
    pub(super) tld: Option<&'r str>,
    pub(super) registered_domain: Option<&'r str>,
    /// The port that the URL names.
    pub(super) port: Option<i32>,
    pub(super) time: Option<i64>,
    pub(super) status: Option<i32>,
    pub(super) redirect_url: Option<&'r str>,
}

/// The outcome of a fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StoredAnswer {
    pub(super) status: Option<i32>,
    pub(super) file_id: Option<i64>,
    pub(super) policy_id: Option<i64>,
}

/// A row of `captures`.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredCapture<'b> {
    /// The columns that `resolved` has of it, too.
    pub(super) asked: FirstCapture<'b>,
    pub(super) path: Option<&'b str>,
    pub(super) query: Option<&'b str>,
    pub(super) is_robotstxt: bool,
    pub(super) answer: StoredAnswer,
}

impl StoredCapture<'_> {
    /// Writes the URL as redirects name it: normalised, or as recorded where it has no parts.
    pub(super) fn write_target_url(&self, text: &mut String) {
        text.clear();
        let Some(path) = self.path else {
            text.push_str(self.asked.url);
            return;
        };
        self.asked.write_origin(text);
        text.push_str(path);
        if let Some(query) = self.query {
            text.push('?');
            text.push_str(query);
        }
    }
}

impl FirstCapture<'_> {
    /// Appends scheme, host and port of its URL as one text, a default port left out. A URL whose
    /// host cannot exist has no parts; its origin is the text before the path.
    pub(super) fn write_origin(&self, text: &mut String) {
        let (Some(protocol), Some(host)) = (self.protocol, self.host) else {
            text.push_str(before_path(self.url));
            return;
        };
        text.push_str(protocol);
        text.push_str("://");
        text.push_str(host);
        if let Some(port) = self.port {
            text.push(':');
            text.push_str(&port.to_string());
        }
    }
}

/// The text before the path of a URL that has an authority, else nothing.
fn before_path(url: &str) -> &str {
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

/// A host with its labels in reverse, `com.example.www`, so that hosts of a domain sort together;
/// an IP address, which has no top-level domain, as it is.
pub(in crate::dataset) fn write_reversed(text: &mut String, host: &str, is_domain: bool) {
    if !is_domain {
        text.push_str(host);
        return;
    }
    for (number, label) in host.rsplit('.').enumerate() {
        if number > 0 {
            text.push('.');
        }
        text.push_str(label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    #[test]
    fn cases() {
        check(file!(), |question, [text, kind, _]| {
            if question == "before-path" {
                return before_path(text).to_owned();
            }
            let (mut reversed, mut back) = (String::new(), String::new());
            write_reversed(&mut reversed, text, kind != "address");
            write_reversed(&mut back, &reversed, kind != "address");
            assert_eq!(back, text);
            reversed
        });
    }

    #[test]
    fn an_origin_has_the_port() {
        let mut text = String::new();
        let capture = FirstCapture {
            protocol: Some("http"),
            host: Some("a.b"),
            port: Some(8080),
            ..FirstCapture::default()
        };
        capture.write_origin(&mut text);
        assert_eq!(text, "http://a.b:8080");
    }
}
