//! Arguments as typed.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::pipeline::COMMIT_OCTETS;
use crate::robots::dialect::Dialect;
use crate::robots::limit::DEFAULT_LIMIT;
use crate::tables;

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
  130  interrupted; the same command goes on from the last commit"
    };
}

/// What the exit codes mean.
pub(super) const EXIT_CODES: &str = exit_codes!();

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Read WARC files and write or extend a dataset of Parquet tables.
    Ingest(IngestArguments),
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
    /// Ask one robots.txt, or a stream of them, what an agent may fetch.
    Check(CheckArguments),
    /// Ask every policy of a dataset what agents may fetch, into a table.
    Probe(ProbeArguments),
}

/// Arguments of `robostat check`.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_HELP)]
pub(super) struct CheckArguments {
    /// Who asks: a product token, or a name with version (google: the bare token only).
    #[arg(long, value_name = "AGENT", required_unless_present = "batch")]
    pub(super) agent: Option<String>,
    /// What for: a URL, of which path and query count, or a path.
    #[arg(long, value_name = "URL", required_unless_present = "batch")]
    pub(super) url: Option<String>,
    /// By which reading of the protocol; `all` puts all six side by side.
    #[arg(long, value_name = "NAME", default_value = "rfc9309", value_parser = DialectArgument::parser())]
    pub(super) dialect: DialectArgument,
    /// Octets of a robots.txt that are parsed.
    #[arg(long, value_name = "OCTETS", default_value_t = DEFAULT_LIMIT as u64, value_parser = clap::value_parser!(u64).range(DEFAULT_LIMIT as u64..=64 << 20))]
    pub(super) limit: u64,
    /// Answer with one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// Answer the cases on standard input, one JSON object a line.
    #[arg(long, conflicts_with_all = ["agent", "url", "json", "file"])]
    pub(super) batch: bool,
    /// The robots.txt; `-` for standard input.
    #[arg(value_name = "FILE", required_unless_present = "batch")]
    pub(super) file: Option<PathBuf>,
}

/// Arguments of `robostat probe`.
#[derive(Debug, Args)]
#[command(after_long_help = PROBE_HELP)]
pub(super) struct ProbeArguments {
    /// The dataset.
    #[arg(value_name = "OUT")]
    pub(super) dataset: PathBuf,
    /// Product tokens, one a line; `#` begins a comment.
    #[arg(long, value_name = "FILE")]
    pub(super) agents: PathBuf,
    /// Paths or URLs, one a line; a line that begins with `#` is a comment. A path is put to every
    /// policy, a URL to the policies of its scheme, host and port.
    #[arg(long, value_name = "FILE")]
    pub(super) paths: PathBuf,
    /// By which readings of the protocol; may be repeated [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = DialectArgument::parser())]
    pub(super) dialect: Vec<DialectArgument>,
    /// Name of the run: `probes/NAME.parquet` is replaced as a whole.
    #[arg(long, value_name = "NAME", default_value = "probe")]
    pub(super) name: String,
    /// Print the summary on standard output as one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// No summary, only errors.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// A dialect, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DialectArgument {
    One(Dialect),
    All,
}

impl DialectArgument {
    fn parser() -> impl TypedValueParser<Value = Self> {
        let names = Dialect::ALL.map(Dialect::name).into_iter().chain(["all"]);
        PossibleValuesParser::new(names).map(|name| name.parse().map_or(Self::All, Self::One))
    }

