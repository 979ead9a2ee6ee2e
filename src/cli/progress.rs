//! Progress of a long run, on standard error: a bar on a terminal, occasional lines elsewhere,
//! nothing with `--quiet`.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, IsTerminal as _, Write, stderr};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use warc_recovery::damage::{Damage, DamageKind};

use super::outcome::tell;
use crate::dataset::merge::{self, Duplicate};
use crate::dataset::tables::inputs::NoCaptures;
use crate::error::shown;
use crate::escape;
use crate::ingest::Watcher;
use crate::ingest::input::SkippedInput;
use crate::ingest::tally::Tally;

/// Time between two lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// The most damaged ranges of an input that are printed; all of them are in the table `damage`.
const MAX_DAMAGE_LINES: u32 = 10;
/// The most lines of one kind that are printed; the number of further lines is printed at the end.
/// The summary of `--json` has all skipped files, the table `damage` all damage.
const MAX_LINES: u64 = 10;
/// The most kinds of lines that are counted separately; all further kinds count as one.
const MAX_KINDS: usize = 100;

pub(super) const OF_BYTES: &str =
    "{wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {msg} {eta} left";
/// The bar of an ingest from the network, where the sizes of files are not known beforehand.
const OF_INPUTS: &str = "{wide_bar} {human_pos}/{human_len} inputs {msg} {eta} left";
pub(super) const OF_CAPTURES: &str = "{wide_bar} {human_pos}/{human_len} captures {msg} {eta} left";

pub(super) struct Progress {
    /// Its length and position are bytes, captures or inputs.
    bar: ProgressBar,
    is_quiet: bool,
    last_line: Instant,
    counts_inputs: bool,
    captures: u64,
    damage_lines: u32,
    /// The number of lines of each kind, and whether they are printed with `--quiet` too.
    lines: BTreeMap<String, (u64, bool)>,
}

impl Progress {
    /// Progress of a run that has not begun, with a bar such as [`OF_BYTES`].
    pub(super) fn new(is_quiet: bool, template: &str) -> Self {
        Self {
            bar: bar(is_quiet, template),
            is_quiet,
            last_line: Instant::now(),
            counts_inputs: false,
            captures: 0,
            damage_lines: 0,
            lines: BTreeMap::new(),
        }
    }

    pub(super) fn finish(&mut self) {
        self.bar.finish_and_clear();
        for (kind, (number, are_failures)) in std::mem::take(&mut self.lines) {
            let more = number.saturating_sub(MAX_LINES);
            if more > 0 && (are_failures || !self.is_quiet) {
                self.failure(&format!("… and {} more: {kind}", HumanCount(more)));
            }
        }
    }

    /// Prints a line of a `kind`, if not too many were printed before.
    fn of_kind(&mut self, kind: &str, is_failure: bool, text: &str) {
        let is_counted = self.lines.len() < MAX_KINDS || self.lines.contains_key(kind);
        let kind = if is_counted { kind } else { "other messages" };
        let (number, are_failures) = self.lines.entry(kind.to_owned()).or_default();
        *number += 1;
        *are_failures |= is_failure;
        if *number <= MAX_LINES && (is_failure || !self.is_quiet) {
            self.failure(text);
        }
    }

    fn line(&self, text: &str) {
        if !self.is_quiet {
            self.failure(text);
        }
    }

    /// Reports a failure, even with `--quiet`.
    fn failure(&self, text: &str) {
        self.bar.suspend(|| tell!("robostat: {text}"));
    }

    fn proceed(&mut self, done: u64, captures: u64) {
        self.captures += captures;
        self.bar.inc(done);
        let rate = HumanCount(per_second(self.captures, self.bar.elapsed()));
        if !self.bar.is_hidden() {
            self.bar.set_message(format!("{rate} captures/s"));
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let share = self.bar.position() * 100 / self.bar.length().unwrap_or(0).max(1);
            let (captures, left) = (self.captures, self.left());
            self.line(&format!(
                "{share}% read, {captures} captures, {} captures/s{left}",
                rate.0
            ));
        }
    }

    fn left(&self) -> String {
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
        if done == 0 || done >= total {
            return String::new();
        }
        format!(", {} left", time_of(total - done, done, self.bar.elapsed()))
    }
}

