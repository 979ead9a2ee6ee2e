//! The root: whether each agent of a policy may fetch `/`, under every dialect.
//!
//! Most policies say the same about the root. What is not about it is left out (a rule that
//! matches `/` under no dialect becomes a stand-in, of which one per record and kind is kept,
//! because a rule also ends the list of user-agent lines), and the remaining *outline*, itself a
//! robots.txt, is put to the dialects once: later policies with the same outline get the same
//! answer.

use std::collections::HashMap;

use memchr::memmem;
use xxhash_rust::xxh3::xxh3_64;

use super::agent::is_wildcard;
use super::dialect::Dialect;
use super::line::{Line, LineKind, read_lines};
use super::path::UrlPath;
use super::rule::RuleType;

/// For one agent: whether it may fetch `/`, in the order of [`Dialect::ALL`].
pub type RootVerdicts = [bool; Dialect::ALL.len()];

/// Bytes of outlines and verdicts that are remembered.
const MEMORY: usize = 4 << 20;
/// The longest outline that is remembered: lists of hundreds of agents hardly recur.
const LONGEST_REMEMBERED: usize = 8 << 10;

/// An outline and what the dialects say of it.
#[derive(Debug)]
struct Remembered {
    outline: Box<[u8]>,
    verdicts: Box<[RootVerdicts]>,
}

/// Remembers outlines and what the dialects say of them.
#[derive(Debug, Default)]
pub struct Roots {
    outline: Vec<u8>,
    /// By the XXH3-64 hash of the outline; of two outlines with one hash the later is kept.
    known: HashMap<u64, Remembered>,
    known_bytes: usize,
    fresh: Vec<RootVerdicts>,
}

impl Roots {
    /// The verdicts of a policy, given in its canonical form (or as a whole body), for `agents`:
    /// all product tokens of its user-agent lines, in the order of the lines. An agent `*` asks
    /// as a crawler that no line names.
    pub fn verdicts<'t>(
        &mut self,
        policy: &[u8],
        agents: impl Iterator<Item = &'t [u8]>,
    ) -> &[RootVerdicts] {
        let traits = write_outline(policy, &mut self.outline);
        let hash = xxh3_64(&self.outline);
        let known = self.known.get(&hash);
        if known.is_none_or(|known| *known.outline != *self.outline) {
            let agents: Vec<&[u8]> = agents.collect();
            judge(&self.outline, &traits, &agents, &mut self.fresh);
            let bytes = self.outline.len() + std::mem::size_of_val(self.fresh.as_slice());
            if bytes > LONGEST_REMEMBERED {
                return &self.fresh;
            }
            if self.known_bytes + bytes > MEMORY {
                self.known.clear();
                self.known_bytes = 0;
            }
            self.known_bytes += bytes;
            let remembered = Remembered {
                outline: self.outline.as_slice().into(),
                verdicts: self.fresh.as_slice().into(),
            };
            self.known.insert(hash, remembered);
        }
        self.known.get(&hash).map_or(&[], |known| &known.verdicts)
    }

    /// The verdicts of a policy in whose groups no rule [may disallow the root](may_disallow_root),
    /// for so many agents.
    pub fn all_allowed(&mut self, agents: usize) -> &[RootVerdicts] {
        self.fresh.clear();
        self.fresh.resize(agents, [true; Dialect::ALL.len()]);
        &self.fresh
    }
}

/// Whether a rule of this type with this value might close the root under some dialect. Without
/// one in a group every agent may fetch it.
#[must_use]
pub fn may_disallow_root(rule_type: RuleType, value: &[u8]) -> bool {
    rule_type == RuleType::Disallow && !value.is_empty() && may_match_root(value)
}

/// Asks every dialect about the root, but for those that can only say what another says.
fn judge(outline: &[u8], traits: &RootTraits, agents: &[&[u8]], verdicts: &mut Vec<RootVerdicts>) {
    verdicts.clear();
    verdicts.resize(agents.len(), [true; Dialect::ALL.len()]);
    let root = UrlPath::new(b"/");
    for (index, dialect) in Dialect::all().enumerate() {
        if let Some(same) = (dialect.rules().same_root_as)(traits) {
            let same = same as usize;
            for verdicts in verdicts.iter_mut() {
                verdicts[index] = verdicts[same];
            }
            continue;
        }
        let allowed = dialect.compile(outline).allowed_each(agents, &root);
        for (verdicts, allowed) in verdicts.iter_mut().zip(allowed) {
            verdicts[index] = allowed;
        }
    }
}

/// What an outline has by which dialects can differ on the root.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent observations")]
pub(crate) struct RootTraits {
    /// An allow line that strict dialects know.
    pub(crate) has_allow: bool,
    /// One that might match the root.
    pub(crate) allows_root: bool,
    /// A robot-version line.
    pub(crate) has_version: bool,
    /// A misspelt key or a missing colon.
    pub(crate) is_lenient: bool,
    /// An index page, which google's reading takes for its directory.
    pub(crate) has_index_page: bool,
    /// User-agent lines for `*`.
    pub(crate) n_wildcards: usize,
}

