//! Words for names in answers: crawlers, kinds, platforms, mistakes. `texts/words.txt` has them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::answer::Answer;
use super::format::grouped;
use crate::analysis::lists::{self, Entry, Lists};

pub(super) static GROUPS: LazyLock<Lists> = LazyLock::new(|| {
    lists::read(&[
        include_str!("texts/words.txt"),
        include_str!("texts/common.txt"),
        include_str!("texts/methods.txt"),
        include_str!("texts/terms.txt"),
    ])
});

/// A name in the words of a group; code makes the words of `range`, `rules`, `month` and `key`.
/// The words of `*` are for any other name, which replaces `…` in them. Without `*`, a name stays,
/// with spaces for underscores.
pub(super) fn of(group: &str, name: &str) -> String {
    let words = texts(group);
    let known = || lists::find(words, name.trim()).or_else(|| lists::find(words, "*"));
    match group {
        "range" => range(name),
        "rules" => rules(name),
        "month" => name.get(..7).unwrap_or(name).to_owned(),
        "key" => misspelt_key(name),
        _ => known().map_or_else(|| name.replace('_', " "), |it| it.replace('…', name)),
    }
}

/// A range of ranks: `top 1,000`, `1,001–10,000`.
fn range(stratum: &str) -> String {
    match (stratum.strip_prefix("top "), stratum.split_once(" to ")) {
        (Some(top), _) => format!("top {}", grouped(top)),
        (None, Some((from, to))) => format!("{}–{}", grouped(from), grouped(to)),
        (None, None) => of("rank", stratum),
    }
}

/// The first rules of a rule set.
fn rules(rules: &str) -> String {
    let rules = rules.split(", ").map(|rule| match rule.trim_end() {
        "disallow:" => "disallow: (nothing)",
        rule => rule,
    });
    rules.collect::<Vec<_>>().join(", ")
}

/// A key as the query `misspellings` has it, after the verb write.
fn misspelt_key(written: &str) -> String {
    match written.strip_suffix(" (no colon)") {
        Some(key) => format!("{key} without a colon"),
        None => format!("\"{written}\", a misspelt key"),
    }
}

pub(super) fn text(group: &str, name: &str) -> &'static str {
    lists::find(texts(group), name).unwrap_or_default()
}

pub(super) fn texts(group: &str) -> &'static [Entry] {
    GROUPS.get(group).map_or(&[], Vec::as_slice)
}

/// How operators spell their crawlers, by product token: the rows of the catalogue.
#[derive(Debug, Default)]
pub(super) struct Agents {
    names: BTreeMap<String, Agent>,
    /// The crawlers that have a colour of their own, in the order of their colours.
    pub(super) coloured: Vec<String>,
    /// Version of the shipped catalogue that the dataset was made with; empty if unknown.
    pub(super) version: String,
}

#[derive(Debug, Default)]
struct Agent {
    name: String,
    /// When it was announced or first listed: days since 1970-01-01, and the month.
    since: Option<(f64, String)>,
    is_former_name: bool,
}

impl Agents {
    pub(super) fn of(answer: &Answer, coloured: Vec<String>) -> Self {
        let names = answer.rows().map(|row| {
            let [token, name] = ["product_token", "name"].map(|it| row.text(it).into_owned());
            let (day, month) = (row.number("since_day"), row.optional_text("since_month"));
            let since = day.zip(month.map(Cow::into_owned));
            let is_former_name = row.optional_text("successor_token").is_some();
            let agent = Agent {
                name,
                since,
                is_former_name,
            };
            (token, agent)
        });
        let versions = answer.rows();
        let versions = versions.map(|row| row.text("catalog_version").into_owned());
        Self {
            names: names.collect(),
            coloured,
            version: versions.max().unwrap_or_default(),
        }
    }

    pub(super) fn has(&self, token: &str) -> bool {
        self.names.contains_key(token)
    }

    pub(super) fn since(&self, token: &str) -> Option<&(f64, String)> {
        self.names.get(token)?.since.as_ref()
    }

    pub(super) fn is_former_name(&self, token: &str) -> bool {
        self.names.get(token).is_some_and(|it| it.is_former_name)
    }

    pub(super) fn name(&self, token: &str) -> String {
        match self.names.get(token) {
            _ if token == "*" => "* (all others)".to_owned(),
            Some(agent) if !agent.name.is_empty() => agent.name.clone(),
            _ => token.to_owned(),
        }
    }
}
