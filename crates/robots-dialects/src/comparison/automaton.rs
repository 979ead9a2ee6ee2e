//! The product automaton of two lists, built as far as it is walked.
//!
//! A state is the set of places that are reached in all patterns of both lists at once. It tells
//! which entry of each list would decide if the path ended here. Walking all states in order of
//! their distance gives every pair of entries that decide a path together, each with a shortest
//! path. There can be exponentially many states, so it is used only for sets of `conner1996`, in
//! tests, and for shortest witnesses.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::decision_list::DecisionList;
use super::step_budget::{Exhausted, StepBudget};
use super::symbol::{ESCAPED_SLASH, FIRST_SET, N_PATH_SYMBOLS, SLASH, STAR, Symbol};
use super::witness::FILLERS;
use crate::dialect::Dialect;

/// Marks the end of a pattern.
const END: Symbol = Symbol::MAX;

/// Places that are kept in all states together, 4 bytes each: a bound on memory.
const MAX_PLACES: usize = 1 << 21;

/// Steps of work for a place that a symbol is tried on: a state is sorted, hashed and stored.
const STEP_STEPS: usize = 16;

/// Calls `visit` with each pair of entries that decide some path together, and a shortest such
/// path.
pub(super) fn explore(
    old: &DecisionList<'_>,
    new: &DecisionList<'_>,
    work: &mut StepBudget,
    mut visit: impl FnMut(usize, usize, &[Symbol], &mut StepBudget) -> Result<(), Exhausted>,
) -> Result<(), Exhausted> {
    let product = Product::new(old, new);
    let mut walk = Walk::default();
    let mut first = Vec::new();
    for entry in &product.entries {
        // Every pattern begins with the slash that every path begins with.
        product.enter(entry.start + 1, &mut first);
    }
    product.reduce(&mut first);
    walk.reach(&first, (0, SLASH))?;
    let mut pairs = HashSet::new();
    let (mut state, mut places, mut symbols) = (0, Vec::new(), Vec::new());
    while let Some(State {
        places: reached, ..
    }) = walk.states.get(state).cloned()
    {
        work.spend(STEP_STEPS * (1 + reached.len()))?;
        let pair = product.deciding(&reached);
        if pairs.insert(pair) {
            visit(pair.0, pair.1, &walk.path_to(state), work)?;
        }
        product.next_symbols(&reached, &mut symbols);
        for symbol in &symbols {
            work.spend(STEP_STEPS * (1 + reached.len()))?;
            places.clear();
            for place in reached.iter() {
                product.step(*place as usize, *symbol, &mut places);
            }
            product.reduce(&mut places);
            walk.reach(&places, (state, *symbol))?;
        }
        state += 1;
    }
    Ok(())
}

/// The places that are reached, and from which state by which symbol they were reached first.
#[derive(Clone)]
struct State {
    places: Rc<[u32]>,
    from: (usize, Symbol),
}

/// The states reached so far.
#[derive(Default)]
struct Walk {
    states: Vec<State>,
    known: HashMap<Rc<[u32]>, usize>,
    n_places: usize,
}

impl Walk {
    fn reach(&mut self, places: &[u32], from: (usize, Symbol)) -> Result<(), Exhausted> {
        if self.known.contains_key(places) {
            return Ok(());
        }
        // A state takes some memory even without places.
        self.n_places += 32 + places.len();
        if self.n_places > MAX_PLACES {
            return Err(Exhausted);
        }
        let places: Rc<[u32]> = places.into();
        self.known.insert(Rc::clone(&places), self.states.len());
        self.states.push(State { places, from });
        Ok(())
    }

