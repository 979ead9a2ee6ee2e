//! Writes the canonical form of a policy.
//!
//! A blank line is written only if it ends a record of the 1990s that the next line would otherwise
//! join. Every dialect thus gives the same verdicts for the canonical form as for the body.

use super::document::Document;
use super::line::{Line, LineKind, MAX_LINE_BYTES};
use super::spelling::is_site_wide;

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

impl Document<'_> {
    /// The canonical form of the policy (see [`identity`](crate::identity)).
    #[must_use]
    pub fn canonical_form(&self) -> Vec<u8> {
        let mut form = Vec::new();
        let (mut record, mut has_pending_blank_line) = (Record::Closed, false);
        for line in &self.policy {
            if line.kind == LineKind::Empty {
                has_pending_blank_line = true;
                continue;
            }
            // No dialect makes a site-wide directive part of a record, so a blank line before it
            // splits nothing.
            if !is_site_wide(line.key) {
                let is_user_agent = line.kind == LineKind::UserAgent && line.is_strict();
                let begins_record = is_user_agent && record != Record::Agents;
                if has_pending_blank_line && record != Record::Closed && !begins_record {
                    form.push(b'\n');
                    record = Record::Closed;
                }
                has_pending_blank_line = false;
                let is_disallow = line.kind == LineKind::Disallow && line.is_strict();
                record = match record {
                    _ if is_user_agent => Record::Agents,
                    Record::Agents if is_disallow => Record::Rules,
                    record => record,
                };
            }
            write_line(line, &mut form);
        }
        form
    }
}

/// Writes `key: value`, the key in lower case and spelt as it was, since a strict dialect
/// distinguishes `disallow` from `dissallow`.
fn write_line(line: &Line<'_>, form: &mut Vec<u8>) {
    form.extend(line.key.iter().map(u8::to_ascii_lowercase));
    let separator: &[u8] = if line.is_missing_colon {
        b" "
    } else if line.key.len() + line.value.len() + b": ".len() <= MAX_LINE_BYTES {
        b": "
    } else {
        // The space would push the end of the value past the limit of a line.
        b":"
    };
    form.extend_from_slice(separator);
    form.extend_from_slice(line.value);
    form.push(b'\n');
}
