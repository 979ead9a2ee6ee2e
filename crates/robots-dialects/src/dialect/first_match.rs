//! Records, choice and precedence of the 1990s: a blank line ends a record, a
//! name is a substring, the first match decides.
//!
//! Shared by rep1994, koster1996 and conner1996, which differ in the rules that
//! they know, in how a rule matches and in what else a record may hold.

use super::records::{Agent, Group, Records};
use super::verdict::{Choice, Reason, RuleType, Verdict};
use crate::agent::name_without_version;
use crate::line::{Line, LineKind, read_lines};

/// Whether a rule of a record matches a path: the record, the rule's type and
/// value, the path.
pub(super) type Matches = fn(&Group, RuleType, &[u8], &[u8]) -> bool;

/// Reads a body. `rules` are the lines that are rules to the dialect; `other`
/// takes every line whose key is none of the protocol's.
pub(super) fn read(
    body: &[u8],
    rules: &[LineKind],
    mut other: impl FnMut(&mut Records, &Line<'_>),
) -> Records {
    let mut records = Records::default();
    let rule = |records: &mut Records, rule_type, line: &Line<'_>| {
        if line.is_strict() && rules.contains(&line.kind) {
            records.push_rule(rule_type, line, line.value, line.value.len());
        }
    };
    read_lines(body, &mut |line: &Line<'_>| match line.kind {
        LineKind::Empty => records.end_group(),
        LineKind::UserAgent if line.is_strict() => {
            records.push_agent(Agent::from_name(line.value));
        }
        LineKind::Allow => rule(&mut records, RuleType::Allow, line),
        LineKind::Disallow => rule(&mut records, RuleType::Disallow, line),
        LineKind::Other if !line.is_missing_colon => other(&mut records, line),
        _ => {}
    });
    records
}

/// The verdict for a robot and a path: that of the first record with a name
/// that is a substring of the robot's, without regard to case, else of the
/// first `*` record.
pub(super) fn verdict<'r>(
    records: &'r Records,
    robot: &[u8],
    path: &[u8],
    matches: Matches,
) -> Verdict<'r> {
    records
        .first_by_substring(name_without_version(robot))
        .map_or(Verdict::NO_GROUP, |chosen| {
            verdict_in(records, chosen, path, matches)
        })
}

/// The verdict of the chosen record.
pub(super) fn verdict_in<'r>(
    records: &'r Records,
    (index, choice): (usize, Choice),
    path: &[u8],
    matches: Matches,
) -> Verdict<'r> {
    let record = &records.groups()[index];
    let verdict = records
        .rules(record)
        .iter()
        .find(|rule| matches(record, rule.effect, records.pattern(rule), path))
        .map_or(Verdict::no_match(index, choice), |rule| {
            records.verdict_of(rule, index, choice, Reason::FirstMatch)
        });
    Verdict {
        is_our_reading: record.is_version_two,
        ..verdict
    }
}
