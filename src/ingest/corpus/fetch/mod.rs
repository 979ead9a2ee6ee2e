//! A fetch in a table or folder, and its form as a WARC record.
//!
//! What comes from a corpus without WARC takes the way of every capture: it is written as the
//! record that a crawler would have written, and handed to the
//! [collector](crate::ingest::collector).

use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::GeneralPurposeConfig;
use warc_recovery::damage::DamageKind;

use super::columns::Column;
use super::headers::{self, HeaderLine};
use super::time::{micros_from_f64, micros_from_i64, parse_time, write_date};

/// The longest URL that is read, in bytes, and all header lines together; heads of records end
/// there.
const MAX_HEAD_BYTES: usize = 512 * 1024;

/// Headers that were true of the body on the wire; a table has the body decoded.
const TRANSFER_HEADERS: [&str; 3] = ["content-encoding", "transfer-encoding", "content-length"];

/// A value of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Cell<'a> {
    /// There is no such column in the row.
    #[default]
    Absent,
    /// No value.
    Null,
    /// Text, or bytes.
    Text(Cow<'a, [u8]>),
    Integer(i64),
    Real(f64),
    /// Microseconds since 1970-01-01T00:00:00Z.
    Time(i64),
    Headers(Vec<HeaderLine>),
}

/// The cells of a row, in the order of [`Column`].
pub(super) type Cells<'a> = [Cell<'a>; Column::COUNT];

/// Why a row is not a fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(super) kind: DamageKind,
    pub(super) message: String,
}

impl Problem {
    pub(super) fn new(kind: DamageKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { kind, message }
    }

    pub(super) fn unreadable(message: impl Into<String>) -> Self {
        Self::new(DamageKind::NotARecord, message)
    }
}

/// One fetch.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Fetch {
    pub(super) url: Vec<u8>,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub(super) time: Option<i64>,
    pub(super) status: Option<u16>,
    pub(super) headers: Vec<HeaderLine>,
    /// `None` if the server did not answer.
    pub(super) body: Option<Vec<u8>>,
    pub(super) content_type: Option<Vec<u8>>,
    pub(super) ip_address: Option<Vec<u8>>,
    /// What names it in its input.
    pub(super) id: Option<String>,
    /// Whether it has a status that is not a code, such as a word: it is taken as one without
    /// status.
    pub(crate) has_odd_status: bool,
}

impl Fetch {
    /// The fetch in a row.
    pub(super) fn from_cells(mut cells: Cells<'_>) -> Result<Self, Problem> {
        let mut take = |column: Column| std::mem::take(&mut cells[column as usize]);
        let (url, host) = (take(Column::Url), take(Column::Host));
        let url = match (text(url), text(host)) {
            (Some(url), _) => url_of(&url),
            (None, Some(host)) => url_of_host(&host),
            (None, None) => {
                let message = "neither a URL nor a host";
                return Err(Problem::new(DamageKind::NoTargetUri, message));
            }
        };
        if url.len() > MAX_HEAD_BYTES {
            return Err(Problem::unreadable("the URL is too long"));
        }
        let time = time(take(Column::Time))?;
        let status = take(Column::Status);
        let has_status = status != Cell::Absent;
        let is_odd = is_odd_status(&status);
        let status = status_of(status);
        let (body, packed) = (take(Column::Body), take(Column::BodyBase64));
        let body = match (bytes(body), bytes(packed)) {
            (None, Some(packed)) => Some(unpacked(&packed)?),
            (body, _) => body,
        };
        // An answer has a status or a body; where no status is ever told, an empty body is one.
        let is_answer = status.is_some()
            || body
                .as_ref()
                .is_some_and(|it| !has_status || !it.is_empty());
        let mut headers = headers_of(take(Column::Headers))?;
        if let Some(location) = text(take(Column::Location))
            && !headers::has(&headers, "location")
        {
            headers.push(("location".to_owned(), location));
        }
        if headers::bytes(&headers) > MAX_HEAD_BYTES {
            return Err(Problem::unreadable("the headers are too long"));
        }
        Ok(Self {
            url,
            time,
            status,
            headers,
            body: is_answer.then(|| body.unwrap_or_default()),
            content_type: text(take(Column::ContentType)),
            ip_address: text(take(Column::IpAddress)),
            id: None,
            has_odd_status: is_odd && status.is_none(),
        })
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.url.len() + headers::bytes(&self.headers) + self.body.as_ref().map_or(0, Vec::len)
    }

