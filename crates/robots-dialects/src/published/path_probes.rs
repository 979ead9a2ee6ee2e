//! None, partial, full by path probes: the measure of "Somesite I Used To Crawl".
//!
//! Source: E. Liu et al., "Somesite I Used To Crawl: Awareness, Agency and Efficacy in Protecting
//! Content Creators From AI Crawlers" (IMC 2025, arXiv 2411.15091), as computed by
//! `get_all_paths_from_robots` (lines 64 to 84) and `get_judgement_amortized` (lines 188 to 249) in
//! `robotstxt-parser/robots_analysis_final.py` of `ucsdsysnet/ai-crawler-imc-25`, commit `4de8f33`.
//!
//! Google's open-source parser is asked about `/`, a path that no file names
//! (`/dummy-testing-path-54321`), and the value of every allow and disallow line of the file,
//! **whichever agent it is for**, up to the first white space and without a final `$`. A `*` in it
//! is kept in the path. All allowed means `none`, all disallowed `full`, else `partial`. Values are
//! not escaped, but the parser compares them to escaped rules: `Disallow: /ü` alone gives `none`.
//! And the parser does not exempt `/robots.txt`.
//!
//! Two traits of that script are not followed, because they need the raw line: a value written
//! directly after the colon is cut there at a second colon and not at white space, and a comment
//! that holds a rule is asked too.
//!
//! The rules of `google/robotstxt` (`robots.cc`) as needed here: values are escaped, the longest
//! matching pattern decides, allow wins ties, and an allow rule for `/index.htm…` in a directory
//! also allows the directory itself.

use crate::path::path_of_url;
use crate::pattern::{has_wildcard, matches};
use crate::percent::google_escape;
use crate::restriction::Restriction;
use crate::rule::{Rule, RuleType};

/// A path that no file names: its verdict shows where only the root itself is excepted.
const UNNAMED_PATH: &[u8] = b"/dummy-testing-path-54321";

/// Any site: the parser wants a URL.
const SITE: &[u8] = b"https://host";

/// Work of one call: one for each pattern that is asked about a probe, and one for each 16 bytes
/// that are searched. Only a hostile file comes near; the probes that are left then are not asked,
/// as if they agreed with `/`.
const PROBE_WORK: usize = 1 << 23;

/// Buffers that [`path_probes`] reuses from call to call.
#[derive(Debug, Default)]
pub struct ProbeScratch {
    escaped: Vec<u8>,
    url: Vec<u8>,
    patterns: GooglePatterns,
    work: usize,
}

impl ProbeScratch {
    /// What the last judgement took, in the units of the limit: some nanoseconds each.
    #[must_use]
    pub fn work(&self) -> usize {
        self.work
    }

    /// Whether the last judgement asked every probe that it needed.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.work < PROBE_WORK
    }
}

/// The judgement of `rules`, the merged rules of one agent, probed with `file_paths`: the values as
/// written ([`Rule::path_raw`]) of all rules of the file. The paths of `rules` are probed anyway.
#[must_use]
pub fn path_probes<'a>(
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    file_paths: impl Iterator<Item = &'a [u8]>,
    scratch: &mut ProbeScratch,
) -> Restriction {
    let ProbeScratch {
        escaped,
        url,
        patterns,
        work: done,
    } = scratch;
    *done = 0;
    patterns.clear();
    for rule in rules.clone() {
        patterns.add(&rule, escaped);
    }
    let is_root_allowed = patterns.allow(b"/");
    let unanimous = if is_root_allowed {
        Restriction::None
    } else {
        Restriction::Full
    };
    if patterns.allow(UNNAMED_PATH) != is_root_allowed {
        return Restriction::Partial;
    }
    if patterns.are_all_alike() {
        return unanimous;
    }
    // The order of the probes does not matter. An agent's own paths decide fastest, and of these
    // the rules whose type differs from the verdict on the root.
    let is_telling = move |rule: &Rule<'_>| (rule.rule_type == RuleType::Allow) != is_root_allowed;
    let own = (rules.clone().filter(is_telling)).chain(rules.filter(move |it| !is_telling(it)));
    for value in own.map(|rule| rule.path_raw).chain(file_paths) {
        let Some(probe) = probe_of(value) else {
            continue;
        };
        *done += patterns.work(probe);
        if *done >= PROBE_WORK {
            break;
        }
        url.clear();
        url.extend_from_slice(SITE);
        url.extend_from_slice(probe);
        if patterns.allow(&path_of_url(url)) != is_root_allowed {
            return Restriction::Partial;
        }
    }
    unanimous
}

