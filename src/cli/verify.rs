//! `robostat verify`: whether a dataset is consistent.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::exit::{COMPLETE, DAMAGED, Result};
use super::terminal;
use crate::dataset::verify::{Check, Problem, State, Verification, verify};
use crate::escape;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/verify.txt"))]
pub(super) struct VerifyArguments {
    /// The dataset: the output directory of `robostat ingest`.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Print the checks on standard output as one JSON object.
    #[arg(long)]
    json: bool,
    /// Print only what is wrong.
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(arguments: &VerifyArguments) -> Result<u8> {
    let report = verify(&arguments.out)?;
    if arguments.json {
        terminal::print_json(&json(&report))?;
    } else {
        terminal::print_text(&text(&report, arguments.quiet))?;
    }
    Ok(match report.state() {
        State::Consistent => COMPLETE,
        State::Interrupted | State::Inconsistent => DAMAGED,
    })
}

/// The report as text: a line per check, below it what is wrong.
fn text(report: &Verification, is_quiet: bool) -> String {
    let mut out = String::new();
    let (mut failed, mut not_checked) = (0, 0);
    for check in &report.checks {
        // Writing to a String cannot fail.
        let _ = match (&check.not_checked, check.problems.is_empty()) {
            (None, true) if is_quiet => Ok(()),
            (None, true) => writeln!(
                out,
                "ok       {} ({} {})",
                check.name, check.checked, check.unit
            ),
            (Some(why), true) => {
                not_checked += 1;
                writeln!(out, "skipped  {}: {why}", check.name)
            }
            (_, false) if check.is_interrupted() => writeln!(out, "pending  {}", check.name),
            (_, false) => {
                failed += 1;
                writeln!(out, "FAILED   {}", check.name)
            }
        };
        for problem in &check.problems {
            let _ = writeln!(out, "         {}", line(problem));
            for example in &problem.examples {
                let _ = writeln!(out, "           {}", escape::line(example));
            }
        }
    }
    let checks = report.checks.len();
    let _ = match report.state() {
        State::Consistent if is_quiet => Ok(()),
        State::Consistent => writeln!(out, "consistent: {checks} checks"),
        State::Interrupted => writeln!(
            out,
            "interrupted: a run ended as it committed. The same command again, or the next \
             `robostat ingest`, `merge` or `compact` into this directory, finishes the commit; \
             nothing is lost"
        ),
        State::Inconsistent => writeln!(
            out,
            "not consistent: of {checks} checks {failed} failed, {not_checked} could not be made"
        ),
    };
    out
}

fn line(problem: &Problem) -> String {
    let place = problem.file.as_ref().or(problem.table.as_ref());
    let place = place.map_or(String::new(), |place| format!("{place}: "));
    let count = if problem.count > 0 {
        format!("{} ", problem.count)
    } else {
        String::new()
    };
    format!("{place}{count}{}", problem.message)
}

fn json(report: &Verification) -> Value {
    let check = |check: &Check| {
        let mut value = json!(check);
        value["ok"] = check.is_ok().into();
        value
    };
    json!({
        "ok": report.state() == State::Consistent,
        "state": report.state(),
        "checks": report.checks.iter().map(check).collect::<Value>(),
    })
}
