//! What a change of a robots.txt means: which paths a crawler may fetch before it or after it, but
//! not both.
//!
//! [`compare`] answers for one crawler and one dialect, exactly: the class is proved, or it is
//! [`Class::Undecided`]. Each reason is a pair of rules, one of each file, with a path that the
//! first decides in the old file and the second in the new one, the other way.
//!
//! # One list for every dialect
//!
//! A dialect's answer is a list of patterns of which the first that matches decides
//! ([`DecisionList`]). In the dialects of the 1990s that is the order of the file. Since 2019 the
//! longest pattern decides, and allow wins ties: the list is sorted by length, an allow before a
//! disallow of its length, and the first of equals in front. The path of the robots.txt itself,
//! where the dialect exempts it, is the first entry of every list; the last entry matches every
//! path and allows it. So each path has exactly one deciding entry on each side.
//!
//! Patterns and paths are strings of symbols (`symbol`): the bytes that the dialect compares, after
//! its normalisation. Every such string that begins with a slash is the form of some path:
//!
//! - `rep2019` and `rfc9309` compare strings of US-ASCII without `*` and `$`. A URL can have any of
//!   them: an unreserved character may be escaped, and is decoded; so even `%41`, the escape of a
//!   letter, which is decoded where it is seen, is the form of `%%34%31`.
//! - `koster1996` compares decoded bytes and the escaped slash, `rep1994`, `conner1996` and
//!   `google` compare bytes as they are. (`google` ends a path at NUL, which no pattern holds.)
//!
//! Paths are such strings, of any bytes. Rules that cannot match one (`Disallow: a`) are left out.
//!
//! # Why a few paths are enough
//!
//! The paths that entry P of the old list and entry Q of the new one decide together, their *cell*,
//! are those which both match and no earlier entry of either list does. The answer follows from the
//! cells of an entry that allows and an entry that does not. It is stricter if all such cells that
//! are not empty have the allowing entry in the old list, looser if all have it in the new list,
//! mixed if there are both kinds, and equal if all such cells are empty.
//!
//! **Both patterns together are a finite union of patterns M.** Read a path that both match, with P
//! and Q at once. A literal or a star of P takes each symbol, and so does a literal or a star of Q.
//! For symbols that stars of both take, M has a star; every other symbol is a literal of P, of Q,
//! or of both, and it is a literal of M. So M matches the path. The stars of P and Q in the places
//! of M's stars can take whatever M's stars take; so P and Q match what M matches. Each literal of
//! M uses up a literal of P or Q, and there is one star at most between two literals. So there are
//! finitely many M; `merge` finds them by trying at each step which star ends.
//!
//! **An entry that matches M itself matches whatever M matches.** Take the stars of M for a symbol
//! ζ that no pattern has as a literal. A pattern R that matches this string takes each ζ with a
//! star, and a star takes whatever else is in its place. So the entries before P and Q match
//! together all that M matches just when one of them matches the string: if none does, the string
//! is a path that they miss, and P and Q decide it. The cell of P and Q is empty just when for each
//! M an earlier entry matches it.
//!
//! As ζ serves [`STAR`](symbol::STAR); in a witness it is a symbol that no pattern holds. A line
//! feed is one in every dialect but `koster1996`, whose rules can name all 257 symbols. There, and
//! where a pattern of `conner1996` has `?` or a set (which a union of others may cover), the
//! product automaton decides (`automaton`).
//!
//! # Which pairs are tried
//!
//! If the new list has the pattern of P at an earlier place than Q, P's twin decides before Q does,
//! and the cell is empty. So a pair can only matter if P does not come after the twin of Q, and Q
//! does not come after the twin of P. Two unchanged rules never meet both conditions. The time for
//! a usual edit is the number of changed rules times the number of all rules.
//!
//! # Time
//!
//! Of real rules 94% have no star and 99.98% have at most two, so merges are few. Rules written to
//! have many, or lists of thousands of rules that all match each other, reach a limit of steps
//! (`WORK`). The reasons found by then are given; the class is [`Class::Undecided`] unless there
//! is a path for each direction.

