//! The preferences that apply to a crawler and a path (draft-ietf-aipref-attach-05 §3.1).

use std::collections::{BTreeMap, BTreeSet};

use super::{Vocabulary, split_path};
use crate::agent::rfc9309_token;
use crate::dialect::{Dialect, Ruleset, RulesetBuilder};
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
    /// Whether the use is allowed; `None` if the vocabulary does not define the value, or the line
    /// cannot be parsed.
    pub allows: Option<bool>,
    /// The line that decides, from 1: the first line with this answer.
    pub line: u32,
}

/// The preferences of Content-Usage and Content-Signal lines for `agent` and `path`, by vocabulary
/// and category; `None` if the crawler may not fetch the path (under RFC 9309).
///
/// The groups of RFC 9309 §2.2.1 count, as for the rules: groups whose exact user-agent lines name
/// the agent by its letters, `_` and `-`, or `*` groups if none does. The line with the longest
/// matching path decides about all categories; a line without a path has length 0. Lines with the
/// same path apply together, and `n` wins (draft-ietf-aipref-vocab-08 §5.1). A category that is not
/// in the result is unknown. Content-Signal lines are read in the same way, because
/// draft-romm-aipref-contentsignals-00 leaves this open.
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
    PreferenceReader::new(body).effective(agent, path)
}

/// A file that is read once for many crawlers and paths.
#[derive(Debug)]
pub struct PreferenceReader<'a> {
    document: Document<'a>,
    ruleset: Ruleset,
}

impl<'a> PreferenceReader<'a> {
    /// Reads a file.
    #[must_use]
    pub fn new(body: &'a [u8]) -> Self {
        Self {
            document: Document::read(body, 0),
            ruleset: Dialect::Rfc9309.compile(body),
        }
    }

    /// As [`effective`].
    #[must_use]
    pub fn effective(&self, agent: &[u8], path: &UrlPath<'_>) -> Option<Vec<EffectivePreference>> {
        let lines = lines_for(&self.document, agent);
        let is_allowed = self.ruleset.allows(agent, path);
        is_allowed.then(|| preferences_of(&lines, path))
    }

    /// Numbers, from 1, of the Content-Usage and Content-Signal lines in groups, in order.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        let lines = self.document.directives.iter();
        let lines = lines.filter(|line| line.block.is_some() && is_of_use(line));
        lines.map(|line| line.line_number)
    }
}

fn preferences_of(lines: &[&DirectiveLine<'_>], path: &UrlPath<'_>) -> Vec<EffectivePreference> {
    let vocabularies = [Vocabulary::ContentSignal, Vocabulary::ContentUsage].into_iter();
    let preferences = vocabularies.flat_map(|vocabulary| of_vocabulary(vocabulary, lines, path));
    preferences.collect()
}

/// The lines of the groups that RFC 9309 chooses, as its rules decide whether there is an answer.
fn lines_for<'l, 'a>(document: &'l Document<'a>, agent: &[u8]) -> Vec<&'l DirectiveLine<'a>> {
    let directives = document.directives_by(rfc9309_token(agent), |line| {
        let is_exact = !line.is_typo && !line.is_missing_colon;
        is_exact.then_some(line.rfc9309_token)
    });
    directives.filter(|line| is_of_use(line)).collect()
}

fn vocabulary_of(line: &DirectiveLine<'_>) -> Option<Vocabulary> {
    Vocabulary::of_directive(&line.key.to_ascii_lowercase())
}

fn is_of_use(line: &DirectiveLine<'_>) -> bool {
    vocabulary_of(line).is_some_and(|vocabulary| !vocabulary.is_site_wide())
}

/// A preference with the crawler and the paths to which it applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlerPreference<'a> {
    /// The crawler, by product token in lower case; `*` for every crawler without a group.
    pub product_token: Vec<u8>,
    /// The line's pattern of paths, as written; `None` for a line without a pattern.
    pub path: Option<&'a [u8]>,
    /// The preference for these paths.
    pub preference: EffectivePreference,
}

/// Most lines examined for the preferences of one document: only a hostile file has more.
const MAX_LINES: usize = 1 << 20;

