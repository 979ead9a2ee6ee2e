//! A robots.txt as a whole: its groups as RFC 9309 forms them, over lines read as tolerantly as
//! Google's parser reads them.
//!
//! [`Document::read`] is one handler of the [line reader](super::line). Only an allow or disallow
//! line followed by a user-agent line ends a group (RFC 9309 §2.2.1, and Google's parser); rules
//! before any user-agent line belong to no group and are left out. Every tolerance is flagged on
//! its line, everything that is wrong is a [`Remark`].

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::agent::{is_wildcard, product_token, rfc9309_token};
use super::canonical::CanonicalForm;
use super::content::{LineEndings, is_platform_mark};
use super::line::{Line, LineHandler, LineKind, read_lines};
use super::percent::{is_plain, rfc9309_normalise};
use super::published::grouping::{KeptAgents, ScriptGrouping};
use super::remark::{MAX_REMARKS, Remark, RemarkKind, Remarks};
use super::rule::RuleType;
use super::spelling;

/// A user-agent line.
#[derive(Debug, Clone)]
pub struct UserAgentLine<'a> {
    /// Line, from 1.
    pub line_number: u32,
    /// Value as written.
    pub value: &'a [u8],
    /// Its [product token](product_token), letters as written; `*` for the wildcard, empty where no
    /// crawler can be meant.
    pub product_token: &'a [u8],
    /// What RFC 9309 takes of it, see [`rfc9309_token`]; `*` for the wildcard.
    pub rfc9309_token: &'a [u8],
    /// Index of its block in [`Document::blocks`].
    pub block: usize,
    /// The key is not exactly `user-agent`.
    pub is_typo: bool,
    /// The line has no colon.
    pub is_missing_colon: bool,
    /// A blank line stands between this line of the policy and the one before.
    pub is_after_blank_line: bool,
}

impl UserAgentLine<'_> {
    /// Whether a strict reader (RFC 9309 §2.2: name, colon, value) takes it for a user-agent line.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        !self.is_typo && !self.is_missing_colon
    }
}

/// An allow or disallow line in a group.
#[derive(Debug, Clone)]
pub struct RuleLine<'a> {
    /// Line, from 1.
    pub line_number: u32,
    /// Allow or disallow.
    pub rule_type: RuleType,
    /// Pattern, normalised (RFC 9309 §2.2.2).
    pub path: Cow<'a, [u8]>,
    /// Pattern as written.
    pub path_raw: &'a [u8],
    /// The key is not exactly `allow` or `disallow`.
    pub is_typo: bool,
    /// The line has no colon.
    pub is_missing_colon: bool,
    /// A blank line stands between this line of the policy and the one before.
    pub is_after_blank_line: bool,
}

impl RuleLine<'_> {
    /// Whether a strict reader (RFC 9309 §2.2: name, colon, value) takes it for a rule.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        !self.is_typo && !self.is_missing_colon
    }
}

/// A line that is neither user-agent, rule nor sitemap.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about the line, each with a column of its own"
)]
pub struct DirectiveLine<'a> {
    /// Line, from 1.
    pub line_number: u32,
    /// Index of the group it stands in; none before the first, and for site-wide directives.
    pub group: Option<u32>,
    /// Index in [`Document::blocks`] of the user-agent lines that it holds for; none where `group`
    /// is none.
    pub block: Option<usize>,
    /// Key as written.
    pub key: &'a [u8],
    /// Value as written.
    pub value: &'a [u8],
    /// Whether the directive is documented by some crawler or proposal.
    pub is_known: bool,
    /// Whether it is an evident misspelling of a known one.
    pub is_typo: bool,
    /// The line has no colon.
    pub is_missing_colon: bool,
    /// A blank line stands between this line of the policy and the one before.
    pub is_after_blank_line: bool,
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
    /// Its lines in [`Document::user_agents`].
    pub user_agents: Range<usize>,
    /// Its lines in [`Document::rules`].
    pub rules: Range<usize>,
    /// Its first numeric crawl-delay, in seconds. It may hold for some of its user-agent lines
    /// only, see [`UserAgentBlock`].
    pub crawl_delay: Option<f64>,
    /// Last line that belongs to it.
    pub line_end: u32,
    /// To how many of its user-agent lines, counted from the last, published scripts give its
    /// rules; none where it has no rule.
    pub kept_by_scripts: Option<KeptAgents>,
}

