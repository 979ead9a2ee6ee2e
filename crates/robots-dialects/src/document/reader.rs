//! The handler of lines that forms groups and blocks, counts lines, and records what is wrong.

use std::borrow::Cow;

use memchr::memmem;

use super::{
    DirectiveLine, Document, Group, RuleLine, SitemapLine, UserAgentBlock, UserAgentLine, number,
};
use crate::agent::{is_wildcard, product_token, rfc9309_token};
use crate::line::{Line, LineKind, read_lines};
use crate::pattern::PatternTraits;
use crate::percent::rfc9309_normalise;
use crate::published::grouping::ScriptGrouping;
use crate::remark::{MAX_REMARK_TEXT, MAX_REMARKS, Remark, RemarkKind};
use crate::rule::RuleType;
use crate::spelling;

/// Longest scheme, in bytes, after which `://` makes a value a URL: `https`, and anything that
/// people write for it. A later `://` belongs to a query.
const LONGEST_SCHEME: usize = 11;

impl<'a> Document<'a> {
    /// Reads `body`. At most `max_sitemaps` sitemap lines and [`MAX_REMARKS`] remarks are kept.
    ///
    /// ```
    /// use robots_dialects::document::Document;
    ///
    /// let body = b"# ours\nUser-agent: a\nDisallow: /%7ex\n\nSitemap: https://h.example/s.xml\n";
    /// let document = Document::read(body, 1_000);
    /// assert_eq!(document.groups.len(), 1);
    /// assert_eq!(*document.rules[0].path, *b"/~x");
    /// assert_eq!(document.counts.sitemaps, 1);
    ///
    /// // A file with the same rules and another comment has the same canonical form.
    /// let other = Document::read(b"user-agent: a\ndisallow: /%7ex # theirs\n", 1_000);
    /// assert_eq!(document.canonical_form(), other.canonical_form());
    /// ```
    #[must_use]
    pub fn read(body: &'a [u8], max_sitemaps: usize) -> Self {
        DocumentReader::read(body, max_sitemaps, MAX_REMARKS)
    }

    /// As [`read`](Self::read), but keeps every sitemap and remark: for inspecting single files.
    #[must_use]
    pub fn read_whole(body: &'a [u8]) -> Self {
        DocumentReader::read(body, usize::MAX, usize::MAX)
    }
}

struct DocumentReader<'a> {
    document: Document<'a>,
    max_remarks: usize,
    max_sitemaps: usize,
    scratch: Vec<u8>,
    /// The last line of the policy is a user-agent line; the next user-agent line joins its block.
    block_is_open: bool,
    /// A directive applies to the last block.
    block_has_directive: bool,
    is_split_remarked: bool,
    /// The last blank line after the last line of the policy.
    blank_line: Option<Line<'a>>,
    grouping: ScriptGrouping,
}

