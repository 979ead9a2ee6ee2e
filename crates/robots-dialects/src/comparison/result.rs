//! What a comparison finds.

use super::decision_list::DecidingRule;
use crate::named::named;

named! {
    /// How one policy compares with another.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Class {
        /// Both allow the same paths.
        Equal = "equal",
        /// The new policy allows less.
        Stricter = "stricter",
        /// The new policy allows more.
        Looser = "looser",
        /// Each policy allows some paths that the other does not.
        Mixed = "mixed",
        /// The class is not known: the work limit was reached, a rule could not be compared, or the
        /// dialects compare paths in different forms.
        Undecided = "undecided",
    }
}

impl Class {
    /// The class for several crawlers together, or by several dialects.
    #[must_use]
    pub fn of_all(classes: impl IntoIterator<Item = Self>) -> Self {
        let classes: Vec<Self> = classes.into_iter().collect();
        let has = |class| classes.contains(&class);
        match [has(Self::Stricter), has(Self::Looser)] {
            [true, true] => Self::Mixed,
            _ if has(Self::Mixed) => Self::Mixed,
            _ if has(Self::Undecided) => Self::Undecided,
            [true, false] => Self::Stricter,
            [false, true] => Self::Looser,
            [false, false] => Self::Equal,
        }
    }
}

named! {
    /// What happens to the paths of a reason.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Direction {
        /// They were allowed and no longer are.
        Blocked = "blocked",
        /// They were not allowed and now are.
        Opened = "opened",
    }
}

/// Two rules that decide some paths differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason<'r> {
    /// What happens to the paths.
    pub direction: Direction,
    /// The rule that decided the paths in the old file; `None` if no rule did.
    pub old: Option<DecidingRule<'r>>,
    /// The rule that decides the paths in the new file; `None` if no rule does.
    pub new: Option<DecidingRule<'r>>,
    /// Patterns, in the syntax of RFC 9309 §2.2.3, that match all the paths. Empty if the automaton
    /// decided, because it has states in place of patterns.
    pub patterns: Vec<Vec<u8>>,
    /// Paths that the patterns match but that do not change in this direction.
    pub exceptions: Exceptions,
    /// One of the paths.
    pub witness: Vec<u8>,
}

/// The paths of a reason's patterns that other rules decide, as patterns.
///
/// If the comparison and its exceptions are complete, a path changes exactly when it matches a
/// pattern of some reason and no exception of that reason. (If the dialect exempts the path
/// `/robots.txt`, that path does not change.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exceptions {
    /// Paths that a rule of the old file decided as the new file does.
    pub old: Vec<Vec<u8>>,
    /// Paths that a rule of the new file decides as the old file did.
    pub new: Vec<Vec<u8>>,
    /// Whether all exceptions are listed; not if a limit was reached or the automaton decided.
    pub is_complete: bool,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Comparison<'r> {
    /// How the new policy compares with the old one.
    pub class: Class,
    /// Whether all reasons are listed, with all their patterns.
    pub is_complete: bool,
    /// The reasons: blocked paths before opened paths, and shorter patterns first.
    pub reasons: Vec<Reason<'r>>,
    /// Steps that the comparison took, a nanosecond or two each.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub work: usize,
}
