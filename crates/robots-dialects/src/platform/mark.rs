//! Comments by which platforms are known.

use super::known::{COMMENTS, Comment, MarkKind};

/// Marks that are kept of one file: a bound on memory, far above what any real file has.
const MAX_MARKS: usize = 256;

/// A comment by which a platform is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct MarkLine {
    /// Line, from 1.
    pub(super) line_number: u32,
    pub(super) platform: &'static str,
    pub(super) kind: MarkKind,
}

/// The comments of a document by which platforms are known, in order.
#[derive(Debug, Default)]
pub struct Marks(pub(super) Vec<MarkLine>);

impl Marks {
    /// Takes note of a comment, a whole line, if it is one.
    pub(crate) fn add(&mut self, comment: &[u8], line_number: u32) {
        let is_skipped = |byte: &&u8| matches!(byte, b'#' | b' ' | b'\t');
        let text = &comment[comment.iter().take_while(is_skipped).count()..];
        let begins_so = |(.., start): &&Comment| {
            text.get(..start.len())
                .is_some_and(|text| text.eq_ignore_ascii_case(start.as_bytes()))
        };
        if let Some(&(platform, kind, _)) = COMMENTS.iter().find(begins_so)
            && self.0.len() < MAX_MARKS
        {
            self.0.push(MarkLine {
                line_number,
                platform,
                kind,
            });
        }
    }
}
