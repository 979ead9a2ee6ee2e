//! A fetch in a table or folder, and its form as a WARC record.

use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use memchr::memmem;
use warc_recovery::damage::DamageKind;

use super::columns::Column;
use super::headers::Headers;
use super::problem::Problem;
use super::time::{YEARS, parse_time, warc_date};

/// Base64 with or without padding.
pub(crate) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The most bytes of all header lines together: the heads of responses are limited too.
const MAX_HEADERS_BYTES: usize = 512 * 1024;

/// Headers that described the body on the wire; a table has the decoded body.
const TRANSFER_HEADERS: [&str; 3] = ["content-encoding", "transfer-encoding", "content-length"];

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Cell<'a> {
    /// There is no such column in the row.
    #[default]
    Absent,
    Null,
    Text(Cow<'a, [u8]>),
    Integer(i64),
    Real(f64),
    /// Microseconds since 1970-01-01T00:00:00Z.
    Time(i64),
    Headers(Headers),
}

/// The cells of a row, in the order of [`Column`].
pub(super) type Cells<'a> = [Cell<'a>; Column::COUNT];

#[derive(Debug, Default)]
pub(crate) struct Fetch {
    pub(super) url: Vec<u8>,
    /// Microseconds since 1970-01-01T00:00:00Z.
    time: Option<i64>,
    status: Option<u16>,
    headers: Headers,
    /// `None` if the server did not answer, or its body was not recorded.
    pub(super) body: Option<Vec<u8>>,
    content_type: Option<Vec<u8>>,
    ip_address: Option<Vec<u8>>,
    /// Its id within its input.
    id: Option<String>,
    /// Whether its status is not a code but, say, a word; it is then read as having no status.
    pub(crate) has_odd_status: bool,
}

impl Fetch {
    pub(super) fn from_cells(mut cells: Cells<'_>) -> Result<Self, Problem> {
        let mut take = |column: Column| std::mem::take(&mut cells[column as usize]);
        let url = match (text(take(Column::Url)), text(take(Column::Host))) {
            (Some(url), _) => url_of(&url),
            (None, Some(host)) => url_of_host(&host),
            (None, None) => {
                let message = "neither a URL nor a host";
                return Err(Problem::new(DamageKind::NoTargetUri, message));
            }
        };
        let time = time(take(Column::Time))?;
        let status = take(Column::Status);
        let has_status = status != Cell::Absent;
        let (status, has_odd_status) = status_of(status);
        let body = match (bytes(take(Column::Body)), bytes(take(Column::BodyBase64))) {
            // A row of CSV has both columns, and one of them is empty.
            (body, Some(packed)) if body.as_ref().is_none_or(Vec::is_empty) => {
                Some(unpacked(&packed)?)
            }
            (body, _) => body,
        };
        // An answer has a status or a body; in a table without a column of statuses, the body may
        // be empty.
        let is_body = |it: &Vec<u8>| !has_status || !it.is_empty();
        let is_answer = status.is_some() || body.as_ref().is_some_and(is_body);
        let mut headers = headers_of(take(Column::Headers))?;
        if let Some(location) = text(take(Column::Location))
            && headers.get("location").is_none()
        {
            headers.push("location", &location);
        }
        if headers.bytes() > MAX_HEADERS_BYTES {
            return Err(Problem::unreadable("the headers are too long"));
        }
        Ok(Self {
            url,
            time,
            status,
            headers,
            body: body.filter(|_| is_answer),
            content_type: text(take(Column::ContentType)),
            ip_address: text(take(Column::IpAddress)),
            id: None,
            has_odd_status,
        })
    }

