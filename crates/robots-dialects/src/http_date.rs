//! HTTP dates (RFC 9110 §5.6.7) as seconds since 1970, in all three forms: the current form, RFC
//! 850's with its two-digit year, and C's asctime.

use chrono::NaiveDateTime;

/// Seconds since 1970-01-01T00:00:00Z; the day of the week is not checked.
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
