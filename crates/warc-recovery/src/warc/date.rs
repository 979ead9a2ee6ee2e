//! The time in `WARC-Date` and `WARC-Refers-To-Date`.
//!
//! Implements ISO 28500:2017 §5.4 (`WARC-Date`), which allows the W3C profile of ISO 8601 with
//! reduced precision (`2026`, `2026-08`, `2026-08-15`, `2026-08-15T10:00Z`) and up to nine digits
//! of fractional seconds. Also read: the 14-digit form of CDX files and ARC heads
//! (`20260815100000`, 17 digits with milliseconds, 12 or 10 with reduced precision), a space or
//! lower-case `t` before the time, a numeric offset (`+02:00`, RFC 3339), and a missing zone, which
//! is taken as UTC.

use chrono::NaiveDate;

const MICROSECONDS_PER_SECOND: i64 = 1_000_000;
const SECONDS_PER_DAY: i64 = 86_400;

/// A date in microseconds since 1970-01-01T00:00:00 UTC.
///
/// Reduced precision means the start of the period; digits below a microsecond are cut off; second
/// 60 (a leap second) is the first of the next minute. `None` if the bytes are not a date or a part
/// is out of its range.
#[must_use]
pub fn parse_date(value: &[u8]) -> Option<i64> {
    let value = value.trim_ascii();
    if value.len() >= 10 && value.iter().all(u8::is_ascii_digit) {
        return parse_digits(value);
    }
    let mut rest = Cursor(value);
    let year = rest.digits(4)?;
    let (mut month, mut day) = (1, 1);
    if !rest.is_empty() {
        rest.expect(b'-')?;
        month = rest.digits(2)?;
        if !rest.is_empty() {
            rest.expect(b'-')?;
            day = rest.digits(2)?;
        }
    }
    let days = days_since_epoch(year, month, day)?;
    if rest.is_empty() {
        return Some(days * SECONDS_PER_DAY * MICROSECONDS_PER_SECOND);
    }
    if !rest.take_if(|byte| matches!(byte, b'T' | b't' | b' ')) {
        return None;
    }
    let hour = rest.digits(2)?;
    rest.expect(b':')?;
    let minute = rest.digits(2)?;
    let (mut second, mut fraction) = (0, 0);
    if rest.take_if(|byte| byte == b':') {
        second = rest.digits(2)?;
        if rest.take_if(|byte| matches!(byte, b'.' | b',')) {
            fraction = rest.fraction()?;
        }
    }
    let offset = rest.zone()?;
    let seconds = time_of_day(hour, minute, second)? - offset;
    Some((days * SECONDS_PER_DAY + seconds) * MICROSECONDS_PER_SECOND + fraction)
}

/// `YYYYMMDDhhmmss`, the same with three digits of milliseconds, or without minutes and seconds.
fn parse_digits(value: &[u8]) -> Option<i64> {
    // Ten digits before 1990 could be seconds since 1970: these begin so until 2033.
    let is_reduced = matches!(value.len(), 10 | 12) && value >= b"1990".as_slice();
    if !is_reduced && !matches!(value.len(), 14 | 17) {
        return None;
    }
    let mut rest = Cursor(value);
    let days = days_since_epoch(rest.digits(4)?, rest.digits(2)?, rest.digits(2)?)?;
    let [hour, minute, second] = [(); 3].map(|()| {
        if rest.is_empty() {
            Some(0)
        } else {
            rest.digits(2)
        }
    });
    let seconds = time_of_day(hour?, minute?, second?)?;
    let milliseconds = if rest.is_empty() { 0 } else { rest.digits(3)? };
    let seconds = days * SECONDS_PER_DAY + seconds;
    Some(seconds * MICROSECONDS_PER_SECOND + milliseconds * 1_000)
}

fn time_of_day(hour: i64, minute: i64, second: i64) -> Option<i64> {
    (hour <= 23 && minute <= 59 && second <= 60).then_some(hour * 3_600 + minute * 60 + second)
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar.
fn days_since_epoch(year: i64, month: i64, day: i64) -> Option<i64> {
    let (year, month, day) = (
        year.try_into().ok()?,
        month.try_into().ok()?,
        day.try_into().ok()?,
    );
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    Some(date.to_epoch_days().into())
}

/// The bytes of a date that have not been read yet.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Exactly `count` digits as a number.
    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        digits.iter().try_fold(0, |number, byte| {
            byte.is_ascii_digit()
                .then(|| number * 10 + i64::from(byte - b'0'))
        })
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.take_if(|found| found == byte).then_some(())
    }

    fn take_if(&mut self, accept: impl Fn(u8) -> bool) -> bool {
        match self.0 {
            [first, rest @ ..] if accept(*first) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    /// One to nine digits of fractional seconds, in microseconds.
    fn fraction(&mut self) -> Option<i64> {
        let count = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if !(1..=9).contains(&count) {
            return None;
        }
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        let padded = digits.iter().chain(std::iter::repeat(&b'0')).take(6);
        Some(padded.fold(0, |number, byte| number * 10 + i64::from(byte - b'0')))
    }

    /// The zone at the end, in seconds east of UTC.
    fn zone(&mut self) -> Option<i64> {
        let sign = match self.0 {
            b"" | b"Z" | b"z" => return Some(0),
            [b'+', ..] => 1,
            [b'-', ..] => -1,
            _ => return None,
        };
        self.0 = &self.0[1..];
        let hours = self.digits(2)?;
        self.take_if(|byte| byte == b':');
        let minutes = self.digits(2)?;
        let seconds = time_of_day(hours, minutes, 0)?;
        self.is_empty().then_some(sign * seconds)
    }
}
