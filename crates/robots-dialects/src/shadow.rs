//! Rules that a first-match crawler never reaches.

use crate::document::RuleLine;
use crate::pattern::has_end_anchor;

/// For each rule of a group, whether an earlier, shorter rule of the other type matches every path
/// that this rule matches. The first match (draft-koster-robots-00 §3.2.2) is then the earlier
/// rule, and the longest match (RFC 9309 §2.2.2) is this rule. Only plain rules are compared: not
/// empty, strictly written, and without wildcard and end anchor, which the draft reads literally.
///
/// ```
/// use robots_dialects::document::Document;
/// use robots_dialects::shadow::shadowed;
///
/// let body = b"User-agent: *\nDisallow: /a\nAllow: /a/b\n";
/// let document = Document::read(body, 0);
/// assert_eq!(shadowed(&document.rules), [false, true]);
/// ```
#[must_use]
pub fn shadowed(rules: &[RuleLine<'_>]) -> Vec<bool> {
    // The rules are visited in the order of their paths. A path comes after each of its prefixes,
    // and all paths between the two begin with the prefix, so the prefixes form a stack. Each entry
    // holds, for each type, the first rule whose path is the entry's or lower on the stack.
    let is_plain = |rule: &RuleLine<'_>| {
        let is_pattern = rule.traits.has_wildcard || has_end_anchor(&rule.path);
        rule.is_strict() && !rule.path.is_empty() && !is_pattern
    };
    let paths = rules.iter().map(|rule| &*rule.path).zip(0..);
    let mut plain: Vec<(&[u8], usize)> = paths.filter(|(_, at)| is_plain(&rules[*at])).collect();
    plain.sort_unstable();
    let mut shadowed = vec![false; rules.len()];
    let mut beginnings: Vec<(&[u8], [usize; 2])> = Vec::new();
    for same in plain.chunk_by(|(one, _), (next, _)| one == next) {
        let path = same[0].0;
        while (beginnings.last()).is_some_and(|(beginning, _)| !path.starts_with(beginning)) {
            beginnings.pop();
        }
        let shorter = beginnings
            .last()
            .map_or([usize::MAX; 2], |(_, first)| *first);
        let mut first = shorter;
        for &(_, at) in same {
            let own = rules[at].rule_type as usize;
            first[own] = first[own].min(at);
            shadowed[at] = shorter[1 - own] < at;
        }
        beginnings.push((path, first));
    }
    shadowed
}
