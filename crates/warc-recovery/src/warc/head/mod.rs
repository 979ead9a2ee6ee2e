//! The head of a WARC record: version line and named fields.
//!
//! Implements ISO 28500:2017 (WARC 1.1) §4 (record model) and §5 (named fields). Versions 0.17,
//! 0.18 and 1.0 do not differ in ways that matter here.
//!
//! Tolerated, because archives in circulation contain them: LF-only line endings, folded lines,
//! names and the word `WARC` in any case, white space around names and values, lines that are not
//! fields, repeated fields (the first one counts), `<>` around identifiers and URIs, spaces in
//! target URIs, bytes that are not UTF-8.

use memchr::{memchr, memmem};

use super::RecordType;
use super::date::parse_date;
use crate::header_fields::{
    FieldLine, FieldLines, FieldValue, parse_decimal, strip_prefix, values_of,
};
use crate::names::names;

pub use super::HeadError;

/// The longest head that is read, in bytes: 1 MiB. Heads have some 500 bytes plus the length of
/// their target URI.
pub const MAX_HEAD_BYTES: usize = 1 << 20;

/// Few heads have more fields.
const USUAL_FIELDS: usize = 16;

/// How every record begins. The standard's grammar is in RFC 2616's notation, where literals have
/// no case, and files with `warc/1.0` exist.
const MAGIC: &[u8] = b"WARC/";

/// The version in a record's first line, `WARC/1.1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The number before the dot.
    pub major: u16,
    /// The number after the dot: 17 in `WARC/0.17`.
    pub minor: u16,
}

names! {
    /// Named fields that readers of records need, ISO 28500:2017 §5. [`RecordHead::values_of`]
    /// finds any other field.
    pub enum Field {
        Type = "warc-type",
        RecordId = "warc-record-id",
        Date = "warc-date",
        ContentLength = "content-length",
        ContentType = "content-type",
        TargetUri = "warc-target-uri",
        IpAddress = "warc-ip-address",
        PayloadDigest = "warc-payload-digest",
        BlockDigest = "warc-block-digest",
        Truncated = "warc-truncated",
        WarcinfoId = "warc-warcinfo-id",
        IdentifiedPayloadType = "warc-identified-payload-type",
        RefersTo = "warc-refers-to",
        RefersToTargetUri = "warc-refers-to-target-uri",
        RefersToDate = "warc-refers-to-date",
        Profile = "warc-profile",
        Filename = "warc-filename",
        SegmentNumber = "warc-segment-number",
    }
}

/// A record's head, borrowed from the bytes that it was parsed from.
#[derive(Clone, Debug)]
pub struct RecordHead<'a> {
    pub(crate) version: Version,
    pub(crate) record_type: RecordType,
    pub(crate) content_length: u64,
    pub(crate) bytes: &'a [u8],
    pub(crate) fields: Vec<(&'a [u8], FieldValue<'a>)>,
}

impl<'a> RecordHead<'a> {
    /// Reads the head at the start of `input`.
    ///
    /// ```
    /// use warc_recovery::warc::{RecordHead, RecordType};
    ///
    /// let record = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 5\r\n\r\nblock\r\n\r\n";
    /// let head = RecordHead::parse(record)?;
    /// assert_eq!(head.record_type(), RecordType::Response);
    /// assert_eq!(head.content_length(), 5);
    /// assert!(record[head.head_length()..].starts_with(b"block"));
    /// # Ok::<(), warc_recovery::warc::HeadError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`HeadError::Incomplete`] if `input` ends before the head does; it cannot occur once `input`
    /// has [`MAX_HEAD_BYTES`]. The other errors do not change with more bytes.
    pub fn parse(input: &'a [u8]) -> Result<Self, HeadError> {
        let window = &input[..input.len().min(MAX_HEAD_BYTES)];
        let unfinished = if input.len() < MAX_HEAD_BYTES {
            HeadError::Incomplete
        } else {
            HeadError::TooLong
        };

        let magic = &window[..window.len().min(MAGIC.len())];
        if !magic.eq_ignore_ascii_case(&MAGIC[..magic.len()]) {
            return Err(HeadError::NotWarc);
        }
        let line_end = memchr(b'\n', window).ok_or(unfinished)?;
        let version = parse_version(&window[..line_end]).ok_or(HeadError::BadVersion)?;

        let mut fields = Vec::with_capacity(USUAL_FIELDS);
        let mut lines = FieldLines::new(window, line_end + 1);
        loop {
            let line_start = lines.position();
            match lines.next().ok_or(unfinished)? {
                FieldLine::Blank => break,
                FieldLine::Field(name, value) => fields.push((name, value)),
                FieldLine::Malformed(line) => {
                    // An unfinished line may be the start of a longer one.
                    let is_whole = lines.position() < window.len();
                    if is_whole && parse_version(line).is_some() {
                        return Err(HeadError::Interrupted(line_start));
                    }
                }
            }
        }

        // A `\r` at the end of the window is not a blank line yet, although FieldLines also strips
        // a CR from the last line.
        let bytes = &window[..lines.position()];
        if bytes.last() != Some(&b'\n') {
            return Err(unfinished);
        }
        if let Some(at) = head_within_line(bytes, &fields) {
            return Err(HeadError::Interrupted(at));
        }
        let content_length = content_length(&fields)?;
        let record_type = (values_of(&fields, Field::Type.name()).next()).and_then(|value| {
            let mut types = RecordType::ALL.iter().copied();
            types.find(|it| value.raw().eq_ignore_ascii_case(it.name().as_bytes()))
        });
        Ok(Self {
            version,
            record_type: record_type.unwrap_or(RecordType::Other),
            content_length,
            bytes,
            fields,
        })
    }