mod automaton;
mod crawlers;
mod decision_list;
mod dialects;
mod meaning;
mod merge;
mod normal_form;
mod prefixes;
mod step_budget;
mod symbol;
#[cfg(test)]
mod tests;
mod witness;

pub use crawlers::{CrawlersComparison, Policy, compare_crawlers};
pub use decision_list::{DecidingRule, DecisionList};
pub use dialects::compare_dialects;
pub use meaning::{Meaning, MeaningReader};

use crate::dialect::{Crawler, Ruleset};
use crate::identity::Id;
use crate::named::named;
use merge::{Merger, covers};
use step_budget::Exhausted;
pub(crate) use step_budget::StepBudget;
use symbol::Symbol;
use witness::Filler;

/// Steps for one comparison, some 0.2 s.
const WORK: usize = 1 << 27;

/// Steps for the id of a list of rules where those of a whole file are asked about.
const ID_STEPS: usize = 1 << 17;

/// Steps to find its rules that decide nothing.
const DEAD_STEPS: usize = 1 << 22;

/// Steps for a comparison of two of them.
const PAIR_STEPS: usize = 1 << 20;

/// Reasons that are listed, of either direction one at least.
pub const MAX_REASONS: usize = 100;

/// Patterns that are listed for one reason.
const MAX_PATTERNS: usize = 64;

/// Steps for the exceptions of all reasons.
const EXCEPTION_STEPS: usize = 1 << 20;

named! {
    /// How one policy compares with another.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Class {
        /// Both allow the same paths.
        Equal = "equal",
        /// The new one allows less.
        Stricter = "stricter",
        /// The new one allows more.
        Looser = "looser",
        /// The new one allows some paths that the old one did not, and the other way about.
        Mixed = "mixed",
        /// The work limit was reached before the class was known.
        Undecided = "undecided",
    }
}

impl Class {
    /// The class for two crawlers together, or by two dialects.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Equal, class) | (class, Self::Equal) => class,
            (Self::Undecided, _) | (_, Self::Undecided) => Self::Undecided,
            (one, other) if one == other => one,
            _ => Self::Mixed,
        }
    }
}

named! {
    /// What happens to the paths of a reason.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Direction {
        /// They were allowed and are not any more.
        Blocked = "blocked",
        /// They were not allowed and now are.
        Opened = "opened",
    }
}

/// Two rules that decide some paths differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason<'r> {
    /// What happens to the paths.
    pub direction: Direction,
    /// The rule that decided them in the old file; none if no rule did.
    pub old: Option<DecidingRule<'r>>,
    /// The rule that decides them in the new file; none if no rule does.
    pub new: Option<DecidingRule<'r>>,
    /// Patterns, in the syntax of RFC 9309 §2.2.3, that match all these paths. Empty if the
    /// automaton decided, because it has states in place of patterns.
    pub patterns: Vec<Vec<u8>>,
    /// The paths that the patterns match but to which this does not happen.
    pub exceptions: Exceptions,
    /// One of the paths.
    pub witness: Vec<u8>,
}

/// The paths of a reason's patterns that other rules decide, as patterns.
///
/// If the comparison and its exceptions are complete, a path changes just when it matches a pattern
/// of some reason and no exception of that reason. (The path `/robots.txt`, where the dialect
/// exempts it, does not change.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exceptions {
    /// A rule of the old file decided these as the new file does: they were blocked before, or
    /// allowed before.
    pub old: Vec<Vec<u8>>,
    /// A rule of the new file decides these as the old file did.
    pub new: Vec<Vec<u8>>,
    /// Whether these are all; else a limit was reached.
    pub is_complete: bool,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison<'r> {
    /// How the new policy compares with the old one.
    pub class: Class,
    /// Why: blocked paths before opened ones, and of these the widest patterns first.
    pub reasons: Vec<Reason<'r>>,
    /// Whether the reasons are all there are, with all their patterns.
    pub is_complete: bool,
    /// Steps that the comparison took, a nanosecond or two each.
    pub work: usize,
}

