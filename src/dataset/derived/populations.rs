//! Which files have lines of a robots.txt, and which policies have rules: some 20 bytes of memory
//! each.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;

use super::capture::StoredAnswer;
use super::{Sources, files_of};
use crate::dataset::stored::{self, bigint};
use crate::error::{Error, check_stop};

/// Files that have lines, and policies that have rules.
pub(super) struct Populations {
    files_with_lines: HashSet<i64>,
    policies_with_rules: HashSet<i64>,
}

impl Populations {
    /// Reads the tables `files` and `policies`.
    pub(super) fn read(sources: &Sources<'_>, stop: &AtomicBool) -> Result<Self, Error> {
        let mut files_with_lines = HashSet::new();
        for path in files_of(sources, "files") {
            for batch in stored::open(path, Some(&["file_id", "content_class"]))? {
                check_stop(stop)?;
                let batch = batch?;
                let classes = batch["content_class"].as_string::<i32>();
                let files = bigint(&batch, "file_id").values().iter().zip(classes);
                let with_lines =
                    files.filter(|(_, class)| matches!(class, Some("rules" | "no_rules")));
                files_with_lines.extend(with_lines.map(|(id, _)| *id));
            }
        }
        let mut policies_with_rules = HashSet::new();
        for path in files_of(sources, "policies") {
            for batch in stored::open(path, Some(&["policy_id", "n_rules"]))? {
                check_stop(stop)?;
                let batch = batch?;
                let ids = bigint(&batch, "policy_id").values().iter();
                let rules = batch["n_rules"].as_primitive::<Int32Type>().values();
                let with_rules = ids.zip(rules).filter(|(_, rules)| **rules > 0);
                policies_with_rules.extend(with_rules.map(|(id, _)| *id));
            }
        }
        Ok(Self {
            files_with_lines,
            policies_with_rules,
        })
    }

    /// Whether an answer is a robots.txt by its file alone: it has rules, or other lines of one.
    pub(super) fn has_lines(&self, answer: StoredAnswer) -> bool {
        answer
            .file_id
            .is_some_and(|id| self.files_with_lines.contains(&id))
    }

    /// Whether crawlers find rules in an answer, in a group.
    pub(super) fn has_rules(&self, answer: StoredAnswer) -> bool {
        answer
            .policy_id
            .is_some_and(|id| self.policies_with_rules.contains(&id))
    }
}
