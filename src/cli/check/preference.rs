//! Preferences about the use of content, as JSON and for people.

use std::fmt::Write as _;

use robots_dialects::preferences::EffectivePreference;
use serde::Serialize;

use super::verdict::text_of;

/// A preference as JSON; the help of `robostat check` describes the fields.
#[derive(Debug, Serialize)]
pub(super) struct JsonPreference {
    vocabulary: &'static str,
    preference: String,
    allows: Option<bool>,
    line: u32,
}

impl JsonPreference {
    pub(super) fn all(preferences: Option<&[EffectivePreference]>) -> Option<Vec<Self>> {
        let preferences = preferences?.iter().map(|preference| Self {
            vocabulary: preference.vocabulary.name(),
            preference: String::from_utf8_lossy(&preference.category).into_owned(),
            allows: preference.allows,
            line: preference.line,
        });
        Some(preferences.collect())
    }
}

/// The preferences for people, a line each; `texts` are the lines of the robots.txt.
pub(super) fn explain_preferences(
    preferences: Option<&[EffectivePreference]>,
    texts: &[&[u8]],
) -> String {
    let mut out = String::new();
    for preference in preferences.unwrap_or_default() {
        let answer = match preference.allows {
            Some(true) => "allowed",
            Some(false) => "not allowed",
            None => "unknown",
        };
        let (category, line) = (
            String::from_utf8_lossy(&preference.category),
            preference.line,
        );
        let text = text_of(line, texts);
        let _ = writeln!(out, "  use for {category}: {answer} (line {line}: {text})");
    }
    out
}