/// Writes what `policy` says that may bear on the root.
fn write_outline(policy: &[u8], outline: &mut Vec<u8>) -> RootTraits {
    outline.clear();
    let mut traits = RootTraits::default();
    // Kinds of rules that the record has already: allow and disallow, strict and not.
    let mut has_rule = [[false; 2]; 2];
    read_lines(policy, &mut |line: &Line<'_>| match line.kind {
        LineKind::Empty if outline.ends_with(b"\n\n") || outline.is_empty() => {}
        LineKind::Empty => {
            has_rule = Default::default();
            outline.push(b'\n');
        }
        LineKind::UserAgent => {
            has_rule = Default::default();
            traits.is_lenient |= !line.is_strict();
            traits.n_wildcards += usize::from(is_wildcard(line.value));
            outline.extend_from_slice(if line.is_strict() {
                b"user-agent:"
            } else {
                b"useragent:"
            });
            outline.extend(line.value.iter().map(u8::to_ascii_lowercase));
            outline.push(b'\n');
        }
        LineKind::Allow | LineKind::Disallow => {
            let (is_allow, is_strict) = (line.kind == LineKind::Allow, line.is_strict());
            let is_about_root = may_match_root(line.value);
            traits.is_lenient |= !is_strict;
            traits.has_allow |= is_allow && is_strict;
            traits.allows_root |= is_allow && is_strict && is_about_root;
            traits.has_index_page |=
                is_about_root && memmem::find(line.value, b"/index.htm").is_some();
            let has_rule = &mut has_rule[usize::from(is_allow)][usize::from(is_strict)];
            if *has_rule && !is_about_root {
                return;
            }
            *has_rule = true;
            let (key, value): (&[u8], _) = match (is_allow, is_strict) {
                (true, true) => (b"allow:", line.value),
                (true, false) => (b"allowed:", line.value),
                (false, true) => (b"disallow:", line.value),
                (false, false) => (b"disalow:", line.value),
            };
            outline.extend_from_slice(key);
            outline.extend_from_slice(if is_about_root { value } else { b"/x" });
            outline.push(b'\n');
        }
        // The one directive by which a dialect (conner1996) reads rules otherwise.
        LineKind::Other
            if line.key.eq_ignore_ascii_case(b"robot-version") && !line.is_missing_colon =>
        {
            traits.has_version = true;
            outline.extend_from_slice(b"robot-version:");
            outline.extend_from_slice(line.value);
            outline.push(b'\n');
        }
        _ => {}
    });
    traits
}

/// Whether some dialect might match a rule with this value against `/`: false where a byte is
/// left over once stars took nothing.
fn may_match_root(value: &[u8]) -> bool {
    let stars = value.iter().take_while(|byte| **byte == b'*').count();
    match &value[stars..] {
        [b'/', rest @ ..] => {
            rest.iter().all(|byte| matches!(byte, b'*' | b'$'))
                // Allow rules for the index page allow the directory (google).
                || rest.starts_with(b"index.htm")
        }
        // The end, or what in the shell stands for a byte (conner1996).
        [] | [b'$' | b'?' | b'[' | b'\\', ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::document::Document;

    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => "(User-agent: |useragent:|User-agent )(a|b|ab|\\*|c/1)",
            8 => "(Allow: |Disallow: |Disallow |disalow:|Allowed: )([/*$a%?\\[\\]2F\\\\]{0,4}|/index.html?|\\*/index.htm)",
            2 => Just(String::new()),
            1 => Just("Robot-version: 2.0".to_owned()),
            1 => "(Crawl-delay: 1|Sitemap: /a|# a|nonsense|Host: a)",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]
        #[test]
        fn equal_the_verdicts_from_the_body(
            bodies in proptest::collection::vec(proptest::collection::vec(line(), 0..12), 1..4),
        ) {
            let mut roots = Roots::default();
            for lines in bodies {
                let body = lines.join("\n");
                let mut canonical = Vec::new();
                let document = Document::read(body.as_bytes(), 0, &mut canonical);
                let may_disallow =
                    document.rules.iter().any(|rule| may_disallow_root(rule.rule_type, rule.path_raw));
                let agents: [&[u8]; 4] = [b"a", b"ab", b"c", b"*"];
                let verdicts = roots.verdicts(&canonical, agents.into_iter());
                prop_assert!(may_disallow || verdicts.as_flattened().iter().all(|allowed| *allowed), "{}", body);
                for (agent, verdicts) in agents.iter().zip(verdicts) {
                    for (dialect, allowed) in Dialect::all().zip(verdicts) {
                        let compiled = dialect.compile(body.as_bytes());
                        let verdict = compiled.verdict(agent, &UrlPath::new(b"/"));
                        prop_assert_eq!(verdict.allowed, *allowed, "{} {:?} {}", dialect, agent, body);
                    }
                }
            }
        }
    }
}
