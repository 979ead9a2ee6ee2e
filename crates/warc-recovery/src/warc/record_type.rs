//! The kind of a WARC record, ISO 28500:2017 §6.

/// The kinds of record, ISO 28500:2017 §6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordType {
    /// What the file is: the crawl, the software.
    Warcinfo,
    /// A complete response, with the protocol's own head.
    Response,
    /// A resource without protocol head (files, FTP, crawler output).
    Resource,
    /// A complete request.
    Request,
    /// Something about another record.
    Metadata,
    /// A capture whose content is the same as an earlier one's.
    Revisit,
    /// Another form of a record's content, such as extracted text.
    Conversion,
    /// A further segment of a segmented record.
    Continuation,
    /// A type that the standard does not name, or none at all.
    Other,
}

impl RecordType {
    /// The type named by a `WARC-Type` value, letters compared without case.
    #[must_use]
    pub fn from_name(name: &[u8]) -> Self {
        const TYPES: [RecordType; 8] = [
            RecordType::Response,
            RecordType::Request,
            RecordType::Metadata,
            RecordType::Warcinfo,
            RecordType::Revisit,
            RecordType::Resource,
            RecordType::Conversion,
            RecordType::Continuation,
        ];
        TYPES
            .into_iter()
            .find(|record_type| record_type.name().as_bytes().eq_ignore_ascii_case(name))
            .unwrap_or(Self::Other)
    }

    /// The type in lower case, as in the standard; `other` for [`Self::Other`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warcinfo => "warcinfo",
            Self::Response => "response",
            Self::Resource => "resource",
            Self::Request => "request",
            Self::Metadata => "metadata",
            Self::Revisit => "revisit",
            Self::Conversion => "conversion",
            Self::Continuation => "continuation",
            Self::Other => "other",
        }
    }
}
