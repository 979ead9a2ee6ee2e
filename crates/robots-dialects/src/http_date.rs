//! HTTP dates (RFC 9110 §5.6.7) as seconds since 1970.
//!
//! Used for the freshness of a robots.txt. All three forms are read: the current form, RFC 850's
//! with its two-digit year, and C's asctime.

const MONTHS: [&[u8]; 12] = [
    b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
];

/// Seconds since 1970-01-01T00:00:00Z. `None` where the value is not a date; the day of the week is
/// not checked.
///
/// ```
/// use robots_dialects::http_date::parse_http_date;
///
/// assert_eq!(parse_http_date(b"Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
/// assert_eq!(parse_http_date(b"0"), None);
/// ```
#[must_use]
pub fn parse_http_date(value: &[u8]) -> Option<i64> {
    let mut words = value
        .split(|byte| matches!(byte, b' ' | b'\t' | b',' | b'-'))
        .filter(|word| !word.is_empty());
    let weekday = words.next()?;
    if !weekday.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let second = words.next()?;
    let (day, month, year, time) = if let Some(month) = month(second) {
        // Sun Nov  6 08:49:37 1994
        let (day, time, year) = (words.next()?, words.next()?, words.next()?);
        (day, month, year, time)
    } else {
        // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
        let (month, year, time) = (month(words.next()?)?, words.next()?, words.next()?);
        let zone = words.next()?;
        if !zone.eq_ignore_ascii_case(b"GMT") && !zone.eq_ignore_ascii_case(b"UTC") {
            return None;
        }
        (second, month, year, time)
    };
    if words.next().is_some() {
        return None;
    }
    let day = number(day, 1..=2).filter(|day| (1..=31).contains(day))?;
    let year = match (year.len(), number(year, 2..=4)?) {
        // Two digits: 1970 to 2069.
        (2, year @ ..70) => 2000 + year,
        (2, year) => 1900 + year,
        (4, year) => year,
        _ => return None,
    };
    Some(days_since_1970(year, month, day) * 86_400 + seconds_of_day(time)?)
}

/// Number of the month, from 1.
fn month(word: &[u8]) -> Option<i64> {
    let index = MONTHS
        .iter()
        .position(|name| word.eq_ignore_ascii_case(name))?;
    i64::try_from(index).ok().map(|index| index + 1)
}

/// `HH:MM:SS`; a leap second is allowed.
fn seconds_of_day(time: &[u8]) -> Option<i64> {
    let mut parts = time.split(|byte| *byte == b':');
    let mut next = |limit: i64| number(parts.next()?, 1..=2).filter(|value| *value < limit);
    let (hour, minute, second) = (next(24)?, next(60)?, next(61)?);
    parts
        .next()
        .is_none()
        .then_some(hour * 3_600 + minute * 60 + second)
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar, counted in eras of 400 years whose
/// years begin in March, so that a leap day ends its year.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn number(text: &[u8], digits: std::ops::RangeInclusive<usize>) -> Option<i64> {
    if !digits.contains(&text.len()) || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(
        text.iter()
            .fold(0, |value, byte| value * 10 + i64::from(byte - b'0')),
    )
}

#[cfg(test)]
mod tests {
    use super::parse_http_date;

    #[test]
    fn the_three_forms() {
        for value in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(
                parse_http_date(value.as_bytes()),
                Some(784_111_777),
                "{value}"
            );
        }
        let other = |value: &str| parse_http_date(value.as_bytes());
        assert_eq!(other("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(other("Thu, 29 Feb 2024 12:00:00 GMT"), Some(1_709_208_000));
        assert_eq!(other("Wed, 31 Dec 1969 23:59:59 GMT"), Some(-1));
    }

    #[test]
    fn what_is_no_date() {
        for value in [
            "",
            "0",
            "-1",
            "never",
            "Sun, 06 Nov 1994",
            "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:37 +0100",
            "Sun, 99 Nov 1994 08:49:37 GMT",
        ] {
            assert_eq!(parse_http_date(value.as_bytes()), None, "{value}");
        }
    }
}
