//! Progress of a long run, on standard error: a bar on a terminal, now and then a line elsewhere,
//! nothing with `--quiet`.

use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::terminal::tell;
use crate::escape;
use crate::ingest::Watcher;
use crate::ingest::tally::Tally;
use warc_recovery::recovery::Damage;

/// Time between two lines where standard error is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Damaged stretches told one by one, per input; all of them are in the table `damage`.
const MAX_DAMAGE_LINES: u32 = 10;

/// Tells how an ingest goes.
pub(super) struct Progress {
    bar: ProgressBar,
    is_quiet: bool,
    begun: Instant,
    last_line: Instant,
    total: u64,
    bytes: u64,
    captures: u64,
    damage_lines: u32,
}

impl Progress {
    /// Progress over `total` bytes of input.
    pub(super) fn new(total: u64, is_quiet: bool) -> Self {
        let is_drawn = !is_quiet && stderr().is_terminal();
        let target = if is_drawn {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let style = ProgressStyle::with_template(
            "{wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {msg} {eta} left",
        );
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        if is_drawn {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        let now = Instant::now();
        Self {
            bar,
            is_quiet,
            begun: now,
            last_line: now,
            total,
            bytes: 0,
            captures: 0,
            damage_lines: 0,
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, text: &str) {
        if !self.is_quiet {
            self.bar.suspend(|| tell(&format!("robostat: {text}\n")));
        }
    }

    fn rate(&self) -> u64 {
        let seconds = self.begun.elapsed().as_secs_f64().max(0.001);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a rate for people"
        )]
        let rate = (self.captures as f64 / seconds) as u64;
        rate
    }
}

impl Watcher for Progress {
    fn begin(&mut self, _name: &str, _bytes: u64) {
        self.damage_lines = 0;
    }

    fn advance(&mut self, tally: &Tally) {
        self.bytes += tally.accounting.bytes();
        self.captures += tally.captures;
        if !self.bar.is_hidden() {
            self.bar.set_position(self.bytes);
            self.bar
                .set_message(format!("{} captures/s", HumanCount(self.rate())));
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let share = self.bytes * 100 / self.total.max(1);
            self.line(&format!(
                "{share}% read, {} captures, {} captures/s",
                self.captures,
                self.rate()
            ));
        }
    }

    fn damage(&mut self, name: &str, damage: &Damage) {
        self.damage_lines += 1;
        match self.damage_lines {
            1..=MAX_DAMAGE_LINES => {
                let Damage {
                    offset,
                    length,
                    message,
                    ..
                } = damage;
                let name = escape::line(name);
                self.line(&format!(
                    "{name}: damaged at offset {offset}, {length} bytes lost: {message}"
                ));
            }
            n if n == MAX_DAMAGE_LINES + 1 => {
                let name = escape::line(name);
                self.line(&format!("{name}: more damage; see the table damage"));
            }
            _ => {}
        }
    }

    fn skip(&mut self, name: &str, why: &str) {
        self.line(&format!("{}: passed over, {why}", escape::line(name)));
    }

    fn commit(&mut self, inputs: usize) {
        if self.bar.is_hidden() {
            self.line(&format!("committed; new inputs: {inputs}"));
        }
    }
}