    /// The version in the first line; for ARC, the version of the URL record.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// The kind of record.
    #[must_use]
    pub fn record_type(&self) -> RecordType {
        self.record_type
    }

    /// Length of the head in bytes, empty line included: where the block begins.
    #[must_use]
    pub fn head_length(&self) -> usize {
        self.bytes.len()
    }

    /// Length of the block in bytes, as the head claims it.
    #[must_use]
    pub fn content_length(&self) -> u64 {
        self.content_length
    }

    /// The bytes of the head, empty line included.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The first value of a field, as written.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<FieldValue<'a>> {
        self.values_of(field.name()).next()
    }

    /// All values of the field `name`, in order: for fields that may be repeated (digests of
    /// several algorithms) or that are not in [`Field`].
    pub fn values_of(&self, name: &str) -> impl Iterator<Item = FieldValue<'a>> {
        values_of(&self.fields, name)
    }

    /// `WARC-Target-URI` without `<>`. Spaces inside are kept.
    #[must_use]
    pub fn target_uri(&self) -> Option<FieldValue<'a>> {
        self.get(Field::TargetUri)
            .map(FieldValue::without_angle_brackets)
    }

    /// `WARC-Record-ID` without `<>`.
    #[must_use]
    pub fn record_id(&self) -> Option<FieldValue<'a>> {
        self.get(Field::RecordId)
            .map(FieldValue::without_angle_brackets)
    }

    /// `WARC-Date` in microseconds since 1970 UTC; `None` if it is missing or not a date.
    #[must_use]
    pub fn date(&self) -> Option<i64> {
        self.get(Field::Date)
            .and_then(|value| parse_date(value.raw()))
    }
}

fn content_length(fields: &[(&[u8], FieldValue<'_>)]) -> Result<u64, HeadError> {
    let mut lengths = values_of(fields, Field::ContentLength.name()).map(FieldValue::to_u64);
    let length = lengths.next().ok_or(HeadError::MissingContentLength)?;
    let length = length.filter(|_| lengths.all(|other| other == length));
    length.ok_or(HeadError::BadContentLength)
}

/// Where the last of other heads begins in a line of this one, which is cut short there. A field
/// may end like a version line, but only after such a line are fields repeated that a record has
/// once.
fn head_within_line(head: &[u8], fields: &[(&[u8], FieldValue<'_>)]) -> Option<usize> {
    // The usual head has no second version.
    memmem::find(&head[1..], MAGIC)?;
    let is_repeated = |field: &Field| values_of(fields, field.name()).nth(1).is_some();
    let once = [Field::Type, Field::RecordId, Field::Date, Field::TargetUri];
    once.iter().find(|field| is_repeated(field))?;
    let begins_version_line = |at: &usize| {
        let line_end = memchr(b'\n', &head[*at..]);
        *at > 0 && line_end.is_some_and(|end| parse_version(&head[*at..*at + end]).is_some())
    };
    memmem::rfind_iter(head, MAGIC).find(begins_version_line)
}

/// The version in a line `WARC/N.N`, white space after it allowed.
pub(super) fn parse_version(line: &[u8]) -> Option<Version> {
    let numbers = strip_prefix(line, MAGIC)?.trim_ascii_end();
    let dot = memchr(b'.', numbers)?;
    Some(Version {
        major: u16::try_from(parse_decimal(&numbers[..dot])?).ok()?,
        minor: u16::try_from(parse_decimal(&numbers[dot + 1..])?).ok()?,
    })
}

#[cfg(test)]
mod tests;
