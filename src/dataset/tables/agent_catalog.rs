//! `agent_catalog`: well-known crawlers, and what their operators say about them.
//!
//! Not one of the tables that an ingest extends: it is written as a whole, from the
//! [catalogue](crate::dataset::catalog).

use super::{Day, Str, Texts};

/// The purposes of crawlers; the first purpose of a crawler is its category.
pub const CATEGORIES: [&str; 13] = [
    "search engine",
    "advertising",
    "seo",
    "ai training",
    "ai search",
    "ai user action",
    "ai other",
    "page preview",
    "web archiving",
    "monitoring",
    "feed",
    "other",
    "unclear",
];

/// Whether a crawler is in use.
pub const STATUSES: [&str; 3] = ["active", "renamed", "retired"];

/// The source for the claim that a crawler gathers pages for AI.
pub const AI_BASES: [&str; 2] = ["operator", "lists"];

/// Whether a crawler obeys robots.txt, as its operator documents it.
pub const OBEDIENCE: [&str; 4] = ["yes", "may not", "no", "undocumented"];

table! {
    /// One row per product token of a well-known crawler: who runs it, and what for. Contains the
    /// shipped rows and those that `robostat ingest --catalog` added or replaced.
    "agent_catalog", AgentCatalogRow, AgentCatalogBuilder {
        /// Product token, as in `agents.product_token`: the HTTP product token of the crawler's
        /// name (RFC 9110 §5.6.2), lower case.
        product_token: Str,
        /// The crawler's name as its operator spells it.
        name: Str,
        /// Who runs it; null if anyone can run the software, or if unknown.
        operator: Option<Str>,
        /// The first of `purposes`: search engine, advertising, seo, ai training, ai search, ai
        /// user action, ai other, page preview, web archiving, monitoring, feed, other or unclear.
        category: Str = CATEGORIES,
        /// Its purposes, in the words of `category`: as its operator documents them, else as in
        /// public lists of crawlers (`is_ai_basis`).
        purposes: Texts,
        /// A short quotation of its operator about its purpose; null if none was found.
        operator_statement: Option<Str>,
        /// URL of the page that is quoted.
        statement_source: Option<Str>,
        /// When that page was read; the first of the month if the day is not known.
        statement_date: Option<Day>,
        /// Whether AI models or assistants are among the known uses of the fetched pages, whatever
        /// the category.
        is_ai: bool,
        /// The source for `is_ai`: operator, or lists (public lists and studies only). Null if
        /// `is_ai` is false, and for rows given without it.
        is_ai_basis: Option<Str> = AI_BASES,
        /// Product token whose group the crawler follows if no group names the crawler, as its
        /// operator documents; null if the group for `*` is next.
        fallback_token: Option<Str>,
        /// Whether the group for `*` applies to it; false for crawlers that, according to their
        /// operators, follow only their own group.
        obeys_wildcard: bool,
        /// When it became known: the day of its announcement, else the day on which a public list
        /// first named it (`since_source`); the crawler may then be older. Null if neither is
        /// known.
        since: Option<Day>,
        /// URL of the operator's documentation, else of the list that names the crawler.
        source: Str,
        /// active: the operator's current documentation names it; renamed: another name has
        /// replaced it (`successor_token`); retired: the documentation no longer names it, or
        /// announces its end. Null if that is not known.
        status: Option<Str> = STATUSES,
        /// Product token of the crawler that replaced it; null if none did.
        successor_token: Option<Str>,
        /// URL of the source of `since`: an announcement, a page that reports it, or the change of
        /// a public list.
        since_source: Option<Str>,
        /// Whether it obeys robots.txt, as its operator documents it: yes; may not (exceptions are
        /// reserved); no (it generally does not); undocumented (nothing was found). Null if it was
        /// not looked up. Crawlers may behave differently.
        obeys_robots: Option<Str> = OBEDIENCE,
        /// When that was looked up.
        obeys_robots_date: Option<Day>,
        /// URL of the documentation, or of the list that found none.
        obeys_robots_source: Option<Str>,
        /// Version of the shipped catalogue that the row is from, the day of its last change; null
        /// for rows given with `--catalog`.
        catalog_version: Option<Str>,
    }
}