/// How the paths that `new` allows to `crawler` compare with those that `old` does.
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
/// Both rulesets are of one dialect, or of `rep2019` and `rfc9309`, which compare paths in one
/// form; for others the result is [`Class::Undecided`].
#[must_use]
pub fn compare<'r>(old: &'r Ruleset, new: &'r Ruleset, crawler: Crawler<'_>) -> Comparison<'r> {
    DecisionList::new(old, crawler).compare(&DecisionList::new(new, crawler))
}

impl<'r> DecisionList<'r> {
    /// How the paths that `new` allows compare with those that this list does; see [`compare`].
    #[must_use]
    pub fn compare(&self, new: &Self) -> Comparison<'r> {
        self.compare_within(new, WORK, MAX_REASONS)
    }

    /// As [`compare`](Self::compare), found by another method: a walk over the states of the
    /// product automaton. Each witness is a shortest path of its reason; patterns are empty.
    /// Rules with many stars reach the work limit earlier.
    #[must_use]
    pub fn compare_by_states(&self, new: &Self) -> Comparison<'r> {
        let mut findings = Findings::new(self, new, usize::MAX);
        let mut left = StepBudget::new(WORK);
        let is_comparable = self.has_paths_of(new) && self.is_whole() && new.is_whole();
        let is_finished = is_comparable && findings.search_states(&mut left).is_ok();
        findings.finish(is_finished, WORK - left.left())
    }

    /// [`compare`](Self::compare) with its limits as arguments.
    fn compare_within(&self, new: &Self, work: usize, max_reasons: usize) -> Comparison<'r> {
        let mut findings = Findings::new(self, new, max_reasons);
        let mut left = StepBudget::new(work);
        let is_finished = if !self.has_paths_of(new) || !self.is_whole() || !new.is_whole() {
            false
        } else if self.is_same(new) {
            true
        } else {
            let filler = witness::filler([self, new]);
            let search = match filler.filter(|_| self.sets.is_empty() && new.sets.is_empty()) {
                Some(filler) => findings.search_pairs(filler, &mut left),
                None => findings.search_states(&mut left),
            };
            search.is_ok()
        };
        findings.finish(is_finished, work - left.left())
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
        let work = &mut StepBudget::new(WORK);
        let decides = if !self.is_whole() {
            return None;
        } else if self.has_normal_form() {
            self.deciding(work).ok()?
        } else {
            let mut decides = vec![false; self.len()];
            automaton::explore(self, self, work, |index, _, _, _| {
                decides[index] = true;
                Ok(())
            })
            .ok()?;
            decides
        };
        let dead = self.dead_of(&decides);
        Some(dead.map(|index| self.lines[index]).collect())
    }

    /// The positions among the lines of rules that decide nothing, by whether each entry does.
    fn dead_of(&self, decides: &[bool]) -> impl Iterator<Item = usize> {
        let mut is_dead = vec![true; self.lines.len()];
        for rule in (0..self.len()).filter_map(|index| self.rule(index).filter(|_| decides[index]))
        {
            if let Ok(position) = self.lines.binary_search(&rule.line) {
                is_dead[position] = false;
            }
        }
        (0..is_dead.len()).filter(move |position| is_dead[*position])
    }

    /// An id of the paths that are allowed: lists of one dialect have the same just when they allow
    /// the same paths, collisions of a hash of 128 bits aside. None if the work limit was reached,
    /// and for rules with sets (`conner1996`) or an escaped line feed (`koster1996`).
    ///
    /// ```
    /// use robots_dialects::comparison::DecisionList;
    /// use robots_dialects::dialect::{Crawler, Dialect};
    ///
    /// let meaning = |body: &[u8]| {
    ///     let ruleset = Dialect::Rfc9309.compile(body);
    ///     DecisionList::new(&ruleset, Crawler::Other).meaning()
    /// };
    /// let plain = meaning(b"User-agent: *\nDisallow: /a\nDisallow: /%7Eb\n");
    /// assert!(plain.is_some());
    /// assert_eq!(plain, meaning(b"User-agent: *\nDisallow: /~b*\nDisallow: /a/c\nDisallow: /a\n"));
    /// assert_ne!(plain, meaning(b"User-agent: *\nDisallow: /a\n"));
    /// ```
    #[must_use]
    pub fn meaning(&self) -> Option<Id> {
        self.meaning_within(WORK)
    }

    fn meaning_within(&self, work: usize) -> Option<Id> {
        let work = &mut StepBudget::new(work);
        if !self.is_whole() || !self.has_normal_form() {
            return None;
        }
        let decides = self.deciding(work).ok()?;
        self.meaning_of(&decides, work).ok()
    }

    /// [`meaning`](Self::meaning), by whether each entry decides a path.
    fn meaning_of(&self, decides: &[bool], work: &mut StepBudget) -> Result<Id, Exhausted> {
        let mut bytes = FormBytes::default();
        for layer in normal_form::layers(self, decides, work)? {
            for pattern in layer {
                bytes.pattern(pattern);
            }
            bytes.end_layer();
        }
        Ok(bytes.id())
    }

    /// Whether every question about the list is answered by the strings of patterns, with a line
    /// feed for stars.
    fn has_normal_form(&self) -> bool {
        self.sets.is_empty() && !self.symbols.contains(&Symbol::from(b'\n'))
    }

    /// Whether both lists are about the same forms of paths.
    fn has_paths_of(&self, other: &Self) -> bool {
        use crate::dialect::Dialect::{Rep2019, Rfc9309};
        let form = |list: &Self| match list.dialect {
            Rep2019 => Rfc9309,
            dialect => dialect,
        };
        form(self) == form(other)
    }
}