/// User-agent lines between which stands neither a rule nor another directive of their group.
///
/// A group of RFC 9309 begins at a user-agent line after a rule and may hold several blocks. It is
/// about rules; a crawl-delay or any other non-standard line holds for the block above it, as
/// crawlers that know such lines read them. What is in no group (blank lines, comments, sitemaps,
/// site-wide directives, lines that are no directives) does not separate blocks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UserAgentBlock {
    /// Its lines in [`Document::user_agents`].
    pub user_agents: Range<usize>,
    /// Its first numeric crawl-delay, in seconds.
    pub crawl_delay: Option<f64>,
    /// Whether a later crawl-delay of it is another.
    pub has_crawl_delay_conflict: bool,
}

impl UserAgentBlock {
    /// Takes a further crawl-delay of the same lines.
    fn add_crawl_delay(&mut self, seconds: Option<f64>) {
        self.has_crawl_delay_conflict |=
            seconds.is_some() && self.crawl_delay.is_some() && self.crawl_delay != seconds;
        self.crawl_delay = self.crawl_delay.or(seconds);
    }
}

/// Exact counts of lines, whatever is kept of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the columns of the table `files` with these names say it"
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
    /// user-agent lines, in order.
    pub user_agents: Vec<UserAgentLine<'a>>,
    /// Rules in groups, in order.
    pub rules: Vec<RuleLine<'a>>,
    /// Groups, in order.
    pub groups: Vec<Group>,
    /// User-agent lines that stand together, in order.
    pub blocks: Vec<UserAgentBlock>,
    /// Other directives, in order.
    pub directives: Vec<DirectiveLine<'a>>,
    /// Sitemap lines, in order, as many as asked for.
    pub sitemaps: Vec<SitemapLine<'a>>,
    /// What is wrong, in order, as many as a file may have.
    pub remarks: Vec<Remark<'a>>,
    /// Exact counts.
    pub counts: Counts,
    /// Which line ends occur.
    pub line_endings: LineEndings,
    /// Whether a NUL byte occurs.
    pub has_nul: bool,
    /// Whether a line of comment is the mark of a platform that writes such files.
    pub has_platform_mark: bool,
}

impl<'a> Document<'a> {
    /// Reads `body`. `canonical` receives the rule set's canonical form (see
    /// [`identity`](crate::identity)); at most `max_sitemaps` sitemap lines and [`MAX_REMARKS`]
    /// remarks are kept.
    ///
    /// ```
    /// use robots_dialects::document::Document;
    /// use robots_dialects::identity::Id;
    ///
    /// let body = b"# ours\nUser-agent: a\nDisallow: /%7ex\n\nSitemap: https://h.example/s.xml\n";
    /// let mut canonical = Vec::new();
    /// let document = Document::read(body, 1_000, &mut canonical);
    /// assert_eq!(document.groups.len(), 1);
    /// assert_eq!(*document.rules[0].path, *b"/~x");
    /// assert_eq!(document.counts.sitemaps, 1);
    ///
    /// // A file with the same rules and another comment has the same canonical form.
    /// let mut other = Vec::new();
    /// Document::read(b"user-agent: a\ndisallow: /%7ex # theirs\n", 1_000, &mut other);
    /// assert_eq!(Id::of(&canonical), Id::of(&other));
    /// ```
    pub fn read(body: &'a [u8], max_sitemaps: usize, canonical: &mut Vec<u8>) -> Self {
        Self::read_keeping(body, max_sitemaps, MAX_REMARKS, canonical)
    }

    /// As [`read`](Self::read), with every sitemap line and every remark: for one file that is
    /// looked at, since both grow with the body.
    pub fn read_whole(body: &'a [u8], canonical: &mut Vec<u8>) -> Self {
        Self::read_keeping(body, usize::MAX, usize::MAX, canonical)
    }

    fn read_keeping(
        body: &'a [u8],
        max_sitemaps: usize,
        max_remarks: usize,
        canonical: &mut Vec<u8>,
    ) -> Self {
        let mut reader = Reader::new(max_sitemaps, max_remarks, canonical);
        read_lines(body, &mut reader);
        reader.into_document()
    }

    /// The user-agent lines that `directive` of this document holds for, as positions among those
    /// of its group; none where it concerns the whole site.
    #[must_use]
    pub fn user_agents_of(&self, directive: &DirectiveLine<'_>) -> Option<Range<usize>> {
        let group = self.groups.get(directive.group? as usize)?;
        let lines = &self.blocks.get(directive.block?)?.user_agents;
        let first = group.user_agents.start;
        Some(lines.start - first..lines.end - first)
    }