    pub(super) fn of_file(name: &str, url: &str, time: Option<i64>, body: Vec<u8>) -> Self {
        Self {
            url: url.as_bytes().to_vec(),
            time,
            body: Some(body),
            id: Some(name.to_owned()),
            ..Self::default()
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.url.len() + self.headers.bytes() + self.body.as_ref().map_or(0, Vec::len)
    }

    /// Appends the fetch as a WARC record, head and block: a response if there is a status or no
    /// answer at all, else a resource, which is a body without a head.
    pub(crate) fn write(&self, head: &mut Vec<u8>, block: &mut Vec<u8>) {
        let mut media_type = self.content_type.as_deref();
        let of_headers = self.headers.get("content-type");
        if let Some(status) = self.status {
            let _ = write!(block, "HTTP/1.1 {status}\r\n");
            for (name, value) in &self.headers.0 {
                let mut transfer = TRANSFER_HEADERS.iter();
                if transfer.any(|it| name.eq_ignore_ascii_case(it)) {
                    block.extend_from_slice(b"X-Crawler-");
                }
                push_line(block, name, value);
            }
            if let (Some(value), None) = (media_type, of_headers) {
                push_line(block, "Content-Type", value);
            }
            block.extend_from_slice(b"\r\n");
        }
        block.extend_from_slice(self.body.as_deref().unwrap_or_default());

        head.extend_from_slice(b"WARC/1.1\r\n");
        let is_response = self.status.is_some() || self.body.is_none();
        if is_response {
            push_line(head, "WARC-Type", b"response");
            media_type = Some(b"application/http");
        } else {
            push_line(head, "WARC-Type", b"resource");
            // With `application/http`, a resource would be read as a response.
            media_type = media_type.or(of_headers).filter(|it| !is_http(it));
        }
        push_line(head, "WARC-Target-URI", &self.url);
        let may_have_body = self.status.is_some_and(|it| it != 204 && it / 100 == 2);
        if self.body.is_none() && may_have_body {
            // An empty body would be an empty file.
            push_line(head, "WARC-Truncated", b"unspecified");
        }
        if let Some(time) = self.time {
            push_line(head, "WARC-Date", warc_date(time).as_bytes());
        }
        for (name, value) in [
            ("WARC-Record-ID", self.id.as_deref().map(str::as_bytes)),
            ("WARC-IP-Address", self.ip_address.as_deref()),
            ("Content-Type", media_type),
        ] {
            if let Some(value) = value {
                push_line(head, name, value);
            }
        }
        let _ = write!(head, "Content-Length: {}\r\n\r\n", block.len());
    }
}

impl fmt::Display for Fetch {
    /// For people: on one line, with the body cut.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.map(warc_date).filter(|it| !it.is_empty());
        let time = time.as_deref().unwrap_or("no time");
        let url = String::from_utf8_lossy(&self.url);
        write!(formatter, "{url}, {time}, ")?;
        match (self.status, &self.body) {
            (None, None) => return formatter.write_str("no answer"),
            (Some(status), _) => write!(formatter, "status {status}")?,
            (None, Some(_)) => formatter.write_str("no status")?,
        }
        let n_headers = self.headers.0.len();
        let plural = if n_headers == 1 { "" } else { "s" };
        let body = self.body.as_deref().unwrap_or_default();
        write!(
            formatter,
            ", {n_headers} header{plural}, {} bytes",
            body.len()
        )?;
        if !body.is_empty() {
            let start = String::from_utf8_lossy(&body[..body.len().min(400)]);
            let start: String = start.chars().take(60).collect();
            write!(formatter, ": {}", start.replace(['\r', '\n'], " "))?;
        }
        Ok(())
    }
}

/// Appends a header line; line endings in the value become spaces.
fn push_line(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b": ");
    let without_end = |byte: &u8| if b"\r\n".contains(byte) { b' ' } else { *byte };
    out.extend(value.iter().map(without_end));
    out.extend_from_slice(b"\r\n");
}

fn is_http(media_type: &[u8]) -> bool {
    let media_type = media_type.trim_ascii_start().to_ascii_lowercase();
    media_type.starts_with(b"application/http")
}

/// The URL of a robots.txt as a table has it: without a scheme, `https` is assumed, and
/// `/robots.txt` if the path is missing too.
fn url_of(url: &[u8]) -> Vec<u8> {
    if memmem::find(url, b"://").is_some() {
        return url.to_vec();
    }
    let url = url.strip_prefix(b"//").unwrap_or(url);
    if url.contains(&b'/') {
        [b"https://", url].concat()
    } else {
        url_of_host(url)
    }
}

