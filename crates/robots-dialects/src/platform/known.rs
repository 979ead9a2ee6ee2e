//! The comments by which platforms are recognised, and the lines by which their versions are.

use std::sync::LazyLock;

use self::MarkKind::{Begin, End, File, Text};

/// What a platform's comment says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A block begins.
    Begin,
    /// A block ends.
    End,
    /// The file is the platform's.
    File,
    /// A text that may be in place of a block or above one; no lines belong to it.
    Text,
}

/// The platform, what its comment says, and how the comment begins after `#` and white space,
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

/// Number of marks kept per file: a bound on memory, far above the number in any real file.
const MAX_MARKS: usize = 256;

/// A comment by which a platform is recognised.
#[derive(Debug, Clone, Copy)]
pub(super) struct MarkLine {
    /// Line, from 1.
    pub(super) line_number: u32,
    pub(super) platform: &'static str,
    pub(super) kind: MarkKind,
}

/// A document's comments by which platforms are recognised, in order.
#[derive(Debug, Default)]
pub struct Marks(pub(super) Vec<MarkLine>);

impl Marks {
    /// Records a comment (a whole line) if a platform is recognised by it.
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

/// A version of a platform, its name, and the line by which the version is recognised.
pub(super) struct Version {
    pub(super) platform: &'static str,
    pub(super) name: &'static str,
    /// `rule`, or the key of a directive in lower case; `None` for files that do not fit an earlier
    /// entry.
    pub(super) key: Option<&'static str>,
    /// The beginning of the rule's value, or a part of the directive's value.
    pub(super) value: &'static str,
}

/// Versions of each platform, newest first, each recognised by a line that older versions lack. The
/// name is the first release that wrote the line, or a distinguishing word.
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