/// A normal form as bytes, for its hash.
#[derive(Default)]
struct FormBytes(Vec<u8>);

impl FormBytes {
    // No symbols.
    const END_OF_PATTERN: Symbol = Symbol::MAX;
    const END_OF_LAYER: Symbol = Symbol::MAX - 1;

    fn pattern(&mut self, symbols: impl IntoIterator<Item = Symbol>) {
        let symbols = symbols.into_iter().chain([Self::END_OF_PATTERN]);
        self.0.extend(symbols.flat_map(Symbol::to_le_bytes));
    }

    fn end_layer(&mut self) {
        self.0.extend(Self::END_OF_LAYER.to_le_bytes());
    }

    fn id(&self) -> Id {
        Id::of(&self.0)
    }
}

/// Adds `merged` unless one of `patterns` covers it, and removes the patterns that it covers.
/// False if `patterns` is full.
fn add_pattern(
    patterns: &mut Vec<Vec<Symbol>>,
    merged: &[Symbol],
    work: &mut StepBudget,
) -> Result<bool, Exhausted> {
    for pattern in &*patterns {
        if covers(pattern, merged, work)? {
            return Ok(true);
        }
    }
    let mut kept = Vec::new();
    for pattern in patterns.drain(..) {
        if !covers(merged, &pattern, work)? {
            kept.push(pattern);
        }
    }
    *patterns = kept;
    let has_room = patterns.len() < MAX_PATTERNS;
    if has_room {
        patterns.push(merged.to_vec());
    }
    Ok(has_room)
}

/// Where a reason comes from.
struct Cell {
    /// The entries of both lists; the first, if one rule has several.
    entries: [usize; 2],
    /// None lies within another.
    patterns: Vec<Vec<Symbol>>,
}

/// What a comparison has found so far.
struct Findings<'l, 'r> {
    old: &'l DecisionList<'r>,
    new: &'l DecisionList<'r>,
    reasons: Vec<Reason<'r>>,
    cells: Vec<Cell>,
    max_reasons: usize,
    /// By direction, whether there is a path.
    found: [bool; 2],
    is_complete: bool,
}

