//! Files that equal a platform's default, without a comment that names the platform.
//!
//! They are recognised by the identity of their policy, so comments, sitemaps and the case of keys
//! do not matter, and any added or missing rule does. An owner who wrote the same lines by hand
//! cannot be distinguished from one who left the default.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::document::Document;
use crate::identity::Id;

/// Every default, after a comment with the platform and the version where versions are known.
const DEFAULTS: &str = include_str!("defaults.txt");

/// Folders that WordPress is usually installed in.
const FOLDERS: [&str; 4] = ["", "/wp", "/wordpress", "/blog"];

/// A platform, and its version where versions are distinguished.
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

/// The default that the policy `id` is, if it is one.
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
    let mut canonical = Vec::new();
    Document::read(text.as_bytes(), 0, &mut canonical);
    Id::of(&canonical)
}
