//! Choice and precedence of the 1990s: a name is a substring, the first match decides.
//!
//! Shared by rep1994, koster1996 and conner1996, which differ in the rules that they know, in how a
//! rule matches and in what else a record may hold.

use super::records::Records;
use super::rules::Matches;
use super::verdict::{Choice, Reason, Verdict};

/// The verdict for a crawler's name without version and a path: it comes from the first record with
/// a name that is a substring of the crawler's name, in any case, else from the first `*` record.
pub(super) fn verdict<'r>(
    records: &'r Records,
    crawler: &[u8],
    path: &[u8],
    matches: Matches,
) -> Verdict<'r> {
    let chosen = records.first_by_substring(crawler);
    chosen.map_or(Verdict::NO_GROUP, |chosen| {
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
    records
        .rules(record)
        .iter()
        .find(|rule| matches(record, rule.rule_type, records.pattern(rule), path))
        .map_or(Verdict::no_match(index, choice), |rule| {
            records.verdict_of(rule, index, choice, Reason::FirstMatch)
        })
}
