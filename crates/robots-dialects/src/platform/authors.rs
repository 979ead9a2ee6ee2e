//! Which lines of a file a platform wrote, and the rest of the file without them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::known::{MarkKind, MarkLine, VERSIONS, Version};
use super::templates::{TEMPLATES, default};
use crate::document::Document;
use crate::identity::Id;
use crate::line::{Line, LineKind, read_lines};
use crate::spelling::is_site_wide;

/// A part of a file that a platform wrote: its block, or consecutive groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlatformPart {
    /// The platform's name.
    pub platform: &'static str,
    /// The version of the platform's text, if versions are distinguished.
    pub version: Option<&'static str>,
    /// First line, from 1: the comment by which the platform is recognised, or the first group.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// The groups that are entirely the platform's, as indices in [`Document::groups`].
    pub groups: Range<usize>,
}

/// Who wrote a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Authors {
    /// The parts that platforms wrote, in file order.
    pub parts: Vec<PlatformPart>,
    /// See [`owner_body`](Self::owner_body).
    owner_body: Option<Vec<u8>>,
}

impl Authors {
    /// Who wrote `body`, from which `document` was read; `policy` is the identity of its policy.
    ///
    /// ```
    /// use robots_dialects::document::Document;
    /// use robots_dialects::identity::Id;
    /// use robots_dialects::platform::Authors;
    ///
    /// let body = b"# START YOAST BLOCK\nUser-agent: *\nDisallow:\n# END YOAST BLOCK\n\
    ///              User-agent: examplebot\nDisallow: /\n";
    /// let document = Document::read(body, 0);
    /// let authors = Authors::of(body, &document, Id::of(&document.canonical_form()));
    /// assert_eq!(authors.parts[0].platform, "yoast");
    /// let owner = b"# START YOAST BLOCK\n\n\n# END YOAST BLOCK\n\
    ///               User-agent: examplebot\nDisallow: /\n";
    /// assert_eq!(authors.owner_body(), Some(&owner[..]));
    /// ```
    #[must_use]
    pub fn of(body: &[u8], document: &Document<'_>, policy: Id) -> Self {
        let marks = &document.marks.0;
        if marks.is_empty() {
            let parts: Vec<_> = default_part(document, policy).into_iter().collect();
            let owner_body = (!parts.is_empty()).then(Vec::new);
            return Self { parts, owner_body };
        }
        let first_of = |kind| marks.iter().find(|mark| mark.kind == kind);
        let mut found = Found::default();
        found.add_blocks(document);
        let file = first_of(MarkKind::File);
        if let Some(mark) = file {
            found.add_groups(document, mark);
        }
        if let Some(mark) = first_of(MarkKind::Text)
            && found.parts.iter().all(|it| it.platform != mark.platform)
        {
            found.add_empty(mark, Some("policy-text"));
        }
        let Found {
            mut parts,
            taken_lines,
        } = found;
        let mut owner_body = (!taken_lines.is_empty()).then(|| without(body, &taken_lines));
        if file.is_none() {
            let owner = owner_body.as_deref().unwrap_or(body);
            let rest = Document::read(owner, 0);
            if let Some(part) = default_part(&rest, Id::of(&rest.canonical_form())) {
                let groups = groups_within(document, part.line_start..part.line_end + 1);
                parts.push(PlatformPart { groups, ..part });
                owner_body = Some(Vec::new());
            }
        }
        parts.sort_by_key(|part| part.line_start);
        Self { parts, owner_body }
    }

    /// The body with the platforms' lines emptied, so that line numbers still agree with the file;
    /// `None` if no line is a platform's. Lines end in LF.
    #[must_use]
    pub fn owner_body(&self) -> Option<&[u8]> {
        self.owner_body.as_deref()
    }

    /// Number of groups that are entirely a platform's.
    #[must_use]
    pub fn n_platform_groups(&self) -> usize {
        self.parts.iter().map(|part| part.groups.len()).sum()
    }
}

/// The whole file as one part, if it is a platform's default.
fn default_part(document: &Document<'_>, policy: Id) -> Option<PlatformPart> {
    let (platform, version) = default(policy)?;
    Some(PlatformPart {
        platform,
        version,
        line_start: document.user_agents.first()?.line_number,
        line_end: document.groups.last()?.line_end,
        groups: 0..document.groups.len(),
    })
}

#[derive(Default)]
struct Found {
    parts: Vec<PlatformPart>,
    taken_lines: BTreeSet<u32>,
}

