//! `robostat diff DATASET`: every change in a dataset, as the table `policy_diffs`.

use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use super::arguments::DiffArguments;
use crate::analysis::policy_diffs::{PolicyDiffsSummary, policy_diffs};
use crate::cli::exit::{COMPLETE, Result, usage};
use crate::cli::signals;
use crate::cli::summary::{self, Lines, Summary};
use crate::dataset::Dataset;
use crate::dataset::tables::policy_diffs::FILE;
use crate::threads;

pub(super) fn run(arguments: &DiffArguments) -> Result<u8> {
    if !arguments.agent.is_empty() || arguments.urls.is_some() || arguments.exit_code {
        return usage(
            "--agent, --urls and --exit-code are for two files; a dataset is compared for every \
             crawler, in the table policy_diffs",
        );
    }
    let begun = Instant::now();
    let pool = threads::pool(threads::available())?;
    let mut dataset = Dataset::reopen(&arguments.old, pool)?;
    let dialects: Vec<_> = arguments.dialect.dialects().collect();
    let done = policy_diffs(&mut dataset, &dialects, signals::watch()?)?;
    summary::print(&done, begun, arguments.summary)?;
    Ok(COMPLETE)
}

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
