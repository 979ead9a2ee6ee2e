//! The root: whether each agent of a policy may fetch `/`, under every dialect.
//!
//! Every dialect reads a policy's lines in its own way, but only a few lines matter for the root. A
//! rule that does not match `/` in any dialect is left out, except for the first of its kind in a
//! record, because a rule also ends the list of user-agent lines. A dialect that cannot differ from
//! an earlier dialect on the root of this policy is not evaluated.

use memchr::memmem;

use super::agent::{is_wildcard, rfc9309_token};
use super::dialect::{Dialect, Ruleset, RulesetBuilder};
use super::document::{Document, PolicyLine};
use super::path::UrlPath;
use super::rule::RuleType;

/// For one agent: whether it may fetch `/`, in the order of [`Dialect::ALL`].
pub type RootVerdicts = [bool; Dialect::ALL.len()];

/// Judges the root of policy after policy; keeps its buffers.
#[derive(Debug, Default)]
pub struct RootJudge {
    /// The last ruleset, whose buffers the next takes over.
    ruleset: Option<Ruleset>,
    verdicts: Vec<RootVerdicts>,
}

impl RootJudge {
    /// The verdicts of `document` for each of `agents`, product tokens of crawlers (RFC 9110
    /// §5.6.2), in their order. Each dialect is asked by that token as it is; `*` asks as a crawler
    /// that no line names. Linear in the document and the agents.
    pub fn verdicts<'t>(
        &mut self,
        document: &Document<'_>,
        agents: impl ExactSizeIterator<Item = &'t [u8]>,
    ) -> &[RootVerdicts] {
        self.verdicts.clear();
        self.verdicts
            .resize(agents.len(), [true; Dialect::ALL.len()]);
        let may_disallow = document
            .rules
            .iter()
            .any(|rule| may_disallow_root(rule.rule_type, rule.path_raw));
        if may_disallow {
            self.judge(document, &agents.collect::<Vec<_>>());
        }
        &self.verdicts
    }

    /// Asks every dialect about the root, but for those that can only say what another says.
    fn judge(&mut self, document: &Document<'_>, agents: &[&[u8]]) {
        let (lines, mut traits) = lines_about_root(document);
        let is_longer = |agent: &&[u8]| *agent != b"*" && rfc9309_token(agent) != *agent;
        traits.has_longer_name = agents.iter().any(is_longer);
        let root = UrlPath::new(b"/");
        for (index, dialect) in Dialect::ALL.into_iter().enumerate() {
            if let Some(same) = dialect.same_root_as(&traits) {
                let same = same as usize;
                for verdicts in &mut self.verdicts {
                    verdicts[index] = verdicts[same];
                }
                continue;
            }
            let mut reader = RulesetBuilder::reusing(dialect, self.ruleset.take());
            for line in &lines {
                reader.policy_line(line);
            }
            let ruleset = self.ruleset.insert(reader.finish());
            let allowed = ruleset.allowed_for_each(agents, &root);
            for (verdicts, allowed) in self.verdicts.iter_mut().zip(allowed) {
                verdicts[index] = allowed;
            }
        }
    }
}

/// Whether a rule of this type with this value might disallow the root under some dialect. Without
/// one in a group every agent may fetch it.
fn may_disallow_root(rule_type: RuleType, value: &[u8]) -> bool {
    rule_type == RuleType::Disallow && !value.is_empty() && may_match_root(value)
}

/// What makes dialects differ on the root of a policy.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent observations")]
pub(crate) struct RootTraits {
    /// An allow line that strict dialects know.
    pub(crate) has_allow: bool,
    /// A rule that might match the root.
    pub(crate) allows_root: bool,
    /// A robot-version line.
    pub(crate) has_version: bool,
    /// A misspelt key or a missing colon.
    pub(crate) is_lenient: bool,
    /// An index page, which Google's parser takes for its directory.
    pub(crate) has_index_page: bool,
    /// User-agent lines for `*`.
    pub(crate) n_wildcards: usize,
    /// An asked agent whose name has more than the letters, `_` and `-` that RFC 9309 takes.
    pub(crate) has_longer_name: bool,
}

/// The lines of `document` that may bear on the root.
fn lines_about_root<'d, 'a>(document: &'d Document<'a>) -> (Vec<PolicyLine<'d, 'a>>, RootTraits) {
    let mut traits = RootTraits::default();
    // Kinds of rules that the record has already: allow and disallow, strict and not.
    let mut has_rule = [[false; 2]; 2];
    let mut lines = Vec::new();
    for line in document.policy_lines() {
        let is_about_root = match line {
            PolicyLine::BlankLine => {
                has_rule = Default::default();
                true
            }
            PolicyLine::UserAgent(line) => {
                has_rule = Default::default();
                traits.is_lenient |= !line.is_strict();
                traits.n_wildcards += usize::from(is_wildcard(line.value));
                true
            }
            PolicyLine::Rule(rule) => {
                let is_allow = rule.rule_type == RuleType::Allow;
                let is_strict = rule.is_strict();
                let matches = may_match_root(rule.path_raw);
                traits.is_lenient |= !is_strict;
                traits.has_allow |= is_allow && is_strict;
                traits.allows_root |= is_allow && is_strict && matches;
                traits.has_index_page |=
                    matches && memmem::find(rule.path_raw, b"/index.htm").is_some();
                let has_one = &mut has_rule[usize::from(is_allow)][usize::from(is_strict)];
                matches || !std::mem::replace(has_one, true)
            }
            // The one directive by which a dialect (conner1996) reads rules otherwise.
            PolicyLine::Directive(line) => {
                let is_version = line.key.eq_ignore_ascii_case(b"robot-version");
                traits.has_version |= is_version && !line.is_missing_colon;
                is_version
            }
        };
        if is_about_root {
            lines.push(line);
        }
    }
    (lines, traits)
}

/// Whether some dialect might match a rule with this value against `/`: false where a byte is left
/// over once stars took nothing.
fn may_match_root(value: &[u8]) -> bool {
    let stars = value.iter().take_while(|byte| **byte == b'*').count();
    match &value[stars..] {
        [b'/', rest @ ..] => {
            rest.iter().all(|byte| matches!(byte, b'*' | b'$'))
                // Allow rules for the index page allow the directory (google).
                || rest.starts_with(b"index.htm")
        }
        // The end, or a wildcard of the shell for one byte (conner1996).
        [] | [b'$' | b'?' | b'[' | b'\\', ..] => true,
        _ => false,
    }
}
