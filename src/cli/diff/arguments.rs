//! The arguments of `robostat diff`.

use std::path::PathBuf;

use clap::Args;
use robots_dialects::limit::DEFAULT_LIMIT;

use crate::cli::summary::SummaryArguments;
use crate::cli::values::{Dialects, agent, date, dialects, limit};

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../help/diff.txt"))]
pub(in crate::cli) struct DiffArguments {
    /// The robots.txt before the change, `-` for standard input, or a capture in an archive
    /// (crawl.warc.gz@OFFSET); or a dataset.
    #[arg(value_name = "OLD")]
    pub(super) old: PathBuf,
    /// The robots.txt after the change, likewise. Without NEW, OLD under RFC 9309 is compared with
    /// OLD by --dialect. If OLD is a dataset, every change in it is compared.
    #[arg(value_name = "NEW", conflicts_with = "host")]
    pub(super) new: Option<PathBuf>,
    /// Compare two captures of this host in the dataset: a host, with or without a port, or a URL.
    #[arg(long, value_name = "SITE")]
    pub(super) host: Option<String>,
    /// The last answer of the host up to this date, such as 2024 or 2024-01-31 [default: its
    /// first].
    #[arg(long, value_name = "DATE", requires = "host", value_parser = date)]
    pub(super) from: Option<String>,
    /// The last answer of the host up to this date [default: its last].
    #[arg(long, value_name = "DATE", requires = "host", value_parser = date)]
    pub(super) to: Option<String>,
    /// Compare for this crawler alone; may be repeated [default: every crawler that either file
    /// names, and all others].
    #[arg(long, value_name = "AGENT", value_parser = agent)]
    pub(super) agent: Vec<String>,
    /// The dialect of the protocol; `all` compares by all of them.
    #[arg(long, value_name = "NAME", default_value = "rfc9309", value_parser = dialects())]
    pub(super) dialect: Dialects,
    /// Test the URLs or paths of a list too, one per line.
    #[arg(long, value_name = "FILE")]
    pub(super) urls: Option<PathBuf>,
    /// Bytes of a robots.txt that are parsed.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT, value_parser = limit())]
    pub(super) limit: usize,
    #[command(flatten)]
    pub(super) summary: SummaryArguments,
    /// Exit with 4 unless nothing changes for any crawler compared.
    #[arg(long)]
    pub(super) exit_code: bool,
}
