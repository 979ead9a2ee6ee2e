//! When requests may be sent: a rate, and one pause for all when a server refuses.
//!
//! Every request takes a place in one schedule; places are at least `1 / rate` apart, whichever
//! crawler asks and whatever the result of the one before. A refusal moves all places to after a
//! pause. Pauses double while the server keeps refusing, and become shorter again with every
//! request that succeeds. If refusals go on for longer than the user wants to wait, the run ends.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::{Failure, status_text};

/// How often a thread that waits looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(20);
/// The longest pause, as a part of the longest wait.
const LONGEST: u32 = 6;

pub(super) struct Pace {
    max_wait: Duration,
    schedule: Mutex<Schedule>,
}

struct Schedule {
    next: Instant,
    /// End of the pause, if there was one.
    pause_end: Option<Instant>,
    /// The last pause, as far as successes have not worn it off.
    pause: Duration,
    /// When the first of the refusals came that no success interrupted.
    refused_since: Option<Instant>,
    successes: u64,
}

impl Pace {
    pub(super) fn new(max_wait: Duration) -> Self {
        Self {
            max_wait,
            schedule: Mutex::new(Schedule::new(Instant::now())),
        }
    }

    fn schedule(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the place of a request after which `interval` is to pass.
    pub(super) fn wait(&self, interval: Duration, stop: &dyn Fn() -> bool) -> Result<(), Failure> {
        loop {
            let place = self.schedule().take_place(Instant::now(), interval);
            sleep_until(place, stop)?;
            // A pause that began meanwhile holds for this request too.
            if !self.schedule().is_paused(Instant::now()) {
                return Ok(());
            }
        }
    }

    /// Waits for the end of the pause without a place in the schedule: what was refused goes behind
    /// the others, so that they can show whether they are.
    pub(super) fn rest(&self, stop: &dyn Fn() -> bool) -> Result<(), Failure> {
        loop {
            let end = self.schedule().pause_end;
            match end.filter(|end| *end > Instant::now()) {
                Some(end) => sleep_until(end, stop)?,
                None => return Ok(()),
            }
        }
    }

    pub(super) fn succeed(&self) {
        self.schedule().succeed(self.first_pause(503));
    }

    pub(super) fn successes(&self) -> u64 {
        self.schedule().successes
    }

    /// Notes that a server refused with `status`; returns the length of the pause if one begins.
    ///
    /// # Errors
    ///
    /// [`Failure::GivenUp`] where it would last too long.
    pub(super) fn refuse(
        &self,
        status: u16,
        retry_after: Option<Duration>,
    ) -> Result<Option<Duration>, Failure> {
        let mut schedule = self.schedule();
        // A server that never answered otherwise is not waited for as long: the address may be
        // wrong.
        let budget = match schedule.successes {
            0 => self.max_wait / 10,
            _ => self.max_wait,
        };
        let first = self.first_pause(status);
        let limits = Limits {
            first,
            longest: self.max_wait / LONGEST,
            budget,
        };
        let now = Instant::now();
        let refused = schedule.refuse(now, retry_after, jitter(), &limits);
        let since = schedule.refused_since.unwrap_or(now);
        refused.map_err(|wait| {
            let part = match schedule.successes {
                0 => "a tenth of --max-wait, because no request has succeeded",
                _ => "--max-wait",
            };
            let waited = now.duration_since(since);
            Failure::GivenUp(format!(
                "the server refuses requests ({}): {:.1} s of the {:.1} s that robostat waits for \
                 it ({part}) are over, {:.1} s remain, and {} {:.1} s; what was fetched stays, \
                 the same command continues from the last commit, later or with a lower --max-rate",
                status_text(status),
                waited.as_secs_f64(),
                budget.as_secs_f64(),
                budget.saturating_sub(waited).as_secs_f64(),
                match retry_after {
                    Some(_) => "the server wants a pause of",
                    None => "the next pause would last",
                },
                wait.as_secs_f64(),
            ))
        })
    }

    /// The first pause after a status: 503 and 429 are of the moment, and 403 is what content
    /// delivery networks answer for minutes (30 s of an hour).
    fn first_pause(&self, status: u16) -> Duration {
        match status {
            403 => self.max_wait / 120,
            _ => self.max_wait / 3600,
        }
    }
}

struct Limits {
    first: Duration,
    longest: Duration,
    /// Time after which the run ends.
    budget: Duration,
}

impl Schedule {
    fn new(now: Instant) -> Self {
        Self {
            next: now,
            pause_end: None,
            pause: Duration::ZERO,
            refused_since: None,
            successes: 0,
        }
    }

    fn take_place(&mut self, now: Instant, interval: Duration) -> Instant {
        let place = self.next.max(now).max(self.pause_end.unwrap_or(now));
        self.next = place + interval;
        place
    }

    fn is_paused(&self, now: Instant) -> bool {
        self.pause_end.is_some_and(|end| end > now)
    }

    fn succeed(&mut self, first_pause: Duration) {
        self.successes += 1;
        self.refused_since = None;
        self.pause /= 2;
        if self.pause < first_pause {
            self.pause = Duration::ZERO;
        }
    }

