//! `robostat history`: a site's answers, capture by capture, and what changed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use console::Term;
use serde_json::{Value, json};

use super::diff::effects;
use super::layout;
use super::outcome::{Result, print_json, print_text, tell, usage};
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
    /// The dataset, or several that are queried together (output directories of `robostat ingest`);
    /// the last argument is the site: a host, with or without a port, or a URL, which means its
    /// scheme, host and port.
    #[arg(value_name = "OUT", required = true)]
    paths: Vec<OsString>,
    /// Only this crawl [default: all].
    #[arg(long, value_name = "LABEL")]
    crawl: Option<String>,
    /// Include the host with and without www. in front.
    #[arg(long)]
    www: bool,
    /// Include its subdomains.
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

pub(super) fn run(arguments: &HistoryArguments) -> Result<()> {
    let Some((name, datasets @ [_, ..])) = arguments.paths.split_last() else {
        return usage("name the dataset and the site: robostat history OUT SITE");
    };
    let name = name.to_string_lossy();
    let Some(site) = Site::parse(&name, arguments.www, arguments.subdomains) else {
        return usage("SITE is a host or a URL, such as example.com");
    };
    let datasets: Vec<PathBuf> = datasets.iter().map(PathBuf::from).collect();
    let snapshot = Snapshot::open_together(&datasets)?;
    let crawls = snapshot.crawls();
    let crawl = arguments.crawl.as_deref();
    if let Some(crawl) = crawl.filter(|crawl| !crawls.iter().any(|it| it == crawl)) {
        return Err(Error::no_crawl(crawl, &crawls.join(", ")).into());
    }
    let mut left_out = snapshot.manifest.behind();
    left_out.retain(|label| crawl.is_none_or(|crawl| crawl == label));
    if !left_out.is_empty() {
        tell!(
            "note: crawl {} is left out: the ingest of its captures is still running, or was \
             interrupted; in that case run it again",
            list(&left_out)
        );
    }
    let history = history(&snapshot, &site, crawl)?;
    if history.entries.is_empty() {
        let near = nearest(&snapshot, &site)?;
        let near = match near.as_slice() {
            [] => String::new(),
            near => format!("; the dataset has {}", list(near)),
        };
        let place = crawl.map(|crawl| format!(" in crawl {}", escape::line(crawl)));
        let (site, place) = (escape::line(&name), place.unwrap_or_default());
        return Err(format!("no capture of {site}{place}{near}").into());
    }
    if arguments.json {
        return print_json(&as_json(&history, site.host(), arguments.text));
    }
    Ok(print_text(&as_text(&history, arguments.text))?)
}

fn list<'t>(names: impl IntoIterator<Item = &'t String>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| escape::line(name)).collect();
    names.join(", ")
}

