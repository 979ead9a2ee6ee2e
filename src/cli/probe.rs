//! `robostat probe`: every policy × agent × path × dialect, into a table.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{HumanBytes, HumanCount};

use super::dialect::DialectArgument;
use super::{COMPLETE, terminal};
use crate::analysis::probe::Questions;

use crate::error::{Error, shown};
use robots_dialects::dialect::Dialect;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// URLs and hosts without a capture that are told one by one.
const MAX_UNSPOKEN_LINES: usize = 10;

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
    /// Paths (/a), paths with a host (example.com/a) or URLs, one a line; a line that begins with
    /// `#` is a comment. A path is put to every policy, the others to the policies of their host.
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

/// Runs the subcommand.
pub(super) fn run(arguments: &ProbeArguments) -> Result<u8> {
    let begun = Instant::now();
    if !is_name(&arguments.name) {
        super::usage(
            "probe",
            "the name of a run has letters, digits, `-`, `_` and `.`, the first no `.`",
        );
    }
    let agents = fs::read(&arguments.agents).map_err(Error::io(&arguments.agents))?;
    let paths = fs::read(&arguments.paths).map_err(Error::io(&arguments.paths))?;
    let is_asked = |dialect: &Dialect| {
        arguments.dialect.is_empty()
            || arguments.dialect.contains(&DialectArgument::All)
            || arguments.dialect.contains(&DialectArgument::One(*dialect))
    };
    let dialects = Dialect::all().filter(is_asked).collect();
    let questions = match Questions::read(&agents, &paths, dialects) {
        Ok(questions) if questions.n_agents() > 0 && questions.n_paths() > 0 => questions,
        Ok(_) => super::usage("probe", "there is nothing to ask: no agent or no path"),
        Err(bad) => super::usage(
            "probe",
            &format!("{}, line {}: {}", shown(&arguments.paths), bad.0, bad.1),
        ),
    };
    let probed = crate::analysis::probe::probe(&arguments.dataset, &arguments.name, &questions)?;

    let seconds = begun.elapsed().as_secs_f64();
    if arguments.json {
        let summary = serde_json::json!({
            "path": probed.path.to_string_lossy(),
            "policies": probed.policies,
            "rows": probed.rows,
            "bytes": probed.bytes,
            "urls_without_capture": probed.unspoken,
            "seconds": seconds,
        });
        terminal::print(|out| writeln!(out, "{summary}"))?;
    } else if !arguments.quiet {
        let tell = |line: &str| eprintln!("robostat: {}", terminal::printable(line));
        for url in probed.unspoken.iter().take(MAX_UNSPOKEN_LINES) {
            tell(&format!("{url}: no capture of its robots.txt has rules"));
        }
        if let Some(more @ 1..) = probed.unspoken.len().checked_sub(MAX_UNSPOKEN_LINES) {
            tell(&format!("and {more} more"));
        }
        tell(&format!(
            "{} policies asked, {} rows in {} ({}), {seconds:.2} s",
            HumanCount(probed.policies),
            HumanCount(probed.rows),
            shown(&probed.path),
            HumanBytes(probed.bytes),
        ));
    }
    Ok(COMPLETE)
}

/// Whether a run may be called so: its name becomes a file's.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 100
        && !name.starts_with('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

const PROBE_HELP: &str = "\
Every policy is asked once for every agent, path and dialect, however many hosts share it. In
DuckDB, with out/views.sql, FROM probes('probe') has the answers of a run by policy, and
FROM host_probes('probe') those of every host. The dataset is read, and only probes/NAME.parquet written:
aside first, then put in place as a whole, replacing that of an earlier run with the same name.
Later ingests do not extend it; run probe again.

A URL is put to the policies that captures of the robots.txt of its scheme, host and port brought,
directly or by redirects; a path with a host to those of all its schemes and ports. The answers of
all captures are kept; host_probes has those of the one that counts. What no capture speaks for is
told and gives no rows.

Exit codes:
  0    complete
  1    failed; the table of an earlier run is untouched
  2    the arguments are wrong

Examples:
  robostat probe out/ --agents agents.txt --paths paths.txt
  robostat probe out/ --agents ai.txt --paths news.txt --dialect rfc9309,google --name news";
