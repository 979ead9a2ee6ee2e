//! None, partial, full by path probes: the measure of "Somesite I Used To Crawl".
//!
//! Source: E. Liu et al., "Somesite I Used To Crawl: Awareness, Agency and Efficacy in Protecting
//! Content Creators From AI Crawlers" (IMC 2025, arXiv 2411.15091), as computed by
//! `get_all_paths_from_robots` (lines 64 to 84) and `get_judgement_amortized` (lines 188 to 249) in
//! `robotstxt-parser/robots_analysis_final.py` of `ucsdsysnet/ai-crawler-imc-25`, commit `4de8f33`.
//!
//! Google's open-source parser (here the [dialect](Dialect) `google`) is queried for `/`, for a
//! path that no file names (`/dummy-testing-path-54321`), and for the value of every allow and
//! disallow line of the file, **whichever agent it is for**, up to the first white space and
//! without a final `$`. A `*` in a value stays in the path. The result is `none` if all paths are
//! allowed, `full` if all are disallowed, else `partial`. Values are not escaped, but the parser
//! compares them to escaped rules: `Disallow: /ü` alone gives `none`. The parser does not exempt
//! `/robots.txt`.
//!
//! Two traits of that script are not followed, because they need the raw line: the script cuts a
//! value that directly follows the colon at a second colon instead of white space, and it also
//! tests rules in comments.

use crate::dialect::{Dialect, RulesetBuilder};
use crate::path::UrlPath;
use crate::pattern::matches_every_path;
use crate::restriction::{Judgement, Restriction};
use crate::rule::{Rule, RuleType};

/// A path that no file names: its verdict shows whether the root is the only exception.
const UNNAMED_PATH: &[u8] = b"/dummy-testing-path-54321";

/// Any site: the parser needs a URL.
const SITE: &[u8] = b"https://host";

/// Steps of one call: one for each pattern that is matched against a probe, and one for each 16
/// bytes that are searched. Only a hostile file comes near this limit; the remaining probes are
/// then skipped, as if they agreed with `/`.
const PROBE_STEPS: usize = 1 << 23;

/// The judgement of `rules`, the merged rules of one agent, probed with `file_paths`: the values as
/// written ([`Rule::path_raw`]) of all rules of the file. The paths of `rules` are probed anyway.
/// Exact if every necessary probe was tested.
#[must_use]
pub fn path_probes<'a>(
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    file_paths: impl Iterator<Item = &'a [u8]>,
) -> Judgement {
    let mut work = 0;
    let restriction = match without_probes(rules.clone()) {
        Some(judgement) => judgement,
        None => by_probes(rules, file_paths, &mut work),
    };
    Judgement {
        restriction,
        is_exact: work < PROBE_STEPS,
        work,
    }
}

/// The judgement of rules that [`without_probes`] cannot judge.
fn by_probes<'a>(
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    file_paths: impl Iterator<Item = &'a [u8]>,
    work: &mut usize,
) -> Restriction {
    let mut builder = RulesetBuilder::new(Dialect::Google);
    builder.user_agent(b"*", true);
    // The number of rules, and the bytes of rules with a star, which are searched for.
    let (mut n_rules, mut searched) = (0, 0);
    for rule in rules.clone() {
        builder.rule(rule.rule_type, rule.path_raw, 0, true);
        n_rules += 1;
        if rule.traits.has_wildcard {
            searched += rule.path_raw.len();
        }
    }
    let ruleset = builder.ruleset;
    let is_root_allowed = ruleset.allows(b"", &UrlPath::new(b"/"));
    let unanimous = if is_root_allowed {
        Restriction::None
    } else {
        Restriction::Full
    };
    if ruleset.allows(b"", &UrlPath::new(UNNAMED_PATH)) != is_root_allowed {
        return Restriction::Partial;
    }
    // The order of the probes does not matter. An agent's own paths decide fastest, above all the
    // paths of rules whose type differs from the verdict on the root.
    let is_telling = move |rule: &Rule<'_>| (rule.rule_type == RuleType::Allow) != is_root_allowed;
    let own = (rules.clone().filter(is_telling)).chain(rules.filter(move |it| !is_telling(it)));
    for value in own.map(|rule| rule.path_raw).chain(file_paths) {
        let Some(probe) = probe_of(value) else {
            continue;
        };
        *work += n_rules * (1 + probe.len() / 16) + searched / 16;
        if *work >= PROBE_STEPS {
            break;
        }
        let url = [SITE, probe].concat();
        if ruleset.allows(b"", &UrlPath::from_url(&url)) != is_root_allowed {
            return Restriction::Partial;
        }
    }
    unanimous
}

/// The path that tests `value`: its first word, without a final `$`; `None` if it is empty.
fn probe_of(value: &[u8]) -> Option<&[u8]> {
    let word = value
        .split(|byte| byte.is_ascii_whitespace() || *byte == b'\x0b')
        .next()
        .filter(|word| !word.is_empty())?;
    Some(word.strip_suffix(b"$").unwrap_or(word))
}

/// The judgement if every probe must get the same verdict: no rule disallows, or one rule disallows
/// everything and no rule allows. Empty rules have no effect.
fn without_probes<'a>(rules: impl Iterator<Item = Rule<'a>> + Clone) -> Option<Restriction> {
    let of_type = move |rule_type| {
        let rules = rules.clone().filter(|rule| !rule.path_raw.is_empty());
        rules.filter(move |rule| rule.rule_type == rule_type)
    };
    let mut disallowed = of_type(RuleType::Disallow).peekable();
    if disallowed.peek().is_none() {
        Some(Restriction::None)
    } else if of_type(RuleType::Allow).next().is_none()
        && disallowed.any(|rule| matches_every_path(rule.path_raw))
    {
        Some(Restriction::Full)
    } else {
        None
    }
}
