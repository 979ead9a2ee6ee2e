//! The `robostat` program: arguments as typed → a validated plan → run → exit code.

mod allocator;
mod limits;

use std::process::ExitCode;

fn main() -> ExitCode {
    limits::watch();
    robostat::cli::main()
}
