//! Questions about values, lines and bodies.

use robots_dialects::access::{CacheHeaders, Response};
use robots_dialects::agent::{
    is_part_of_name, is_same_token, is_wildcard, name_without_version, product_token, rfc9309_token,
};
use robots_dialects::content::{ContentClass, Encoding};
use robots_dialects::dialect::Dialect;
use robots_dialects::document::{Document, number};
use robots_dialects::http_date::parse_http_date;
use robots_dialects::limit::{cut, identified};
use robots_dialects::line::{Line, LineEnding, LineKind, read_lines};
use robots_dialects::path::{UrlPath, path_of_url};
use robots_dialects::pattern::{PatternTraits, matches_every_path};
use robots_dialects::percent::{google_escape, rfc9309_normalise, rfc9309_path, rfc9309_pattern};
use robots_dialects::preferences::Vocabulary;
use robots_dialects::spelling;
use robots_dialects::visit::{RequestRate, RobotVersion, VisitTime};

use super::{joined, or_dash, shown, text};

pub(super) fn answer(question: &str, value: &[u8], cells: &[&[u8]]) -> Option<String> {
    Some(match (question, cells) {
        ("names", []) => {
            let names = [product_token, rfc9309_token, name_without_version];
            let names = joined(names.map(|name| shown(name(value))), " | ");
            format!("{names} | {}", is_wildcard(value))
        }
        ("part-of-name", [robot]) => is_part_of_name(value, robot).to_string(),
        ("same-token", [other]) => is_same_token(value, other).to_string(),
        ("keys", []) => key(value),
        ("lines", []) => lines(value),
        ("cut", [limit]) => {
            let limit = text(limit).parse().expect("bytes");
            joined([cut, identified].map(|cut| shown(cut(value, limit))), " | ")
        }
        ("counts", []) => {
            let counts = format!("{:?}", Document::read(value, 0).counts);
            let (_, counts) = counts.split_once("{ ").expect("fields");
            let counts = counts.trim_end_matches(" }").split(", ");
            let counts = counts.filter(|count| !count.ends_with(": 0"));
            joined(counts.map(str::to_owned), ", ")
        }
        ("content", []) => content(value),
        ("escapes", []) => {
            let mut scratch = Vec::new();
            let forms = [
                shown(google_escape(value, &mut scratch)),
                shown(rfc9309_normalise(value, &mut scratch)),
                shown(rfc9309_pattern(value, &mut scratch)),
                shown(rfc9309_path(value, &mut scratch)),
            ];
            forms.join(" | ")
        }
        ("paths", []) => {
            let normalised = UrlPath::from_url(value);
            let forms = [&path_of_url(value), normalised.normalised()];
            joined(forms.map(shown), " | ")
        }
        ("patterns", []) => pattern(value),
        ("http-date", []) => or_dash(parse_http_date(value)),
        ("robot-version", []) => or_dash(RobotVersion::parse(value).map(|it| format!("{it:?}"))),
        ("visit-time", []) => or_dash(VisitTime::parse(value).map(visit_time)),
        ("request-rate", []) => or_dash(RequestRate::parse(value).map(|it| request_rate(&it))),
        ("number", []) => or_dash(number(value)),
        ("response", []) => by_access_dialect(|it| it.access(response(value)).name().to_owned()),
        ("freshness", [expires]) => {
            let headers = CacheHeaders {
                cache_control: Some(value).filter(|it| !it.is_empty()),
                expires: Some(*expires).filter(|it| !it.is_empty()),
                date: Some(b"Sun, 06 Nov 1994 08:49:37 GMT"),
                fetched: None,
            };
            by_access_dialect(|dialect| dialect.freshness_seconds(&headers).to_string())
        }
        ("lifetime", [fetched]) => {
            let headers = CacheHeaders {
                expires: Some(value),
                fetched: text(fetched).parse().ok(),
                ..CacheHeaders::default()
            };
            or_dash(headers.lifetime_seconds())
        }
        ("vocabulary", []) => or_dash(Vocabulary::of_directive(value).map(Vocabulary::name)),
        ("preferences", []) => preferences(value),
        _ => return None,
    })
}

/// The kind of a line with this key, and how the key is spelt.
fn key(key: &[u8]) -> String {
    let body = [b"\n", key, b": x"].concat();
    let mut found = String::new();
    read_lines(&body, |line: &Line<'_>| {
        if line.number == 2 {
            found = kind(line);
        }
    });
    let is_other = found.starts_with("other");
    for (is_so, word) in [
        (spelling::is_known(key), " known"),
        (is_other && spelling::is_misspelling(key), " misspelling"),
        (!spelling::is_plausible(key), " implausible"),
    ] {
        found += if is_so { word } else { "" };
    }
    found
}

