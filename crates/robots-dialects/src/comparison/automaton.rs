//! The product automaton of two lists, built as far as it is walked.
//!
//! A state is the set of places reached in the patterns of both lists at once. It determines which
//! entry of each list would decide if the path ended here. Walking all states in order of their
//! distance gives every pair of entries that decide a path together, each with a shortest path.
//! There can be exponentially many states, so the automaton is used only if patterns are not
//! enough: for rules of `conner1996` with sets, and for rules of `koster1996` that leave no byte
//! for witnesses (comparisons) or have an escaped line feed (dead rules). `compare_by_states` uses
//! it for all rules.

use std::collections::HashSet;
use std::rc::Rc;

use super::decision_list::DecisionList;
use super::symbol::{ESCAPED_SLASH, FILLERS, FIRST_SET, SLASH, STAR, Symbol, symbols};
use super::{WORK, spend};
use crate::dialect::PathForm;

const END: Symbol = Symbol::MAX;

/// The most places that are kept in all states together, 8 bytes each: a bound on memory.
const MAX_PLACES: usize = 1 << 21;

/// Steps of work for trying a symbol on a place: the new state is sorted, hashed and stored.
const PLACE_STEPS: usize = 16;

impl DecisionList<'_> {
    /// The lines of rules that decide no path, in order; `None` if the work limit was reached, or
    /// the rules have more than 64 different sets (`conner1996`).
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
            explore(self, self, &mut work, |index, _, _, _| {
                decides[index] = true;
                Some(())
            })?;
            decides
        };
        let live: HashSet<u32> = self.live_lines(&decides).collect();
        let lines = self.lines.iter().copied();
        Some(lines.filter(|line| !live.contains(line)).collect())
    }
}

/// Calls `visit` with each pair of entries that decide some path, and a shortest such path.
pub(super) fn explore(
    old: &DecisionList<'_>,
    new: &DecisionList<'_>,
    work: &mut usize,
    mut visit: impl FnMut(usize, usize, &[Symbol], &mut usize) -> Option<()>,
) -> Option<()> {
    let product = Product::new(old, new);
    let mut walk = Walk::default();
    let mut first = Vec::new();
    for start in &product.starts {
        // Every pattern begins with the slash that every path begins with.
        product.enter(start + 1, &mut first);
    }
    walk.reach(product.reduced(first), (0, SLASH))?;
    let mut pairs = HashSet::new();
    let mut state = 0;
    while let Some((reached, _)) = walk.states.get(state).cloned() {
        spend(work, PLACE_STEPS * (1 + reached.len()))?;
        let pair = product.deciding(&reached);
        if pairs.insert(pair) {
            visit(pair.0, pair.1, &walk.path_to(state), work)?;
        }
        for &symbol in &product.alphabet {
            spend(work, PLACE_STEPS * (1 + reached.len()))?;
            let mut places = Vec::new();
            for place in reached.iter() {
                product.step(*place, symbol, &mut places);
            }
            walk.reach(product.reduced(places), (state, symbol))?;
        }
        state += 1;
    }
    Some(())
}

/// The reached places, and the state and symbol from which they were reached first.
type State = (Rc<[usize]>, (usize, Symbol));

#[derive(Default)]
struct Walk {
    states: Vec<State>,
    known: HashSet<Rc<[usize]>>,
    n_places: usize,
}

impl Walk {
    /// Adds a state if it is new. `None` if the states take too much memory.
    fn reach(&mut self, places: Vec<usize>, from: (usize, Symbol)) -> Option<()> {
        let places: Rc<[usize]> = places.into();
        if self.known.insert(Rc::clone(&places)) {
            // A state takes some memory even without places.
            self.n_places += 32 + places.len();
            if self.n_places > MAX_PLACES {
                return None;
            }
            self.states.push((places, from));
        }
        Some(())
    }

    fn path_to(&self, mut state: usize) -> Vec<Symbol> {
        let mut path = Vec::new();
        loop {
            let (_, (from, symbol)) = self.states[state];
            path.push(symbol);
            if state == 0 {
                path.reverse();
                return path;
            }
            state = from;
        }
    }
}

/// The patterns of both lists, one after the other.
struct Product<'s> {
    symbols: Vec<Symbol>,
    /// For each place, the entry that it belongs to; the entries of the old list come first.
    owners: Vec<usize>,
    starts: Vec<usize>,
    n_old: usize,
    sets: Vec<&'s [bool; 256]>,
    /// Representative symbols: the patterns do not distinguish any other symbol from one of them.
    alphabet: Vec<Symbol>,
}

