//! Compares how two dialects read one file.
//!
//! Dialects compare paths in different forms, and a URL can be spelt in many ways. The comparison
//! is about *normal paths*, which RFC 9309 §2.2.2 leaves unchanged: US-ASCII, with escapes in upper
//! case, `*` and `$` escaped, and unreserved characters unescaped. Crawlers send such paths. The
//! path of the robots.txt itself counts as allowed by all dialects. Dialects that compare bytes as
//! they are then compare the same strings as RFC 9309. A rule that is not in this form, such as
//! `/%7Eme` in 1994, matches no normal path, and is left out.
//!
//! `koster1996` decodes escapes, so one of its patterns can become several entries: `/a?` becomes
//! `/a?` and `/a%3F`.
//!
//! The lists are compared on all strings, normal or not. If no string differs, equality is thus
//! proved. If a path differs, the verdicts of both dialects confirm it.

use super::crawlers::{CrawlersComparison, compare_each};
use super::decision_list::DecisionList;
use super::findings::MAX_REASONS;
use super::result::{Class, Comparison, Direction};
use super::symbol::{ESCAPED_SLASH, SLASH, STAR, Symbol, changes_escape, symbols};
use crate::dialect::{Crawler, Dialect, PathForm, Ruleset};
use crate::path::UrlPath;
use crate::percent::{escape, is_unreserved};

/// Most patterns that a pattern of `koster1996` may become.
const MAX_STRINGS: usize = 64;

/// How the normal paths that `other` allows each of `crawlers` compare with the paths that `one`
/// allows. Results are in the order of their first crawler. The rulesets are usually one file, read
/// by two dialects; then [`Reason::old`](super::Reason::old) and [`new`](super::Reason::new) are
/// the rules that decide by `one` and by `other`. All the comparisons share one work limit.
///
/// ```
/// use robots_dialects::comparison::{Class, compare_dialects};
/// use robots_dialects::dialect::{Crawler, Dialect};
///
/// let body = b"User-agent: *\nDisallow: /\nAllow: /news\n";
/// let rfc9309 = Dialect::Rfc9309.compile(body);
/// let class = |dialect: Dialect| {
///     let other = dialect.compile(body);
///     compare_dialects(&rfc9309, &other, [Crawler::Other])[0].comparison.class
/// };
/// assert_eq!(class(Dialect::Google), Class::Equal);
/// assert_eq!(class(Dialect::Koster1996), Class::Stricter); // the first match decides
/// ```
#[must_use]
pub fn compare_dialects<'n, 'r>(
    one: &'r Ruleset,
    other: &'r Ruleset,
    crawlers: impl IntoIterator<Item = Crawler<'n>>,
) -> Vec<CrawlersComparison<'n, 'r>> {
    let list = |ruleset: &'r Ruleset, chosen: &[usize]| {
        let dialect = ruleset.dialect();
        let rules = ruleset.rules_of(chosen);
        DecisionList::in_form(Dialect::Rfc9309, dialect, rules, |pattern| {
            for_normal_paths(dialect.path_form(), pattern)
        })
    };
    let rulesets = [one, other];
    compare_each(rulesets.map(Some), crawlers, |crawler, [old, new], work| {
        let comparison = list(one, old).compare_within(&list(other, new), work, MAX_REASONS);
        confirmed(comparison, rulesets, crawler)
    })
}

/// The comparison, with only the reasons that the verdicts on their paths confirm.
fn confirmed<'r>(
    mut comparison: Comparison<'r>,
    rulesets: [&Ruleset; 2],
    crawler: Crawler<'_>,
) -> Comparison<'r> {
    let agent = crawler.agent_name();
    let n_found = comparison.reasons.len();
    comparison.reasons.retain(|reason| {
        let path = UrlPath::new(&reason.witness);
        let allowed = rulesets.map(|ruleset| ruleset.verdict(agent, &path).allowed);
        allowed == [true, false].map(|it| it == (reason.direction == Direction::Blocked))
    });
    if comparison.reasons.len() < n_found {
        let reasons = &comparison.reasons;
        let has = |direction| reasons.iter().any(|it| it.direction == direction);
        comparison.is_complete = false;
        if !(has(Direction::Blocked) && has(Direction::Opened)) {
            comparison.class = Class::Undecided;
        }
    }
    comparison
}

/// Patterns that match the same normal paths as `pattern`, which is of this form; `None` if there
/// are too many, or they cannot be written.
fn for_normal_paths(form: PathForm, pattern: Vec<Symbol>) -> Option<Vec<Vec<Symbol>>> {
    match form {
        PathForm::Normalised => Some(vec![pattern]),
        PathForm::Decoded => decoded(&pattern),
        PathForm::Bytes | PathForm::Escaped => {
            Some(is_normal(&pattern).then_some(pattern).into_iter().collect())
        }
    }
}

/// Whether a normal path can contain the literals of a pattern.
fn is_normal(pattern: &[Symbol]) -> bool {
    (0..pattern.len()).all(|index| {
        match (
            changes_escape(&pattern[index..]),
            u8::try_from(pattern[index]),
        ) {
            (Some(changes), _) => !changes,
            (None, Ok(byte)) => is_normal_byte(byte),
            (None, Err(_)) => true,
        }
    })
}

/// Whether a normal path can have this byte without an escape.
fn is_normal_byte(byte: u8) -> bool {
    byte.is_ascii() && !matches!(byte, b'*' | b'$')
}

/// Writes a pattern of `koster1996` in all the ways in which normal paths can contain it.
fn decoded(pattern: &[Symbol]) -> Option<Vec<Vec<Symbol>>> {
    let mut strings: Vec<Vec<Symbol>> = vec![Vec::new()];
    for symbol in pattern {
        let escaped = |byte: u8| symbols(&escape(byte)).collect::<Vec<Symbol>>();
        let forms = match u8::try_from(*symbol) {
            // The next symbols may or may not make it an escape.
            Ok(b'%') => return None,
            Ok(byte) if is_unreserved(byte) || *symbol == SLASH => vec![vec![*symbol]],
            Ok(byte) if is_normal_byte(byte) => vec![vec![*symbol], escaped(byte)],
            Ok(byte) => vec![escaped(byte)],
            Err(_) if *symbol == ESCAPED_SLASH => vec![escaped(b'/')],
            Err(_) => vec![vec![STAR]],
        };
        if strings.len() * forms.len() > MAX_STRINGS {
            return None;
        }
        let extended = strings.iter().flat_map(|string| {
            let forms = forms.iter();
            forms.map(move |form| [string.as_slice(), form].concat())
        });
        strings = extended.collect();
    }
    Some(strings)
}
