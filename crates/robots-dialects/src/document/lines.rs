//! The lines of a document, and the groups and blocks that they form.

use std::borrow::Cow;
use std::ops::Range;

use crate::pattern::PatternTraits;
use crate::published::grouping::KeptAgents;
use crate::rule::{Rule, RuleType};

/// A user-agent line.
#[derive(Debug, Clone)]
pub struct UserAgentLine<'a> {
    /// Line, from 1.
    pub line_number: u32,
    /// Value as written.
    pub value: &'a [u8],
    /// Its [product token](crate::agent::product_token), letters as written; `*` for the wildcard,
    /// empty if the value cannot mean a crawler.
    pub product_token: &'a [u8],
    /// Its [`rfc9309_token`](crate::agent::rfc9309_token); `*` for the wildcard.
    pub rfc9309_token: &'a [u8],
    /// Index of its block in [`Document::blocks`](super::Document::blocks).
    pub block: usize,
    /// The key is not exactly `user-agent`.
    pub is_typo: bool,
    /// The line has no colon.
    pub is_missing_colon: bool,
}

/// An allow or disallow line in a group.
#[derive(Debug, Clone)]
pub struct RuleLine<'a> {
    /// Line, from 1.
    pub line_number: u32,
    /// Allow or disallow.
    pub rule_type: RuleType,
    /// Pattern, normalised (RFC 9309 §2.2.2); borrowed if it is as written.
    pub path: Cow<'a, [u8]>,
    /// Pattern as written.
    pub path_raw: &'a [u8],
    /// What occurs in the pattern as written; `*` and `?` are the same in the normalised one.
    pub traits: PatternTraits,
    /// The key is not exactly `allow` or `disallow`.
    pub is_typo: bool,
    /// The line has no colon.
    pub is_missing_colon: bool,
}

impl<'a> From<&'a RuleLine<'_>> for Rule<'a> {
    fn from(line: &'a RuleLine<'_>) -> Self {
        Self {
            rule_type: line.rule_type,
            path: &line.path,
            path_raw: line.path_raw,
            traits: line.traits,
        }
    }
}

impl RuleLine<'_> {
    /// Whether a strict reader (RFC 9309 §2.2: name, colon, value) takes it for a rule.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        !self.is_typo && !self.is_missing_colon
    }
}

/// A directive other than a user-agent line, a rule or a sitemap.
#[derive(Debug, Clone)]
pub struct DirectiveLine<'a> {
    /// Line, from 1.
    pub line_number: u32,
    /// Index of its group; `None` before the first group, and for site-wide directives.
    pub group: Option<u32>,
    /// Index of its block in [`Document::blocks`](super::Document::blocks), if it has a `group`.
    pub block: Option<usize>,
    /// Key as written.
    pub key: &'a [u8],
    /// Value as written.
    pub value: &'a [u8],
    /// Whether the directive is documented by some crawler or proposal.
    pub is_known: bool,
    /// Whether the key is an evident misspelling of a known key.
    pub is_typo: bool,
    /// The line has no colon.
    pub is_missing_colon: bool,
}

/// A sitemap line.
#[derive(Debug, Clone)]
pub struct SitemapLine<'a> {
    /// Line, from 1.
    pub line_number: u32,
    /// Value as written.
    pub value: &'a [u8],
}

/// A group: consecutive user-agent lines and the rules that follow them.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Its lines in [`Document::user_agents`](super::Document::user_agents).
    pub user_agents: Range<usize>,
    /// Its lines in [`Document::rules`](super::Document::rules).
    pub rules: Range<usize>,
    /// Its first numeric crawl-delay, in seconds. The delay may apply to only some of its
    /// user-agent lines, see [`UserAgentBlock`].
    pub crawl_delay: Option<f64>,
    /// Last line of the group.
    pub line_end: u32,
    /// How many of its last user-agent lines get its rules from published scripts, if it has any.
    pub kept_by_scripts: Option<KeptAgents>,
}

/// User-agent lines without a rule or another directive of their group between them.
///
/// A group of RFC 9309 begins at a user-agent line after a rule and may contain several blocks. Its
/// rules apply to all of them; a crawl-delay or any other non-standard line applies to the block
/// above it, as crawlers that support such lines read them. Lines outside groups (blank lines,
/// comments, sitemaps, site-wide directives, invalid lines) do not separate blocks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UserAgentBlock {
    /// Its lines in [`Document::user_agents`](super::Document::user_agents).
    pub user_agents: Range<usize>,
    /// Its first numeric crawl-delay, in seconds.
    pub crawl_delay: Option<f64>,
    /// Whether a later crawl-delay of the block differs.
    pub has_crawl_delay_conflict: bool,
}

impl UserAgentBlock {
    pub(crate) fn add_crawl_delay(&mut self, seconds: Option<f64>) {
        self.has_crawl_delay_conflict |=
            seconds.is_some() && self.crawl_delay.is_some() && self.crawl_delay != seconds;
        self.crawl_delay = self.crawl_delay.or(seconds);
    }
}
