//! `agents`: what a policy says to each crawler that it names.

use super::{Str, Text};

table! {
    /// One row per policy and crawler name, groups of one name merged (RFC 9309 §2.2.1).
    "agents", AgentRow, AgentsBuilder, key: Policy(policy_id) {
        /// The policy.
        policy_id: i64,
        /// The crawler's name: the product token as HTTP has it (RFC 9110 §5.6.2 `token`) at the
        /// start of the user-agent line, lower case; `*` for the wildcard group.
        product_token: Text,
        /// What RFC 9309 and Google's parser take of that name (letters, `-` and `_`), which the
        /// dialects since 2019 compare: `mj` of `mj12bot`; null where they take nothing.
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
        /// First numeric crawl-delay that holds for the crawler; seconds. A crawl-delay holds for
        /// the user-agent lines directly above it, with no rule or other directive of the group
        /// between, and not for all of the group.
        crawl_delay: Option<f64>,
        /// Whether several different crawl-delays hold for the crawler.
        has_crawl_delay_conflict: bool,
        /// Whether a disallow rule matches every path (`/`, `*`, `/*`), whatever else is said.
        has_disallow_root: bool,
        /// Whether the rules are the same as the rules of `*`, in the same order; null for `*`
        /// itself and without a group for `*`.
        same_as_wildcard: Option<bool>,
        /// Exact, under RFC 9309 matching, `/robots.txt` aside: full where no path is allowed,
        /// none where every path is, else partial.
        restriction: Str,
        /// Common Crawl's definition: disallow_all, allow_all or allow_part; null where the agent
        /// has no rule.
        restriction_cc: Option<Str>,
        /// The Data Provenance Initiative's definition: none, some or all.
        restriction_dpi: Str,
        /// The definition by path probes of Liu et al. (IMC 2025): none, partial or full.
        restriction_imc: Str,
        /// `restriction` of the policy's row for `*`, which applies to crawlers without a group;
        /// null without such a row.
        wildcard_restriction: Option<Str>,
        /// The same of `restriction_cc`.
        wildcard_restriction_cc: Option<Str>,
        /// The same of `restriction_dpi`.
        wildcard_restriction_dpi: Option<Str>,
        /// The same of `restriction_imc`.
        wildcard_restriction_imc: Option<Str>,
        /// Whether a crawler of this name may fetch the path `/`, by A Standard for Robot Exclusion
        /// (1994). For `*`: a crawler that no group names.
        root_rep1994: bool,
        /// The same by draft-koster-robots-00 (1996).
        root_koster1996: bool,
        /// The same by An Extended Standard for Robot Exclusion (1996).
        root_conner1996: bool,
        /// The same by draft-koster-rep-00 (2019).
        root_rep2019: bool,
        /// The same by RFC 9309 (2022), which compares `rfc9309_token`, as the draft of 2019 does.
        root_rfc9309: bool,
        /// The same by Google's open-source parser, which compares the `rfc9309_token` of a line
        /// with the whole name of the crawler: no line names MJ12bot.
        root_google: bool,
    }
}
