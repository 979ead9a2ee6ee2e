//! The normal form of a list: two lists allow the same paths just when their normal forms are
//! equal.
//!
//! It has layers. The first is the least finite union of patterns that holds every disallowed path,
//! the second the least one that holds every allowed path of the first layer, the third the
//! least one that holds every disallowed path of the second, and so on. `Disallow: /a`, `Disallow:
//! /b` and `Allow: /a/c` have the layers `/a /b` and `/a/c`; `Disallow: /b/d` adds nothing.
//!
//! # Why there are least unions
//!
//! Take the string of a pattern, its stars replaced by a symbol ζ that no pattern in question has
//! as a literal. A pattern that matches this string matches whatever the first one matches (see the
//! head of `comparison`), and so does a union of patterns that holds the string.
//!
//! Let M be a pattern within the pattern of entry P. The paths of M that P decides are those that
//! no entry before P matches. If there is any, the string of M is one of them, for all such ζ. A
//! union of patterns that holds these paths has finitely many literals, so it holds such a string,
//! and with it all of M. So M is the least union that holds them. Hence
//!
//! - the first layer consists of the patterns of all disallow entries that decide a path;
//! - each further layer consists of the merges M of a pattern of the layer before it with
//!   the pattern of an entry of the other effect, if that entry decides the string of M.
//!
//! # Why they are a normal form
//!
//! A layer is defined by sets of paths, not by rules. Layers lie within each other, so the number
//! of layers that hold a path is odd just when it is disallowed. Of the patterns of a layer those
//! are left out that lie within another. Two such sets of patterns with the same union are equal:
//! each pattern of one lies within a pattern of the other, and that one within a pattern of the
//! first, which can only be the same. Two patterns that match the same paths are equal: each
//! matches the string of the other, so they have the same literals, and stars in the same places.
//!
//! There are no more layers than entries: the entry that decides the string of M comes before
//! the entry that decides the string of the pattern of which M is a part.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::decision_list::DecisionList;
use super::merge::{Merger, covers};
use super::step_budget::{Exhausted, StepBudget};
use super::symbol::{STAR, Symbol, beginning, is_starred, prefix};
use crate::identity::Id;

impl DecisionList<'_> {
    pub(super) fn meaning_within(&self, work: usize) -> Option<Id> {
        let work = &mut StepBudget::new(work);
        if !self.is_whole() || !self.has_normal_form() {
            return None;
        }
        let decides = self.deciding(work).ok()?;
        self.meaning_of(&decides, work).ok()
    }

    /// [`meaning`](Self::meaning), by whether each entry decides a path.
    pub(super) fn meaning_of(
        &self,
        decides: &[bool],
        work: &mut StepBudget,
    ) -> Result<Id, Exhausted> {
        let mut bytes = FormBytes::default();
        for layer in layers(self, decides, work)? {
            for pattern in layer {
                bytes.pattern(pattern);
            }
            bytes.end_layer();
        }
        Ok(bytes.id())
    }

    /// Whether every question about the list is answered by the strings of patterns, with a line
    /// feed for stars.
    pub(super) fn has_normal_form(&self) -> bool {
        self.sets.is_empty() && !self.symbols.contains(&Symbol::from(b'\n'))
    }
}

/// A normal form as bytes, for its hash.
#[derive(Default)]
pub(super) struct FormBytes(Vec<u8>);

impl FormBytes {
    // No symbols.
    const END_OF_PATTERN: Symbol = Symbol::MAX;
    const END_OF_LAYER: Symbol = Symbol::MAX - 1;

    pub(super) fn pattern(&mut self, symbols: impl IntoIterator<Item = Symbol>) {
        let symbols = symbols.into_iter().chain([Self::END_OF_PATTERN]);
        self.0.extend(symbols.flat_map(Symbol::to_le_bytes));
    }

    pub(super) fn end_layer(&mut self) {
        self.0.extend(Self::END_OF_LAYER.to_le_bytes());
    }

    pub(super) fn id(&self) -> Id {
        Id::of(&self.0)
    }
}

/// A pattern of a layer, and the entry that decides its string.
struct Piece<'l> {
    pattern: Cow<'l, [Symbol]>,
    decider: usize,
}

