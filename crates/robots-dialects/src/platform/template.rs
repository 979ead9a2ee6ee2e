//! Templates: the groups that a platform writes.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::known::TEMPLATES;
use crate::document::Document;

/// The lines that a platform writes for each crawler, over all its versions: by the value of a
/// user-agent line, in lower case.
#[derive(Debug, Default)]
pub(super) struct Template(HashMap<Vec<u8>, HashSet<Vec<u8>>>);

pub(super) fn templates() -> &'static HashMap<&'static str, Template> {
    static BY_NAME: LazyLock<HashMap<&'static str, Template>> =
        LazyLock::new(|| HashMap::from(TEMPLATES.map(|(name, text)| (name, Template::read(text)))));
    &BY_NAME
}

impl Template {
    fn read(text: &str) -> Self {
        let document = Document::read(text.as_bytes(), 0, &mut Vec::new());
        let mut template = Self::default();
        for index in 0..document.groups.len() {
            for agent in agents(&document, index) {
                let of_agent = template.0.entry(agent).or_default();
                of_agent.extend(lines(&document, index));
            }
        }
        template
    }

    /// Whether all lines of the group at `index` are in the template, for each crawler that it
    /// names.
    pub(super) fn has_group(&self, document: &Document<'_>, index: usize) -> bool {
        agents(document, index).all(|agent| {
            let template = self.0.get(&agent);
            template.is_some_and(|it| lines(document, index).all(|line| it.contains(&line)))
        })
    }
}

fn agents(document: &Document<'_>, index: usize) -> impl Iterator<Item = Vec<u8>> {
    let agents = &document.user_agents[document.groups[index].user_agents.clone()];
    agents.iter().map(|agent| agent.value.to_ascii_lowercase())
}

/// The rules and directives of a group, keys in lower case.
fn lines(document: &Document<'_>, index: usize) -> impl Iterator<Item = Vec<u8>> {
    let rules = &document.rules[document.groups[index].rules.clone()];
    let rules = rules.iter().map(|rule| {
        let path = without_number(rule.path_raw);
        [rule.rule_type.name().as_bytes(), b":", &path].concat()
    });
    let directives = document.directives_of(index).map(|line| {
        let key = line.key.to_ascii_lowercase();
        [key.as_slice(), b":", line.value].concat()
    });
    rules.chain(directives)
}

/// A path with `{id}` instead of the number that it begins with, in Shopify's files the shop's.
fn without_number(path: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    let rest = path.strip_prefix(b"/").unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && rest.get(digits) == Some(&b'/') {
        [b"/{id}", &rest[digits..]].concat().into()
    } else {
        path.into()
    }
}
