//! Damage: parts of a file that could not be read, as values.

use crate::warc::HeadError;

/// A part of a file that could not be read.
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

/// Declares the kinds: variant, name and the line that documents both.
macro_rules! kinds {
    ($( $variant:ident = $name:literal: $doc:literal, )+) => {
        /// What can be wrong with a part of a file.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum DamageKind { $( #[doc = $doc] $variant, )+ }

        impl DamageKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The stable name of the kind.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// What the kind means, in one sentence.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$variant => $doc, )+ }
            }
        }
    };
}

kinds! {
    NotWarc = "not_warc": "The file has no format that can be read.",
    NotARecord = "not_a_record": "Other bytes are found where a record head should begin.",
    BadVersion = "bad_version": "`WARC/` is not followed by a version number and a line end.",
    MissingContentLength = "missing_content_length": "The record head has no Content-Length, so \
                                                      the block has no end.",
    BadContentLength = "bad_content_length": "Content-Length, or the length in a URL record of \
                                              ARC, is not a number, or is repeated with different \
                                              values.",
    ContentLength = "content_length": "The record does not end where its Content-Length says.",
    HeadInterrupted = "head_interrupted": "The record head is cut short by another record.",
    HeadTooLong = "head_too_long": "The record head is longer than 1 MiB, or a URL record of ARC \
                                    longer than 16 KiB.",
    Corrupt = "corrupt": "A gzip member or zstd frame does not decode, or its checksum is wrong.",
    Truncated = "truncated": "A record, gzip member or zstd frame is cut off by the end of the \
                              file.",
    NoTargetUri = "no_target_uri": "A record that must name the URL it is of has no \
                                    WARC-Target-URI (ISO 28500:2017 §5.12); its bytes are those of \
                                    a record.",
    NotFetched = "not_fetched": "The input could not be fetched from the network.",
    BadDigest = "bad_digest": "The digest of a file in a WACZ differs from the digest in its \
                               `datapackage.json`; its bytes are still counted.",
    BadRange = "bad_range": "An index names bytes that are not those of a record: none begins \
                             there, or it is shorter or longer, or the file ends before.",
    BadDictionary = "bad_dictionary": "A zstd dictionary frame is damaged; frames that need its \
                                       dictionary cannot be read.",
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
