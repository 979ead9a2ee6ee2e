//! The comments, groups and lines by which platforms are known.

use std::sync::LazyLock;

use self::MarkKind::{Begin, End, File, Text};

/// What a comment of a platform says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A block begins.
    Begin,
    /// A block ends.
    End,
    /// The file is the platform's.
    File,
    /// A text that the platform may write in place of a block, or above one; no lines belong to it.
    Text,
}

/// The platform, what a comment of it says, and how the comment begins after `#` and white space,
/// compared without regard to case.
pub(super) type Comment = (&'static str, MarkKind, &'static str);

pub(super) static COMMENTS: LazyLock<Vec<Comment>> = LazyLock::new(|| {
    let lines = include_str!("comments.txt").lines();
    let comments = lines.filter_map(|line| {
        let (platform, rest) = line.split_once(' ')?;
        let (kind, start) = rest.split_once(' ')?;
        let kind = match kind {
            "begin" => Begin,
            "end" => End,
            "file" => File,
            _ => Text,
        };
        Some((platform, kind, start))
    });
    comments.collect()
});

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
    /// Records a comment, a whole line, if a platform is known by it.
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

/// A version of a platform: the platform, its name, and the line by which it is known.
pub(super) struct Version {
    pub(super) platform: &'static str,
    pub(super) name: &'static str,
    /// `rule`, or the key of a directive in lower case; `None` for files that no earlier entry
    /// fits.
    pub(super) key: Option<&'static str>,
    /// How a rule's value begins, or a part of a directive's.
    pub(super) value: &'static str,
}

/// Versions of a platform, newest first, each by a line that older ones lack. The name is the
/// release that wrote it first, or a distinguishing word.
pub(super) static VERSIONS: LazyLock<Vec<Version>> = LazyLock::new(|| {
    let lines = include_str!("versions.txt").lines();
    let versions = lines.map(|line| {
        let mut words = line.split(' ');
        let mut next = || words.next();
        Version {
            platform: next().expect("a platform"),
            name: next().expect("a version"),
            key: next(),
            value: next().unwrap_or_default(),
        }
    });
    versions.collect()
});
