//! The summary of a comparison of all policies of a dataset.

use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use super::{Lines, Summary};
use crate::analysis::policy_diffs::PolicyDiffsSummary;
use crate::dataset::tables::policy_diffs::FILE;

impl Summary for PolicyDiffsSummary {
    fn text(&self, elapsed: Duration) -> String {
        let mut lines = Lines::new();
        lines.add("pairs", HumanCount(self.pairs));
        lines.add(
            "rows",
            format_args!(
                "{} in {FILE} ({})",
                HumanCount(self.rows),
                HumanBytes(self.bytes)
            ),
        );
        lines.add("time", format_args!("{:.2} s", elapsed.as_secs_f64()));
        lines.0
    }

    fn json(&self, elapsed: Duration) -> Value {
        json!({
            "path": FILE,
            "pairs": self.pairs,
            "rows": self.rows,
            "bytes": self.bytes,
            "seconds": elapsed.as_secs_f64(),
        })
    }
}
