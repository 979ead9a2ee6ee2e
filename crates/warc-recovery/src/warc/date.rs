//! The time in `WARC-Date` and `WARC-Refers-To-Date`.
//!
//! Implements ISO 28500:2017 §5.4 (`WARC-Date`), which allows the W3C profile of ISO 8601 with
//! reduced precision (`2026`, `2026-08`, `2026-08-15`, `2026-08-15T10:00Z`) and up to nine digits
//! of fractional seconds. Also read: the 14-digit form of CDX files and ARC heads
//! (`20260815100000`, 17 digits with milliseconds, 12 or 10 with reduced precision), a space or
//! lower-case `t` before the time, a numeric offset (`+02:00` as in RFC 3339, `+02`), and a missing
//! zone, which is taken as UTC.

use chrono::NaiveDate;

use crate::header_fields::parse_decimal;

const MICROSECONDS_PER_DAY: i64 = 86_400_000_000;

/// A date in microseconds since 1970 UTC; `None` if it cannot be read, a part is out of range, or
/// the date is not in the years 0 to 9999 of UTC.
///
/// Reduced precision means the start of the period; digits below a microsecond are cut off; second
/// 60 (a leap second) is read as the first second of the next minute.
#[must_use]
pub fn parse_date(value: &[u8]) -> Option<i64> {
    let value = value.trim_ascii();
    let is_digits = value.len() >= 10 && value.iter().all(u8::is_ascii_digit);
    let date = if is_digits {
        parse_digits(value)
    } else {
        parse_parts(value)
    }?;
    // An offset or a leap second can lead out of the year that is written.
    let is_within = midnight(0, 1, 1)? <= date && date < midnight(10_000, 1, 1)?;
    is_within.then_some(date)
}

/// A date and perhaps a time, in parts with separators.
fn parse_parts(value: &[u8]) -> Option<i64> {
    let is_separator = |byte: &u8| matches!(byte, b'T' | b't' | b' ');
    let (date, time) = match value.iter().position(is_separator) {
        // A time needs a whole date.
        Some(at) if at < 10 => return None,
        Some(at) => (&value[..at], Some(&value[at + 1..])),
        None => (value, None),
    };
    let mut parts = date.splitn(3, |byte| *byte == b'-');
    let year = number(parts.next()?, 4)?;
    let month = parts.next().map_or(Some(1), |part| number(part, 2))?;
    let day = parts.next().map_or(Some(1), |part| number(part, 2))?;
    let midnight = midnight(year, month, day)?;
    time.map_or(Some(midnight), |time| Some(midnight + parse_time(time)?))
}

/// Microseconds since midnight UTC of `10:00`, `10:00:00` or `10:00:00.5`, with its zone.
fn parse_time(value: &[u8]) -> Option<i64> {
    let is_zone = |byte: &u8| !matches!(byte, b'0'..=b'9' | b':' | b'.' | b',');
    let (time, zone) = value.split_at(value.iter().position(is_zone).unwrap_or(value.len()));
    let mut parts = time.splitn(3, |byte| *byte == b':');
    let (hour, minute) = (number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let (second, fraction) = parts.next().unwrap_or(b"00").split_at_checked(2)?;
    let offset = match zone {
        b"" | b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), h1, h2, minutes @ ..] => {
            let minutes = match minutes {
                [] => 0,
                [b':', digits @ ..] | digits => number(digits, 2)?,
            };
            let east = time_of_day(number(&[*h1, *h2], 2)?, minutes, 0)?;
            if *sign == b'+' { east } else { -east }
        }
        _ => return None,
    };
    let fraction = match fraction {
        [] => 0,
        [b'.' | b',', digits @ ..] if (1..=9).contains(&digits.len()) => {
            number(digits, digits.len())?;
            let padded = digits.iter().copied().chain(std::iter::repeat(b'0'));
            number(&padded.take(6).collect::<Vec<u8>>(), 6)?
        }
        _ => return None,
    };
    Some(time_of_day(hour, minute, number(second, 2)?)? - offset + fraction)
}

/// `YYYYMMDDhhmmss`, also with three digits of milliseconds, or without seconds or minutes.
fn parse_digits(value: &[u8]) -> Option<i64> {
    // Ten digits below 1990… could be Unix time, which reaches that in 2033.
    let is_reduced = matches!(value.len(), 10 | 12) && value >= b"1990".as_slice();
    if !is_reduced && !matches!(value.len(), 14 | 17) {
        return None;
    }
    let part = |at: usize, count: usize| {
        let digits = value.get(at..at + count);
        digits.map_or(Some(0), |digits| number(digits, count))
    };
    let midnight = midnight(part(0, 4)?, part(4, 2)?, part(6, 2)?)?;
    let time = time_of_day(part(8, 2)?, part(10, 2)?, part(12, 2)?)?;
    Some(midnight + time + part(14, 3)? * 1_000)
}

/// The time since midnight in microseconds.
fn time_of_day(hour: i64, minute: i64, second: i64) -> Option<i64> {
    let is_time = hour <= 23 && minute <= 59 && second <= 60;
    is_time.then_some((hour * 3_600 + minute * 60 + second) * 1_000_000)
}

/// The start of a day in the proleptic Gregorian calendar, in microseconds since 1970.
fn midnight(year: i64, month: i64, day: i64) -> Option<i64> {
    let (month, day) = (month.try_into().ok()?, day.try_into().ok()?);
    let date = NaiveDate::from_ymd_opt(year.try_into().ok()?, month, day)?;
    Some(i64::from(date.to_epoch_days()) * MICROSECONDS_PER_DAY)
}

/// Exactly `count` digits as a number.
fn number(digits: &[u8], count: usize) -> Option<i64> {
    let number = parse_decimal(digits).filter(|_| digits.len() == count)?;
    number.try_into().ok()
}
