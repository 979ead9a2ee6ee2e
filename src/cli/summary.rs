//! The summary at the end of a command that writes a dataset, for people and as JSON.

use std::fmt::{Display, Write as _};
use std::time::{Duration, Instant};

use clap::Args;
use console::Term;
use indicatif::HumanCount;
use serde_json::{Map, Value};

use super::layout;
use super::outcome::{Result, print_json, tell};
use crate::dataset::tables::PerTable;

/// How a command reports what it has done.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct SummaryArguments {
    /// Print the summary on standard output as one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// Print only errors: no progress and no summary.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// Prints the summary of a command that began at `begun`: one JSON object, to which the seconds are
/// added, or lines for people on standard error.
pub(super) fn print(
    arguments: SummaryArguments,
    begun: Instant,
    mut json: Value,
    text: impl FnOnce(&mut Lines, Duration),
) -> Result<()> {
    let elapsed = begun.elapsed();
    if arguments.json {
        json["seconds"] = elapsed.as_secs_f64().into();
        print_json(&json)?;
    } else if !arguments.quiet {
        let mut lines = Lines(String::new());
        text(&mut lines, elapsed);
        tell!("{}", lines.0.trim_end());
    }
    Ok(())
}

pub(super) struct Lines(String);

/// The column in which values begin.
const INDENT: usize = 11;

impl Lines {
    pub(super) fn add(&mut self, label: &str, value: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{label:<INDENT$}{value}");
    }

    pub(super) fn add_time(&mut self, elapsed: Duration) {
        self.add("time", format_args!("{:.2} s", elapsed.as_secs_f64()));
    }

    /// `first`, and each of the counts `others` that is not zero, with its name.
    pub(super) fn add_counts(&mut self, label: &str, first: String, others: &[(u64, &str)]) {
        let others = others.iter().filter(|(n, _)| *n > 0);
        let others = others.map(|(n, name)| format!(", {} {name}", HumanCount(*n)));
        self.add(label, first + &others.collect::<String>());
    }

    /// What the dataset holds now.
    pub(super) fn add_distinct(&mut self, files: u64, policies: u64) {
        let (files, policies) = (HumanCount(files), HumanCount(policies));
        self.add(
            "files",
            format_args!("{files} in the dataset (policies: {policies})"),
        );
    }

    pub(super) fn add_new_rows(&mut self, rows: &PerTable<u64>) {
        let rows = rows.iter();
        let rows = rows.map(|(table, n)| format!("{} {}", table.name, HumanCount(*n)));
        let rows = rows.collect::<Vec<_>>().join(",\n");
        let width = layout::line_width(&Term::stderr());
        self.add(
            "new rows",
            layout::hang(rows.lines(), INDENT, INDENT, width),
        );
    }
}

pub(super) fn rows_json(rows: &PerTable<u64>) -> Map<String, Value> {
    let rows = rows.iter();
    rows.map(|(table, n)| (table.name.to_owned(), (*n).into()))
        .collect()
}
