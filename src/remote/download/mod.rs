//! Downloads one file: tries until it is whole, each try from where the last one ended.
//!
//! If only some ranges of a file are wanted, they are written at their offsets, in order, to a file
//! with holes. So the length of that file shows how much is done, as it does for a whole file. If
//! the end of a file is requested first, it is kept in memory and written last.

mod check;
mod end;

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::thread;
use std::time::{Duration, Instant};

use super::cache::{Cache, Fetched, Validators};
use super::client::Client;
use super::failure::{Failure, pause_note, retry_note, status_text};
use super::options::RemoteOptions;
use super::pace::jitter;
use super::reply::{ContentRange, Reply};
use super::target::{BodyCheck, Target, WantedBytes};

/// The file is given up after this many tries in a row without new bytes.
const MAX_TRIES: u32 = 6;
/// A file is given up after this many refusals while other requests succeed. With default options,
/// that is after pauses of some four minutes, for each status.
const MAX_REFUSALS: u32 = 8;
const MAX_FORBIDDEN: u32 = 3;
/// Most bytes at the start of a file that `Ranges::head` may request.
const MAX_HEAD_BYTES: u64 = 32 << 20;
const STEP: usize = 64 * 1024;
/// Bytes that a connection must deliver in each period of `timeout`.
const MIN_BYTES_PER_TIMEOUT: u64 = 1024;

pub(super) trait Caller {
    fn is_stopped(&self) -> bool {
        false
    }

    fn note(&self, target: &Target, note: String);

    /// Called before a retry; may return early if the run has ended.
    fn wait(&self, delay: Duration) {
        thread::sleep(delay);
    }
}

/// A caller that waits for the file.
impl Caller for RemoteOptions {
    fn note(&self, target: &Target, note: String) {
        self.note(target.address.text(), &note);
    }
}

pub(super) struct Download<'d> {
    client: &'d Client,
    cache: &'d Cache,
    target: &'d Target,
    check: &'d dyn BodyCheck,
    caller: &'d dyn Caller,
    key: String,
    plan: Plan,
    file: File,
    /// Offset up to which all wanted bytes have been received.
    bytes: u64,
    /// Wanted bytes that were received, now or before this run.
    received: u64,
    /// Length of the whole file, if only ranges are wanted and it is known.
    complete: Option<u64>,
    /// The value of `bytes` when a body without a marked end ended.
    unmarked_end: Option<u64>,
    validators: Validators,
}

enum Plan {
    Whole,
    /// The end of the file, which lists the ranges.
    End,
    Ranges {
        /// Each is one request.
        runs: Vec<Range<u64>>,
        /// The end of the file, if it was requested first.
        end: Vec<u8>,
    },
}

/// Whether a request completed the wanted bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    NotYet,
    /// Probably: the connection was closed, and the server did not mark the end.
    Unmarked,
    Marked,
}

impl<'d> Download<'d> {
    pub(super) fn of(
        client: &'d Client,
        cache: &'d Cache,
        target: &'d Target,
        check: &'d dyn BodyCheck,
        caller: &'d dyn Caller,
    ) -> Result<Fetched, Failure> {
        let key = target.key();
        // If the cache has the whole file, it has the ranges too.
        let whole = cache.find(target.address.text());
        let kept = whole.filter(|_| cache.is_kept());
        // An earlier version may have stored an error page.
        let is_file = |it: &Fetched| matches!(check.mistake(target, &it.path), Ok(None));
        if let Some(fetched) = kept.or_else(|| cache.find(&key)).filter(is_file) {
            return Ok(fetched);
        }
        // The part that an earlier run has left.
        let mut file = cache.open_part(&key)?;
        let validators = cache.validators(&key).filter(|validators| {
            validators.key == key && validators.bytes.is_none() && validators.validator().is_some()
        });
        if validators.is_none() {
            file.set_len(0)?;
        }
        let bytes = file.seek(SeekFrom::End(0))?;
        let plan = Plan::of(target);
        let received = match &plan {
            Plan::Whole => bytes,
            Plan::End => 0,
            Plan::Ranges { runs, .. } => wanted_before(bytes, runs),
        };
        let mut download = Self {
            client,
            cache,
            target,
            check,
            caller,
            key,
            plan,
            file,
            bytes,
            received,
            complete: None,
            unmarked_end: None,
            validators: validators.unwrap_or_default(),
        };
        download.try_until_whole()?;
        let mut fetched = cache.complete(&download.key, download.validators, download.bytes)?;
        fetched.received = download.received;
        Ok(fetched)
    }

