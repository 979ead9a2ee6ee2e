//! `robostat ingest`: WARC files to a dataset.

use std::time::Instant;

use super::args::{IngestArguments, SubsetArgument};
use super::progress::Progress;
use super::signals::Signals;
use super::{COMPLETE, DAMAGED, FAILED, Result, summary};
use crate::dataset::{GivenCatalog, Settings, label};
use crate::error::shown;
use crate::ingest::capture::Subset;
use crate::ingest::collector::Options;
use crate::ingest::{self, Plan, sources};
use crate::threads;

/// Runs the subcommand.
pub(super) fn run(mut arguments: IngestArguments) -> Result<u8> {
    let begun = Instant::now();
    let out = arguments.paths.pop().unwrap_or_default();
    if arguments.paths.is_empty() && arguments.files_from.is_none() {
        super::usage(
            "ingest",
            "two arguments at least are needed: an input and the output directory (which is the last)",
        );
    }
    if out.is_file() {
        let out = shown(&out);
        return Err(format!(
            "{out}: not a directory; the inputs come first, the output directory last"
        )
        .into());
    }
    let found = sources::find(&arguments.paths, arguments.files_from.as_deref(), &out)?;
    let catalog = arguments.catalog.as_deref();
    let plan = Plan {
        found,
        out,
        catalog: catalog.map(GivenCatalog::read).transpose()?,
        crawl: arguments.crawl,
        subset: arguments.subset.map(|subset| match subset {
            SubsetArgument::Robotstxt => Subset::RobotsTxt,
            SubsetArgument::Pages => Subset::Pages,
        }),
        options: Options {
            settings: Settings {
                limit: usize::try_from(arguments.limit)?,
                max_sitemaps: arguments.max_sitemaps,
                keep_bodies: arguments.keep_bodies,
            },
            verify_digests: arguments.verify_digests,
        },
        jobs: arguments.jobs.map_or_else(threads::available, usize::from),
        use_mmap: !arguments.no_mmap,
        force: arguments.force,
        commit_bytes: arguments.commit_every,
    };
    let remedy = "what was committed stays. Ingest it again; --no-mmap tells more";
    warc_recovery::input::end_at_lost_page(i32::from(FAILED), "robostat", remedy)?;
    let signals = Signals::watch()?;
    let mut progress = Progress::new(arguments.summary.quiet);
    let result = ingest::ingest(plan, &mut progress, signals.stop());
    progress.finish();
    let Some(totals) = summary::print(result, begun, arguments.summary)? else {
        return Ok(signals.exit_code());
    };
    Ok(match (totals.has_failures(), arguments.strict) {
        (false, _) => COMPLETE,
        (true, false) => DAMAGED,
        (true, true) => FAILED,
    })
}

/// The value of `--crawl`: a label that a directory can be named after.
pub(super) fn crawl_label(label: &str) -> std::result::Result<String, String> {
    if label.is_empty() {
        Err("a label cannot be empty".to_owned())
    } else if label::fits(label) {
        Ok(label.to_owned())
    } else {
        Err(format!(
            "too long for a directory's name; at most {} letters, digits, `-`, `_` and `.`, of which \
             any other byte takes the place of three",
            label::MAX_BYTES
        ))
    }
}
