//! The comparison with another dataset, over the hosts that both have: like with like.
//!
//! The last crawl of either counts. What the other dataset's hosts answer is copied to a file
//! first, hosts and blocks alone, so that one session of DuckDB has one dataset open.

use std::fmt::Write as _;
use std::path::Path;

use crate::analysis::query::{Scope, rows_of, sql};
use crate::error::{Error, shown};

use super::chapters::panel;
use super::crawl::Crawl;
use super::section::Context;
use super::words::Agents;
use super::{Answer, Finding, ReportOptions, WrittenChapter, session};

/// Compares the last crawl of the dataset in `directory` with that of the one in `other`.
pub(super) fn compare(
    directory: &Path,
    other: &Path,
    options: &ReportOptions,
    agents: &Agents,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<WrittenChapter, Error> {
    let aside = Aside::new()?;
    let (hosts, blocks) = (aside.path("hosts.parquet"), aside.path("blocks.parquet"));
    let here = Scope::of(directory, session::MEMORY)?;
    let there = Scope::of(other, session::MEMORY)?;
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
    let tokens = format!("[{}]::VARCHAR[]", tokens.join(", "));

    let mut script = there.prologue();
    let _ = writeln!(
        script,
        "COPY (SELECT url_host_name, policy_id FROM of_crawl('hosts_answered', NULL)) TO {} (FORMAT parquet);\n\
         COPY (SELECT policy_id, product_token FROM effective_agents_of({tokens}) WHERE restriction = 'full') TO {} (FORMAT parquet);",
        sql::text(&hosts),
        sql::text(&blocks)
    );
    session::read(&script, &["agent-panel"], progress)?;

    let label = |scope: &Scope, path: &Path| match scope.crawls().last() {
        Some(label) => format!("{label} of {}", shown(path)),
        None => shown(path),
    };
    let (before, now) = (label(&there, other), label(&here, directory));
    let mut script = here.prologue();
    for unit in ["host", "domain"] {
        let _ = writeln!(script, ".mode list\n.headers off\nSELECT '\"0\"';");
        script.push_str(&rows_of(&panel_sql(
            &tokens,
            &hosts,
            &blocks,
            [&before, &now],
            unit,
        )));
    }
    let mut answers = session::read(&script, &["agent-panel"], progress)?;
    let domains: Answer = answers.pop().unwrap_or_default();
    let answer: Answer = answers.pop().unwrap_or_default();
    let command = format!(
        "robostat report {} --baseline {} --format json",
        session::quoted(&shown(directory)),
        session::quoted(&shown(other))
    );

    let crawls = [Crawl {
        label: now,
        day: 0.0,
    }];
    let nothing = Answer::default();
    let context = Context {
        crawls: &crawls,
        agents,
        is_chosen: false,
        by_host: &nothing,
        by_domain: &nothing,
        domains: Some(&domains),
    };
    let told = panel(&context, &answer);
    let findings = told.map(|told| Finding {
        id: "baseline-panel",
        title: "The hosts that both datasets have",
        about: "Hosts that answered conclusively in the last crawl of either dataset: hosts that \
                only one of them has count in neither share. Blocked by whatever group holds for \
                the crawler.",
        shipped: None,
        command: command.clone(),
        svg: told
            .figure
            .as_ref()
            .and_then(|figure| figure.draw("baseline-panel")),
        answer,
        by_domain: Some((command, domains.clone())),
        told,
    });
    Ok(WrittenChapter {
        id: "baseline",
        title: "Against the baseline",
        about: "Like is compared with like: the same hosts in both datasets, with the interval of \
                the change.",
        is_appendix: false,
        findings: findings.into_iter().collect(),
    })
}

/// The panel of the hosts here and those in a file: the columns of `agent-panel`, where every
/// `unit` (host, domain) weighs the same.
fn panel_sql(
    tokens: &str,
    hosts: &str,
    blocks: &str,
    [before, now]: [&str; 2],
    unit: &str,
) -> String {
    let weight = match unit {
        "domain" => "1.0 / count(*) OVER (PARTITION BY here.domain)",
        _ => "1.0",
    };
    format!(
        "WITH kept AS (
            SELECT here.domain, there.policy_id AS policy_before, here.policy_id AS policy_now, {weight} AS weight
            FROM of_crawl('hosts_answered', NULL) AS here
            JOIN read_parquet({hosts}) AS there USING (url_host_name)
        ),
        panel AS (
            SELECT domain, policy_before, policy_now, count(*) AS hosts, sum(weight)::DOUBLE AS weight
            FROM kept
            GROUP BY ALL
        ),
        domains AS (SELECT domain, sum(hosts) AS hosts, sum(weight) AS weight FROM panel GROUP BY domain),
        total AS (
            SELECT coalesce(sum(hosts), 0)::BIGINT AS n, count(*) AS m, coalesce(sum(weight), 0) AS w,
                sum(weight * weight) AS ww
            FROM domains
        ),
        asked AS (SELECT unnest({tokens}) AS product_token),
        blocks_now AS (
            SELECT policy_id, product_token FROM effective_agents_of({tokens}) WHERE restriction = 'full'
        ),
        judged AS (
            SELECT
                asked.product_token,
                domain,
                hosts,
                weight,
                policy_now,
                was.policy_id IS NOT NULL AS was_full,
                is_now.policy_id IS NOT NULL AS is_full
            FROM panel
            CROSS JOIN asked
            LEFT JOIN read_parquet({blocks}) AS was
                ON was.policy_id = policy_before AND was.product_token = asked.product_token
            LEFT JOIN blocks_now AS is_now
                ON is_now.policy_id = policy_now AND is_now.product_token = asked.product_token
            WHERE was.policy_id IS NOT NULL OR is_now.policy_id IS NOT NULL
        ),
        by_domain AS (
            SELECT
                product_token,
                domain,
                coalesce(sum(hosts) FILTER (was_full), 0) AS hosts_was,
                coalesce(sum(hosts) FILTER (is_full), 0) AS hosts_now,
                coalesce(sum(weight) FILTER (was_full), 0) AS was,
                coalesce(sum(weight) FILTER (is_full), 0) AS is_now,
                coalesce(sum(hosts) FILTER (is_full AND NOT was_full), 0) AS added,
                coalesce(sum(hosts) FILTER (was_full AND NOT is_full AND policy_now IS NOT NULL), 0) AS rule_gone,
                coalesce(sum(hosts) FILTER (was_full AND NOT is_full AND policy_now IS NULL), 0) AS file_gone,
                is_now - was AS y
            FROM judged
            GROUP BY ALL
        ),
        summed AS (
            SELECT
                product_token,
                sum(hosts_was) AS hosts_was,
                sum(hosts_now) AS hosts_now,
                sum(was) AS was,
                sum(is_now) AS is_now,
                sum(added) AS added,
                sum(rule_gone) AS rule_gone,
                sum(file_gone) AS file_gone,
                sum(y) AS y,
                sum(y * y) AS yy,
                sum(y * weight) AS yw
            FROM by_domain JOIN domains USING (domain)
            GROUP BY product_token
        )
        SELECT
            product_token,
            {before} AS crawl_before,
            {now} AS crawl,
            n,
            m AS n_domains,
            coalesce(hosts_was, 0)::BIGINT AS hosts_full_before,
            coalesce(hosts_now, 0)::BIGINT AS hosts_full,
            pct(coalesce(was, 0), w) AS pct_full_before,
            pct(coalesce(is_now, 0), w) AS pct_full,
            pct(coalesce(y, 0), w) AS change,
            change_low(y, yy, yw, w, ww, m) AS change_low,
            change_high(y, yy, yw, w, ww, m) AS change_high,
            coalesce(added, 0)::BIGINT AS hosts_added,
            coalesce(rule_gone, 0)::BIGINT AS hosts_rule_gone,
            coalesce(file_gone, 0)::BIGINT AS hosts_file_gone,
            'panel' AS population,
            '{unit}' AS unit
        FROM asked
        LEFT JOIN summed USING (product_token)
        CROSS JOIN total
        ORDER BY hosts_full DESC, product_token",
        hosts = sql::text(hosts),
        blocks = sql::text(blocks),
        before = sql::text(before),
        now = sql::text(now)
    )
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
