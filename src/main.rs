//! The `robostat` program: arguments as typed → a validated plan → run → exit code.

mod allocator;

use std::process::ExitCode;

fn main() -> ExitCode {
    allocator::configure();
    robostat::cli::main()
}
