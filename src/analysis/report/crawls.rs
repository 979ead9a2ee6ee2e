//! The crawls of a report in time, and the crawl that the last is compared with.

use super::format::units;
use crate::dataset;

#[derive(Debug, Clone)]
pub(super) struct Crawl {
    pub(super) label: String,
    /// Its place in time: days since 1970-01-01.
    pub(super) day: f64,
}

/// The crawls of a dataset, each on the median day of its captures, or, if these days are unknown
/// or not in order, one every 30 days.
pub(super) fn in_time(crawls: &[dataset::Crawl]) -> Vec<Crawl> {
    let day = |crawl: &dataset::Crawl| {
        let day = crawl.times.as_ref()?.median_day();
        i32::try_from(day).ok().map(f64::from)
    };
    let days: Option<Vec<f64>> = crawls.iter().map(day).collect();
    let days = days.filter(|days| days.is_sorted_by(|one, other| one < other));
    let placed = crawls.iter().enumerate().map(|(place, crawl)| Crawl {
        label: crawl.label.clone(),
        day: days
            .as_ref()
            .map_or(units(place) * 30.0, |days| days[place]),
    });
    placed.collect()
}

/// The crawl that the last one is compared with: the crawl nearest to a year before it if the
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
