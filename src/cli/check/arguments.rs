//! Arguments of `robostat check`, as typed.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use robots_dialects::dialect::Dialect;
use robots_dialects::limit::DEFAULT_LIMIT;

use crate::cli::dialect::DialectArgument;
use crate::cli::layout;
use crate::cli::target::limit;

#[derive(Debug, Args)]
#[command(after_long_help = help())]
pub struct CheckArguments {
    /// The crawler: its product token, or its name with a version (google: the bare token only).
    #[arg(long, value_name = "AGENT", required_unless_present = "batch")]
    pub agent: Option<String>,
    /// What it would fetch: a path or a URL; only path and query are used.
    #[arg(long, value_name = "URL", required_unless_present = "batch")]
    pub url: Option<String>,
    /// The dialect of the protocol; `all` compares all six.
    #[arg(long, value_name = "NAME", default_value = "rfc9309", value_parser = DialectArgument::parser())]
    pub dialect: DialectArgument,
    /// Bytes of a robots.txt that are parsed.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT, value_parser = limit())]
    pub limit: usize,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Read cases from standard input and print verdicts, one JSON object a line.
    #[arg(long, conflicts_with_all = ["agent", "url", "json", "file"])]
    pub batch: bool,
    /// The robots.txt; `-` for standard input.
    #[arg(value_name = "FILE", required_unless_present = "batch")]
    pub file: Option<PathBuf>,
}

/// The list of dialects, then [`HELP`].
fn help() -> String {
    let mut help = "Dialects:\n".to_owned();
    for dialect in Dialect::ALL {
        let source = layout::wrap(dialect.source(), 14, 80);
        // Writing to a String cannot fail.
        let _ = writeln!(help, "  {dialect:<10}  {source}");
    }
    help + HELP
}

const HELP: &str = r#"
Only the path and query of the URL count, not its host.

If the crawler may fetch the path, the preferences that hold for it are printed
too: the Content-Usage lines (draft-ietf-aipref-attach-05) and Content-Signal
lines of its group with the longest matching path. With --json they are in an
array "preferences" of objects with "vocabulary", "preference", "allows" (true,
false, or null for an unknown value) and "line". It is null if the path is
disallowed by RFC 9309, since preferences are about content that can be fetched.

With --batch, each line of standard input is a JSON object with "robots" or
"robots_base64", with "agent", with "url" or "url_base64", and optionally with
"dialect", which overrides --dialect. The line printed for it is the same object
with the following fields added; they replace fields of the same name:
  allowed         true or false
  line            line of the rule that decided, from 1, or null
  rule            that rule, as "disallow: /path", or null
  reason          robots_txt, no_group, no_match, first_match, longest_match,
                  allow_wins_tie or empty_rule
  group           index of the group that decided, from 0, or null
  choice          named (a group names the agent), wildcard or none
  interpretation  true where the dialect's text leaves the verdict open
With the dialect "all" they are in an array "verdicts", and "agree" says whether
all verdicts are equal. For a line that is not such an object, an object with
"error" is printed, and the run continues.

Exit codes:
  0  allowed (with --dialect all: by every dialect); with --batch: every line
     was a valid case
  1  disallowed (with --dialect all: by at least one dialect)
  2  the arguments are wrong, or the file cannot be read
  3  with --batch: some line was not a valid case

Examples:
  robostat check --agent GPTBot --url https://example.com/a/b.html robots.txt
  curl -s https://example.com/robots.txt |
    robostat check --dialect all --agent GPTBot --url /a -
  robostat check --batch < cases.jsonl > verdicts.jsonl"#;
