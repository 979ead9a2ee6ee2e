//! Usage preferences: statements in a robots.txt about what may be done with fetched content.
//!
//! | vocabulary | directive | defined by |
//! |---|---|---|
//! | `content-signal` | Content-Signal | contentsignals.org (Cloudflare, 2025), draft-romm-aipref-contentsignals-00 |
//! | `content-usage` | Content-Usage | draft-ietf-aipref-attach-05 §3; draft-ietf-aipref-vocab-08 §6 |
//! | `license` | License | Really Simple Licensing (RSL) 1.0, robots.txt |
//! | `llm-policy` | LLM-Policy | nobody; seen in the wild |
//! | `tdm` | TDM-Reservation, TDM-Policy | TDM Reservation Protocol (W3C Community Group, 10 May 2024); robots.txt by analogy with its HTTP fields |
//!
//! The signal `use` of Content-Signal is a [`Level`] instead of yes or no.
//!
//! Each line gives at least one preference, and every byte of its value except separators is in a
//! preference. Text that does not have the form of its vocabulary is kept as written, and its
//! [`Preference::allows`] is `None`.

mod effective;

use std::borrow::Cow;

use sfv::Parser;
use sfv::visitor::Ignored;

use crate::named::named;

pub use effective::{
    CrawlerPreference, EffectivePreference, PreferenceReader, crawler_preferences, effective,
};

named! {
    /// Who defines what a preference means.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Vocabulary {
        /// `Content-Signal: search=yes, ai-train=no`.
        ContentSignal = "content-signal",
        /// `Content-Usage: /path train-ai=n`.
        ContentUsage = "content-usage",
        /// `License: https://example.com/license.xml`.
        License = "license",
        /// `LLM-Policy: https://example.com/llm-policy.txt`.
        LlmPolicy = "llm-policy",
        /// `TDM-Reservation: 1`.
        TdmReservation = "tdm",
        /// `TDM-Policy: https://example.com/policy.json`.
        TdmPolicy = "tdm",
    }
}

impl Vocabulary {
    /// The vocabulary of a directive, given in lower case.
    #[must_use]
    pub fn of_directive(directive: &[u8]) -> Option<Self> {
        match directive {
            b"content-signal" => Some(Self::ContentSignal),
            b"content-usage" => Some(Self::ContentUsage),
            b"license" => Some(Self::License),
            b"llm-policy" => Some(Self::LlmPolicy),
            b"tdm-reservation" => Some(Self::TdmReservation),
            b"tdm-policy" => Some(Self::TdmPolicy),
            _ => None,
        }
    }

    /// Whether a directive applies to every crawler, whatever its group: RSL defines this for
    /// License, and the other directives with one value do not mention crawlers.
    #[must_use]
    pub const fn is_site_wide(self) -> bool {
        !matches!(self, Self::ContentSignal | Self::ContentUsage)
    }

    /// Takes the value of a directive apart and calls `visit` with each preference in it.
    ///
    /// ```
    /// use robots_dialects::preferences::Vocabulary;
    ///
    /// let vocabulary = Vocabulary::of_directive(b"content-signal").expect("one of the vocabularies");
    /// let mut found = Vec::new();
    /// vocabulary.read(b"/blog search=yes, ai-train=no", |preference| {
    ///     found.push((preference.preference.into_owned(), preference.allows));
    /// });
    /// assert_eq!(
    ///     found,
    ///     [(b"search".to_vec(), Some(true)), (b"ai-train".to_vec(), Some(false))]
    /// );
    /// ```
    pub fn read<'a>(self, value: &'a [u8], mut visit: impl FnMut(Preference<'a>)) {
        let (preference, allows): (&[u8], _) = match self {
            Self::ContentSignal | Self::ContentUsage => return self.read_pairs(value, visit),
            Self::License => (b"license", None),
            Self::LlmPolicy => (b"llm-policy", None),
            Self::TdmPolicy => (b"tdm-policy", None),
            // Reserving the right to mine denies it to others.
            Self::TdmReservation if value == b"0" => (b"tdm-reservation", Some(true)),
            Self::TdmReservation => (b"tdm-reservation", (value == b"1").then_some(false)),
        };
        visit(Preference {
            path: None,
            preference: Cow::Borrowed(preference),
            value,
            allows,
            level: None,
        });
    }

