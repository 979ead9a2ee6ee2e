//! Times as tables of fetches have them.

use std::ops::Range;

use arrow_array::temporal_conversions::timestamp_us_to_datetime;
use robots_dialects::http_date::parse_http_date;
use warc_recovery::warc::parse_date;

const MICROS_PER_SECOND: i64 = 1_000_000;

/// The years from 0 to 9999, which a `WARC-Date` can have, in microseconds since
/// 1970-01-01T00:00:00Z.
pub(super) const YEARS: Range<i64> = -62_167_219_200_000_000..253_402_300_800_000_000;

/// A time in microseconds since 1970-01-01T00:00:00Z: what [`parse_date`] reads, the same followed
/// by `UTC` or `GMT`, `20260801`, a date of HTTP, or a number since 1970, whose unit (seconds,
/// milliseconds, microseconds or nanoseconds) follows from its size. `None` for any other text.
///
/// 8, 12, 14 or 17 digits that begin with 19 or 20 are a date, valid or not: as numbers since 1970
/// they would be times that nobody fetched at, such as 1970-08-23 or the year 2612.
pub(super) fn parse_time(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii();
    // Columns of integers with missing values become columns of floats in pandas.
    let text = text.strip_suffix(b".0").unwrap_or(text);
    if text.iter().all(u8::is_ascii_digit) && (text.starts_with(b"19") || text.starts_with(b"20")) {
        match text.len() {
            8 => return parse_date(&[text, b"000000"].concat()),
            12 | 14 | 17 => return parse_date(text),
            _ => {}
        }
    }
    let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    if text.iter().all(is_number)
        && text.iter().filter(|byte| byte.is_ascii_digit()).count() > 4
        && !text[1..].contains(&b'-')
    {
        let text = std::str::from_utf8(text).ok()?;
        return match text.parse::<i64>() {
            Ok(number) => micros_from_i64(number),
            Err(_) => micros_from_f64(text.parse().ok()?),
        };
    }
    let without_zone = text.strip_suffix(b" UTC").or(text.strip_suffix(b" GMT"));
    parse_date(text)
        .or_else(|| without_zone.and_then(parse_date))
        .or_else(|| parse_http_date(text)?.checked_mul(MICROS_PER_SECOND))
}

/// A whole number since 1970: of seconds below 10¹¹ (the year 5138), of milliseconds below 10¹⁴, of
/// microseconds below 10¹⁷, else of nanoseconds.
pub(super) fn micros_from_i64(number: i64) -> Option<i64> {
    match number.unsigned_abs() {
        0..100_000_000_000 => number.checked_mul(MICROS_PER_SECOND),
        100_000_000_000..100_000_000_000_000 => number.checked_mul(1_000),
        100_000_000_000_000..100_000_000_000_000_000 => Some(number),
        _ => Some(number / 1_000),
    }
}

/// The same for a number with a fraction.
pub(super) fn micros_from_f64(number: f64) -> Option<i64> {
    let factor = match number.abs() {
        0.0..1e11 => 1e6,
        1e11..1e14 => 1e3,
        1e14..1e17 => 1.0,
        _ => 1e-3,
    };
    let micros = (number * factor).round();
    #[expect(clippy::cast_possible_truncation, reason = "within the range")]
    let whole = micros as i64;
    (micros.abs() < 9e18).then_some(whole)
}

/// A time as `WARC-Date` has it; empty for a time outside of [`YEARS`].
pub(super) fn warc_date(micros: i64) -> String {
    timestamp_us_to_datetime(micros)
        .filter(|_| YEARS.contains(&micros))
        .map_or_else(String::new, |time| time.format("%FT%T%.6fZ").to_string())
}