    fn path_to(&self, mut state: usize) -> Vec<Symbol> {
        let mut path = Vec::new();
        loop {
            let (from, symbol) = self.states[state].from;
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
    /// For each place the entry that it belongs to.
    owners: Vec<u32>,
    /// The places of each entry: first the entries of the old list, then of the new list.
    entries: Vec<std::ops::Range<usize>>,
    n_old: usize,
    sets: Vec<&'s [bool; 256]>,
    /// If there are sets, symbols that represent all: no pattern distinguishes another symbol from
    /// each of them.
    alphabet: Vec<Symbol>,
}

impl<'s> Product<'s> {
    fn new(old: &'s DecisionList<'_>, new: &'s DecisionList<'_>) -> Self {
        let mut product = Self {
            symbols: Vec::new(),
            owners: Vec::new(),
            entries: Vec::new(),
            n_old: old.len(),
            sets: Vec::new(),
            alphabet: Vec::new(),
        };
        for list in [old, new] {
            // There are few sets (`MAX_SETS`).
            let n_sets = Symbol::try_from(product.sets.len()).unwrap_or(0);
            product.sets.extend(list.sets.iter().map(|set| &**set));
            for index in 0..list.len() {
                let start = product.symbols.len();
                let symbols = list.pattern(index).iter().map(|symbol| match *symbol {
                    set if set >= FIRST_SET => set + n_sets,
                    symbol => symbol,
                });
                product.symbols.extend(symbols.chain([END]));
                product.entries.push(start..product.symbols.len());
                // A list is no longer than its file.
                let owner = u32::try_from(product.entries.len() - 1).unwrap_or(u32::MAX);
                product.owners.resize(product.symbols.len(), owner);
            }
        }
        if !product.sets.is_empty() {
            product.alphabet = product.distinct_symbols(old.dialect);
        }
        product
    }

    /// One symbol of each kind that the patterns distinguish.
    fn distinct_symbols(&self, dialect: Dialect) -> Vec<Symbol> {
        let literals: HashSet<Symbol> = self.symbols.iter().copied().collect();
        let mut kinds = HashSet::new();
        let n_symbols = match dialect {
            Dialect::Koster1996 => N_PATH_SYMBOLS,
            _ => ESCAPED_SLASH,
        };
        let readable = FILLERS.iter().copied().map(Symbol::from);
        let mut symbols: Vec<Symbol> = readable.chain(0..n_symbols).collect();
        symbols.retain(|symbol| {
            let literal = literals.contains(symbol).then_some(*symbol);
            let members: Vec<bool> = self.sets.iter().map(|set| takes(set, *symbol)).collect();
            kinds.insert((literal, members))
        });
        symbols
    }

    /// Reaches a place, and the next one if a star begins here: it may take nothing.
    fn enter(&self, place: usize, places: &mut Vec<u32>) {
        let count = 1 + usize::from(self.symbols[place] == STAR);
        // A place is an index into two files.
        places.extend((place..place + count).filter_map(|place| u32::try_from(place).ok()));
    }

    fn step(&self, place: usize, symbol: Symbol, places: &mut Vec<u32>) {
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

    /// Sorts places and removes places that can decide nothing. A place before a reached star of
    /// the same pattern is one, because the star can take whatever the place waits for. A place of
    /// an entry after an entry that matches whatever follows is another.
    fn reduce(&self, places: &mut Vec<u32>) {
        places.sort_unstable();
        places.dedup();
        let mut kept = 0;
        let mut open = None;
        for index in 0..places.len() {
            let place = places[index];
            let owner = self.owners[place as usize];
            let is_old = (owner as usize) < self.n_old;
            if open
                .is_some_and(|open: u32| ((open as usize) < self.n_old) == is_old && open < owner)
            {
                continue;
            }
            if self.symbols[place as usize] == STAR {
                while kept > 0 && self.owners[places[kept - 1] as usize] == owner {
                    kept -= 1;
                }
                if self.symbols[place as usize + 1] == END {
                    open = Some(owner);
                }
            }
            places[kept] = place;
            kept += 1;
        }
        places.truncate(kept);
    }

    /// The entries of both lists that decide a path that ends in a state.
    fn deciding(&self, places: &[u32]) -> (usize, usize) {
        let mut ends = places
            .iter()
            .filter(|place| self.symbols[**place as usize] == END)
            .map(|place| self.owners[*place as usize] as usize);
        // The last entry of each list matches every path.
        let old = ends.next().unwrap_or(self.n_old - 1);
        let new = ends.find(|owner| *owner >= self.n_old);
        (old, new.unwrap_or(self.entries.len() - 1) - self.n_old)
    }

    /// Symbols that lead to all states that can be reached by one more.
    fn next_symbols(&self, places: &[u32], symbols: &mut Vec<Symbol>) {
        symbols.clear();
        if !self.sets.is_empty() {
            symbols.extend_from_slice(&self.alphabet);
            return;
        }
        let here = places.iter().map(|place| self.symbols[*place as usize]);
        symbols.extend(here.filter(|symbol| *symbol < N_PATH_SYMBOLS));
        symbols.sort_unstable();
        symbols.dedup();
        // All others lead where any of them leads.
        let readable = FILLERS.iter().copied().map(Symbol::from);
        let mut others = readable.chain(1..ESCAPED_SLASH);
        symbols.extend(others.find(|other| symbols.binary_search(other).is_err()));
    }
}

/// Whether a symbol of a path is in a set.
fn takes(set: &[bool; 256], symbol: Symbol) -> bool {
    set.get(usize::from(symbol)).is_some_and(|member| *member)
}
