//! `robostat ingest`: reads WARC files and other corpora into a dataset.

mod summary;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Parser, ValueEnum};
use robots_dialects::limit::DEFAULT_LIMIT;

use super::outcome::{COMPLETE, DAMAGED, FAILED, Result, print, tell, usage};
use super::progress::{OF_BYTES, Progress};
use super::remote::RemoteArguments;
use super::signals;
use super::summary::SummaryArguments;
use super::target::read_list;
use super::values::limit;
use crate::dataset::{DatasetCatalog, Panel, Settings, label};
use crate::error::{Error, shown};
use crate::escape;
use crate::ingest::collector::CollectorOptions;
use crate::ingest::corpus::{Column, Columns, CorpusOptions, GivenColumn, NamePattern};
use crate::ingest::input::sources::{FoundInputs, Request};
use crate::ingest::input::subset::Subset;
use crate::ingest::input::{SkippedInput, preview, sources};
use crate::ingest::page::Pages;
use crate::ingest::{self, COMMIT_BYTES, Plan};
use crate::remote::is_named_as_list;
use crate::threads;

#[derive(Debug, Parser)]
#[command(after_long_help = include_str!("../help/ingest.txt"))]
#[command(override_usage = "robostat ingest [OPTIONS] <INPUT>... <OUT>")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct IngestArguments {
    /// WARC, ARC and WACZ files, tables of fetches (JSON Lines, CSV, Parquet), files of hosts (tar,
    /// zip), directories of them (read recursively), lists of inputs (*.paths, *.paths.gz),
    /// http://, https:// and s3:// addresses of any of these, or `-` for standard input. The last
    /// argument is OUT, the output directory.
    #[arg(required = true, value_name = "INPUT")]
    paths: Vec<PathBuf>,
    /// Read further inputs from a list, one per line, plain or packed with gzip or zstd: a file, an
    /// address, or `-` for standard input.
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// Read more inputs from this file, with a NUL after each, as if they were arguments (`find
    /// -print0` writes such lists); `-` is standard input.
    #[arg(long, value_name = "FILE")]
    files0_from: Option<PathBuf>,
    /// Read the records that an index names, and nothing else of their archives: Common Crawl's
    /// columnar index or another table with warc_filename, warc_record_offset and
    /// warc_record_length (Parquet), CDXJ or CDX; a file, a directory of them, or an address.
    /// Several are read as one. Archives are searched for below --base, else in the current and the
    /// index's directory, and crawl-data/… at Common Crawl.
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
    /// Label of the crawl that the captures belong to [default: the WARC's isPartOf, else
    /// `default`].
    #[arg(long, value_name = "LABEL", value_parser = label::checked)]
    crawl: Option<String>,
    /// Which responses become captures [default: robotstxt for inputs in a directory of that name,
    /// else mixed].
    #[arg(long, value_enum)]
    subset: Option<SubsetArgument>,
    /// Also make rows of pages, with the rules for robots in their headers and meta tags. With
    /// `only`, robots.txt files get no rows. WAT files are read too.
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "also", value_name = "WHICH")]
    pages: Option<Pages>,
    /// Also count the links of each page, those with rel=nofollow, ugc and sponsored, and elements
    /// with data-nosnippet. This reads the whole page, up to 2 MiB.
    #[arg(long, requires = "pages")]
    links: bool,
    /// Which columns of JSON Lines, CSV and Parquet hold which values, if their names are not
    /// recognised, as in `url=site,body=content`: url, host, time, status, body, body_base64,
    /// headers, location, content_type, ip_address. An empty name means no column.
    #[arg(long, value_name = "WHAT=NAME", value_delimiter = ',')]
    columns: Vec<GivenColumn>,
    /// How files of hosts are named in folders, tar and zip files, if not as example.com.txt,
    /// example.com/robots.txt or example.com: for example `{rank}-{host}.txt`. {host} is required;
    /// {rank} is digits, {date} a date as 2026-08-01 or 20260801 (the time of the capture), and {*}
    /// anything. The end of each path is compared, and every file that matches is read.
    #[arg(long, value_name = "PATTERN")]
    name_pattern: Option<NamePattern>,
    /// Number of threads [default: the number of processors].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Bytes of a robots.txt that are parsed; at least 512000, the 500 KiB of RFC 9309 §2.5.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT, value_parser = limit())]
    limit: usize,
    /// Most rows in `sitemaps` per file; the counts in `files` stay exact.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    max_sitemaps: usize,
    /// Store the parsed bytes of each file in files.body.
    #[arg(long)]
    keep_bodies: bool,
    /// Compare captures with their WARC-Payload-Digest and WARC-Block-Digest; the result is in
    /// captures.digest_valid. A wrong digest does not count as damage.
    #[arg(long)]
    verify_digests: bool,
    /// CSV file of crawlers for agent_catalog; its rows are added to the shipped ones. A row with a
    /// shipped product token replaces the shipped row.
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Bytes of input after which rows are committed, at the end of an input. Smaller values make
    /// more and smaller part files.
    #[arg(long, value_name = "BYTES", default_value_t = COMMIT_BYTES)]
    commit_every: u64,
    /// Ingest again inputs that were ingested before, and replace their rows.
    #[arg(long)]
    force: bool,
    /// Read inputs instead of mapping them into memory.
    #[arg(long)]
    no_mmap: bool,
    /// Write nothing, but show what each input is, and how the first rows of tables are read.
    #[arg(long, conflicts_with = "json")]
    dry_run: bool,
    /// Exit with 1 if any input is damaged or has no capture; the rest is committed all the same.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    summary: SummaryArguments,
    #[command(flatten)]
    pub(super) remote: RemoteArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SubsetArgument {
    /// Every response: the input holds robots.txt captures and the targets of their redirects.
    Robotstxt,
    /// Only responses to a robots.txt URL: the input may hold pages, which --pages reads.
    Mixed,
    /// The former name of `mixed`.
    #[value(hide = true)]
    Pages,
}

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
    check_options(&arguments, files_from.is_some())?;
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
    let remote = arguments
        .remote
        .network
        .remote(cache, arguments.summary.quiet);
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
        return dry_run(&found, &corpora, arguments.strict);
    }
    let unrecorded = unrecorded_options(&corpora, arguments.verify_digests);
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
        subset: match arguments.subset {
            Some(SubsetArgument::Robotstxt) => Some(Subset::RobotsTxt),
            Some(SubsetArgument::Mixed | SubsetArgument::Pages) => Some(Subset::Mixed),
            // In place of a subset that the path names, of which each response is a capture.
            None => (arguments.pages == Some(Pages::Only)).then_some(Subset::Mixed),
        },
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
    let is_noted = !unrecorded.is_empty() && !arguments.summary.quiet && !arguments.force;
    if is_noted && totals.ingested_before > 0 {
        tell!(
            "robostat: inputs that were ingested before were not read again; to read them with \
             {unrecorded}, add --force"
        );
    }
    // People get the error instead of an empty summary; programs get the summary too.
    arguments.summary.quiet |= totals.nothing_ingested.is_some();
    summary::print(arguments.summary, begun, &totals)?;
    if let Some(reason) = totals.nothing_ingested {
        return Err(Error::NothingIngested(reason).into());
    }
    Ok(exit_code(totals.has_failures(), arguments.strict))
}

