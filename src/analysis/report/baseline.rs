//! The comparison with another dataset, over the hosts that both have: like with like.
//!
//! The last crawl of either counts. The hosts and blocks of the other dataset are copied to a file
//! first, so that each DuckDB session has one dataset open.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::analysis::query::row::rows_of;
use crate::analysis::query::{DEFAULT_MEMORY, Scope, sql};
use crate::dataset::Snapshot;
use crate::error::{Error, shown};
use crate::escape;

use super::context::ReportContext;
use super::crawl::Crawl;
use super::finding::{Finding, Omission, WrittenChapter};
use super::section::BASELINE;
use super::session;
use super::words::Agents;

/// Compares the last crawl of the datasets in `directories` with the last crawl of the dataset in
/// `other`, about the crawlers with these product tokens.
pub(super) fn compare(
    snapshot: &Snapshot,
    directories: &[PathBuf],
    other: &Path,
    agents: &Agents,
    tokens: &[String],
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Result<WrittenChapter, Omission>, Error> {
    let aside = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
    let path = |name| sql::text(&aside.path().join(name).to_string_lossy());
    let (hosts, blocks) = (path("hosts.parquet"), path("blocks.parquet"));
    let here = Scope::of(snapshot, DEFAULT_MEMORY)?;
    let there = Scope::of(&Snapshot::open(other)?, DEFAULT_MEMORY)?;
    let tokens: Vec<String> = tokens.iter().map(|token| sql::text(token)).collect();
    let tokens = format!("[{}]::VARCHAR[]", tokens.join(", "));
    let mut script = there.prologue();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(
        script,
        "COPY (SELECT url_host_name, policy_id FROM hosts_in('answered', NULL)) TO {hosts} (FORMAT parquet);\n\
         COPY (FROM blocking_policies({tokens})) TO {blocks} (FORMAT parquet);"
    );
    let read = |script: &str| session::read(script, &["agent-panel"; 2], |_| progress(0, 1));
    read(&script)?;

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
    let mut answers = read(&script)?;
    let command = format!(
        "robostat report {} --baseline {} --format json -o -",
        session::quoted_all(directories),
        escape::shell_word(&shown(other))
    );
    for answer in &mut answers {
        answer.command.clone_from(&command);
    }
    let (domains, answer) = (answers.pop(), answers.pop().unwrap_or_default());

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
    let finding = Finding::of(&context, &BASELINE.sections[0], answer, domains)?;
    Ok(finding.map(|finding| WrittenChapter {
        chapter: &BASELINE,
        findings: vec![finding],
    }))
}
