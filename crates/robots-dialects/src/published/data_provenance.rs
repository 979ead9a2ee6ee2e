//! None, some, all: the Data Provenance Initiative's classes of restriction.
//!
//! Source: S. Longpre et al., "Consent in Crisis: The Rapid Decline of the AI Data Commons" (2024,
//! arXiv 2407.14933), as computed by `interpret_agent` in `src/web_analysis/parse_robots.py` (lines
//! 85 to 101) of `Data-Provenance-Initiative/Data-Provenance-Collection`, commit `ce6662d`, which
//! `robots_util.py` calls.
//!
//! Values that contain a `?` are left out first, allow and disallow alike, so that an agent with
//! nothing but `Disallow: /*?` is not restricted. One `Disallow:` without a value is "none", two of
//! them are "some". Any allow rule, even an empty one or one for a path that no rule disallows,
//! turns "all" into "some".

use crate::named::named;
use crate::rule::{Rule, RuleType};

named! {
    /// The Data Provenance Initiative's judgement of the rules of one agent.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum DataProvenanceClass {
        /// No disallow value, a single empty disallow value, or the same allow and disallow values
        /// in the same order.
        None = "none",
        /// Anything else.
        Some = "some",
        /// `Disallow: /` among the values, and no allow value.
        All = "all",
    }
}

/// The judgement of `rules`, the merged rules of one agent in file order.
#[must_use]
pub fn data_provenance<'a>(rules: impl Iterator<Item = Rule<'a>> + Clone) -> DataProvenanceClass {
    let values = move |rule_type| {
        rules
            .clone()
            .filter(move |rule| rule.rule_type == rule_type && !rule.traits.has_query)
            .map(|rule| rule.path_raw)
    };
    let disallowed = values(RuleType::Disallow);
    let is_unrestricted = disallowed.clone().next().is_none()
        || disallowed.clone().eq([b"".as_slice()])
        || disallowed.clone().eq(values(RuleType::Allow));
    if is_unrestricted {
        DataProvenanceClass::None
    } else if disallowed.clone().any(|value| value == b"/")
        && values(RuleType::Allow).next().is_none()
    {
        DataProvenanceClass::All
    } else {
        DataProvenanceClass::Some
    }
}
