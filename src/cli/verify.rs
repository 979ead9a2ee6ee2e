//! `robostat verify`: whether a dataset is consistent.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use console::Term;
use serde_json::{Value, json};

use super::layout;
use super::outcome::{COMPLETE, DAMAGED, Result, print_json, print_text};
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
        print_json(&json(&report))?;
    } else {
        print_text(&text(&report, arguments.quiet))?;
    }
    Ok(match report.state() {
        State::Consistent => COMPLETE,
        State::Interrupted | State::Inconsistent => DAMAGED,
    })
}

fn text(report: &Verification, is_quiet: bool) -> String {
    let mut out = String::new();
    let width = layout::line_width(&Term::stdout());
    let fit = |text: &str| layout::hang(text.split(' '), 9, 9, width);
    let (mut failed, mut not_checked) = (0, 0);
    for check in &report.checks {
        let name = &check.name;
        let line = match (&check.not_checked, check.problems.is_empty()) {
            (None, true) if is_quiet => continue,
            (None, true) => {
                let text = format!("{name} ({}: {})", check.unit, check.checked);
                format!("ok       {}", fit(&text))
            }
            (Some(why), true) => {
                not_checked += 1;
                format!("skipped  {}", fit(&format!("{name}: {why}")))
            }
            (_, false) if check.is_interrupted() => format!("pending  {name}"),
            (_, false) => {
                failed += 1;
                format!("FAILED   {name}")
            }
        };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{line}");
        for problem in &check.problems {
            let _ = writeln!(out, "         {}", fit(&self::line(problem)));
            for example in &problem.examples {
                let _ = writeln!(out, "           {}", escape::line(example));
            }
        }
    }
    let checks = report.checks.len();
    let state = match report.state() {
        State::Consistent if is_quiet => return out,
        State::Consistent => format!("consistent: {checks} checks"),
        State::Interrupted => "interrupted: a run ended as it committed. The same command again, \
            or the next `robostat ingest`, `merge` or `compact` into this directory, finishes the \
            commit; nothing is lost"
            .to_owned(),
        State::Inconsistent => format!(
            "not consistent: {failed} of {checks} checks failed, {not_checked} were skipped"
        ),
    };
    out + &layout::hang(state.split(' '), 0, 0, width) + "\n"
}

fn line(problem: &Problem) -> String {
    let place = problem.file.as_ref().or(problem.table.as_ref());
    let place = place.map_or(String::new(), |place| format!("{place}: "));
    match problem.count {
        0 => format!("{place}{}", problem.message),
        count => format!("{place}{}: {count}", problem.message),
    }
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
