//! `robostat diff DATASET`: every change in a dataset, as the table `policy_diffs`.

use std::time::Instant;

use indicatif::{HumanBytes, HumanCount};
use serde_json::json;

use super::arguments::DiffArguments;
use crate::analysis::policy_diffs::policy_diffs;
use crate::cli::exit::{COMPLETE, Result, usage};
use crate::cli::signals;
use crate::cli::summary;
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
    let json = json!({
        "path": FILE,
        "pairs": done.pairs,
        "rows": done.rows,
        "bytes": done.bytes,
    });
    summary::print(arguments.summary, begun, json, |lines, elapsed| {
        let (rows, bytes) = (HumanCount(done.rows), HumanBytes(done.bytes));
        lines.add("pairs", HumanCount(done.pairs));
        lines.add("rows", format_args!("{rows} in {FILE} ({bytes})"));
        lines.add_time(elapsed);
    })?;
    Ok(COMPLETE)
}
