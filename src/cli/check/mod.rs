//! `robostat check`: whether an agent may fetch a URL, by one dialect or by all six.

mod arguments;
mod batch;
mod lines;
mod preference;
mod verdict;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use robots_dialects::dialect::{Dialect, Ruleset, Verdict};
use robots_dialects::limit;
use robots_dialects::line::{Line, read_lines};
use robots_dialects::path::UrlPath;
use robots_dialects::preferences;

use super::{COMPLETE, Result, terminal};
use crate::error::shown;
use crate::escape;

pub(super) use arguments::CheckArguments;

use preference::{JsonPreference, explain_preferences};
use verdict::{JsonVerdict, JsonVerdicts, explain};

/// The agent may not fetch the URL, by at least one of the dialects.
const DISALLOWED: u8 = 1;
/// The robots.txt cannot be read, which a script must not take for a disallow.
const UNREADABLE: u8 = 2;

/// Runs the subcommand.
pub(super) fn run(arguments: &CheckArguments) -> Result<u8> {
    let limit = usize::try_from(arguments.limit)?;
    let (Some(agent), Some(url), Some(file)) = (&arguments.agent, &arguments.url, &arguments.file)
    else {
        let (input, out) = (io::stdin().lock(), io::stdout().lock());
        return batch::run(input, out, arguments.dialect, limit);
    };
    let body = match read(file, limit) {
        Ok(body) => body,
        Err(error) => {
            let message = format!("{}: {error}", shown(file));
            eprintln!("robostat: {}", terminal::printable(&message));
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
    let out = if arguments.json {
        let answers = match verdicts.as_slice() {
            [(dialect, verdict)] => serde_json::to_string(&Asked {
                agent,
                url,
                dialect: dialect.name(),
                answer: JsonVerdict::from(verdict),
                preferences: JsonPreference::all(preferences.as_deref()),
            }),
            _ => serde_json::to_string(&Asked {
                agent,
                url,
                dialect: "all",
                answer: JsonVerdicts::from(verdicts.as_slice()),
                preferences: JsonPreference::all(preferences.as_deref()),
            }),
        };
        escape::json(&answers?).into_owned() + "\n"
    } else {
        let texts = texts(body);
        explain(&verdicts, agent, &path, &texts)
            + &explain_preferences(preferences.as_deref(), &texts)
    };
    terminal::print(|stdout| stdout.write_all(out.as_bytes()))?;
    let is_allowed = verdicts.iter().all(|(_, verdict)| verdict.allowed);
    Ok(if is_allowed { COMPLETE } else { DISALLOWED })
}

/// The case and its verdict, as JSON.
#[derive(serde::Serialize)]
struct Asked<'a, A> {
    agent: &'a str,
    url: &'a str,
    dialect: &'static str,
    #[serde(flatten)]
    answer: A,
    /// Null if the path cannot be fetched.
    preferences: Option<Vec<JsonPreference>>,
}

/// Reads a robots.txt; of one over the limit, only as much as is needed to cut it.
pub(super) fn read(file: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    let most = limit as u64 + 1;
    if file == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut body)?;
    } else {
        File::open(file)?.take(most).read_to_end(&mut body)?;
    }
    Ok(body)
}

/// The lines of a body, unchanged.
fn texts<'b>(body: &'b [u8]) -> Vec<&'b [u8]> {
    let mut texts = Vec::new();
    read_lines(body, &mut |line: &Line<'b>| texts.push(line.text));
    texts
}
