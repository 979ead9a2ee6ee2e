//! A made-up crawl of robots.txt files, record by record.
//!
//! ```text
//! Plan ──▶ tour (fixed), then visits (random) ──▶ Exchange ──▶ Recorder ──▶ WARC records
//! ```
//!
//! The records follow from the plan alone: no clock, no mathematics library and no compressor has a hand in them.

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

use std::iter;

use self::exchange::Exchange;
use self::random::Random;
use self::record::Recorder;
use self::time::{DAY, Time};
use self::visit::Visits;

/// What is to be made.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Captures in all. The tour is never cut, so there are at least as many as it has.
    pub(crate) captures: u64,
    /// What the random part follows from.
    pub(crate) seed: u64,
    /// HTML pages after each capture of the random part.
    pub(crate) pages: u32,
    /// Share of the successful captures of the random part that repeat an earlier host and body.
    pub(crate) repeat: f64,
    /// The crawl's name. A year and a week at its end (`-2026-33`) say when it took place.
    pub(crate) label: String,
}

/// When a crawl took place whose label does not say so: long enough to see habits change.
const YEARS: (Time, Time) = (Time::of_date(2023, 1, 2), Time::of_date(2026, 8, 30));

/// How long a crawl takes whose label names its week.
const WEEKS: u64 = 12 * DAY;

/// How long before the crawl's end the tour begins: some of its stops are days apart.
const TOUR: u64 = 7 * DAY;

/// The records of a crawl, in order.
pub(crate) fn records(plan: &Plan) -> impl Iterator<Item = Vec<u8>> {
    let (begin, end) = plan.span();
    let random = Random::new(plan.seed);
    // Two crawls of one seed meet the same hosts; their records must differ in their ids.
    let mut recorder = Recorder::new(random.stream("ids").stream(&plan.label));
    let warcinfo = recorder.warcinfo(&plan.label, begin);
    let tour = tour::exchanges(Time(end.0 - TOUR));
    let count = plan.captures.saturating_sub(tour.len() as u64);
    let (span, pages) = (end.0 - begin.0, plan.pages);
    let mut visits = Visits::new(random.stream("visits"), plan.repeat);
    let visits = (0..count).flat_map(move |number| {
        let time = begin.plus(span * number / count);
        let visit = visits.next(time);
        let articles: Vec<Exchange> = (0..pages)
            .map(|page| visits.article(&visit.url, page, time))
            .collect();
        iter::once(visit).chain(articles)
    });
    let exchanges = tour.into_iter().chain(visits);
    iter::once(warcinfo).chain(exchanges.flat_map(move |exchange| recorder.records(&exchange)))
}

impl Plan {
    /// First and last moment of the crawl.
    fn span(&self) -> (Time, Time) {
        let mut parts = self.label.rsplit('-').map(str::parse::<u64>);
        match (parts.next(), parts.next()) {
            (Some(Ok(week @ 1..=53)), Some(Ok(year @ 1994..=2999))) => {
                let begin = Time::of_week(year, week);
                (begin, begin.plus(WEEKS))
            }
            _ => YEARS,
        }
    }
}
