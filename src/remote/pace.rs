//! Decides when requests may be sent: at a limited rate, and after a pause for all when a server
//! refuses.
//!
//! Every request takes a place in one schedule; places are at least `1 / rate` apart, whichever
//! thread sends the request and whatever the result of the previous request. A refusal moves all
//! places to the time after a pause. Pauses double while the server keeps refusing, and become
//! shorter again with every request that succeeds. If refusals continue for longer than the user
//! wants to wait, the run ends.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::{Failure, status_text};

/// How often a waiting thread checks whether it must stop.
const LOOK: Duration = Duration::from_millis(20);
/// The longest pause is the longest wait divided by this.
const LONGEST: u32 = 6;

pub(super) struct Pace(Mutex<Schedule>);

pub(super) struct Schedule {
    max_wait: Duration,
    first_pause: Duration,
    next: Instant,
    /// End of the last pause; before the first pause, the beginning of the schedule.
    pause_end: Instant,
    /// The last pause, halved by each success since.
    pause: Duration,
    /// Time of the first refusal since the last success.
    refused_since: Option<Instant>,
    pub(super) successes: u64,
}

impl Pace {
    pub(super) fn new(max_wait: Duration, first_pause: Duration) -> Self {
        let schedule = Schedule::new(max_wait, first_pause, Instant::now());
        Self(Mutex::new(schedule))
    }

    pub(super) fn schedule(&self) -> MutexGuard<'_, Schedule> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a request's place in the schedule; the next place is `interval` later.
    pub(super) fn wait(&self, interval: Duration, stop: &dyn Fn() -> bool) -> Result<(), Failure> {
        loop {
            let place = self.schedule().take_place(Instant::now(), interval);
            sleep_until(place, stop)?;
            // A pause that began meanwhile applies to this request too.
            if !self.schedule().is_paused(Instant::now()) {
                return Ok(());
            }
        }
    }

    /// Waits for the end of the pause without a place in the schedule: the refused request goes
    /// after the others, whose results show whether only its file is refused.
    pub(super) fn rest(&self, stop: &dyn Fn() -> bool) -> Result<(), Failure> {
        let mut end = self.schedule().pause_end;
        while end > Instant::now() {
            sleep_until(end, stop)?;
            end = self.schedule().pause_end;
        }
        Ok(())
    }
}

impl Schedule {
    pub(super) fn new(max_wait: Duration, first_pause: Duration, now: Instant) -> Self {
        Self {
            max_wait,
            first_pause,
            next: now,
            pause_end: now,
            pause: Duration::ZERO,
            refused_since: None,
            successes: 0,
        }
    }

    pub(super) fn take_place(&mut self, now: Instant, interval: Duration) -> Instant {
        let place = self.next.max(now).max(self.pause_end);
        self.next = place + interval;
        place
    }

    fn is_paused(&self, now: Instant) -> bool {
        self.pause_end > now
    }

    /// The first pause after a status: 1 s after 429 and 503, which soon pass, and 30 s after 403,
    /// which content delivery networks send for minutes.
    fn first_pause(&self, status: u16) -> Duration {
        match status {
            403 => self.first_pause * 30,
            _ => self.first_pause,
        }
    }

    pub(super) fn succeed(&mut self) {
        self.successes += 1;
        self.refused_since = None;
        self.pause /= 2;
        if self.pause < self.first_pause {
            self.pause = Duration::ZERO;
        }
    }

    /// Begins a pause after a refusal with `status`, unless one is under way: requests sent at the
    /// same time are refused together. Returns its length; [`Failure::GivenUp`] if it is too long.
    pub(super) fn refuse(
        &mut self,
        now: Instant,
        status: u16,
        retry_after: Option<Duration>,
        jitter: f64,
    ) -> Result<Option<Duration>, Failure> {
        // If no request has succeeded, the wait is shorter: the address may be wrong.
        let (budget, part) = match self.successes {
            0 => (
                self.max_wait / 10,
                "a tenth of --max-wait, because no request has succeeded",
            ),
            _ => (self.max_wait, "--max-wait"),
        };
        let is_under_way = self.is_paused(now);
        let since = *self.refused_since.get_or_insert(now);
        let mut pause = Duration::ZERO;
        if !is_under_way {
            let first = self.first_pause(status);
            self.pause = (self.pause * 2).clamp(first, (self.max_wait / LONGEST).max(first));
            pause = self.pause.mul_f64(1.0 + jitter / 2.0);
        }
        pause = pause.max(retry_after.unwrap_or_default());
        let end = now + pause;
        if end.duration_since(since) > budget {
            let waited = now.duration_since(since);
            return Err(Failure::GivenUp(format!(
                "the server refuses requests ({}): {:.1} s of the {:.1} s that robostat waits for \
                 it ({part}) are over, {:.1} s remain, and {} {:.1} s; fetched files are kept; the \
                 same command continues from the last commit, later or with a lower --max-rate",
                status_text(status),
                waited.as_secs_f64(),
                budget.as_secs_f64(),
                budget.saturating_sub(waited).as_secs_f64(),
                match retry_after {
                    Some(asked) if asked == pause => "the server wants a pause of",
                    _ => "the next pause would last",
                },
                pause.as_secs_f64(),
            )));
        }
        if self.pause_end >= end {
            return Ok(None);
        }
        self.pause_end = end;
        Ok((!is_under_way).then_some(pause))
    }
}

/// A number from 0 to 1, so that clients that were refused together do not retry together.
pub(super) fn jitter() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(random >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

fn sleep_until(end: Instant, stop: &dyn Fn() -> bool) -> Result<(), Failure> {
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
