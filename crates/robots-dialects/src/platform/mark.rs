//! Comments by which platforms are known.

use super::{PLATFORMS, Platform, Sign};

/// Marks that are kept of one file: a bound on memory, far above what any real file has.
const MAX_MARKS: usize = 256;

/// What a comment of a platform says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A block begins.
    Begin,
    /// A block ends.
    End,
    /// The file is the platform's.
    File,
    /// A text of the platform's stands in the file.
    Text,
}

/// A comment by which a platform is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct MarkLine {
    /// Line, from 1.
    pub(super) line_number: u32,
    pub(super) platform: &'static Platform,
    pub(super) kind: MarkKind,
}

/// The comments of a document by which platforms are known, in order.
#[derive(Debug, Default)]
pub struct Marks(Vec<MarkLine>);

impl Marks {
    /// Takes note of a comment, a whole line, if it is one.
    pub(crate) fn add(&mut self, comment: &[u8], line_number: u32) {
        if let Some((platform, kind)) = mark(comment)
            && self.0.len() < MAX_MARKS
        {
            self.0.push(MarkLine {
                line_number,
                platform,
                kind,
            });
        }
    }

    /// Whether there is none, as in most files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, MarkLine> {
        self.0.iter()
    }
}

/// The platform that begins its comments so, if one does.
fn mark(comment: &[u8]) -> Option<(&'static Platform, MarkKind)> {
    let skipped = |byte: &&u8| matches!(byte, b'#' | b' ' | b'\t');
    let text = &comment[comment.iter().take_while(skipped).count()..];
    let first = text.first()?.to_ascii_lowercase();
    let begins = |start: &str| {
        let start = start.as_bytes();
        start[0].to_ascii_lowercase() == first
            && text
                .get(..start.len())
                .is_some_and(|text| text.eq_ignore_ascii_case(start))
    };
    PLATFORMS.iter().find_map(|platform| {
        let kind = match platform.sign {
            Sign::Block { begin, .. } if begins(begin) => MarkKind::Begin,
            Sign::Block { end, .. } if begins(end) => MarkKind::End,
            Sign::Block {
                text: Some(text), ..
            } if begins(text) => MarkKind::Text,
            Sign::File { comments, .. } if comments.iter().any(|start| begins(start)) => {
                MarkKind::File
            }
            _ => return None,
        };
        Some((platform, kind))
    })
}
