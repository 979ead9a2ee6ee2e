//! The comparison with another dataset, over the hosts that both have: like with like.
//!
//! The last crawl of either counts. The hosts and blocks of the other dataset are copied to a file
//! first, so that each DuckDB session has one dataset open.

use std::fmt::Write as _;
use std::iter;
use std::path::{Path, PathBuf};

use crate::analysis::query::{DEFAULT_MEMORY, Scope, rows_of, sql};
use crate::dataset::Snapshot;
use crate::error::{Error, shown};
use crate::escape;

use super::crawl::Crawl;
use super::reading::ReportContext;
use super::section::BASELINE;
use super::words::Agents;
use super::{Answer, Answered, LeftOut, ReportOptions, WrittenChapter, finding, session};

/// Compares the last crawl of the datasets in `directories` with the last crawl of the dataset in
/// `other`.
pub(super) fn compare(
    snapshot: &Snapshot,
    directories: &[PathBuf],
    other: &Path,
    options: &ReportOptions,
    agents: &Agents,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Result<WrittenChapter, LeftOut>, Error> {
    let aside = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
    let path = |name| sql::text(&aside.path().join(name).to_string_lossy());
    let (hosts, blocks) = (path("hosts.parquet"), path("blocks.parquet"));
    let here = Scope::of_snapshot(snapshot, DEFAULT_MEMORY)?;
    let there = Scope::of(other, DEFAULT_MEMORY)?;
    let tokens = asked_tokens(&here, options, progress)?;
    let mut script = there.prologue();
    let _ = writeln!(
        script,
        "COPY (SELECT url_host_name, policy_id FROM hosts_in('answered', NULL)) TO {hosts} (FORMAT parquet);\n\
         COPY (FROM blocking_policies({tokens})) TO {blocks} (FORMAT parquet);"
    );
    read(script, progress)?;

    let label = |scope: &Scope, path: String| match scope.crawls().last() {
        Some(crawl) => format!("{} of {path}", crawl.label),
        None => path,
    };
    let names: Vec<String> = directories.iter().map(|it| shown(it)).collect();
    let (before, now) = (label(&there, shown(other)), label(&here, names.join(", ")));
    let mut script = here.prologue();
    let with = format!(
        "WITH hosts_before AS (FROM read_parquet({hosts})), hosts_now AS (FROM hosts_by('answered', NULL, 'host', NULL)),
        blocks_before AS (FROM read_parquet({blocks})), blocks_now AS MATERIALIZED (FROM blocking_policies({tokens}))"
    );
    for unit in ["host", "domain"] {
        let _ = writeln!(script, ".mode list\n.headers off\nSELECT '\"0\"';");
        script.push_str(&rows_of(&format!(
            "{with}
            FROM panel_of(
                {tokens}, 'hosts_before', 'hosts_now', 'blocks_before', 'blocks_now', {}, {}, '{unit}'
            )
            ORDER BY hosts_full DESC, product_token",
            sql::text(&before),
            sql::text(&now)
        )));
    }
    let mut answers = read(script, progress)?;
    let (domains, answer) = (answers.pop(), answers.pop());
    let (domains, answer) = (domains.unwrap_or_default(), answer.unwrap_or_default());
    let command = format!(
        "robostat report {} --baseline {} --format json -o -",
        session::quoted_all(directories),
        escape::shell_word(&shown(other))
    );

    let crawls = [Crawl {
        label: now,
        day: 0.0,
    }];
    let context = ReportContext {
        crawls: &crawls,
        before: &before,
        no_change: None,
        // Two datasets have no order in time.
        order: "",
        agents,
        follows_sites: false,
        is_chosen: false,
        lead: None,
    };
    let section = &BASELINE.sections[0];
    let answered = Answered {
        shipped: None,
        command: command.clone(),
        no_claim: answer.no_claim(),
        answer,
        by_domain: Some((command, domains)),
    };
    let finding = finding(&context, section, answered)?;
    let chapter = finding.map(|finding| WrittenChapter {
        chapter: &BASELINE,
        findings: vec![finding],
    });
    Ok(chapter.map_err(|reason| LeftOut { section, reason }))
}

/// The answers that a script prints.
fn read(script: String, progress: &mut dyn FnMut(usize, usize)) -> Result<Vec<Answer>, Error> {
    let answered = |_| progress(0, 1);
    let answers = session::read(iter::once(script), 0, &["agent-panel"], answered)?;
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

/// The crawlers that the comparison is about, as a list of SQL.
fn asked_tokens(
    here: &Scope,
    options: &ReportOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<String, Error> {
    // Which crawlers it is about, the dataset itself tells, not the other one.
    let list = if options.agents.is_empty() {
        "usual_agents(8, true)".to_owned()
    } else {
        let names: Vec<String> = options.agents.iter().map(|name| sql::text(name)).collect();
        format!("known_tokens([{}])", names.join(", "))
    };
    let mut script = here.prologue();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(script, ".mode list\n.headers off\nSELECT '\"0\"';");
    script.push_str(&rows_of(&format!("SELECT unnest({list}) AS product_token")));
    let mut answers = read(script, progress)?;
    let tokens: Vec<String> = answers
        .pop()
        .unwrap_or_default()
        .rows()
        .map(|row| sql::text(&row.text("product_token")))
        .collect();
    Ok(format!("[{}]::VARCHAR[]", tokens.join(", ")))
}
