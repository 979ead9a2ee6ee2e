//! Which lines of a file are a platform's, and what is left of it without them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::defaults::default;
use super::known::{MarkKind, MarkLine, VERSIONS, Version};
use super::template::templates;
use crate::document::{Document, Group, PolicyLine};
use crate::identity::Id;
use crate::line::{Line, read_lines};

/// A part of a file that a platform wrote: its block, or consecutive groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlatformPart {
    /// The platform's name.
    pub platform: &'static str,
    /// The version of what it wrote, where versions are distinguished.
    pub version: Option<&'static str>,
    /// First line, from 1: the comment by which the platform is recognised, or the first group.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// The groups that are the platform's as a whole, as indices in [`Document::groups`]; possibly
    /// empty.
    pub groups: Range<usize>,
}

/// Who wrote a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Authors {
    /// What platforms wrote, in the order of the file.
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
    /// let mut canonical = Vec::new();
    /// let document = Document::read(body, 0, &mut canonical);
    /// let authors = Authors::of(body, &document, Id::of(&canonical));
    /// assert_eq!(authors.parts[0].platform, "yoast");
    /// let owner = b"# START YOAST BLOCK\n\n\n# END YOAST BLOCK\n\
    ///               User-agent: examplebot\nDisallow: /\n";
    /// assert_eq!(authors.owner_body(), Some(&owner[..]));
    /// ```
    #[must_use]
    pub fn of(body: &[u8], document: &Document<'_>, policy: Id) -> Self {
        let marks = &document.marks.0;
        if marks.is_empty() {
            return Self::of_default(document, policy);
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
            let mut canonical = Vec::new();
            let owner = owner_body.as_deref().unwrap_or(body);
            let rest = Document::read(owner, 0, &mut canonical);
            let whole = Self::of_default(&rest, Id::of(&canonical));
            if let Some(part) = whole.parts.into_iter().next() {
                let groups = groups_within(document, part.line_start..part.line_end + 1);
                parts.push(PlatformPart { groups, ..part });
                owner_body = whole.owner_body;
            }
        }
        parts.sort_by_key(|part| part.line_start);
        Self { parts, owner_body }
    }

    /// A file that has no comment of a platform: it may be a default as a whole.
    fn of_default(document: &Document<'_>, policy: Id) -> Self {
        let (Some((platform, version)), Some(first), Some(last)) = (
            default(policy),
            document.user_agents.first(),
            document.groups.last(),
        ) else {
            return Self::default();
        };
        Self {
            parts: vec![PlatformPart {
                platform,
                version,
                line_start: first.line_number,
                line_end: last.line_end,
                groups: 0..document.groups.len(),
            }],
            owner_body: Some(Vec::new()),
        }
    }

    /// The body with the lines of platforms emptied, so that line numbers agree with the file;
    /// `None` if no line is a platform's. Lines end in LF.
    #[must_use]
    pub fn owner_body(&self) -> Option<&[u8]> {
        self.owner_body.as_deref()
    }

    /// Groups that are platforms' as a whole.
    #[must_use]
    pub fn n_platform_groups(&self) -> usize {
        self.parts.iter().map(|part| part.groups.len()).sum()
    }
}

#[derive(Default)]
struct Found {
    parts: Vec<PlatformPart>,
    taken_lines: BTreeSet<u32>,
}

impl Found {
    /// Takes the lines of blocks. One without an end has no lines: where it would end is not known.
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

    /// A platform that is known, and has no line.
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
        let numbered = document.policy_lines();
        let numbered = numbered.filter_map(|it| Some((it.place()?.0, it)));
        let within: Vec<_> = numbered.filter(|(it, _)| lines.contains(it)).collect();
        // User-agent lines stay where lines after the block belong to them.
        let groups = &document.groups;
        let next = groups.partition_point(|it| it.line_end < lines.end);
        let after = groups.get(next).map(|it| start_of(document, it));
        let is_taken = |(number, line): &&(u32, PolicyLine<'_, '_>)| {
            !matches!(line, PolicyLine::UserAgent(_)) || after.is_none_or(|after| *number < after)
        };
        let taken = within.iter().filter(is_taken);
        self.taken_lines.extend(taken.map(|(number, _)| *number));
        self.parts.push(PlatformPart {
            platform,
            version: version(platform, within.iter().map(|(_, line)| *line)),
            line_start: lines.start,
            line_end: lines.end - 1,
            groups: groups_within(document, lines),
        });
    }

    /// Takes the groups that the platform of a comment about the file as a whole wrote.
    fn add_groups(&mut self, document: &Document<'_>, mark: &MarkLine) {
        let version = version(mark.platform, document.policy_lines());
        let template = templates().get(mark.platform);
        let blocks = self.parts.clone();
        let is_templates = |index: &usize| {
            !blocks.iter().any(|part| part.groups.contains(index))
                && template.is_some_and(|it| it.has_group(document, *index))
        };
        let groups: Vec<usize> = (0..document.groups.len()).filter(is_templates).collect();
        for run in groups.chunk_by(|one, next| one + 1 == *next) {
            let groups = run[0]..run[run.len() - 1] + 1;
            let of_run = &document.groups[groups.clone()];
            for index in groups.clone() {
                let group = &document.groups[index];
                let agents = &document.user_agents[group.user_agents.clone()];
                let rules = &document.rules[group.rules.clone()];
                let directives = document.directives_of(index);
                let taken = &mut self.taken_lines;
                taken.extend(agents.iter().map(|it| it.line_number));
                taken.extend(rules.iter().map(|it| it.line_number));
                taken.extend(directives.map(|it| it.line_number));
            }
            self.parts.push(PlatformPart {
                platform: mark.platform,
                version,
                line_start: start_of(document, &of_run[0]),
                line_end: of_run[of_run.len() - 1].line_end,
                groups,
            });
        }
        if groups.is_empty() {
            self.add_empty(mark, version);
        }
    }
}

fn start_of(document: &Document<'_>, group: &Group) -> u32 {
    document.user_agents[group.user_agents.start].line_number
}

fn version<'d, 'a: 'd>(
    platform: &str,
    lines: impl Iterator<Item = PolicyLine<'d, 'a>>,
) -> Option<&'static str> {
    let lines: Vec<_> = lines.collect();
    let is_there = |version: &&Version| {
        version.platform == platform
            && version
                .key
                .is_none_or(|key| lines.iter().any(|line| is_line(line, key, version.value)))
    };
    VERSIONS.iter().find(is_there).map(|version| version.name)
}

/// Whether a line has the key and the value by which a version is known.
fn is_line(line: &PolicyLine<'_, '_>, key: &str, value: &str) -> bool {
    match line {
        PolicyLine::Rule(rule) => key == "rule" && rule.path_raw.starts_with(value.as_bytes()),
        PolicyLine::Directive(directive) => {
            directive.key.eq_ignore_ascii_case(key.as_bytes())
                && memchr::memmem::find(directive.value, value.as_bytes()).is_some()
        }
        PolicyLine::BlankLine | PolicyLine::UserAgent(_) => false,
    }
}

fn groups_within(document: &Document<'_>, lines: Range<u32>) -> Range<usize> {
    let groups = &document.groups;
    let first = groups.partition_point(|group| start_of(document, group) < lines.start);
    let end = groups.partition_point(|group| group.line_end < lines.end);
    first..end.max(first)
}

/// `body` with empty lines in place of those with these numbers.
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
