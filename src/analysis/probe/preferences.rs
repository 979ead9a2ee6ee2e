//! Preferences about the use of content, with their line numbers in the files that the tables
//! describe.

use std::collections::HashMap;
use std::path::Path;

use arrow_array::Array as _;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use robots_dialects::path::UrlPath;
use robots_dialects::preferences::{PreferenceReader, Vocabulary};

use crate::dataset::tables::HeldPreference;
use crate::dataset::{Manifest, stored};
use crate::error::Error;

/// The line numbers of Content-Usage and Content-Signal in each policy's exemplar file, in order,
/// by policy id. A policy without such lines takes no memory.
pub type PreferenceLines = HashMap<i64, Vec<i32>>;

pub(super) fn read(directory: &Path, manifest: &Manifest) -> Result<PreferenceLines, Error> {
    let mut lines = PreferenceLines::new();
    let columns = ["policy_id", "group_index", "line_number", "vocabulary"];
    let vocabularies = [Vocabulary::ContentSignal, Vocabulary::ContentUsage];
    let vocabularies = vocabularies.map(Vocabulary::name);
    stored::scan(directory, manifest, "preferences", &columns, |batch| {
        let policies = stored::bigint(batch, "policy_id");
        let numbers = batch["line_number"].as_primitive::<Int32Type>();
        let vocabulary = batch["vocabulary"].as_string::<i32>();
        for row in 0..batch.num_rows() {
            let is_in_group = batch["group_index"].is_valid(row);
            if !is_in_group || !vocabularies.contains(&vocabulary.value(row)) {
                continue;
            }
            let lines = lines.entry(policies.value(row)).or_default();
            // A line has a row for each of its preferences.
            if lines.last() != Some(&numbers.value(row)) {
                lines.push(numbers.value(row));
            }
        }
        Ok(())
    })?;
    Ok(lines)
}

/// The preferences that apply to an agent and a path; `None` if the agent may not fetch the path.
/// The policy has these lines in the order of its exemplar file; `numbers` are their line numbers
/// in that file.
pub(super) fn held(
    policy: &PreferenceReader<'_>,
    numbers: &[i32],
    agent: &[u8],
    path: &UrlPath<'_>,
) -> Option<Vec<HeldPreference>> {
    let held = policy.effective(agent, path)?.into_iter().map(|held| {
        let mut lines = policy.lines().zip(numbers);
        let line = lines.find(|(line, _)| *line == held.line);
        HeldPreference {
            vocabulary: held.vocabulary.name(),
            preference: String::from_utf8_lossy(&held.category).into_owned(),
            allows: held.allows,
            line_number: line.map(|(_, number)| *number),
        }
    });
    Some(held.collect())
}
