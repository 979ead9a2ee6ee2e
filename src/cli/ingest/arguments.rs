//! Arguments of `robostat ingest`, as typed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use robots_dialects::limit::DEFAULT_LIMIT;

use crate::cli::remote::RemoteArguments;
use crate::cli::summary::SummaryArguments;
use crate::cli::values::limit;
use crate::dataset::label;
use crate::ingest::COMMIT_BYTES;
use crate::ingest::corpus::{GivenColumn, NamePattern};
use crate::ingest::page::Pages;

#[derive(Debug, Parser)]
#[command(after_long_help = include_str!("../help/ingest.txt"))]
#[command(override_usage = "robostat ingest [OPTIONS] <INPUT>... <OUT>")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub struct IngestArguments {
    /// WARC, ARC and WACZ files, tables of fetches (JSON Lines, CSV, Parquet), files of hosts (tar,
    /// zip), directories of them (read recursively), lists of inputs (*.paths, *.paths.gz),
    /// http://, https:// and s3:// addresses of any of these, or `-` for standard input. The last
    /// argument is OUT, the output directory.
    #[arg(required = true, value_name = "INPUT")]
    pub paths: Vec<PathBuf>,
    /// Read further inputs from a list, one a line, plain or packed with gzip or zstd: a file, an
    /// address, or `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,
    /// Read more inputs from this file, with a NUL after each, as if they were arguments (`find
    /// -print0` writes such lists); `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub files0_from: Option<PathBuf>,
    /// Read the records that an index names, and nothing else of their archives: Common Crawl's
    /// columnar index or another table with warc_filename, warc_record_offset and
    /// warc_record_length (Parquet), CDXJ or CDX; a file, a directory of them, or an address.
    /// Several are read as one. Archives are searched for below --base, else in the current and the
    /// index's directory, and crawl-data/… at Common Crawl.
    #[arg(long, value_name = "FILE")]
    pub index: Vec<PathBuf>,
    /// Label of the crawl that the captures belong to [default: the WARC's isPartOf, else
    /// `default`].
    #[arg(long, value_name = "LABEL", value_parser = label::checked)]
    pub crawl: Option<String>,
    /// Which responses become captures [default: robotstxt for inputs in a directory of that name,
    /// else mixed].
    #[arg(long, value_enum)]
    pub subset: Option<SubsetArgument>,
    /// Also make rows of pages: what each says to robots in its headers and meta tags. With `only`,
    /// robots.txt files get no rows. WAT files are read too.
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "also", value_name = "WHICH")]
    pub pages: Option<Pages>,
    /// Also count the links of each page, those with rel=nofollow, ugc and sponsored, and elements
    /// with data-nosnippet. For that the whole page is read, up to 2 MiB.
    #[arg(long, requires = "pages")]
    pub links: bool,
    /// Which columns of JSON Lines, CSV and Parquet hold which values, if their names are not
    /// recognised, as in `url=site,body=content`: url, host, time, status, body, body_base64,
    /// headers, location, content_type, ip_address. An empty name means no column.
    #[arg(long, value_name = "WHAT=NAME", value_delimiter = ',')]
    pub columns: Vec<GivenColumn>,
    /// How files of hosts are named in folders, tar and zip files, if not as example.com.txt,
    /// example.com/robots.txt or example.com: for example `{rank}-{host}.txt`. {host} is required;
    /// {rank} is digits, {date} a date as 2026-08-01 or 20260801 (the time of the capture), and {*}
    /// anything. The end of each path is compared, and every file that matches is read.
    #[arg(long, value_name = "PATTERN")]
    pub name_pattern: Option<NamePattern>,
    /// Number of threads [default: the number of processors].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Bytes of a robots.txt that are parsed; at least 512000, the 500 KiB of RFC 9309 §2.5.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT, value_parser = limit())]
    pub limit: usize,
    /// Rows in `sitemaps` per file at most; the counts in `files` stay exact.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max_sitemaps: usize,
    /// Store the parsed bytes of each file in files.body.
    #[arg(long)]
    pub keep_bodies: bool,
    /// Compare captures with their WARC-Payload-Digest and WARC-Block-Digest; the result is in
    /// captures.digest_valid. A wrong digest does not count as damage.
    #[arg(long)]
    pub verify_digests: bool,
    /// CSV file of crawlers for agent_catalog; its rows are added to the shipped ones. A row with a
    /// shipped product token replaces the shipped row.
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
    /// Bytes of input after which rows are committed, at the end of an input. Smaller values make
    /// more and smaller part files.
    #[arg(long, value_name = "BYTES", default_value_t = COMMIT_BYTES)]
    pub commit_every: u64,
    /// Ingest inputs again that were ingested before, and replace their rows.
    #[arg(long)]
    pub force: bool,
    /// Read inputs instead of mapping them into memory.
    #[arg(long)]
    pub no_mmap: bool,
    /// Write nothing, but show what each input is, and the first rows of tables as they are
    /// understood.
    #[arg(long, conflicts_with = "json")]
    pub dry_run: bool,
    /// Exit with 1 if any input is damaged or has no capture; the rest is committed all the same.
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub summary: SummaryArguments,
    #[command(flatten)]
    pub remote: RemoteArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SubsetArgument {
    /// Every response: the input holds robots.txt captures and the targets of their redirects.
    Robotstxt,
    /// Only responses to a robots.txt URL: the input may hold pages, which --pages reads.
    Mixed,
    /// The former name of `mixed`.
    #[value(hide = true)]
    Pages,
}

/// The words of the command line, with `--pages only` as one: a value that may be left out needs an
/// equals sign, or the first input would be taken for it. A file called `only` stays an input.
pub fn with_pages_joined(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
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
