//! What each dialect's source says, clause by clause, in cases of our own words; and the cases of
//! other parsers' test suites, if they are next to the repository.
//!
//! Every clause is a test, named by it: `koster1996 §3.2.2: …`.

#[path = "../support/harness.rs"]
mod harness;
#[path = "../support/thread_time.rs"]
mod thread_time;

mod conner1996;
mod google;
mod koster1996;
mod limits;
mod rep1994;
mod rep2019;
mod responses;
mod rfc9309;
mod rfc9309_paths;
mod shared;

use std::process::ExitCode;

use robots_dialects::dialect::{Batch, Dialect};
use robots_dialects::path::UrlPath;

use harness::Test;

const ALLOWED: bool = true;
const BLOCKED: bool = false;

/// A clause of a dialect's source, and what follows from it for one robots.txt.
pub(crate) struct Case {
    /// Section or heading, and what it says, in our words.
    clause: &'static str,
    robots: &'static [u8],
    /// Agent, path, and whether the agent may fetch the path.
    verdicts: &'static [(&'static str, &'static str, bool)],
}

/// A case whose robots.txt is text.
pub(crate) const fn case(
    clause: &'static str,
    robots: &'static str,
    verdicts: &'static [(&'static str, &'static str, bool)],
) -> Case {
    case_of_bytes(clause, robots.as_bytes(), verdicts)
}

/// A case whose robots.txt is not UTF-8.
pub(crate) const fn case_of_bytes(
    clause: &'static str,
    robots: &'static [u8],
    verdicts: &'static [(&'static str, &'static str, bool)],
) -> Case {
    Case {
        clause,
        robots,
        verdicts,
    }
}

/// The cases of `dialect`.
const fn cases(dialect: Dialect) -> &'static [&'static [Case]] {
    match dialect {
        Dialect::Rep1994 => &[rep1994::CASES],
        Dialect::Koster1996 => &[koster1996::CASES],
        Dialect::Conner1996 => &[conner1996::CASES],
        Dialect::Rep2019 => &[rep2019::CASES],
        Dialect::Rfc9309 => &[rfc9309::CASES, rfc9309_paths::CASES],
        Dialect::Google => &[google::CASES],
    }
}

fn check(dialect: Dialect, case: &Case) {
    let ruleset = dialect.compile(case.robots);
    for (agent, path, allowed) in case.verdicts {
        let (agent, url_path) = (agent.as_bytes(), UrlPath::new(path.as_bytes()));
        let got = [
            ruleset.verdict(agent, &url_path).allowed,
            // Many agents at once are judged by other code.
            Batch::new(&ruleset, &url_path).allows(agent),
        ];
        assert_eq!(
            got,
            [*allowed; 2],
            "alone and in a batch, {} asks for {path:?} of {}",
            agent.escape_ascii(),
            case.robots.escape_ascii()
        );
    }
}

fn main() -> ExitCode {
    let mut tests = Vec::new();
    for dialect in Dialect::ALL {
        for case in cases(dialect).iter().copied().flatten() {
            let name = format!("{dialect} {}", case.clause);
            tests.push(Test::new(name, move || check(dialect, case)));
        }
    }
    tests.extend(responses::tests());
    tests.extend(limits::tests());
    tests.extend(shared::tests());
    harness::main(tests)
}
