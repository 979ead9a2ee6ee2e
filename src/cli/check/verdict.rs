//! A verdict, and preferences about the use of content, as JSON and for people.

use std::fmt::Write as _;

use robots_dialects::agent::rfc9309_token;
use robots_dialects::dialect::{Choice, Dialect, Reason, Verdict};
use robots_dialects::path::UrlPath;
use robots_dialects::preferences::EffectivePreference;
use serde::Serialize;

use crate::escape;

/// The verdict of one or more dialects; the help of `robostat check` describes the fields.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum JsonAnswer<'v> {
    One(&'v Verdict<'v>),
    Several {
        agree: bool,
        verdicts: Vec<DialectVerdict<'v>>,
    },
}

#[derive(Debug, Serialize)]
pub(super) struct DialectVerdict<'v> {
    dialect: Dialect,
    #[serde(flatten)]
    verdict: &'v Verdict<'v>,
}

impl<'v> JsonAnswer<'v> {
    /// The names of the fields, in quotes.
    pub(super) const FIELDS: [&'static str; 9] = [
        "\"allowed\"",
        "\"line\"",
        "\"rule\"",
        "\"reason\"",
        "\"group\"",
        "\"choice\"",
        "\"interpretation\"",
        "\"agree\"",
        "\"verdicts\"",
    ];

    pub(super) fn of(verdicts: &'v [(Dialect, Verdict<'v>)]) -> Self {
        if let [(_, verdict)] = verdicts {
            return Self::One(verdict);
        }
        let named = verdicts.iter();
        let named = named.map(|&(dialect, ref verdict)| DialectVerdict { dialect, verdict });
        Self::Several {
            agree: agree(verdicts),
            verdicts: named.collect(),
        }
    }
}

fn agree(verdicts: &[(Dialect, Verdict<'_>)]) -> bool {
    let mut pairs = verdicts.windows(2);
    pairs.all(|pair| pair[0].1.allowed == pair[1].1.allowed)
}

/// The verdicts for people; `texts` are the lines of the robots.txt.
pub(super) fn explain(
    verdicts: &[(Dialect, Verdict<'_>)],
    agent: &str,
    path: &UrlPath<'_>,
    texts: &[&[u8]],
) -> String {
    let path = String::from_utf8_lossy(path.bytes());
    let (agent, path) = (&*escape::line(agent), &*escape::line(&path));
    let [(dialect, verdict)] = verdicts else {
        return side_by_side(verdicts, agent, path, texts);
    };
    let mut out = format!("{}: {agent}, {path} ({dialect})\n", word(verdict.allowed));
    let mut row = |label: &str, text: &str| {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(out, "  {label:<8}  {text}");
    };
    if let Some(line) = verdict.line {
        row(&format!("line {line}"), &text_of(line, texts));
    }
    row("reason", reason(verdict.reason));
    if let Some(group) = verdict.group {
        let chosen = match verdict.choice {
            Choice::Named => "names the agent",
            _ => "is for *, as no group names the agent",
        };
        row(&format!("group {group}"), chosen);
    }
    if takes_tokens_only(*dialect, agent) {
        row("note", TOKENS_ONLY);
    }
    if verdict.is_interpretation {
        row("note", INTERPRETATION);
    }
    out
}

/// One row per dialect; those that differ from RFC 9309 are marked.
fn side_by_side(
    verdicts: &[(Dialect, Verdict<'_>)],
    agent: &str,
    path: &str,
    texts: &[&[u8]],
) -> String {
    let mut out = format!("{agent}, {path}\n");
    let mut norm = verdicts.iter();
    let norm = norm.find(|(dialect, _)| *dialect == Dialect::Rfc9309);
    let norm = norm.is_none_or(|(_, verdict)| verdict.allowed);
    for (dialect, verdict) in verdicts {
        let mark = if verdict.allowed == norm { ' ' } else { '!' };
        let line = verdict.line.map_or_else(String::new, |line| {
            format!("line {line}: {}, ", text_of(line, texts))
        });
        let (word, reason) = (word(verdict.allowed), reason(verdict.reason));
        let is_open = verdict.is_interpretation;
        let note = if is_open { ", an interpretation" } else { "" };
        let _ = writeln!(
            out,
            "{mark} {dialect:<10}  {word:<10}  {line}{reason}{note}"
        );
    }
    out += if agree(verdicts) {
        "all dialects agree\n"
    } else {
        "! differs from rfc9309\n"
    };
    if takes_tokens_only(Dialect::Google, agent) {
        let _ = writeln!(out, "google: {TOKENS_ONLY}");
    }
    out
}

const TOKENS_ONLY: &str = "its parser takes product tokens only, of letters, - and _";
const INTERPRETATION: &str =
    "the text of this dialect leaves open which rule decides; this is an interpretation";

fn takes_tokens_only(dialect: Dialect, agent: &str) -> bool {
    dialect == Dialect::Google
        && agent != "*"
        && rfc9309_token(agent.as_bytes()) != agent.as_bytes()
}

const fn word(allowed: bool) -> &'static str {
    if allowed { "allowed" } else { "disallowed" }
}

/// A line of the file, unchanged; only the start of a long one.
fn text_of(line: u32, texts: &[&[u8]]) -> String {
    const MAX_BYTES: usize = 200;
    let text = texts.get(line as usize - 1).copied().unwrap_or_default();
    let text = String::from_utf8_lossy(&text[..text.len().min(MAX_BYTES)]);
    text.trim().to_owned()
}

const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::RobotsTxt => "/robots.txt itself is always allowed",
        Reason::NoGroup => "no group names the agent and none is for *",
        Reason::NoMatch => "no rule of the group matches",
        Reason::FirstMatch => "the first rule that matches",
        Reason::LongestMatch => "the longest rule that matches",
        Reason::AllowWinsTie => "allow wins between rules of equal length",
        Reason::EmptyRule => "a rule without a path restricts nothing",
        Reason::Response => "the response to the request for the robots.txt",
    }
}

/// A preference as JSON; the help of `robostat check` describes the fields.
#[derive(Debug, Serialize)]
pub(super) struct JsonPreference {
    vocabulary: &'static str,
    preference: String,
    allows: Option<bool>,
    line: u32,
}

impl JsonPreference {
    pub(super) fn of(preference: &EffectivePreference) -> Self {
        Self {
            vocabulary: preference.vocabulary.name(),
            preference: String::from_utf8_lossy(&preference.category).into_owned(),
            allows: preference.allows,
            line: preference.line,
        }
    }
}

/// The preferences for people, a line each; `texts` are the lines of the robots.txt.
pub(super) fn explain_preferences(preferences: &[EffectivePreference], texts: &[&[u8]]) -> String {
    let mut out = String::new();
    for preference in preferences {
        let answer = match preference.allows {
            Some(true) => "allowed",
            Some(false) => "not allowed",
            None => "unknown",
        };
        let (category, line) = (&preference.category, preference.line);
        let category = String::from_utf8_lossy(category);
        let text = text_of(line, texts);
        let _ = writeln!(out, "  use for {category}: {answer} (line {line}: {text})");
    }
    out
}
