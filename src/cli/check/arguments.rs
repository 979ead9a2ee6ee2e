//! Arguments of `robostat check`, as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::dialect::DialectArgument;
use robots_dialects::limit::DEFAULT_LIMIT;

/// Arguments of `robostat check`.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_HELP)]
pub(in crate::cli) struct CheckArguments {
    /// Who asks: a product token, or a name with version (google: the bare token only).
    #[arg(long, value_name = "AGENT", required_unless_present = "batch")]
    pub(in crate::cli) agent: Option<String>,
    /// What for: a URL, of which path and query count, or a path.
    #[arg(long, value_name = "URL", required_unless_present = "batch")]
    pub(in crate::cli) url: Option<String>,
    /// By which reading of the protocol; `all` puts all six side by side.
    #[arg(long, value_name = "NAME", default_value = "rfc9309", value_parser = DialectArgument::parser())]
    pub(in crate::cli) dialect: DialectArgument,
    /// Bytes of a robots.txt that are parsed.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT as u64, value_parser = clap::value_parser!(u64).range(DEFAULT_LIMIT as u64..=64 << 20))]
    pub(in crate::cli) limit: u64,
    /// Answer with one JSON object.
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Answer the cases on standard input, one JSON object a line.
    #[arg(long, conflicts_with_all = ["agent", "url", "json", "file"])]
    pub(in crate::cli) batch: bool,
    /// The robots.txt; `-` for standard input.
    #[arg(value_name = "FILE", required_unless_present = "batch")]
    pub(in crate::cli) file: Option<PathBuf>,
}

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
