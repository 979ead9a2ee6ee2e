//! The search for pairs of entries that decide paths differently.

use super::decision_list::DecisionList;
use super::merge::{Merger, covers};
use super::result::{Class, Comparison, Direction, Exceptions, Reason};
use super::symbol::{STAR, Symbol, is_starred};
use super::{WORK, automaton, spend, symbol};
use crate::dialect::{Crawler, Dialect, PathForm, Ruleset};

/// Most reasons that a comparison lists: at least one for each direction in which paths change.
pub const MAX_REASONS: usize = 100;

const MAX_PATTERNS: usize = 64;

/// Steps for the exceptions of all reasons.
const EXCEPTION_STEPS: usize = 1 << 20;

/// How the paths that `new` allows `crawler` compare with the paths that `old` allows it.
///
/// ```
/// use robots_dialects::comparison::{Class, Direction, compare};
/// use robots_dialects::dialect::{Crawler, Dialect};
///
/// let old = Dialect::Rfc9309.compile(b"User-agent: *\nDisallow: /*.pdf\nAllow: /free\n");
/// let new = Dialect::Rfc9309.compile(b"User-agent: *\nDisallow: /\nAllow: /*.pdf$\n");
/// let comparison = compare(&old, &new, Crawler::Named(b"ExampleBot"));
/// assert_eq!(comparison.class, Class::Mixed);
/// let blocked = &comparison.reasons[0];
/// assert_eq!(blocked.direction, Direction::Blocked);
/// assert_eq!((blocked.old, blocked.witness.as_slice()), (None, &b"/"[..]));
/// ```
///
/// Both rulesets must be of one dialect, or of `rep2019` and `rfc9309`, which compare paths in the
/// same form; else the result is [`Class::Undecided`].
#[must_use]
pub fn compare<'r>(old: &'r Ruleset, new: &'r Ruleset, crawler: Crawler<'_>) -> Comparison<'r> {
    DecisionList::new(old, crawler).compare(&DecisionList::new(new, crawler))
}

impl<'r> DecisionList<'r> {
    /// Compares the paths that `new` allows with the paths that this list allows; see [`compare`].
    #[must_use]
    pub fn compare(&self, new: &Self) -> Comparison<'r> {
        self.compare_within(new, WORK, MAX_REASONS)
    }

    /// As [`compare`](Self::compare), by a walk over the states of the product automaton: witnesses
    /// are shortest paths, patterns are empty, and rules with many stars reach the limit earlier.
    #[must_use]
    pub fn compare_by_states(&self, new: &Self) -> Comparison<'r> {
        self.compare_by(new, WORK, usize::MAX, None)
    }

    pub(super) fn compare_within(
        &self,
        new: &Self,
        work: usize,
        max_reasons: usize,
    ) -> Comparison<'r> {
        let has_sets = !self.sets.is_empty() || !new.sets.is_empty();
        let filler = filler([self, new]).filter(|_| !has_sets);
        self.compare_by(new, work, max_reasons, filler)
    }

    fn compare_by(
        &self,
        new: &Self,
        work: usize,
        max_reasons: usize,
        filler: Option<Symbol>,
    ) -> Comparison<'r> {
        let mut findings = Findings {
            old: self,
            new,
            filler,
            cells: Vec::new(),
            max_reasons,
            found: [false; 2],
            is_complete: true,
        };
        let mut left = work;
        let is_comparable = self.has_paths_of(new) && self.is_whole() && new.is_whole();
        let is_finished =
            is_comparable && (self.is_same(new) || findings.search(&mut left).is_some());
        findings.finish(is_finished, work - left)
    }

    fn has_paths_of(&self, other: &Self) -> bool {
        let dialects = [self.dialect, other.dialect];
        let is_normalised = |dialect: Dialect| dialect.path_form() == PathForm::Normalised;
        dialects[0] == dialects[1] || dialects.into_iter().all(is_normalised)
    }
}

