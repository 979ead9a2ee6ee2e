//! Crawls in time.

use crate::dataset;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Crawl {
    pub(super) label: String,
    /// Its place in time: days since 1970-01-01.
    pub(super) day: f64,
}

/// The crawls of a dataset, each on the median day of its captures, or where days do not tell two
/// crawls apart, one a month after the other.
pub(super) fn in_time(crawls: &[dataset::Crawl]) -> Vec<Crawl> {
    let day = |crawl: &dataset::Crawl| {
        let day = crawl.times.as_ref()?.median_day();
        i32::try_from(day).ok().map(f64::from)
    };
    let days: Option<Vec<f64>> = crawls.iter().map(day).collect();
    let days = days.filter(|days| days.is_sorted_by(|one, other| one < other));
    let one_by_one = || {
        crawls
            .iter()
            .zip(0_u32..)
            .map(|(_, at)| f64::from(at) * 30.0)
    };
    let days = days.unwrap_or_else(|| one_by_one().collect());
    let labels = crawls.iter().map(|crawl| crawl.label.clone());
    labels
        .zip(days)
        .map(|(label, day)| Crawl { label, day })
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn crawls(days: &[(&str, f64)]) -> Vec<Crawl> {
        let crawl = |(label, day): &(&str, f64)| Crawl {
            label: (*label).to_owned(),
            day: *day,
        };
        days.iter().map(crawl).collect()
    }

    #[test]
    fn crawls_without_times_are_a_month_apart() {
        let crawl = |label: &str| dataset::Crawl {
            label: label.to_owned(),
            ..dataset::Crawl::default()
        };
        let placed = in_time(&[crawl("a"), crawl("b"), crawl("c")]);
        assert_eq!(placed, crawls(&[("a", 0.0), ("b", 30.0), ("c", 60.0)]));
    }

    #[test]
    fn a_crawl_is_compared_with_the_one_a_year_ago() {
        let reference_of =
            |days: &[(&str, f64)]| reference(&crawls(days)).map(|it| it.label.clone());
        let months = [("march", 0.0), ("may", 61.0), ("august", 153.0)];
        assert_eq!(reference_of(&months).as_deref(), Some("march"));
        let years = [
            ("2024-01", 0.0),
            ("2025-01", 366.0),
            ("2025-08", 578.0),
            ("2026-01", 731.0),
            ("2026-08", 943.0),
        ];
        assert_eq!(reference_of(&years).as_deref(), Some("2025-08"));
        assert_eq!(reference_of(&years[..1]), None);
    }
}
