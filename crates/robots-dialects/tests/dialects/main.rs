//! What each dialect's source says, clause by clause, in cases of our own words; and the cases of
//! other parsers' test suites, if they are next to the repository.
//!
//! Every clause is a test, named by it: `koster1996 §3.2.2: …`.

#[path = "../support/harness.rs"]
mod harness;
#[path = "../support/thread_time.rs"]
mod thread_time;

mod cases;
mod pages;
mod questions;
mod shared;

use std::process::ExitCode;

use harness::Test;

fn main() -> ExitCode {
    let mut tests: Vec<Test> = cases::tests().collect();
    tests.extend(pages::tests());
    tests.extend(shared::tests());
    harness::main(tests)
}
