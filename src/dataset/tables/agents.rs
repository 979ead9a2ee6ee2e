use robots_dialects::comparison::Class;
use robots_dialects::published::{CommonCrawlClass, DataProvenanceClass};
use robots_dialects::restriction::Restriction;

use super::values::names;
use super::{Str, Text, Texts};

table! {
    /// One row per policy and crawler name, groups of one name merged (RFC 9309 §2.2.1).
    "agents", AgentRow, AgentsBuilder, key: Policy(policy_id) {
        /// The policy.
        policy_id: i64 [LookedUp],
        /// The crawler's name: the product token as HTTP defines it (RFC 9110 §5.6.2 `token`) at
        /// the start of the user-agent line, lower case; `*` for the wildcard group.
        product_token: Text,
        /// The part of that name that RFC 9309 and Google's parser read (letters, `-` and `_`),
        /// which the dialects since 2019 compare: `mj` of `mj12bot`; null if they read nothing.
        rfc9309_token: Option<Text>,
        /// Value of the first user-agent line with this token, as written.
        user_agent_raw: Text,
        /// Groups with this token.
        n_groups: i32,
        /// Rules of these groups.
        n_rules: i32,
        /// allow rules.
        n_allow: i32,
        /// disallow rules.
        n_disallow: i32,
        /// First numeric crawl-delay that applies to the crawler; seconds. A crawl-delay applies
        /// only to the user-agent lines directly above it, without a rule or other directive of the
        /// group in between.
        crawl_delay: Option<f64>,
        /// Whether several different crawl-delays apply to the crawler.
        has_crawl_delay_conflict: bool,
        /// Whether a disallow rule matches every path (`/`, `*`, `/*`), regardless of other rules.
        has_disallow_root: bool,
        /// Exact, under RFC 9309, as in `root_disallowed_by`: how the paths that the crawler may
        /// fetch compare with those that crawlers without a group may fetch. equal: the same paths;
        /// stricter: fewer; looser: more; mixed: some are blocked and others opened. Null for `*`
        /// itself, and if the rules were too many to compare.
        versus_wildcard: Option<Str> = names!(some Class: Equal Stricter Looser Mixed),
        /// Exact, under RFC 9309 matching, `/robots.txt` aside: full if no path is allowed, none if
        /// every path is, else partial.
        restriction: Str = names!(Restriction: None Partial Full),
        /// Common Crawl's definition: disallow_all, allow_all or allow_part; null if the agent has
        /// no rule.
        restriction_cc: Option<Str> = names!(CommonCrawlClass: DisallowAll AllowAll AllowPart),
        /// The Data Provenance Initiative's definition: none, some or all.
        restriction_dpi: Str = names!(DataProvenanceClass: None Some All),
        /// The definition by path probes of Liu et al. (IMC 2025): none, partial or full.
        restriction_imc: Str = names!(Restriction: None Partial Full),
        /// `restriction` of the policy's row for `*`, which applies to crawlers without a group;
        /// null without such a row.
        wildcard_restriction: Option<Str>,
        /// The same for `restriction_cc`.
        wildcard_restriction_cc: Option<Str>,
        /// The same for `restriction_dpi`.
        wildcard_restriction_dpi: Option<Str>,
        /// The same for `restriction_imc`.
        wildcard_restriction_imc: Option<Str>,
        /// The dialects in which a crawler of this name may not fetch the path `/`: names as in
        /// `probes.dialect`, in the order of the standards. For `*`: a crawler that no group names.
        /// rep2019 and rfc9309 compare `rfc9309_token`; google compares the `rfc9309_token` of a
        /// line with the whole name of the crawler: no line names MJ12bot.
        root_disallowed_by: Texts,
    }
}
