//! The times of captures, which order the crawls of a dataset. They are in the manifest, so that
//! the order is known without reading rows.

use std::collections::BTreeMap;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::TimestampMicrosecondType;
use serde::{Deserialize, Serialize};

use super::tables::{Key, Table};

pub(crate) const MICROS_PER_DAY: i64 = 86_400_000_000;
/// Most counts of captures, each at first of one day. Only broken clocks need more; then each count
/// covers twice as many days, so that the manifest stays small.
const MAX_COUNTS: usize = 4096;

/// When the captures of a part or a crawl were fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// The first, microseconds since 1970-01-01T00:00:00Z.
    pub first: i64,
    pub last: i64,
    days_each: i64,
    /// The captures in each period of `days_each` days, by its first day since 1970-01-01.
    counts: BTreeMap<i64, u64>,
}

impl Times {
    /// The times of the rows of `batch`; `None` if its table does not record fetches.
    pub(super) fn of(table: &Table, batch: &RecordBatch) -> Option<Self> {
        // Derived tables repeat the times of captures.
        let is_of_input = matches!(table.key, Some(Key::Input(_)));
        let column = batch.column_by_name("fetch_time").filter(|_| is_of_input)?;
        let column = column.as_primitive::<TimestampMicrosecondType>();
        let mut all: Option<Self> = None;
        for time in column.iter().flatten() {
            let times = all.get_or_insert_with(|| Self {
                first: time,
                last: time,
                days_each: 1,
                counts: BTreeMap::new(),
            });
            times.first = times.first.min(time);
            times.last = times.last.max(time);
            times.add(time.div_euclid(MICROS_PER_DAY), 1);
        }
        all
    }

    pub(super) fn merge(all: &mut Option<Self>, other: Option<&Self>) {
        match (all.as_mut(), other) {
            (_, None) => {}
            (None, Some(other)) => *all = Some(other.clone()),
            (Some(all), Some(other)) => {
                all.first = all.first.min(other.first);
                all.last = all.last.max(other.last);
                while all.days_each < other.days_each {
                    all.coarsen();
                }
                for (day, count) in &other.counts {
                    all.add(*day, *count);
                }
            }
        }
    }

    fn add(&mut self, day: i64, count: u64) {
        let day = day - day.rem_euclid(self.days_each);
        *self.counts.entry(day).or_default() += count;
        while self.counts.len() > MAX_COUNTS {
            self.coarsen();
        }
    }

    fn coarsen(&mut self) {
        self.days_each *= 2;
        for (day, count) in std::mem::take(&mut self.counts) {
            self.add(day, count);
        }
    }

    /// The day of the capture in the middle, since 1970-01-01.
    pub fn median_day(&self) -> i64 {
        let mut left = self.counts.values().sum::<u64>().div_ceil(2);
        for (day, count) in &self.counts {
            left = left.saturating_sub(*count);
            if left == 0 {
                return *day;
            }
        }
        self.first.div_euclid(MICROS_PER_DAY)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crawl {
    pub label: String,
    pub captures: u64,
    /// When its captures and pages were fetched; `None` if none of them has a time.
    pub times: Option<Times>,
}

impl Crawl {
    /// The sort key of crawls: the median day of their captures, then the first capture, then the
    /// label. A broken clock or a late retry moves the first or the last capture by years, but it
    /// does not move the median. Crawls whose captures have no time are the first.
    pub(crate) fn place(&self) -> (Option<(i64, i64)>, &str) {
        let times = self.times.as_ref();
        let time = times.map(|times| (times.median_day(), times.first));
        (time, &self.label)
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        let (Some(one), Some(other)) = (&self.times, &other.times) else {
            return false;
        };
        one.first <= other.last && other.first <= one.last
    }
}

/// A sentence on why the order of `crawls` is uncertain; `None` if it is certain.
pub fn order_note(crawls: &[Crawl]) -> Option<String> {
    const MAX_PAIRS: usize = 3;
    let pairs = crawls.iter().enumerate().flat_map(|(place, crawl)| {
        let later = crawls[place + 1..].iter();
        later.filter(|other| crawl.overlaps(other)).map(|other| {
            let (one, other) = (&crawl.label, &other.label);
            format!("captures of {one} and {other} overlap in time")
        })
    });
    let untimed = crawls.iter().filter(|crawl| crawl.times.is_none());
    let untimed = untimed.map(|crawl| format!("captures of {} have no times", crawl.label));
    let mut reasons: Vec<String> = pairs.chain(untimed).collect();
    if crawls.len() < 2 || reasons.is_empty() {
        return None;
    }
    let more = reasons.len().saturating_sub(MAX_PAIRS);
    reasons.truncate(MAX_PAIRS);
    if more > 0 {
        reasons.push(format!("and {more} more"));
    }
    Some(format!(
        "the order of the crawls is uncertain: {}. It is taken to be {}",
        reasons.join(", "),
        labels(crawls)
    ))
}

/// Which crawl an answer is about, and how to choose another; `None` if there is only one crawl.
pub(crate) fn last_note(about: &str, crawls: &[Crawl]) -> Option<String> {
    let [.., _, last] = crawls else {
        return None;
    };
    Some(format!(
        "{about} the crawl {}, the last of {} in time; choose one with --crawl: {}",
        last.label,
        crawls.len(),
        labels(crawls)
    ))
}

fn labels(crawls: &[Crawl]) -> String {
    let listed: Vec<&str> = crawls.iter().map(|crawl| crawl.label.as_str()).collect();
    match listed.as_slice() {
        [first, second, third, .., last] if listed.len() > 12 => {
            format!("{first}, {second}, {third}, …, {last}")
        }
        _ => listed.join(", "),
    }
}

#[cfg(test)]
mod tests;