    /// The dialects that are meant.
    pub(super) fn dialects(self) -> impl Iterator<Item = Dialect> {
        Dialect::all().filter(move |dialect| self == Self::All || self == Self::One(*dialect))
    }
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
    /// Octets of a robots.txt that are parsed; not below 512000, the 500 KiB that RFC 9309 asks
    /// for.
    #[arg(long, value_name = "OCTETS", default_value_t = DEFAULT_LIMIT as u64, value_parser = clap::value_parser!(u64).range(DEFAULT_LIMIT as u64..=64 << 20))]
    pub(super) limit: u64,
    /// Rows in `sitemaps` per file; counts stay exact.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) max_sitemaps: usize,
    /// Fill files.body with the parsed octets.
    #[arg(long)]
    pub(super) keep_bodies: bool,
    /// Octets of input after which rows are committed, at the end of an input; fewer make more and
    /// smaller part files.
    #[arg(long, value_name = "OCTETS", default_value_t = COMMIT_OCTETS)]
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
mapped into memory. If a mapped file changes while it is read, rows may mix old and new content;
if it is cut short, the system ends robostat with SIGBUS: what was committed stays, and the same
command goes on from there. Use --no-mmap for files that others may change.

Standard input and pipes are first copied to a temporary file in the output directory; the rows
know them as stream- and a hash of their content.

Inputs ingested before (same path, size and modification time) are skipped; one that has changed
replaces its rows. Rows are committed after every 256 MiB of input (--commit-every), at the end
of an input.

",
    exit_codes!(),
    "

Examples:
  robostat ingest crawl.warc.gz out/
  robostat ingest --files-from robotstxt.paths --crawl CC-MAIN-2026-33 out/
  zcat crawl.warc.gz | robostat ingest - out/"
);

/// Arguments of `robostat schema`.
#[derive(Debug, Args)]
#[command(after_long_help = SCHEMA_HELP)]
pub(super) struct SchemaArguments {
    /// Print this table only.
    #[arg(value_name = "TABLE", value_parser = PossibleValuesParser::new(tables::NAMES))]
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
    /// Octets of the robots.txt that are parsed; not below 512000, as in ingest.
    #[arg(long, value_name = "OCTETS", default_value_t = DEFAULT_LIMIT as u64, value_parser = clap::value_parser!(u64).range(DEFAULT_LIMIT as u64..=64 << 20))]
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

const CHECK_HELP: &str = r#"
Dialects:
  rep1994     A Standard for Robot Exclusion, 1994
  koster1996  A Method for Web Robots Control, Internet-Draft of 1996
  conner1996  An Extended Standard for Robot Exclusion, 1996
  rep2019     draft-koster-rep-00, 2019
  rfc9309     RFC 9309, 2022
  google      Google's specification and open-source parser

Whether the robots.txt speaks for the URL's host is not asked: the URL's path and query count.

With --batch each line of standard input is an object with "robots" or "robots_base64", "agent",
"url" or "url_base64", and perhaps "dialect" (else that of --dialect); anything else in it is
handed through. The answer is the same object with these added, or put in place of what it had
under these names:
  allowed     true or false
  line        line of the rule that decided, from 1, or null
  rule        that rule, as "disallow: /path", or null
  reason      robots_txt, no_group, no_match, first_match, longest_match, allow_wins_tie, empty_rule
  group       the group that decided, from 0 as the dialect draws groups, or null
  choice      named (a group names the agent), wildcard or none
  our_reading true where the dialect's text does not settle the verdict
With dialect "all" these stand in an array "verdicts", and "agree" tells whether all are equal. A
line that is no case gets an object with "error"; the run goes on.

Exit codes:
  0  allowed (with --dialect all: by every dialect); with --batch: every line was answered
  1  disallowed (with --dialect all: by at least one)
  2  the arguments are wrong, or the file cannot be read
  3  with --batch: some line was no case

Examples:
  robostat check --agent GPTBot --url https://example.com/a/b.html robots.txt
  curl -s https://example.com/robots.txt | robostat check --dialect all --agent GPTBot --url /a -
  robostat check --batch < cases.jsonl > verdicts.jsonl"#;

const PROBE_HELP: &str = "\
Every policy is asked once for every agent, path and dialect, however many hosts share it; join
captures on policy_id for the hosts. The dataset is read, and only probes/NAME.parquet written:
aside first, then put in place as a whole, replacing that of an earlier run with the same name.
Later ingests do not extend it; run probe again.

A URL counts for the captures of a robots.txt of its scheme, host and port; the policies of all of
them are asked. URLs that no capture speaks for are told and give no rows.

Exit codes:
  0    complete
  1    failed; the table of an earlier run is untouched
  2    the arguments are wrong

Examples:
  robostat probe out/ --agents agents.txt --paths paths.txt
  robostat probe out/ --agents ai.txt --paths news.txt --dialect rfc9309,google --name news";
