//! Damage: parts of a file that are damaged or unusable, as values.

use crate::names::described_names;
use crate::warc::HeadError;

/// A part of a file that is damaged or unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Byte offset in the file.
    pub offset: u64,
    /// Bytes of the file.
    pub length: u64,
    /// What is wrong.
    pub kind: DamageKind,
    /// What is wrong, in words.
    pub message: String,
}

described_names! {
    /// What can be wrong with a part of a file.
    pub enum DamageKind {
        /// The format of the file cannot be read.
        NotWarc = "not_warc",
        /// Other bytes are found where a record head should begin, or a row of a table of fetches
        /// or an entry of a tar file cannot be read.
        NotARecord = "not_a_record",
        /// `WARC/` is not followed by a version number and a line end.
        BadVersion = "bad_version",
        /// The record head has no Content-Length, so the block has no end.
        MissingContentLength = "missing_content_length",
        /// Content-Length, or the length in a URL record of ARC, is not a number, or is repeated
        /// with different values.
        BadContentLength = "bad_content_length",
        /// The record does not end where its Content-Length says.
        ContentLength = "content_length",
        /// The record head is cut short by another record.
        HeadInterrupted = "head_interrupted",
        /// The record head is longer than 1 MiB, or a URL record of ARC longer than 16 KiB.
        HeadTooLong = "head_too_long",
        /// Compressed or encoded data (a gzip member, zstd frame, ZIP entry, Parquet row group or
        /// WAT record) do not decode, or their checksum is wrong.
        Corrupt = "corrupt",
        /// A record, gzip member, zstd frame or tar file is cut off by the end of the file, or the
        /// file ends in zeros, as an unfinished download leaves them.
        Truncated = "truncated",
        /// A record lacks the WARC-Target-URI that its type requires (ISO 28500:2017 §5.12); its
        /// bytes count as a record.
        NoTargetUri = "no_target_uri",
        /// The input could not be fetched from the network, or the server answered with something
        /// else.
        NotFetched = "not_fetched",
        /// The digest of a file in a WACZ differs from the digest in its `datapackage.json`; its
        /// bytes are still counted.
        BadDigest = "bad_digest",
        /// An index lists bytes that are not a record: no record begins there, the record is
        /// shorter or longer, or the file ends before them.
        BadRange = "bad_range",
        /// A zstd dictionary frame is damaged; frames that need its dictionary cannot be read.
        BadDictionary = "bad_dictionary",
    }
}

impl From<HeadError> for DamageKind {
    fn from(error: HeadError) -> Self {
        match error {
            HeadError::Incomplete => Self::Truncated,
            HeadError::TooLong => Self::HeadTooLong,
            HeadError::NotWarc | HeadError::NotUrlRecord => Self::NotARecord,
            HeadError::BadVersion => Self::BadVersion,
            HeadError::MissingContentLength => Self::MissingContentLength,
            HeadError::BadContentLength => Self::BadContentLength,
            HeadError::Interrupted(_) => Self::HeadInterrupted,
        }
    }
}
