//! Values of arguments, as they are typed.

use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use robots_dialects::dialect::Dialect;
use robots_dialects::limit::DEFAULT_LIMIT;
use url::{ParseError, Url};
use warc_recovery::warc::parse_date;

use crate::dataset::label;

/// `--dialect`: one dialect of the protocol, or all of them.
pub(super) type Dialects = &'static [Dialect];

pub(super) fn dialects() -> impl TypedValueParser<Value = Dialects> {
    const ALL: Dialects = &Dialect::ALL;
    let names = ALL.iter().map(|it| it.name()).chain(["all"]);
    PossibleValuesParser::new(names).map(|name| {
        let one = ALL.chunks(1).find(|it| it[0].name() == name);
        one.unwrap_or(ALL)
    })
}

pub(super) fn limit() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(DEFAULT_LIMIT as u64..=64 << 20)
}

/// `typed` if it is a value; else the error `expected`, which describes a value.
fn checked(typed: &str, is_value: bool, expected: &str) -> Result<String, String> {
    let value = is_value.then(|| typed.to_owned());
    value.ok_or_else(|| expected.to_owned())
}

pub(super) fn agent(typed: &str) -> Result<String, String> {
    let is_blank = typed.trim().is_empty();
    checked(typed, !is_blank, "give a product token, such as GPTBot")
}

/// A path, or a URL that can be parsed.
pub(super) fn path_or_url(typed: &str) -> Result<String, String> {
    let is_either = matches!(
        Url::parse(typed),
        Ok(_) | Err(ParseError::RelativeUrlWithoutBase)
    );
    checked(
        typed,
        is_either && !typed.is_empty(),
        "give a path, such as /a, or a URL",
    )
}

/// The URL of a page or file on the web.
pub(super) fn web_url(typed: &str) -> Result<String, String> {
    let is_web = |it: Url| matches!(it.scheme(), "http" | "https");
    let is_web = Url::parse(typed).is_ok_and(is_web);
    checked(
        typed,
        is_web,
        "give a URL that begins with https:// or http://",
    )
}

pub(super) fn date(typed: &str) -> Result<String, String> {
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = typed.split('-').all(is_number) && (typed.len() == 4 || typed.contains('-'));
    checked(
        typed,
        is_plain && parse_date(typed.as_bytes()).is_some(),
        "a date is a year, a month or a day, such as 2024, 2024-01 or 2024-01-31",
    )
}

pub(super) fn day(typed: &str) -> Result<String, String> {
    let is_day = date(typed).is_ok() && typed.len() == "YYYY-MM-DD".len();
    checked(
        typed,
        is_day,
        "give a day of the calendar, such as 2026-11-22",
    )
}

/// The name of a dataset, as all formats of data cards accept it.
pub(super) fn dataset_name(typed: &str) -> Result<String, String> {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    checked(
        typed,
        !typed.is_empty() && typed.chars().all(is_allowed),
        "a name has lower-case letters, digits, `-`, `_` and `.`",
    )
}

pub(super) fn license(typed: &str) -> Result<String, String> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-.+".contains(c);
    checked(
        typed,
        typed.contains("://") || (!typed.is_empty() && typed.chars().all(is_allowed)),
        "give an SPDX identifier such as CC-BY-4.0 (https://spdx.org/licenses), or a URL",
    )
}

/// Whether this can be the name of a file or directory: of a crawl, or of a table of verdicts.
pub(super) fn is_file_name(typed: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !typed.starts_with('.') && typed.chars().all(is_allowed)
}

pub(super) fn crawl(typed: &str) -> Result<String, String> {
    checked(
        typed,
        is_file_name(typed),
        "a crawl is named like CC-MAIN-2026-34",
    )?;
    label::checked(typed)
}

pub(super) fn memory(typed: &str) -> Result<String, String> {
    let digits = typed.trim_end_matches(|last: char| last.is_ascii_alphabetic());
    let unit = typed[digits.len()..].to_ascii_uppercase();
    let units = ["KB", "MB", "GB", "TB", "KIB", "MIB", "GIB", "TIB"];
    let is_size = digits.trim().parse::<f64>().is_ok_and(|size| size >= 1.0);
    checked(
        typed,
        is_size && units.contains(&unit.as_str()),
        "give it with its unit, as in 4GB or 500MB",
    )
}

/// `NAME=VALUE`, where the name is an SQL identifier.
pub(super) fn parameter(typed: &str) -> Result<(String, String), String> {
    let pair = typed.split_once('=');
    let (name, value) = pair.ok_or("give it as NAME=VALUE, as in top=10")?;
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match name {
        "dataset" => Err("the dataset is the first argument".to_owned()),
        _ if is_name => Ok((name.to_owned(), value.to_owned())),
        _ => Err("a name has letters, digits and `_`, and does not begin with a digit".to_owned()),
    }
}
