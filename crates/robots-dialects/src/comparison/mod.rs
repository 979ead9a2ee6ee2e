//! What a change of a robots.txt means: which paths a crawler may fetch before it or after it, but
//! not both.
//!
//! [`compare`] answers for one crawler and one dialect, exactly: the class is proved, or it is
//! [`Class::Undecided`]. Each reason is a pair of rules, one of each file, with a path that the
//! first decides one way in the old file and the second the other way in the new one.
//!
//! # One list for every dialect
//!
//! A dialect's answer is a list of patterns of which the first that matches decides
//! ([`DecisionList`]). In the dialects of the 1990s that is the order of the file. Since 2019 the
//! longest pattern decides, and allow wins ties: the list is sorted by length, an allow before a
//! disallow of its length, and the first of equals in front. The path of the robots.txt itself,
//! where the dialect exempts it, is the first entry of every list. The last entry matches every
//! path and, except in [`DecisionList::disallow_all`], allows it. So each path has exactly one
//! deciding entry on each side.
//!
//! Patterns and paths are strings of symbols (`symbol`): the bytes that the dialect compares, after
//! its normalisation. Every such string that begins with a slash is the form of some path:
//!
//! - `rep2019` and `rfc9309` compare strings of US-ASCII without `*` and `$`. A URL can have any of
//!   them: an unreserved character may be escaped, and is decoded; so even `%41`, the escape of a
//!   letter, which is decoded where it is seen, is the form of `%%34%31`.
//! - `koster1996` compares decoded bytes and the escaped slash, `rep1994`, `conner1996` and
//!   `google` compare bytes as they are. (`google` ends a path at NUL, which no pattern holds.)
//!
//! Paths are such strings, of any bytes. Rules that cannot match one (`Disallow: a`) are left out.
//!
//! # Why a few paths are enough
//!
//! The paths that entry P of the old list and entry Q of the new one decide together, their *cell*,
//! are those which both match and no earlier entry of either list does. The answer follows from the
//! cells of an entry that allows and an entry that does not. It is stricter if all such cells that
//! are not empty have the allowing entry in the old list, looser if all have it in the new list,
//! mixed if there are both kinds, and equal if all such cells are empty.
//!
//! **Both patterns together are a finite union of patterns M.** Read a path that both match, with P
//! and Q at once. A literal or a star of P takes each symbol, and so does a literal or a star of Q.
//! For symbols that stars of both take, M has a star; every other symbol is a literal of P, of Q,
//! or of both, and it is a literal of M. So M matches the path. The stars of P and Q in the places
//! of M's stars can take whatever M's stars take; so P and Q match what M matches. Each literal of
//! M uses up a literal of P or Q, and there is one star at most between two literals. So there are
//! finitely many M; `merge` finds them by trying at each step which star ends.
//!
//! **An entry that matches M itself matches whatever M matches.** Take the stars of M for a symbol
//! ζ that no pattern has as a literal. A pattern R that matches this string takes each ζ with a
//! star, and a star takes whatever else is in its place. So the entries before P and Q together
//! match all that M matches exactly when one of them matches the string: if none does, the string
//! is a path that they miss, and P and Q decide it. The cell of P and Q is empty exactly when for
//! each M an earlier entry matches it.
//!
//! [`STAR`](symbol::STAR) serves as ζ; in a witness, ζ is a symbol that no pattern holds. A line
//! feed is one in every dialect but `koster1996`, whose rules can name every byte. If they do, or
//! if a pattern of `conner1996` has `?` or a set (which a union of others may cover), the product
//! automaton decides (`automaton`).
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
//! 94% of real rules have no star and 99.98% have at most two, so merges are few. Rules written to
//! have many, or lists of thousands of rules that all match each other, reach a limit of steps
//! (`WORK`). The reasons found by then are given; the class is [`Class::Undecided`] unless there is
//! a path for each direction.

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

/// Takes `steps` from those that are left. If there are fewer, it takes them all and gives `None`.
#[inline]
fn spend(left: &mut usize, steps: usize) -> Option<()> {
    let is_enough = *left >= steps;
    *left = left.saturating_sub(steps);
    is_enough.then_some(())
}
