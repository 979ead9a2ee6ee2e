//! Arguments as typed.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::dataset::tables;
use crate::ingest::COMMIT_BYTES;
use robots_dialects::limit::DEFAULT_LIMIT;

/// Archived robots.txt captures (WARC) to Parquet tables for research.
#[derive(Debug, Parser)]
#[command(name = "robostat", version, about, propagate_version = true, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// What the exit codes mean; a macro, so that longer help texts can hold it.
macro_rules! exit_codes {
    () => {
        "\
Exit codes:
  0    complete
  1    failed; what was committed before stays and is consistent, nothing else is visible
  2    the arguments are wrong
  3    complete, but some input was damaged (1 with --strict)
  130  interrupted; the same command goes on from the last commit
  143  the same, by SIGTERM; 129 by SIGHUP (a terminal that closes)"
    };
}

/// What the exit codes mean.
pub(super) const EXIT_CODES: &str = exit_codes!();

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Read WARC files and write or extend a dataset of Parquet tables.
    Ingest(IngestArguments),
    /// Ask one robots.txt, or a stream of them, what an agent may fetch.
    Check(super::check::CheckArguments),
    /// Ask every policy of a dataset what agents may fetch, into a table.
    Probe(super::probe::ProbeArguments),
    /// Put questions to a dataset: shipped ones by name, or SQL of your own.
    Query(super::query::QueryArguments),
    /// Tell what the shipped questions answer: a page with charts, Markdown or JSON.
    Report(super::report::ReportArguments),
    /// Check that a dataset is consistent: manifest, part files, rows, keys between tables.
    Verify(super::verify::VerifyArguments),
    /// Show how one robots.txt, or one capture of a WARC file, is read, line by line.
    Inspect(InspectArguments),
    /// Print the tables of a dataset: columns, types, meaning.
    Schema(SchemaArguments),
    /// Print a completion script for a shell.
    Completions(CompletionsArguments),
    /// Print the manual, or write it as pages.
    Man(ManArguments),
}

/// Arguments of `robostat ingest`.
#[derive(Debug, Args)]
#[command(after_long_help = INGEST_HELP)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct IngestArguments {
    /// WARC files, directories of them (read recursively), or `-` for standard input; then the
    /// output directory.
    #[arg(required = true, value_name = "INPUT... OUT")]
    pub(super) paths: Vec<PathBuf>,
    /// Read further input paths from a file, one a line; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub(super) files_from: Option<PathBuf>,
    /// Label of the crawl that the captures belong to [default: the WARC's isPartOf, else the
    /// word default].
    #[arg(long, value_name = "LABEL", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(super) crawl: Option<String>,
    /// Which responses become captures [default: robotstxt for inputs under a directory
    /// `robotstxt`, else pages].
    #[arg(long, value_enum)]
    pub(super) subset: Option<SubsetArgument>,
    /// Threads that read and encode [default: the number of processors].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,
    /// Bytes of a robots.txt that are parsed; not below 512000, the 500 KiB that RFC 9309 asks
    /// for.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT as u64, value_parser = clap::value_parser!(u64).range(DEFAULT_LIMIT as u64..=64 << 20))]
    pub(super) limit: u64,
    /// Rows in `sitemaps` per file; counts stay exact.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) max_sitemaps: usize,
    /// Fill files.body with the parsed bytes.
    #[arg(long)]
    pub(super) keep_bodies: bool,
    /// Compare captures with their WARC-Payload-Digest and WARC-Block-Digest, into
    /// captures.digest_valid; a wrong digest is no damage and changes no exit code.
    #[arg(long)]
    pub(super) verify_digests: bool,
    /// CSV file with rows for agent_catalog, which are added to the shipped ones or replace those
    /// of the same product token.
    #[arg(long, value_name = "FILE")]
    pub(super) catalog: Option<PathBuf>,
    /// Bytes of input after which rows are committed, at the end of an input; fewer make more and
    /// smaller part files.
    #[arg(long, value_name = "BYTES", default_value_t = COMMIT_BYTES)]
    pub(super) commit_every: u64,
    /// Ingest inputs again that were ingested before, replacing their rows.
    #[arg(long)]
    pub(super) force: bool,
    /// Read inputs instead of mapping them into memory.
    #[arg(long)]
    pub(super) no_mmap: bool,
    /// Fail (exit code 1) if any input is damaged; what was read is committed all the same.
    #[arg(long)]
    pub(super) strict: bool,
    /// Print the summary on standard output as one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// No progress, no summary, only errors.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// Which responses become captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SubsetArgument {
    /// Every response: the input holds robots.txt captures and the targets of their redirects.
    Robotstxt,
    /// Only responses under a robots.txt URL: the input is a crawl of pages.
    Pages,
}

