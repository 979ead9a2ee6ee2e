//! The dialects that the protocol has had since 1994.
//!
//! Dialects share lines, patterns, percent-encoding and the storage of groups, not behaviour: one
//! file per dialect, which names its source, defines the meaning of a blank line, an unknown line,
//! an agent's name or two matching rules.
//!
//! ```
//! use robots_dialects::dialect::Dialect;
//! use robots_dialects::path::UrlPath;
//!
//! let body = b"User-agent: *\nAllow: /\nDisallow: /private\n";
//! let path = UrlPath::from_url(b"https://example.com/private/a");
//! let allowed = |dialect: Dialect| dialect.compile(body).verdict(b"x", &path).allowed;
//! assert!(allowed(Dialect::Koster1996)); // the first match decides
//! assert!(!allowed(Dialect::Rfc9309)); // the longest match decides
//! ```

mod chosen_groups;
mod conner1996;
mod decision;
mod google;
mod koster1996;
mod names;
mod records;
mod rep1994;
mod rep2019;
mod rfc9309;
mod rules;
mod ruleset;
mod ruleset_builder;
mod verdict;

use std::fmt;
use std::str::FromStr;

use decision::Decision;
use rules::DialectRules;
pub(crate) use rules::PathForm;

pub use chosen_groups::Crawler;
pub(crate) use chosen_groups::{ChosenRule, CrawlerGroups};
pub use ruleset::Ruleset;
pub(crate) use ruleset_builder::RulesetBuilder;
pub use verdict::{Choice, MatchedRule, Reason, RuleType, Verdict};

use crate::named::named;
use crate::path::{ROBOTS_TXT, UrlPath};

named! {
    /// One dialect of the protocol; the oldest is first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Dialect {
        /// "A Standard for Robot Exclusion", June 1994.
        Rep1994 = "rep1994",
        /// "A Method for Web Robots Control", draft-koster-robots-00, 1996.
        Koster1996 = "koster1996",
        /// "An Extended Standard for Robot Exclusion", version 2.0, 1996.
        Conner1996 = "conner1996",
        /// draft-koster-rep-00, July 2019.
        Rep2019 = "rep2019",
        /// RFC 9309, September 2022.
        Rfc9309 = "rfc9309",
        /// Google's specification and open-source parser.
        Google = "google",
    }
}

impl Dialect {
    const fn rules(self) -> &'static DialectRules {
        match self {
            Self::Rep1994 => &rep1994::RULES,
            Self::Koster1996 => &koster1996::RULES,
            Self::Conner1996 => &conner1996::RULES,
            Self::Rep2019 => &rep2019::RULES,
            Self::Rfc9309 => &rfc9309::RULES,
            Self::Google => &google::RULES,
        }
    }

    pub(crate) const fn path_form(self) -> PathForm {
        self.rules().paths
    }

    pub(crate) fn exempts_robots_txt(self) -> bool {
        (self.rules().is_exempt)(&UrlPath::new(ROBOTS_TXT))
    }

    /// Whether the longest match decides; else the first match in the file does.
    pub(crate) const fn is_longest_match(self) -> bool {
        matches!(self.rules().decision, Decision::LongestMatch { .. })
    }

    /// The document that the dialect implements.
    #[must_use]
    pub const fn source(self) -> &'static str {
        self.rules().source
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A name that is not a dialect's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDialect(String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Dialect::ALL.map(Dialect::name).join(", ");
        write!(
            formatter,
            "no dialect is called {:?}; there are {names}",
            self.0
        )
    }
}

impl std::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
            .ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}
