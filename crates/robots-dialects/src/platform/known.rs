//! The comments, groups and lines by which platforms are known.

use std::sync::LazyLock;

use self::MarkKind::{Begin, End, File, Text};
use self::VersionLine::{Any, Directive, Rule};

/// What a comment of a platform says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A block begins.
    Begin,
    /// A block ends.
    End,
    /// The file is the platform's.
    File,
    /// The file contains a text of the platform without lines, which it may write in place of a
    /// block, or above one.
    Text,
}

/// The platform, what a comment of it says, and how that begins: compared without regard to case,
/// `#` and white space before it.
pub(super) type Comment = (&'static str, MarkKind, &'static str);

/// Every comment by which a platform is known.
pub(super) static COMMENTS: LazyLock<Vec<Comment>> = LazyLock::new(|| {
    let lines = include_str!("comments.txt").lines();
    let comments = lines.map(|line| {
        let mut words = line.splitn(3, ' ');
        let mut next = || words.next().expect("three words at least");
        let (platform, kind, start) = (next(), next(), next());
        let kinds = [
            ("begin", Begin),
            ("end", End),
            ("file", File),
            ("text", Text),
        ];
        let kind = kinds.into_iter().find(|(name, _)| *name == kind);
        (platform, kind.expect("a kind").1, start)
    });
    comments.collect()
});

/// The groups that a platform writes in files with its comment, as a robots.txt: the lines of all
/// its versions.
pub(super) const TEMPLATES: [(&str, &str); 9] = [
    ("wix", include_str!("templates/wix.txt")),
    ("shopify", include_str!("templates/shopify.txt")),
    ("squarespace", include_str!("templates/squarespace.txt")),
    ("drupal", include_str!("templates/drupal.txt")),
    ("joomla", include_str!("templates/joomla.txt")),
    ("wordpress.com", include_str!("templates/wordpress.com.txt")),
    ("salesforce", include_str!("templates/salesforce.txt")),
    ("craft", include_str!("templates/craft.txt")),
    ("rank-math", include_str!("templates/rank-math.txt")),
];

/// By which of the platform's lines a version is known.
#[derive(Debug)]
pub(super) enum VersionLine {
    /// A rule whose value begins so.
    Rule(&'static str),
    /// A directive, in lower case, with this in its value.
    Directive(&'static str, &'static str),
    /// Not identified by a line: used if no earlier version matches.
    Any,
}

/// Versions of a platform, newest first, each by a line that older ones lack. The name is the
/// release that wrote it first, or a distinguishing word.
pub(super) const VERSIONS: [(&str, &str, VersionLine); 10] = [
    (
        "cloudflare",
        "content-signal-use",
        Directive("content-signal", "use="),
    ),
    (
        "cloudflare",
        "content-signal",
        Directive("content-signal", ""),
    ),
    ("cloudflare", "rules", Any),
    ("drupal", "8", Rule("/core/")),
    ("drupal", "7", Rule("/INSTALL.sqlite.txt")),
    ("drupal", "5", Rule("/misc/")),
    ("joomla", "4", Rule("/api/")),
    ("joomla", "3", Rule("/layouts/")),
    ("joomla", "2.5", Rule("/cli/")),
    ("joomla", "1.5", Rule("/administrator/")),
];