impl<'s> Product<'s> {
    fn new(old: &'s DecisionList<'_>, new: &'s DecisionList<'_>) -> Self {
        let mut product = Self {
            symbols: Vec::new(),
            owners: Vec::new(),
            starts: Vec::new(),
            n_old: old.len(),
            sets: Vec::new(),
            alphabet: Vec::new(),
        };
        for list in [old, new] {
            // There are few sets (`MAX_SETS`).
            let n_sets = Symbol::try_from(product.sets.len()).unwrap_or(0);
            product.sets.extend(list.sets.iter().map(|set| &**set));
            for index in 0..list.len() {
                let symbols = list.pattern(index).iter().map(|symbol| match *symbol {
                    set if set >= FIRST_SET => set + n_sets,
                    symbol => symbol,
                });
                let owner = product.starts.len();
                product.starts.push(product.symbols.len());
                product.symbols.extend(symbols.chain([END]));
                product.owners.resize(product.symbols.len(), owner);
            }
        }
        product.alphabet = product.distinct_symbols(old.dialect.path_form());
        product
    }

    /// One symbol of each kind that the patterns distinguish.
    fn distinct_symbols(&self, form: PathForm) -> Vec<Symbol> {
        let literals: HashSet<Symbol> = self.symbols.iter().copied().collect();
        let mut kinds = HashSet::new();
        let last = match form {
            PathForm::Decoded => ESCAPED_SLASH,
            PathForm::Bytes | PathForm::Escaped | PathForm::Normalised => ESCAPED_SLASH - 1,
        };
        let mut distinct: Vec<Symbol> = symbols(FILLERS).chain(1..=last).chain([0]).collect();
        distinct.retain(|symbol| {
            let literal = literals.contains(symbol).then_some(*symbol);
            let members: Vec<bool> = self.sets.iter().map(|set| takes(set, *symbol)).collect();
            kinds.insert((literal, members))
        });
        distinct
    }

    /// Reaches a place, and the next place if a star begins here: the star may take nothing.
    fn enter(&self, place: usize, places: &mut Vec<usize>) {
        let count = 1 + usize::from(self.symbols[place] == STAR);
        places.extend(place..place + count);
    }

    fn step(&self, place: usize, symbol: Symbol, places: &mut Vec<usize>) {
        let is_next = match self.symbols[place] {
            END => false,
            STAR => {
                self.enter(place, places);
                false
            }
            set if set >= FIRST_SET => takes(self.sets[usize::from(set - FIRST_SET)], symbol),
            literal => literal == symbol,
        };
        if is_next {
            self.enter(place + 1, places);
        }
    }

    /// Sorts places and removes places that cannot decide: places before a reached star of the same
    /// pattern, because the star can take whatever they wait for, and places of entries after an
    /// entry that matches whatever follows.
    fn reduced(&self, mut places: Vec<usize>) -> Vec<usize> {
        places.sort_unstable();
        places.dedup();
        let mut kept: Vec<usize> = Vec::with_capacity(places.len());
        // The last entry of each list that may still decide.
        let mut last = [self.n_old, self.starts.len()];
        for place in places {
            let owner = self.owners[place];
            let last = &mut last[usize::from(owner >= self.n_old)];
            if owner > *last {
                continue;
            }
            if self.symbols[place] == STAR {
                while kept
                    .pop_if(|before| self.owners[*before] == owner)
                    .is_some()
                {}
                if self.symbols[place + 1] == END {
                    *last = owner;
                }
            }
            kept.push(place);
        }
        kept
    }

    /// The entries of both lists that decide a path that ends in a state.
    fn deciding(&self, places: &[usize]) -> (usize, usize) {
        let ends = places.iter().filter(|place| self.symbols[**place] == END);
        let mut ends = ends.map(|place| self.owners[*place]);
        // The last entry of each list matches every path.
        let old = ends.next().unwrap_or(self.n_old - 1);
        let new = ends.find(|owner| *owner >= self.n_old);
        (old, new.unwrap_or(self.starts.len() - 1) - self.n_old)
    }
}

fn takes(set: &[bool; 256], symbol: Symbol) -> bool {
    set.get(usize::from(symbol)).is_some_and(|member| *member)
}
