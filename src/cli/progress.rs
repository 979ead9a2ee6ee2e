//! Progress of a long run, on standard error: a bar on a terminal, now and then a line elsewhere,
//! nothing with `--quiet`.

use std::collections::HashMap;
use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use warc_recovery::damage::{Damage, DamageKind};

use super::terminal::tell;
use crate::dataset::merge::{self, Duplicate};
use crate::error::shown;
use crate::escape;
use crate::ingest::tally::Tally;
use crate::ingest::{Skipped, Watcher};

/// Time between two lines where standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Damaged ranges reported one by one, per input; all of them are in the table `damage`.
const MAX_DAMAGE_LINES: u32 = 10;
/// Skipped files reported one by one, per reason; all of them are in the summary of `--json`.
const MAX_SKIP_LINES: u32 = 10;

/// The bar of an ingest.
const OF_BYTES: &str =
    "{wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {msg} {eta} left";
/// The bar of an ingest from the network, where files have the sizes that they turn out to have.
const OF_INPUTS: &str = "{wide_bar} {human_pos}/{human_len} inputs {msg} {eta} left";
/// The bar of a merge.
const OF_CAPTURES: &str = "{wide_bar} {human_pos}/{human_len} captures {msg} {eta} left";

/// Tells how an ingest or a merge goes.
pub(super) struct Progress {
    bar: ProgressBar,
    is_quiet: bool,
    begun: Instant,
    last_line: Instant,
    /// Bytes, or captures, that there are to do, and that are done.
    total: u64,
    done: u64,
    /// Whether inputs are counted in place of bytes.
    counts_inputs: bool,
    captures: u64,
    damage_lines: u32,
    skip_lines: HashMap<&'static str, u32>,
}

impl Progress {
    /// Progress of an ingest that has not begun.
    pub(super) fn new(is_quiet: bool) -> Self {
        Self::with_bar(is_quiet, OF_BYTES)
    }

    /// Progress of a merge that has not begun.
    pub(super) fn of_captures(is_quiet: bool) -> Self {
        Self::with_bar(is_quiet, OF_CAPTURES)
    }

    fn with_bar(is_quiet: bool, template: &str) -> Self {
        let is_drawn = !is_quiet && stderr().is_terminal();
        let target = if is_drawn {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template(template);
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
            done: 0,
            counts_inputs: false,
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

    /// Counts what has been done.
    fn proceed(&mut self, done: u64, captures: u64) {
        self.done += done;
        self.captures += captures;
        if !self.bar.is_hidden() {
            self.bar.set_position(self.done);
            self.bar
                .set_message(format!("{} captures/s", HumanCount(self.rate())));
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let share = self.done * 100 / self.total.max(1);
            self.line(&format!(
                "{share}% read, {} captures, {} captures/s",
                self.captures,
                self.rate()
            ));
        }
    }

    /// Reports that `what` is skipped, the first few times for one `reason`.
    fn skipped(&mut self, reason: &'static str, what: &str) {
        let lines = self.skip_lines.entry(reason).or_default();
        *lines += 1;
        match *lines {
            1..=MAX_SKIP_LINES => self.line(&format!("skipped: {what}")),
            n if n == MAX_SKIP_LINES + 1 => {
                self.line("skipped: more for the same reason; see the summary");
            }
            _ => {}
        }
    }

    fn committed(&self, inputs: usize) {
        if self.bar.is_hidden() {
            self.line(&format!("committed; new inputs: {inputs}"));
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
    fn plan(&mut self, inputs: u64, bytes: Option<u64>) {
        self.counts_inputs = bytes.is_none();
        self.total = bytes.unwrap_or(inputs);
        self.bar.set_length(self.total);
        if self.counts_inputs {
            let style = ProgressStyle::with_template(OF_INPUTS);
            self.bar
                .set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        }
    }

    fn begin(&mut self, _path: &str, _bytes: u64) {
        self.damage_lines = 0;
        if self.counts_inputs {
            self.proceed(1, 0);
        }
    }

    fn advance(&mut self, tally: &Tally) {
        let done = if self.counts_inputs {
            0
        } else {
            tally.accounting.bytes()
        };
        self.proceed(done, tally.captures);
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
            _ if matches!(kind, DamageKind::NotWarc | DamageKind::NotFetched) => {
                self.failure(&format!("{path}: {message}"));
            }
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
        self.skipped(reason.name(), &text);
    }

    fn note(&mut self, path: &str, note: &str) {
        self.line(&format!("{}: {}", escape::line(path), escape::line(note)));
    }

    fn commit(&mut self, inputs: usize) {
        self.committed(inputs);
    }
}

impl merge::MergeWatcher for Progress {
    fn plan(&mut self, captures: u64) {
        self.total = captures;
        self.bar.set_length(captures);
    }

    fn advance(&mut self, captures: u64) {
        self.proceed(captures, captures);
    }

    fn skip(&mut self, duplicate: &Duplicate) {
        self.skipped("duplicate", &duplicate.to_string());
    }

    fn commit(&mut self, inputs: usize) {
        self.committed(inputs);
    }
}
