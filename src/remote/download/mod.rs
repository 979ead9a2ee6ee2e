//! One file: tried until it is whole, each try from where the last one ended. Between tries it is
//! [`PartialFile`], and others are fetched.
//!
//! If only some ranges of a file are wanted, they are written at their offsets, in order, to a file
//! with holes. So the length of that file shows how much is done, as it does for a whole file. The
//! end of a file, where it is requested first, is kept in memory and written last.

mod check;
mod end;
mod part;
mod resume;

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::time::{Duration, Instant};

pub(super) use self::part::PartialFile;
use self::part::Plan;
use super::body::BodyCheck;
use super::cache::{Cache, Validators};
use super::client::Client;
use super::failure::{Failure, status_text};
use super::fetched::Fetched;
use super::pace::{jitter, sleep_until};
use super::reply::{ContentRange, Reply, Span, SpanBytes};
use super::target::{Target, WantedBytes};

/// Tries that bring nothing new, after which the file is given up.
const MAX_TRIES: u32 = 6;
/// Times that a file is refused with 403, after which, if others were not meanwhile, it is the
/// file.
const MAX_REFUSALS: u32 = 4;
/// Bytes read at a time.
const STEP: usize = 64 * 1024;
/// Bytes that a connection must bring in each span of the time limit.
const MIN_BYTES_PER_TIMEOUT: u64 = 1024;

pub(super) struct Download<'d> {
    client: &'d Client,
    cache: &'d Cache,
    target: &'d Target,
    check: &'d dyn BodyCheck,
    /// What it is kept under.
    key: String,
    stop: Box<dyn Fn() -> bool + 'd>,
    /// Called for pauses and retries.
    note: Box<dyn Fn(String) + 'd>,
    /// Called with the number of bytes received; a negative number takes bytes back, as all of a
    /// file that cannot be had.
    progress: Box<dyn Fn(i64) + 'd>,
}

/// What a run of a [`Download`] came to.
pub(super) enum DownloadOutcome {
    Whole(Fetched),
    /// It is worth another try, after this time.
    Later(Duration, PartialFile),
}

/// Whether a request brought all that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    NotYet,
    /// It did, as far as anybody can tell: the connection was closed.
    Unmarked,
    /// It did.
    Marked,
}

impl<'d> Download<'d> {
    pub(super) fn new(
        client: &'d Client,
        cache: &'d Cache,
        target: &'d Target,
        check: &'d dyn BodyCheck,
    ) -> Self {
        Self {
            client,
            cache,
            target,
            check,
            key: target.key(),
            stop: Box::new(|| false),
            note: Box::new(|_| {}),
            progress: Box::new(|_| {}),
        }
    }

    /// The same, but it ends when `stop` returns true, and it reports what happens.
    pub(super) fn watched(
        self,
        stop: impl Fn() -> bool + 'd,
        note: impl Fn(String) + 'd,
        progress: impl Fn(i64) + 'd,
    ) -> Self {
        Self {
            stop: Box::new(stop),
            note: Box::new(note),
            progress: Box::new(progress),
            ..self
        }
    }

    /// Fetches the file, unless the cache has it, from where `partial` is.
    pub(super) fn run(&self, partial: Option<PartialFile>) -> Result<DownloadOutcome, Failure> {
        if partial.is_none() {
            // A cache that has the whole file has its ranges.
            let whole = self.target.address.text();
            let kept = self.cache.find(whole).filter(|_| self.cache.is_kept());
            // An earlier version may have kept an error page.
            let is_file = |it: &Fetched| matches!(self.mistake(&it.path), Ok(None));
            if let Some(fetched) = kept.or_else(|| self.cache.find(&self.key)).filter(is_file) {
                (self.progress)(i64::try_from(fetched.bytes).unwrap_or(i64::MAX));
                return Ok(DownloadOutcome::Whole(fetched));
            }
        }
        let mut file = match partial {
            Some(partial) => partial,
            None => self.open()?,
        };
        match self.try_at_once(&mut file) {
            Ok(Some(delay)) => Ok(DownloadOutcome::Later(delay, file)),
            Ok(None) => {
                let fetched = (self.cache).complete(&self.key, file.validators, file.bytes)?;
                Ok(DownloadOutcome::Whole(Fetched {
                    received: file.counted.unsigned_abs(),
                    ..fetched
                }))
            }
            Err(failure) => {
                (self.progress)(-file.counted);
                Err(failure)
            }
        }
    }

