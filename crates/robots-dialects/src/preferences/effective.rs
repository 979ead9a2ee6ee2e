//! The preferences that hold for a crawler and a path (draft-ietf-aipref-attach-05 §2.1).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{Vocabulary, split_path};
use crate::agent::{is_wildcard, product_token};
use crate::dialect::Dialect;
use crate::document::{DirectiveLine, Document};
use crate::path::UrlPath;
use crate::pattern;
use crate::percent::{rfc9309_normalise, rfc9309_pattern};

/// A preference about the use of the content at one path, for one crawler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectivePreference {
    /// Who defines the category.
    pub vocabulary: Vocabulary,
    /// The category of use, in lower case: `train-ai`, `search`.
    pub category: Vec<u8>,
    /// Whether the use is allowed; `None` if the value is not one of the vocabulary's, or the line
    /// cannot be parsed.
    pub allows: Option<bool>,
    /// The line that decides, from 1: the first of those with the same answer.
    pub line: u32,
}

/// The preferences of Content-Usage and Content-Signal lines that hold for `agent` and `path`, by
/// vocabulary and category, or `None` if the crawler may not fetch the path (by RFC 9309): content
/// that cannot be fetched has no preferences.
///
/// Lines of groups that name the agent count, or else of `*` groups. The line with the longest
/// matching path decides about all categories; a line without a path has length 0. Lines with the
/// same path apply together, and `n` wins (draft-ietf-aipref-vocab-08 §7.1). A category that is not
/// in the result is unknown. Content-Signal lines are read in the same way, as
/// draft-romm-aipref-contentsignals-00 leaves it open.
///
/// ```
/// use robots_dialects::path::UrlPath;
/// use robots_dialects::preferences::effective;
///
/// let body = b"User-agent: *\nDisallow: /never/\nContent-Usage: train-ai=n\n\
///     Content-Usage: /ai-ok/ train-ai=y\n";
/// let answer = |path| {
///     let preferences = effective(body, b"x", &UrlPath::new(path))?;
///     Some((preferences[0].allows, preferences[0].line))
/// };
/// assert_eq!(answer(b"/test"), Some((Some(false), 3)));
/// assert_eq!(answer(b"/ai-ok/test"), Some((Some(true), 4)));
/// assert_eq!(answer(b"/never/test"), None);
/// ```
#[must_use]
pub fn effective(
    body: &[u8],
    agent: &[u8],
    path: &UrlPath<'_>,
) -> Option<Vec<EffectivePreference>> {
    let ruleset = Dialect::Rfc9309.compile(body);
    if !ruleset.verdict(agent, path).allowed {
        return None;
    }
    let document = Document::read(body, 0, &mut Vec::new());
    let token = product_token(agent);
    let names_agent = |name: &[u8]| product_token(name).eq_ignore_ascii_case(token);
    let is_named = document
        .user_agents
        .iter()
        .any(|line| names_agent(line.value));
    let holds = |line: &DirectiveLine<'_>| {
        let block = line
            .block
            .map(|block| document.blocks[block].user_agents.clone());
        block.is_some_and(|lines| {
            let mut names = document.user_agents[lines].iter().map(|line| line.value);
            if is_named {
                names.any(names_agent)
            } else {
                names.any(is_wildcard)
            }
        })
    };
    let lines: Vec<_> = document
        .directives
        .iter()
        .filter(|line| holds(line))
        .collect();
    let vocabularies = [Vocabulary::ContentSignal, Vocabulary::ContentUsage];
    Some(
        vocabularies
            .into_iter()
            .flat_map(|vocabulary| of_vocabulary(vocabulary, &lines, path))
            .collect(),
    )
}

