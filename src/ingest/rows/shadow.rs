//! Rules that a crawler which takes the first match never comes to.

use std::collections::BTreeSet;
use std::ops::Bound;

use robots_dialects::document::RuleLine;
use robots_dialects::pattern::{has_end_anchor, has_wildcard};
use robots_dialects::rule::RuleType;

/// The rules of a group that stand before another, by what they begin to match.
#[derive(Default)]
pub(super) struct EarlierRules<'r> {
    allowed: Beginnings<'r>,
    disallowed: Beginnings<'r>,
}

impl<'r> EarlierRules<'r> {
    /// Adds the next rule of the group and tells whether an earlier and shorter one of the other
    /// type matches whatever it matches. The first match (draft-koster-robots-00 §3.2.2) is then
    /// the earlier one, the longest (RFC 9309 §2.2.2) this one. Both are plain: without wildcard
    /// and end anchor, which the draft takes literally, not empty, and strictly written.
    pub(super) fn shadow(&mut self, rule: &'r RuleLine<'_>) -> bool {
        let path = rule.path.as_ref();
        if path.is_empty() || !rule.is_strict() || has_wildcard(path) || has_end_anchor(path) {
            return false;
        }
        let (same, other) = match rule.rule_type {
            RuleType::Allow => (&mut self.allowed, &self.disallowed),
            RuleType::Disallow => (&mut self.disallowed, &self.allowed),
        };
        same.insert(path);
        other.before(path).is_some_and(|it| it.len() < path.len())
    }
}

/// Paths of which none begins with another: a path that begins with one of them is not kept. So of
/// all of them only the last that sorts before a path, or is equal to it, can be its beginning.
#[derive(Default)]
struct Beginnings<'r>(BTreeSet<&'r [u8]>);

impl<'r> Beginnings<'r> {
    /// The path that `path` begins with.
    fn before(&self, path: &[u8]) -> Option<&'r [u8]> {
        let up_to = (Bound::Unbounded, Bound::Included(path));
        let last = self.0.range::<[u8], _>(up_to).next_back().copied();
        last.filter(|it| path.starts_with(it))
    }

    fn insert(&mut self, path: &'r [u8]) {
        if self.before(path).is_some() {
            return;
        }
        let from = (Bound::Excluded(path), Bound::Unbounded);
        while let Some(longer) = self.0.range::<[u8], _>(from).next().copied() {
            if !longer.starts_with(path) {
                break;
            }
            self.0.remove(longer);
        }
        self.0.insert(path);
    }
}

#[cfg(test)]
mod tests {
    use robots_dialects::document::Document;

    use super::*;

    /// The paths of the shadowed rules of the one group in `text`.
    fn shadowed(text: &str) -> Vec<String> {
        let mut canonical = Vec::new();
        let document = Document::read_whole(text.as_bytes(), &mut canonical);
        let mut earlier = EarlierRules::default();
        let rules = document.rules.iter().filter(|rule| earlier.shadow(rule));
        rules
            .map(|rule| String::from_utf8_lossy(&rule.path).into_owned())
            .collect()
    }

    #[test]
    fn an_earlier_shorter_rule_of_the_other_type_shadows() {
        let text =
            "user-agent: *\ndisallow: /a\nallow: /a/b\nallow: /b\ndisallow: /b/c\ndisallow: /a/d\n";
        assert_eq!(shadowed(text), ["/a/b", "/b/c"]);
    }

    #[test]
    fn a_later_one_an_equal_one_and_one_of_its_own_type_do_not() {
        let text =
            "user-agent: *\nallow: /a/b\ndisallow: /a\nallow: /a\nallow: /a/bc\nallow: /ab\n";
        assert_eq!(shadowed(text), ["/a/bc", "/ab"]);
        assert!(shadowed("user-agent: *\ndisallow: /a\ndisallow: /a/b\n").is_empty());
    }

    #[test]
    fn patterns_and_what_is_not_strictly_a_rule_take_no_part() {
        let text = "user-agent: *\ndisallow: /a*\ndisallow: /c$\ndissallow: /e\ndisallow:\n\
                    allow: /a/b\nallow: /c$d\nallow: /e/f\n";
        assert!(shadowed(text).is_empty());
        assert!(shadowed("user-agent: *\ndisallow: /a\nallow: /a/*/b\nallow: /a/b$\n").is_empty());
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
