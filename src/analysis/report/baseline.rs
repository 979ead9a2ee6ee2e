//! The comparison with another dataset, over the hosts that both have: like with like.
//!
//! The last crawl of either counts. The hosts and blocks of the other dataset are copied to a file
//! first, so that each DuckDB session has one dataset open.

use std::fmt::Write as _;
use std::path::Path;

use crate::analysis::query::{Scope, rows_of, sql};
use crate::dataset::Snapshot;
use crate::error::{Error, shown};

use super::chapters::panel;
use super::crawl::Crawl;
use super::section::{Context, Reading};
use super::words::Agents;
use super::{Answer, Finding, LeftOut, ReportOptions, WrittenChapter, session};

/// The address of its section, and the heading.
const ID: &str = "baseline-panel";
const TITLE: &str = "The hosts that both datasets have";

/// Compares the last crawl of the dataset in `directory` with the last crawl of the dataset in
/// `other`.
pub(super) fn compare(
    snapshot: &Snapshot,
    other: &Path,
    options: &ReportOptions,
    agents: &Agents,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Result<WrittenChapter, LeftOut>, Error> {
    let directory = snapshot.directory();
    let aside = Aside::new()?;
    let (hosts, blocks) = (aside.path("hosts.parquet"), aside.path("blocks.parquet"));
    let here = Scope::of_snapshot(snapshot, session::MEMORY)?;
    let there = Scope::of(other, session::MEMORY)?;
    let tokens = asked_tokens(&here, options, progress)?;
    let mut script = there.prologue();
    let _ = writeln!(
        script,
        "COPY (SELECT url_host_name, policy_id FROM hosts_in('answered', NULL)) TO {} (FORMAT parquet);\n\
         COPY (FROM blocking_policies({tokens})) TO {} (FORMAT parquet);",
        sql::text(&hosts),
        sql::text(&blocks)
    );
    session::read(&script, &["agent-panel"], progress)?;

    let label = |scope: &Scope, path: &Path| match scope.crawls().last() {
        Some(crawl) => format!("{} of {}", crawl.label, shown(path)),
        None => shown(path),
    };
    let (before, now) = (label(&there, other), label(&here, directory));
    let mut script = here.prologue();
    let with = format!(
        "WITH hosts_before AS (FROM read_parquet({})), hosts_now AS (FROM hosts_by('answered', NULL, 'host', NULL)),
        blocks_before AS (FROM read_parquet({})), blocks_now AS MATERIALIZED (FROM blocking_policies({tokens}))",
        sql::text(&hosts),
        sql::text(&blocks)
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
    let mut answers = session::read(&script, &["agent-panel"], progress)?;
    let domains: Answer = answers.pop().unwrap_or_default();
    let answer: Answer = answers.pop().unwrap_or_default();
    let command = format!(
        "robostat report {} --baseline {} --format json -o -",
        session::quoted(&shown(directory)),
        session::quoted(&shown(other))
    );

    let left_out = |reason: String| LeftOut {
        title: TITLE,
        id: ID,
        reason,
    };
    if let Some(reason) = answer.no_claim() {
        return Ok(Err(left_out(reason)));
    }
    let crawls = [Crawl {
        label: now,
        day: 0.0,
    }];
    let nothing = Answer::default();
    let context = Context {
        crawls: &crawls,
        before: &before,
        no_change: None,
        // Two datasets have no order in time.
        order: "",
        agents,
        is_chosen: false,
        by_host: &nothing,
        by_domain: &nothing,
        domains: Some(&domains),
    };
    let told = match context.read(panel, &answer)? {
        Reading::Told(told) => *told,
        Reading::LeftOut(reason) => return Ok(Err(left_out(reason))),
    };
    let finding = Finding {
        id: ID,
        title: TITLE,
        about: "Hosts that answered conclusively in the last crawl of either dataset: hosts that \
                only one of them has count in neither share. Blocked by whatever group holds for \
                the crawler.",
        shipped: None,
        command: command.clone(),
        svg: told.figure.as_ref().and_then(|figure| figure.draw(ID)),
        answer,
        by_domain: Some((command, domains.clone())),
        told,
    };
    Ok(Ok(WrittenChapter {
        id: "baseline",
        title: "Against the baseline",
        about: "Like is compared with like: the same hosts in both datasets, with the interval of \
                the change.",
        is_appendix: false,
        findings: vec![finding],
    }))
}

/// The crawlers that the comparison is about, as a list of SQL.
fn asked_tokens(
    here: &Scope,
    options: &ReportOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<String, Error> {
    // Which crawlers it is about, the dataset itself tells, not the other one.
    let list = if options.agents.is_empty() {
        "usual_ai_agents(8)".to_owned()
    } else {
        let names: Vec<String> = options.agents.iter().map(|name| sql::text(name)).collect();
        format!("known_tokens([{}])", names.join(", "))
    };
    let mut script = here.prologue();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(script, ".mode list\n.headers off\nSELECT '\"0\"';");
    script.push_str(&rows_of(&format!("SELECT unnest({list}) AS product_token")));
    let mut answers = session::read(&script, &["agent-panel"], progress)?;
    let tokens: Vec<String> = answers
        .pop()
        .unwrap_or_default()
        .rows()
        .map(|row| sql::text(&row.text("product_token")))
        .collect();
    Ok(format!("[{}]::VARCHAR[]", tokens.join(", ")))
}

/// A directory for what is copied; removed where dropped.
struct Aside {
    directory: std::path::PathBuf,
}

impl Aside {
    fn new() -> Result<Self, Error> {
        let temporary = std::env::temp_dir();
        for number in 0..1000_u32 {
            let directory = temporary.join(format!("robostat-{}-{number}", std::process::id()));
            match std::fs::create_dir(&directory) {
                Ok(()) => return Ok(Self { directory }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::io(&directory)(error)),
            }
        }
        Err(Error::io(&temporary)(
            std::io::ErrorKind::AlreadyExists.into(),
        ))
    }

    fn path(&self, name: &str) -> String {
        self.directory.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // What cannot be removed is in the directory for temporary files.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}
