//! `robostat history`: what a site answered, capture by capture, and what changed.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use super::diff::effects;
use super::exit::{COMPLETE, Result, usage};
use super::terminal;
use crate::analysis::history::{Change, History, ResolvedCapture, Site, history, nearest};
use crate::dataset::{Answer, Snapshot};
use crate::error::Error;
use crate::escape;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/history.txt"), override_usage = "robostat history [OPTIONS] <OUT>... <SITE>")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct HistoryArguments {
    /// The dataset, or several that are queried together: output directories of `robostat ingest`.
    #[arg(value_name = "OUT", required = true)]
    datasets: Vec<PathBuf>,
    /// A host, with or without a port, or a URL, which means its scheme, host and port.
    #[arg(value_name = "SITE")]
    site: String,
    /// Only this crawl [default: all].
    #[arg(long, value_name = "LABEL")]
    crawl: Option<String>,
    /// The host with and without www. in front.
    #[arg(long)]
    www: bool,
    /// The hosts below it, too.
    #[arg(long)]
    subdomains: bool,
    /// Print each new policy as text.
    #[arg(long)]
    text: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The meaning of a client error (RFC 9309 §2.3.1.3).
const OPEN: &str = "everything is allowed until the next answer (RFC 9309)";
/// The meaning of a server error (RFC 9309 §2.3.1.4).
const BAN: &str = "closed everything to everyone until the next answer (server error, RFC 9309)";

pub(super) fn run(arguments: &HistoryArguments) -> Result<u8> {
    let Some(site) = Site::parse(&arguments.site, arguments.www, arguments.subdomains) else {
        return usage("SITE is a host or a URL, such as example.com");
    };
    let snapshot = Snapshot::open_together(&arguments.datasets)?;
    let crawls = snapshot.crawls();
    let crawl = arguments.crawl.as_deref();
    if let Some(crawl) = crawl.filter(|crawl| !crawls.iter().any(|it| it == crawl)) {
        let (label, crawls) = (crawl.to_owned(), crawls.join(", "));
        return Err(Error::NoCrawl { label, crawls }.into());
    }
    let behind = snapshot.manifest().behind();
    let is_asked = |label: &&String| crawl.is_none_or(|crawl| crawl == label.as_str());
    let left_out: BTreeSet<String> = behind.iter().filter(is_asked).cloned().collect();
    if !left_out.is_empty() {
        terminal::tell(&format!(
            "note: crawl {} is left out: the ingest of its captures is still running, or was \
             interrupted; in that case run it again\n",
            list(&left_out)
        ));
    }
    let history = history(&snapshot, &site, crawl)?;
    if history.entries.is_empty() {
        let near = nearest(&snapshot, &site)?;
        let near = match near.as_slice() {
            [] => String::new(),
            near => format!("; the dataset has {}", list(near)),
        };
        let place = crawl.map(|crawl| format!(" in crawl {}", escape::line(crawl)));
        return Err(format!(
            "no capture of {}{}{near}",
            escape::line(&arguments.site),
            place.unwrap_or_default()
        )
        .into());
    }
    if arguments.json {
        terminal::print_json(&as_json(&history, site.host(), arguments.text))?;
    } else {
        terminal::print_text(&as_text(&history, arguments.text))?;
    }
    Ok(COMPLETE)
}

/// Names, escaped, set apart by commas.
fn list<'t>(names: impl IntoIterator<Item = &'t String>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| escape::line(name)).collect();
    names.join(", ")
}

/// The captures as text, each with what changed below it.
fn as_text(history: &History, with_policies: bool) -> String {
    let mut out = String::new();
    let is_same = |entry: &ResolvedCapture| matches!(entry.change, Some(Change::Same));
    let date = |entry: &ResolvedCapture| entry.time().unwrap_or("no date".to_owned());
    // Captures without a change are one line.
    let runs = history
        .entries
        .chunk_by(|one, other| is_same(one) && is_same(other));
    for run in runs {
        let entry = &run[0];
        // Writing to a String cannot fail, here and below.
        if is_same(entry) {
            let _ = match run {
                [one] => writeln!(out, "{}  {}: as before", date(one), escape::line(&one.url)),
                [.., last] => {
                    let (date, last, n) = (date(entry), date(last), run.len());
                    writeln!(out, "{date}  to {last}: {n} captures as before")
                }
                [] => Ok(()),
            };
            continue;
        }
        let _ = writeln!(
            out,
            "{}  {}  {}  {}",
            date(entry),
            escape::line(&entry.crawl),
            escape::line(&entry.url),
            answer(entry)
        );
        let _ = writeln!(out, "    {}", meaning(entry, history));
        for line in changes(entry, history) {
            let _ = writeln!(out, "    {}", escape::line(&line));
        }
        for note in notes(entry, history) {
            let _ = writeln!(out, "    note: {}", escape::line(&note));
        }
        let is_new = matches!(entry.change, Some(Change::First | Change::Rules(_)));
        let policy = entry.policy_id.filter(|_| with_policies && is_new);
        if let Some(text) = policy.and_then(|id| history.policies.text(id)) {
            out.push('\n');
            for line in text.lines() {
                let line = format!("        {}", escape::line(line));
                let _ = writeln!(out, "{}", line.trim_end());
            }
            out.push('\n');
        }
    }
    out
}