/// The preferences of every crawler that a file names (`*` for all others), for each pattern of
/// paths in the Content-Usage and Content-Signal lines that apply to it: the preferences for the
/// shortest path that the pattern matches. A pattern whose path the crawler may not fetch has no
/// preferences. Crawlers come in the order of their names, patterns in the order of lines.
///
/// ```
/// use robots_dialects::document::Document;
/// use robots_dialects::preferences::crawler_preferences;
///
/// let body = b"User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /free train-ai=y\n";
/// let document = Document::read(body, 0);
/// let found = crawler_preferences(&document);
/// assert_eq!(found[1].path, Some(&b"/free"[..]));
/// assert_eq!((found[1].preference.allows, found[1].preference.line), (Some(true), 3));
/// ```
#[must_use]
pub fn crawler_preferences<'a>(document: &Document<'a>) -> Vec<CrawlerPreference<'a>> {
    let mut found = Vec::new();
    if !document.directives.iter().any(|line| is_of_use(line)) {
        return found;
    }
    let ruleset = RulesetBuilder::of_lines(Dialect::Rfc9309, &document.policy);
    let lines = document.user_agents.iter();
    let tokens = lines.map(|line| line.product_token.to_ascii_lowercase());
    let tokens: BTreeSet<Vec<u8>> = tokens.filter(|token| !token.is_empty()).collect();
    let mut n_lines = 0;
    for token in tokens {
        n_lines += document.user_agents.len() + document.directives.len();
        let lines = lines_for(document, &token);
        let mut paths: Vec<Option<&'a [u8]>> = Vec::new();
        for path in lines.iter().map(|line| split_path(line.value).0) {
            n_lines += lines.len() + document.rules.len();
            if n_lines > MAX_LINES {
                return found;
            }
            if paths.contains(&path) {
                continue;
            }
            paths.push(path);
            let example = path.map_or(b"/".to_vec(), shortest);
            let example = UrlPath::new(&example);
            if ruleset.allows(&token, &example) {
                let preferences = preferences_of(&lines, &example).into_iter();
                found.extend(preferences.map(|preference| CrawlerPreference {
                    product_token: token.clone(),
                    path,
                    preference,
                }));
            }
        }
    }
    found
}

/// The shortest path that a pattern of RFC 9309 matches.
fn shortest(pattern: &[u8]) -> Vec<u8> {
    let mut path = pattern.strip_suffix(b"$").unwrap_or(pattern).to_vec();
    path.retain(|byte| *byte != b'*');
    path
}

fn of_vocabulary(
    vocabulary: Vocabulary,
    lines: &[&DirectiveLine<'_>],
    path: &UrlPath<'_>,
) -> Vec<EffectivePreference> {
    let mut longest = 0;
    let mut found: BTreeMap<Vec<u8>, (Option<bool>, u32)> = BTreeMap::new();
    for line in lines {
        let of_vocabulary = vocabulary_of(line).filter(|other| *other == vocabulary);
        let length = of_vocabulary.and_then(|_| matching_length(line.value, path));
        let Some(length) = length.filter(|length| *length >= longest) else {
            continue;
        };
        if length > longest {
            found.clear();
            longest = length;
        }
        vocabulary.read(line.value, |preference| {
            if preference.preference.is_empty() {
                return;
            }
            let answer = (preference.allows, line.line_number);
            let before = found.entry(preference.preference.into_owned());
            let before = before.or_insert(answer);
            // A denial outweighs a permission, and a permission an unknown value.
            let weight = |allows: Option<bool>| allows.map(|allows| !allows);
            if weight(answer.0) > weight(before.0) {
                *before = answer;
            }
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

/// The length in bytes of the path in `value` if it matches `path`; 0 if `value` has no path.
fn matching_length(value: &[u8], path: &UrlPath<'_>) -> Option<usize> {
    let Some(written) = split_path(value).0 else {
        return Some(0);
    };
    let mut scratch = Vec::new();
    let is_match = pattern::matches(rfc9309_pattern(written, &mut scratch), path.normalised());
    is_match.then(|| rfc9309_normalise(written, &mut scratch).len())
}
