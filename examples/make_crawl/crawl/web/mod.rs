//! A web of any size, and crawls of it: sites, domains, files and redirects as often and as large
//! as real crawls have them.
//!
//! ```text
//! step ──▶ site number ──▶ Site (name, way in, answer, file at a time) ──▶ exchanges
//! ```
//!
//! A site follows from its number alone, and a step of a crawl from its number and the crawl's
//! name. So nothing is remembered, any step can be made first, and the crawls of several months
//! meet the same sites, most of them with the files that they had before.

mod domain;
mod file;
mod site;
mod visit;

use std::iter;

use self::site::Sites;
use super::Plan;
use super::exchange::Exchange;
use super::random::Random;
use super::response;
use super::time::{DAY, Time};

/// Steps in a batch: large enough that handing batches around costs nothing, small enough for
/// memory.
const STEPS: u64 = 512;

/// Captures that a thousand steps come to: redirects add some, sites that are left out take some
/// away.
const CAPTURES_PER_THOUSAND: u64 = 1_000;

/// Share of the sites that a crawl leaves out, though it could know them.
const LEFT_OUT: u32 = 15;

/// When the first crawl of this web may take place.
const FIRST_CRAWL: Time = Time::of_date(2023, 1, 2);

/// A crawl of the web, determined by a seed.
pub(crate) struct Web {
    sites: Sites,
    /// Which steps repeat a site that was met before.
    repeats: Random,
    /// What else happens at a step of this crawl.
    steps: Random,
    repeat: f64,
    pages: u32,
    begin: Time,
    span: u64,
    expected_steps: u64,
    /// The site of the first step: a month later the crawl has forgotten some, and finds as many
    /// new ones.
    first: u64,
}

impl Web {
    /// The crawl of this plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        let random = Random::new(plan.seed);
        let (begin, end) = plan.span();
        let months = begin.0.saturating_sub(FIRST_CRAWL.0) / (28 * DAY);
        Self {
            sites: Sites::new(&random),
            repeats: random.stream("repeats"),
            steps: random.stream("steps").stream(&plan.label),
            repeat: plan.repeat,
            pages: plan.pages,
            begin,
            span: end.0 - begin.0,
            expected_steps: (plan.captures * 1_000 / CAPTURES_PER_THOUSAND).max(1),
            first: months * (plan.captures / 20),
        }
    }

    /// The captures of one batch, each with the pages that are fetched after it.
    pub(crate) fn batch(&self, number: u64) -> Vec<Vec<Exchange>> {
        let steps = number * STEPS..(number + 1) * STEPS;
        steps.flat_map(|step| self.step(step)).collect()
    }

    fn step(&self, step: u64) -> Vec<Vec<Exchange>> {
        let mut random = self.steps.fork(step);
        if random.percent(LEFT_OUT) {
            return Vec::new();
        }
        let time = self.begin.plus(
            u64::try_from(
                u128::from(self.span) * u128::from(step.min(self.expected_steps))
                    / u128::from(self.expected_steps),
            )
            .expect("a part of the span"),
        );
        let is_repeat = self.repeats(self.first + step);
        let number = if is_repeat {
            self.earlier(&mut random, step)
        } else {
            self.first + step
        };
        let site = self.sites.site(number);
        let exchanges = visit::exchanges(&self.sites, &site, is_repeat, &mut random, time);
        let captures = exchanges.into_iter().map(|exchange| {
            let url = exchange.url.clone();
            let articles =
                (0..self.pages).map(|page| response::article(&mut random, &url, page, time));
            iter::once(exchange).chain(articles).collect()
        });
        captures.collect()
    }

    /// Whether the step for this site goes to another one, so that the site itself is not there.
    fn repeats(&self, number: u64) -> bool {
        self.repeats.fork(number).share(self.repeat)
    }

    /// Some site that an earlier step of this crawl went to, or was to go to.
    fn earlier(&self, random: &mut Random, step: u64) -> u64 {
        let mut some = || self.first + random.below_wide(step + 1);
        let tries = (0..16).map(|_| some());
        let mut tries = tries.filter(|number| !self.repeats(*number));
        tries.next().unwrap_or(self.first + step)
    }
}
