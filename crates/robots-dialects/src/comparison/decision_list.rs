//! The rules of one crawler in the order in which they decide.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::merge::covers;
use super::symbol::{
    FIRST_SET, MAX_SETS, SLASH, STAR, Sets, Symbol, beginning, is_starred, pattern_of, symbols,
};
use super::{WORK, automaton, spend};
use crate::dialect::{ChosenRule, Crawler, CrawlerGroups, Dialect, MatchedRule, Ruleset};
use crate::path::ROBOTS_TXT;

/// Entries up to which trying each is faster than looking them up.
const FEW_ENTRIES: usize = if cfg!(test) { 2 } else { 64 };

/// Entries beyond two for each rule, where one pattern stands for several.
const MAX_REWRITTEN: usize = 1 << 14;

/// What one dialect says to one crawler, as a list of patterns of which the first that matches a
/// path decides. The last one matches every path: what no rule matches is allowed.
#[derive(Clone, Debug)]
pub struct DecisionList<'r> {
    pub(super) dialect: Dialect,
    pub(super) symbols: Vec<Symbol>,
    pub(super) entries: Vec<Entry<'r>>,
    /// Indices of entries, sorted by their patterns.
    pub(super) by_pattern: Vec<usize>,
    /// Indices of entries by the hash of what their patterns begin with, up to a star; found
    /// when it is asked for. An entry can only match a pattern that begins with the same symbols.
    by_beginning: OnceCell<HashMap<u64, Vec<usize>>>,
    pub(super) sets: Sets,
    /// Whether a rule was left out that could matter.
    is_cut: bool,
    /// Lines of all rules, in order, also of those that can match no path.
    pub(super) lines: Vec<u32>,
}

/// A rule that decides, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DecidingRule<'r> {
    /// Line in the file, from 1.
    pub line: u32,
    /// The rule.
    pub rule: MatchedRule<'r>,
}

#[derive(Clone, Debug)]
pub(super) struct Entry<'r> {
    pattern: Range<usize>,
    pub(super) allows: bool,
    pub(super) rule: Option<DecidingRule<'r>>,
}

impl<'r> DecisionList<'r> {
    /// What `ruleset` says to `crawler`.
    #[must_use]
    pub fn new(ruleset: &'r Ruleset, crawler: Crawler<'_>) -> Self {
        Self::of_groups(ruleset, &CrawlerGroups::new(ruleset).of(crawler))
    }

    /// A list that allows every path: what a dialect makes of a response without a robots.txt.
    #[must_use]
    pub fn allow_all(dialect: Dialect) -> Self {
        Self::empty(dialect).finished(true)
    }

    /// A list that allows no path, except for the robots.txt itself where the dialect exempts it:
    /// what a dialect makes of a server that fails.
    #[must_use]
    pub fn disallow_all(dialect: Dialect) -> Self {
        Self::empty(dialect).finished(false)
    }

    pub(super) fn of_groups(ruleset: &'r Ruleset, chosen: &[usize]) -> Self {
        let (dialect, rules) = (ruleset.dialect(), ruleset.rules_of(chosen));
        Self::in_form(dialect, dialect, rules, |pattern| Some(vec![pattern]))
    }

    /// The list of rules of `dialect` in the form in which another dialect compares paths:
    /// `rewrite` gives patterns of that form for the same paths, or none if it cannot.
    pub(super) fn in_form(
        form: Dialect,
        dialect: Dialect,
        rules: impl Iterator<Item = ChosenRule<'r>>,
        rewrite: impl Fn(Vec<Symbol>) -> Option<Vec<Vec<Symbol>>>,
    ) -> Self {
        let mut list = Self::empty(form);
        let mut rules: Vec<_> = rules.collect();
        // One line may have two patterns, next to each other.
        list.lines = rules.iter().map(|chosen| chosen.line).collect();
        list.lines.dedup();
        if dialect.is_longest_match() {
            // Stable: the first among equals decides. Allow wins ties.
            rules.sort_by_key(|chosen| (Reverse(chosen.weight), chosen.rule.rule_type));
        }
        let max_entries = 2 * rules.len() + MAX_REWRITTEN;
        for chosen in rules {
            if list.len() > max_entries {
                list.is_cut = true;
                break;
            }
            let Some(pattern) = pattern_of(dialect, &chosen, &mut list.sets) else {
                continue;
            };
            let rule = DecidingRule {
                line: chosen.line,
                rule: chosen.rule,
            };
            let patterns = rewrite(pattern);
            list.is_cut |= patterns.is_none();
            for pattern in patterns.into_iter().flatten() {
                list.push(&pattern, chosen.rule.allows(), Some(rule));
            }
        }
        list.finished(true)
    }

