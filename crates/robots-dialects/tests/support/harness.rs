//! A test harness for tests that are known only when they run: one per case of a table, and tests
//! that need files which not every clone has. Without its files a test is reported as ignored,
//! which the attribute `#[ignore]` cannot decide.
//!
//! Understands what `cargo test` and `cargo nextest` say to a test binary.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

/// A test.
pub(crate) struct Test {
    name: String,
    /// Why it cannot run here.
    ignored: Option<String>,
    run: Box<dyn Fn()>,
}

impl Test {
    /// A test that fails where `run` panics.
    pub(crate) fn new(name: impl Into<String>, run: impl Fn() + 'static) -> Self {
        Self {
            name: name.into(),
            ignored: None,
            run: Box::new(run),
        }
    }

    /// The test, ignored where there is a reason to.
    pub(crate) fn ignored_because(mut self, reason: Option<String>) -> Self {
        self.ignored = reason;
        self
    }
}

/// What the command line asks for.
#[derive(Default)]
struct Arguments {
    filters: Vec<String>,
    skipped: Vec<String>,
    is_exact: bool,
    lists: bool,
    ignored: Ignored,
}

/// What happens to ignored tests.
#[derive(Default, PartialEq)]
enum Ignored {
    /// They are reported, not run.
    #[default]
    Reported,
    /// They are run as the others.
    Run,
    /// They alone are run.
    Alone,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Self {
        let mut arguments = Self::default();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--exact" => arguments.is_exact = true,
                "--list" => arguments.lists = true,
                "--ignored" => arguments.ignored = Ignored::Alone,
                "--include-ignored" => arguments.ignored = Ignored::Run,
                "--skip" => arguments.skipped.extend(words.next()),
                // Options with a value, which change nothing here.
                "--format" | "--color" | "--test-threads" | "--logfile" | "-Z" => {
                    words.next();
                }
                word if word.starts_with('-') => {}
                _ => arguments.filters.push(word),
            }
        }
        arguments
    }

    fn selects(&self, test: &Test) -> bool {
        let name = test.name.as_str();
        if self.ignored == Ignored::Alone && test.ignored.is_none() {
            return false;
        }
        let matches = |filter: &String| {
            if self.is_exact {
                name == filter
            } else {
                name.contains(filter.as_str())
            }
        };
        (self.filters.is_empty() || self.filters.iter().any(matches))
            && !self.skipped.iter().any(matches)
    }
}

/// Lists or runs `tests` as the command line says.
pub(crate) fn main(tests: Vec<Test>) -> ExitCode {
    let arguments = Arguments::parse(std::env::args().skip(1));
    let n_tests = tests.len();
    let selected: Vec<Test> = tests
        .into_iter()
        .filter(|test| arguments.selects(test))
        .collect();
    if arguments.lists {
        for test in &selected {
            println!("{}: test", test.name);
        }
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    println!("\nrunning {} tests", selected.len());
    let (mut n_passed, mut n_ignored, mut failed) = (0, 0, Vec::new());
    for test in &selected {
        let reason = test.ignored.as_ref();
        if let Some(reason) = reason.filter(|_| arguments.ignored == Ignored::Reported) {
            n_ignored += 1;
            println!("test {} ... ignored, {reason}", test.name);
        } else if catch_unwind(AssertUnwindSafe(&test.run)).is_ok() {
            n_passed += 1;
            println!("test {} ... ok", test.name);
        } else {
            println!("test {} ... FAILED", test.name);
            failed.push(&test.name);
        }
    }
    for name in &failed {
        println!("failed: {name}");
    }
    let result = if failed.is_empty() { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {result}. {n_passed} passed; {} failed; {n_ignored} ignored; 0 measured; \
         {} filtered out; finished in {:.2}s\n",
        failed.len(),
        n_tests - selected.len(),
        start.elapsed().as_secs_f64(),
    );
    if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
