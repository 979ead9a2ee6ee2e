//! The summary of a merge.

use std::time::Duration;

use indicatif::HumanCount;
use serde_json::{Value, json};

use super::{Lines, Summary, rows_json};
use crate::dataset::merge::MergeTotals;

impl Summary for MergeTotals {
    fn add_to(&self, lines: &mut Lines, elapsed: Duration) {
        lines.add("datasets", HumanCount(self.datasets));
        let left_out = [
            (self.merged_before, "merged before"),
            (self.duplicates.len() as u64, "in an earlier dataset too"),
        ];
        let mut inputs = vec![format!("{} new", HumanCount(self.inputs))];
        let left_out = left_out.iter().filter(|(n, _)| *n > 0);
        inputs.extend(left_out.map(|(n, what)| format!("{} {what}", HumanCount(*n))));
        lines.add("inputs", inputs.join(", "));
        lines.add_distinct(self.files, self.policies);
        lines.add_new_rows(&self.rows);
        if self.rows.damage > 0 {
            lines.add(
                "damage",
                format_args!(
                    "{} ranges of the archives could not be read; see the table damage",
                    HumanCount(self.rows.damage)
                ),
            );
        }
        lines.add_time(elapsed);
    }

    fn json(&self) -> Value {
        let duplicates = self.duplicates.iter().map(|duplicate| {
            json!({
                "path": duplicate.name,
                "dataset": duplicate.dataset.to_string_lossy(),
                "kept_from": duplicate.kept_from.to_string_lossy(),
                "crawl": duplicate.crawls.as_ref().map(|(here, _)| here),
                "kept_crawl": duplicate.crawls.as_ref().map(|(_, there)| there),
            })
        });
        json!({
            "datasets": self.datasets,
            "inputs": self.inputs,
            "inputs_merged_before": self.merged_before,
            "duplicates": duplicates.collect::<Vec<_>>(),
            "rows": rows_json(&self.rows),
            "files": self.files,
            "policies": self.policies,
            "small_parts": self.small_parts,
        })
    }
}
