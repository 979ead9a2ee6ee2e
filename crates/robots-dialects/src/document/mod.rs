//! A robots.txt as a whole: its groups as RFC 9309 forms them, over lines read as tolerantly as
//! Google's parser reads them.
//!
//! [`Document::read`] is one handler of the [line reader](super::line). Only an allow or disallow
//! line followed by a user-agent line ends a group (RFC 9309 §2.2.1, and Google's parser); rules
//! before any user-agent line belong to no group and are left out. Every tolerance is flagged on
//! its line, and every mistake is a [`Remark`].

mod lines;
mod reader;

use std::ops::Range;

pub use self::lines::{DirectiveLine, Group, RuleLine, SitemapLine, UserAgentBlock, UserAgentLine};
use super::agent::product_token;
use super::line::{Line, LineEndings};
use super::platform::Marks;
use super::remark::Remark;

/// Most digits and points of a number: real delays have few, and reading thousands takes time.
const MAX_DIGITS: usize = 40;

/// Exact counts of all lines, even of lines that are not kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the table `files` describes its columns of the same names"
)]
pub struct Counts {
    pub lines: u32,
    pub blank_lines: u32,
    pub comment_lines: u32,
    pub user_agent_lines: u32,
    pub allow: u32,
    pub disallow: u32,
    pub crawl_delay: u32,
    pub sitemaps: u32,
    pub other_directives: u32,
    pub unknown_directives: u32,
    pub typos: u32,
    pub missing_colons: u32,
    pub orphan_rules: u32,
    pub invalid_lines: u32,
    pub max_line_length: usize,
}

/// What a robots.txt says, line by line and group by group.
#[derive(Debug, Default)]
pub struct Document<'a> {
    /// User-agent lines, in order.
    pub user_agents: Vec<UserAgentLine<'a>>,
    /// Rules in groups, in order.
    pub rules: Vec<RuleLine<'a>>,
    /// Groups, in order.
    pub groups: Vec<Group>,
    /// Blocks of user-agent lines, in order.
    pub blocks: Vec<UserAgentBlock>,
    /// Other directives, in order.
    pub directives: Vec<DirectiveLine<'a>>,
    /// Sitemap lines, in order, up to the limit given.
    pub sitemaps: Vec<SitemapLine<'a>>,
    /// The lines of the policy, in order, and of the blank lines before each, the last. From them,
    /// every dialect gives every agent the same verdicts as from the body.
    pub policy: Vec<Line<'a>>,
    /// Mistakes, in order, up to the limit for a file.
    pub remarks: Vec<Remark<'a>>,
    /// Exact counts.
    pub counts: Counts,
    /// Which line endings occur.
    pub line_endings: LineEndings,
    /// Whether a NUL byte occurs.
    pub has_nul: bool,
    /// Comments by which platforms are recognised.
    pub marks: Marks,
}

impl<'a> Document<'a> {
    /// The user-agent lines to which `directive` of this document applies, as positions among the
    /// user-agent lines of its group; `None` if it is not in a group.
    #[must_use]
    pub fn user_agents_of(&self, directive: &DirectiveLine<'_>) -> Option<Range<usize>> {
        let group = self.groups.get(directive.group? as usize)?;
        let lines = &self.blocks.get(directive.block?)?.user_agents;
        let first = group.user_agents.start;
        Some(lines.start - first..lines.end - first)
    }

    /// The directives, other than rules, of the group at `index`, in order.
    pub fn directives_of(&self, index: usize) -> impl Iterator<Item = &DirectiveLine<'a>> {
        let group = &self.groups[index];
        let (start, end) = (self.start_of(group), group.line_end);
        let first = self
            .directives
            .partition_point(|line| line.line_number < start);
        self.directives[first..]
            .iter()
            .take_while(move |line| line.line_number <= end)
            .filter(move |line| line.group.is_some_and(|group| group as usize == index))
    }

    /// The directives, other than rules, that apply to `agent`, in order: they follow user-agent
    /// lines with its product token, or with `*` if no line has that token.
    pub fn directives_for(&self, agent: &[u8]) -> impl Iterator<Item = &DirectiveLine<'a>> {
        self.directives_by(product_token(agent), |line| Some(line.product_token))
    }

    /// The same by another choice of group: `name_in` is the name in a user-agent line, or `None`
    /// if it does not count: directives after such a line belong to the user-agent lines before it.
    pub(crate) fn directives_by(
        &self,
        token: &[u8],
        name_in: fn(&UserAgentLine<'a>) -> Option<&'a [u8]>,
    ) -> impl Iterator<Item = &DirectiveLine<'a>> {
        let is = |token: &[u8], name: &[u8]| !name.is_empty() && name.eq_ignore_ascii_case(token);
        let mut names = self.user_agents.iter().filter_map(name_in);
        let is_named = names.any(|name| is(token, name));
        let token = if is_named { token } else { b"*" };
        let mut holds = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let lines = self.user_agents[block.user_agents.clone()].iter();
            let mut names = lines.filter_map(name_in).peekable();
            holds.push(match names.peek() {
                Some(_) => names.any(|name| is(token, name)),
                None => holds.last().is_some_and(|holds| *holds),
            });
        }
        let holds = move |line: &&DirectiveLine<'_>| line.block.is_some_and(|block| holds[block]);
        self.directives.iter().filter(holds)
    }

    pub(crate) fn start_of(&self, group: &Group) -> u32 {
        self.user_agents[group.user_agents.start].line_number
    }

    /// Whether a group is for `*`.
    #[must_use]
    pub fn has_wildcard_group(&self) -> bool {
        let mut lines = self.user_agents.iter();
        lines.any(|line| line.product_token == b"*")
    }
}

/// `value` as a decimal number: an optional minus sign, then digits with at most one point.
#[must_use]
pub fn number(value: &[u8]) -> Option<f64> {
    let digits = value.strip_prefix(b"-").unwrap_or(value);
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    if !digits.iter().all(is_part) || digits.len() > MAX_DIGITS {
        return None;
    }
    std::str::from_utf8(value).ok()?.parse().ok()
}
