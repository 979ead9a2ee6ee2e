//! Tests of each dialect's source, clause by clause, with cases of our own; and the cases of other
//! parsers' test suites, if they are next to the repository.
//!
//! Every clause is a test named after it: `koster1996 §3.2.2: …`.

#[path = "../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, dead_code, reason = "a library of its own in fuzz/")]
mod promises;
#[path = "../support/thread_time.rs"]
mod thread_time;

mod cases;
mod pages;
mod questions;
mod shared;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let tests = cases::tests().chain(pages::tests()).chain(shared::tests());
    libtest_mimic::run(&Arguments::from_args(), tests.collect()).exit_code()
}

/// A test that fails if `run` panics.
fn test(name: impl Into<String>, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, || {
        run();
        Ok(())
    })
}
