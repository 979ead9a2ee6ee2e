//! Numbers as a reader likes them: digits that the interval supports, counts in groups, no −0.

/// A share in per cent with the ends of its 95% interval, where there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Share {
    pub(super) value: f64,
    /// The ends of its interval, low and high.
    pub(super) interval: Option<(f64, f64)>,
    /// Why it has none, where it should have one.
    pub(super) no_interval: Option<&'static str>,
}

impl Share {
    pub(super) fn of(value: f64) -> Self {
        Self {
            value,
            interval: None,
            no_interval: None,
        }
    }

    /// Digits after the point, no more than two: as many as leave two digits of an interval's half
    /// width below ten, and none where it is five or more.
    fn decimals(self) -> usize {
        let half = match self.interval {
            Some((low, high)) => (high - low) / 2.0,
            // Shares without an interval are of counts; a tenth is what papers print.
            None if self.value.abs() >= 0.1 || self.value == 0.0 => 0.2,
            None => 0.01,
        };
        let by_interval = match half {
            half if half >= 5.0 => 0,
            half if half >= 0.195 => 1,
            _ => 2,
        };
        // What is more than nothing is not shown as 0.
        let is_lost = |decimals: usize| self.value != 0.0 && rounded(self.value, decimals) == 0.0;
        (by_interval..2).find(|it| !is_lost(*it)).unwrap_or(2)
    }

    /// `7.7%`; `<0.01%` for what is less.
    pub(super) fn shown(self) -> String {
        percent(self.value, self.decimals())
    }

    /// `7.7% of websites`; `all websites` and `no websites` for 100 and 0. `phrase` begins with
    /// `of`.
    pub(super) fn of_phrase(self, phrase: &str, begins: bool) -> String {
        let whole = match (self.value, begins) {
            (100.0.., true) => "All",
            (100.0.., false) => "all",
            (..=0.0, true) => "No",
            (..=0.0, false) => "no",
            _ => return format!("{} {phrase}", self.shown()),
        };
        format!("{whole} {}", phrase.strip_prefix("of ").unwrap_or(phrase))
    }

    /// The ends of the interval: `0.6–14.7`.
    fn range(self) -> Option<String> {
        self.joined_ends("–", limit)
    }

    /// The ends of the interval of a difference: `+2.4 to +3.9`.
    fn signed_range(self) -> Option<String> {
        self.joined_ends(" to ", signed)
    }

    fn joined_ends(self, between: &str, written: fn(f64, usize) -> String) -> Option<String> {
        let (decimals, (low, high)) = (self.decimals(), self.interval?);
        Some(written(low, decimals) + between + &written(high, decimals))
    }

    /// An interval in a sentence, `95% interval 0.6–14.7%`, or the reason why it is missing: `no
    /// interval: too few websites`.
    fn in_words(self, range: Option<String>) -> Option<String> {
        range.map_or_else(
            || Some(format!("no interval: {}", self.no_interval?)),
            |range| Some(format!("95% interval {range}")),
        )
    }

    /// An interval in brackets after a value of a table.
    fn in_brackets(self, range: Option<String>) -> String {
        let range = range.or(self.no_interval.map(|_| "no interval".to_owned()));
        range.map_or_else(String::new, |range| format!(" ({range})"))
    }

    /// The interval alone: `0.6–14.7%`.
    pub(super) fn limits(self) -> Option<String> {
        Some(self.range()? + "%")
    }

    pub(super) fn ends(self) -> Option<String> {
        self.in_words(self.limits())
    }

    /// `7.7% (0.6–14.7)`, for tables, whose heads say what the brackets hold.
    pub(super) fn in_table(self) -> String {
        self.shown() + &self.in_brackets(self.range())
    }

    /// As a difference: `+3.1 (+2.4 to +3.9)`, in percentage points.
    pub(super) fn as_difference(self) -> String {
        signed(self.value, self.decimals()) + &self.in_brackets(self.signed_range())
    }

    /// As a difference in a sentence: `+3.1 percentage points, 95% interval +2.4 to +3.9`.
    pub(super) fn as_points(self) -> String {
        let ends = self.in_words(self.signed_range());
        let ends = ends.map_or_else(String::new, |ends| format!(", {ends}"));
        signed(self.value, self.decimals()) + " percentage points" + &ends
    }