    /// Reads `[path] key=value, key=value`.
    fn read_pairs<'a>(self, value: &'a [u8], mut visit: impl FnMut(Preference<'a>)) {
        let (path, pairs) = split_path(value);
        // One malformed member makes the whole field invalid (RFC 9651 §4.2).
        let is_dictionary = self == Self::ContentUsage
            && Parser::new(pairs)
                .parse_dictionary_with_visitor(Ignored)
                .is_ok();
        let items = split_items(pairs).filter(|item| !item.is_empty());
        let mut items: Vec<&[u8]> = items.collect();
        if items.is_empty() {
            // A line without items is an empty preference.
            items.push(b"");
        }
        for (index, item) in items.iter().enumerate() {
            let end = item.iter().position(|byte| matches!(byte, b'=' | b';'));
            let (key, value) = item.split_at(end.unwrap_or(item.len()));
            let value = value.strip_prefix(b"=").unwrap_or(value).trim_ascii();
            let key = key.trim_ascii();
            let allows = match self {
                Self::ContentUsage if is_dictionary && is_last(key, &items[index + 1..]) => {
                    usage(value)
                }
                Self::ContentUsage => None,
                _ => signal(value),
            };
            let is_level = self == Self::ContentSignal && key.eq_ignore_ascii_case(b"use");
            visit(Preference {
                path,
                preference: Cow::Owned(key.to_ascii_lowercase()),
                value,
                allows,
                level: Level::of(value).filter(|_| is_level),
            });
        }
    }
}

/// One preference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preference<'a> {
    /// Path to which it applies, as written; `None` for the whole site.
    pub path: Option<&'a [u8]>,
    /// What it is about, in lower case: the key in vocabularies that have keys, else the directive.
    pub preference: Cow<'a, [u8]>,
    /// Its value, as written.
    pub value: &'a [u8],
    /// Whether the value allows the use; `None` if the vocabulary does not define the answer.
    pub allows: Option<bool>,
    /// How far the use may go, if it is graded and not only allowed or denied.
    pub level: Option<Level>,
}

named! {
    /// How much of the content may be kept and shown again, from least to most: the values of the
    /// signal `use`, which Cloudflare added to Content-Signal on 1 July 2026 (blog.cloudflare.com).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Level {
        /// Interact with it, store and reuse nothing.
        Immediate = "immediate",
        /// Index it, quote excerpts and link back.
        Reference = "reference",
        /// Summarise and reproduce it.
        Full = "full",
    }
}

impl Level {
    fn of(value: &[u8]) -> Option<Self> {
        [Self::Immediate, Self::Reference, Self::Full]
            .into_iter()
            .find(|level| value.eq_ignore_ascii_case(level.name().as_bytes()))
    }
}

/// A path, up to a space or tab, and the text after it (draft-ietf-aipref-attach-05, §3.2).
fn split_path(value: &[u8]) -> (Option<&[u8]>, &[u8]) {
    if !value.starts_with(b"/") {
        return (None, value);
    }
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let end = value.iter().position(is_space).unwrap_or(value.len());
    let (path, rest) = value.split_at(end);
    (Some(path), rest.trim_ascii())
}

/// The parts between commas outside quoted strings, without white space around them.
fn split_items(pairs: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    pairs
        .split(move |byte| {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if is_quoted => is_escaped = true,
                b'"' => is_quoted = !is_quoted,
                b',' => return !is_quoted,
                _ => {}
            }
            false
        })
        .map(<[u8]>::trim_ascii)
}

/// Whether no later item has the key: the last item with a key counts (RFC 9651 §4.2.2).
fn is_last(key: &[u8], later: &[&[u8]]) -> bool {
    later.iter().all(|item| {
        let rest = item.strip_prefix(key);
        !rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'=' | b';')))
    })
}

/// The answer of a member of a Content-Usage dictionary, without its parameters
/// (draft-ietf-aipref-vocab-08, §6.5): the tokens `y` and `n`, which are case-sensitive.
fn usage(value: &[u8]) -> Option<bool> {
    match value.split(|byte| *byte == b';').next()? {
        b"y" => Some(true),
        b"n" => Some(false),
        _ => None,
    }
}

fn signal(value: &[u8]) -> Option<bool> {
    match value.to_ascii_lowercase().as_slice() {
        b"yes" => Some(true),
        b"no" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
