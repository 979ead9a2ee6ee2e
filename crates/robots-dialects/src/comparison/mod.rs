//! What a change to a robots.txt means: which paths a crawler may fetch only before it or only
//! after it.
//!
//! [`compare`] answers for one crawler and one dialect, exactly: the class is proved, or it is
//! [`Class::Undecided`]. Each reason is a pair of rules, one of each file, with a path that the two
//! decide differently.
//!
//! # One list for every dialect
//!
//! A dialect's answer is a list of patterns in which the first match decides ([`DecisionList`]). In
//! the dialects of the 1990s, the list has the order of the file. Since 2019 the longest pattern
//! decides, and allow wins ties: the list is sorted by falling length, with an allow before a
//! disallow of the same length, and equal patterns in file order. If the dialect exempts the path
//! of the robots.txt itself, that path is the first entry of every list. The last entry matches
//! every path and, except in [`DecisionList::disallow_all`], allows it. So each path has exactly
//! one deciding entry on each side.
//!
//! Patterns and paths are strings of symbols (`symbol`): the bytes that the dialect compares, after
//! its normalisation. Every such string that begins with a slash is the form of some path:
//!
//! - `rep2019` and `rfc9309` compare strings of US-ASCII without `*` and `$`. Each is the form of
//!   some URL path, because escapes of unreserved characters are decoded: even `%41`, which would
//!   itself be decoded, is the form of `%%34%31`.
//! - `koster1996` compares decoded bytes and the escaped slash, `rep1994`, `conner1996` and
//!   `google` compare bytes as they are. (`google` ends a path at NUL, which no pattern contains.)
//!
//! Here a path is any such string. Rules that cannot match a path (`Disallow: a`) are left out.
//!
//! # Why a few paths are enough
//!
//! The *cell* of entry P of the old list and entry Q of the new list is the set of paths that they
//! decide together: both match the path, and no earlier entry of either list does. The answer
//! follows from the cells of an entry that allows and an entry that disallows. It is equal if all
//! such cells are empty, stricter if all others have the allowing entry in the old list, looser if
//! all others have it in the new list, and mixed if there are both kinds.
//!
//! **The paths that both patterns match are a finite union of patterns M.** Read a path that both
//! match, with P and Q at once. Each symbol is taken by a literal or a star of P, and by a literal
//! or a star of Q. For symbols that stars of both take, M has a star; every other symbol is a
//! literal of P, of Q, or of both, and it is a literal of M. So M matches the path. The stars of P
//! and Q in the places of M's stars can take whatever M's stars take; so P and Q match what M
//! matches. Each literal of M uses up a literal of P or Q, and there is at most one star between
//! two literals. So there are finitely many M; `merge` finds them by trying at each step which star
//! ends.
//!
//! **An entry that matches M itself matches whatever M matches.** Replace the stars of M by a
//! symbol ζ that no pattern has as a literal. A pattern R that matches this string takes each ζ
//! with a star, which also takes whatever else replaces ζ. So the entries before P and Q together
//! match all that M matches exactly when one of them matches the string: if none does, the string
//! is a path that they miss, and P and Q decide it. The cell of P and Q is empty exactly when every
//! M is matched by an earlier entry.
//!
//! [`STAR`](symbol::STAR) serves as ζ; in a witness, ζ is a symbol that no pattern contains. A line
//! feed is such a symbol in every dialect except `koster1996`, whose rules can name every byte. If
//! they do, or if a pattern of `conner1996` has `?` or a set (which a union of other patterns may
//! cover), the product automaton decides (`automaton`).
//!
//! # Which pairs are tried
//!
//! If the new list has the pattern of P at an earlier place than Q, P's twin decides before Q does,
//! and the cell is empty. So a pair can only matter if P does not come after the twin of Q, and Q
//! does not come after the twin of P. Two unchanged rules never meet both conditions. The time for
//! a usual edit is the number of changed rules times the number of all rules.
//!
//! # Time
//!
//! 94% of real rules have no star and 99.98% have at most two, so merges are few. Rules written
//! with many stars, or lists of thousands of rules that all match each other, reach a limit of
//! steps (`WORK`). The reasons found by then are listed; the class is [`Class::Undecided`] unless
//! there is a path for each direction.

mod automaton;
mod beginnings;
mod crawlers;
mod decision_list;
mod dialects;
mod findings;
mod meaning;
mod merge;
mod normal_form;
mod result;
mod symbol;
#[cfg(test)]
mod tests;

pub use crawlers::{CrawlersComparison, Policy, compare_crawlers};
pub use decision_list::{DecidingRule, DecisionList};
pub use dialects::compare_dialects;
pub use findings::{MAX_REASONS, compare};
pub use meaning::Meaning;
pub use result::{Class, Comparison, Direction, Exceptions, Reason};

/// Steps for one comparison, some 0.2 s; a step takes a nanosecond or two.
const WORK: usize = 1 << 27;

/// Takes `steps` from the steps that are left; if there are fewer, all of them (`None`).
#[inline]
fn spend(left: &mut usize, steps: usize) -> Option<()> {
    let is_enough = *left >= steps;
    *left = left.saturating_sub(steps);
    is_enough.then_some(())
}