/// The status, and where redirects led to.
fn answer(entry: &ResolvedCapture) -> String {
    let status = |status: Option<i32>| status.map_or("no status".to_owned(), |it| it.to_string());
    let mut text = status(entry.fetch_status);
    if entry.n_redirects > 0 {
        let _ = write!(
            text,
            " -> {} {}",
            escape::line(&entry.final_url),
            status(entry.final_status)
        );
    }
    match entry.ended.as_str() {
        "final" => {}
        "no_location" => text.push_str(" (does not say where to)"),
        "not_captured" => text.push_str(" (leads to what was not captured)"),
        "loop" => text.push_str(" (a loop)"),
        _ => text.push_str(" (more than five redirects)"),
    }
    text
}

/// What the answer means, in one line.
fn meaning(entry: &ResolvedCapture, history: &History) -> String {
    let ids = match (entry.file_id, entry.policy_id) {
        (Some(file), Some(policy)) => format!("file {file}, policy {policy}"),
        _ if entry.is_settled => "no robots.txt".to_owned(),
        _ => {
            let class = &entry.response_class;
            return match entry.by_rfc9309() {
                Some(Answer::DisallowAll) => BAN.to_owned(),
                Some(_) => format!("no rules ({class}): {OPEN}"),
                None => format!("no answer about the rules ({class})"),
            };
        }
    };
    let agents = history.policies.agents(entry.policy_id);
    match &entry.change {
        Some(Change::File(_)) => format!("{ids}: the rules as before"),
        Some(Change::First) if !agents.is_empty() => {
            let agents: Vec<String> = agents
                .iter()
                .map(|(token, restriction)| format!("{token} {restriction}"))
                .collect();
            format!("{ids}: {}", escape::line(&shortened(&agents)))
        }
        _ => ids,
    }
}

/// Crawlers that a new policy names earlier than the catalogue knows them.
fn notes(entry: &ResolvedCapture, history: &History) -> Vec<String> {
    if !matches!(entry.change, Some(Change::First | Change::Rules(_))) {
        return Vec::new();
    }
    let early = history.policies.named_early(entry);
    let note = |(token, since)| format!("{token} is known since {since} (agent_catalog.since)");
    early.into_iter().map(note).collect()
}

/// What opened and what closed where the rules changed, in words.
fn effects_of(entry: &ResolvedCapture, history: &History) -> Vec<String> {
    if !matches!(entry.change, Some(Change::Rules(_))) {
        return Vec::new();
    }
    let policies = [entry.policy_before, entry.policy_id];
    let texts = policies.map(|id| id.and_then(|id| history.policies.text(id)));
    effects(texts[0].as_deref(), texts[1].as_deref())
}

/// What differs from the previous answer, a line each.
fn changes(entry: &ResolvedCapture, history: &History) -> Vec<String> {
    let Some(difference) = entry.change.as_ref().and_then(Change::difference) else {
        return Vec::new();
    };
    let named = |sign: char, kind: &str, names: &[String]| {
        (!names.is_empty()).then(|| format!("{sign} {kind} {}", shortened(names)))
    };
    let mut lines = Vec::new();
    lines.extend(named('+', "agents", &difference.agents_added));
    lines.extend(named('-', "agents", &difference.agents_removed));
    let restrictions = difference.restrictions.iter();
    lines.extend(
        restrictions.map(|it| format!("  {}: {} -> {}", it.product_token, it.before, it.after)),
    );
    let effects = effects_of(entry, history);
    lines.extend(effects.iter().map(|effect| format!("  {effect}")));
    lines.extend(named('+', "sitemaps", &difference.sitemaps_added));
    lines.extend(named('-', "sitemaps", &difference.sitemaps_removed));
    lines
}

/// The first of some names, and how many more there are.
fn shortened(names: &[String]) -> String {
    const MAX_NAMES: usize = 8;
    let mut text = names[..names.len().min(MAX_NAMES)].join(", ");
    if names.len() > MAX_NAMES {
        let _ = write!(text, " and {} more", names.len() - MAX_NAMES);
    }
    text
}

/// The same as JSON. Ids are text: they are 64-bit hashes, which JavaScript and pandas would round.
fn as_json(history: &History, host: &str, with_policies: bool) -> Value {
    let captures = history.entries.iter().map(|entry| {
        let agents: Map<String, Value> = (history.policies.agents(entry.policy_id).into_iter())
            .map(|(token, restriction)| (token.to_owned(), restriction.into()))
            .collect();
        let mut capture = json!(entry);
        for (field, value) in [
            ("fetch_time", json!(entry.time())),
            ("file_id", json!(entry.file_id.map(|id| id.to_string()))),
            ("policy_id", json!(entry.policy_id.map(|id| id.to_string()))),
            ("agents", json!(entry.policy_id.map(|_| agents))),
            ("notes", json!(notes(entry, history))),
        ] {
            capture[field] = value;
        }
        if matches!(entry.change, Some(Change::Rules(_))) {
            capture["change"]["effects"] = json!(effects_of(entry, history));
        }
        capture
    });
    let mut answer = json!({ "host": host, "captures": captures.collect::<Value>() });
    if with_policies {
        let ids = history.entries.iter().filter_map(|entry| entry.policy_id);
        let texts: Map<String, Value> = ids
            .filter_map(|id| Some((id.to_string(), history.policies.text(id)?.into())))
            .collect();
        answer["policies"] = texts.into();
    }
    answer
}
