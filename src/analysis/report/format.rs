//! Numbers as a reader likes them: digits that the interval supports, counts in groups, no −0.

/// A share in per cent with the ends of its 95% interval, where there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Share {
    /// The share.
    pub(super) value: f64,
    /// The ends of its interval, low and high.
    pub(super) interval: Option<(f64, f64)>,
    /// Why it has none, where it should have one.
    pub(super) no_interval: Option<&'static str>,
}

impl Share {
    /// A share without an interval.
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

    /// `7.7% of domains (95% interval 0.6–14.7%)`, for sentences; without the words `95% interval`
    /// for a second share in a sentence.
    pub(super) fn of_what(self, what: &str, words: &str) -> String {
        format!("{} of {what}{}", self.shown(), self.in_brackets(words))
    }

    /// `7.7% (95% interval 0.6–14.7%)`.
    pub(super) fn with_interval(self) -> String {
        self.shown() + &self.in_brackets("95% interval ")
    }

    /// `7.7% (0.6–14.7%)`, for a sentence that has said what the brackets hold.
    pub(super) fn in_brief(self) -> String {
        self.shown() + &self.in_brackets("")
    }

    fn in_brackets(self, words: &str) -> String {
        let ends = self.ends(words);
        ends.map_or(String::new(), |ends| format!(" ({ends})"))
    }

    /// The ends of the interval after `words`, `95% interval 0.6–14.7%`, or the reason why there is
    /// none: `no interval: too few domains`.
    pub(super) fn ends(self, words: &str) -> Option<String> {
        let decimals = self.decimals();
        match self.interval {
            Some((low, high)) => {
                let (low, high) = (limit(low, decimals), limit(high, decimals));
                Some(format!("{words}{low}–{high}%"))
            }
            None => Some(format!("no interval: {}", self.no_interval?)),
        }
    }

    /// `7.7% (0.6–14.7)`, for tables, whose heads say what the brackets hold.
    pub(super) fn in_table(self) -> String {
        let decimals = self.decimals();
        match self.interval {
            Some((low, high)) => format!(
                "{} ({}–{})",
                self.shown(),
                limit(low, decimals),
                limit(high, decimals)
            ),
            None => self.shown() + self.no_interval.map_or("", |_| " (no interval)"),
        }
    }

    /// As a difference: `+3.1 (+2.4 to +3.9)`, in percentage points.
    pub(super) fn as_difference(self) -> String {
        let decimals = self.decimals();
        let ends = match (self.interval, self.no_interval) {
            (Some((low, high)), _) => {
                format!(" ({} to {})", signed(low, decimals), signed(high, decimals))
            }
            (None, Some(_)) => " (no interval)".to_owned(),
            (None, None) => String::new(),
        };
        signed(self.value, decimals) + &ends
    }

    /// As a difference in a sentence: `+3.1 percentage points, 95% interval +2.4 to +3.9`, with the
    /// `unit` as given.
    pub(super) fn as_change(self, unit: &str) -> String {
        let decimals = self.decimals();
        let ends = match (self.interval, self.no_interval) {
            (Some((low, high)), _) => {
                let (low, high) = (signed(low, decimals), signed(high, decimals));
                format!(", 95% interval {low} to {high}")
            }
            (None, Some(reason)) => format!(", no interval: {reason}"),
            (None, None) => String::new(),
        };
        signed(self.value, decimals) + unit + &ends
    }

    /// Whether the interval leaves out 0: a difference that is one.
    pub(super) fn is_apart_from_zero(self) -> bool {
        self.interval
            .is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    }

