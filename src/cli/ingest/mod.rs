//! `robostat ingest`: WARC files, and other corpora, to a dataset.

mod arguments;
mod summary;

use std::fmt::Write as _;
use std::time::Instant;

use super::outcome::{COMPLETE, DAMAGED, FAILED, Result, print, tell, usage};
use super::progress::{OF_BYTES, Progress};
use super::signals;
use super::target::read_list;
use crate::dataset::{DatasetCatalog, Panel, Settings};
use crate::error::{Error, shown};
use crate::escape;
use crate::ingest::collector::CollectorOptions;
use crate::ingest::corpus::{Column, Columns, CorpusOptions};
use crate::ingest::input::sources::{FoundInputs, Request};
use crate::ingest::input::subset::Subset;
use crate::ingest::input::{preview, sources};
use crate::ingest::{self, Plan};
use crate::threads;

use arguments::SubsetArgument;
pub(super) use arguments::{IngestArguments, with_pages_joined};

/// Runs the subcommand. `panel`: the sites that the inputs were chosen for.
pub(super) fn run(mut arguments: IngestArguments, panel: Option<Panel>) -> Result<u8> {
    let begun = Instant::now();
    let out = arguments.paths.pop().unwrap_or_default();
    let mut repeated = None;
    if let Some(list) = arguments.files0_from.take() {
        let (paths, n) = read_list(&list)?;
        arguments.paths.extend(paths);
        repeated = (n > 0).then_some((list, n));
    }
    let files_from = match &arguments.files_from {
        Some(list) => Some(list.clone()),
        None => arguments.remote.list_of_crawl()?,
    };
    if arguments.paths.is_empty() && files_from.is_none() && arguments.index.is_empty() {
        return usage(
            "two arguments at least are needed: an input and the output directory (which is the \
             last)",
        );
    }
    if out.is_file() {
        let problem = "not a directory; the inputs come first, the output directory last";
        return Err(Error::unusable(&out, problem).into());
    }
    if arguments.subset == Some(SubsetArgument::Pages) {
        tell!(
            "robostat: --subset pages is called --subset mixed now: it skips pages, and --pages \
             reads them"
        );
    }
    let corpora = CorpusOptions {
        columns: Columns(std::mem::take(&mut arguments.columns)),
        name_pattern: arguments.name_pattern.take(),
    };
    let cache = arguments.remote.cache.take();
    let remote = arguments.remote.network.remote(cache);
    let mut found = sources::find(&Request {
        paths: &arguments.paths,
        files_from: files_from.as_deref(),
        indexes: &arguments.index,
        wants_all: arguments.pages.is_some()
            || matches!(arguments.subset, Some(SubsetArgument::Robotstxt)),
        has_crawl: arguments.crawl.is_some(),
        base: arguments.remote.network.base.as_deref(),
        sample: arguments.remote.sample(),
        out: &out,
        corpora: &corpora,
        remote: &remote,
    })?;
    found.repeated.extend(repeated);
    if arguments.dry_run {
        return dry_run(&found, &corpora);
    }
    let options = CollectorOptions {
        settings: Settings {
            limit: arguments.limit,
            max_sitemaps: arguments.max_sitemaps,
            keep_bodies: arguments.keep_bodies,
        },
        verify_digests: arguments.verify_digests,
        pages: arguments.pages.unwrap_or_default(),
        links: arguments.links,
    };
    let catalog = arguments.catalog.as_deref();
    let plan = Plan {
        found,
        remote,
        out,
        catalog: catalog.map(DatasetCatalog::read).transpose()?,
        crawl: arguments.crawl.or(arguments.remote.from),
        panel,
        corpora,
        subset: arguments.subset.map(|subset| match subset {
            SubsetArgument::Robotstxt => Subset::RobotsTxt,
            SubsetArgument::Mixed | SubsetArgument::Pages => Subset::Mixed,
        }),
        options,
        jobs: arguments.jobs.map_or_else(threads::available, usize::from),
        use_mmap: !arguments.no_mmap,
        force: arguments.force,
        commit_bytes: arguments.commit_every,
    };
    let remedy = "committed rows are kept. Ingest it again; --no-mmap gives more detail";
    warc_recovery::input::exit_on_bus_error(i32::from(FAILED), "robostat", remedy)?;
    let stop = signals::watch()?;
    let mut progress = Progress::new(arguments.summary.quiet, OF_BYTES);
    let result = ingest::ingest(plan, &mut progress, stop);
    progress.finish();
    let totals = result?;
    // The error says more than a summary of nothing would, but programs read the latter.
    arguments.summary.quiet |= totals.nothing_ingested.is_some();
    summary::print(arguments.summary, begun, &totals)?;
    if let Some(reason) = totals.nothing_ingested {
        return Err(Error::NothingIngested { reason }.into());
    }
    Ok(match (totals.has_failures(), arguments.strict) {
        (false, _) => COMPLETE,
        (true, false) => DAMAGED,
        (true, true) => FAILED,
    })
}

fn dry_run(found: &FoundInputs, corpora: &CorpusOptions) -> Result<u8> {
    let mut code = COMPLETE;
    for skipped in &found.skipped {
        let (path, reason) = (shown(&skipped.path), skipped.reason.to_string());
        print(&format!("{path}: skipped, {}\n", escape::line(&reason)))?;
    }
    for planned in &found.inputs {
        let path = shown(&planned.path);
        let preview = match preview::of(planned, corpora) {
            Ok(preview) => preview,
            Err(error) => {
                code = DAMAGED;
                print(&format!("{path}: {error}\n"))?;
                continue;
            }
        };
        if !preview.is_readable {
            code = DAMAGED;
        }
        let mut out = format!("{path}: {}\n", escape::line(&preview.content));
        let width = preview.columns.iter().map(|(name, _)| name.chars().count());
        let width = width.max().unwrap_or_default().min(30);
        // Writing to a String cannot fail.
        for (name, column) in &preview.columns {
            let column = column.map_or("-", Column::name);
            let _ = writeln!(out, "  {:<width$}  {column}", escape::line(name));
        }
        for row in &preview.rows {
            let _ = writeln!(out, "  {}", escape::line(row));
        }
        print(&out)?;
    }
    Ok(code)
}
