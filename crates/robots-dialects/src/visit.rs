//! When and how fast a robot may visit: the values of `Robot-version`, `Visit-time` and
//! `Request-rate` ("An Extended Standard for Robot Exclusion", S. Conner, 1996). Malformed values
//! give `None`.

use super::line::trim;

const DAY: u16 = 24 * 60;

/// What a record of the extended standard asks for besides its rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisitTerms {
    /// The first well-formed `Robot-version`.
    pub version: Option<RobotVersion>,
    /// The first well-formed `Visit-time`.
    pub visit_time: Option<VisitTime>,
    /// Every well-formed `Request-rate`, in file order.
    pub request_rates: Vec<RequestRate>,
    /// Every `Comment`, as written.
    pub comments: Vec<Vec<u8>>,
}

impl VisitTerms {
    /// The rate for a minute of the day (UTC): the first rate whose window contains the minute,
    /// else the first rate without a window.
    #[must_use]
    pub fn rate_at(&self, minute: u16) -> Option<&RequestRate> {
        let holds = |window: VisitTime| window.contains(minute);
        let mut rates = self.request_rates.iter();
        let in_window = rates.find(|rate| rate.window.is_some_and(holds));
        let mut rates = self.request_rates.iter();
        in_window.or_else(|| rates.find(|rate| rate.window.is_none()))
    }
}

/// Version of the standard by which a record is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RobotVersion {
    /// 1.0: the standard of 1994.
    One,
    /// 2.0, also written 2.0.0: the extended standard.
    Two,
}

impl RobotVersion {
    /// Reads `major`, `major.minor` or `major.minor.patch`; only the major number counts, and only
    /// 1 and 2 exist.
    #[must_use]
    pub fn parse(value: &[u8]) -> Option<Self> {
        let parts = value.split(|byte| *byte == b'.').map(number);
        match parts.collect::<Option<Vec<u32>>>()?.as_slice() {
            [1] | [1, _] | [1, _, _] => Some(Self::One),
            [2] | [2, _] | [2, _, _] => Some(Self::Two),
            _ => None,
        }
    }
}

/// A daily window in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VisitTime {
    /// First minute, counted from midnight.
    pub start: u16,
    /// Last minute, counted from midnight. Before `start` if the window passes midnight.
    pub end: u16,
}

impl VisitTime {
    /// Reads `HHMM-HHMM`, or the older `HHMM HHMM`.
    #[must_use]
    pub fn parse(value: &[u8]) -> Option<Self> {
        let value = trim(value);
        let separator = value.iter().position(|byte| !byte.is_ascii_digit())?;
        let (start, rest) = value.split_at(separator);
        let rest = trim(rest);
        let end = trim(rest.strip_prefix(b"-").unwrap_or(rest));
        Some(Self {
            start: minute_of_day(start)?,
            end: minute_of_day(end)?,
        })
    }

    /// Whether a minute of the day (UTC, from midnight) is in the window, both ends included.
    #[must_use]
    pub const fn contains(self, minute: u16) -> bool {
        if self.start <= self.end {
            self.start <= minute && minute <= self.end
        } else {
            self.start <= minute || minute <= self.end
        }
    }

    /// Length of the window in minutes, whether or not it passes midnight.
    #[must_use]
    pub const fn minutes(self) -> u16 {
        (self.end + DAY - self.start) % DAY
    }
}

/// A limit on documents per period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestRate {
    /// Documents per period.
    pub documents: u32,
    /// Length of the period in seconds, at least 1.
    pub seconds: u32,
    /// When the limit applies; `None` for always.
    pub window: Option<VisitTime>,
}

impl RequestRate {
    /// Reads `documents/period`, optionally with a window: `10/60` (seconds), `10/10m`, `20/1h
    /// 0600-0845`. Units are s, m, h and d after a number.
    #[must_use]
    pub fn parse(value: &[u8]) -> Option<Self> {
        let value = trim(value);
        let slash = value.iter().position(|byte| *byte == b'/')?;
        let documents = number(trim(&value[..slash]))?;
        let period = trim(&value[slash + 1..]);
        let digits = period.iter().take_while(|byte| byte.is_ascii_digit());
        let (count, rest) = period.split_at(digits.count());
        let (unit, rest) = match rest {
            [b's' | b'S', rest @ ..] => (1, rest),
            [b'm' | b'M', rest @ ..] => (60, rest),
            [b'h' | b'H', rest @ ..] => (60 * 60, rest),
            [b'd' | b'D', rest @ ..] => (24 * 60 * 60, rest),
            _ => (1, rest),
        };
        let window = match rest {
            [] => None,
            [b' ' | b'\t', ..] => Some(VisitTime::parse(rest)?),
            _ => return None,
        };
        let seconds = number(count)?.checked_mul(unit)?;
        (seconds > 0).then_some(Self {
            documents,
            seconds,
            window,
        })
    }
}

/// The values of a directive about visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitDirective {
    /// The value of a well-formed `Request-rate`.
    pub rate: Option<RequestRate>,
    /// The value of a well-formed `Visit-time`, or the window of `rate`.
    pub window: Option<VisitTime>,
}

impl VisitDirective {
    /// Reads the value of the directive `key`, in any case; empty for others and malformed values.
    #[must_use]
    pub fn read(key: &[u8], value: &[u8]) -> Self {
        let is_key = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
        let rate = is_key("request-rate").then(|| RequestRate::parse(value));
        let rate = rate.flatten();
        let window = if is_key("visit-time") {
            VisitTime::parse(value)
        } else {
            rate.and_then(|rate| rate.window)
        };
        Self { rate, window }
    }
}

/// `HHMM` as minutes from midnight.
fn minute_of_day(text: &[u8]) -> Option<u16> {
    let [h, hh, m, mm] = text else { return None };
    let pair = |tens: u8, ones: u8| number(&[tens, ones]).and_then(|pair| u16::try_from(pair).ok());
    let (hour, minute) = (pair(*h, *hh)?, pair(*m, *mm)?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

fn number(text: &[u8]) -> Option<u32> {
    let is_number = text.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(text).ok().filter(|_| is_number)?;
    text.parse().ok()
}