    /// Whether the interval leaves out 0: a difference that is one.
    pub(super) fn is_apart_from_zero(self) -> bool {
        self.interval
            .is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    }

    /// Whether the intervals of two shares do not overlap.
    pub(super) fn is_apart_from(self, other: Self) -> bool {
        match (self.interval, other.interval) {
            (Some((low, high)), Some((other_low, other_high))) => {
                low > other_high || high < other_low
            }
            _ => false,
        }
    }
}

/// The two that are farthest apart beyond their intervals, in their order; of several the last.
pub(super) fn farthest_apart<T: Copy>(shares: &[(T, Share)]) -> Option<[(T, Share); 2]> {
    let pairs = shares.iter().enumerate().flat_map(|(place, one)| {
        let others = shares[place + 1..].iter();
        others.map(move |other| [*one, *other])
    });
    let gap = |[one, other]: &[(T, Share); 2]| (one.1.value - other.1.value).abs();
    pairs
        .filter(|[one, other]| one.1.is_apart_from(other.1))
        .max_by(|one, other| gap(one).total_cmp(&gap(other)))
}

/// A percentage with this many digits after the point.
fn percent(value: f64, decimals: usize) -> String {
    if value > 0.0 && rounded(value, decimals) == 0.0 {
        return "<0.01%".to_owned();
    }
    if value < 100.0 && rounded(value, decimals) >= 100.0 {
        return ">99.9%".to_owned();
    }
    format!("{}%", fixed(value, decimals))
}

/// The end of an interval of a share with this many digits after the point, or as many as tell it
/// from 0 and from 100, where it is neither.
fn limit(value: f64, decimals: usize) -> String {
    let is_enough = |decimals: &usize| {
        let shown = rounded(value, *decimals);
        (value == 0.0 || shown != 0.0) && (value >= 100.0 || shown < 100.0)
    };
    match (decimals..=2).find(is_enough) {
        Some(decimals) => fixed(value, decimals),
        None if value < 1.0 => "<0.01".to_owned(),
        None => ">99.99".to_owned(),
    }
}

fn rounded(value: f64, decimals: usize) -> f64 {
    let factor = [1.0, 10.0, 100.0][decimals.min(2)];
    (value * factor).round() / factor
}

/// A number with this many digits after the point; a minus sign where there is less than nothing.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    let value = rounded(value, decimals) + 0.0;
    let digits = grouped(&format!("{:.decimals$}", value.abs()));
    match value {
        value if value < 0.0 => format!("−{digits}"),
        _ => digits,
    }
}

/// The same with its sign.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    match rounded(value, decimals) {
        value if value > 0.0 => format!("+{}", fixed(value, decimals)),
        value => fixed(value, decimals),
    }
}

/// A number with up to two digits after the point.
pub(super) fn plain(value: f64) -> String {
    let text = fixed(value, 2);
    match text.trim_end_matches('0').strip_suffix('.') {
        Some(whole) => whole.to_owned(),
        None if text.contains('.') => text.trim_end_matches('0').to_owned(),
        None => text,
    }
}

