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

    const README: &[u8] =
        b"# Robots\n\nSuch as\n\n```\nUser-agent: *\nDisallow: /\n```\n\nwhich we fetched.\n";

    #[test]
    fn content_is_like_a_robots_txt_or_not() {
        use FileKind::{EmptyOrPage, Other, Robots};
        for (content, likeness) in [
            (&b"User-agent: *\nDisallow: /\n"[..], Robots),
            (b"Sitemap: https://a.example/s.xml", Robots),
            (b"\xef\xbb\xbf# x\r\n\r\nDISALLOW: /x\r\n", Robots),
            (b"user-agent: *\rcrawl-delay: 3", Robots),
            (b"# only a comment\n", Other),
            (b"", EmptyOrPage),
            (b" \r\n", EmptyOrPage),
            (b"<!DOCTYPE html><title>404</title>", EmptyOrPage),
            (b"Not found", Other),
            (README, Other),
            (b"fn main() {\n    println!(\"cargo::x\");\n}\n", Other),
            (b"from setuptools import setup\nsetup(name='x')\n", Other),
            (b"\x1f\x8b\x08\0", Other),
        ] {
            let found = FileKind::of(content);
            assert_eq!(found, likeness, "{}", String::from_utf8_lossy(content));
        }
        // A giant line, and a giant file: judged by their beginning.
        assert_eq!(FileKind::of(&vec![b'x'; SNIFF_BYTES + 1]), Other);
        let giant = b"User-agent: *\nDisallow: /x\n".repeat(SNIFF_BYTES);
        assert_eq!(FileKind::of(&giant), FileKind::of(&giant[..SNIFF_BYTES]));
        assert_eq!(FileKind::of(&giant), Robots);
    }
}
