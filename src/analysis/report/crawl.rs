//! Crawls in time.

use crate::dataset;

#[derive(Debug, Clone)]
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
    use crate::cases::{check, optional};

    /// Crawls as text: label and day, set apart by commas.
    fn crawls(text: &str) -> Vec<Crawl> {
        let crawls = text.split(", ").map(|crawl| crawl.split_once(' '));
        let crawls = crawls.flatten().map(|(label, day)| Crawl {
            label: label.to_owned(),
            day: day.parse().expect("a day"),
        });
        crawls.collect()
    }

    #[test]
    fn cases() {
        check(file!(), |question, [text, ..]| match question {
            "reference" => optional(reference(&crawls(text)).map(|it| &it.label)),
            "in-time" => {
                let crawl = |label: &str| dataset::Crawl {
                    label: label.to_owned(),
                    ..dataset::Crawl::default()
                };
                let placed = in_time(&text.split(' ').map(crawl).collect::<Vec<_>>());
                let placed = placed.iter().map(|it| format!("{} {}", it.label, it.day));
                placed.collect::<Vec<_>>().join(", ")
            }
            _ => panic!("{question}"),
        });
    }
}
