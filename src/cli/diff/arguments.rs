//! Arguments of `robostat diff`, as typed.

use std::path::PathBuf;

use clap::Args;
use robots_dialects::limit::DEFAULT_LIMIT;

use crate::cli::date::date;
use crate::cli::dialect::DialectArgument;
use crate::cli::summary::SummaryArguments;
use crate::cli::target::limit;

#[derive(Debug, Args)]
#[command(after_long_help = DIFF_HELP)]
pub struct DiffArguments {
    /// The robots.txt before the change, `-` for standard input, or a capture in an archive
    /// (crawl.warc.gz@OFFSET); or a dataset.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The robots.txt after the change, likewise. Without it, OLD by RFC 9309 is
    /// compared with OLD by --dialect. With a dataset, every change in it is compared.
    #[arg(value_name = "NEW", conflicts_with = "host")]
    pub new: Option<PathBuf>,
    /// Compare two captures of this host in the dataset: a host, with or without a port, or a URL.
    #[arg(long, value_name = "SITE")]
    pub host: Option<String>,
    /// The last answer of the host up to this date, such as 2024 or 2024-01-31 [default: its
    /// first].
    #[arg(long, value_name = "DATE", requires = "host", value_parser = date)]
    pub from: Option<String>,
    /// The last answer of the host up to this date [default: its last].
    #[arg(long, value_name = "DATE", requires = "host", value_parser = date)]
    pub to: Option<String>,
    /// Compare for this crawler alone; may be repeated [default: every crawler that either file
    /// names, and every other].
    #[arg(long, value_name = "AGENT")]
    pub agent: Vec<String>,
    /// The dialect of the protocol; `all` compares by all six.
    #[arg(long, value_name = "NAME", default_value = "rfc9309", value_parser = DialectArgument::parser())]
    pub dialect: DialectArgument,
    /// Test the URLs or paths of a list too, one a line.
    #[arg(long, value_name = "FILE")]
    pub urls: Option<PathBuf>,
    /// Bytes of a robots.txt that are parsed.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT, value_parser = limit())]
    pub limit: usize,
    #[command(flatten)]
    pub summary: SummaryArguments,
    /// Exit with 4 unless nothing changes for any crawler compared.
    #[arg(long)]
    pub exit_code: bool,
}

const DIFF_HELP: &str = "\
For each crawler, the paths that it may fetch before and after the change are
compared as a whole, not line by line:
  equal      the same paths, however the rules are written
  stricter   fewer paths
  looser     more paths
  mixed      some paths are blocked and others are opened
  undecided  the rules were too many to compare in the time allowed
Each reason is a pair of rules, with the pattern of the paths that they decide
differently, its exceptions, and an example. A path changes only if a reason
says so. Crawl-delays, preferences and sitemaps follow.

With one file and --dialect, two dialects are compared: what RFC 9309 makes of
the file, and what the other makes of it. Paths are as crawlers send them, with
escapes in one form; /robots.txt is left out.

With a dataset alone, every distinct pair of policies that consecutive captures
of an origin returned is compared once, for every crawler that either names and
for every other. The result is the table policy_diffs. An answer without a file
means what the dialect says: after a 404 every path may be fetched, after a 503
none (RFC 9309). Run it again after an ingest. If it is killed, the table of the
run before stays.

Exit codes:
  0  compared; with --exit-code: nothing changes for any crawler compared
  1  failed: a file cannot be read, no capture of the host, a capture of a
     redirect
  2  the arguments are wrong
  4  with --exit-code: something changes, or a comparison is undecided
  130, 143, 129  interrupted by a signal; policy_diffs is as it was

Examples:
  robostat diff robots.txt.old robots.txt
  git show HEAD:robots.txt | robostat diff --exit-code - robots.txt
  robostat diff --agent Googlebot --dialect google --urls pages.txt old new
  robostat diff --dialect all robots.txt
  robostat diff out/ --host example.com --from 2024-01 --to 2025-01
  robostat diff 2024.warc.gz@48211 2025.warc.gz@51802
  robostat diff out/ && robostat query out/ edits";