    fn try_until_whole(&mut self) -> Result<(), Failure> {
        let pace = &self.client.pace;
        // Tries since the last try with new bytes, and the most bytes that a try had reached.
        let (mut tries, mut most) = (0, self.bytes);
        // Refusals of this file while others succeed, since its last new bytes; successful requests
        // (for any file) at the last refusal.
        let (mut refusals, mut successes) = (0, None);
        loop {
            match self.attempt() {
                Ok(true) => return Ok(()),
                Ok(false) if self.bytes > most => {
                    (tries, most) = (0, self.bytes);
                    (refusals, successes) = (0, None);
                }
                // Bytes that were received before the file changed.
                Ok(false) => {}
                Err(Failure::Throttled {
                    status,
                    retry_after,
                }) => {
                    let others = pace.schedule().successes;
                    let is_alone = refusals > 0 || successes.is_some_and(|before| before < others);
                    refusals += u32::from(is_alone);
                    successes = Some(others);
                    let status_text = status_text(status);
                    let max_refusals = match status {
                        403 => MAX_FORBIDDEN,
                        _ => MAX_REFUSALS,
                    };
                    if refusals >= max_refusals {
                        return Err(Failure::Final(status_text));
                    }
                    let now = Instant::now();
                    let pause = (pace.schedule()).refuse(now, status, retry_after, jitter())?;
                    if let Some(pause) = pause {
                        self.note(pause_note(&status_text, pause));
                    }
                    pace.rest(&|| self.caller.is_stopped())?;
                }
                Err(Failure::Transient(message)) => {
                    // A try with new bytes does not count.
                    tries = if self.bytes > most { 0 } else { tries + 1 };
                    most = most.max(self.bytes);
                    if tries >= MAX_TRIES {
                        return Err(Failure::Transient(message));
                    }
                    let delay = self.client.options.delay(tries);
                    let delay = delay.mul_f64(1.0 + jitter() / 2.0);
                    self.note(retry_note(&message, delay));
                    self.caller.wait(delay);
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    fn note(&self, note: String) {
        self.caller.note(self.target, note);
    }

    /// Makes one request. Returns whether the file, or all its wanted ranges, are complete.
    fn attempt(&mut self) -> Result<bool, Failure> {
        let end = self.request()?;
        if end != End::NotYet {
            self.put_end()?;
            self.check(end == End::Marked)?;
        }
        Ok(end != End::NotYet)
    }

    fn request(&mut self) -> Result<End, Failure> {
        if let (Plan::End, WantedBytes::ByEnd(end)) = (&self.plan, &self.target.wanted) {
            return self.request_end(end);
        }
        let is_chosen = matches!(self.plan, Plan::Ranges { .. });
        if !is_chosen && self.bytes > 0 && self.validators.validator().is_none() {
            self.restart(Validators::default())?;
        }
        let Some(wanted) = self.wanted()? else {
            return Ok(End::Marked);
        };
        let range = match wanted.end {
            u64::MAX if wanted.start == 0 => None,
            u64::MAX => Some(format!("bytes={}-", wanted.start)),
            end => Some(format!("bytes={}-{}", wanted.start, end - 1)),
        };
        let validator = self.validators.validator().filter(|_| self.is_begun());
        let is_conditional = validator.is_some();
        let reply = self.get(range.as_deref(), validator)?;
        let whole = match (reply.status, reply.range) {
            (200, _) if is_chosen && is_conditional => {
                let message = "the file changed while ranges of it were fetched";
                return self.discard(Failure::Transient(message.to_owned()));
            }
            (200, _) => self.all(&reply)?,
            (206, Some(range)) => self.continued(wanted.start, &reply, range)?,
            // Ranges that the end of the file lists are in the file.
            (416, _) if matches!(self.target.wanted, WantedBytes::ByEnd(_)) => {
                return self.discard(Failure::Transient(status_text(416)));
            }
            (416, Some(range)) if range.complete == Some(self.bytes) && self.bytes > 0 => {
                return Ok(End::Marked); // it was whole already
            }
            (416, range) if is_chosen => {
                // The file ends before the range: the caller reports what is missing.
                let complete = range.and_then(|range| range.complete);
                if let Some(complete) = complete.filter(|complete| *complete > self.bytes) {
                    self.file.set_len(complete)?;
                    self.bytes = complete;
                }
                return Ok(End::Marked);
            }
            (status, _) => return self.discard(Failure::Transient(status_text(status))),
        };
        self.store(reply, whole, wanted.end)
    }

    fn get(&self, range: Option<&str>, validator: Option<&str>) -> Result<Reply, Failure> {
        let stop = || self.caller.is_stopped();
        let mut reply = (self.client).get(&self.target.address, range, validator, &stop)?;
        reply.validators.key.clone_from(&self.key);
        Ok(reply)
    }

    /// Prepares for the whole file. Returns its length, if known.
    fn all(&mut self, reply: &Reply) -> Result<Option<u64>, Failure> {
        self.restart(reply.validators.clone())?;
        if let Plan::End = self.plan {
            self.plan = Plan::Whole;
        }
        self.complete = reply.length;
        Ok(reply.length)
    }

    /// Stores a body that ends at offset `whole`, if known; bytes before offset `wanted` were
    /// requested.
    fn store(&mut self, reply: Reply, whole: Option<u64>, wanted: u64) -> Result<End, Failure> {
        // A server without ranges sends more than the wanted bytes.
        let limit = match &self.plan {
            Plan::Ranges { runs, .. } => runs.last().map_or(wanted, |run| run.end.max(wanted)),
            _ => u64::MAX,
        };
        let most = self.check.max_bytes();
        let is_delimited = reply.is_delimited;
        let is_all = self.receive(reply, limit.min(most))?;
        if self.bytes >= most && !is_all {
            let message = format!("longer than {} MiB", most >> 20);
            return self.discard(Failure::Final(message));
        }
        match whole {
            Some(whole) if self.bytes < whole.min(limit) => {
                return Err(cut_off(self.bytes, whole));
            }
            Some(whole) if self.bytes > whole => {
                return self.discard(Failure::Transient(
                    "more bytes than were announced".to_owned(),
                ));
            }
            _ => {}
        }
        // Only a body of a whole file has an unknown length: nothing follows its end.
        let is_end = is_all && whole.is_none();
        let is_left =
            !is_end && matches!(self.plan, Plan::Ranges { .. }) && self.wanted()?.is_some();
        Ok(if is_left {
            End::NotYet
        } else if is_delimited || whole.is_some() {
            End::Marked
        } else {
            End::Unmarked
        })
    }

    /// Prepares for a body that should begin at offset `start`. Returns the offset after its end,
    /// if known.
    fn continued(
        &mut self,
        start: u64,
        reply: &Reply,
        range: ContentRange,
    ) -> Result<Option<u64>, Failure> {
        let is_first = !self.is_begun();
        let is_next = range.bytes.is_some_and(|(first, _)| first == start);
        let Validators {
            etag,
            last_modified,
            ..
        } = &reply.validators;
        let is_same_version = match (etag, last_modified) {
            (Some(_), _) => *etag == self.validators.etag,
            (None, Some(_)) => *last_modified == self.validators.last_modified,
            (None, None) => true,
        };
        let is_same = is_first
            || is_same_version && (self.complete.is_none() || self.complete == range.complete);
        if !is_next || !is_same {
            return self.discard(other_part());
        }
        if let Plan::Whole = self.plan {
            let all = range.complete;
            return Ok(all.or(reply.length.map(|length| self.bytes + length)));
        }
        if is_first {
            self.validators = reply.validators.clone();
            self.cache.note(&self.key, &self.validators)?;
        }
        self.file.seek(SeekFrom::Start(start))?;
        (self.bytes, self.complete) = (start, range.complete);
        Ok(range.bytes.map(|(_, last)| last.saturating_add(1)))
    }

    /// Appends the body of an answer, up to offset `end`. Returns whether that was all of it.
    fn receive(&mut self, mut reply: Reply, end: u64) -> Result<bool, Failure> {
        let limit = self.client.options.timeout;
        let (mut begun, mut since) = (Instant::now(), 0_u64);
        let mut buffer = vec![0; STEP];
        loop {
            if self.caller.is_stopped() {
                return Err(Failure::Stopped);
            }
            let room = usize::try_from(end - self.bytes).unwrap_or(STEP).min(STEP);
            if room == 0 {
                return Ok(false);
            }
            let read = match reply.body.read(&mut buffer[..room]) {
                Ok(0) => return Ok(true),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(Failure::Transient(format!(
                        "the connection broke after {} bytes: {error}",
                        self.bytes
                    )));
                }
            };
            self.file.write_all(&buffer[..read])?;
            let read = read as u64;
            self.bytes += read;
            since += read;
            self.received += read;
            if begun.elapsed() > limit {
                if since < MIN_BYTES_PER_TIMEOUT {
                    let seconds = limit.as_secs();
                    return Err(Failure::Transient(format!(
                        "the connection is too slow: {since} bytes in {seconds} s"
                    )));
                }
                (begun, since) = (Instant::now(), 0);
            }
        }
    }

    /// Whether part of the file has been received; its validators apply to the next requests.
    fn is_begun(&self) -> bool {
        let has_end = matches!(&self.plan, Plan::Ranges { end, .. } if !end.is_empty());
        self.bytes > 0 || has_end
    }

    /// The next bytes to request; `None` if the file is complete.
    fn wanted(&self) -> io::Result<Option<Range<u64>>> {
        let Plan::Ranges { runs, .. } = &self.plan else {
            return Ok(Some(self.bytes..u64::MAX));
        };
        if self.complete.is_some_and(|complete| complete <= self.bytes) {
            return Ok(None);
        }
        let mut start = [0; 8];
        let head = match &self.target.wanted {
            WantedBytes::Ranges(ranges) if self.bytes >= start.len() as u64 => {
                self.file.read_exact_at(&mut start, 0)?;
                (ranges.head)(&start).min(MAX_HEAD_BYTES)
            }
            _ => 0,
        };
        if (1..head).contains(&self.bytes) {
            return Ok(Some(self.bytes..head));
        }
        let run = runs.iter().find(|run| run.end > self.bytes);
        Ok(run.map(|run| run.start.max(self.bytes)..run.end))
    }

    fn discard<T>(&mut self, why: Failure) -> Result<T, Failure> {
        self.restart(Validators::default())?;
        Err(why)
    }

    fn restart(&mut self, validators: Validators) -> Result<(), Failure> {
        self.received = 0;
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.cache.note(&self.key, &validators)?;
        (self.bytes, self.validators, self.complete) = (0, validators, None);
        self.plan = Plan::of(self.target);
        Ok(())
    }
}

impl Plan {
    fn of(target: &Target) -> Self {
        match target.runs() {
            Some(runs) => Self::Ranges {
                runs,
                end: Vec::new(),
            },
            None if matches!(target.wanted, WantedBytes::ByEnd(_)) => Self::End,
            None => Self::Whole,
        }
    }
}

/// How many of the first `bytes` of a file are in `runs`.
fn wanted_before(bytes: u64, runs: &[Range<u64>]) -> u64 {
    let wanted = |run: &Range<u64>| run.end.min(bytes).saturating_sub(run.start);
    runs.iter().map(wanted).sum()
}

fn cut_off(bytes: u64, whole: u64) -> Failure {
    Failure::Transient(format!("cut off after {bytes} of {whole} bytes"))
}

fn not_the_file(mistake: &str) -> String {
    format!("the server answered, but not with the file: {mistake}")
}

fn other_part() -> Failure {
    Failure::Transient("the server sent another part than requested".to_owned())
}

impl From<io::Error> for Failure {
    /// A failed write ends the run: the next file could not be written either.
    fn from(error: io::Error) -> Self {
        Self::GivenUp(format!("the file cannot be stored: {error}"))
    }
}