    /// Whether a group is for `*`.
    #[must_use]
    pub fn has_wildcard_group(&self) -> bool {
        self.user_agents
            .iter()
            .any(|line| line.product_token == b"*")
    }
}

/// A line of a policy: what its canonical form is made of.
#[derive(Debug, Clone, Copy)]
pub enum PolicyLine<'d, 'a> {
    /// One or more blank lines, with or without lines between them that belong to no policy.
    BlankLine,
    /// A user-agent line.
    UserAgent(&'d UserAgentLine<'a>),
    /// An allow or disallow line in a group.
    Rule(&'d RuleLine<'a>),
    /// Any other directive.
    Directive(&'d DirectiveLine<'a>),
}

impl<'a> Document<'a> {
    /// The lines of the policy in the order of the file, from which every dialect gives every agent
    /// the verdicts that it gives from the body.
    pub fn policy_lines(&self) -> impl Iterator<Item = PolicyLine<'_, 'a>> {
        let mut user_agents = self.user_agents.iter().peekable();
        let mut rules = self.rules.iter().peekable();
        let mut directives = self.directives.iter().peekable();
        let mut held_back = None;
        std::iter::from_fn(move || {
            if let Some(line) = held_back.take() {
                return Some(line);
            }
            let numbers = [
                user_agents.peek().map(|line| line.line_number),
                rules.peek().map(|line| line.line_number),
                directives.peek().map(|line| line.line_number),
            ];
            let next = numbers.into_iter().flatten().min();
            let (line, is_after_blank_line) = if next == numbers[0] {
                let line = user_agents.next()?;
                (PolicyLine::UserAgent(line), line.is_after_blank_line)
            } else if next == numbers[1] {
                let line = rules.next()?;
                (PolicyLine::Rule(line), line.is_after_blank_line)
            } else {
                let line = directives.next()?;
                (PolicyLine::Directive(line), line.is_after_blank_line)
            };
            if is_after_blank_line {
                held_back = Some(line);
                return Some(PolicyLine::BlankLine);
            }
            Some(line)
        })
    }
}

/// Bytes of a scheme after which `://` still makes a value a URL: `https`, and anything that people
/// write for it. Later in a value it belongs to a query.
const LONGEST_SCHEME: usize = 11;

/// Digits and points of a number. A real delay has few; a line of thousands is no number that
/// anyone meant, and reading it would take time.
const MAX_DIGITS: usize = 40;

#[expect(
    clippy::struct_excessive_bools,
    reason = "states of the reader that change independently"
)]
struct Reader<'a, 'c> {
    document: Document<'a>,
    remarks: Remarks<'a>,
    canonical: CanonicalForm<'c>,
    max_sitemaps: usize,
    scratch: Vec<u8>,
    /// The open group has a rule, so that a user-agent line begins the next group.
    group_has_rules: bool,
    /// The last line of the policy is a user-agent line, whose block the next one joins.
    block_is_open: bool,
    /// A directive holds for the last block.
    block_has_directive: bool,
    /// The open group has a remark that directives split it.
    is_split_remarked: bool,
    /// A blank line stands after the last line of the policy.
    is_after_blank_line: bool,
    grouping: ScriptGrouping,
}

impl<'a> LineHandler<'a> for Reader<'a, '_> {
    // Such a line is no directive to the tables, see `other`.
    const READS_MARKUP: bool = false;

    fn line(&mut self, line: &Line<'a>) {
        if line.is_final_empty {
            return;
        }
        let counts = &mut self.document.counts;
        counts.lines += 1;
        counts.max_line_length = counts.max_line_length.max(line.text.len());
        self.document.line_endings.add(line.ending);
        if line.has_nul {
            self.document.has_nul = true;
            self.remarks.add(RemarkKind::Nul, line);
        }
        if line.is_too_long {
            self.remarks.add(RemarkKind::LineTooLong, line);
        }
        match line.kind {
            LineKind::Empty => {
                counts.blank_lines += 1;
                self.is_after_blank_line = true;
                self.canonical.blank_line();
            }
            LineKind::Comment => {
                counts.comment_lines += 1;
                self.document.has_platform_mark |= is_platform_mark(line.text);
            }
            LineKind::Invalid => self.invalid(line),
            LineKind::UserAgent => self.user_agent(line),
            LineKind::Allow => self.rule(line, RuleType::Allow),
            LineKind::Disallow => self.rule(line, RuleType::Disallow),
            LineKind::Sitemap => self.sitemap(line),
            LineKind::Other => self.other(line),
        }
        self.grouping.line(line);
    }
}

