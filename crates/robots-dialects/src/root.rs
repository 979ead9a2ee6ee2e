//! The root: whether each agent of a policy may fetch `/`, under every dialect.
//!
//! Every dialect reads a policy's lines in its own way, but only a few lines matter for the root. A
//! rule that does not match `/` in any dialect is left out, except for the first of its kind in a
//! record, because a rule also ends the list of user-agent lines.

use super::dialect::{Dialect, RulesetBuilder};
use super::document::{Document, RuleLine};
use super::line::{Line, LineKind};
use super::path::UrlPath;
use super::rule::RuleType;

/// For one agent: whether it may fetch `/`, in the order of [`Dialect::ALL`].
pub type RootVerdicts = [bool; Dialect::ALL.len()];

/// The verdicts of `document` for each of `agents`, product tokens of crawlers (RFC 9110 §5.6.2),
/// in their order. Each dialect receives that token unchanged; `*` is a crawler that no line names.
#[must_use]
pub fn root_verdicts(document: &Document<'_>, agents: &[&[u8]]) -> Vec<RootVerdicts> {
    let mut verdicts = vec![[true; Dialect::ALL.len()]; agents.len()];
    // Without such a rule in a group every agent may fetch `/`.
    let may_disallow = |rule: &RuleLine<'_>| {
        let has_effect = rule.rule_type == RuleType::Disallow && !rule.path_raw.is_empty();
        has_effect && may_match_root(rule.path_raw)
    };
    if document.rules.iter().any(may_disallow) {
        let lines = lines_about_root(document);
        let root = UrlPath::new(b"/");
        for (index, dialect) in Dialect::ALL.into_iter().enumerate() {
            let ruleset = RulesetBuilder::of_lines(dialect, lines.iter().copied());
            let allowed = ruleset.allowed_for_each(agents, &root);
            for (verdicts, allowed) in verdicts.iter_mut().zip(allowed) {
                verdicts[index] = allowed;
            }
        }
    }
    verdicts
}

fn lines_about_root<'d, 'a>(document: &'d Document<'a>) -> Vec<&'d Line<'a>> {
    // Kinds of rules that the record has already: allow and disallow, strict and not.
    let mut has_rule = [[false; 2]; 2];
    let is_about_root = |line: &&Line<'_>| match line.kind {
        LineKind::Empty | LineKind::UserAgent => {
            has_rule = Default::default();
            true
        }
        LineKind::Allow | LineKind::Disallow => {
            let is_allow = usize::from(line.kind == LineKind::Allow);
            let has_one = &mut has_rule[is_allow][usize::from(line.is_strict())];
            may_match_root(line.value) || !std::mem::replace(has_one, true)
        }
        // The one directive that changes how a dialect (conner1996) reads rules.
        _ => line.key.eq_ignore_ascii_case(b"robot-version"),
    };
    (document.policy.iter()).filter(is_about_root).collect()
}

/// Whether some dialect might match a rule with this value against `/`: false if a byte is left
/// over when stars take nothing.
fn may_match_root(value: &[u8]) -> bool {
    let stars = value.iter().take_while(|byte| **byte == b'*').count();
    match &value[stars..] {
        [b'/', rest @ ..] => {
            rest.iter().all(|byte| matches!(byte, b'*' | b'$'))
                // Allow rules for the index page allow the directory (google).
                || rest.starts_with(b"index.htm")
        }
        // The end, or a shell wildcard for one byte (conner1996).
        [] | [b'$' | b'?' | b'[' | b'\\', ..] => true,
        _ => false,
    }
}
