//! Preferences about the use of content, by the lines of the files that the tables describe.

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

/// The lines of Content-Usage and Content-Signal in the exemplar files of policies, in order. A
/// policy without such lines takes no memory.
#[derive(Debug, Default)]
pub struct PreferenceLines(HashMap<i64, Vec<i32>>);

impl PreferenceLines {
    pub fn read(directory: &Path, manifest: &Manifest) -> Result<Self, Error> {
        let mut lines: HashMap<i64, Vec<i32>> = HashMap::new();
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
        Ok(Self(lines))
    }

    pub(super) fn of<'p>(&'p self, policy_id: i64, policy: &'p [u8]) -> PolicyPreferences<'p> {
        PolicyPreferences {
            reader: PreferenceReader::new(policy),
            lines: self.0.get(&policy_id).map_or(&[], Vec::as_slice),
        }
    }
}

pub(super) struct PolicyPreferences<'p> {
    reader: PreferenceReader<'p>,
    lines: &'p [i32],
}

impl PolicyPreferences<'_> {
    /// What holds for an agent and a path; none if the agent may not fetch it.
    pub(super) fn held(&self, agent: &[u8], path: &UrlPath<'_>) -> Option<Vec<HeldPreference>> {
        let held = self.reader.effective(agent, path)?;
        let held = held.into_iter().map(|held| {
            // The policy has the lines of its exemplar file, in their order.
            let mut lines = self.reader.lines().zip(self.lines);
            HeldPreference {
                vocabulary: held.vocabulary.name(),
                preference: String::from_utf8_lossy(&held.category).into_owned(),
                allows: held.allows,
                line_number: lines
                    .find(|(line, _)| *line == held.line)
                    .map(|(_, number)| *number),
            }
        });
        Some(held.collect())
    }
}