    /// Begins a pause, unless one is under way: those who asked at the same time hear the same.
    /// Fails with its length where it would end after the budget. `jitter` is from 0 to 1.
    fn refuse(
        &mut self,
        now: Instant,
        retry_after: Option<Duration>,
        jitter: f64,
        limits: &Limits,
    ) -> Result<Option<Duration>, Duration> {
        let is_under_way = self.is_paused(now);
        let since = *self.refused_since.get_or_insert(now);
        let mut pause = if is_under_way {
            Duration::ZERO
        } else {
            self.pause = (self.pause * 2).clamp(limits.first, limits.longest.max(limits.first));
            self.pause.mul_f64(1.0 + jitter / 2.0)
        };
        pause = pause.max(retry_after.unwrap_or_default());
        let end = now + pause;
        if end.duration_since(since) > limits.budget {
            return Err(pause);
        }
        if self.pause_end.is_some_and(|known| known >= end) {
            return Ok(None);
        }
        self.pause_end = Some(end);
        Ok((!is_under_way).then_some(pause))
    }
}

/// A number from 0 to 1: clients that were refused together do not come back together.
pub(super) fn jitter() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(random >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

/// Sleeps until `end`, or until `stop`.
pub(super) fn sleep_until(end: Instant, stop: &dyn Fn() -> bool) -> Result<(), Failure> {
    loop {
        if stop() {
            return Err(Failure::Stopped);
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        thread::sleep(left.min(LOOK));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn limits() -> Limits {
        Limits {
            first: SECOND,
            longest: 8 * SECOND,
            budget: 100 * SECOND,
        }
    }

    #[test]
    fn places_keep_their_distance_whoever_is_late() {
        let begun = Instant::now();
        let mut schedule = Schedule::new(begun);
        let interval = SECOND / 5;
        let mut places: Vec<Instant> = Vec::new();
        // Asked at once, then late, then at once.
        for ask in [0, 0, 0, 5, 5, 5, 5] {
            places.push(schedule.take_place(begun + ask * SECOND, interval));
        }
        let mut pairs = places.windows(2);
        assert!(pairs.all(|it| it[1] - it[0] >= interval), "{places:?}");
        // No credit is saved up, and none lost.
        assert_eq!(places[3], begun + 5 * SECOND);
    }

    #[test]
    fn a_refusal_stops_everybody_and_pauses_double() {
        let begun = Instant::now();
        let mut schedule = Schedule::new(begun);
        let mut now = begun;
        let mut pauses = Vec::new();
        for _ in 0..5 {
            let pause = schedule.refuse(now, None, 0.0, &limits());
            let pause = pause.expect("time left").expect("a new pause");
            // Another that was under way hears the same: no second pause.
            assert_eq!(schedule.refuse(now, None, 1.0, &limits()), Ok(None));
            assert!(schedule.is_paused(now));
            now = schedule.take_place(now, Duration::ZERO);
            assert!(!schedule.is_paused(now));
            pauses.push(pause.as_secs());
        }
        assert_eq!(pauses, [1, 2, 4, 8, 8]);
        assert_eq!(now, begun + 23 * SECOND);
        schedule.succeed(SECOND);
        let pause = schedule.refuse(now, None, 0.0, &limits());
        assert_eq!(pause, Ok(Some(8 * SECOND)), "one success is not the end");
        for _ in 0..9 {
            schedule.succeed(SECOND);
        }
        now += 20 * SECOND;
        let pause = schedule.refuse(now, None, 0.0, &limits());
        assert_eq!(pause, Ok(Some(SECOND)));
    }

    #[test]
    fn retry_after_is_kept_and_bounded() {
        let now = Instant::now();
        let mut schedule = Schedule::new(now);
        let pause = schedule.refuse(now, Some(30 * SECOND), 0.0, &limits());
        assert_eq!(pause, Ok(Some(30 * SECOND)));
        assert_eq!(schedule.take_place(now, SECOND), now + 30 * SECOND);
        let pause = schedule.refuse(now, Some(60 * SECOND), 0.0, &limits());
        assert_eq!(pause, Ok(None), "longer, but the same pause");
        assert_eq!(schedule.take_place(now, SECOND), now + 60 * SECOND);
        let pause = schedule.refuse(now, Some(200 * SECOND), 0.0, &limits());
        assert_eq!(pause, Err(200 * SECOND));
    }

    #[test]
    fn refusals_without_end_end_the_run() {
        let begun = Instant::now();
        let mut schedule = Schedule::new(begun);
        let mut now = begun;
        while schedule.refuse(now, None, 0.5, &limits()).is_ok() {
            now = schedule.take_place(now, Duration::ZERO);
        }
        let waited = now - begun;
        assert!(waited <= 100 * SECOND && waited > 80 * SECOND, "{waited:?}");
    }

    #[test]
    fn jitter_lies_between_nothing_and_one() {
        assert!((0..100).all(|_| (0.0..=1.0).contains(&jitter())));
    }
}
