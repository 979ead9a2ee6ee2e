//! The crawls of a report in time, and the crawl that the last is compared with.

use super::format::units;
use crate::dataset;

#[derive(Debug, Clone)]
pub(super) struct Crawl {
    pub(super) label: String,
    /// The median day of its captures since 1970-01-01; `None` if it is unknown for some crawl.
    pub(super) day: Option<f64>,
}

pub(super) fn in_time(crawls: &[dataset::Crawl]) -> Vec<Crawl> {
    let day = |crawl: &dataset::Crawl| {
        let day = crawl.times.as_ref()?.median_day();
        i32::try_from(day).ok().map(f64::from)
    };
    let days: Option<Vec<f64>> = crawls.iter().map(day).collect();
    let placed = crawls.iter().enumerate().map(|(place, crawl)| Crawl {
        label: crawl.label.clone(),
        day: days.as_ref().map(|days| days[place]),
    });
    placed.collect()
}

/// Where a time axis has the crawls: on their days, or, if these are unknown or all the same, at
/// equal distances.
pub(super) fn on_axis(crawls: &[Crawl]) -> Vec<f64> {
    let days: Option<Vec<f64>> = crawls.iter().map(|crawl| crawl.day).collect();
    let days = days.filter(|days| days.first() < days.last());
    days.unwrap_or_else(|| (0..crawls.len()).map(units).collect())
}

/// The crawl that the last one is compared with: the crawl nearest to a year before it if the
/// crawls have days and go back at least ten months, else the first.
pub(super) fn reference(crawls: &[Crawl]) -> Option<&Crawl> {
    let (last, earlier) = crawls.split_last()?;
    let before = |crawl: &Crawl| Some(last.day? - crawl.day?);
    let first = earlier.first()?;
    if before(first).is_none_or(|days| days < 300.0) {
        return Some(first);
    }
    let from_a_year = |crawl: &Crawl| before(crawl).map_or(f64::MAX, |days| (days - 365.0).abs());
    let order = |one: &&Crawl, other: &&Crawl| from_a_year(one).total_cmp(&from_a_year(other));
    earlier.iter().min_by(order)
}
