//! Comments by which platforms are known.

use std::sync::LazyLock;

use super::known::{PLATFORMS, Platform, Sign};

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
    /// The file contains a text of the platform.
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

    /// Whether the file has no marks, as most files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lines that are marks.
    pub(super) fn lines(&self) -> &[MarkLine] {
        &self.0
    }
}

/// Every beginning of a comment that is a mark.
static BEGINNINGS: LazyLock<Vec<Beginning>> = LazyLock::new(|| {
    let mut beginnings = Vec::new();
    for platform in &PLATFORMS {
        let mut add = |text: &'static str, kind| {
            beginnings.push((text.as_bytes(), platform, kind));
        };
        match platform.sign {
            Sign::Block { begin, end, text } => {
                add(begin, MarkKind::Begin);
                add(end, MarkKind::End);
                if let Some(text) = text {
                    add(text, MarkKind::Text);
                }
            }
            Sign::File { comments, .. } => {
                for comment in comments {
                    add(comment, MarkKind::File);
                }
            }
        }
    }
    beginnings
});

type Beginning = (&'static [u8], &'static Platform, MarkKind);

/// The platform that begins its comments so, if one does.
fn mark(comment: &[u8]) -> Option<(&'static Platform, MarkKind)> {
    let skipped = |byte: &&u8| matches!(byte, b'#' | b' ' | b'\t');
    let text = &comment[comment.iter().take_while(skipped).count()..];
    let is_begun = |(start, ..): &&Beginning| {
        text.get(..start.len())
            .is_some_and(|text| text.eq_ignore_ascii_case(start))
    };
    let (_, platform, kind) = BEGINNINGS.iter().find(is_begun)?;
    Some((platform, *kind))
}