    /// A list of the path that the dialect exempts, if any.
    fn empty(dialect: Dialect) -> Self {
        let mut list = Self {
            dialect,
            symbols: Vec::new(),
            entries: Vec::new(),
            by_pattern: Vec::new(),
            by_beginning: OnceCell::new(),
            sets: Vec::new(),
            is_cut: false,
            lines: Vec::new(),
        };
        if dialect.exempts_robots_txt() {
            let path: Vec<Symbol> = symbols(ROBOTS_TXT).collect();
            list.push(&path, true, None);
        }
        list
    }

    /// Adds a decision, with a pattern for each thing that a star at its beginning can take: paths
    /// begin with a slash, so it is the slash, or nothing if the rest begins with one.
    fn push(&mut self, pattern: &[Symbol], allows: bool, rule: Option<DecidingRule<'r>>) {
        let stars = pattern.iter().take_while(|symbol| **symbol == STAR).count();
        let rest = &pattern[stars..];
        let first = rest.first().copied();
        let takes_slash = first.is_some_and(|first| first == SLASH || self.set_has_slash(first));
        if takes_slash {
            self.push_one(&rest[1..], allows, rule);
        }
        if stars > 0 {
            self.push_one(&pattern[stars - 1..], allows, rule);
        }
    }

    /// Adds a decision by the pattern of a slash and `rest`.
    fn push_one(&mut self, rest: &[Symbol], allows: bool, rule: Option<DecidingRule<'r>>) {
        let start = self.symbols.len();
        self.symbols.push(SLASH);
        for symbol in rest {
            // A run of stars does what one star does.
            if *symbol != STAR || self.symbols.last() != Some(&STAR) {
                self.symbols.push(*symbol);
            }
        }
        self.entries.push(Entry {
            pattern: start..self.symbols.len(),
            allows,
            rule,
        });
    }

    /// Adds the decision on what no rule matches, and drops what cannot decide because an earlier
    /// entry has the same pattern, or matches every path.
    fn finished(mut self, allows: bool) -> Self {
        self.push_one(&[STAR], allows, None);
        let everything = (0..self.len()).find(|index| self.pattern(*index) == [SLASH, STAR]);
        self.entries
            .truncate(everything.map_or(self.len(), |index| index + 1));
        self.sort();
        let mut is_kept = vec![true; self.len()];
        for pair in self.by_pattern.windows(2) {
            is_kept[pair[1]] = self.pattern(pair[0]) != self.pattern(pair[1]);
        }
        if is_kept.contains(&false) {
            let mut is_kept = is_kept.into_iter();
            self.entries.retain(|_| is_kept.next().unwrap_or(true));
            self.sort();
        }
        self
    }

    fn sort(&mut self) {
        let mut by_pattern: Vec<usize> = (0..self.len()).collect();
        // Stable: the first of those with one pattern stays.
        by_pattern.sort_by_key(|index| self.pattern(*index));
        self.by_pattern = by_pattern;
    }

