//! Words for what queries name: crawlers, kinds, platforms, mistakes. `texts/words.txt` has them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::answer::Answer;
use super::format::grouped;

static FILES: [&str; 3] = [
    include_str!("texts/words.txt"),
    include_str!("texts/common.txt"),
    include_str!("texts/methods.txt"),
];

/// Groups of words: `[group]`, then `name = words` on each line.
static GROUPS: LazyLock<BTreeMap<&str, BTreeMap<&str, &str>>> = LazyLock::new(|| {
    let mut groups: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    let mut group = "";
    for line in FILES.iter().flat_map(|file| file.lines()) {
        if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            group = name;
        } else if let Some((name, words)) = line.split_once('=') {
            let words_of_group = groups.entry(group).or_default();
            words_of_group.insert(name.trim(), words.trim());
        }
    }
    groups
});

/// A name in the words of a group; code makes the words of `range` and `rules`. `*` is any other
/// name, and `…` within its words is the name itself; without it a name stays, with spaces for
/// underscores.
pub(super) fn of(group: &str, name: &str) -> String {
    match group {
        "range" => return range(name),
        "rules" => return rules(name),
        _ => {}
    }
    let words = GROUPS.get(group);
    match words.and_then(|words| words.get(name.trim()).or_else(|| words.get("*"))) {
        Some(words) => words.replace('…', name),
        None => name.replace('_', " "),
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

/// The first rules of a rule set: a list that the query cuts at 70 characters.
fn rules(rules: &str) -> String {
    let end = if rules.chars().count() >= 70 {
        "…"
    } else {
        ""
    };
    let rules: Vec<&str> = rules.split(", ").collect();
    let rules = rules.iter().map(|rule| match rule.trim_end() {
        "disallow:" => "disallow: (nothing)",
        rule => rule,
    });
    rules.collect::<Vec<_>>().join(", ") + end
}

/// The text of that name in a group.
pub(super) fn text(group: &str, name: &str) -> &'static str {
    let words = GROUPS.get(group);
    words
        .and_then(|words| words.get(name).copied())
        .unwrap_or_default()
}

/// The texts of a group, in the order of the numbers that their names begin with.
pub(super) fn texts(group: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let texts = GROUPS.get(group).into_iter().flatten();
    texts.map(|(name, text)| (name.split_once(' ').map_or(*name, |(_, name)| name), *text))
}

#[cfg(test)]
pub(super) fn has_group(group: &str) -> bool {
    GROUPS.contains_key(group)
}

/// The number of words that the longest name of a group has.
#[cfg(test)]
pub(super) fn longest(group: &str) -> usize {
    let words = GROUPS.get(group).into_iter().flatten();
    let lengths = words.map(|(_, words)| words.split_whitespace().count());
    lengths.max().unwrap_or(1)
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
    /// When it became known: days since 1970-01-01, and the month.
    since: Option<(f64, String)>,
}

impl Agents {
    /// The names in an answer with product_token, name, since_day, since_month and catalog_version;
    /// `coloured` has the product tokens that get a colour.
    pub(super) fn of(answer: &Answer, coloured: Vec<String>) -> Self {
        let names = answer.rows().map(|row| {
            let name = row.text("name").into_owned();
            let since = row
                .number("since_day")
                .zip(row.optional_text("since_month"));
            let since = since.map(|(day, month)| (day, month.into_owned()));
            (
                row.text("product_token").into_owned(),
                Agent { name, since },
            )
        });
        let versions = answer
            .rows()
            .map(|row| row.text("catalog_version").into_owned());
        Self {
            names: names.collect(),
            coloured,
            version: versions.max().unwrap_or_default(),
        }
    }

    /// Whether the catalogue has this product token.
    pub(super) fn has(&self, token: &str) -> bool {
        self.names.contains_key(token)
    }

    /// When the crawler became known: days since 1970-01-01, and the month.
    pub(super) fn since(&self, token: &str) -> Option<&(f64, String)> {
        self.names.get(token)?.since.as_ref()
    }

    /// The name of a crawler as its operator spells it; the token where it is not known.
    pub(super) fn name(&self, token: &str) -> String {
        match token {
            "*" => "* (all others)".to_owned(),
            token => match self.names.get(token) {
                Some(agent) if !agent.name.is_empty() => agent.name.clone(),
                _ => token.to_owned(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    #[test]
    fn cases() {
        check(file!(), |group, [name, ..]| {
            of(&group.replace('-', " "), name)
        });
    }
}
