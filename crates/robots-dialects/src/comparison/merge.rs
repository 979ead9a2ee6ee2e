//! Merged patterns: the paths that two patterns both match, as a finite union of patterns.

use super::spend;
use super::symbol::{STAR, Symbol};

/// Merges patterns, reusing its buffers from pair to pair.
#[derive(Debug, Default)]
pub(super) struct Merger {
    merged: Vec<Symbol>,
    pending: Vec<Branch>,
}

/// An untried branch: the places in both patterns, the length of the merged pattern before the
/// branch, and the symbol that the branch adds first.
type Branch = ([usize; 2], usize, Option<Symbol>);

impl Merger {
    /// Calls `visit` with every merge of `one` and `other`: together, they match exactly the paths
    /// that both patterns match (the head of [`comparison`](super) has the proof). Two stars become
    /// a star of the merged pattern; then the first or the second ends before the other, or both
    /// end together.
    pub(super) fn merge(
        &mut self,
        one: &[Symbol],
        other: &[Symbol],
        work: &mut usize,
        mut visit: impl FnMut(&[Symbol], &mut usize) -> Option<()>,
    ) -> Option<()> {
        self.pending.clear();
        self.pending.push(([0, 0], 0, None));
        while let Some(([mut i, mut j], length, first)) = self.pending.pop() {
            self.merged.truncate(length);
            self.merged.extend(first);
            let steps = i + j;
            let is_merge = loop {
                match (one.get(i).copied(), other.get(j).copied()) {
                    (None, None) => break true,
                    (Some(STAR), Some(STAR)) => {
                        self.merged.push(STAR);
                        let length = self.merged.len();
                        if let Some(literal) = one.get(i + 1) {
                            self.pending.push(([i + 2, j], length, Some(*literal)));
                        }
                        if let Some(literal) = other.get(j + 1) {
                            self.pending.push(([i, j + 2], length, Some(*literal)));
                        }
                        (i, j) = (i + 1, j + 1);
                    }
                    // The star takes the literal, or ends before it.
                    (Some(STAR), Some(literal)) => {
                        if i + 1 < one.len() {
                            self.pending.push(([i + 1, j], self.merged.len(), None));
                        }
                        self.merged.push(literal);
                        j += 1;
                    }
                    (Some(literal), Some(STAR)) => {
                        if j + 1 < other.len() {
                            self.pending.push(([i, j + 1], self.merged.len(), None));
                        }
                        self.merged.push(literal);
                        i += 1;
                    }
                    (Some(a), Some(b)) if a == b => {
                        self.merged.push(a);
                        (i, j) = (i + 1, j + 1);
                    }
                    (Some(STAR), None) => i += 1,
                    (None, Some(STAR)) => j += 1,
                    _ => break false,
                }
            };
            spend(work, 1 + i + j - steps)?;
            if is_merge {
                visit(&self.merged, work)?;
            }
        }
        Some(())
    }
}

/// Whether `pattern` matches every path that `merged` matches. It does exactly when it matches
/// `merged` itself, read as a string in which only stars of `pattern` can take stars.
pub(super) fn covers(pattern: &[Symbol], merged: &[Symbol], work: &mut usize) -> Option<bool> {
    let (mut at, mut position) = (0, 0);
    // Where to resume if a literal does not fit: after the last star, one symbol further.
    let mut retry: Option<(usize, usize)> = None;
    let answer = loop {
        match (pattern.get(at), merged.get(position)) {
            (Some(&STAR), _) => {
                at += 1;
                if at == pattern.len() {
                    break true;
                }
                retry = Some((at, position));
            }
            (Some(literal), Some(symbol)) if literal == symbol => {
                (at, position) = (at + 1, position + 1);
            }
            (None, None) => break true,
            // Later there is even less to match.
            (Some(_), None) => break false,
            _ => match retry {
                Some((after_star, from)) if from < merged.len() => {
                    spend(work, 1 + position - from)?;
                    retry = Some((after_star, from + 1));
                    (at, position) = (after_star, from + 1);
                }
                _ => break false,
            },
        }
    };
    spend(work, 1 + position)?;
    Some(answer)
}
