//! A made-up crawl of robots.txt files, record by record.
//!
//! ```text
//! Plan ──▶ batch 0: tour (fixed) ──────────────────▶ Exchange ──▶ Recorder ──▶ WARC records
//!          and visits of a sample (random), or
//!          batches 1, 2, …: steps through a web ──▶
//! ```
//!
//! The records follow from the plan alone: no clock, no mathematics library and no compressor has a
//! hand in them. Any batch can be made without those before it, so threads can share a crawl.

mod exchange;
mod host;
mod page;
mod random;
mod record;
mod response;
mod robots;
mod time;
mod tour;
mod visit;
mod web;

use std::iter;

use self::exchange::Exchange;
use self::random::Random;
use self::record::Recorder;
use self::time::{DAY, Time};
use self::visit::Visits;
use self::web::Web;

/// What is to be made.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Captures in all. The tour is never cut, so there are at least as many as it has.
    pub(crate) captures: u64,
    /// What the random part follows from.
    pub(crate) seed: u64,
    /// HTML pages after each capture of the random part.
    pub(crate) pages: u32,
    /// Share of the fetches of the random part that repeat an earlier host.
    pub(crate) repeat: f64,
    /// The crawl's name. A year and a week at its end (`-2026-33`) say when it took place.
    pub(crate) label: String,
    /// What the random part is drawn from.
    pub(crate) population: Population,
}

/// What the random part of a crawl is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Population {
    /// Hosts, domains, files and redirects as often and as large as real crawls have them.
    Web,
    /// Every kind of trouble often enough to be met in a few hundred captures; kept in memory as a
    /// whole.
    Sample,
}

/// The records of one capture, and those that go with it.
pub(crate) type Capture = Vec<Vec<u8>>;

/// The period of a crawl whose label is not a date: long enough to see habits change.
const YEARS: (Time, Time) = (Time::of_date(2023, 1, 2), Time::of_date(2026, 8, 30));

/// How long a crawl takes whose label names its week.
const WEEKS: u64 = 12 * DAY;

/// How long before the crawl's end the tour begins: some of its stops are days apart.
const TOUR: u64 = 7 * DAY;

/// A crawl that can be made in batches.
pub(crate) struct Crawl {
    plan: Plan,
    recorder: Recorder,
    web: Web,
}

impl Crawl {
    /// The crawl of this plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        let random = Random::new(plan.seed);
        Self {
            // Two crawls of one seed meet the same hosts; their records must differ in their ids.
            recorder: Recorder::new(random.stream("ids").stream(&plan.label)),
            web: Web::new(plan),
            plan: plan.clone(),
        }
    }

    /// The record that opens a file of this name, which has no ending.
    pub(crate) fn warcinfo(&self, file: &str) -> Vec<u8> {
        self.recorder
            .warcinfo(&self.plan.label, file, self.plan.span().0)
    }

    /// So many captures follow from the plan. Batches may hold more: the last is cut.
    pub(crate) fn captures(&self) -> u64 {
        self.plan.captures.max(tour_length())
    }

    /// The batch of this number; a crawl of a web has more of them than can be asked for, a sample
    /// one.
    pub(crate) fn batch(&self, number: u64) -> Vec<Capture> {
        match (number, self.plan.population) {
            (0, population) => {
                let mut recorder = self.recorder.clone();
                let mut exchanges: Vec<Vec<Exchange>> =
                    self.tour().into_iter().map(|stop| vec![stop]).collect();
                if population == Population::Sample {
                    exchanges.extend(self.sample());
                }
                let records = exchanges.iter().map(|it| recorder.capture(it));
                records.collect()
            }
            (_, Population::Web) => {
                let mut recorder = self.recorder.fork(number);
                let exchanges = self.web.batch(number - 1);
                exchanges.iter().map(|it| recorder.capture(it)).collect()
            }
            (_, Population::Sample) => Vec::new(),
        }
    }

    fn tour(&self) -> Vec<Exchange> {
        tour::exchanges(Time(self.plan.span().1.0 - TOUR))
    }

    fn sample(&self) -> impl Iterator<Item = Vec<Exchange>> {
        let (begin, end) = self.plan.span();
        let count = self.plan.captures.saturating_sub(tour_length());
        let (span, pages) = (end.0 - begin.0, self.plan.pages);
        let random = Random::new(self.plan.seed).stream("visits");
        let mut visits = Visits::new(random, self.plan.repeat);
        (0..count).map(move |number| {
            let time = begin.plus(span * number / count);
            let visit = visits.next(time);
            let articles = (0..pages).map(|page| visits.article(&visit.url, page, time));
            let articles: Vec<Exchange> = articles.collect();
            iter::once(visit).chain(articles).collect()
        })
    }
}

