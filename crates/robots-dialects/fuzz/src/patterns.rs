//! Path patterns: the matchers, compared with simple ones that only follow the definition.

use robots_dialects::{glob, pattern};

use super::first_line;

/// The linear matchers agree with a table of the path's prefixes.
///
/// The data's first line is a pattern, the rest a path.
pub fn equal_the_obvious_matcher(data: &[u8]) {
    let (written, path) = first_line(&data[..data.len().min(600)]);
    let (body, is_anchored) = match written {
        [start @ .., b'$'] => (start, true),
        _ => (written, false),
    };
    let mut units: Vec<Unit> = body
        .iter()
        .map(|byte| match byte {
            b'*' => Unit::Any,
            byte => Unit::One(vec![(*byte, *byte)], false),
        })
        .collect();
    if !is_anchored {
        units.push(Unit::Any);
    }
    assert_eq!(pattern::matches(written, path), matches(&units, path));
    assert_eq!(
        glob::matches(written, path),
        matches(&shell_units(written), path)
    );

    let slashed = [b"/", path].concat();
    if pattern::matches_every_path(written) {
        assert!(pattern::matches(written, &slashed));
    }
    if !matches!(written.first(), None | Some(b'/' | b'*')) && written != b"$" {
        assert!(!pattern::matches(written, &slashed));
    }
}

/// A piece of a pattern.
enum Unit {
    /// Any bytes.
    Any,
    /// One byte that is in one of the ranges, or (`true`) in none of them.
    One(Vec<(u8, u8)>, bool),
}

/// The units of a shell pattern.
fn shell_units(pattern: &[u8]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut rest = pattern;
    while let [first, after @ ..] = rest {
        let one = |byte: u8| Unit::One(vec![(byte, byte)], false);
        let (unit, left) = match (first, after) {
            (b'*', _) => (Unit::Any, after),
            (b'?', _) => (Unit::One(Vec::new(), true), after),
            (b'\\', [escaped, left @ ..]) => (one(*escaped), left),
            (b'[', _) => match set(after) {
                Some((unit, left)) => (unit, left),
                None => (one(b'['), after),
            },
            _ => (one(*first), after),
        };
        units.push(unit);
        rest = left;
    }
    units
}

/// The set whose opening bracket precedes `rest`, and the rest after it.
fn set(rest: &[u8]) -> Option<(Unit, &[u8])> {
    let (is_complement, rest) = match rest {
        [b'!' | b'^', rest @ ..] => (true, rest),
        _ => (false, rest),
    };
    // The first member may be a bracket.
    let end = 1 + rest.iter().skip(1).position(|byte| *byte == b']')?;
    let (mut members, mut ranges) = (&rest[..end], Vec::new());
    loop {
        members = match members {
            [low, b'-', high, left @ ..] => {
                ranges.push((*low, *high));
                left
            }
            [one, left @ ..] => {
                ranges.push((*one, *one));
                left
            }
            [] => break,
        };
    }
    Some((Unit::One(ranges, is_complement), &rest[end + 1..]))
}

/// Whether `units` match the whole of `path`: a table of which prefixes of the path are matched.
fn matches(units: &[Unit], path: &[u8]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for unit in units {
        match unit {
            Unit::Any => {
                let first = reached.iter().position(|at| *at);
                reached[first.unwrap_or(path.len() + 1)..].fill(true);
            }
            Unit::One(ranges, is_complement) => {
                for at in (0..path.len()).rev() {
                    let is_in = ranges
                        .iter()
                        .any(|(low, high)| (low..=high).contains(&&path[at]));
                    reached[at + 1] = reached[at] && is_in != *is_complement;
                }
                reached[0] = false;
            }
        }
    }
    reached[path.len()]
}