fn kind(line: &Line<'_>) -> String {
    let kind = match line.kind {
        LineKind::Other => "other",
        LineKind::Comment => "comment",
        LineKind::Empty => "empty",
        LineKind::Invalid => "invalid",
        named => text(named.name().expect("a name")),
    };
    let typo = if line.is_typo { " typo" } else { "" };
    format!("{kind}{typo}")
}

fn lines(body: &[u8]) -> String {
    let mut found = Vec::new();
    read_lines(body, |line: &Line<'_>| {
        let mut words = kind(line);
        if line.kind.is_directive() {
            words = format!("{words} {}={}", shown(line.key), shown(line.value));
        }
        let ending = match line.ending {
            LineEnding::Lf => " lf",
            LineEnding::Crlf => " crlf",
            LineEnding::Cr => " cr",
            LineEnding::None => "",
        };
        let has_name = line.kind.name().is_some();
        for (is_so, word) in [
            (has_name && !line.is_exact_key(), " inexact"),
            (has_name && !line.is_strict(), " lenient"),
            (line.is_missing_colon, " no-colon"),
            (line.has_comment, " #"),
            (line.has_nul, " nul"),
            (line.is_final_empty, " final"),
            (true, ending),
        ] {
            words += if is_so { word } else { "" };
        }
        found.push(words);
    });
    found.join(", ")
}

fn content(body: &[u8]) -> String {
    let document = Document::read(body, 0);
    let is_utf8 = std::str::from_utf8(body).is_ok();
    let names = [
        ContentClass::of_document(body, &document).name(),
        Encoding::of(body, is_utf8).name(),
        document.line_endings.name(),
    ];
    names.join(" | ")
}

/// What occurs in a pattern; stars and question marks survive normalisation.
fn pattern(pattern: &[u8]) -> String {
    let traits = PatternTraits::of(pattern);
    let normalised = PatternTraits::of(rfc9309_normalise(pattern, &mut Vec::new()));
    assert_eq!(normalised.has_wildcard, traits.has_wildcard);
    assert_eq!(normalised.has_query, traits.has_query);
    let words = [
        (matches_every_path(pattern), "every path"),
        (traits.is_plain, "plain"),
        (traits.has_wildcard, "wildcard"),
        (traits.has_query, "query"),
    ];
    let words = words.into_iter().filter(|(is_so, _)| *is_so);
    joined(words.map(|(_, word)| word.to_owned()), ", ")
}

/// First and last minute of a window, and its length.
pub(super) fn visit_time(window: VisitTime) -> String {
    let clock = |minute: u16| format!("{:02}{:02}", minute / 60, minute % 60);
    let (start, end) = (clock(window.start), clock(window.end));
    format!("{start}-{end} ({} min)", window.minutes())
}

/// Documents per number of seconds, and the window.
pub(super) fn request_rate(rate: &RequestRate) -> String {
    let window = rate.window.map(|window| format!(" {}", visit_time(window)));
    let window = window.unwrap_or_default();
    format!("{} in {} s{window}", rate.documents, rate.seconds)
}

/// The answer of each dialect that has rules for responses.
fn by_access_dialect(answer: impl Fn(Dialect) -> String) -> String {
    let dialects = [Dialect::Koster1996, Dialect::Rfc9309, Dialect::Google];
    joined(dialects.map(answer), " | ")
}

/// A status, or no response.
pub(super) fn response(cell: &[u8]) -> Response {
    match text(cell).parse() {
        Ok(status) => Response::Status(status),
        Err(_) => Response::NoResponse,
    }
}

/// The preferences in a directive: path, preference, value, whether the value allows the use, and
/// its level.
fn preferences(directive: &[u8]) -> String {
    let (key, value) = text(directive).split_once(':').expect("a directive");
    let vocabulary = Vocabulary::of_directive(key.as_bytes()).expect("a vocabulary");
    let mut found = Vec::new();
    vocabulary.read(value.trim().as_bytes(), |preference| {
        let path = preference.path.map(|path| shown(path) + " ");
        let (name, value) = (shown(&preference.preference), shown(preference.value));
        let level = preference.level.map(|level| format!(" {}", level.name()));
        found.push(format!(
            "{}{name}=({value}) {}{}",
            path.unwrap_or_default(),
            allows(preference.allows),
            level.unwrap_or_default()
        ));
    });
    found.join(", ")
}

pub(super) fn allows(answer: Option<bool>) -> &'static str {
    answer.map_or("?", |allows| if allows { "yes" } else { "no" })
}
