//! The summary of a comparison of all policies of a dataset.

use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use super::{Lines, Summary};
use crate::analysis::policy_diffs::PolicyDiffsSummary;
use crate::dataset::tables::policy_diffs::FILE;

impl Summary for PolicyDiffsSummary {
    fn add_to(&self, lines: &mut Lines, elapsed: Duration) {
        lines.add("pairs", HumanCount(self.pairs));
        lines.add(
            "rows",
            format_args!(
                "{} in {FILE} ({})",
                HumanCount(self.rows),
                HumanBytes(self.bytes)
            ),
        );
        lines.add_time(elapsed);
    }

    fn json(&self) -> Value {
        json!({
            "path": FILE,
            "pairs": self.pairs,
            "rows": self.rows,
            "bytes": self.bytes,
        })
    }
}