pub(super) fn per_second(n: u64, elapsed: Duration) -> u64 {
    let rate = u128::from(n) * 1000 / elapsed.as_millis().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

/// A bar on standard error if that is a terminal, else a hidden one.
pub(super) fn bar(is_quiet: bool, template: &str) -> ProgressBar {
    if is_quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0).with_style(style(template));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A line on a terminal that shows, after a second, how long DuckDB has worked, until dropped.
pub(super) fn waiting() -> ProgressBar {
    let waiting = bar(false, "");
    waiting.set_style(style("{wait}").with_key(
        "wait",
        |state: &ProgressState, line: &mut dyn fmt::Write| {
            let seconds = state.elapsed().as_secs();
            if seconds > 0 {
                // Writing to a String cannot fail.
                let _ = write!(line, "robostat: DuckDB has worked for {seconds} s");
            }
        },
    ));
    waiting
}

/// Passes a result on; [`waiting`] ends when the result begins.
pub(super) struct WaitingWriter<'o> {
    pub(super) out: &'o mut dyn Write,
    pub(super) waiting: Option<ProgressBar>,
}

impl Write for WaitingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting = None;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The time that `n` items take at the rate of the `done` so far.
#[expect(clippy::cast_precision_loss, reason = "a duration for people")]
pub(super) fn time_of(n: u64, done: u64, elapsed: Duration) -> String {
    shown_seconds(elapsed.as_secs_f64() / done as f64 * n as f64)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a duration for people"
)]
pub(super) fn shown_seconds(seconds: f64) -> String {
    let minutes = (seconds / 60.0).ceil() as u64;
    if minutes <= 2 {
        format!("{} s", seconds.ceil() as u64)
    } else if minutes < 120 {
        format!("{minutes} min")
    } else {
        format!("{} h {} min", minutes / 60, minutes % 60)
    }
}

impl Watcher for Progress {
    fn plan(&mut self, inputs: u64, bytes: Option<u64>) {
        self.counts_inputs = bytes.is_none();
        self.bar.set_length(bytes.unwrap_or(inputs));
        if self.counts_inputs {
            self.bar.set_style(style(OF_INPUTS));
        }
    }

    fn advance(&mut self, tally: &Tally) {
        let bytes = tally.accounting.bytes();
        self.proceed(if self.counts_inputs { 0 } else { bytes }, tally.captures);
    }

    fn damage(&mut self, path: &str, damage: &Damage) {
        self.damage_lines += 1;
        let path = escape::line(path);
        let message = &damage.message;
        if matches!(damage.kind, DamageKind::NotWarc | DamageKind::NotFetched) {
            let kind = format!("{}; see the table damage", damage.kind.name());
            self.of_kind(&kind, true, &format!("{path}: {message}"));
        } else if self.damage_lines <= MAX_DAMAGE_LINES {
            let (offset, lost) = (damage.offset, damage.length);
            let bytes = if lost == 1 { "byte" } else { "bytes" };
            self.line(&format!(
                "{path}: damaged at offset {offset}, {lost} {bytes} lost: {message}"
            ));
        } else if self.damage_lines == MAX_DAMAGE_LINES + 1 {
            self.line(&format!("{path}: more damage; see the table damage"));
        }
    }

    fn skip(&mut self, skipped: &SkippedInput) {
        let SkippedInput { path, reason } = skipped;
        let text = format!("{}: {}", shown(path), escape::line(&reason.to_string()));
        let kind = format!("skipped, {}; see `skipped` in --json", reason.name());
        let mark = if reason.is_failure() { "" } else { "skipped: " };
        self.of_kind(&kind, reason.is_failure(), &format!("{mark}{text}"));
    }

    fn note(&mut self, path: &str, note: &str) {
        let note = escape::line(note);
        // Times and counts differ from line to line.
        let words = note.split(|it: char| it.is_ascii_digit());
        let kind: Vec<&str> = words.filter(|it| !it.is_empty()).collect();
        let text = format!("{}: {note}", escape::line(path));
        self.of_kind(&kind.join("…"), false, &text);
    }

    fn no_captures(&mut self, reason: NoCaptures, path: &str, message: &str) {
        let kind = format!("{}; see inputs.no_captures_reason", reason.name());
        let text = format!("{}: {}", escape::line(path), escape::line(message));
        self.of_kind(&kind, true, &text);
    }

    fn end(&mut self) {
        self.damage_lines = 0;
        if self.counts_inputs {
            self.proceed(1, 0);
        }
    }

    fn commit(&mut self, inputs: usize) {
        if self.bar.is_hidden() {
            self.line(&format!("committed; new inputs: {inputs}"));
        }
    }
}

impl merge::MergeWatcher for Progress {
    fn plan(&mut self, captures: u64) {
        self.bar.set_length(captures);
    }

    fn advance(&mut self, captures: u64) {
        self.proceed(captures, captures);
    }

    fn skip(&mut self, duplicate: &Duplicate) {
        let text = format!("skipped: {duplicate}");
        self.of_kind(
            "skipped, duplicate; see `duplicates` in --json",
            false,
            &text,
        );
    }

    fn commit(&mut self, inputs: usize) {
        Watcher::commit(self, inputs);
    }
}

#[cfg(test)]
mod tests;
