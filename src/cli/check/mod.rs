//! `robostat check`: whether an agent may fetch a URL, by one dialect or by all.

mod batch;
mod verdict;

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use robots_dialects::dialect::{Dialect, Ruleset, Verdict};
use robots_dialects::limit::{self, DEFAULT_LIMIT};
use robots_dialects::line::read_lines;
use robots_dialects::path::UrlPath;
use robots_dialects::preferences;

use super::outcome::{COMPLETE, Result, print_json, print_text, tell};
use super::values::{Dialects, agent, dialects, limit, path_or_url};
use super::{layout, target};
use crate::error::shown;

#[cfg(test)]
pub(super) use batch::next_line;
use verdict::{JsonAnswer, JsonPreference, explain, explain_preferences};

#[derive(Debug, Args)]
#[command(after_long_help = help())]
pub(super) struct CheckArguments {
    /// The crawler: its product token, or its name with a version (google: the bare token only).
    #[arg(long, value_name = "AGENT", value_parser = agent, required_unless_present = "batch")]
    agent: Option<String>,
    /// The path or URL to test; only path and query are used.
    #[arg(long, value_name = "URL", value_parser = path_or_url, required_unless_present = "batch")]
    url: Option<String>,
    /// The dialect of the protocol; `all` compares all of them.
    #[arg(long, value_name = "NAME", default_value = "rfc9309", value_parser = dialects())]
    dialect: Dialects,
    /// Bytes of a robots.txt that are parsed.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT, value_parser = limit())]
    limit: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Read cases from standard input and print verdicts, one JSON object per line.
    #[arg(long, conflicts_with_all = ["agent", "url", "json", "file"])]
    batch: bool,
    /// The robots.txt; `-` for standard input.
    #[arg(value_name = "FILE", required_unless_present = "batch")]
    file: Option<PathBuf>,
}

fn help() -> String {
    let mut help = "Dialects:\n".to_owned();
    for dialect in Dialect::ALL {
        let source = layout::wrap(dialect.source(), 14, 80);
        // Writing to a String cannot fail.
        let _ = writeln!(help, "  {dialect:<10}  {source}");
    }
    help + "\n" + include_str!("../help/check.txt")
}

/// The agent may not fetch the URL, by at least one of the dialects.
const DISALLOWED: u8 = 1;
/// The robots.txt cannot be read or the answer written. A script must not take it for a disallow.
pub(super) const FAILED: u8 = 2;

pub(super) fn run(arguments: &CheckArguments) -> Result<u8> {
    let limit = arguments.limit;
    let (Some(agent), Some(url), Some(file)) = (&arguments.agent, &arguments.url, &arguments.file)
    else {
        return batch::run(arguments.dialect, limit);
    };
    let body = match target::read(file, limit) {
        Ok((body, _)) => body,
        Err(error) => {
            tell!("robostat: {error}");
            return Ok(FAILED);
        }
    };
    if target::refuse_archive(file, &body).is_err() {
        tell!(
            "robostat: {}: an archive, not a robots.txt; ingest it, and use `robostat probe`",
            shown(file)
        );
        return Ok(FAILED);
    }
    let body = limit::cut(&body, limit);
    let dialects = arguments.dialect.iter();
    let rulesets: Vec<Ruleset> = dialects.map(|dialect| dialect.compile(body)).collect();
    let path = UrlPath::from_url(url.as_bytes());
    let verdicts: Vec<(Dialect, Verdict<'_>)> = rulesets
        .iter()
        .map(|ruleset| (ruleset.dialect(), ruleset.verdict(agent.as_bytes(), &path)))
        .collect();
    // The dialect does not matter here: the proposals extend RFC 9309.
    let preferences = preferences::effective(body, agent.as_bytes(), &path);
    if arguments.json {
        print_json(&CaseAnswer {
            agent,
            url,
            dialect: match arguments.dialect {
                [dialect] => dialect.name(),
                _ => "all",
            },
            answer: JsonAnswer::of(&verdicts),
            preferences: preferences.map(|it| it.iter().map(JsonPreference::of).collect()),
        })?;
    } else {
        let mut texts = Vec::new();
        read_lines(body, |line| texts.push(line.text));
        let verdicts = explain(&verdicts, agent, &path, &texts);
        let preferences = explain_preferences(&preferences.unwrap_or_default(), &texts);
        print_text(&(verdicts + &preferences))?;
    }
    let is_allowed = verdicts.iter().all(|(_, verdict)| verdict.allowed);
    Ok(if is_allowed { COMPLETE } else { DISALLOWED })
}

#[derive(serde::Serialize)]
struct CaseAnswer<'a> {
    agent: &'a str,
    url: &'a str,
    dialect: &'static str,
    #[serde(flatten)]
    answer: JsonAnswer<'a>,
    /// Null if the agent may not fetch the path.
    preferences: Option<Vec<JsonPreference>>,
}
