//! Patterns by their beginnings: the symbols before their first star.
//!
//! A pattern can match everything that another matches only if its beginning is a prefix of the
//! other pattern. This module finds such patterns without trying each.

use std::cmp::Ordering;
use std::ops::Range;

use super::merge::covers;
use super::spend;
use super::symbol::{STAR, Symbol, SymbolSet, beginning};

/// The beginnings of a list of patterns. Methods get each pattern by its index from the caller.
#[derive(Clone, Debug, Default)]
pub(super) struct Beginnings {
    /// Indices of patterns, in [`order`].
    sorted: Vec<usize>,
    /// The symbols of each pattern, in the same order.
    symbol_sets: Vec<SymbolSet>,
    tree: Vec<Beginning>,
}

#[derive(Clone, Debug)]
struct Beginning {
    n_literals: usize,
    /// Positions, in `sorted`, of the patterns with this beginning.
    patterns: Range<usize>,
    /// The longest other beginning that is a prefix of it.
    shorter: Option<usize>,
}

impl Beginnings {
    /// The beginnings of `n` different patterns.
    pub(super) fn new<'p>(n: usize, pattern: impl Fn(usize) -> &'p [Symbol]) -> Self {
        let mut sorted: Vec<_> = (0..n).map(|index| (pattern(index), index)).collect();
        sorted.sort_by(|(one, _), (other, _)| order(one, other));
        let mut tree: Vec<Beginning> = Vec::new();
        for (position, (pattern, _)) in sorted.iter().enumerate() {
            let literals = beginning(pattern);
            let mut shorter = tree.len().checked_sub(1);
            while let Some(other) = shorter.map(|index| &tree[index])
                && !literals.starts_with(&sorted[other.patterns.start].0[..other.n_literals])
            {
                shorter = other.shorter;
            }
            match shorter.map(|index| &mut tree[index]) {
                Some(same) if same.n_literals == literals.len() => same.patterns.end += 1,
                _ => tree.push(Beginning {
                    n_literals: literals.len(),
                    patterns: position..position + 1,
                    shorter,
                }),
            }
        }
        Self {
            symbol_sets: sorted.iter().map(|(it, _)| SymbolSet::of(it)).collect(),
            sorted: sorted.into_iter().map(|(_, index)| index).collect(),
            tree,
        }
    }

    pub(super) fn sorted(&self) -> &[usize] {
        &self.sorted
    }

    /// Whether one of the patterns before index `end` matches every path that `merged` matches.
    pub(super) fn cover<'p>(
        &self,
        end: usize,
        merged: &[Symbol],
        pattern: impl Fn(usize) -> &'p [Symbol],
        work: &mut usize,
    ) -> Option<bool> {
        let literals = beginning(merged);
        let own = |beginning: &Beginning| {
            &pattern(self.sorted[beginning.patterns.start])[..beginning.n_literals]
        };
        let after = (self.tree).partition_point(|beginning| own(beginning) <= literals);
        let mut last = after.checked_sub(1);
        while let Some(beginning) = last.map(|index| &self.tree[index])
            && !literals.starts_with(own(beginning))
        {
            spend(work, 1)?;
            last = beginning.shorter;
        }
        let symbols = SymbolSet::of(merged);
        while let Some(beginning) = last.map(|index| &self.tree[index]) {
            last = beginning.shorter;
            let (n, patterns) = (beginning.n_literals, &beginning.patterns);
            spend(work, patterns.len())?;
            let sets = self.symbol_sets[patterns.clone()].iter();
            for (&index, set) in self.sorted[patterns.clone()].iter().zip(sets) {
                if index < end
                    && set.is_within(symbols)
                    && covers(&pattern(index)[n..], &merged[n..], work)?
                {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}

/// By beginnings; among equals, the beginning followed by a single star comes first.
pub(super) fn order(one: &[Symbol], other: &[Symbol]) -> Ordering {
    let pairs = one.iter().zip(other);
    let n_common = pairs
        .take_while(|(one, other)| one == other && **one != STAR)
        .count();
    let (one, other) = (&one[n_common..], &other[n_common..]);
    let literal = |rest: &[Symbol]| rest.first().copied().filter(|first| *first != STAR);
    let has_more = |rest: &[Symbol]| rest != [STAR];
    (literal(one).cmp(&literal(other)))
        .then_with(|| has_more(one).cmp(&has_more(other)))
        .then_with(|| one.cmp(other))
}
