//! `robostat completions`: completion scripts for shells.

use std::io::Write as _;

use clap::CommandFactory as _;

use super::args::{Arguments, CompletionsArguments};
use super::{COMPLETE, Result, terminal};

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
    terminal::print(|out| out.write_all(&script))?;
    Ok(COMPLETE)
}
