//! The normal form of a list: two lists allow the same paths exactly when their normal forms are
//! equal.
//!
//! It has layers. The first is the least finite union of patterns that contains every disallowed
//! path, the second the least union that contains every allowed path of the first layer, the third
//! the least union that contains every disallowed path of the second layer, and so on. `Disallow:
//! /a`, `Disallow: /b` and `Allow: /a/c` have the layers `/a /b` and `/a/c`; `Disallow: /b/d` adds
//! nothing.
//!
//! # Why there are least unions
//!
//! The *string* of a pattern is the pattern with its stars replaced with a symbol ζ that no pattern
//! in question has as a literal. A pattern that matches this string matches whatever the first
//! pattern matches (see the head of `comparison`), and so does a union of patterns that contains
//! the string.
//!
//! Let M be a pattern within the pattern of entry P. The paths of M that P decides are those that
//! no entry before P matches. If there are any, the string of M is among them, for every such ζ. A
//! union of patterns that contains these paths has finitely many literals, so it contains such a
//! string, and with it all of M. So M is the least union that contains these paths. Hence
//!
//! - the first layer consists of the patterns of all disallow entries that decide a path;
//! - each further layer consists of the merges M of a pattern of the layer before it with
//!   the pattern of an entry of the other effect, if that entry decides the string of M.
//!
//! # Why they are a normal form
//!
//! A layer is defined by sets of paths, not by rules. Layers are nested, so the number of layers
//! that contain a path is odd exactly when the path is disallowed. A pattern within another pattern
//! of its layer is left out. Two such sets of patterns with the same union are equal: each pattern
//! of one set is within a pattern of the other set, and that pattern is within a pattern of the
//! first set, which can only be the same pattern. Two patterns that match the same paths are equal:
//! each matches the string of the other, so they have the same literals, and stars in the same
//! places.
//!
//! There are no more layers than entries: the entry that decides the string of M comes before
//! the entry that decides the string of the pattern that M is part of.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::beginnings::order;
use super::decision_list::DecisionList;
use super::merge::{Merger, covers};
use super::symbol::{STAR, Symbol, SymbolSet, is_starred};
use super::{WORK, spend};
use crate::identity::Id;

// Not symbols.
const END_OF_PATTERN: Symbol = Symbol::MAX;
const END_OF_LAYER: Symbol = Symbol::MAX - 1;

impl DecisionList<'_> {
    /// An id of the allowed paths: lists of one dialect have the same id exactly when they allow
    /// the same paths, except for collisions of a 128-bit hash. `None` if the work limit was
    /// reached, and for rules with sets (`conner1996`) or an escaped line feed (`koster1996`).
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
        let mut work = WORK;
        if !self.is_whole() || !self.has_normal_form() {
            return None;
        }
        let decides = self.deciding(&mut work)?;
        self.meaning_of(&decides, &mut work)
    }

    pub(super) fn meaning_of(&self, decides: &[bool], work: &mut usize) -> Option<Id> {
        let mut symbols = Vec::new();
        for layer in layers(self, decides, work)? {
            for pattern in layer {
                symbols.extend_from_slice(&pattern);
                symbols.push(END_OF_PATTERN);
            }
            symbols.push(END_OF_LAYER);
        }
        let bytes: Vec<u8> = symbols.into_iter().flat_map(Symbol::to_le_bytes).collect();
        Some(Id::of(&bytes))
    }

    /// Whether the strings of patterns, with a line feed for each star, answer every question about
    /// the list.
    pub(super) fn has_normal_form(&self) -> bool {
        self.sets.is_empty() && !self.symbols.contains(&Symbol::from(b'\n'))
    }
}

/// A pattern of a layer, and the entry that decides its string.
struct Piece<'l> {
    pattern: Cow<'l, [Symbol]>,
    decider: usize,
}

