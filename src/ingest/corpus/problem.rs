//! Why a row, or a file of a corpus, cannot be read.

use warc_recovery::damage::DamageKind;

/// The longest row, or line, that is read, in bytes: room for the largest bodies, escaped.
pub(super) const MAX_ROW_BYTES: usize = 32 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct Problem {
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

    pub(super) fn too_long() -> Self {
        let limit = MAX_ROW_BYTES >> 20;
        Self::unreadable(format!("longer than {limit} MiB, the limit"))
    }
}
