//! Compares the dataset with another dataset, on the hosts that both have.
//!
//! The last crawl of each counts. The hosts and blocks of the other dataset are copied to a file
//! first, so that each DuckDB session has one dataset open.

use std::path::PathBuf;

use crate::analysis::query::row::rows_of;
use crate::analysis::query::{DEFAULT_MEMORY, Scope, sql};
use crate::dataset::Snapshot;
use crate::error::{Error, shown};

use super::context::{Context, ReportContext};
use super::crawls::Crawl;
use super::finding::{Omission, WrittenChapter};
use super::methods::command;
use super::section::BASELINE;
use super::{reading, session};

const COMPARISON: &str = include_str!("baseline.sql");

/// The sentences take the baseline to be earlier. Without times, the user's order counts.
pub(super) fn check_order(snapshot: &Snapshot, other: &Snapshot) -> Result<(), Error> {
    let last = |it: &Snapshot| {
        let last = it.manifest.crawls().pop()?;
        Some((last.times?.median_day(), last.label))
    };
    match (last(other), last(snapshot)) {
        (Some((there, other_label)), Some((here, label))) if there > here => {
            Err(Error::Argument(format!(
                "the last crawl of the baseline {}, {other_label}, is later than {label}, which \
                 the report is about; the baseline must be the earlier",
                shown(&other.directory)
            )))
        }
        _ => Ok(()),
    }
}

pub(super) fn compare(
    snapshot: &Snapshot,
    directories: &[PathBuf],
    other: &Snapshot,
    report: &ReportContext<'_>,
    tokens: &[String],
) -> Result<Result<WrittenChapter, Omission>, Error> {
    let aside = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
    let path = |name| sql::text(&aside.path().join(name).to_string_lossy());
    let (hosts, blocks) = (path("hosts.parquet"), path("blocks.parquet"));
    let mut here = Scope::of(snapshot, DEFAULT_MEMORY)?;
    let there = Scope::of(other, DEFAULT_MEMORY)?;
    let tokens = sql::list_of_texts(tokens);
    let read = |script: &str| session::read(script, &["agent-panel"; 2], |_| ());
    read(&format!(
        "{}COPY (SELECT url_host_name, policy_id FROM hosts_in('answered', NULL)) TO {hosts} (FORMAT parquet);\n\
         COPY (FROM blocking_policies({tokens})) TO {blocks} (FORMAT parquet);\n",
        there.prologue()
    ))?;

    let label = |scope: &Scope, path: String| match scope.crawls().last() {
        Some(crawl) => format!("{} of {path}", crawl.label),
        None => path,
    };
    let names: Vec<String> = directories.iter().map(|it| shown(it)).collect();
    let before = label(&there, shown(&other.directory));
    let now = label(&here, names.join(", "));
    let variables = [
        ("tokens", tokens),
        ("hosts", hosts),
        ("blocks", blocks),
        ("before", sql::text(&before)),
        ("now", sql::text(&now)),
    ];
    for (name, literal) in variables {
        here.set(name, &literal);
    }
    let statement = |unit| rows_of(&COMPARISON.replace("%unit", unit));
    let mut answers = read(&(here.prologue() + &["host", "domain"].map(statement).concat()))?;
    let command = command(directories, report.options) + " --format json -o -";
    for answer in &mut answers {
        answer.command.clone_from(&command);
    }
    let (domains, answer) = (answers.pop(), answers.pop().unwrap_or_default());

    let crawls = [Crawl {
        label: now,
        day: None,
    }];
    let report = ReportContext {
        crawls: &crawls,
        before: &before,
        no_change: None,
        // The baseline is the earlier one by the user's word.
        order: "",
        lead: None,
        ..*report
    };
    let finding = reading::read(&Context {
        report: &report,
        section: &BASELINE.sections[0],
        answer: &answer,
        domains: domains.as_ref(),
    })?;
    Ok(finding.map(|finding| WrittenChapter {
        chapter: &BASELINE,
        findings: vec![finding],
    }))
}