/// The layers of a list without sets, provided that some symbol is in no pattern. `decides` has,
/// for each entry, whether it decides a path.
pub(super) fn layers<'l>(
    list: &'l DecisionList<'_>,
    decides: &[bool],
    work: &mut usize,
) -> Option<Vec<Vec<Cow<'l, [Symbol]>>>> {
    let mut all = [Vec::new(), Vec::new()];
    let mut starred = [Vec::new(), Vec::new()];
    let mut plain = [Vec::new(), Vec::new()];
    for index in (0..list.len()).filter(|index| decides[*index]) {
        let effect = usize::from(list.entries[index].allows);
        all[effect].push(index);
        let of_kind = if is_starred(list.pattern(index)) {
            &mut starred
        } else {
            &mut plain
        };
        of_kind[effect].push(index);
    }
    let mut layers = Vec::new();
    let piece = |index| Piece {
        pattern: list.pattern(index).into(),
        decider: index,
    };
    let first = list.by_beginning.sorted().iter().copied();
    let first = first.filter(|index| decides[*index] && !list.entries[*index].allows);
    let mut layer = widest(first.map(piece).collect(), work)?;
    let mut merger = Merger::default();
    while !layer.is_empty() {
        let effect = (layers.len() + 1) % 2;
        let mut next = Vec::new();
        // A pattern without an inner star is within another such pattern only if the other begins
        // it. Only the last pattern of the layer that sorts before it can do so, as that pattern
        // would contain the patterns between them.
        for &other in &plain[effect] {
            let pattern = list.pattern(other);
            let after = layer.partition_point(|piece| order(&piece.pattern, pattern).is_le());
            let wider = layer[..after].last();
            if wider.is_some_and(|it| other < it.decider && begins(&it.pattern, pattern)) {
                next.push(piece(other));
            }
            spend(work, 1)?;
        }
        for Piece { pattern, decider } in &layer {
            let others = if is_starred(pattern) { &all } else { &starred };
            for &other in others[effect].iter().take_while(|other| *other < decider) {
                merger.merge(pattern, list.pattern(other), work, |merged, work| {
                    if !list.decides_before(other, merged, work)? {
                        spend(work, merged.len())?;
                        next.push(Piece {
                            pattern: merged.to_vec().into(),
                            decider: other,
                        });
                    }
                    Some(())
                })?;
            }
        }
        layers.push(layer.into_iter().map(|piece| piece.pattern).collect());
        layer = widest(next, work)?;
    }
    Some(layers)
}

/// The patterns that are not within another, sorted.
fn widest<'l>(mut pieces: Vec<Piece<'l>>, work: &mut usize) -> Option<Vec<Piece<'l>>> {
    spend(work, pieces.len())?;
    pieces.sort_by(|one, other| order(&one.pattern, &other.pattern));
    pieces.dedup_by(|piece, last| {
        piece.pattern == last.pattern || begins(&last.pattern, &piece.pattern)
    });
    let (mut widest_first, others): (Vec<usize>, Vec<usize>) =
        (0..pieces.len()).partition(|index| is_starred(&pieces[*index].pattern));
    if widest_first.is_empty() {
        return Some(pieces);
    }
    // A pattern that matches all that another matches has fewer literals or, with equally many,
    // more stars.
    widest_first.sort_by_cached_key(|index| {
        let pattern = &pieces[*index].pattern;
        let n_stars = pattern.iter().filter(|it| **it == STAR).count();
        (pattern.len() - n_stars, Reverse(n_stars))
    });
    let mut starred: Vec<(&[Symbol], SymbolSet)> = Vec::new();
    let mut is_kept = vec![true; pieces.len()];
    for index in widest_first.into_iter().chain(others) {
        let pattern = &pieces[index].pattern;
        let own = SymbolSet::of(pattern);
        for (wider, symbols) in &starred {
            spend(work, 1)?;
            if symbols.is_within(own) && covers(wider, pattern, work)? {
                is_kept[index] = false;
                break;
            }
        }
        if is_kept[index] && is_starred(pattern) {
            starred.push((pattern, own));
        }
    }
    let mut is_kept = is_kept.into_iter();
    pieces.retain(|_| is_kept.next().unwrap_or(false));
    Some(pieces)
}

/// Whether `wider` is a beginning of `pattern` and a star, and so contains it.
fn begins(wider: &[Symbol], pattern: &[Symbol]) -> bool {
    (wider.strip_suffix(&[STAR])).is_some_and(|prefix| pattern.starts_with(prefix))
}
