//! The alphabet in which patterns and paths are compared.
//!
//! Dialects read the bytes of patterns and paths in different ways: `*` is special in some and a
//! byte in others, and the 1996 draft decodes escapes. Here each of them becomes a string of
//! symbols, in which only [`STAR`] is special.

use crate::dialect::{ChosenRule, Dialect, RuleType};
use crate::glob;
use crate::percent::{KosterUnit, KosterUnits};

/// A byte (0 to 255), [`ESCAPED_SLASH`], [`STAR`], or from [`FIRST_SET`] on a set of bytes.
pub(super) type Symbol = u16;

/// `%2F` in `koster1996`, where it is not a slash.
pub(super) const ESCAPED_SLASH: Symbol = 256;

pub(super) const N_PATH_SYMBOLS: Symbol = 257;

/// Any symbols, or none. At the end of a pattern it makes what other texts call open: without it,
/// the pattern matches whole paths.
pub(super) const STAR: Symbol = 257;

pub(super) const FIRST_SET: Symbol = 258;

pub(super) const SLASH: Symbol = b'/' as Symbol;

pub(super) type Sets = Vec<Box<[bool; 256]>>;

/// Limit on the different sets of one list. Real files do not have any.
pub(super) const MAX_SETS: usize = 64;

/// What a pattern begins with, up to its first star.
pub(super) fn beginning(pattern: &[Symbol]) -> &[Symbol] {
    let star = pattern.iter().position(|symbol| *symbol == STAR);
    &pattern[..star.unwrap_or(pattern.len())]
}

/// Whether a pattern has a star that is not at its end.
pub(super) fn is_starred(pattern: &[Symbol]) -> bool {
    beginning(pattern).len() + 1 < pattern.len()
}

/// Writes the pattern of `chosen` as symbols to `pattern`. False if no path matches it, or if
/// `sets` grew over [`MAX_SETS`].
pub(super) fn write_pattern(
    dialect: Dialect,
    chosen: &ChosenRule<'_>,
    pattern: &mut Vec<Symbol>,
    sets: &mut Sets,
) -> bool {
    pattern.clear();
    let bytes = chosen.pattern;
    match dialect {
        Dialect::Rep2019 | Dialect::Rfc9309 | Dialect::Google => {
            let anchored = bytes.strip_suffix(b"$");
            let symbol = |byte: &u8| match *byte {
                b'*' => STAR,
                byte => Symbol::from(byte),
            };
            pattern.extend(anchored.unwrap_or(bytes).iter().map(symbol));
            if anchored.is_some() {
                return true;
            }
        }
        Dialect::Koster1996 => pattern.extend(KosterUnits(bytes).map(symbol_of_unit)),
        Dialect::Conner1996 if chosen.is_version_two => {
            // `Disallow:` matches every path, `Allow:` none.
            if !bytes.is_empty() || chosen.rule.rule_type == RuleType::Allow {
                return write_glob(bytes, pattern, sets);
            }
        }
        Dialect::Conner1996 if chosen.rule.rule_type == RuleType::Allow => return false,
        Dialect::Rep1994 | Dialect::Conner1996 => {
            pattern.extend(bytes.iter().copied().map(Symbol::from));
        }
    }
    pattern.push(STAR);
    // What has to begin with the slash of every path matches them all when it is empty.
    if pattern.len() == 1 {
        pattern.insert(0, SLASH);
    }
    true
}

fn symbol_of_unit(unit: KosterUnit) -> Symbol {
    match unit {
        KosterUnit::Byte(byte) => Symbol::from(byte),
        KosterUnit::EscapedSlash => ESCAPED_SLASH,
    }
}

fn write_glob(bytes: &[u8], pattern: &mut Vec<Symbol>, sets: &mut Sets) -> bool {
    for unit in glob::units(bytes) {
        pattern.push(match unit {
            glob::Unit::Star => STAR,
            glob::Unit::Byte(byte) => Symbol::from(byte),
            glob::Unit::Set(members) => {
                let known = sets.iter().position(|set| *set == members);
                let index = known.unwrap_or(sets.len());
                if known.is_none() {
                    sets.push(members);
                    if sets.len() > MAX_SETS {
                        return false;
                    }
                }
                // There are few.
                FIRST_SET + Symbol::try_from(index).unwrap_or(0)
            }
        });
    }
    true
}
