//! `robostat ingest`: WARC files to a dataset.

use std::io::Write as _;
use std::time::Instant;

use super::args::{IngestArguments, SubsetArgument};
use super::progress::Progress;
use super::signals::Signals;
use super::{COMPLETE, DAMAGED, FAILED, Result, summary, terminal};
use crate::dataset::Fingerprint;
use crate::dataset::{Dataset, GivenCatalog, Settings};
use crate::error::Error;
use crate::ingest::capture::Subset;
use crate::ingest::collector::Options;
use crate::ingest::{self, Plan, sources};

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
    let found = sources::find(&arguments.paths, arguments.files_from.as_deref(), &out)?;
    if found.sources.is_empty() && !arguments.paths.is_empty() {
        return Err("nothing to read: no file there is named or begins like a WARC".into());
    }
    let catalog = arguments.catalog.as_deref();
    let catalog = catalog.map(GivenCatalog::read).transpose()?;
    let settings = Settings {
        limit: usize::try_from(arguments.limit)?,
        max_sitemaps: arguments.max_sitemaps,
        keep_bodies: arguments.keep_bodies,
    };
    let jobs = arguments.jobs.map_or_else(num_processors, usize::from);
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build_global()?;
    let mut dataset = Dataset::open(&out, settings.clone(), catalog)?;

    let is_new = |fingerprint: &_| arguments.force || !dataset.has_input(fingerprint);
    let total = found
        .sources
        .iter()
        .filter_map(Fingerprint::of_source)
        .filter(is_new)
        .map(|fingerprint| fingerprint.bytes)
        .sum();
    let mut progress = Progress::new(total, arguments.quiet);
    for path in &found.passed_over {
        ingest::Watcher::skip(
            &mut progress,
            &path.to_string_lossy(),
            "neither named nor begun like a WARC",
        );
    }
    let plan = Plan {
        sources: found.sources,
        crawl: arguments.crawl,
        subset: arguments.subset.map(|subset| match subset {
            SubsetArgument::Robotstxt => Subset::RobotsTxt,
            SubsetArgument::Pages => Subset::Pages,
        }),
        options: Options {
            limit: settings.limit,
            max_sitemaps: settings.max_sitemaps,
            keep_bodies: settings.keep_bodies,
            verify_digests: arguments.verify_digests,
        },
        use_mmap: !arguments.no_mmap,
        force: arguments.force,
        commit_bytes: arguments.commit_every,
    };
    warc_recovery::input::end_at_lost_page(i32::from(FAILED))?;
    let signals = Signals::watch()?;
    let result = ingest::ingest(&plan, &mut dataset, &mut progress, signals.stop());
    progress.finish();
    if let Err(error @ Error::Interrupted) = &result {
        terminal::tell(&format!("robostat: {error}\n"));
        return Ok(signals.exit_code());
    }
    let totals = result?;

    if arguments.json {
        let summary = summary::json(&totals, begun.elapsed());
        terminal::print(|out| writeln!(out, "{summary}"))?;
    } else if !arguments.quiet {
        terminal::tell(&summary::text(&totals, begun.elapsed()));
    }
    Ok(
        match (totals.tally.accounting.damaged_records, arguments.strict) {
            (0, _) => COMPLETE,
            (_, false) => DAMAGED,
            (_, true) => FAILED,
        },
    )
}

fn num_processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}