/// The preferences of one vocabulary, in the order of their categories.
fn of_vocabulary(
    vocabulary: Vocabulary,
    lines: &[&DirectiveLine<'_>],
    path: &UrlPath<'_>,
) -> Vec<EffectivePreference> {
    let mut longest = 0;
    let mut found: BTreeMap<Vec<u8>, (Option<bool>, u32)> = BTreeMap::new();
    for line in lines {
        if Vocabulary::of_directive(&line.key.to_ascii_lowercase()) != Some(vocabulary) {
            continue;
        }
        let Some(length) = matching_length(line.value, path) else {
            continue;
        };
        match length.cmp(&longest) {
            Ordering::Less => continue,
            Ordering::Equal => {}
            Ordering::Greater => found.clear(),
        }
        longest = length;
        vocabulary.read(line.value, |preference| {
            if preference.preference.is_empty() {
                return;
            }
            let answer = (preference.allows, line.line_number);
            let before = found.entry(preference.preference.into_owned());
            before
                .and_modify(|before| {
                    if weight(answer.0) > weight(before.0) {
                        *before = answer;
                    }
                })
                .or_insert(answer);
        });
    }
    let found = found.into_iter();
    found
        .map(|(category, (allows, line))| EffectivePreference {
            vocabulary,
            category,
            allows,
            line,
        })
        .collect()
}

/// Which of two answers about one path counts: no before yes before unknown.
const fn weight(allows: Option<bool>) -> u8 {
    match allows {
        None => 0,
        Some(true) => 1,
        Some(false) => 2,
    }
}

/// The length in bytes of the path in `value` if it matches `path`; 0 without a path.
fn matching_length(value: &[u8], path: &UrlPath<'_>) -> Option<usize> {
    let Some(written) = split_path(value).0 else {
        return Some(0);
    };
    let mut scratch = Vec::new();
    let is_match = pattern::matches(rfc9309_pattern(written, &mut scratch), path.normalised());
    is_match.then(|| rfc9309_normalise(written, &mut scratch).len())
}

#[cfg(test)]
mod tests {
    use super::effective;
    use crate::path::UrlPath;

    /// The preferences as text: `train-ai=n:3`, with the line; `disallowed` if there are none.
    fn answer(body: &str, agent: &str, path: &str) -> String {
        let path = UrlPath::new(path.as_bytes());
        let Some(found) = effective(body.as_bytes(), agent.as_bytes(), &path) else {
            return "disallowed".to_owned();
        };
        let words = found.iter().map(|it| {
            let allows = it
                .allows
                .map_or("?", |allows| if allows { "y" } else { "n" });
            format!(
                "{}={allows}:{}",
                String::from_utf8_lossy(&it.category),
                it.line
            )
        });
        words.collect::<Vec<_>>().join(" ")
    }

    const DRAFT: &str = "User-Agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: train-ai=n\n\
        Content-Usage: /ai-ok/ train-ai=y\n\nUser-Agent: ExampleBot\nAllow: /\n\
        Content-Usage: train-ai=y\n";

    #[test]
    fn the_drafts_own_example() {
        for (agent, path, expected) in [
            ("other", "/test", "train-ai=n:4"),
            ("other", "/never/test", "disallowed"),
            ("other", "/ai-ok/test", "train-ai=y:5"),
            ("ExampleBot/1.0", "/test", "train-ai=y:9"),
            ("examplebot", "/never/test", "train-ai=y:9"),
        ] {
            assert_eq!(answer(DRAFT, agent, path), expected, "{agent} {path}");
        }
    }

    #[test]
    fn the_longest_matching_path_decides_about_every_category() {
        let body = "User-agent: *\nContent-Usage: /a search=y\nContent-Usage: train-ai=n, search=n\n\
            Content-Usage: /*/b$ train-ai=y\nContent-Usage: /%61/c train-ai=n\n";
        for (path, expected) in [
            ("/", "search=n:3 train-ai=n:3"),
            ("/abc", "search=y:2"),
            ("/a/b", "train-ai=y:4"),
            ("/a/bc", "search=y:2"),
            ("/a/c", "train-ai=n:5"),
        ] {
            assert_eq!(answer(body, "x", path), expected, "{path}");
        }
    }

    #[test]
    fn lines_with_one_path_apply_together_and_no_wins() {
        let body = "User-agent: *\nContent-Usage: train-ai=y\nContent-Usage: train-ai=n, search=y\n\
            User-agent: *\nContent-Usage: train-ai=n, search=maybe\n";
        assert_eq!(answer(body, "x", "/"), "search=y:3 train-ai=n:3");
    }

    #[test]
    fn a_line_that_cannot_be_parsed_states_nothing() {
        let body = "User-agent: *\nContent-Usage: train-ai=y\nContent-Usage: /x train-ai=n, =\n";
        assert_eq!(answer(body, "x", "/"), "train-ai=y:2");
        assert_eq!(answer(body, "x", "/x"), "train-ai=?:3");
    }

    #[test]
    fn a_named_crawler_has_nothing_from_the_wildcard_group() {
        let body = "User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: a\nUser-agent: MJ12bot\n\
            Allow: /\nContent-Signal: search=yes\n\nUser-agent: b\nDisallow:\n";
        for (agent, expected) in [
            ("a", "search=y:7"),
            ("MJ12bot", "search=y:7"),
            ("b", ""),
            ("c", "ai-train=n:2"),
        ] {
            assert_eq!(answer(body, agent, "/"), expected, "{agent}");
        }
        assert_eq!(answer("Content-Usage: train-ai=n\n", "a", "/"), "");
    }
}