/// The URL of the robots.txt of a host, or of the origin of a URL.
fn url_of_host(host: &[u8]) -> Vec<u8> {
    let (scheme, rest) = match memmem::find(host, b"://") {
        Some(at) => (&host[..at], &host[at + 3..]),
        None => (&b"https"[..], host.strip_prefix(b"//").unwrap_or(host)),
    };
    let end = (rest.iter()).position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let authority = &rest[..end.unwrap_or(rest.len())];
    [scheme, b"://", authority, b"/robots.txt"].concat()
}

fn text(cell: Cell<'_>) -> Option<Vec<u8>> {
    let text = bytes(cell)?.trim_ascii().to_vec();
    (!text.is_empty()).then_some(text)
}

fn bytes(cell: Cell<'_>) -> Option<Vec<u8>> {
    match cell {
        Cell::Text(text) => Some(text.into_owned()),
        Cell::Integer(number) => Some(number.to_string().into_bytes()),
        _ => None,
    }
}

pub(super) fn time(cell: Cell<'_>) -> Result<Option<i64>, Problem> {
    let text = match cell {
        // 20260801120000 may be written as a number.
        Cell::Integer(number) => Cow::Owned(number.to_string().into_bytes()),
        Cell::Real(number) => Cow::Owned(number.to_string().into_bytes()),
        Cell::Text(text) => text,
        Cell::Time(micros) if YEARS.contains(&micros) => return Ok(Some(micros)),
        Cell::Time(micros) => Cow::Owned(format!("{micros} µs since 1970").into_bytes()),
        _ => return Ok(None),
    };
    if is_nothing(&text) || *text == *b"0" {
        return Ok(None);
    }
    let time = parse_time(&text).filter(|micros| YEARS.contains(micros));
    let time = time.ok_or_else(|| {
        Problem::unreadable(format!(
            "`{}` is not a valid time, such as 2026-08-01T12:00:00Z; to ignore the column, \
             add --columns time=",
            String::from_utf8_lossy(&text[..text.len().min(80)])
        ))
    })?;
    Ok(Some(time))
}

/// Words that tables use for a missing value.
fn is_nothing(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let words: [&[u8]; 7] = [b"", b"null", b"none", b"nan", b"nat", b"n/a", b"-"];
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// A status code, which a reason may follow; and whether the status is odd, because it is not a
/// code. Numbers up to 0 and words for a missing value mean no answer, and are not odd.
pub(super) fn status_of(cell: Cell<'_>) -> (Option<u16>, bool) {
    let text = match cell {
        Cell::Real(number) => number.to_string(),
        cell => String::from_utf8_lossy(&bytes(cell).unwrap_or_default()).into_owned(),
    };
    let text = text.trim_ascii();
    let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    let is_end = matches!(rest, "" | ".0") || rest.starts_with(' ');
    let code = digits.parse().ok().filter(|_| is_end);
    let code = code.filter(|code| (100..1000).contains(code));
    let is_positive = text.parse().ok().is_none_or(|number: f64| number > 0.0);
    let is_odd = code.is_none() && is_positive && !is_nothing(text.as_bytes());
    (code, is_odd)
}

fn headers_of(cell: Cell<'_>) -> Result<Headers, Problem> {
    match cell {
        Cell::Headers(headers) => Ok(headers),
        Cell::Text(text) if !is_nothing(&text) => Headers::parse(&text).map_err(|message| {
            Problem::unreadable(format!(
                "{message}; to ignore the column, add --columns headers="
            ))
        }),
        _ => Ok(Headers::default()),
    }
}

/// Base64 in either alphabet, with or without padding and line endings.
fn unpacked(text: &[u8]) -> Result<Vec<u8>, Problem> {
    let standard = |byte: &u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => *byte,
    };
    let text: Vec<u8> = (text.iter())
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(standard)
        .collect();
    BASE64
        .decode(&text)
        .map_err(|error| Problem::unreadable(format!("the body is not valid base64: {error}")))
}
