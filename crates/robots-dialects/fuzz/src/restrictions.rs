//! How much rules restrict: the exact result against the definition.

use robots_dialects::pattern::matches;
use robots_dialects::published::path_probes;
use robots_dialects::restriction::{Restriction, restriction};
use robots_dialects::rule::{Rule, RuleType};

use super::first_line;

/// No path contradicts the result: neither a path in the data nor the witness of a rule.
///
/// Each line of the data is a rule (`+` allows, `-` disallows) or, with any other first byte, a
/// path to judge.
pub fn no_path_contradicts_the_result(data: &[u8]) {
    let (mut rules, mut paths) = (Vec::new(), Vec::new());
    let mut rest = &data[..data.len().min(2000)];
    while !rest.is_empty() {
        let (line, after) = first_line(rest);
        rest = after;
        match line {
            [b'+', path @ ..] => rules.push(Rule::new(RuleType::Allow, path)),
            [b'-', path @ ..] => rules.push(Rule::new(RuleType::Disallow, path)),
            path => paths.push([b"/", path].concat()),
        }
    }
    // The byte that represents a star's match is in no pattern, because each pattern comes from one
    // line.
    let other = b'\n';
    paths.push(vec![b'/', other]);
    for rule in &rules {
        let open = rule.path.strip_suffix(b"$");
        let mut witness: Vec<u8> = open.unwrap_or(rule.path).to_vec();
        if open.is_none() {
            witness.push(other);
        }
        for byte in &mut witness {
            if *byte == b'*' {
                *byte = other;
            }
        }
        let after_stars = witness.iter().take_while(|byte| **byte == other).count();
        paths.push(witness[after_stars..].to_vec());
        paths.push([b"/", witness.as_slice()].concat());
        paths.push(witness);
    }
    paths.retain(|path| path.starts_with(b"/") && path != b"/robots.txt");
    // A normalised path contains no star, because there a star is always special.
    paths.retain(|path| !path.contains(&b'*'));

    let judged = restriction(rules.iter().copied());
    let verdicts: Vec<bool> = paths.iter().map(|path| allows(&rules, path)).collect();
    let expected = match (verdicts.contains(&true), verdicts.contains(&false)) {
        (true, false) => Restriction::None,
        (false, true) => Restriction::Full,
        _ => Restriction::Partial,
    };
    assert!(judged.is_exact, "so few rules are always decided");
    assert_eq!(judged.restriction, expected);
    // Path probes define the same classes differently: they must end, and agree that a lone allow
    // rule restricts nothing.
    let probed = path_probes(rules.iter().copied(), std::iter::empty());
    if matches!(rules.as_slice(), [rule] if rule.rule_type == RuleType::Allow) {
        assert_eq!(probed.restriction, Restriction::None);
    }
}

/// RFC 9309 §2.2.2: the longest match decides, allow wins ties, no match allows.
fn allows(rules: &[Rule<'_>], path: &[u8]) -> bool {
    let longest = |rule_type| {
        rules
            .iter()
            .filter(|rule| rule.rule_type == rule_type)
            .filter(|rule| {
                matches!(rule.path.first(), Some(b'/' | b'*')) && matches(rule.path, path)
            })
            .map(|rule| rule.path.len())
            .max()
    };
    longest(RuleType::Allow) >= longest(RuleType::Disallow)
}
