//! Templates: the groups that a platform writes.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::known::{PLATFORMS, Platform, Sign};
use crate::document::Document;
use crate::rule::RuleType;

/// What a platform says to each crawler, over all its versions.
#[derive(Debug, Default)]
pub(super) struct Template {
    /// By the value of a user-agent line, lower case.
    agents: HashMap<Vec<u8>, Lines>,
}

/// Lines of groups.
#[derive(Debug, Default)]
struct Lines {
    allow: Values,
    disallow: Values,
    /// Keys, lower case, with values.
    others: HashSet<(Vec<u8>, Vec<u8>)>,
}

/// A set of values, by length and then by bytes: nearly all comparisons are of lengths, which is
/// quicker than hashing every line of a file.
#[derive(Debug, Default)]
struct Values(Vec<Vec<u8>>);

impl Values {
    fn position(&self, value: &[u8]) -> Result<usize, usize> {
        self.0
            .binary_search_by(|other| (other.len(), other.as_slice()).cmp(&(value.len(), value)))
    }

    fn insert(&mut self, value: &[u8]) {
        if let Err(at) = self.position(value) {
            self.0.insert(at, value.to_owned());
        }
    }

    fn contains(&self, value: &[u8]) -> bool {
        self.position(value).is_ok()
    }
}

/// The templates of platforms that are known by a comment in a file, by name.
pub(super) fn templates() -> &'static HashMap<&'static str, Template> {
    static TEMPLATES: LazyLock<HashMap<&'static str, Template>> = LazyLock::new(|| {
        let template = |platform: &Platform| match platform.sign {
            Sign::File { template, .. } => Some((platform.name, Template::read(template))),
            Sign::Block { .. } => None,
        };
        PLATFORMS.iter().filter_map(template).collect()
    });
    &TEMPLATES
}

impl Template {
    fn read(text: &str) -> Self {
        let document = Document::read(text.as_bytes(), 0, &mut Vec::new());
        let mut template = Self::default();
        for (index, group) in document.groups.iter().enumerate() {
            for agent in &document.user_agents[group.user_agents.clone()] {
                let name = agent.value.to_ascii_lowercase();
                let lines = template.agents.entry(name).or_default();
                for rule in &document.rules[group.rules.clone()] {
                    lines.of(rule.rule_type).insert(rule.path_raw);
                }
                for directive in document.directives_of(index) {
                    let key = directive.key.to_ascii_lowercase();
                    lines.others.insert((key, directive.value.to_owned()));
                }
            }
        }
        template
    }

    /// Whether all lines of the group at `index` are in the template, for each crawler that it
    /// names.
    pub(super) fn has_group(&self, document: &Document<'_>, index: usize) -> bool {
        let group = &document.groups[index];
        let agents = &document.user_agents[group.user_agents.clone()];
        agents.iter().all(|agent| {
            let name = agent.value.to_ascii_lowercase();
            let Some(lines) = self.agents.get(&name) else {
                return false;
            };
            let rules = &document.rules[group.rules.clone()];
            rules.iter().all(|rule| {
                let path = without_number(rule.path_raw);
                match rule.rule_type {
                    RuleType::Allow => lines.allow.contains(&path),
                    RuleType::Disallow => lines.disallow.contains(&path),
                }
            }) && document.directives_of(index).all(|directive| {
                let key = directive.key.to_ascii_lowercase();
                lines.others.contains(&(key, directive.value.to_owned()))
            })
        })
    }
}

impl Lines {
    fn of(&mut self, rule_type: RuleType) -> &mut Values {
        match rule_type {
            RuleType::Allow => &mut self.allow,
            RuleType::Disallow => &mut self.disallow,
        }
    }
}

/// A path with `{id}` instead of the number that it begins with, in Shopify's files the shop's.
fn without_number(path: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    let digits = path
        .get(1..)
        .unwrap_or_default()
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits > 0 && path[0] == b'/' && path.get(1 + digits) == Some(&b'/') {
        [b"/{id}", &path[1 + digits..]].concat().into()
    } else {
        path.into()
    }
}
