//! Which lines of a file are a platform's, and what is left of it without them.

use std::ops::Range;

use super::defaults::{self, default};
use super::known::{Platform, VersionLine};
use super::mark::{MarkKind, MarkLine};
use super::template::templates;
use crate::document::{Document, PolicyLine};
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
        if document.marks.is_empty() {
            return Self::of_default(document, policy);
        }
        let mut finder = Finder::new(document);
        finder.blocks();
        let has_file_mark = finder.file();
        finder.text();
        let Finder {
            mut parts,
            mut taken_lines,
            ..
        } = finder;
        taken_lines.sort_unstable();
        taken_lines.dedup();
        let mut owner_body = (!taken_lines.is_empty())
            .then(|| without(body, |line| taken_lines.binary_search(&line).is_ok()));
        let left = n_lines(document) - taken_lines.len();
        if !has_file_mark && (1..=defaults::MAX_LINES).contains(&left) {
            let owner = owner_body.as_deref().unwrap_or(body);
            let mut canonical = Vec::new();
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
        if !(1..=defaults::MAX_LINES).contains(&n_lines(document)) {
            return Self::default();
        }
        let (Some(found), Some(first), Some(last)) = (
            default(policy),
            document.user_agents.first(),
            document.groups.last(),
        ) else {
            return Self::default();
        };
        Self {
            parts: vec![PlatformPart {
                platform: found.platform,
                version: found.version,
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

/// Finds what comments say is a platform's.
struct Finder<'d, 'a> {
    document: &'d Document<'a>,
    parts: Vec<PlatformPart>,
    /// Lines of platforms.
    taken_lines: Vec<u32>,
    /// Per group, whether it is a platform's as a whole.
    is_platform_group: Vec<bool>,
}

impl<'d, 'a> Finder<'d, 'a> {
    fn new(document: &'d Document<'a>) -> Self {
        Self {
            document,
            parts: Vec::new(),
            taken_lines: Vec::new(),
            is_platform_group: vec![false; document.groups.len()],
        }
    }

    /// Takes the lines of blocks. One without an end has no lines: where it would end is not known.
    fn blocks(&mut self) {
        let marks = &self.document.marks;
        let mut open: Option<&MarkLine> = None;
        for mark in marks.lines() {
            match (mark.kind, open) {
                (MarkKind::Begin, _) => {
                    if let Some(begin) = open.replace(mark) {
                        self.add_empty(begin, None);
                    }
                }
                (MarkKind::End, Some(begin)) if begin.platform.name == mark.platform.name => {
                    self.block(begin.platform, begin.line_number..mark.line_number + 1);
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
            platform: mark.platform.name,
            version,
            line_start: mark.line_number,
            line_end: mark.line_number,
            groups: 0..0,
        });
    }

    fn block(&mut self, platform: &'static Platform, lines: Range<u32>) {
        let document = self.document;
        let within = |line: &PolicyLine<'_, '_>| number(line).is_some_and(|n| lines.contains(&n));
        let policy_lines: Vec<_> = document.policy_lines().filter(within).collect();
        let version = platform.version(&policy_lines);
        let rules = document.rules.iter().map(|rule| rule.line_number);
        let directives = document.directives.iter().map(|line| line.line_number);
        let taken = rules.chain(directives).filter(|line| lines.contains(line));
        self.taken_lines.extend(taken);
        let groups = groups_within(document, lines.clone());
        for group in &document.groups {
            // User-agent lines stay where lines after the block belong to them.
            if group.line_end < lines.end {
                let agents = &document.user_agents[group.user_agents.clone()];
                let numbers = agents.iter().map(|agent| agent.line_number);
                self.taken_lines
                    .extend(numbers.filter(|number| lines.contains(number)));
            }
        }
        self.is_platform_group[groups.clone()].fill(true);
        self.parts.push(PlatformPart {
            platform: platform.name,
            version,
            line_start: lines.start,
            line_end: lines.end - 1,
            groups,
        });
    }

    /// Takes the groups that the platform of the first comment about the file as a whole wrote;
    /// whether there is one.
    fn file(&mut self) -> bool {
        let document = self.document;
        let is_file = |mark: &&MarkLine| mark.kind == MarkKind::File;
        let Some(mark) = document.marks.lines().iter().find(is_file) else {
            return false;
        };
        let policy_lines: Vec<_> = document.policy_lines().collect();
        let version = mark.platform.version(&policy_lines);
        let template = templates().get(mark.platform.name);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for index in 0..document.groups.len() {
            let is_templates = template.is_some_and(|it| it.has_group(document, index));
            if self.is_platform_group[index] || !is_templates {
                continue;
            }
            self.take_group(index);
            match runs.last_mut() {
                Some(run) if run.end == index => run.end += 1,
                _ => runs.push(index..index + 1),
            }
        }
        let has_groups = !runs.is_empty();
        for run in runs {
            let first = document.groups[run.start].user_agents.start;
            self.parts.push(PlatformPart {
                platform: mark.platform.name,
                version,
                line_start: document.user_agents[first].line_number,
                line_end: document.groups[run.end - 1].line_end,
                groups: run,
            });
        }
        if !has_groups {
            self.add_empty(mark, version);
        }
        true
    }

    /// Takes note of a platform's text, unless a part of that platform is known already.
    fn text(&mut self) {
        let is_text = |mark: &&MarkLine| mark.kind == MarkKind::Text;
        let Some(mark) = self.document.marks.lines().iter().find(is_text) else {
            return;
        };
        let name = mark.platform.name;
        if self.parts.iter().all(|part| part.platform != name) {
            self.add_empty(mark, Some("policy-text"));
        }
    }

    fn take_group(&mut self, index: usize) {
        let document = self.document;
        let group = &document.groups[index];
        let agents = &document.user_agents[group.user_agents.clone()];
        let rules = &document.rules[group.rules.clone()];
        self.taken_lines
            .extend(agents.iter().map(|agent| agent.line_number));
        self.taken_lines
            .extend(rules.iter().map(|rule| rule.line_number));
        let directives = document.directives_of(index);
        self.taken_lines
            .extend(directives.map(|directive| directive.line_number));
        self.is_platform_group[index] = true;
    }
}

/// The groups of which every line is within `lines`.
fn groups_within(document: &Document<'_>, lines: Range<u32>) -> Range<usize> {
    let starts =
        |group: &crate::document::Group| document.user_agents[group.user_agents.start].line_number;
    let groups = &document.groups;
    let first = groups.partition_point(|group| starts(group) < lines.start);
    let end = groups.partition_point(|group| group.line_end < lines.end);
    first..end.max(first)
}

fn number(line: &PolicyLine<'_, '_>) -> Option<u32> {
    match line {
        PolicyLine::BlankLine => None,
        PolicyLine::UserAgent(line) => Some(line.line_number),
        PolicyLine::Rule(line) => Some(line.line_number),
        PolicyLine::Directive(line) => Some(line.line_number),
    }
}

/// Lines of the policy.
fn n_lines(document: &Document<'_>) -> usize {
    document.user_agents.len() + document.rules.len() + document.directives.len()
}

/// `body` with empty lines in place of those whose numbers `is_left_out` says.
fn without(body: &[u8], is_left_out: impl Fn(u32) -> bool) -> Vec<u8> {
    let mut kept = Vec::with_capacity(body.len());
    read_lines(body, &mut |line: &Line<'_>| {
        if !line.is_final_empty {
            if !is_left_out(line.number) {
                kept.extend_from_slice(line.text);
            }
            kept.push(b'\n');
        }
    });
    kept
}

impl VersionLine {
    fn is(&self, line: &PolicyLine<'_, '_>) -> bool {
        match (self, line) {
            (Self::Rule(start), PolicyLine::Rule(rule)) => {
                rule.path_raw.starts_with(start.as_bytes())
            }
            (Self::Directive(key, part), PolicyLine::Directive(directive)) => {
                directive.key.eq_ignore_ascii_case(key.as_bytes())
                    && memchr::memmem::find(directive.value, part.as_bytes()).is_some()
            }
            _ => false,
        }
    }
}

impl Platform {
    /// The name of its version that has these lines.
    fn version(&self, lines: &[PolicyLine<'_, '_>]) -> Option<&'static str> {
        let is_there = |(_, line): &&(_, VersionLine)| match line {
            VersionLine::Any => true,
            wanted => lines.iter().any(|line| wanted.is(line)),
        };
        self.versions.iter().find(is_there).map(|(name, _)| *name)
    }
}