/// The layers of a list without sets, with a symbol that no pattern has. `decides` says of each
/// entry whether it decides a path.
fn layers(
    list: &DecisionList<'_>,
    decides: &[bool],
    work: &mut StepBudget,
) -> Result<Vec<Vec<Vec<Symbol>>>, Exhausted> {
    let mut all = [Vec::new(), Vec::new()];
    let mut starred = [Vec::new(), Vec::new()];
    for index in (0..list.len()).filter(|index| decides[*index]) {
        let effect = usize::from(list.allows(index));
        all[effect].push(index);
        if is_starred(list.pattern(index)) {
            starred[effect].push(index);
        }
    }
    let mut layers = Vec::new();
    let first = all[0].iter().map(|index| Piece {
        pattern: Cow::Borrowed(list.pattern(*index)),
        decider: *index,
    });
    let mut pieces: Vec<Piece<'_>> = first.collect();
    let mut merger = Merger::default();
    while !pieces.is_empty() {
        let layer = widest(pieces, work)?;
        let effect = (layers.len() + 1) % 2;
        let mut next = Vec::new();
        for piece in &layer {
            let others = if is_starred(&piece.pattern) {
                &all[effect]
            } else {
                // Of the other entries those decide a part whose patterns begin with this one.
                let literals = prefix(&piece.pattern);
                let within = literals.map(|literals| list.beginning_with(literals));
                for index in within.into_iter().flatten() {
                    let is_other = usize::from(list.allows(index)) == effect && decides[index];
                    if is_other && index < piece.decider && !is_starred(list.pattern(index)) {
                        next.push(Piece {
                            pattern: Cow::Borrowed(list.pattern(index)),
                            decider: index,
                        });
                    }
                    work.spend(1)?;
                }
                &starred[effect]
            };
            for &other in others.iter().take_while(|other| **other < piece.decider) {
                merger.merge(&piece.pattern, list.pattern(other), work, |merged, work| {
                    if !list.decides_before(other, merged, work)? {
                        work.spend(merged.len())?;
                        next.push(Piece {
                            pattern: Cow::Owned(merged.to_vec()),
                            decider: other,
                        });
                    }
                    Ok(())
                })?;
            }
        }
        let patterns = layer.into_iter().map(|piece| piece.pattern.into_owned());
        layers.push(patterns.collect());
        pieces = next;
    }
    Ok(layers)
}

/// The patterns that lie within no other, sorted.
fn widest<'l>(pieces: Vec<Piece<'l>>, work: &mut StepBudget) -> Result<Vec<Piece<'l>>, Exhausted> {
    work.spend(pieces.len())?;
    let (mut prefixes, others): (Vec<_>, Vec<_>) = pieces
        .into_iter()
        .partition(|piece| prefix(&piece.pattern).is_some());
    let literals = |piece: &Piece<'l>| beginning(&piece.pattern).len();
    // A prefix comes before all that begins with it.
    prefixes.sort_unstable_by(|a, b| {
        beginning(&a.pattern)
            .cmp(beginning(&b.pattern))
            .then(a.decider.cmp(&b.decider))
    });
    let mut kept: Vec<Piece<'l>> = Vec::with_capacity(prefixes.len());
    for piece in prefixes {
        let is_within = |last: &Piece<'l>| piece.pattern.starts_with(beginning(&last.pattern));
        if !kept.last().is_some_and(is_within) {
            kept.push(piece);
        }
    }
    let mut starred: Vec<Piece<'l>> = Vec::new();
    let mut others: Vec<Piece<'l>> = others
        .into_iter()
        .filter(|piece| {
            let beginning_of_piece = beginning(&piece.pattern);
            let after = kept.partition_point(|it| beginning(&it.pattern) <= beginning_of_piece);
            let last = after.checked_sub(1).map(|last| &kept[last]);
            !last.is_some_and(|last| beginning_of_piece.starts_with(beginning(&last.pattern)))
        })
        .collect();
    // What matches all that another does has no more literals, and of as many, more stars.
    others.sort_by_cached_key(|piece| {
        let n_stars = piece.pattern.iter().filter(|it| **it == STAR).count();
        (piece.pattern.len() - n_stars, Reverse(n_stars))
    });
    let mut exact: Vec<Piece<'l>> = Vec::new();
    for piece in others {
        if !is_within_any(&starred, &piece.pattern, work)? {
            if literals(&piece) == piece.pattern.len() {
                exact.push(piece);
            } else {
                starred.push(piece);
            }
        }
    }
    let mut widest = Vec::with_capacity(kept.len() + starred.len() + exact.len());
    for piece in kept {
        if !is_within_any(&starred, &piece.pattern, work)? {
            widest.push(piece);
        }
    }
    widest.append(&mut starred);
    widest.append(&mut exact);
    widest.sort_by(|a, b| {
        let beginnings = [a, b].map(|piece| beginning(&piece.pattern));
        (beginnings[0].cmp(beginnings[1])).then_with(|| a.pattern.cmp(&b.pattern))
    });
    widest.dedup_by(|a, b| a.pattern == b.pattern);
    Ok(widest)
}