    fn by_beginning(&self) -> &HashMap<u64, Vec<usize>> {
        self.by_beginning.get_or_init(|| {
            let mut entries: HashMap<u64, Vec<usize>> = HashMap::new();
            for index in 0..self.entries.len() {
                let hash = beginnings(self.pattern(index)).last();
                let entries = entries.entry(hash.unwrap_or(FNV_OFFSET_BASIS));
                entries.or_default().push(index);
            }
            entries
        })
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn pattern(&self, index: usize) -> &[Symbol] {
        &self.symbols[self.entries[index].pattern.clone()]
    }

    /// Whether every rule is in the list.
    pub(super) fn is_whole(&self) -> bool {
        self.sets.len() <= MAX_SETS && !self.is_cut
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        let alike = |index| {
            self.pattern(index) == other.pattern(index)
                && self.entries[index].allows == other.entries[index].allows
        };
        self.len() == other.len() && self.sets == other.sets && (0..self.len()).all(alike)
    }

    /// Whether an entry before `end` matches all that `merged` matches.
    pub(super) fn decides_before(
        &self,
        end: usize,
        merged: &[Symbol],
        work: &mut usize,
    ) -> Option<bool> {
        if self.len() <= FEW_ENTRIES {
            for index in 0..end {
                if covers(self.pattern(index), merged, work)? {
                    return Some(true);
                }
            }
            return Some(false);
        }
        for hash in beginnings(merged) {
            spend(work, LOOK_UP_STEPS)?;
            let found = self.by_beginning().get(&hash).into_iter().flatten();
            for index in found.take_while(|index| **index < end) {
                if covers(self.pattern(*index), merged, work)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// The lines of rules that decide no path, in order; none if the work limit was reached.
    ///
    /// ```
    /// use robots_dialects::comparison::DecisionList;
    /// use robots_dialects::dialect::{Crawler, Dialect};
    ///
    /// let body = b"User-agent: *\nDisallow: /a*\nDisallow: /a\nDisallow: b\nDisallow: /a/b\n";
    /// let ruleset = Dialect::Rfc9309.compile(body);
    /// let list = DecisionList::new(&ruleset, Crawler::Other);
    /// assert_eq!(list.dead_rules(), Some(vec![3, 4])); // line 5 is longer: it decides /a/b
    /// ```
    #[must_use]
    pub fn dead_rules(&self) -> Option<Vec<u32>> {
        let mut work = WORK;
        if !self.is_whole() {
            return None;
        }
        let decides = if self.has_normal_form() {
            self.deciding(&mut work)?
        } else {
            let mut decides = vec![false; self.len()];
            automaton::explore(self, self, &mut work, |index, _, _, _| {
                decides[index] = true;
                Some(())
            })?;
            decides
        };
        let live: HashSet<u32> = self.live_lines(&decides).collect();
        let lines = self.lines.iter().copied();
        Some(lines.filter(|line| !live.contains(line)).collect())
    }

    pub(super) fn live_lines(&self, decides: &[bool]) -> impl Iterator<Item = u32> {
        let deciding = (0..self.len()).filter(|index| decides[*index]);
        deciding.filter_map(|index| Some(self.entries[index].rule?.line))
    }

    /// Whether each entry decides a path: no earlier one matches all that it matches. The list has
    /// no sets.
    pub(super) fn deciding(&self, work: &mut usize) -> Option<Vec<bool>> {
        let starred = (0..self.len()).filter(|index| is_starred(self.pattern(*index)));
        let starred: Vec<usize> = starred.collect();
        let mut decides = vec![true; self.len()];
        for &index in &starred {
            decides[index] = !self.decides_before(index, self.pattern(index), work)?;
        }
        // The others from the last to the first pattern. A prefix comes before what begins with it,
        // because a star comes after every literal; so its beginnings are a stack. Each has
        // the first entry among itself and the ones below it.
        let mut beginnings: Vec<(&[Symbol], usize)> = Vec::new();
        for &index in self.by_pattern.iter().rev() {
            let pattern = self.pattern(index);
            let literals = beginning(pattern);
            if is_starred(pattern) {
                continue;
            }
            spend(work, 1)?;
            while (beginnings.last()).is_some_and(|(shorter, _)| !literals.starts_with(shorter)) {
                beginnings.pop();
            }
            let first = beginnings.last().map_or(usize::MAX, |(_, first)| *first);
            decides[index] = first > index;
            for &starred in starred.iter().take_while(|starred| **starred < index) {
                if !decides[index] {
                    break;
                }
                decides[index] = !covers(self.pattern(starred), pattern, work)?;
            }
            if literals.len() < pattern.len() {
                beginnings.push((literals, first.min(index)));
            }
        }
        Some(decides)
    }

    pub(super) fn beginning_with(&self, literals: &[Symbol]) -> impl Iterator<Item = usize> {
        let by_pattern = &self.by_pattern;
        let start = by_pattern.partition_point(|index| self.pattern(*index) < literals);
        let entries = by_pattern[start..].iter().copied();
        entries.take_while(move |index| self.pattern(*index).starts_with(literals))
    }

    /// For each entry, the entry of `other` with the same pattern; the length of `other` if
    /// it does not have the pattern.
    pub(super) fn twins_in(&self, other: &Self) -> Vec<usize> {
        let twin = |index| {
            let theirs = &other.by_pattern;
            let pattern = self.pattern(index);
            let found = theirs.binary_search_by_key(&pattern, |theirs| other.pattern(*theirs));
            found.map_or(other.len(), |at| theirs[at])
        };
        (0..self.len()).map(twin).collect()
    }

    fn set_has_slash(&self, symbol: Symbol) -> bool {
        let index = symbol.checked_sub(FIRST_SET).map(usize::from);
        index.is_some_and(|index| self.sets[index][usize::from(b'/')])
    }
}

const LOOK_UP_STEPS: usize = 16;
const FNV_OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// The hash of every beginning of `pattern` without a star, the shortest first (FNV-1a, 64 bits).
/// Two beginnings with the same hash cost time and change no answer.
fn beginnings(pattern: &[Symbol]) -> impl Iterator<Item = u64> {
    let literals = pattern.iter().take_while(|symbol| **symbol != STAR);
    literals.scan(FNV_OFFSET_BASIS, |hash, symbol| {
        *hash = (*hash ^ u64::from(*symbol)).wrapping_mul(FNV_PRIME);
        Some(*hash)
    })
}
