//! The summary of a compaction.

use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use super::{Lines, Summary};
use crate::dataset::Compaction;

impl Summary for Compaction {
    fn add_to(&self, lines: &mut Lines, elapsed: Duration) {
        let Self { before, after, .. } = self;
        if self.merged == 0 {
            lines.add(
                "parts",
                format_args!("{}, none to merge", HumanCount(before.parts)),
            );
        } else {
            lines.add(
                "parts",
                format_args!(
                    "{} ({}) are now {} ({})",
                    HumanCount(before.parts),
                    HumanBytes(before.bytes),
                    HumanCount(after.parts),
                    HumanBytes(after.bytes)
                ),
            );
        }
        lines.add_time(elapsed);
    }

    fn json(&self) -> Value {
        json!({
            "parts_before": self.before.parts,
            "parts_after": self.after.parts,
            "parts_merged": self.merged,
            "bytes_before": self.before.bytes,
            "bytes_after": self.after.bytes,
        })
    }
}
