//! The dates of `unavailable_after`.
//!
//! Google's specification takes "widely adopted formats including, but not limited to, RFC 822, RFC
//! 850 and ISO 8601", and its example has neither a weekday nor a numeric zone (`25 Jun 2010
//! 15:00:00 PST`). So the parts are recognised by their form, in any order that is in use, also
//! JavaScript's `GMT+0200 (CEST)`. ISO 8601 is read in the profile of RFC 3339: with hyphens, and
//! with minutes in a time. A date without a zone is in UTC, and a date without a time means its
//! first second.

use chrono::{Month, NaiveDate, NaiveTime, Timelike as _, Weekday};

/// Seconds since 1970-01-01T00:00:00Z; `None` if the value is not a date.
///
/// ```
/// use page_directives::time::parse_time;
///
/// let noon = Some(1_277_467_200);
/// assert_eq!(parse_time(b"2010-06-25T12:00:00Z"), noon);
/// assert_eq!(parse_time(b"Fri, 25 Jun 2010 14:00:00 +0200"), noon);
/// assert_eq!(parse_time(b"Friday, 25-Jun-10 12:00:00 UTC"), noon);
/// assert_eq!(parse_time(b"25 Jun 2010 04:00:00 PST"), noon);
/// assert_eq!(parse_time(b"never"), None);
/// ```
#[must_use]
pub fn parse_time(value: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(value).ok()?.trim();
    let text = match text.split_once('(') {
        Some((date, comment)) if comment.ends_with(')') => date.trim_end(),
        _ => text,
    };
    if text.len() > MAX_BYTES || !text.is_ascii() {
        return None;
    }
    parse_iso(text).or_else(|| parse_words(text))
}

const MAX_BYTES: usize = 64;

/// `2010-06-25`, with a time after `T` or a space, and a zone (ISO 8601, RFC 3339).
fn parse_iso(text: &str) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let days = days(digits(year, 4)?, digits(month, 2)?, digits(day, 2)?)?;
    let rest = rest.trim_start_matches(['T', 't', ' ']);
    if rest.is_empty() {
        return Some(days * 86_400);
    }
    let zone_at = rest.find(|character: char| !matches!(character, '0'..='9' | ':' | '.'));
    let (time, zone) = rest.split_at(zone_at.unwrap_or(rest.len()));
    Some(days * 86_400 + seconds(time)? - zone_seconds(zone.trim())?)
}

/// A date of words: `Fri, 25 Jun 2010 15:00:00 PST`, `Friday, 25-Jun-10 15:00:00 GMT`, `Jun 25,
/// 2010`, `Fri Jun 25 15:00:00 2010`.
fn parse_words(text: &str) -> Option<i64> {
    let (mut day, mut month, mut year, mut time, mut zone) = (None, None, None, None, None);
    let separators = |character: char| matches!(character, ' ' | ',' | '\t');
    for word in text.split(separators).filter(|word| !word.is_empty()) {
        let offset = word.strip_prefix("GMT").unwrap_or(word);
        if offset.starts_with(['+', '-']) {
            set(&mut zone, offset_seconds(offset)?)?;
            continue;
        }
        if word.contains(':') {
            set(&mut time, seconds(word)?)?;
            continue;
        }
        for part in word.split('-') {
            if part.as_bytes().first()?.is_ascii_digit() {
                let part = part.trim_end_matches(|character: char| character.is_ascii_alphabetic());
                let number: i64 = part.parse().ok()?;
                if day.is_none() && part.len() <= 2 {
                    day = Some(number);
                } else if part.len() == 4 {
                    set(&mut year, number)?;
                } else if part.len() == 2 {
                    set(&mut year, if number < 70 { 2000 } else { 1900 } + number)?;
                } else {
                    return None;
                }
                continue;
            }
            let lower = part.to_ascii_lowercase();
            let beginning = part.get(..3).unwrap_or_default();
            if let Ok(name) = beginning.parse::<Month>() {
                set(&mut month, name.number_from_month().into())?;
            } else if lower == "am" || lower == "pm" {
                let noon = 12 * 3600;
                let hour = time? % noon;
                time = Some(if lower == "pm" { hour + noon } else { hour });
            } else if let Some(seconds) = zone_seconds(&lower) {
                set(&mut zone, seconds)?;
            } else {
                beginning.parse::<Weekday>().ok()?;
            }
        }
    }
    let days = days(year?, month?, day?)?;
    Some(days * 86_400 + time.unwrap_or(0) - zone.unwrap_or(0))
}

fn set(part: &mut Option<i64>, value: i64) -> Option<()> {
    part.is_none().then(|| *part = Some(value))
}

/// `15:00`, `15:00:00` or `15:00:00.5`; a leap second counts as the second before it.
fn seconds(time: &str) -> Option<i64> {
    let read = |format| NaiveTime::parse_from_str(time, format).ok();
    let time = read("%H:%M:%S%.f").or_else(|| read("%H:%M"))?;
    Some(time.num_seconds_from_midnight().into())
}

/// Seconds east of Greenwich: `+02:00`, `+0200`, `+02`, `PST`; 0 for an empty zone. RFC 822 §5
/// defines most of the names; the others are in use with a single meaning.
fn zone_seconds(zone: &str) -> Option<i64> {
    let hours = match zone.to_ascii_lowercase().as_str() {
        "" | "z" | "gmt" | "utc" | "ut" | "wet" => 0,
        "cet" => 1,
        "cest" | "eet" => 2,
        "edt" => -4,
        "est" | "cdt" => -5,
        "cst" | "mdt" => -6,
        "mst" | "pdt" => -7,
        "pst" => -8,
        figures => return offset_seconds(figures),
    };
    Some(hours * 3600)
}

fn offset_seconds(figures: &str) -> Option<i64> {
    let sign = match figures.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let figures = figures[1..].replace(':', "");
    let (hours, minutes) = match figures.len() {
        2 => (digits(&figures, 2)?, 0),
        4 => (digits(&figures[..2], 2)?, digits(&figures[2..], 2)?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

fn digits(text: &str, count: usize) -> Option<i64> {
    let is_number = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let (month, day) = (month.try_into().ok()?, day.try_into().ok()?);
    let date = NaiveDate::from_ymd_opt(year.try_into().ok()?, month, day)?;
    Some(date.to_epoch_days().into())
}
