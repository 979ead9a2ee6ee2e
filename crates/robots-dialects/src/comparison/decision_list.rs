//! The rules of one crawler in the order in which they decide.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use super::beginnings::{Beginnings, order};
use super::symbol::{FIRST_SET, MAX_SETS, SLASH, STAR, Sets, Symbol, pattern_of, symbols};
use crate::dialect::{ChosenRule, Crawler, CrawlerGroups, Dialect, MatchedRule, Ruleset};
use crate::path::ROBOTS_TXT;

/// A list may have two entries per rule and this many more, because one pattern of `koster1996` can
/// be rewritten as several.
const MAX_REWRITTEN: usize = 1 << 14;

/// What one dialect says to one crawler, as a list of patterns: the first pattern that matches a
/// path decides. The last pattern matches every path: it allows paths that no rule matches, except
/// in [`disallow_all`](Self::disallow_all).
#[derive(Clone, Debug)]
pub struct DecisionList<'r> {
    pub(super) dialect: Dialect,
    pub(super) symbols: Vec<Symbol>,
    pub(super) entries: Vec<Entry<'r>>,
    pub(super) by_beginning: Beginnings,
    pub(super) sets: Sets,
    /// Whether a rule that could matter was left out.
    is_cut: bool,
    /// Lines of all rules, in order, including those that can match no path.
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

    /// A list that allows every path, as after a response without a robots.txt.
    #[must_use]
    pub fn allow_all(dialect: Dialect) -> Self {
        Self::empty(dialect).finished(true)
    }

    /// A list that allows no path but the exempt one, as after a server failure.
    #[must_use]
    pub fn disallow_all(dialect: Dialect) -> Self {
        Self::empty(dialect).finished(false)
    }

    pub(super) fn of_groups(ruleset: &'r Ruleset, chosen: &[usize]) -> Self {
        let (dialect, rules) = (ruleset.dialect(), ruleset.rules_of(chosen));
        Self::in_form(dialect, dialect, rules, |pattern| Some(vec![pattern]))
    }

    /// The list of rules of `dialect` in the path form of the dialect `form`: `rewrite` turns a
    /// pattern into patterns of that form for the same paths, or returns `None` if it cannot.
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
            // A stable sort: the first among equals decides. Allow wins ties.
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

    /// A list with only the path that the dialect exempts, if any.
    fn empty(dialect: Dialect) -> Self {
        let mut list = Self {
            dialect,
            symbols: Vec::new(),
            entries: Vec::new(),
            by_beginning: Beginnings::default(),
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

    /// Adds a decision. A pattern that begins with a star can become two entries: paths begin with
    /// a slash, so the star takes at least the slash, or nothing if the rest begins with a slash.
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

    /// Adds a decision whose pattern is a slash and `rest`.
    fn push_one(&mut self, rest: &[Symbol], allows: bool, rule: Option<DecidingRule<'r>>) {
        let start = self.symbols.len();
        self.symbols.push(SLASH);
        for symbol in rest {
            // A run of stars is equivalent to one star.
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

    /// Adds the decision on paths that no rule matches, and drops entries that cannot decide
    /// because an earlier entry has the same pattern, or matches every path.
    fn finished(mut self, allows: bool) -> Self {
        self.push_one(&[STAR], allows, None);
        let everything = (0..self.len())
            .find(|index| self.pattern(*index) == [SLASH, STAR])
            .expect("the last entry matches every path");
        self.entries.truncate(everything + 1);
        let (symbols, mut known) = (&self.symbols, HashSet::new());
        self.entries
            .retain(|entry| known.insert(&symbols[entry.pattern.clone()]));
        self.by_beginning = Beginnings::new(self.len(), |index| self.pattern(index));
        self
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn pattern(&self, index: usize) -> &[Symbol] {
        &self.symbols[self.entries[index].pattern.clone()]
    }

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
        (self.by_beginning).cover(end, merged, |index| self.pattern(index), work)
    }

    pub(super) fn live_lines(&self, decides: &[bool]) -> impl Iterator<Item = u32> {
        let deciding = (0..self.len()).filter(|index| decides[*index]);
        deciding.filter_map(|index| Some(self.entries[index].rule?.line))
    }

    /// For each entry, whether it decides a path: no earlier entry matches all that it matches. The
    /// list must have no sets.
    pub(super) fn deciding(&self, work: &mut usize) -> Option<Vec<bool>> {
        let mut decides = Vec::new();
        for index in 0..self.len() {
            decides.push(!self.decides_before(index, self.pattern(index), work)?);
        }
        Some(decides)
    }

    /// For each entry, the entry of `other` with the same pattern, else the length of `other`.
    pub(super) fn twins_in(&self, other: &Self) -> Vec<usize> {
        let twin = |index| {
            let theirs = other.by_beginning.sorted();
            let pattern = self.pattern(index);
            let found = theirs.binary_search_by(|theirs| order(other.pattern(*theirs), pattern));
            found.map_or(other.len(), |at| theirs[at])
        };
        (0..self.len()).map(twin).collect()
    }

    fn set_has_slash(&self, symbol: Symbol) -> bool {
        let index = symbol.checked_sub(FIRST_SET).map(usize::from);
        index.is_some_and(|index| self.sets[index][usize::from(b'/')])
    }
}