    /// Whether the intervals of two shares overlap: false where one has no interval, too.
    pub(super) fn overlaps(self, other: Self) -> bool {
        self.interval.is_some() && other.interval.is_some() && !self.is_apart_from(other)
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

/// A percentage with this many digits after the point.
fn percent(value: f64, decimals: usize) -> String {
    if value > 0.0 && rounded(value, decimals) == 0.0 {
        return "<0.01%".to_owned();
    }
    format!("{}%", fixed(value, decimals))
}

/// The end of an interval of a share with this many digits after the point, or as many as tell it
/// from 0 and from 100, where it is neither.
fn limit(value: f64, decimals: usize) -> String {
    let is_told = |decimals: &usize| {
        let shown = rounded(value, *decimals);
        (value == 0.0 || shown != 0.0) && (value >= 100.0 || shown < 100.0)
    };
    match (decimals..=2).find(is_told) {
        Some(decimals) => fixed(value, decimals),
        None if value < 1.0 => "<0.01".to_owned(),
        None => ">99.99".to_owned(),
    }
}

fn rounded(value: f64, decimals: usize) -> f64 {
    let factor = if decimals == 0 {
        1.0
    } else if decimals == 1 {
        10.0
    } else {
        100.0
    };
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

/// A count: `12,345`.
pub(super) fn count(number: f64) -> String {
    fixed(number, 0)
}

/// A count and what is counted: `1 host`, `2 hosts`.
pub(super) fn counted(number: f64, thing: &str) -> String {
    let plural = if (number - 1.0).abs() < f64::EPSILON {
        ""
    } else {
        "s"
    };
    format!("{} {thing}{plural}", count(number))
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
        let wide = share(12.67, 3.62, 21.72);
        assert_eq!(wide.with_interval(), "13% (95% interval 4–22%)");
        assert_eq!(wide.of_what("hosts", ""), "13% of hosts (4–22%)");
        assert_eq!(wide.in_brief(), "13% (4–22%)");
        assert_eq!(share(3.8, 3.51, 4.1).in_table(), "3.8% (3.5–4.1)");
        assert_eq!(share(0.25, 0.21, 0.28).in_table(), "0.25% (0.21–0.28)");
        assert_eq!(
            share(3.12, 2.37, 3.86).as_difference(),
            "+3.1 (+2.4 to +3.9)"
        );
        assert_eq!(
            share(-0.04, -0.3, 0.2).as_difference(),
            "−0.04 (−0.30 to +0.20)"
        );
        // No end is rounded to one that the share cannot have.
        assert_eq!(share(20.0, 0.37, 78.2).in_table(), "20% (0.4–78)");
        assert_eq!(share(95.0, 61.0, 99.96).in_brief(), "95% (61–99.96%)");
        assert_eq!(share(2.0, 0.001, 9.0).in_brief(), "2.0% (<0.01–9.0%)");
        assert_eq!(share(98.0, 91.0, 99.999).in_brief(), "98.0% (91.0–>99.99%)");
        assert_eq!(share(0.0, 0.0, 1.25).in_brief(), "0.0% (0.0–1.3%)");
        assert_eq!(share(100.0, 98.7, 100.0).in_brief(), "100.0% (98.7–100.0%)");
        assert_eq!(Share::of(0.0).shown(), "0.0%");
        assert_eq!(Share::of(0.04).shown(), "0.04%");
        assert_eq!(Share::of(0.001).shown(), "<0.01%");
        assert_eq!(Share::of(66.66).shown(), "66.7%");
    }

    #[test]
    fn there_is_no_minus_zero() {
        assert_eq!(signed(-0.001, 1), "0.0");
        assert_eq!(fixed(-0.0, 0), "0");
        assert_eq!(signed(-1.25, 1), "−1.3");
        assert_eq!(count(1_234_567.0), "1,234,567");
        assert_eq!(counted(1.0, "host"), "1 host");
        assert_eq!(counted(0.0, "host"), "0 hosts");
    }

    #[test]
    fn a_share_without_an_interval_gives_the_reason() {
        let share = Share {
            no_interval: Some("too few domains"),
            ..Share::of(91.33)
        };
        assert_eq!(
            share.with_interval(),
            "91.3% (no interval: too few domains)"
        );
        assert_eq!(
            share.of_what("hosts", "95% interval "),
            "91.3% of hosts (no interval: too few domains)"
        );
        assert_eq!(share.in_table(), "91.3% (no interval)");
        assert_eq!(share.as_difference(), "+91.3 (no interval)");
        assert_eq!(
            share.as_change(" points"),
            "+91.3 points, no interval: too few domains"
        );
        assert!(!share.overlaps(share) && !share.is_apart_from(share));
        assert_eq!(Share::of(91.33).with_interval(), "91.3%");
    }

    #[test]
    fn intervals_tell_differences() {
        assert!(share(5.0, 4.0, 6.0).is_apart_from(share(8.0, 7.0, 9.0)));
        assert!(!share(5.0, 4.0, 6.0).is_apart_from(share(6.5, 5.5, 7.5)));
        assert!(!Share::of(5.0).is_apart_from(Share::of(50.0)));
        assert!(share(-2.0, -3.0, -1.0).is_apart_from_zero());
    }
}
