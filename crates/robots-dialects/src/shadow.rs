//! Rules that a crawler which takes the first match never comes to.

use crate::document::RuleLine;
use crate::pattern::has_end_anchor;
use crate::rule::RuleType;

/// A rule of a group.
struct PlainRule<'r> {
    path: &'r [u8],
    /// Its number in the group.
    at: usize,
    rule_type: RuleType,
}

/// Of some rules the number of the first that allows, and of the first that disallows.
#[derive(Clone, Copy)]
struct Firsts {
    allow: usize,
    disallow: usize,
}

impl Firsts {
    const NONE: Self = Self {
        allow: usize::MAX,
        disallow: usize::MAX,
    };
}

/// Of each rule of a group whether an earlier and shorter one of the other type matches whatever it
/// matches. The first match (draft-koster-robots-00 §3.2.2) is then the earlier one, the longest
/// (RFC 9309 §2.2.2) this one. Both are plain: without wildcard and end anchor, which the draft
/// takes literally, not empty, and strictly written.
///
/// ```
/// use robots_dialects::document::Document;
/// use robots_dialects::shadow::shadowed;
///
/// let body = b"User-agent: *\nDisallow: /a\nAllow: /a/b\n";
/// let document = Document::read(body, 0, &mut Vec::new());
/// assert_eq!(shadowed(&document.rules), [false, true]);
/// ```
#[must_use]
pub fn shadowed(rules: &[RuleLine<'_>]) -> Vec<bool> {
    // The rules are taken in the order of their paths. A path comes after every path that it begins
    // with, and all that stands between the two begins with the shorter one: so its beginnings are
    // a stack. Each has the first rules of its own path and of the paths below it.
    let mut shadowed = vec![false; rules.len()];
    let is_plain = |rule: &RuleLine<'_>| {
        !rule.path.is_empty() && !rule.traits.has_wildcard && !has_end_anchor(&rule.path)
    };
    let plain = rules.iter().enumerate().filter_map(|(at, rule)| {
        (rule.is_strict() && is_plain(rule)).then_some(PlainRule {
            path: &rule.path,
            at,
            rule_type: rule.rule_type,
        })
    });
    let mut plain: Vec<PlainRule<'_>> = plain.collect();
    plain.sort_unstable_by(|one, other| one.path.cmp(other.path));
    let mut beginnings: Vec<(&[u8], Firsts)> = Vec::new();
    for same in plain.chunk_by(|one, next| one.path == next.path) {
        let path = same[0].path;
        while (beginnings.last()).is_some_and(|(beginning, _)| !path.starts_with(beginning)) {
            beginnings.pop();
        }
        let shorter = beginnings.last().map_or(Firsts::NONE, |(_, first)| *first);
        let mut first = shorter;
        for rule in same {
            let (own, other) = match rule.rule_type {
                RuleType::Allow => (&mut first.allow, shorter.disallow),
                RuleType::Disallow => (&mut first.disallow, shorter.allow),
            };
            *own = rule.at.min(*own);
            shadowed[rule.at] = other < rule.at;
        }
        beginnings.push((path, first));
    }
    shadowed
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    /// The paths of the shadowed rules of the one group in `text`.
    fn shadowed(text: &str) -> Vec<String> {
        let mut canonical = Vec::new();
        let document = Document::read_whole(text.as_bytes(), &mut canonical);
        let rules = document.rules.iter().zip(super::shadowed(&document.rules));
        rules
            .filter(|(_, is_shadowed)| *is_shadowed)
            .map(|(rule, _)| String::from_utf8_lossy(&rule.path).into_owned())
            .collect()
    }

    #[test]
    fn any_order_of_beginnings_finds_what_comparing_each_with_each_finds() {
        let paths = [
            "/", "/a", "/a/", "/a/b", "/a-", "/ab", "/b", "/b/a", "/a/b/c", "/~",
        ];
        for seed in 0..500_usize {
            let lines: Vec<(bool, &str)> = (0..12)
                .map(|line| {
                    let drawn = (seed * 7919 + line * 104_729 + seed * line * 31) / 3;
                    (drawn % 3 == 0, paths[drawn / 3 % paths.len()])
                })
                .collect();
            let mut text = "user-agent: *\n".to_owned();
            for (allows, path) in &lines {
                text += if *allows { "allow: " } else { "disallow: " };
                text += path;
                text.push('\n');
            }
            let expected = lines.iter().enumerate().filter(|(at, (allows, path))| {
                lines[..*at].iter().any(|(other, beginning)| {
                    other != allows && beginning.len() < path.len() && path.starts_with(beginning)
                })
            });
            let expected: Vec<&str> = expected.map(|(_, (_, path))| *path).collect();
            assert_eq!(shadowed(&text), expected, "{text}");
        }
    }
}
