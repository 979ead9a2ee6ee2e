//! Texts that platforms write: groups in files with the platform's comment, and whole files without
//! a comment.
//!
//! A file that equals a platform's default is recognised by the identity of its policy, so
//! comments, sitemaps and the case of keys do not matter, and any added or missing rule does. An
//! owner who wrote the same lines by hand looks like an owner who left the default.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::document::Document;
use crate::identity::Id;

/// For each platform, the groups that it writes in files with its comment, as a robots.txt with the
/// lines of all versions.
pub(super) const TEXTS: [(&str, &str); 9] = [
    ("wix", include_str!("templates/wix.txt")),
    ("shopify", include_str!("templates/shopify.txt")),
    ("squarespace", include_str!("templates/squarespace.txt")),
    ("drupal", include_str!("templates/drupal.txt")),
    ("joomla", include_str!("templates/joomla.txt")),
    ("wordpress.com", include_str!("templates/wordpress.com.txt")),
    ("salesforce", include_str!("templates/salesforce.txt")),
    ("craft", include_str!("templates/craft.txt")),
    ("rank-math", include_str!("templates/rank-math.txt")),
];

/// Lines by the value of their user-agent line, in lower case.
#[derive(Debug, Default)]
pub(super) struct Template(HashMap<Vec<u8>, HashSet<Vec<u8>>>);

pub(super) static TEMPLATES: LazyLock<HashMap<&str, Template>> =
    LazyLock::new(|| HashMap::from(TEXTS.map(|(name, text)| (name, Template::read(text)))));

impl Template {
    fn read(text: &str) -> Self {
        let document = Document::read(text.as_bytes(), 0);
        let mut template = Self::default();
        for index in 0..document.groups.len() {
            for agent in agents(&document, index) {
                let of_agent = template.0.entry(agent).or_default();
                of_agent.extend(lines(&document, index));
            }
        }
        template
    }

    /// Whether all lines of the group are in the template, for each crawler that it names.
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

/// A path with `{id}` for the number at its start (in Shopify's files, the shop's).
fn without_number(path: &[u8]) -> Cow<'_, [u8]> {
    let rest = path.strip_prefix(b"/").unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && rest.get(digits) == Some(&b'/') {
        [b"/{id}", &rest[digits..]].concat().into()
    } else {
        path.into()
    }
}

/// All defaults, each after a comment with the platform and, if known, the version.
const DEFAULTS: &str = include_str!("defaults.txt");

/// Folders that WordPress is usually installed in.
const FOLDERS: [&str; 4] = ["", "/wp", "/wordpress", "/blog"];

/// A platform, and its version if versions are distinguished.
pub(super) type Version = (&'static str, Option<&'static str>);

pub(super) fn defaults() -> impl Iterator<Item = (Version, &'static str)> {
    DEFAULTS.split("# ").skip(1).map(|default| {
        let (head, text) = default.split_once('\n').expect("a line");
        let name = head.split(':').next().unwrap_or(head);
        match name.split_once(' ') {
            Some((platform, version)) => ((platform, Some(version)), text),
            None => ((name, None), text),
        }
    })
}

pub(super) fn default(id: Id) -> Option<Version> {
    static BY_POLICY: LazyLock<HashMap<Id, Version>> = LazyLock::new(|| {
        let of_folders = defaults().flat_map(|(version, text)| {
            FOLDERS.map(|folder| (policy(&text.replace("{folder}", folder)), version))
        });
        of_folders.collect()
    });
    BY_POLICY.get(&id).copied()
}

fn policy(text: &str) -> Id {
    Id::of(&Document::read(text.as_bytes(), 0).canonical_form())
}
