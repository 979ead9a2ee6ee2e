//! Crawls in time: when a crawl was made, by its label or by the days of its captures.

/// A crawl.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Crawl {
    /// Its label.
    pub(super) label: String,
    /// Its place in time: days since 1970-01-01.
    pub(super) day: f64,
}

/// The crawls of these labels and first and last days (`2026-08-01`), each at its place in time:
/// where every label says a time, by the labels; else by the middle of its days; else one after the
/// other.
pub(super) fn in_time(crawls: &[(String, String, String)]) -> Vec<Crawl> {
    let by_label = |(label, ..): &(String, String, String)| day_of_label(label);
    let by_days = |(_, first, last): &(String, String, String)| {
        Some(f64::midpoint(day_of_label(first)?, day_of_label(last)?))
    };
    let days: Option<Vec<f64>> = crawls.iter().map(by_label).collect();
    let days = days.filter(|days| is_rising(days));
    let days = days.or_else(|| {
        let days: Option<Vec<f64>> = crawls.iter().map(by_days).collect();
        days.filter(|days| is_rising(days))
    });
    let labels = crawls.iter().map(|(label, ..)| label.clone());
    match days {
        Some(days) => labels
            .zip(days)
            .map(|(label, day)| Crawl { label, day })
            .collect(),
        None => labels
            .zip(0_u32..)
            .map(|(label, place)| Crawl {
                label,
                day: f64::from(place) * 30.0,
            })
            .collect(),
    }
}

fn is_rising(days: &[f64]) -> bool {
    days.windows(2).all(|pair| pair[0] < pair[1])
}

/// The crawl that the last one is compared with: the one nearest to a year before it where the
/// crawls go back at least ten months, else the first.
pub(super) fn reference(crawls: &[Crawl]) -> Option<&Crawl> {
    let (last, earlier) = crawls.split_last()?;
    let first = earlier.first()?;
    if last.day - first.day < 300.0 {
        return Some(first);
    }
    earlier.iter().min_by(|one, other| {
        let from_a_year = |crawl: &Crawl| (last.day - crawl.day - 365.0).abs();
        from_a_year(one).total_cmp(&from_a_year(other))
    })
}

/// The day that a label names: `2026`, `2026-08`, `2026-08-15`, or with a week of ISO 8601 as those
/// of Common Crawl, `CC-MAIN-2026-33`.
fn day_of_label(label: &str) -> Option<f64> {
    let (is_week, digits) = match label.strip_prefix("CC-MAIN-") {
        Some(rest) => (true, rest),
        None => (false, label),
    };
    let mut parts = digits.split('-').map(|part| {
        let is_digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i32>().ok().filter(|_| is_digits)
    });
    let year = parts.next()?.filter(|year| (1990..2200).contains(year))?;
    let day = match (parts.next(), parts.next(), parts.next()) {
        (None, None, None) if !is_week => days_from_civil(year, 7, 1),
        (Some(Some(week @ 1..=53)), None, None) if is_week => {
            // The first week has 4 January in it; Monday is the first day of a week.
            let fourth = days_from_civil(year, 1, 4);
            fourth - (fourth + 3).rem_euclid(7) + 7 * (week - 1)
        }
        (Some(Some(month @ 1..=12)), None, None) if !is_week => days_from_civil(year, month, 15),
        (Some(Some(month @ 1..=12)), Some(Some(day @ 1..=31)), None) if !is_week => {
            days_from_civil(year, month, day)
        }
        _ => return None,
    };
    Some(f64::from(day))
}

/// Days since 1970-01-01 of a day of the Gregorian calendar, by Hinnant's algorithm.
fn days_from_civil(year: i32, month: i32, day: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crawls(labels: &[&str]) -> Vec<Crawl> {
        let crawls: Vec<_> = labels
            .iter()
            .map(|label| {
                (
                    (*label).to_owned(),
                    "2026-08-01".to_owned(),
                    "2026-08-28".to_owned(),
                )
            })
            .collect();
        in_time(&crawls)
    }

    #[test]
    fn labels_name_days() {
        assert_eq!(day_of_label("1990-01-01"), Some(7305.0));
        assert_eq!(day_of_label("2000-03-01"), Some(11_017.0));
        // Monday of week 33 of 2026 is 10 August.
        assert_eq!(day_of_label("CC-MAIN-2026-33"), day_of_label("2026-08-10"));
        assert_eq!(day_of_label("CC-MAIN-2026-01"), day_of_label("2025-12-29"));
        for none in [
            "",
            "MADE-UP",
            "2026-13",
            "2026-08-15-1",
            "33-2026",
            "CC-MAIN-2026",
            "+2026",
        ] {
            assert_eq!(day_of_label(none), None, "{none}");
        }
    }

    #[test]
    fn crawls_stand_where_they_are_in_time() {
        let days: Vec<f64> = crawls(&["2026-03", "2026-05", "2026-07", "2026-08"])
            .iter()
            .map(|crawl| crawl.day)
            .collect();
        assert!((days[1] - days[0]) > 1.9 * (days[3] - days[2]), "{days:?}");
        // Neither labels nor days tell: one after the other.
        let unnamed = crawls(&["a", "b", "c"]);
        assert!((unnamed[2].day - 60.0).abs() < 1e-9);
    }

    #[test]
    fn a_crawl_is_compared_with_the_one_a_year_ago() {
        let reference_of = |labels: &[&str]| reference(&crawls(labels)).map(|it| it.label.clone());
        assert_eq!(
            reference_of(&["2026-03", "2026-05", "2026-08"]).as_deref(),
            Some("2026-03")
        );
        let years = ["2024-01", "2025-01", "2025-08", "2026-01", "2026-08"];
        assert_eq!(reference_of(&years).as_deref(), Some("2025-08"));
        assert_eq!(reference_of(&["2026-08"]), None);
    }
}