    /// Writes the fetch as a WARC record, head and block: a response, where there is a status or no
    /// answer at all, else a resource, which is a body without a head.
    pub(crate) fn write(&self, head: &mut Vec<u8>, block: &mut Vec<u8>) {
        block.clear();
        let body = self.body.as_deref().unwrap_or_default();
        let is_response = self.status.is_some() || self.body.is_none();
        let mut media_type = self.content_type.as_deref();
        if let Some(status) = self.status {
            let _ = write!(block, "HTTP/1.1 {status}\r\n");
            for (name, value) in &self.headers {
                if TRANSFER_HEADERS
                    .iter()
                    .any(|it| name.eq_ignore_ascii_case(it))
                {
                    block.extend_from_slice(b"X-Crawler-");
                }
                line(block, name, value);
            }
            if let Some(value) = media_type
                && !headers::has(&self.headers, "content-type")
            {
                line(block, "Content-Type", value);
            }
            block.extend_from_slice(b"\r\n");
        } else if media_type.is_none() {
            media_type = headers::get(&self.headers, "content-type");
        }
        block.extend_from_slice(body);

        head.clear();
        head.extend_from_slice(b"WARC/1.1\r\nWARC-Type: ");
        head.extend_from_slice(if is_response {
            b"response"
        } else {
            b"resource"
        });
        head.extend_from_slice(b"\r\n");
        line(head, "WARC-Target-URI", &self.url);
        if let Some(time) = self.time {
            head.extend_from_slice(b"WARC-Date: ");
            write_date(time, head);
            head.extend_from_slice(b"\r\n");
        }
        if let Some(id) = &self.id {
            line(head, "WARC-Record-ID", id.as_bytes());
        }
        if let Some(address) = &self.ip_address {
            line(head, "WARC-IP-Address", address);
        }
        // With `application/http`, a resource would be a response.
        let is_http = |it: &&[u8]| {
            it.trim_ascii_start()
                .to_ascii_lowercase()
                .starts_with(b"application/http")
        };
        match media_type.filter(|it| !is_http(it)) {
            _ if is_response => line(head, "Content-Type", b"application/http"),
            Some(value) => line(head, "Content-Type", value),
            None => {}
        }
        let _ = write!(head, "Content-Length: {}\r\n\r\n", block.len());
    }
}

impl fmt::Display for Fetch {
    /// For people: on one line, the body cut.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut time = Vec::new();
        if let Some(micros) = self.time {
            write_date(micros, &mut time);
        }
        let time = String::from_utf8_lossy(&time);
        let time = if time.is_empty() { "no time" } else { &time };
        let url = String::from_utf8_lossy(&self.url);
        write!(formatter, "{url}, {time}, ")?;
        match (self.status, &self.body) {
            (None, None) => return formatter.write_str("no answer"),
            (Some(status), _) => write!(formatter, "status {status}")?,
            (None, Some(_)) => formatter.write_str("no status")?,
        }
        let plural = if self.headers.len() == 1 { "" } else { "s" };
        write!(formatter, ", {} header{plural}", self.headers.len())?;
        let body = self.body.as_deref().unwrap_or_default();
        write!(formatter, ", {} bytes", body.len())?;
        if !body.is_empty() {
            let start = String::from_utf8_lossy(&body[..body.len().min(400)]);
            let start: String = start.chars().take(60).collect();
            write!(formatter, ": {}", start.replace(['\r', '\n'], " "))?;
        }
        Ok(())
    }
}

/// Appends a header line; line ends in the value become spaces.
fn line(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b": ");
    let is_end = |byte: u8| matches!(byte, b'\r' | b'\n');
    out.extend(
        value
            .iter()
            .map(|byte| if is_end(*byte) { b' ' } else { *byte }),
    );
    out.extend_from_slice(b"\r\n");
}