/// A place, or a number of rows, as a number to compute with.
pub(super) fn units(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// A count: `12,345`.
pub(super) fn count(number: f64) -> String {
    fixed(number, 0)
}

/// A count and what is counted: `1 host`, `2 hosts`.
pub(super) fn counted(number: f64, thing: &str) -> String {
    match number {
        0.0 => format!("no {thing}s"),
        _ => format!("{} {thing}{}", count(number), agree(number, "", "s")),
    }
}

/// A verb that agrees with a number: `1 host blocks`, `2 hosts block`.
pub(super) fn agree<'v>(number: f64, singular: &'v str, plural: &'v str) -> &'v str {
    if (number - 1.0).abs() < f64::EPSILON {
        singular
    } else {
        plural
    }
}

/// Digits in groups of three, before the point.
pub(super) fn grouped(number: &str) -> String {
    let end = number.find('.').unwrap_or(number.len());
    let mut out = String::with_capacity(number.len() + 4);
    for (place, digit) in number[..end].chars().enumerate() {
        if place > 0 && (end - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + &number[end..]
}

/// A list in a sentence: `a, b and c`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(value: f64, low: f64, high: f64) -> Share {
        let interval = Some((low, high));
        Share {
            interval,
            ..Share::of(value)
        }
    }

    #[test]
    fn shares_have_the_digits_that_their_interval_supports() {
        for (share, shown, ends) in [
            (share(12.67, 3.62, 21.72), "13%", "4–22%"),
            (share(3.8, 3.51, 4.1), "3.8%", "3.5–4.1%"),
            (share(0.25, 0.21, 0.28), "0.25%", "0.21–0.28%"),
            // No end is rounded to a value that the share cannot have.
            (share(20.0, 0.37, 78.2), "20%", "0.4–78%"),
            (share(95.0, 61.0, 99.96), "95%", "61–99.96%"),
            (share(2.0, 0.001, 9.0), "2.0%", "<0.01–9.0%"),
            (share(98.0, 91.0, 99.999), "98.0%", "91.0–>99.99%"),
            (share(0.0, 0.0, 1.25), "0.0%", "0.0–1.3%"),
            (share(100.0, 98.7, 100.0), "100.0%", "98.7–100.0%"),
        ] {
            assert_eq!(share.shown(), shown);
            assert_eq!(share.ends(), Some(format!("95% interval {ends}")));
        }
        assert_eq!(share(3.8, 3.51, 4.1).in_table(), "3.8% (3.5–4.1)");
        let difference = share(3.12, 2.37, 3.86);
        assert_eq!(difference.as_difference(), "+3.1 (+2.4 to +3.9)");
        let points = "+3.1 percentage points, 95% interval +2.4 to +3.9";
        assert_eq!(difference.as_points(), points);
        let difference = share(-0.04, -0.3, 0.2);
        assert_eq!(difference.as_difference(), "−0.04 (−0.30 to +0.20)");
        for (value, shown) in [
            (0.0, "0.0%"),
            (0.04, "0.04%"),
            (0.001, "<0.01%"),
            (66.66, "66.7%"),
            (99.97, ">99.9%"),
            (100.0, "100.0%"),
        ] {
            assert_eq!(Share::of(value).shown(), shown);
        }
    }

    #[test]
    fn all_and_none_have_no_number() {
        let phrase = |value, begins| Share::of(value).of_phrase("of websites", begins);
        assert_eq!(phrase(100.0, true), "All websites");
        assert_eq!(phrase(0.0, false), "no websites");
        assert_eq!(phrase(99.99, true), ">99.9% of websites");
    }

    #[test]
    fn there_is_no_minus_zero() {
        assert_eq!(signed(-0.001, 1), "0.0");
        assert_eq!(fixed(-0.0, 0), "0");
        assert_eq!(signed(-1.25, 1), "−1.3");
        assert_eq!(count(1_234_567.0), "1,234,567");
        assert_eq!(counted(1.0, "host"), "1 host");
        assert_eq!(counted(0.0, "host"), "no hosts");
    }

    #[test]
    fn a_share_without_an_interval_gives_the_reason() {
        let share = Share {
            no_interval: Some("too few websites"),
            ..Share::of(91.33)
        };
        let reason = "no interval: too few websites";
        assert_eq!(share.ends().as_deref(), Some(reason));
        assert_eq!(share.in_table(), "91.3% (no interval)");
        assert_eq!(share.as_difference(), "+91.3 (no interval)");
        let points = format!("+91.3 percentage points, {reason}");
        assert_eq!(share.as_points(), points);
        assert!(!share.is_apart_from(share));
        assert_eq!(Share::of(91.33).ends(), None);
    }

    #[test]
    fn intervals_tell_differences() {
        assert!(share(5.0, 4.0, 6.0).is_apart_from(share(8.0, 7.0, 9.0)));
        assert!(!share(5.0, 4.0, 6.0).is_apart_from(share(6.5, 5.5, 7.5)));
        assert!(!Share::of(5.0).is_apart_from(Share::of(50.0)));
        assert!(share(-2.0, -3.0, -1.0).is_apart_from_zero());
    }
}