/// What is appended to the site to ask about `value`: its first word, without a final `$`. None for
/// an empty value, which names no path.
fn probe_of(value: &[u8]) -> Option<&[u8]> {
    let word = value
        .split(|byte| byte.is_ascii_whitespace() || *byte == b'\x0b')
        .next()
        .filter(|word| !word.is_empty())?;
    Some(word.strip_suffix(b"$").unwrap_or(word))
}

/// The patterns of one agent as Google's parser compares them.
#[derive(Debug, Default)]
struct GooglePatterns {
    bytes: Vec<u8>,
    /// Type, start and end in `bytes`.
    spans: Vec<(RuleType, usize, usize)>,
    /// Bytes of the patterns that have a star, which are searched for.
    searched: usize,
}

impl GooglePatterns {
    fn clear(&mut self) {
        self.bytes.clear();
        self.spans.clear();
        self.searched = 0;
    }

    /// Adds the pattern of a rule; an empty pattern has no effect.
    fn add(&mut self, rule: &Rule<'_>, escaped: &mut Vec<u8>) {
        let pattern = if rule.traits.is_plain {
            rule.path_raw
        } else {
            google_escape(rule.path_raw, escaped)
        };
        if pattern.is_empty() {
            return;
        }
        let rule_type = rule.rule_type;
        self.push(rule_type, &[pattern], rule.traits.has_wildcard);
        // The parser tries the directory where the index page does not match. To have both at all
        // times is the same: the page's pattern is the longer.
        if rule_type == RuleType::Allow
            && let Some(slash) = pattern.iter().rposition(|byte| *byte == b'/')
            && pattern[slash..].starts_with(b"/index.htm")
        {
            let directory = &pattern[..=slash];
            self.push(rule_type, &[directory, b"$"], has_wildcard(directory));
        }
    }

    fn push(&mut self, rule_type: RuleType, pieces: &[&[u8]], has_wildcard: bool) {
        let start = self.bytes.len();
        for piece in pieces {
            self.bytes.extend_from_slice(piece);
        }
        let end = self.bytes.len();
        if has_wildcard {
            self.searched += end - start;
        }
        self.spans.push((rule_type, start, end));
    }

    /// Whether `path` is allowed.
    fn allow(&self, path: &[u8]) -> bool {
        let (mut allow, mut disallow) = (0, 0);
        for &(rule_type, start, end) in &self.spans {
            let longest = match rule_type {
                RuleType::Allow => &mut allow,
                RuleType::Disallow => &mut disallow,
            };
            let pattern = &self.bytes[start..end];
            // A pattern that could not win is not matched. Patterns are not empty: 0 means no
            // match.
            if pattern.len() > *longest && matches(pattern, path) {
                *longest = pattern.len();
            }
        }
        allow >= disallow
    }

    /// Whether no probe can change the verdict on the root: only one type of rule, which disallows
    /// everything if it disallows the root and more.
    fn are_all_alike(&self) -> bool {
        let has = |rule_type| self.spans.iter().any(|span| span.0 == rule_type);
        let mut disallowed = self
            .spans
            .iter()
            .filter(|span| span.0 == RuleType::Disallow)
            .map(|&(_, start, end)| &self.bytes[start..end]);
        !has(RuleType::Disallow)
            || (!has(RuleType::Allow) && disallowed.any(|pattern| matches(pattern, b"/*")))
    }

    /// The work of a verdict on `probe`, see [`PROBE_WORK`].
    fn work(&self, probe: &[u8]) -> usize {
        self.spans.len() * (1 + probe.len() / 16) + self.searched / 16
    }
}