impl<'l, 'r> Findings<'l, 'r> {
    fn new(old: &'l DecisionList<'r>, new: &'l DecisionList<'r>, max_reasons: usize) -> Self {
        Self {
            old,
            new,
            reasons: Vec::new(),
            cells: Vec::new(),
            max_reasons,
            found: [false; 2],
            is_complete: true,
        }
    }

    /// Tries every pair of entries that could matter.
    fn search_pairs(&mut self, filler: Symbol, work: &mut StepBudget) -> Result<(), Exhausted> {
        let (old, new) = (self.old, self.new);
        let (twins_of_old, twins_of_new) = (old.twins_in(new), new.twins_in(old));
        let mut by_effect = [Vec::new(), Vec::new()];
        for index in 0..new.len() {
            by_effect[usize::from(new.allows(index))].push(index);
        }
        let mut merger = Merger::default();
        let mut path = Vec::new();
        for i in 0..old.len() {
            let opposite = &by_effect[usize::from(!old.allows(i))];
            for &j in opposite.iter().take_while(|j| **j <= twins_of_old[i]) {
                if self.is_settled() {
                    return Ok(());
                }
                work.spend(1)?;
                if i > twins_of_new[j] {
                    continue;
                }
                merger.merge(old.pattern(i), new.pattern(j), work, |merged, work| {
                    if self.is_decided_by(i, j, merged, work)? {
                        self.add(i, j, Some(merged), work, |findings, work| {
                            findings.witness(i, j, merged, filler, &mut path, work)
                        })?;
                    }
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// Goes through the states of the product automaton.
    fn search_states(&mut self, work: &mut StepBudget) -> Result<(), Exhausted> {
        let (old, new) = (self.old, self.new);
        automaton::explore(old, new, work, |i, j, path, work| {
            if old.allows(i) != new.allows(j) {
                self.add(i, j, None, work, |_, _| Ok(path.to_vec()))?;
            }
            Ok(())
        })
    }

    /// Whether the class is known and the list of reasons is full.
    fn is_settled(&mut self) -> bool {
        let is_settled = self.found == [true, true] && self.reasons.len() >= self.max_reasons;
        self.is_complete &= !is_settled;
        is_settled
    }

    /// Whether entries `i` and `j` decide `merged`, which both match: no earlier one matches it.
    fn is_decided_by(
        &self,
        i: usize,
        j: usize,
        merged: &[Symbol],
        work: &mut StepBudget,
    ) -> Result<bool, Exhausted> {
        let [old, new] = [self.old, self.new];
        Ok(!old.decides_before(i, merged, work)? && !new.decides_before(j, merged, work)?)
    }

    /// Adds what entries `i` and `j` decide differently.
    fn add(
        &mut self,
        i: usize,
        j: usize,
        merged: Option<&[Symbol]>,
        work: &mut StepBudget,
        witness: impl FnOnce(&Self, &mut StepBudget) -> Result<Vec<Symbol>, Exhausted>,
    ) -> Result<(), Exhausted> {
        let direction = if self.old.allows(i) {
            Direction::Blocked
        } else {
            Direction::Opened
        };
        let is_first = !std::mem::replace(&mut self.found[direction as usize], true);
        let (old, new) = (self.old.rule(i), self.new.rule(j));
        let known = self.reasons.iter().zip(&mut self.cells).rev();
        let mut same = known.filter(|(reason, _)| (reason.old, reason.new) == (old, new));
        if let Some((_, cell)) = same.next() {
            if let Some(merged) = merged {
                self.is_complete &= add_pattern(&mut cell.patterns, merged, work)?;
            }
            return Ok(());
        }
        if self.reasons.len() == self.max_reasons {
            self.is_complete = false;
            // The first reason of a direction is listed in place of another of the other one.
            if !is_first || self.max_reasons < 2 {
                return Ok(());
            }
            self.reasons.pop();
            self.cells.pop();
        }
        let witness = witness(self, work)?;
        self.reasons.push(Reason {
            direction,
            old,
            new,
            patterns: Vec::new(),
            exceptions: Exceptions {
                old: Vec::new(),
                new: Vec::new(),
                is_complete: merged.is_some(),
            },
            witness: witness::path_of(&witness, self.old.dialect),
        });
        self.cells.push(Cell {
            entries: [i, j],
            patterns: merged.map(<[_]>::to_vec).into_iter().collect(),
        });
        Ok(())
    }

    /// The parts of a cell's patterns that an earlier entry of one list decides, the other way
    /// than the entry of the cell. False if there are too many.
    fn exceptions(
        &self,
        cell: &Cell,
        side: usize,
        found: &mut Vec<Vec<Symbol>>,
        work: &mut StepBudget,
    ) -> Result<bool, Exhausted> {
        let (list, end) = ([self.old, self.new][side], cell.entries[side]);
        let mut is_complete = true;
        let mut merger = Merger::default();
        for index in (0..end).filter(|index| list.allows(*index) != list.allows(end)) {
            // The path of the robots.txt itself has no rule.
            if list.rule(index).is_none() {
                continue;
            }
            for pattern in &cell.patterns {
                merger.merge(pattern, list.pattern(index), work, |merged, work| {
                    if !list.decides_before(index, merged, work)? {
                        is_complete &= add_pattern(found, merged, work)?;
                    }
                    Ok(())
                })?;
            }
        }
        Ok(is_complete)
    }

    /// A path that entries `i` and `j` decide: `merged` with something readable or with as little
    /// as possible for its stars.
    fn witness(
        &self,
        i: usize,
        j: usize,
        merged: &[Symbol],
        filler: Symbol,
        path: &mut Vec<Symbol>,
        work: &mut StepBudget,
    ) -> Result<Vec<Symbol>, Exhausted> {
        let open = merged.strip_suffix(&[symbol::STAR]).unwrap_or(merged);
        for filler in [Filler::Readable, Filler::Nothing, Filler::Symbol(filler)] {
            witness::fill(open, filler, path);
            if self.is_decided_by(i, j, path, work)? {
                return Ok(std::mem::take(path));
            }
        }
        witness::fill(merged, Filler::Symbol(filler), path);
        Ok(std::mem::take(path))
    }

    fn finish(self, is_finished: bool, work: usize) -> Comparison<'r> {
        let class = match self.found {
            [true, true] => Class::Mixed,
            _ if !is_finished => Class::Undecided,
            [true, false] => Class::Stricter,
            [false, true] => Class::Looser,
            [false, false] => Class::Equal,
        };
        let mut left = StepBudget::new(EXCEPTION_STEPS);
        let mut reasons = self.reasons.clone();
        for (reason, cell) in reasons.iter_mut().zip(&self.cells) {
            for side in [0, 1] {
                let mut found = Vec::new();
                let is_complete = self.exceptions(cell, side, &mut found, &mut left);
                let exceptions = &mut reason.exceptions;
                exceptions.is_complete &= is_complete.unwrap_or(false);
                sort(&mut found);
                // Those that are easy to read first.
                found.sort_by_key(|pattern| symbol::is_starred(pattern));
                *[&mut exceptions.old, &mut exceptions.new][side] = self.texts(&found);
            }
            let mut patterns = cell.patterns.clone();
            sort(&mut patterns);
            reason.patterns = self.texts(&patterns);
        }
        reasons.sort_by_cached_key(|reason| {
            let pattern = reason.patterns.first().unwrap_or(&reason.witness);
            let lines = [reason.old, reason.new].map(|rule| rule.map(|rule| rule.line));
            (reason.direction, pattern.len(), lines)
        });
        Comparison {
            class,
            reasons,
            is_complete: is_finished && self.is_complete,
            work: work + EXCEPTION_STEPS - left.left(),
        }
    }

    fn texts(&self, patterns: &[Vec<Symbol>]) -> Vec<Vec<u8>> {
        let texts = patterns.iter();
        texts
            .map(|merged| witness::pattern_text(merged, self.old.dialect))
            .collect()
    }
}

/// The widest first.
fn sort(patterns: &mut [Vec<Symbol>]) {
    patterns.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
}