/// The URL of a robots.txt as a table has it: `https` is assumed where it names no scheme, and the
/// path where it names none.
fn url_of(url: &[u8]) -> Vec<u8> {
    if memchr::memmem::find(url, b"://").is_some() {
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
    let (scheme, rest) = match memchr::memmem::find(host, b"://") {
        Some(at) => host.split_at(at),
        None => (&b"https"[..], host),
    };
    let rest = rest.strip_prefix(b":").unwrap_or(rest);
    let rest = rest.strip_prefix(b"//").unwrap_or(rest);
    let end = (rest.iter()).position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let authority = &rest[..end.unwrap_or(rest.len())];
    [scheme, b"://", authority, b"/robots.txt"].concat()
}

/// Text that is not empty.
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

fn time(cell: Cell<'_>) -> Result<Option<i64>, Problem> {
    match cell {
        Cell::Integer(number) => Ok(micros_from_i64_or_digits(number)),
        Cell::Time(micros) => Ok(Some(micros)),
        Cell::Real(number) => Ok(micros_from_f64(number)),
        Cell::Text(text) if !is_nothing(&text) => match parse_time(&text) {
            Some(time) => Ok(Some(time)),
            None => Err(Problem::unreadable(format!(
                "`{}` is not a valid time, such as 2026-08-01T12:00:00Z; to ignore the column, add \
                 --columns time=",
                String::from_utf8_lossy(&text[..text.len().min(80)])
            ))),
        },
        _ => Ok(None),
    }
}

/// A number as a time; 20260801120000 may be written as one.
fn micros_from_i64_or_digits(number: i64) -> Option<i64> {
    parse_time(number.to_string().as_bytes()).or_else(|| micros_from_i64(number))
}

/// What tables write for no value.
fn is_nothing(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let words: [&[u8]; 7] = [b"", b"null", b"none", b"nan", b"nat", b"n/a", b"-"];
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a status says something, which may not be a code: numbers up to 0 and words for nothing
/// are what tables write for a fetch without an answer.
fn is_odd_status(cell: &Cell<'_>) -> bool {
    match cell {
        Cell::Text(text) => {
            let number = std::str::from_utf8(text)
                .ok()
                .and_then(|it| it.trim().parse::<f64>().ok());
            !is_nothing(text) && number.is_none_or(|number| number > 0.0)
        }
        Cell::Integer(number) => *number > 0,
        Cell::Real(number) => *number > 0.0,
        _ => false,
    }
}

/// A status code; text may have the reason after it. `None` for anything else.
fn status_of(cell: Cell<'_>) -> Option<u16> {
    let code = match cell {
        Cell::Integer(number) => u16::try_from(number).ok()?,
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number in range"
        )]
        Cell::Real(number) if number.fract() == 0.0 && (100.0..1000.0).contains(&number) => {
            number as u16
        }
        Cell::Text(text) => {
            let text = text.trim_ascii();
            let end = text.iter().position(|byte| !byte.is_ascii_digit());
            let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
            let is_end = rest.is_empty() || rest.starts_with(b" ") || rest == b".0";
            let digits = std::str::from_utf8(digits).ok()?;
            digits.parse().ok().filter(|_| is_end)?
        }
        _ => return None,
    };
    (100..1000).contains(&code).then_some(code)
}

fn headers_of(cell: Cell<'_>) -> Result<Vec<HeaderLine>, Problem> {
    match cell {
        Cell::Headers(lines) => Ok(lines),
        Cell::Text(text) if !is_nothing(&text) => headers::parse(&text).map_err(|message| {
            Problem::unreadable(format!("{message}; to do without, add --columns headers="))
        }),
        _ => Ok(Vec::new()),
    }
}

/// Base64 in either alphabet, padded or not, its line ends aside.
fn unpacked(text: &[u8]) -> Result<Vec<u8>, Problem> {
    const ANY_PADDING: GeneralPurposeConfig = GeneralPurposeConfig::new()
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent);
    const ENGINE: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::STANDARD, ANY_PADDING);
    let standard = |byte: &u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => *byte,
    };
    let text: Vec<u8> = (text.iter())
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(standard)
        .collect();
    ENGINE
        .decode(&text)
        .map_err(|error| Problem::unreadable(format!("the body is not valid base64: {error}")))
}

#[cfg(test)]
mod tests;
