//! A body as one dialect reads it, ready for many questions.

use super::records::Records;
use super::verdict::{Choice, Verdict};
use super::{Dialect, conner1996, first_match, google, koster1996, rep1994, rep2019, rfc9309};
use crate::path::{ROBOTS_TXT, UrlPath};
use crate::percent::koster_equals;
use crate::visit::VisitTerms;

/// A robots.txt as one dialect reads it. Answers any number of questions without
/// allocating.
#[derive(Clone, Debug)]
pub struct Compiled {
    dialect: Dialect,
    pub(super) records: Records,
    /// Per group; empty unless the dialect is conner1996.
    terms: Vec<VisitTerms>,
}

impl Compiled {
    pub(super) fn new(dialect: Dialect, body: &[u8]) -> Self {
        let mut terms = Vec::new();
        let records = match dialect {
            Dialect::Rep1994 => rep1994::read(body),
            Dialect::Koster1996 => koster1996::read(body),
            Dialect::Conner1996 => conner1996::read(body, &mut terms),
            Dialect::Rep2019 => rep2019::read(body),
            Dialect::Rfc9309 => rfc9309::read(body),
            Dialect::Google => google::read(body),
        };
        Self {
            dialect,
            records,
            terms,
        }
    }

    /// The dialect that read the body.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Number of groups as the dialect draws them.
    #[must_use]
    pub fn n_groups(&self) -> usize {
        self.records.groups().len()
    }

    /// Whether `agent` may fetch `path`. `agent` is a product token or a name
    /// with version (`ExampleBot/1.0`); google takes the bare token only, as its
    /// parser does. At most linear in the path times the rules of the chosen
    /// groups.
    #[must_use]
    pub fn verdict(&self, agent: &[u8], path: &UrlPath<'_>) -> Verdict<'_> {
        if self.exempts(path) {
            return Verdict::ROBOTS_TXT;
        }
        let records = &self.records;
        match self.dialect {
            Dialect::Rep1994 | Dialect::Koster1996 | Dialect::Conner1996 => {
                first_match::verdict(records, agent, path.bytes(), self.first_match())
            }
            Dialect::Rep2019 => rep2019::verdict(records, agent, path),
            Dialect::Rfc9309 => rfc9309::verdict(records, agent, path),
            Dialect::Google => google::verdict(records, agent, path),
        }
    }

    /// Whether `path` is that of the robots.txt itself, in the form in which the
    /// dialect compares paths, and the dialect exempts it from the rules.
    pub(super) fn exempts(&self, path: &UrlPath<'_>) -> bool {
        match self.dialect {
            Dialect::Rep1994 | Dialect::Conner1996 => path.bytes() == ROBOTS_TXT,
            Dialect::Koster1996 => koster_equals(path.bytes(), ROBOTS_TXT),
            Dialect::Rep2019 | Dialect::Rfc9309 => path.normalised() == ROBOTS_TXT,
            Dialect::Google => false,
        }
    }

    /// How a rule matches, where the first match decides.
    pub(super) const fn first_match(&self) -> first_match::Matches {
        match self.dialect {
            Dialect::Koster1996 => koster1996::matches,
            Dialect::Conner1996 => conner1996::matches,
            _ => rep1994::matches,
        }
    }

    /// The first of a crawler's tokens, most specific first, that a group
    /// names: the one to ask a verdict for where an operator documents fallbacks
    /// (`Googlebot-News`, then `Googlebot`). Without one, `*` applies to any.
    #[must_use]
    pub fn first_named<'t>(&self, tokens: &[&'t [u8]]) -> Option<&'t [u8]> {
        let root = UrlPath::new(b"/");
        tokens
            .iter()
            .find(|token| self.verdict(token, &root).choice == Choice::Named)
            .copied()
    }

    /// When and how fast `agent` may visit. `None` unless the dialect is
    /// conner1996 and a record applies.
    #[must_use]
    pub fn visit_terms(&self, agent: &[u8]) -> Option<&VisitTerms> {
        let group = self.verdict(agent, &UrlPath::new(b"/")).group?;
        self.terms.get(group)
    }
}
