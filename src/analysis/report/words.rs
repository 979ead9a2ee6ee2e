//! Words for what queries name: crawlers, kinds, populations, mistakes.

use std::collections::BTreeMap;

use super::answer::Answer;

/// How operators spell their crawlers, by product token: the rows of the catalogue.
#[derive(Debug, Default)]
pub(super) struct Agents {
    names: BTreeMap<String, String>,
    /// Version of the shipped catalogue that the dataset was made with; empty if unknown.
    pub(super) version: String,
}

impl Agents {
    /// The names in an answer with product_token, name and catalog_version.
    pub(super) fn of(answer: &Answer) -> Self {
        let names = answer.rows().map(|row| {
            let (token, name) = (row.text("product_token"), row.text("name"));
            (token.into_owned(), name.into_owned())
        });
        let versions = answer
            .rows()
            .map(|row| row.text("catalog_version").into_owned());
        Self {
            names: names.collect(),
            version: versions.max().unwrap_or_default(),
        }
    }

    /// Whether the catalogue has this product token.
    pub(super) fn has(&self, token: &str) -> bool {
        self.names.contains_key(token)
    }

    /// The name of a crawler as its operator spells it; the token where it is not known.
    pub(super) fn name(&self, token: &str) -> String {
        match token {
            "*" => "* (all others)".to_owned(),
            token => match self.names.get(token) {
                Some(name) if !name.is_empty() => name.clone(),
                _ => token.to_owned(),
            },
        }
    }
}

/// Kinds of crawlers, as the catalogue names them, for people.
pub(super) fn category(name: &str) -> String {
    match name {
        "ai training" => "AI training",
        "ai search" => "AI search",
        "ai user action" => "AI on a user's request",
        "ai other" => "other AI",
        "ai by lists" => "AI, by lists",
        "seo" => "SEO",
        "" => "not in the catalogue",
        other => other,
    }
    .to_owned()
}

/// What crawlers of a kind are called: `an SEO crawler`.
pub(super) fn crawlers_of_kind(name: &str) -> String {
    match name {
        "ai training" => "a crawler for AI training",
        "ai search" => "a crawler for AI search",
        "ai user action" => "an AI crawler that fetches on a user's request",
        "ai other" => "another AI crawler",
        "ai by lists" => "an AI crawler (by lists)",
        "unclear" => "a crawler of unclear purpose",
        "seo" => "an SEO crawler",
        "search engine" => "a search engine's crawler",
        "web archiving" => "a web archive's crawler",
        "monitoring" => "a monitoring crawler",
        "advertising" => "an advertising crawler",
        "page preview" => "a page previewer",
        "feed" => "a feed reader",
        "other" => "a crawler for another purpose",
        "" => "a crawler that is not in the catalogue",
        other => return format!("a crawler of the kind \u{201c}{other}\u{201d}"),
    }
    .to_owned()
}

/// Platforms that write robots.txt files, as they spell themselves.
pub(super) fn platform(name: &str) -> String {
    match name {
        "wordpress" => "WordPress",
        "drupal" => "Drupal",
        "joomla" => "Joomla",
        "shopify" => "Shopify",
        "cloudflare" => "Cloudflare",
        "squarespace" => "Squarespace",
        "wix" => "Wix",
        "yoast" => "Yoast SEO",
        "typo3" => "TYPO3",
        "magento" => "Magento",
        "prestashop" => "PrestaShop",
        "wordpress.com" => "WordPress.com",
        "wpforms" => "WPForms",
        "craft" => "Craft CMS",
        "dark-visitors" => "Dark Visitors",
        "rank-math" => "Rank Math",
        "salesforce" => "Salesforce",
        "seo-ultimate" => "SEO Ultimate",
        "blogger" => "Blogger",
        "ghost" => "Ghost",
        "hubspot" => "HubSpot",
        "weebly" => "Weebly",
        other => other,
    }
    .to_owned()
}

/// Populations, as queries name them, as what a share is of.
pub(super) fn population(name: &str) -> &'static str {
    match name {
        "captured" => "hosts captured",
        "answered" => "hosts that answered conclusively",
        "with_file" => "hosts with a robots.txt",
        "with_rules" => "hosts with rules",
        "blocking an AI crawler" => "hosts that block an AI crawler by name",
        "with_body" => "hosts that answered with a body",
        _ => "hosts",
    }
}

/// Kinds of mistakes: what the author of a file did.
pub(super) fn mistake(kind: &str) -> String {
    match kind {
        "directive_splits_group" => "another line splits a group's user-agent lines",
        "not_a_directive" => "line that is not a directive",
        "rule_without_slash" => "path without / or * at its beginning",
        "rule_is_url" => "URL instead of a path",
        "missing_colon" => "no colon after the key",
        "rule_outside_group" => "rule before any user-agent line",
        "byte_order_mark" => "byte order mark within the file",
        "tolerated_spelling" => "misspelt key that parsers accept",
        "misspelling" => "misspelt key that is lost",
        "no_product_token" => "user-agent line without a name",
        "line_too_long" => "line longer than parsers read",
        "nul" => "NUL bytes",
        other => return other.replace('_', " "),
    }
    .to_owned()
}

/// Classes of responses.
pub(super) fn response(class: &str) -> String {
    class
        .replace("allow_all", "no file (404 and the like)")
        .replace("defer", "error")
        .replace('_', " ")
}