impl<'a> DocumentReader<'a> {
    fn read(body: &'a [u8], max_sitemaps: usize, max_remarks: usize) -> Document<'a> {
        let mut reader = Self {
            document: Document::default(),
            max_remarks,
            max_sitemaps,
            scratch: Vec::new(),
            block_is_open: false,
            block_has_directive: false,
            is_split_remarked: false,
            blank_line: None,
            grouping: ScriptGrouping::default(),
        };
        read_lines(body, |line| reader.line(line));
        reader.document
    }

    #[inline]
    fn line(&mut self, line: &Line<'a>) {
        if line.is_final_empty {
            return;
        }
        let counts = &mut self.document.counts;
        counts.lines = line.number;
        counts.max_line_length = counts.max_line_length.max(line.text.len());
        counts.blank_lines += u32::from(line.kind == LineKind::Empty);
        counts.comment_lines += u32::from(line.kind == LineKind::Comment);
        self.document.line_endings.add(line.ending);
        if line.has_nul {
            self.document.has_nul = true;
            self.remark(RemarkKind::Nul, line);
        }
        if line.is_too_long {
            self.remark(RemarkKind::LineTooLong, line);
        }
        match line.kind {
            LineKind::Empty => self.blank_line = Some(*line),
            LineKind::Comment => self.document.marks.add(line.text, line.number),
            LineKind::Invalid => self.invalid(line),
            LineKind::UserAgent => self.user_agent(line),
            LineKind::Allow => self.rule(line, RuleType::Allow),
            LineKind::Disallow => self.rule(line, RuleType::Disallow),
            LineKind::Sitemap => self.sitemap(line),
            LineKind::Other => self.other(line),
        }
        self.grouping.line(line);
    }

    fn user_agent(&mut self, line: &Line<'a>) {
        self.document.counts.user_agent_lines += 1;
        let is_typo = self.tolerances(line);
        let (product_token, rfc9309_token): (&[u8], &[u8]) = match product_token(line.value) {
            _ if is_wildcard(line.value) => (b"*", b"*"),
            // `*,` and `*/1.0` are neither wildcards nor names of crawlers.
            b"*" => (b"", b""),
            token => (token, rfc9309_token(token)),
        };
        if product_token.is_empty() {
            self.remark(RemarkKind::NoProductToken, line);
        }
        let last_group = self.document.groups.last();
        if last_group.is_none_or(|group| !group.rules.is_empty()) {
            let (agents, rules) = (self.document.user_agents.len(), self.document.rules.len());
            self.document.groups.push(Group {
                user_agents: agents..agents,
                rules: rules..rules,
                ..Group::default()
            });
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
        self.add_to_policy(line);
        self.document.user_agents.push(UserAgentLine {
            line_number: line.number,
            value: line.value,
            product_token,
            rfc9309_token,
            block: self.document.blocks.len() - 1,
            is_typo,
            is_missing_colon: line.is_missing_colon,
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
        let is_typo = self.tolerances(line);
        if self.document.groups.is_empty() {
            self.document.counts.orphan_rules += 1;
            self.remark(RemarkKind::RuleOutsideGroup, line);
            return;
        }
        if !matches!(line.value.first(), None | Some(b'/' | b'*')) {
            let start = &line.value[..line.value.len().min(LONGEST_SCHEME + b"://".len())];
            let kind = match memmem::find(start, b"://") {
                Some(_) => RemarkKind::RuleIsUrl,
                None => RemarkKind::RuleWithoutSlash,
            };
            self.remark(kind, line);
        }
        self.add_to_policy(line);
        // Normalisation changes few paths; unchanged paths stay borrowed.
        let traits = PatternTraits::of(line.value);
        let path = if traits.is_plain {
            Cow::Borrowed(line.value)
        } else {
            match rfc9309_normalise(line.value, &mut self.scratch) {
                normalised if normalised == line.value => Cow::Borrowed(line.value),
                normalised => Cow::Owned(normalised.to_vec()),
            }
        };
        self.document.rules.push(RuleLine {
            line_number: line.number,
            rule_type,
            path,
            path_raw: line.value,
            traits,
            is_typo,
            is_missing_colon: line.is_missing_colon,
        });
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
        let is_typo = self.tolerances(line);
        let is_crawl_delay = line.key.eq_ignore_ascii_case(b"crawl-delay");
        let counts = &mut self.document.counts;
        match (is_known, is_crawl_delay) {
            (_, true) => counts.crawl_delay += 1,
            (true, false) => counts.other_directives += 1,
            (false, false) => counts.unknown_directives += 1,
        }
        let is_site_wide = spelling::is_site_wide(line.key);
        self.add_to_policy(line);
        // A site-wide directive is outside of groups and does not split one.
        self.block_is_open &= is_site_wide;
        let (groups, blocks) = (&mut self.document.groups, &mut self.document.blocks);
        let last_group = groups.len().checked_sub(1).filter(|_| !is_site_wide);
        // Every group has a user-agent line and so a block.
        let last_block = last_group.map(|_| blocks.len() - 1);
        if let (Some(group), Some(block)) = (last_group, last_block) {
            let (group, block) = (&mut groups[group], &mut blocks[block]);
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
            group: last_group.and_then(|index| u32::try_from(index).ok()),
            block: last_block,
            key: line.key,
            value: line.value,
            is_known,
            is_typo,
            is_missing_colon: line.is_missing_colon,
        });
    }

    fn add_to_policy(&mut self, line: &Line<'a>) {
        self.document.policy.extend(self.blank_line.take());
        self.document.policy.push(*line);
    }

    fn remark_split(&mut self, line: &Line<'a>) {
        if !std::mem::replace(&mut self.is_split_remarked, true) {
            self.remark(RemarkKind::DirectiveSplitsGroup, line);
        }
    }

    #[inline]
    fn invalid(&mut self, line: &Line<'a>) {
        self.document.counts.invalid_lines += 1;
        // The mark itself, or encoded again by a tool that took it for Latin-1.
        let kind = match line.text {
            [0xef, 0xbb, 0xbf, ..] | [0xc3, 0xaf, 0xc2, 0xbb, 0xc2, 0xbf, ..] => {
                RemarkKind::ByteOrderMark
            }
            _ => RemarkKind::NotADirective,
        };
        self.remark(kind, line);
    }

    fn remark(&mut self, kind: RemarkKind, line: &Line<'a>) {
        if self.document.remarks.len() < self.max_remarks {
            self.document.remarks.push(Remark {
                line_number: line.number,
                kind,
                text: &line.text[..line.text.len().min(MAX_REMARK_TEXT)],
            });
        }
    }

    /// Records what a strict reader would reject on a line. Returns whether the key is misspelt.
    fn tolerances(&mut self, line: &Line<'a>) -> bool {
        let (is_typo, kind) = match line.kind {
            LineKind::Other => (spelling::is_misspelling(line.key), RemarkKind::Misspelling),
            _ => (!line.is_exact_key(), RemarkKind::ToleratedSpelling),
        };
        if is_typo {
            self.document.counts.typos += 1;
            self.remark(kind, line);
        }
        if line.is_missing_colon {
            self.document.counts.missing_colons += 1;
            self.remark(RemarkKind::MissingColon, line);
        }
        is_typo
    }
}
