//! `robostat completions`: completion scripts for shells.

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::args::{Arguments, CompletionsArguments};
use super::{COMPLETE, Result, terminal};
use crate::analysis::query::shipped;

/// Runs the subcommand.
pub(super) fn run(arguments: &CompletionsArguments) -> Result<u8> {
    // The generator panics where it cannot write, as it cannot where the pipe is closed.
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "robostat",
        &mut script,
    );
    if arguments.shell == Shell::Fish {
        script.extend(queries_for_fish().into_bytes());
    }
    terminal::print(|out| out.write_all(&script))?;
    Ok(COMPLETE)
}

/// Names of queries, which the generator for fish leaves out: it knows values of options only.
fn queries_for_fish() -> String {
    let lines = shipped::all().iter().map(|query| {
        let summary = query.summary().replace('\\', "\\\\").replace('\'', "\\'");
        format!(
            "complete -c robostat -n \"__fish_robostat_using_subcommand query\" -a \"{}\" -d '{summary}'\n",
            query.name
        )
    });
    lines.collect()
}
