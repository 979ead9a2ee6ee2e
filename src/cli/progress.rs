//! Progress of a long run, on standard error: a bar on a terminal, now and then a line elsewhere,
//! nothing with `--quiet`.

use std::collections::HashMap;
use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::terminal::tell;
use crate::error::shown;
use crate::escape;
use crate::ingest::tally::Tally;
use crate::ingest::{Skipped, Watcher};
use warc_recovery::damage::{Damage, DamageKind};

/// Time between two lines where standard error is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Damaged ranges reported one by one, per input; all of them are in the table `damage`.
const MAX_DAMAGE_LINES: u32 = 10;
/// Skipped files reported one by one, per reason; all of them are in the summary of `--json`.
const MAX_SKIP_LINES: u32 = 10;

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
    skip_lines: HashMap<&'static str, u32>,
}

impl Progress {
    /// Progress of a run that has not begun.
    pub(super) fn new(is_quiet: bool) -> Self {
        let is_drawn = !is_quiet && stderr().is_terminal();
        let target = if is_drawn {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
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
            total: 0,
            bytes: 0,
            captures: 0,
            damage_lines: 0,
            skip_lines: HashMap::new(),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, text: &str) {
        if !self.is_quiet {
            self.failure(text);
        }
    }

    /// Reports what could not be done, with `--quiet` too.
    fn failure(&self, text: &str) {
        self.bar.suspend(|| tell(&format!("robostat: {text}\n")));
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
    fn plan(&mut self, bytes: u64) {
        self.total = bytes;
        self.bar.set_length(bytes);
    }

    fn begin(&mut self, _path: &str, _bytes: u64) {
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

    fn damage(&mut self, path: &str, damage: &Damage) {
        self.damage_lines += 1;
        let path = escape::line(path);
        let Damage {
            offset,
            length,
            kind,
            message,
        } = damage;
        match self.damage_lines {
            _ if *kind == DamageKind::NotWarc => self.failure(&format!("{path}: {message}")),
            1..=MAX_DAMAGE_LINES => self.line(&format!(
                "{path}: damaged at offset {offset}, {length} bytes lost: {message}"
            )),
            n if n == MAX_DAMAGE_LINES + 1 => {
                self.line(&format!("{path}: more damage; see the table damage"));
            }
            _ => {}
        }
    }

    fn skip(&mut self, skipped: &Skipped) {
        let Skipped { path, reason } = skipped;
        let text = format!("{}: {}", shown(path), escape::line(&reason.to_string()));
        if reason.is_failure() {
            return self.failure(&text);
        }
        let lines = self.skip_lines.entry(reason.name()).or_default();
        *lines += 1;
        match *lines {
            1..=MAX_SKIP_LINES => self.line(&format!("skipped: {text}")),
            n if n == MAX_SKIP_LINES + 1 => {
                self.line("skipped: more for the same reason; see the summary");
            }
            _ => {}
        }
    }

    fn note(&mut self, path: &str, note: &str) {
        self.line(&format!("{}: {}", escape::line(path), escape::line(note)));
    }

    fn commit(&mut self, inputs: usize) {
        if self.bar.is_hidden() {
            self.line(&format!("committed; new inputs: {inputs}"));
        }
    }
}
