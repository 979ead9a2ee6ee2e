//! Dates as they are typed.

/// A year, a month or a day.
pub(super) fn date(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths = [4, 2, 2].into_iter();
    let is_number = |(part, length): (&&str, usize)| {
        part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_in = |index: usize, last: u8| {
        let number = parts.get(index).map_or(Ok(1), |part| part.parse::<u8>());
        number.is_ok_and(|number| (1..=last).contains(&number))
    };
    if parts.len() <= 3 && parts.iter().zip(lengths).all(is_number) && is_in(1, 12) && is_in(2, 31)
    {
        return Ok(text.to_owned());
    }
    Err("a date is a year, a month or a day, such as 2024, 2024-01 or 2024-01-31".to_owned())
}