/// A symbol that no pattern of the lists contains; `None` only if rules of `koster1996`, which can
/// name every byte, do so.
fn filler(lists: [&DecisionList<'_>; 2]) -> Option<Symbol> {
    // A pattern comes from one line, so it contains a line feed only if it was decoded.
    let others = std::iter::once(Symbol::from(b'\n')).chain(0..256);
    let mut fillers = symbol::symbols(symbol::FILLERS).chain(others);
    fillers.find(|symbol| !lists.iter().any(|list| list.symbols.contains(symbol)))
}

/// Adds `merged` unless one of `patterns` covers it, and removes the patterns that it covers.
/// False if `patterns` is full.
fn add_pattern(
    patterns: &mut Vec<Vec<Symbol>>,
    merged: &[Symbol],
    work: &mut usize,
) -> Option<bool> {
    for pattern in &*patterns {
        if covers(pattern, merged, work)? {
            return Some(true);
        }
    }
    // Decided first, so that all findings stay if the work limit is reached.
    let within: Option<Vec<bool>> = patterns.iter().map(|it| covers(merged, it, work)).collect();
    let mut within = within?.into_iter();
    patterns.retain(|_| within.next() == Some(false));
    let has_room = patterns.len() < MAX_PATTERNS;
    if has_room {
        patterns.push(merged.to_vec());
    }
    Some(has_room)
}

/// Paths that are decided differently.
struct Cell {
    direction: Direction,
    /// The entries of both lists that decide; if a rule has several, the first that was found.
    entries: [usize; 2],
    /// No pattern is within another. Empty if the automaton decided.
    patterns: Vec<Vec<Symbol>>,
    witness: Vec<Symbol>,
}

struct Findings<'l, 'r> {
    old: &'l DecisionList<'r>,
    new: &'l DecisionList<'r>,
    /// A symbol that no pattern contains; `None` if the automaton decides.
    filler: Option<Symbol>,
    cells: Vec<Cell>,
    max_reasons: usize,
    found: [bool; 2],
    is_complete: bool,
}

impl<'r> Findings<'_, 'r> {
    fn search(&mut self, work: &mut usize) -> Option<()> {
        match self.filler {
            Some(_) => self.search_pairs(work),
            None => self.search_states(work),
        }
    }

    fn search_pairs(&mut self, work: &mut usize) -> Option<()> {
        let (old, new) = (self.old, self.new);
        let (twins_of_old, twins_of_new) = (old.twins_in(new), new.twins_in(old));
        let mut by_effect = [Vec::new(), Vec::new()];
        for index in 0..new.len() {
            by_effect[usize::from(new.entries[index].allows)].push(index);
        }
        let mut merger = Merger::default();
        for i in 0..old.len() {
            let opposite = &by_effect[usize::from(!old.entries[i].allows)];
            for &j in opposite.iter().take_while(|j| **j <= twins_of_old[i]) {
                // The class is known and the list of reasons is full.
                if self.found == [true, true] && self.cells.len() >= self.max_reasons {
                    self.is_complete = false;
                    return Some(());
                }
                spend(work, 1)?;
                if i > twins_of_new[j] {
                    continue;
                }
                merger.merge(old.pattern(i), new.pattern(j), work, |merged, work| {
                    if self.is_decided_by([i, j], merged, work)? {
                        self.add([i, j], merged, work)?;
                    }
                    Some(())
                })?;
            }
        }
        Some(())
    }

    fn search_states(&mut self, work: &mut usize) -> Option<()> {
        let (old, new) = (self.old, self.new);
        automaton::explore(old, new, work, |i, j, path, work| {
            if old.entries[i].allows != new.entries[j].allows {
                self.add([i, j], path, work)?;
            }
            Some(())
        })
    }

    /// Whether these entries, which both match `merged`, decide it: no earlier entry matches it.
    fn is_decided_by(
        &self,
        [i, j]: [usize; 2],
        merged: &[Symbol],
        work: &mut usize,
    ) -> Option<bool> {
        let [old, new] = [self.old, self.new];
        Some(!old.decides_before(i, merged, work)? && !new.decides_before(j, merged, work)?)
    }

    /// Adds paths that entries decide differently: one path, or all paths of a pattern.
    fn add(&mut self, entries: [usize; 2], merged: &[Symbol], work: &mut usize) -> Option<()> {
        let (old, new) = (self.old, self.new);
        let direction = if old.entries[entries[0]].allows {
            Direction::Blocked
        } else {
            Direction::Opened
        };
        let is_first = !std::mem::replace(&mut self.found[direction as usize], true);
        let rules = |[i, j]: [usize; 2]| (old.entries[i].rule, new.entries[j].rule);
        let is_same = |cell: &&mut Cell| rules(cell.entries) == rules(entries);
        if let Some(cell) = self.cells.iter_mut().rev().find(is_same) {
            if self.filler.is_some() {
                self.is_complete &= add_pattern(&mut cell.patterns, merged, work)?;
            }
            return Some(());
        }
        if self.cells.len() == self.max_reasons {
            self.is_complete = false;
            // The first reason of one direction replaces a reason of the other direction.
            if !is_first || self.max_reasons < 2 {
                return Some(());
            }
            self.cells.pop();
        }
        let (patterns, witness) = match self.filler {
            Some(filler) => (
                vec![merged.to_vec()],
                self.witness(entries, merged, filler, work)?,
            ),
            None => (Vec::new(), merged.to_vec()),
        };
        self.cells.push(Cell {
            direction,
            entries,
            patterns,
            witness,
        });
        Some(())
    }

    /// A path for these entries: `merged` with a word, a symbol or nothing for each star.
    fn witness(
        &self,
        entries: [usize; 2],
        merged: &[Symbol],
        filler: Symbol,
        work: &mut usize,
    ) -> Option<Vec<Symbol>> {
        let open = merged.strip_suffix(&[STAR]).unwrap_or(merged);
        let paths = [
            symbol::fill_readably(open),
            symbol::fill(open, None),
            symbol::fill(open, Some(filler)),
        ];
        for path in paths {
            if self.is_decided_by(entries, &path, work)? {
                return Some(path);
            }
        }
        Some(symbol::fill(merged, Some(filler)))
    }

    /// Finds the parts of a cell's patterns that an earlier entry of one list decides differently
    /// from the cell's entry. False if there are too many.
    fn exceptions(
        &self,
        cell: &Cell,
        side: usize,
        found: &mut Vec<Vec<Symbol>>,
        work: &mut usize,
    ) -> Option<bool> {
        let (list, end) = ([self.old, self.new][side], cell.entries[side]);
        let mut is_complete = true;
        let mut merger = Merger::default();
        // The entry for the robots.txt itself has no rule.
        let is_other = |index: &usize| {
            let entry = &list.entries[*index];
            entry.allows != list.entries[end].allows && entry.rule.is_some()
        };
        for index in (0..end).filter(is_other) {
            for pattern in &cell.patterns {
                merger.merge(pattern, list.pattern(index), work, |merged, work| {
                    if !list.decides_before(index, merged, work)? {
                        is_complete &= add_pattern(found, merged, work)?;
                    }
                    Some(())
                })?;
            }
        }
        Some(is_complete)
    }

    fn finish(self, is_finished: bool, work: usize) -> Comparison<'r> {
        let class = match self.found {
            [true, true] => Class::Mixed,
            _ if !is_finished => Class::Undecided,
            [true, false] => Class::Stricter,
            [false, true] => Class::Looser,
            [false, false] => Class::Equal,
        };
        let mut left = EXCEPTION_STEPS;
        let cells = self.cells.iter();
        let mut reasons: Vec<_> = cells.map(|cell| self.reason(cell, &mut left)).collect();
        reasons.sort_by_cached_key(|reason| {
            let pattern = reason.patterns.first().unwrap_or(&reason.witness);
            let lines = [reason.old, reason.new].map(|rule| rule.map(|rule| rule.line));
            (reason.direction, pattern.len(), lines)
        });
        Comparison {
            class,
            reasons,
            is_complete: is_finished && self.is_complete,
            work: work + EXCEPTION_STEPS - left,
        }
    }

    fn reason(&self, cell: &Cell, work: &mut usize) -> Reason<'r> {
        let mut is_complete = !cell.patterns.is_empty();
        let [old, new] = [0, 1].map(|side| {
            let mut found = Vec::new();
            let all = self.exceptions(cell, side, &mut found, work);
            is_complete &= all.unwrap_or(false);
            // Exceptions that are easy to read come first.
            self.texts(found, is_starred)
        });
        Reason {
            direction: cell.direction,
            old: self.old.entries[cell.entries[0]].rule,
            new: self.new.entries[cell.entries[1]].rule,
            patterns: self.texts(cell.patterns.clone(), |_| false),
            exceptions: Exceptions {
                old,
                new,
                is_complete,
            },
            witness: symbol::path_of(&cell.witness, self.old.dialect.path_form()),
        }
    }

    /// Patterns as text: shorter patterns first, but `last` patterns after all others.
    fn texts(
        &self,
        mut patterns: Vec<Vec<Symbol>>,
        last: impl Fn(&[Symbol]) -> bool,
    ) -> Vec<Vec<u8>> {
        patterns.sort_by(|a, b| (last(a), a.len(), a).cmp(&(last(b), b.len(), b)));
        let texts = patterns.iter();
        texts
            .map(|pattern| symbol::pattern_text(pattern, self.old.dialect.path_form()))
            .collect()
    }
}
