//! Dates as they are typed.

use warc_recovery::warc::parse_date;

/// A year, a month or a day.
pub(super) fn date(text: &str) -> Result<String, String> {
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = text.split('-').all(is_number) && (text.len() == 4 || text.contains('-'));
    if is_plain && parse_date(text.as_bytes()).is_some() {
        return Ok(text.to_owned());
    }
    Err("a date is a year, a month or a day, such as 2024, 2024-01 or 2024-01-31".to_owned())
}