fn as_text(history: &History, with_policies: bool) -> String {
    let width = layout::line_width(&Term::stdout());
    let mut lines = Vec::new();
    let is_same = |entry: &ResolvedCapture| matches!(entry.change, Some(Change::Same));
    let date = |entry: &ResolvedCapture| entry.time().unwrap_or("no date".to_owned());
    // Captures without a change are one line.
    let runs = history
        .entries
        .chunk_by(|one, other| is_same(one) && is_same(other));
    for run in runs {
        let (entry, last) = (&run[0], &run[run.len() - 1]);
        if is_same(entry) {
            let text = match run.len() {
                1 => format!("{}  {}: as before", date(entry), entry.url),
                n => format!("{}  to {}: {n} captures as before", date(entry), date(last)),
            };
            lines.extend(fitted(&text, 0, width));
            continue;
        }
        let (date, answer) = (date(entry), answer(entry));
        let head = format!("{date}  {}  {}  {answer}", entry.crawl, entry.url);
        lines.extend(fitted(&head, 0, width));
        lines.extend(fitted(&meaning(entry, history), 4, width));
        let changes = changes(entry, history).into_iter();
        lines.extend(changes.flat_map(|change| fitted(&change, 4, width)));
        let notes = notes(entry, history).into_iter();
        lines.extend(notes.flat_map(|note| fitted(&format!("note: {note}"), 4, width)));
        let policy = entry.policy_id.filter(|_| with_policies && is_new(entry));
        if let Some(text) = policy.and_then(|id| history.policies.text(id)) {
            lines.push(String::new());
            let indented = text.lines().map(|line| format!("        {line}"));
            lines.extend(indented.map(|line| escape::line(line.trim_end_matches(' '))));
            lines.push(String::new());
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Text from the column `indent` on, in lines of at most `width`.
fn fitted(text: &str, indent: usize, width: usize) -> Vec<String> {
    let text = escape::line(text);
    let text = layout::hang(text.split(' '), indent, indent + 4, width);
    let text = format!("{:indent$}{text}", "");
    text.lines().map(str::to_owned).collect()
}

/// Whether the capture has a policy that the capture before it did not have.
fn is_new(entry: &ResolvedCapture) -> bool {
    matches!(entry.change, Some(Change::First | Change::Rules(_)))
}

fn answer(entry: &ResolvedCapture) -> String {
    let status = |status: Option<i32>| status.map_or("no status".to_owned(), |it| it.to_string());
    let mut text = status(entry.fetch_status);
    if entry.n_redirects > 0 {
        let (url, status) = (&entry.final_url, status(entry.final_status));
        text = format!("{text} -> {url} {status}");
    }
    text + match entry.ended.as_str() {
        "final" => "",
        "no_location" => " (without a target)",
        "not_captured" => " (the target was not captured)",
        "loop" => " (a loop)",
        _ => " (more than five redirects)",
    }
}

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
        Some(Change::File(_)) => format!("{ids}: rules as before"),
        Some(Change::First) if !agents.is_empty() => {
            let agents = agents.iter();
            let agents = agents.map(|(token, restriction)| format!("{token} {restriction}"));
            format!("{ids}: {}", shortened(&agents.collect::<Vec<_>>()))
        }
        _ => ids,
    }
}

/// Crawlers that a new policy names before the catalogue's date for them.
fn notes(entry: &ResolvedCapture, history: &History) -> Vec<String> {
    if !is_new(entry) {
        return Vec::new();
    }
    let early = history.policies.named_early(entry);
    let note =
        |(token, since)| format!("{token} has been known since {since} (agent_catalog.since)");
    early.into_iter().map(note).collect()
}

fn effects_of(entry: &ResolvedCapture, history: &History) -> Vec<String> {
    if !matches!(entry.change, Some(Change::Rules(_))) {
        return Vec::new();
    }
    let policies = [entry.policy_before, entry.policy_id];
    let texts = policies.map(|id| id.and_then(|id| history.policies.text(id)));
    effects(texts[0].as_deref(), texts[1].as_deref())
}

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
    let effects = effects_of(entry, history).into_iter();
    lines.extend(effects.map(|effect| format!("  {effect}")));
    lines.extend(named('+', "sitemaps", &difference.sitemaps_added));
    lines.extend(named('-', "sitemaps", &difference.sitemaps_removed));
    lines
}

fn shortened(names: &[String]) -> String {
    const MAX_NAMES: usize = 8;
    match names.split_at_checked(MAX_NAMES) {
        Some((first, more @ [_, ..])) => format!("{} and {} more", first.join(", "), more.len()),
        _ => names.join(", "),
    }
}

/// The history as JSON. Ids are text: JavaScript and pandas would round 64-bit numbers.
fn as_json(history: &History, host: &str, with_policies: bool) -> Value {
    let captures = history.entries.iter().map(|entry| {
        let agents = history.policies.agents(entry.policy_id);
        let agents: BTreeMap<&str, &str> = agents.into_iter().collect();
        let mut capture = json!(entry);
        capture["fetch_time"] = json!(entry.time());
        capture["file_id"] = json!(entry.file_id.map(|id| id.to_string()));
        capture["policy_id"] = json!(entry.policy_id.map(|id| id.to_string()));
        capture["agents"] = json!(entry.policy_id.map(|_| agents));
        capture["notes"] = json!(notes(entry, history));
        if matches!(entry.change, Some(Change::Rules(_))) {
            capture["change"]["effects"] = json!(effects_of(entry, history));
        }
        capture
    });
    let mut answer = json!({ "host": host, "captures": captures.collect::<Value>() });
    if with_policies {
        let ids = history.entries.iter().filter_map(|entry| entry.policy_id);
        let texts = ids.filter_map(|id| Some((id.to_string(), history.policies.text(id)?)));
        answer["policies"] = json!(texts.collect::<BTreeMap<String, String>>());
    }
    answer
}