const INGEST_HELP: &str = concat!(
    "\
Inputs are recognised by content: plain WARC, gzip, zstd with or without a dictionary. They are
mapped into memory. If a mapped file changes while it is read, rows may mix old and new content.
If it is cut short, or its disk fails, robostat says where and ends: what was committed stays, and
the same command goes on from there. Use --no-mmap for files that others may change.

Standard input and pipes are first copied to a temporary file in the output directory; the rows
know them as stream- and a hash of their content.

Inputs ingested before (same path, size and modification time) are skipped; one that has changed
replaces its rows. Rows are committed after every 256 MiB of input (--commit-every), at the end
of an input: an input counts whole or not at all, so what a kill costs is the reading of the inputs
since the last commit.

With --verify-digests, the payload of a response is its body without transfer codings, as the WARC
standard says, or the body as stored, or the body decoded, whichever fits: writers differ. Values may
be in base32, hexadecimal or base64. Where nothing can be compared, digest_valid is null.

The file of --catalog has the columns of agent_catalog (`robostat schema agent_catalog`) as its
header and a row per crawler; true and false, days as 2026-08-15, nothing for null. The dataset
keeps it as agent_catalog.csv: later runs without --catalog have its rows too, a later --catalog
replaces them all (a header alone: the shipped rows only).

",
    exit_codes!(),
    "

Examples:
  robostat ingest crawl.warc.gz out/
  robostat ingest --files-from robotstxt.paths --crawl CC-MAIN-2026-33 out/
  robostat ingest --catalog my-crawlers.csv crawl.warc.gz out/
  zcat crawl.warc.gz | robostat ingest - out/"
);

/// Arguments of `robostat schema`.
#[derive(Debug, Args)]
#[command(after_long_help = SCHEMA_HELP)]
pub(super) struct SchemaArguments {
    /// Print this table only.
    #[arg(value_name = "TABLE", value_parser = PossibleValuesParser::new(tables::documented().map(|table| table.name)))]
    pub(super) table: Option<String>,
    /// Print one JSON array of tables.
    #[arg(long)]
    pub(super) json: bool,
}

const SCHEMA_HELP: &str = "\
Types are given as DuckDB names them. A column that is never null is marked NOT NULL. The same
comments are in the Arrow metadata of every Parquet file.

Examples:
  robostat schema captures
  robostat schema --json | jq -r '.[] | .name as $table | .columns[] | [$table, .name, .type] | @tsv'";

/// Arguments of `robostat inspect`.
#[derive(Debug, Args)]
#[command(after_long_help = INSPECT_HELP)]
pub(super) struct InspectArguments {
    /// A robots.txt, `-` for standard input, or a capture in a WARC file:
    /// crawl.warc.gz@OFFSET, or @OFFSET+INNER where a member or frame holds several records.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Bytes of the robots.txt that are parsed; not below 512000, as in ingest.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT as u64, value_parser = clap::value_parser!(u64).range(DEFAULT_LIMIT as u64..=64 << 20))]
    pub(super) limit: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

const INSPECT_HELP: &str = "\
Shows each line, what it was taken for, the group it belongs to (group_index of the tables, from
0), the form in which a path is compared where that is another than the one written, and what is
wrong with the line. The foot tells what the file comes to, as ingest would write it into the
tables.

OFFSET and INNER are captures.warc_record_offset and captures.warc_record_inner_offset. WARC files
are recognised by content: plain, gzip, zstd with or without a dictionary. A file whose name holds
an @ and that exists is taken as a file.

Control characters and those that change the direction of writing are shown escaped. Colours
appear on a terminal only, and not where NO_COLOR is set.

Examples:
  robostat inspect robots.txt
  curl -s https://www.example.com/robots.txt | robostat inspect -
  robostat inspect crawl.warc.gz@48211
  robostat inspect --json robots.txt | jq '.lines[] | select(.remarks != [])'";

/// Arguments of `robostat completions`.
#[derive(Debug, Args)]
#[command(after_long_help = COMPLETIONS_HELP)]
pub(super) struct CompletionsArguments {
    /// The shell that is to complete robostat's arguments.
    #[arg(value_name = "SHELL", value_enum)]
    pub(super) shell: clap_complete::Shell,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  robostat completions bash > ~/.local/share/bash-completion/completions/robostat
  robostat completions zsh > ~/.zfunc/_robostat
  robostat completions fish > ~/.config/fish/completions/robostat.fish";

/// Arguments of `robostat man`.
#[derive(Debug, Args)]
#[command(after_long_help = MAN_HELP)]
pub(super) struct ManArguments {
    /// Write robostat.1 and one page per subcommand into this directory.
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: Option<PathBuf>,
}

const MAN_HELP: &str = "\
Without --output, all pages are printed one after the other, the main page first.

Examples:
  robostat man | man -l -
  robostat man --output ~/.local/share/man/man1";
