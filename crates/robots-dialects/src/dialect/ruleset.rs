//! A robots.txt as one dialect reads it, ready for many queries.

use std::sync::OnceLock;

use super::Dialect;
use super::records::Records;
use super::verdict::{Choice, Reason, Verdict};
use crate::path::UrlPath;
use crate::visit::VisitTerms;

/// A robots.txt as one dialect reads it. Answers any number of queries; after the first
/// [`verdict`](Self::verdict), without allocating.
#[derive(Clone, Debug)]
pub struct Ruleset {
    dialect: Dialect,
    pub(super) records: Records,
    /// Made for the first verdict if the dialect may unescape; `None` if that changes nothing.
    unescaped: OnceLock<Option<Records>>,
}

impl Ruleset {
    pub(super) fn empty(dialect: Dialect) -> Self {
        Self {
            dialect,
            records: Records::default(),
            unescaped: OnceLock::new(),
        }
    }

    /// The dialect that read the body.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Number of groups as the dialect forms them.
    #[must_use]
    pub fn n_groups(&self) -> usize {
        self.records.groups.len()
    }

    /// Whether `agent` may fetch `path`, and by which rule. `agent` is a product token or a name
    /// with version (`ExampleBot/1.0`); `google` accepts only the bare token, as Google's parser
    /// does. At most linear in the path times the rules of the chosen groups.
    #[must_use]
    pub fn verdict(&self, agent: &[u8], path: &UrlPath<'_>) -> Verdict<'_> {
        let rules = self.dialect.rules();
        if (rules.is_exempt)(path) {
            return Verdict::without_group(Reason::RobotsTxt);
        }
        let (name, compared) = ((rules.name_of_crawler)(agent), (rules.path_form)(path));
        let verdict = rules.decision.verdict(&self.records, name, compared);
        let group = verdict.group.map(|index| &self.records.groups[index]);
        let is_open = group.is_some_and(|group| (rules.is_interpretation)(group, verdict.rule));
        Verdict {
            is_interpretation: is_open || self.depends_on_escapes(name, path, &verdict),
            ..verdict
        }
    }

    /// [`Verdict::allowed`] alone, without the search for other interpretations.
    #[must_use]
    pub fn allows(&self, agent: &[u8], path: &UrlPath<'_>) -> bool {
        let rules = self.dialect.rules();
        let (name, compared) = ((rules.name_of_crawler)(agent), (rules.path_form)(path));
        (rules.is_exempt)(path)
            || (rules.decision)
                .verdict(&self.records, name, compared)
                .allowed
    }

    /// Whether the verdict would be different if reserved characters equalled their escapes.
    fn depends_on_escapes(&self, name: &[u8], path: &UrlPath<'_>, verdict: &Verdict<'_>) -> bool {
        let rules = self.dialect.rules();
        if !rules.may_unescape {
            return false;
        }
        let make = || self.records.unescaped();
        let unescaped = self.unescaped.get_or_init(make).as_ref();
        if unescaped.is_none() && path.unescaped().is_none() {
            return false;
        }
        let records = unescaped.unwrap_or(&self.records);
        let path = path.unescaped().unwrap_or_else(|| (rules.path_form)(path));
        let other = rules.decision.verdict(records, name, path);
        (other.allowed, other.line) != (verdict.allowed, verdict.line)
    }

    /// The first of a crawler's tokens, most specific first, that a group names. Pass it to
    /// `verdict` if an operator documents fallbacks (`Googlebot-News`, then `Googlebot`). If no
    /// group names any of them, `*` applies.
    ///
    /// ```
    /// use robots_dialects::dialect::Dialect;
    ///
    /// let ruleset = Dialect::Google.compile(b"user-agent: example\ndisallow: /\n");
    /// let tokens: [&[u8]; 2] = [b"example-news", b"example"];
    /// assert_eq!(ruleset.first_named(&tokens), Some(tokens[1]));
    /// ```
    #[must_use]
    pub fn first_named<'t>(&self, tokens: &[&'t [u8]]) -> Option<&'t [u8]> {
        let root = UrlPath::new(b"/");
        tokens
            .iter()
            .find(|token| self.verdict(token, &root).choice == Choice::Named)
            .copied()
    }

    /// When and how fast `agent` may visit; `None` unless a record of conner1996 applies.
    #[must_use]
    pub fn visit_terms(&self, agent: &[u8]) -> Option<&VisitTerms> {
        let group = self.verdict(agent, &UrlPath::new(b"/")).group?;
        let has_terms = self.dialect.rules().has_visit_terms;
        has_terms.then(|| &self.records.groups[group].terms)
    }
}