fn tour_length() -> u64 {
    tour::exchanges(Time(TOUR)).len() as u64
}

/// The records of a crawl that is one file, in order.
pub(crate) fn records(plan: &Plan) -> impl Iterator<Item = Vec<u8>> {
    let crawl = Crawl::new(plan);
    let captures = usize::try_from(crawl.captures()).unwrap_or(usize::MAX);
    let warcinfo = crawl.warcinfo(&plan.label);
    let batches = (0_u64..).flat_map(move |number| crawl.batch(number));
    iter::once(warcinfo).chain(batches.take(captures).flatten())
}

impl Plan {
    /// First and last moment of the crawl.
    fn span(&self) -> (Time, Time) {
        match week(&self.label) {
            Some((_, year, week)) => {
                let begin = Time::of_week(year, week);
                (begin, begin.plus(WEEKS))
            }
            None => YEARS,
        }
    }

    /// The crawl this many months, of four weeks each, after this one; `None` where the label names
    /// no week.
    pub(crate) fn later(&self, months: u64) -> Option<Self> {
        let (name, year, first) = week(&self.label)?;
        // Weeks are numbered from 1; no crawl is named after the occasional week 53.
        let weeks = year * 52 + first.min(52) - 1 + 4 * months;
        let label = format!("{name}-{:04}-{:02}", weeks / 52, weeks % 52 + 1);
        Some(Self {
            label,
            ..self.clone()
        })
    }
}

/// The name, the year and the week that a label is made of.
fn week(label: &str) -> Option<(&str, u64, u64)> {
    let (rest, week) = label.rsplit_once('-')?;
    let (name, year) = rest.rsplit_once('-')?;
    let (year, week) = (year.parse().ok()?, week.parse().ok()?);
    ((1994..=2999).contains(&year) && (1..=53).contains(&week)).then_some((name, year, week))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn plan(label: &str) -> Plan {
        Plan {
            captures: 2_000,
            seed: 7,
            pages: 0,
            repeat: 0.35,
            label: label.to_owned(),
            population: Population::Web,
        }
    }

    /// The hosts of a crawl's responses, except the hosts of the tour.
    fn hosts(plan: &Plan) -> HashSet<String> {
        let captures = (1..4).flat_map(|number| Crawl::new(plan).batch(number));
        let lines = captures.flatten().filter_map(|record| {
            let text = String::from_utf8_lossy(&record).into_owned();
            let line = text.lines().find(|it| it.starts_with("WARC-Target-URI"));
            line.map(str::to_owned)
        });
        lines
            .filter_map(|line| Some(line.split('/').nth(2)?.to_owned()))
            .collect()
    }

    #[test]
    fn a_batch_needs_none_before_it() {
        let plan = plan("MADE-UP-2026-05");
        let crawl = Crawl::new(&plan);
        let (first, second) = (crawl.batch(1), crawl.batch(2));
        assert!(first != second && first.len() > 300);
        assert!(Crawl::new(&plan).batch(2) == second);
        assert!(crawl.batch(1) == first);
    }

    #[test]
    fn a_crawl_has_as_many_captures_as_planned() {
        let responses = records(&plan("MADE-UP"))
            .filter(|record| record.starts_with(b"WARC/1.0\r\nWARC-Type: response"))
            .count();
        // The tour has captures of other kinds too.
        assert!((1_950..=2_000).contains(&responses), "{responses}");
    }

    #[test]
    fn months_meet_the_same_sites() {
        let first = plan("MADE-UP-2026-05");
        let second = first.later(1).expect("the label names a week");
        let (first, second) = (hosts(&first), hosts(&second));
        let both = first.intersection(&second).count();
        assert!(both > first.len() / 2 && both < first.len(), "{both}");
    }

    #[test]
    fn months_go_on_over_the_end_of_the_year() {
        let later = |label: &str, months| plan(label).later(months).map(|plan| plan.label);
        assert_eq!(later("A-2025-49", 1).as_deref(), Some("A-2026-01"));
        assert_eq!(later("A-2026-05", 13).as_deref(), Some("A-2027-05"));
        assert_eq!(later("A-2026", 1), None);
    }
}