/// Fails without an input, and if options contradict each other or the inputs.
fn check_options(arguments: &IngestArguments, has_list: bool) -> Result<()> {
    if arguments.paths.is_empty() && !has_list && arguments.index.is_empty() {
        return usage(
            "at least two arguments are needed: an input and the output directory (which is the \
             last)",
        );
    }
    let mut paths = arguments.paths.iter();
    let has_list = has_list || paths.any(|path| is_named_as_list(path));
    if arguments.remote.sample().is_some() && !has_list && arguments.index.is_empty() {
        return usage(
            "--sample draws from a list (--files-from, --from or *.paths) or from the archives of \
             an index (--index); the inputs have neither",
        );
    }
    if arguments.pages == Some(Pages::Only) && arguments.subset == Some(SubsetArgument::Robotstxt) {
        return usage(
            "--pages=only reads pages, and --subset robotstxt makes every response a capture",
        );
    }
    Ok(())
}

/// The given options of which the manifest does not record whether an input was read with them.
fn unrecorded_options(corpora: &CorpusOptions, verify_digests: bool) -> String {
    let options = [
        ("--columns", !corpora.columns.0.is_empty()),
        ("--name-pattern", corpora.name_pattern.is_some()),
        ("--verify-digests", verify_digests),
    ];
    let given = options.iter().filter(|(_, is_given)| *is_given);
    let names: Vec<&str> = given.map(|(option, _)| *option).collect();
    names.join(" and ")
}

fn exit_code(has_failures: bool, are_fatal: bool) -> u8 {
    match (has_failures, are_fatal) {
        (false, _) => COMPLETE,
        (true, false) => DAMAGED,
        (true, true) => FAILED,
    }
}

/// Previews a run, with its exit code as far as heads of inputs and first rows show it.
fn dry_run(found: &FoundInputs, corpora: &CorpusOptions, is_strict: bool) -> Result<u8> {
    let (mut has_failures, mut is_empty) = (false, true);
    let repeats = found.notes_on_repeats();
    for (path, note) in repeats.chain(found.notes.iter().cloned()) {
        print(&format!("{}: {}\n", shown(&path), escape::line(&note)))?;
    }
    for SkippedInput { path, reason } in &found.skipped {
        let mark = if reason.is_failure() { "" } else { "skipped, " };
        let (path, text) = (shown(path), reason.to_string());
        print(&format!("{path}: {mark}{}\n", escape::line(&text)))?;
        has_failures |= reason.is_failure();
    }
    for planned in &found.inputs {
        let path = shown(&planned.path);
        let preview = match preview::of(planned, corpora) {
            Ok(preview) => preview,
            Err(error) => {
                has_failures = true;
                let error = error.to_string();
                print(&format!("{path}: {}\n", escape::line(&error)))?;
                continue;
            }
        };
        has_failures |= !preview.is_readable;
        is_empty &= !preview.is_readable;
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
    Ok(exit_code(has_failures || is_empty, is_strict || is_empty))
}

/// The words of the command line, with `--pages only` as one word: an optional value needs an
/// equals sign, or clap would take the first input for the value. A file named `only` stays an
/// input.
pub(super) fn with_pages_joined(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for word in words {
        let is_value = Pages::value_variants().iter().any(|value| {
            let name = value.to_possible_value();
            name.is_some_and(|name| word == name.get_name())
        });
        match joined.last_mut() {
            Some(last) if is_value && last == "--pages" && !Path::new(&word).exists() => {
                last.push("=");
                last.push(word);
            }
            _ => joined.push(word),
        }
    }
    joined
}