fn is_within_any(
    wider: &[Piece<'_>],
    pattern: &[Symbol],
    work: &mut StepBudget,
) -> Result<bool, Exhausted> {
    for piece in wider {
        if covers(&piece.pattern, pattern, work)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::result::Class;
    use super::super::step_budget::WORK;
    use super::super::witness::pattern_text;
    use super::*;
    use crate::dialect::{Crawler, Dialect};

    fn layers_of(list: &DecisionList<'_>) -> Vec<Vec<Vec<Symbol>>> {
        let work = &mut StepBudget::new(WORK);
        let decides = list.deciding(work).expect("few rules");
        layers(list, &decides, work).expect("few rules")
    }

    /// Rules, and their layers.
    const CASES: &str = "\
Disallow:                                              |
Allow: /a                                              |
Disallow: /                                            | / , /robots.txt$
Disallow: /; Allow: /*                                 |
Disallow: /a; Disallow: /a/b; Disallow: /b*; Disallow: /b | /a /b
Disallow: /a; Allow: /a/b; Disallow: /a/b/c            | /a , /a/b , /a/b/c
Disallow: /*.pdf$; Allow: /free                        | /*.pdf$
Disallow: /*?; Disallow: /x?y; Disallow: /a*?          | /*?
Disallow: /*a; Allow: /b/longer                        | /*a , /b/longer*a
Disallow: */a$; Disallow: /a; Disallow: /a$            | /*/a$ /a
";

    #[test]
    fn layers_have_what_matters() {
        for case in CASES.lines() {
            let (rules, expected) = case.split_once('|').expect("two columns");
            let body = format!("User-agent: *\n{}\n", rules.replace("; ", "\n"));
            let ruleset = Dialect::Rfc9309.compile(body.as_bytes());
            let text = |pattern: &Vec<Symbol>| {
                let text = pattern_text(pattern, Dialect::Rfc9309);
                String::from_utf8(text).expect("rules in ASCII")
            };
            let layers = layers_of(&DecisionList::new(&ruleset, Crawler::Other));
            let layers = layers
                .iter()
                .map(|layer| layer.iter().map(text).collect::<Vec<_>>().join(" "));
            let layers = layers.collect::<Vec<_>>().join(" , ");
            assert_eq!(layers, expected.trim(), "{rules}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// By every dialect, two files have the same meaning just when they compare as equal.
        #[test]
        fn the_same_layers_are_the_same_paths(
            before in "((Allow|Disallow): [/*]{1,2}[ab*]{0,3}\\$?\n){0,5}",
            after in "((Allow|Disallow): [/*]{1,2}[ab*]{0,3}\\$?\n){0,5}",
        ) {
            let [before, after] = [before, after].map(|rules| format!("User-agent: *\n{rules}"));
            for dialect in Dialect::ALL {
                let [old, new] = [&before, &after].map(|body| dialect.compile(body.as_bytes()));
                let [old, new] = [&old, &new].map(|it| DecisionList::new(it, Crawler::Other));
                let class = old.compare(&new).class;
                let ids = [&old, &new].map(|list| list.meaning().expect("few rules"));
                prop_assert_eq!(ids[0] == ids[1], class == Class::Equal, "{} {} {}", dialect, before, after);
            }
        }

        /// The number of layers that hold a path is odd just when it is disallowed.
        #[test]
        fn layers_hold_what_is_disallowed(
            rules in "((Allow|Disallow): [/*]{1,2}[ab*]{0,3}\\$?\n){0,8}",
            paths in prop::collection::vec("/[abx/]{0,6}", 1..20),
        ) {
            let body = format!("User-agent: *\n{rules}");
            let ruleset = Dialect::Rfc9309.compile(body.as_bytes());
            let list = DecisionList::new(&ruleset, Crawler::Other);
            let layers = layers_of(&list);
            for path in paths {
                let symbols: Vec<Symbol> = path.bytes().map(Symbol::from).collect();
                let work = &mut StepBudget::new(WORK);
                let holds = |pattern: &Vec<Symbol>, work: &mut StepBudget| covers(pattern, &symbols, work).unwrap();
                let holding = layers.iter().map(|layer| layer.iter().any(|it| holds(it, work)));
                let holding: Vec<bool> = holding.collect();
                let depth = holding.iter().take_while(|it| **it).count();
                prop_assert!(!holding[depth..].contains(&true), "{path} {body}");
                let path = crate::path::UrlPath::new(path.as_bytes());
                prop_assert_eq!(depth % 2 == 0, ruleset.verdict(b"x", &path).allowed, "{} {:?}", body, path);
            }
        }
    }
}