impl<'a, 'c> Reader<'a, 'c> {
    fn new(max_sitemaps: usize, max_remarks: usize, canonical: &'c mut Vec<u8>) -> Self {
        Self {
            document: Document::default(),
            remarks: Remarks::at_most(max_remarks),
            canonical: CanonicalForm::new(canonical),
            max_sitemaps,
            scratch: Vec::new(),
            group_has_rules: false,
            block_is_open: false,
            block_has_directive: false,
            is_split_remarked: false,
            is_after_blank_line: false,
            grouping: ScriptGrouping::default(),
        }
    }

    fn into_document(self) -> Document<'a> {
        Document {
            remarks: self.remarks.into_vec(),
            ..self.document
        }
    }

    fn user_agent(&mut self, line: &Line<'a>) {
        self.document.counts.user_agent_lines += 1;
        self.tolerances(line);
        let (product_token, rfc9309_token): (&[u8], &[u8]) = match product_token(line.value) {
            _ if is_wildcard(line.value) => (b"*", b"*"),
            // `*,` and `*/1.0` are no wildcard, and nobody is called so.
            b"*" => (b"", b""),
            token => (token, rfc9309_token(token)),
        };
        if product_token.is_empty() {
            self.remarks.add(RemarkKind::NoProductToken, line);
        }
        if self.document.groups.is_empty() || self.group_has_rules {
            let (agents, rules) = (self.document.user_agents.len(), self.document.rules.len());
            self.document.groups.push(Group {
                user_agents: agents..agents,
                rules: rules..rules,
                ..Group::default()
            });
            self.group_has_rules = false;
            self.is_split_remarked = false;
        } else if !self.block_is_open && self.block_has_directive {
            self.remark_split(line);
        }
        let index = self.document.user_agents.len();
        if !std::mem::replace(&mut self.block_is_open, true) {
            self.block_has_directive = false;
            self.document.blocks.push(UserAgentBlock {
                user_agents: index..index,
                ..UserAgentBlock::default()
            });
        }
        if let Some(block) = self.document.blocks.last_mut() {
            block.user_agents.end = index + 1;
        }
        self.canonical.line(line);
        self.document.user_agents.push(UserAgentLine {
            line_number: line.number,
            value: line.value,
            product_token,
            rfc9309_token,
            block: self.document.blocks.len() - 1,
            is_typo: !line.is_exact_key(),
            is_missing_colon: line.is_missing_colon,
            is_after_blank_line: std::mem::take(&mut self.is_after_blank_line),
        });
        if let Some(group) = self.document.groups.last_mut() {
            group.user_agents.end += 1;
            group.line_end = line.number;
        }
    }

    fn rule(&mut self, line: &Line<'a>, rule_type: RuleType) {
        match rule_type {
            RuleType::Allow => self.document.counts.allow += 1,
            RuleType::Disallow => self.document.counts.disallow += 1,
        }
        self.tolerances(line);
        if self.document.groups.is_empty() {
            self.document.counts.orphan_rules += 1;
            self.remarks.add(RemarkKind::RuleOutsideGroup, line);
            return;
        }
        if line
            .value
            .first()
            .is_some_and(|byte| !matches!(byte, b'/' | b'*'))
        {
            let start = &line.value[..line.value.len().min(LONGEST_SCHEME + b"://".len())];
            let is_url = memmem::find(start, b"://").is_some();
            self.remarks.add(
                if is_url {
                    RemarkKind::RuleIsUrl
                } else {
                    RemarkKind::RuleWithoutSlash
                },
                line,
            );
        }
        self.canonical.line(line);
        // Normalisation changes few paths; those that it leaves alone stay borrowed.
        let path = if is_plain(line.value) {
            Cow::Borrowed(line.value)
        } else {
            let normalised = rfc9309_normalise(line.value, &mut self.scratch);
            if normalised == line.value {
                Cow::Borrowed(line.value)
            } else {
                Cow::Owned(normalised.to_vec())
            }
        };
        self.document.rules.push(RuleLine {
            line_number: line.number,
            rule_type,
            path,
            path_raw: line.value,
            is_typo: !line.is_exact_key(),
            is_missing_colon: line.is_missing_colon,
            is_after_blank_line: std::mem::take(&mut self.is_after_blank_line),
        });
        self.group_has_rules = true;
        self.block_is_open = false;
        if let Some(group) = self.document.groups.last_mut() {
            group.rules.end += 1;
            group.line_end = line.number;
            group
                .kept_by_scripts
                .get_or_insert_with(|| self.grouping.kept());
        }
    }

    fn sitemap(&mut self, line: &Line<'a>) {
        self.document.counts.sitemaps += 1;
        self.tolerances(line);
        if self.document.sitemaps.len() < self.max_sitemaps {
            self.document.sitemaps.push(SitemapLine {
                line_number: line.number,
                value: line.value,
            });
        }
    }

    fn other(&mut self, line: &Line<'a>) {
        if !spelling::is_plausible(line.key) {
            self.invalid(line);
            return;
        }
        let is_known = spelling::is_known(line.key);
        let is_typo = !is_known && spelling::is_misspelling(line.key);
        let is_crawl_delay = line.key.eq_ignore_ascii_case(b"crawl-delay");
        let counts = &mut self.document.counts;
        match (is_known, is_crawl_delay) {
            (_, true) => counts.crawl_delay += 1,
            (true, false) => counts.other_directives += 1,
            (false, false) => counts.unknown_directives += 1,
        }
        if is_typo {
            counts.typos += 1;
            self.remarks.add(RemarkKind::Misspelling, line);
        }
        if line.is_missing_colon {
            counts.missing_colons += 1;
            self.remarks.add(RemarkKind::MissingColon, line);
        }
        let is_site_wide = spelling::is_site_wide(line.key);
        if is_site_wide {
            self.canonical.site_wide_line(line);
        } else {
            self.canonical.line(line);
        }
        let last = self.document.groups.len().checked_sub(1);
        let group = last.filter(|_| !is_site_wide);
        // What concerns the whole site stands in no group and parts none.
        self.block_is_open &= is_site_wide;
        // Every group has a user-agent line and so a block.
        let block = group.map(|_| self.document.blocks.len() - 1);
        if let Some((group, block)) = group.zip(block) {
            let group = &mut self.document.groups[group];
            let block = &mut self.document.blocks[block];
            group.line_end = line.number;
            self.block_has_directive = true;
            if is_crawl_delay {
                let seconds = number(line.value);
                group.crawl_delay = group.crawl_delay.or(seconds);
                block.add_crawl_delay(seconds);
            }
            if block.user_agents.start > group.user_agents.start {
                self.remark_split(line);
            }
        }
        self.document.directives.push(DirectiveLine {
            line_number: line.number,
            group: group.and_then(|index| u32::try_from(index).ok()),
            block,
            key: line.key,
            value: line.value,
            is_known,
            is_typo,
            is_missing_colon: line.is_missing_colon,
            is_after_blank_line: std::mem::take(&mut self.is_after_blank_line),
        });
    }

    /// Remarks, once per group, that a directive holds for a part of its user-agent lines only.
    fn remark_split(&mut self, line: &Line<'a>) {
        if !std::mem::replace(&mut self.is_split_remarked, true) {
            self.remarks.add(RemarkKind::DirectiveSplitsGroup, line);
        }
    }

    fn invalid(&mut self, line: &Line<'a>) {
        self.document.counts.invalid_lines += 1;
        // As it is, or encoded a second time by a tool that took it for Latin-1.
        let marked = line.text.starts_with(b"\xef\xbb\xbf")
            || line.text.starts_with(b"\xc3\xaf\xc2\xbb\xc2\xbf");
        self.remarks.add(
            if marked {
                RemarkKind::ByteOrderMark
            } else {
                RemarkKind::NotADirective
            },
            line,
        );
    }

    /// Counts and remarks what a strict reader would not accept on a line that we do.
    fn tolerances(&mut self, line: &Line<'a>) {
        if !line.is_exact_key() {
            self.document.counts.typos += 1;
            self.remarks.add(RemarkKind::ToleratedSpelling, line);
        }
        if line.is_missing_colon {
            self.document.counts.missing_colons += 1;
            self.remarks.add(RemarkKind::MissingColon, line);
        }
    }
}

/// `value` as a decimal number: digits with at most one point, nothing else.
#[must_use]
pub fn number(value: &[u8]) -> Option<f64> {
    let digits = value.strip_prefix(b"-").unwrap_or(value);
    let plain = digits
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    if !plain || !digits.iter().any(u8::is_ascii_digit) || digits.len() > MAX_DIGITS {
        return None;
    }
    std::str::from_utf8(value).ok()?.parse().ok()
}

#[cfg(test)]
mod tests;
