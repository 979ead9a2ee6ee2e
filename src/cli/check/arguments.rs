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

/// The list of dialects, then the notes.
fn help() -> String {
    let mut help = "Dialects:\n".to_owned();
    for dialect in Dialect::ALL {
        let source = layout::wrap(dialect.source(), 14, 80);
        // Writing to a String cannot fail.
        let _ = writeln!(help, "  {dialect:<10}  {source}");
    }
    help + "\n" + include_str!("../help/check.txt")
}
