//! The alphabet in which patterns and paths are compared, and the way back from it to bytes.
//!
//! `*` is special in some dialects and a byte in others, and the 1996 draft decodes escapes. In the
//! strings of symbols, only [`STAR`] is special.

use crate::dialect::{ChosenRule, Dialect, PathForm, RuleType};
use crate::glob;
use crate::pattern::split_anchor;
pub(super) use crate::percent::ESCAPED_SLASH;
use crate::percent::{escape, escaped_byte, is_unreserved, koster_units};

/// A byte (0 to 255), [`ESCAPED_SLASH`], [`STAR`], or from [`FIRST_SET`] on a set of bytes.
pub(super) type Symbol = u16;

/// Any number of symbols. A pattern that ends with a star is *open*; any other pattern matches only
/// whole paths.
pub(super) const STAR: Symbol = 257;

pub(super) const FIRST_SET: Symbol = 258;

pub(super) const SLASH: Symbol = b'/' as Symbol;

pub(super) type Sets = Vec<Box<[bool; 256]>>;

/// Limit on the different sets of one list. Real files do not have any.
pub(super) const MAX_SETS: usize = 64;

/// The symbols of a pattern before its first star.
pub(super) fn beginning(pattern: &[Symbol]) -> &[Symbol] {
    let star = pattern.iter().position(|symbol| *symbol == STAR);
    &pattern[..star.unwrap_or(pattern.len())]
}

/// Whether a pattern has a star that is not at its end.
pub(super) fn is_starred(pattern: &[Symbol]) -> bool {
    beginning(pattern).len() + 1 < pattern.len()
}

/// The symbols of a pattern, modulo 64, as bits; the star is always among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct SymbolSet(u64);

impl SymbolSet {
    pub(super) fn of(pattern: &[Symbol]) -> Self {
        let star = 1 << (STAR % 64);
        Self((pattern.iter()).fold(star, |set, symbol| set | 1 << (symbol % 64)))
    }

    /// False if a pattern of these symbols cannot match all that a pattern of `others` matches.
    pub(super) fn is_within(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }
}

/// The pattern of `chosen`; `None` if no path matches it, or if `sets` grew over [`MAX_SETS`].
pub(super) fn pattern_of(
    dialect: Dialect,
    chosen: &ChosenRule<'_>,
    sets: &mut Sets,
) -> Option<Vec<Symbol>> {
    let bytes = chosen.pattern;
    let mut pattern: Vec<Symbol> = match dialect {
        Dialect::Rep2019 | Dialect::Rfc9309 | Dialect::Google => {
            let (start, is_anchored) = split_anchor(bytes);
            let symbols = start.iter().map(|byte| match *byte {
                b'*' => STAR,
                byte => Symbol::from(byte),
            });
            if is_anchored {
                return Some(symbols.collect());
            }
            symbols.collect()
        }
        Dialect::Koster1996 => koster_units(bytes).collect(),
        Dialect::Conner1996 if chosen.is_version_two => {
            // `Disallow:` matches every path, `Allow:` no path.
            if !bytes.is_empty() || chosen.rule.rule_type == RuleType::Allow {
                return pattern_of_glob(bytes, sets);
            }
            Vec::new()
        }
        Dialect::Conner1996 if chosen.rule.rule_type == RuleType::Allow => return None,
        Dialect::Rep1994 | Dialect::Conner1996 => symbols(bytes).collect(),
    };
    pattern.push(STAR);
    // An empty pattern matches every path, and must begin with the slash of every path.
    if pattern.len() == 1 {
        pattern.insert(0, SLASH);
    }
    Some(pattern)
}

fn pattern_of_glob(bytes: &[u8], sets: &mut Sets) -> Option<Vec<Symbol>> {
    let mut pattern = Vec::new();
    for unit in glob::units(bytes) {
        let Some(members) = unit else {
            pattern.push(STAR);
            continue;
        };
        let mut taken = (0..)
            .zip(members.iter())
            .filter(|(_, is_member)| **is_member);
        if let (Some((byte, _)), None) = (taken.next(), taken.next()) {
            pattern.push(byte);
            continue;
        }
        let known = sets.iter().position(|set| *set == members);
        let index = known.unwrap_or(sets.len());
        if known.is_none() {
            sets.push(members);
        }
        if sets.len() > MAX_SETS {
            return None;
        }
        // There are few sets.
        pattern.push(FIRST_SET + Symbol::try_from(index).unwrap_or(0));
    }
    Some(pattern)
}

