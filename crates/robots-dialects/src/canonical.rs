//! Writes the canonical form of a rule set (see [`identity`](crate::identity)).
//!
//! Used by [`document`](super::document), line by line. A blank line is written only if it ends a
//! record of the 1990s that the next line would otherwise join. Every dialect thus gives the same
//! verdicts for the canonical form as for the body.

use super::line::{Line, LineKind, MAX_LINE_BYTES};

pub(super) struct CanonicalForm<'c> {
    bytes: &'c mut Vec<u8>,
    has_pending_blank_line: bool,
    record: Record,
}

/// The state of the record for a reader of 1994.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Record {
    /// No record is open: a blank line ended the last one, or none has begun.
    Closed,
    /// A record without a strictly written disallow line (in 1994, Allow is not a rule): user-agent
    /// lines join it.
    Agents,
    /// A record with a disallow line: a user-agent line begins the next record.
    Rules,
}

impl<'c> CanonicalForm<'c> {
    pub(super) fn new(bytes: &'c mut Vec<u8>) -> Self {
        bytes.clear();
        Self {
            bytes,
            has_pending_blank_line: false,
            record: Record::Closed,
        }
    }

    pub(super) fn blank_line(&mut self) {
        self.has_pending_blank_line = true;
    }

    pub(super) fn line(&mut self, line: &Line<'_>) {
        let is_user_agent = line.kind == LineKind::UserAgent && line.is_strict();
        let begins_record = is_user_agent && self.record != Record::Agents;
        if self.has_pending_blank_line && self.record != Record::Closed && !begins_record {
            self.bytes.push(b'\n');
            self.record = Record::Closed;
        }
        self.has_pending_blank_line = false;
        let is_disallow = line.kind == LineKind::Disallow && line.is_strict();
        self.record = match self.record {
            _ if is_user_agent => Record::Agents,
            Record::Agents if is_disallow => Record::Rules,
            record => record,
        };
        self.write(line);
    }

    /// Writes `key: value`, the key in lower case and spelt as it was, since a strict dialect
    /// distinguishes `disallow` from `dissallow`. No dialect makes a site-wide directive part of a
    /// record, so a blank line before it splits nothing.
    pub(super) fn write(&mut self, line: &Line<'_>) {
        self.bytes
            .extend(line.key.iter().map(u8::to_ascii_lowercase));
        let separator: &[u8] = if line.is_missing_colon {
            b" "
        } else if line.key.len() + line.value.len() + b": ".len() <= MAX_LINE_BYTES {
            b": "
        } else {
            // The space would push the end of the value past the limit of a line.
            b":"
        };
        self.bytes.extend_from_slice(separator);
        self.bytes.extend_from_slice(line.value);
        self.bytes.push(b'\n');
    }
}
