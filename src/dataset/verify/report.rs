//! What a verification found.

use serde::Serialize;

/// Wrong rows listed as examples; the rest are counted.
const MAX_EXAMPLES: usize = 3;

#[derive(Debug)]
pub struct Verification {
    pub checks: Vec<Check>,
}

impl Verification {
    pub fn state(&self) -> State {
        let mut failed = self.checks.iter().filter(|check| !check.is_ok()).peekable();
        if failed.peek().is_none() {
            State::Consistent
        } else if failed.all(Check::is_interrupted) {
            State::Interrupted
        } else {
            State::Inconsistent
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Every check was made and found nothing.
    Consistent,
    /// Only what a run interrupted during a commit leaves: the next run finishes it, and until then
    /// readers have the state before.
    Interrupted,
    Inconsistent,
}

/// A condition to verify; its fields are in the JSON, too.
#[derive(Debug, Serialize)]
pub struct Check {
    pub name: String,
    /// What is counted: `parts`, `rows` and the like.
    pub unit: &'static str,
    pub checked: u64,
    pub problems: Vec<Problem>,
    /// Why the check could not be made, or not in full.
    pub not_checked: Option<String>,
}

impl Check {
    pub(super) fn new(name: impl Into<String>, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            unit,
            checked: 0,
            problems: Vec::new(),
            not_checked: None,
        }
    }

    pub(super) fn fail(
        &mut self,
        table: Option<&str>,
        file: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Problem {
        self.problems.push(Problem {
            table: table.map(str::to_owned),
            file: Some(file.into()),
            message: message.into(),
            ..Problem::default()
        });
        self.problems.last_mut().expect("a problem")
    }

    /// Adds rows that were checked. `message` describes the wrong ones.
    pub(super) fn add_rows(
        &mut self,
        table: &str,
        file: Option<&str>,
        message: &str,
        rows: CheckedRows,
    ) {
        self.checked += rows.checked;
        if rows.wrong > 0 {
            self.problems.push(Problem {
                table: Some(table.to_owned()),
                file: file.map(str::to_owned),
                message: message.to_owned(),
                count: rows.wrong,
                examples: rows.examples,
                ..Problem::default()
            });
        }
    }

    pub fn is_ok(&self) -> bool {
        self.problems.is_empty() && self.not_checked.is_none()
    }

    /// Whether the check was made, and found only what an interrupted run leaves.
    pub fn is_interrupted(&self) -> bool {
        let mut problems = self.problems.iter();
        !self.problems.is_empty()
            && self.not_checked.is_none()
            && problems.all(|problem| problem.is_interruption)
    }
}

/// A place where the condition does not hold; its fields are in the JSON, too.
#[derive(Debug, Default, Serialize)]
pub struct Problem {
    pub table: Option<String>,
    /// The file within the dataset, if the problem is in one.
    pub file: Option<String>,
    /// What is wrong, and what to do if that is known.
    pub message: String,
    /// How many rows are wrong in this way; 0 if the problem is not in rows.
    pub count: u64,
    pub examples: Vec<String>,
    /// Whether an interrupted run left the problem, so that the next run solves it.
    #[serde(skip)]
    pub is_interruption: bool,
}

#[derive(Debug, Default)]
pub(super) struct CheckedRows {
    pub(super) checked: u64,
    wrong: u64,
    examples: Vec<String>,
}

impl CheckedRows {
    /// Counts a row that was checked; `example` describes it if it is wrong.
    pub(super) fn add(&mut self, is_right: bool, example: impl FnOnce() -> String) {
        self.checked += 1;
        if !is_right {
            self.add_wrong(example);
        }
    }

    /// Counts something wrong in a row that is counted elsewhere.
    pub(super) fn add_wrong(&mut self, example: impl FnOnce() -> String) {
        self.wrong += 1;
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.push(example());
        }
    }
}