impl Found {
    /// Takes the lines of blocks, except of blocks without an end mark: their end is unknown.
    fn add_blocks(&mut self, document: &Document<'_>) {
        let mut open: Option<&MarkLine> = None;
        for mark in &document.marks.0 {
            match (mark.kind, open) {
                (MarkKind::Begin, _) => {
                    if let Some(begin) = open.replace(mark) {
                        self.add_empty(begin, None);
                    }
                }
                (MarkKind::End, Some(begin)) if begin.platform == mark.platform => {
                    let lines = begin.line_number..mark.line_number + 1;
                    self.add_block(document, begin.platform, lines);
                    open = None;
                }
                (MarkKind::End | MarkKind::File | MarkKind::Text, _) => {}
            }
        }
        if let Some(begin) = open {
            self.add_empty(begin, None);
        }
    }

    /// Adds a platform that is recognised but has no lines.
    fn add_empty(&mut self, mark: &MarkLine, version: Option<&'static str>) {
        self.parts.push(PlatformPart {
            platform: mark.platform,
            version,
            line_start: mark.line_number,
            line_end: mark.line_number,
            groups: 0..0,
        });
    }

    fn add_block(&mut self, document: &Document<'_>, platform: &'static str, lines: Range<u32>) {
        let within: Vec<_> = lines_within(document, lines.clone()).collect();
        // User-agent lines stay if lines after the block belong to them.
        let groups = &document.groups;
        let next = groups.partition_point(|it| it.line_end < lines.end);
        let after = groups.get(next).map(|it| document.start_of(it));
        let is_taken = |line: &&&Line<'_>| {
            line.kind != LineKind::UserAgent || after.is_none_or(|after| line.number < after)
        };
        let taken = within.iter().filter(is_taken);
        self.taken_lines.extend(taken.map(|line| line.number));
        self.parts.push(PlatformPart {
            platform,
            version: version(platform, &within.iter().copied()),
            line_start: lines.start,
            line_end: lines.end - 1,
            groups: groups_within(document, lines),
        });
    }

    /// Takes the groups of the platform whose comment claims the whole file.
    fn add_groups(&mut self, document: &Document<'_>, mark: &MarkLine) {
        let version = version(mark.platform, &document.policy.iter());
        let template = TEMPLATES.get(mark.platform);
        let blocks = self.parts.clone();
        let is_templates = |index: &usize| {
            !blocks.iter().any(|part| part.groups.contains(index))
                && template.is_some_and(|it| it.has_group(document, *index))
        };
        let groups: Vec<usize> = (0..document.groups.len()).filter(is_templates).collect();
        for run in groups.chunk_by(|one, next| one + 1 == *next) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let line_start = document.start_of(&document.groups[first]);
            let line_end = document.groups[last].line_end;
            let taken = lines_within(document, line_start..line_end + 1);
            let taken = taken.filter(|line| !is_site_wide(line.key));
            self.taken_lines.extend(taken.map(|line| line.number));
            self.parts.push(PlatformPart {
                platform: mark.platform,
                version,
                line_start,
                line_end,
                groups: first..last + 1,
            });
        }
        if groups.is_empty() {
            self.add_empty(mark, version);
        }
    }
}

fn lines_within<'d, 'a>(
    document: &'d Document<'a>,
    lines: Range<u32>,
) -> impl Iterator<Item = &'d Line<'a>> {
    let policy = document.policy.iter();
    policy.filter(move |line| line.kind != LineKind::Empty && lines.contains(&line.number))
}

fn version<'l>(
    platform: &str,
    lines: &(impl Iterator<Item = &'l Line<'l>> + Clone),
) -> Option<&'static str> {
    let is_there = |version: &&Version| {
        version.platform == platform
            && version.key.is_none_or(|key| {
                let mut lines = lines.clone();
                lines.any(|line| is_line(line, key, version.value))
            })
    };
    VERSIONS.iter().find(is_there).map(|version| version.name)
}

/// Whether a line has the key and the value by which a version is recognised.
fn is_line(line: &Line<'_>, key: &str, value: &str) -> bool {
    match line.kind {
        LineKind::Allow | LineKind::Disallow => {
            key == "rule" && line.value.starts_with(value.as_bytes())
        }
        LineKind::Other => {
            line.key.eq_ignore_ascii_case(key.as_bytes())
                && memchr::memmem::find(line.value, value.as_bytes()).is_some()
        }
        _ => false,
    }
}

fn groups_within(document: &Document<'_>, lines: Range<u32>) -> Range<usize> {
    let groups = &document.groups;
    let first = groups.partition_point(|group| document.start_of(group) < lines.start);
    let end = groups.partition_point(|group| group.line_end < lines.end);
    first..end.max(first)
}

/// `body` with the lines `left_out` emptied.
fn without(body: &[u8], left_out: &BTreeSet<u32>) -> Vec<u8> {
    let mut kept = Vec::with_capacity(body.len());
    read_lines(body, |line: &Line<'_>| {
        if !line.is_final_empty {
            if !left_out.contains(&line.number) {
                kept.extend_from_slice(line.text);
            }
            kept.push(b'\n');
        }
    });
    kept
}
