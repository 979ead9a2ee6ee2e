//! Numbers for readers: only digits that the interval supports, counts with thousands separators,
//! no −0.

/// A share in per cent with the ends of its 95% interval, if there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Share {
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
    /// Why the interval is missing, if there should be one.
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

    /// Digits after the point, at most two, by the half width of the interval: 0 from 5 on, 1 from
    /// 0.195 on, else 2.
    fn decimals(self) -> usize {
        let half = match self.interval {
            Some((low, high)) => (high - low) / 2.0,
            // Shares without an interval come from counts; papers print them to a tenth.
            None if self.value.abs() >= 0.1 || self.value == 0.0 => 0.2,
            None => 0.01,
        };
        let by_interval = match half {
            half if half >= 5.0 => 0,
            half if half >= 0.195 => 1,
            _ => 2,
        };
        decimals_to_show(self.value, by_interval)
    }

    pub(super) fn reach(self) -> f64 {
        self.interval.map_or(self.value, |(_, high)| high)
    }

    /// `7.7%`; `<0.01%` for smaller shares.
    pub(super) fn shown(self) -> String {
        let decimals = self.decimals();
        match rounded(self.value, decimals) {
            0.0 if self.value > 0.0 => "<0.01%".to_owned(),
            100.0.. if self.value < 100.0 => ">99.9%".to_owned(),
            _ => format!("{}%", fixed(self.value, decimals)),
        }
    }

    /// `7.7% of websites`; `all websites` and `no websites` for 100 and 0; `fewer than 0.01% of
    /// websites`. `phrase` begins with `of`.
    pub(super) fn of_phrase(self, phrase: &str, begins: bool) -> String {
        let whole = match (self.value, begins) {
            (100.0.., true) => "All",
            (100.0.., false) => "all",
            (..=0.0, true) => "No",
            (..=0.0, false) => "no",
            _ => {
                let [fewer, more] = if begins {
                    ["Fewer than ", "More than "]
                } else {
                    ["fewer than ", "more than "]
                };
                let shown = self.shown().replace('<', fewer).replace('>', more);
                return format!("{shown} {phrase}");
            }
        };
        format!("{whole} {}", phrase.strip_prefix("of ").unwrap_or(phrase))
    }

    /// The ends of the interval: `0.6–14.7`, or of a difference, `+2.4 to +3.9`.
    fn range(self, is_difference: bool) -> Option<String> {
        let (decimals, (low, high)) = (self.decimals(), self.interval?);
        Some(if is_difference {
            // An end that is shown as 0 would leave the sign open.
            let end = |value| signed(value, decimals_to_show(value, decimals));
            format!("{} to {}", end(low), end(high))
        } else {
            format!("{}–{}", limit(low, decimals), limit(high, decimals))
        })
    }

    /// An interval in a sentence, `95% interval 0.6–14.7%`, or the reason why it is missing: `no
    /// interval: too few websites`.
    fn in_words(self, range: Option<String>) -> Option<String> {
        let known = range.map(|range| format!("95% interval {range}"));
        known.or_else(|| Some(format!("no interval: {}", self.no_interval?)))
    }

    /// A value for a table, with its interval in parentheses, as the headings of shares announce.
    fn with_range(self, value: String, is_difference: bool) -> String {
        match self.range(is_difference) {
            Some(range) => format!("{value} ({range})"),
            None if self.no_interval.is_some() => value + " (no interval)",
            None => value,
        }
    }

    /// The interval alone: `0.6–14.7%`.
    pub(super) fn limits(self) -> Option<String> {
        Some(self.range(false)? + "%")
    }

    pub(super) fn ends(self) -> Option<String> {
        self.in_words(self.limits())
    }

    /// `7.7% (0.6–14.7)`, for tables.
    pub(super) fn in_table(self) -> String {
        self.with_range(self.shown(), false)
    }

    /// As a difference: `+3.1 (+2.4 to +3.9)`, in percentage points.
    pub(super) fn as_difference(self) -> String {
        self.with_range(signed(self.value, self.decimals()), true)
    }

    /// As a difference in a sentence: `+3.1 percentage points, 95% interval +2.4 to +3.9`.
    pub(super) fn as_points(self) -> String {
        let points = signed(self.value, self.decimals()) + " percentage points";
        match self.in_words(self.range(true)) {
            Some(ends) => format!("{points}, {ends}"),
            None => points,
        }
    }

    pub(super) fn is_apart_from_zero(self) -> bool {
        self.interval
            .is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    }

    pub(super) fn is_apart_from(self, other: Self) -> bool {
        let intervals = self.interval.zip(other.interval);
        intervals.is_some_and(|(own, other)| own.0 > other.1 || own.1 < other.0)
    }
}

/// Of the pairs whose intervals do not overlap, the pair that is farthest apart, in its order; the
/// last of several.
pub(super) fn farthest_apart<T: Copy>(shares: &[(T, Share)]) -> Option<[(T, Share); 2]> {
    let pairs = shares.iter().enumerate().flat_map(|(place, one)| {
        let others = &shares[place + 1..];
        others.iter().map(move |other| [*one, *other])
    });
    let gap = |[one, other]: &[(T, Share); 2]| (one.1.value - other.1.value).abs();
    pairs
        .filter(|[one, other]| one.1.is_apart_from(other.1))
        .max_by(|one, other| gap(one).total_cmp(&gap(other)))
}

/// The end of a share's interval, with this many digits after the point; with more if it would be
/// shown as 0 or 100 and is neither.
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

/// Digits after the point: this many, or more (at most two) until a value other than 0 is not shown
/// as 0.
fn decimals_to_show(value: f64, decimals: usize) -> usize {
    let is_lost = |decimals: &usize| value != 0.0 && rounded(value, *decimals) == 0.0;
    (decimals..2).find(|it| !is_lost(it)).unwrap_or(2)
}

fn rounded(value: f64, decimals: usize) -> f64 {
    let factor = [1.0, 10.0, 100.0][decimals.min(2)];
    (value * factor).round() / factor
}

/// A number with this many digits after the point; with a minus sign if it is still below 0.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    let value = rounded(value, decimals) + 0.0;
    let digits = grouped(&format!("{:.decimals$}", value.abs()));
    if value < 0.0 {
        format!("−{digits}")
    } else {
        digits
    }
}

pub(super) fn signed(value: f64, decimals: usize) -> String {
    match rounded(value, decimals) {
        value if value > 0.0 => format!("+{}", fixed(value, decimals)),
        value => fixed(value, decimals),
    }
}

pub(super) fn plain(value: f64) -> String {
    let text = fixed(value, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn units(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

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
    let is_one = (number - 1.0).abs() < f64::EPSILON;
    if is_one { singular } else { plural }
}

/// Digits in groups of three, before the point.
pub(super) fn grouped(number: &str) -> String {
    let end = number.find('.').unwrap_or(number.len());
    let mut out = String::new();
    for (place, digit) in number[..end].chars().enumerate() {
        if place > 0 && (end - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + &number[end..]
}

/// A list in a sentence: `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}
