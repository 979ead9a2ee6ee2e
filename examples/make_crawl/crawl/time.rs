//! Moments in UTC, and the two ways in which WARC and HTTP write them.

/// A moment: seconds since 1970-01-01T00:00:00Z, leap seconds aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time(pub(crate) u64);

/// Seconds in a day.
pub(crate) const DAY: u64 = 86_400;

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

impl Time {
    /// Midnight at the beginning of a day of the Gregorian calendar, from March 1970 on.
    pub(crate) const fn of_date(year: u64, month: u64, day: u64) -> Self {
        // Years that begin in March have their leap day at the end, which makes the day's number a
        // formula.
        let (year, month) = if month > 2 {
            (year, month - 3)
        } else {
            (year - 1, month + 9)
        };
        let days =
            365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
        Self((days - 719_468) * DAY)
    }

    /// Midnight of the Monday on which an ISO week begins.
    pub(crate) const fn of_week(year: u64, week: u64) -> Self {
        // The 4th of January is always in week 1.
        let fourth = Self::of_date(year, 1, 4);
        Self(fourth.0 - fourth.weekday() as u64 * DAY + (week - 1) * 7 * DAY)
    }

    /// This moment and this many seconds.
    pub(crate) const fn plus(self, seconds: u64) -> Self {
        Self(self.0 + seconds)
    }

    /// Days since Monday.
    const fn weekday(self) -> usize {
        ((self.0 / DAY + 3) % 7) as usize
    }

    /// Year, month counted from 0, and day.
    const fn date(self) -> (u64, usize, u64) {
        let days = self.0 / DAY + 719_468;
        let era = days / 146_097;
        let day_of_era = days % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        let month = ((march_month + 2) % 12) as usize;
        let year = year_of_era + era * 400 + if month < 2 { 1 } else { 0 };
        (year, month, day)
    }

    /// Hour, minute and second.
    const fn clock(self) -> (u64, u64, u64) {
        let seconds = self.0 % DAY;
        (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }

    /// As in `WARC-Date`: `2026-08-30T10:00:00Z`, with `fraction` (such as `.25`) before the Z.
    pub(crate) fn warc(self, fraction: &str) -> String {
        let ((year, month, day), (hour, minute, second)) = (self.date(), self.clock());
        format!(
            "{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z",
            month + 1
        )
    }

    /// As in HTTP's `Date` (RFC 9110 §5.6.7): `Sun, 30 Aug 2026 10:00:00 GMT`.
    pub(crate) fn http(self) -> String {
        let ((year, month, day), (hour, minute, second)) = (self.date(), self.clock());
        let (weekday, month) = (WEEKDAYS[self.weekday()], MONTHS[month]);
        format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_go_there_and_back() {
        assert_eq!(Time::of_date(1970, 3, 1).0, 59 * DAY);
        assert_eq!(
            Time::of_date(2024, 2, 29).plus(3_661).warc(""),
            "2024-02-29T01:01:01Z"
        );
        assert_eq!(
            Time::of_date(2024, 12, 31).warc(".5"),
            "2024-12-31T00:00:00.5Z"
        );
        assert_eq!(Time::of_date(2026, 1, 1).warc(""), "2026-01-01T00:00:00Z");
    }

    #[test]
    fn weekdays_are_right() {
        assert_eq!(
            Time::of_date(2026, 8, 30).http(),
            "Sun, 30 Aug 2026 00:00:00 GMT"
        );
        assert_eq!(
            Time::of_week(2026, 33).http(),
            "Mon, 10 Aug 2026 00:00:00 GMT"
        );
        assert_eq!(
            Time::of_week(2021, 1).http(),
            "Mon, 04 Jan 2021 00:00:00 GMT"
        );
    }
}
