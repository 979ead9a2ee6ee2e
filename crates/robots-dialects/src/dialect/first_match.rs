//! Precedence of the 1990s: the first match decides.
//!
//! Shared by rep1994, koster1996 and conner1996, which differ in the rules that they know, in how a
//! rule matches and in what else a record may hold.

use super::records::Records;
use super::rules::Matches;
use super::verdict::{Choice, Reason, Verdict};

/// The verdict of the chosen record.
pub(super) fn verdict_in<'r>(
    records: &'r Records,
    (index, choice): (usize, Choice),
    path: &[u8],
    matches: Matches,
) -> Verdict<'r> {
    let record = &records.groups()[index];
    records
        .rules(record)
        .iter()
        .find(|rule| matches(record, rule.rule_type, records.pattern(rule), path))
        .map_or(Verdict::no_match(index, choice), |rule| {
            records.verdict_of(rule, index, choice, Reason::FirstMatch)
        })
}
