//! From symbols back to bytes: paths that can be asked about, and patterns that can be read.

use super::decision_list::DecisionList;
use super::symbol::{ESCAPED_SLASH, N_PATH_SYMBOLS, SLASH, STAR, Symbol};
use crate::dialect::Dialect;
use crate::percent::{escaped_byte, is_unreserved, push_escape};

/// Symbols for what a star takes, the most readable first. None is a digit of an escape.
pub(super) const FILLERS: &[u8] = b"xyzqwvutsrponmlkjihgXYZQWVUTSRPONMLKJIHG-_~.!";

/// A symbol that no pattern of the lists holds; none only where the rules of `koster1996`, which
/// can name every byte, do so.
pub(super) fn filler(lists: [&DecisionList<'_>; 2]) -> Option<Symbol> {
    let mut is_held = [false; N_PATH_SYMBOLS as usize];
    for symbol in lists.iter().flat_map(|list| &list.symbols) {
        if let Some(is_held) = is_held.get_mut(usize::from(*symbol)) {
            *is_held = true;
        }
    }
    let readable = FILLERS.iter().copied().map(Symbol::from);
    // A pattern comes from one line, so it holds no line feed, unless it is decoded.
    let others = std::iter::once(Symbol::from(b'\n')).chain(0..256);
    let mut fillers = readable.chain(others);
    fillers.find(|symbol| !is_held[usize::from(*symbol)])
}

/// `merged` with this symbol, or nothing, for each star.
pub(super) fn fill(merged: &[Symbol], filler: Option<Symbol>) -> Vec<Symbol> {
    let fill = |symbol: &Symbol| match *symbol {
        STAR => filler,
        literal => Some(literal),
    };
    merged.iter().filter_map(fill).collect()
}

/// `merged` with a word for each star after a slash, and nothing for others.
pub(super) fn fill_readably(merged: &[Symbol]) -> Vec<Symbol> {
    let mut path = Vec::new();
    for symbol in merged {
        if *symbol != STAR {
            path.push(*symbol);
        } else if path.last() == Some(&SLASH) {
            path.extend(b"example".iter().copied().map(Symbol::from));
        }
    }
    path
}

/// A path that `dialect` compares as these symbols.
pub(super) fn path_of(symbols: &[Symbol], dialect: Dialect) -> Vec<u8> {
    let mut path = Vec::with_capacity(symbols.len());
    for (index, symbol) in symbols.iter().enumerate() {
        let Ok(byte) = u8::try_from(*symbol) else {
            path.extend_from_slice(b"%2F"); // ESCAPED_SLASH: there is no other
            continue;
        };
        let is_escaped = match dialect {
            Dialect::Koster1996 => !is_unreserved(byte) && !b"/?:@!&'()+,;=*$".contains(&byte),
            Dialect::Rep2019 | Dialect::Rfc9309 => is_in_escape(symbols, index),
            Dialect::Rep1994 | Dialect::Conner1996 | Dialect::Google => false,
        };
        if is_escaped {
            push_escape(byte, &mut path);
        } else {
            path.push(byte);
        }
    }
    path
}

/// Whether the symbol is the first digit of what RFC 9309 would decode as an escape. A digit that
/// is escaped itself is decoded after that.
fn is_in_escape(symbols: &[Symbol], index: usize) -> bool {
    let escape: Vec<u8> = symbols[index.saturating_sub(1)..]
        .iter()
        .map_while(|symbol| u8::try_from(*symbol).ok())
        .take(3)
        .collect();
    escaped_byte(&escape).is_some_and(|decoded| {
        is_unreserved(decoded) || escape[1..].iter().any(u8::is_ascii_lowercase)
    })
}

/// A merged pattern in the syntax of RFC 9309 §2.2.3, whatever the dialect.
pub(super) fn pattern_text(merged: &[Symbol], dialect: Dialect) -> Vec<u8> {
    let (body, is_open) = match merged {
        [body @ .., STAR] => (body, true),
        _ => (merged, false),
    };
    let mut text = Vec::with_capacity(merged.len() + 1);
    let decodes = matches!(dialect, Dialect::Rep2019 | Dialect::Rfc9309);
    for (index, symbol) in body.iter().enumerate() {
        match u8::try_from(*symbol) {
            Ok(byte) if decodes && is_in_escape(body, index) => push_escape(byte, &mut text),
            // Google's parser has no other way to write a literal `$`.
            Ok(b'$') if dialect == Dialect::Google => text.push(b'$'),
            Ok(byte @ (b'*' | b'$')) => push_escape(byte, &mut text),
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
