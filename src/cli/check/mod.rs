//! `robostat check`: whether an agent may fetch a URL, by one dialect or by all six.

mod arguments;
mod batch;
mod preference;
mod verdict;

use std::io;

use robots_dialects::dialect::{Dialect, Ruleset, Verdict};
use robots_dialects::limit;
use robots_dialects::line::{Line, read_lines};
use robots_dialects::path::UrlPath;
use robots_dialects::preferences;

use super::dialect::DialectArgument;
use super::exit::{COMPLETE, Result};
use super::{target, terminal};

pub(super) use arguments::CheckArguments;

use preference::{JsonPreference, explain_preferences};
use verdict::{JsonAnswer, explain};

/// The agent may not fetch the URL, by at least one of the dialects.
const DISALLOWED: u8 = 1;
/// The robots.txt cannot be read, which a script must not take for a disallow.
const UNREADABLE: u8 = 2;

pub(super) fn run(arguments: &CheckArguments) -> Result<u8> {
    let limit = arguments.limit;
    let (Some(agent), Some(url), Some(file)) = (&arguments.agent, &arguments.url, &arguments.file)
    else {
        let (input, out) = (io::stdin().lock(), io::stdout().lock());
        return batch::run(input, out, arguments.dialect, limit);
    };
    let body = match target::read(file, limit) {
        Ok((body, _)) => body,
        Err(error) => {
            terminal::tell(&format!("robostat: {error}\n"));
            return Ok(UNREADABLE);
        }
    };
    let body = limit::cut(&body, limit);
    let rulesets: Vec<Ruleset> = arguments
        .dialect
        .dialects()
        .map(|dialect| dialect.compile(body))
        .collect();
    let path = UrlPath::from_url(url.as_bytes());
    let verdicts: Vec<(Dialect, Verdict<'_>)> = rulesets
        .iter()
        .map(|ruleset| (ruleset.dialect(), ruleset.verdict(agent.as_bytes(), &path)))
        .collect();
    // Which dialect judges does not matter here: the proposals extend RFC 9309.
    let preferences = preferences::effective(body, agent.as_bytes(), &path);
    if arguments.json {
        terminal::print_json(&CaseAnswer {
            agent,
            url,
            dialect: match arguments.dialect {
                DialectArgument::One(dialect) => dialect.name(),
                DialectArgument::All => "all",
            },
            answer: JsonAnswer::of(&verdicts),
            preferences: JsonPreference::all(preferences.as_deref()),
        })?;
    } else {
        let texts = texts(body);
        let verdicts = explain(&verdicts, agent, &path, &texts);
        let preferences = explain_preferences(preferences.as_deref(), &texts);
        terminal::print_text(&(verdicts + &preferences))?;
    }
    let is_allowed = verdicts.iter().all(|(_, verdict)| verdict.allowed);
    Ok(if is_allowed { COMPLETE } else { DISALLOWED })
}

/// The case and its verdict, as JSON.
#[derive(serde::Serialize)]
struct CaseAnswer<'a> {
    agent: &'a str,
    url: &'a str,
    dialect: &'static str,
    #[serde(flatten)]
    answer: JsonAnswer<'a>,
    /// Null if the path cannot be fetched.
    preferences: Option<Vec<JsonPreference>>,
}

/// The lines of a body, unchanged.
fn texts<'b>(body: &'b [u8]) -> Vec<&'b [u8]> {
    let mut texts = Vec::new();
    read_lines(body, |line: &Line<'b>| texts.push(line.text));
    texts
}