pub(super) fn symbols(bytes: &[u8]) -> impl Iterator<Item = Symbol> {
    bytes.iter().copied().map(Symbol::from)
}

/// Symbols to replace stars, the most readable first. No symbol is a digit of an escape.
pub(super) const FILLERS: &[u8] = b"xyzqwvutsrponmlkjihgXYZQWVUTSRPONMLKJIHG-_~.!";

/// `merged` with `filler`, or nothing, in place of each star.
pub(super) fn fill(merged: &[Symbol], filler: Option<Symbol>) -> Vec<Symbol> {
    let fill = |symbol: &Symbol| match *symbol {
        STAR => filler,
        literal => Some(literal),
    };
    merged.iter().filter_map(fill).collect()
}

/// `merged` with a word in place of each star after a slash, and nothing in place of other stars.
pub(super) fn fill_readably(merged: &[Symbol]) -> Vec<Symbol> {
    let mut path = Vec::new();
    for symbol in merged {
        if *symbol != STAR {
            path.push(*symbol);
        } else if path.last() == Some(&SLASH) {
            path.extend(symbols(b"example"));
        }
    }
    path
}

/// A path that is compared as these symbols.
pub(super) fn path_of(symbols: &[Symbol], form: PathForm) -> Vec<u8> {
    let mut path = Vec::with_capacity(symbols.len());
    for (index, symbol) in symbols.iter().enumerate() {
        let Ok(byte) = u8::try_from(*symbol) else {
            path.extend_from_slice(b"%2F"); // ESCAPED_SLASH: there is no other
            continue;
        };
        let is_escaped = match form {
            PathForm::Decoded => !is_unreserved(byte) && !b"/?:@!&'()+,;=*$".contains(&byte),
            PathForm::Normalised => is_in_escape(symbols, index),
            PathForm::Bytes | PathForm::Escaped => false,
        };
        if is_escaped {
            path.extend(escape(byte));
        } else {
            path.push(byte);
        }
    }
    path
}

/// Whether RFC 9309 §2.2.2 changes the escape with which `symbols` begin; `None` if they do not
/// begin with an escape.
pub(super) fn changes_escape(symbols: &[Symbol]) -> Option<bool> {
    let bytes = symbols.iter().map_while(|it| u8::try_from(*it).ok());
    let escape: Vec<u8> = bytes.take(3).collect();
    let decoded = escaped_byte(&escape)?;
    Some(is_unreserved(decoded) || escape[1..].iter().any(u8::is_ascii_lowercase))
}

/// Whether the symbol is the first digit of an escape that RFC 9309 §2.2.2 changes. If that digit
/// is itself escaped, it is decoded too late to complete the escape.
fn is_in_escape(symbols: &[Symbol], index: usize) -> bool {
    changes_escape(&symbols[index.saturating_sub(1)..]) == Some(true)
}

/// A merged pattern in the syntax of RFC 9309 §2.2.3, whatever the dialect.
pub(super) fn pattern_text(merged: &[Symbol], form: PathForm) -> Vec<u8> {
    let (body, is_open) = match merged {
        [body @ .., STAR] => (body, true),
        _ => (merged, false),
    };
    let mut text = Vec::with_capacity(merged.len() + 1);
    let decodes = form == PathForm::Normalised;
    for (index, symbol) in body.iter().enumerate() {
        match u8::try_from(*symbol) {
            Ok(byte) if decodes && is_in_escape(body, index) => text.extend(escape(byte)),
            // There is no other way to write a literal `$`.
            Ok(b'$') if form == PathForm::Escaped => text.push(b'$'),
            Ok(byte @ (b'*' | b'$')) => text.extend(escape(byte)),
            Ok(byte) => text.push(byte),
            Err(_) if *symbol == ESCAPED_SLASH => text.extend_from_slice(b"%2F"),
            Err(_) => text.push(b'*'),
        }
    }
    if !is_open {
        text.push(b'$');
    } else if text.ends_with(b"$") {
        text.push(b'*');
    }
    text
}
