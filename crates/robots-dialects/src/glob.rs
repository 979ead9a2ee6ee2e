//! Shell patterns, the path format of the 1996 extended standard's version 2.0.
//!
//! `*` matches any bytes, slashes included, `?` one byte, `[set]` one byte of a set (ranges with
//! `-`, complement with a leading `!` or `^`), and `\` makes the next byte literal. A pattern
//! matches the whole path. An unclosed `[` is literal.

use memchr::memrchr;

/// Whether `pattern` matches the whole of `path`. At most linear in the path times the pattern,
/// without allocation: only the last star is ever retried, because an earlier star cannot find a
/// match that the last star misses.
///
/// ```
/// use robots_dialects::glob::matches;
///
/// assert!(matches(b"/[a-c]?.s*", b"/ax.shtml"));
/// assert!(!matches(b"/index", b"/index.html")); // the whole path, not its beginning
/// ```
#[must_use]
pub fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let last_bracket = memrchr(b']', pattern);
    let (mut at, mut pos) = (0, 0);
    // Where to resume when a byte does not fit: after the last star, one byte further in the path.
    let mut retry = None;
    loop {
        if pattern.get(at) == Some(&b'*') {
            at += 1;
            retry = Some((at, pos));
            continue;
        }
        let step = path
            .get(pos)
            .and_then(|byte| match_one(pattern, at, last_bracket, *byte));
        match step {
            Some(next) => (at, pos) = (next, pos + 1),
            None if pos == path.len() && at == pattern.len() => return true,
            None => match retry {
                Some((after_star, from)) if from < path.len() => {
                    retry = Some((after_star, from + 1));
                    (at, pos) = (after_star, from + 1);
                }
                _ => return false,
            },
        }
    }
}

/// Matches one byte against the unit at `at`. Returns where the next unit begins.
fn match_one(pattern: &[u8], at: usize, last_bracket: Option<usize>, byte: u8) -> Option<usize> {
    match *pattern.get(at)? {
        b'?' => Some(at + 1),
        b'[' if last_bracket.is_some_and(|last| last >= first_possible_end(pattern, at)) => {
            match_set(pattern, at, byte)
        }
        b'\\' if at + 1 < pattern.len() => (pattern[at + 1] == byte).then_some(at + 2),
        literal => (literal == byte).then_some(at + 1),
    }
}

/// The earliest index at which the set that opens at `at` may close: a `]` directly after the
/// opening or the complement sign is a member.
fn first_possible_end(pattern: &[u8], at: usize) -> usize {
    let is_complement = matches!(pattern.get(at + 1), Some(b'!' | b'^'));
    at + 2 + usize::from(is_complement)
}

fn match_set(pattern: &[u8], at: usize, byte: u8) -> Option<usize> {
    let first_end = first_possible_end(pattern, at);
    let end = first_end + pattern[first_end..].iter().position(|byte| *byte == b']')?;
    let members = &pattern[first_end - 1..end];
    let mut is_member = false;
    let mut index = 0;
    while let Some(&low) = members.get(index) {
        if let Some([b'-', high]) = members.get(index + 1..index + 3) {
            is_member |= (low..=*high).contains(&byte);
            index += 3;
        } else {
            is_member |= low == byte;
            index += 1;
        }
    }
    let is_complement = first_end == at + 3;
    (is_member != is_complement).then_some(end + 1)
}

/// What each unit of `pattern` matches, as in [`matches()`]: one of the bytes marked `true`, or
/// (`None`) any bytes.
pub(crate) fn units(pattern: &[u8]) -> impl Iterator<Item = Option<Box<[bool; 256]>>> {
    let last_bracket = memrchr(b']', pattern);
    let mut at = 0;
    std::iter::from_fn(move || {
        if *pattern.get(at)? == b'*' {
            at += 1;
            return Some(None);
        }
        let mut members = Box::new([false; 256]);
        // Nothing matches after a set without members, so the rest is skipped.
        let mut next = pattern.len();
        for byte in 0..=u8::MAX {
            if let Some(after) = match_one(pattern, at, last_bracket, byte) {
                members[usize::from(byte)] = true;
                next = after;
            }
        }
        at = next;
        Some(Some(members))
    })
}