    /// Tries until the file is whole, or until it is worth another try after the time returned.
    fn try_at_once(&self, file: &mut PartialFile) -> Result<Option<Duration>, Failure> {
        loop {
            match self.attempt(file) {
                Ok(true) => return Ok(None),
                Ok(false) => (file.tries, file.most) = (0, file.bytes),
                Err(Failure::Throttled {
                    status,
                    retry_after,
                }) => self.pause(file, status, retry_after)?,
                Err(Failure::Transient(message)) => {
                    // A try that brought something was worth it.
                    let is_worth_it = file.bytes > file.most;
                    file.tries = if is_worth_it { 0 } else { file.tries + 1 };
                    file.most = file.most.max(file.bytes);
                    if file.tries >= MAX_TRIES {
                        return Err(Failure::Transient(message));
                    }
                    let delay = self.client.options().delay(file.tries);
                    let delay = delay.mul_f64(1.0 + jitter() / 2.0);
                    (self.note)(format!(
                        "{message}; another try in {:.1} s",
                        delay.as_secs_f64()
                    ));
                    return Ok(Some(delay));
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// The same, which waits between tries.
    pub(super) fn run_to_end(&self) -> Result<Fetched, Failure> {
        let mut partial = None;
        loop {
            match self.run(partial)? {
                DownloadOutcome::Whole(fetched) => return Ok(fetched),
                DownloadOutcome::Later(delay, file) => {
                    sleep_until(Instant::now() + delay, &*self.stop)?;
                    partial = Some(file);
                }
            }
        }
    }

    /// Waits, as everybody does, after an answer that refuses the file.
    fn pause(
        &self,
        file: &mut PartialFile,
        status: u16,
        retry_after: Option<Duration>,
    ) -> Result<(), Failure> {
        // Whether it is this file or everything, the others tell.
        let others = self.client.pace().successes();
        file.is_alone |= file.successes.is_some_and(|before| before < others);
        file.successes = Some(others);
        file.refusals += u32::from(status == 403);
        if file.is_alone && file.refusals >= MAX_REFUSALS {
            return Err(Failure::Final(status_text(status)));
        }
        if let Some(pause) = self.client.pace().refuse(status, retry_after)? {
            (self.note)(format!(
                "{}: all requests pause for {:.1} s",
                status_text(status),
                pause.as_secs_f64()
            ));
        }
        self.client.pace().rest(&*self.stop)
    }

    /// One request; whether the file, or all that is wanted of it, is there then.
    fn attempt(&self, part: &mut PartialFile) -> Result<bool, Failure> {
        let end = self.request(part)?;
        if end != End::NotYet {
            part.put_end()?;
            self.check(part, end == End::Marked)?;
        }
        Ok(end != End::NotYet)
    }

    /// One request, whose answer is stored.
    fn request(&self, part: &mut PartialFile) -> Result<End, Failure> {
        if let (Plan::End, WantedBytes::ByEnd(end)) = (&part.plan, &self.target.wanted) {
            return self.request_end(part, end);
        }
        let is_chosen = matches!(part.plan, Plan::Ranges { .. });
        if !is_chosen && part.bytes > 0 && part.validators.validator().is_none() {
            self.restart(part, Validators::default())?;
        }
        let Some(wanted) = self.wanted(part)? else {
            return Ok(End::Marked);
        };
        let validator = part.validators.validator().map(str::to_owned);
        let validator = validator.filter(|_| part.is_begun());
        let span = Span {
            bytes: if is_chosen {
                SpanBytes::Between(wanted.start, wanted.end)
            } else {
                SpanBytes::From(wanted.start)
            },
            validator: validator.as_deref(),
        };
        let span = (is_chosen || part.bytes > 0).then_some(span);
        let reply = (self.client).get(&self.target.address, span, &*self.stop)?;
        let whole = match (reply.status, reply.range) {
            (200, _) if is_chosen && validator.is_some() => {
                let message = "the file changed while ranges of it were fetched";
                return self.discard(part, Failure::Transient(message.to_owned()));
            }
            (200, _) => self.all(part, &reply)?,
            (206, Some(range)) => self.continued(part, wanted.start, &reply, range)?,
            // Ranges that the end of the file names are in the file.
            (416, _) if matches!(self.target.wanted, WantedBytes::ByEnd(_)) => {
                return self.discard(part, Failure::Transient(status_text(416)));
            }
            (416, Some(range)) if range.complete == Some(part.bytes) && part.bytes > 0 => {
                return Ok(End::Marked); // it was whole already
            }
            (416, range) if is_chosen => {
                // The file ends before: the caller reports what is missing.
                let complete = range.and_then(|range| range.complete);
                let complete = complete.filter(|complete| *complete > part.bytes);
                if let Some(complete) = complete {
                    part.file.set_len(complete)?;
                    part.bytes = complete;
                }
                return Ok(End::Marked);
            }
            (status, _) => return self.discard(part, Failure::Transient(status_text(status))),
        };
        self.store(part, reply, whole, wanted.end)
    }

    /// Prepares for the whole file. Returns its length, if known.
    fn all(&self, part: &mut PartialFile, reply: &Reply) -> Result<Option<u64>, Failure> {
        self.restart(part, self.validators(reply))?;
        if let Plan::End = part.plan {
            part.plan = Plan::Whole;
        }
        part.complete = reply.length;
        Ok(reply.length)
    }

    /// Stores a body that ends at offset `whole`, if known; bytes before offset `wanted` were
    /// requested.
    fn store(
        &self,
        part: &mut PartialFile,
        reply: Reply,
        whole: Option<u64>,
        wanted: u64,
    ) -> Result<End, Failure> {
        // A server without ranges sends more than is wanted.
        let limit = match &part.plan {
            Plan::Ranges { runs, .. } => runs.last().map_or(wanted, |run| run.end.max(wanted)),
            _ => u64::MAX,
        };
        let most = self.check.max_bytes();
        let is_delimited = reply.is_delimited;
        let is_all = self.receive(part, reply, limit.min(most))?;
        if part.bytes >= most && !is_all {
            let message = format!("longer than {} MiB", most >> 20);
            return self.discard(part, Failure::Final(message));
        }
        match whole {
            Some(whole) if part.bytes < whole.min(limit) => {
                let bytes = part.bytes;
                return Err(Failure::Transient(format!(
                    "cut off after {bytes} of {whole} bytes"
                )));
            }
            Some(whole) if part.bytes > whole => {
                let message = "more bytes than were announced";
                return self.discard(part, Failure::Transient(message.to_owned()));
            }
            None if is_all && is_delimited => part.complete = Some(part.bytes),
            _ => {}
        }
        let left = self.wanted(part)?;
        Ok(match left {
            Some(_) if matches!(part.plan, Plan::Ranges { .. }) => End::NotYet,
            _ if is_delimited || whole.is_some() => End::Marked,
            _ => End::Unmarked,
        })
    }

    /// Prepares for a body that should begin at offset `start`. Returns the offset after its end,
    /// if known.
    fn continued(
        &self,
        part: &mut PartialFile,
        start: u64,
        reply: &Reply,
        range: ContentRange,
    ) -> Result<Option<u64>, Failure> {
        let is_first = !part.is_begun();
        let is_next = range.bytes.is_some_and(|(first, _)| first == start);
        let is_same = is_first
            || (reply.etag.is_none() || reply.etag == part.validators.etag)
                && (part.complete.is_none() || part.complete == range.complete);
        if !is_next || !is_same {
            return self.discard(part, other_part());
        }
        if let Plan::Whole = part.plan {
            let all = range.complete;
            return Ok(all.or(reply.length.map(|length| part.bytes + length)));
        }
        if is_first {
            part.validators = self.validators(reply);
            self.cache.note(&self.key, &part.validators)?;
        }
        part.file.seek(SeekFrom::Start(start))?;
        (part.bytes, part.complete) = (start, range.complete);
        Ok(range.bytes.map(|(_, last)| last.saturating_add(1)))
    }

    /// Appends the body of an answer, up to offset `limit`; whether that was all of it.
    fn receive(
        &self,
        part: &mut PartialFile,
        mut reply: Reply,
        limit: u64,
    ) -> Result<bool, Failure> {
        let end = limit;
        let limit = self.client.options().timeout;
        let (mut begun, mut since) = (Instant::now(), 0_u64);
        let mut buffer = vec![0; STEP];
        loop {
            if (self.stop)() {
                return Err(Failure::Stopped);
            }
            let room = usize::try_from(end - part.bytes).unwrap_or(STEP).min(STEP);
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
                        part.bytes
                    )));
                }
            };
            part.file.write_all(&buffer[..read])?;
            part.bytes += read as u64;
            since += read as u64;
            let came = i64::try_from(read).unwrap_or(i64::MAX);
            part.counted += came;
            (self.progress)(came);
            if begun.elapsed() > limit {
                if since < MIN_BYTES_PER_TIMEOUT {
                    return Err(Failure::Transient(too_slow(since, limit)));
                }
                (begun, since) = (Instant::now(), 0);
            }
        }
    }

    fn validators(&self, reply: &Reply) -> Validators {
        Validators {
            url: self.key.clone(),
            etag: reply.etag.clone(),
            last_modified: reply.last_modified.clone(),
            coding: reply.coding.clone(),
            bytes: None,
        }
    }
}

fn other_part() -> Failure {
    Failure::Transient("the server sent another part than it was asked for".to_owned())
}

fn too_slow(bytes: u64, limit: Duration) -> String {
    format!(
        "the connection is too slow: {bytes} bytes in {} s",
        limit.as_secs()
    )
}

impl From<io::Error> for Failure {
    /// What cannot be written here ends the run: the next file could not be either.
    fn from(error: io::Error) -> Self {
        Self::GivenUp(format!("the file cannot be stored: {error}"))
    }
}
