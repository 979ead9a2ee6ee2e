//! What the content of a file is taken for that is named after a host.

use robots_dialects::content::ContentClass;
use robots_dialects::document::Document;
use robots_dialects::limit;

/// First bytes of a file by which its content is judged.
pub(super) const SNIFF_BYTES: usize = 64 * 1024;

/// What the content of a file is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// Mostly lines of a robots.txt.
    Robots,
    /// What servers send in its place: nothing, or an HTML page.
    EmptyOrPage,
    Other,
}

impl FileKind {
    /// Of the file that begins with `start`, [`SNIFF_BYTES`] bytes of it or all.
    pub(super) fn of(start: &[u8]) -> Self {
        let start = &start[..start.len().min(SNIFF_BYTES)];
        let whole = limit::identified(start, SNIFF_BYTES - 1);
        let document = Document::read(whole, 0, &mut Vec::new());
        match ContentClass::of_document(whole, &document) {
            ContentClass::Empty | ContentClass::Html => return Self::EmptyOrPage,
            ContentClass::Rules | ContentClass::NoRules => {}
            ContentClass::Binary | ContentClass::Compressed | ContentClass::Other => {
                return Self::Other;
            }
        }
        let counts = &document.counts;
        let others = counts.invalid_lines + counts.unknown_directives;
        let lines = counts.lines - counts.blank_lines - counts.comment_lines;
        if lines > others && lines - others >= others {
            Self::Robots
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{bytes, check};

    #[test]
    fn cases() {
        check(file!(), |_, [content, ..]| {
            format!("{:?}", FileKind::of(&bytes(content)))
        });
    }

    #[test]
    fn giant_files_are_judged_by_their_beginning() {
        assert_eq!(FileKind::of(&vec![b'x'; SNIFF_BYTES + 1]), FileKind::Other);
        let giant = b"User-agent: *\nDisallow: /x\n".repeat(SNIFF_BYTES);
        assert_eq!(FileKind::of(&giant), FileKind::of(&giant[..SNIFF_BYTES]));
        assert_eq!(FileKind::of(&giant), FileKind::Robots);
    }
}
