//! HTTP dates (RFC 9110 §5.6.7) as seconds since 1970.
//!
//! Used for the freshness of a robots.txt. All three forms are read: the current form, RFC 850's
//! with its two-digit year, and C's asctime.

use chrono::NaiveDateTime;

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
    let text = std::str::from_utf8(value).ok()?;
    let (weekday, rest) = text.split_once([',', ' '])?;
    if !weekday.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let rest = rest.trim().replace('-', " ");
    // asctime has no zone, and the year at its end.
    let time = if let Some((time, "GMT" | "UTC")) = rest.rsplit_once(' ') {
        let read = |format| NaiveDateTime::parse_from_str(time, format).ok();
        read("%d %b %y %T").or_else(|| read("%d %b %Y %T"))
    } else {
        NaiveDateTime::parse_from_str(&rest, "%b %d %T %Y").ok()
    };
    Some(time?.and_utc().timestamp())
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
