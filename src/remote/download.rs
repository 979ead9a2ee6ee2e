//! One file: tried until it is whole, each try from where the last one ended. Between tries it is
//! [`Unfinished`], and others are fetched.
//!
//! Of a file of which only some ranges are wanted, these are written where they stand in it, in
//! their order, to a file with holes. So the length of that file tells how far it has come, as it
//! does for a whole one.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

use page_directives::html::begins_as_html;

use super::cache::{Cache, Said};
use super::client::Client;
use super::failure::{Failure, status_text};
use super::fetcher::Fetched;
use super::pace::{jitter, sleep_until};
use super::reply::{ContentRange, Reply, Span};
use super::target::Target;

/// Tries that bring nothing new, after which the file is given up.
const MAX_TRIES: u32 = 6;
/// Times that a file is refused with 403, after which, if others were not meanwhile, it is the
/// file.
const MAX_REFUSALS: u32 = 4;
/// Bytes read at a time.
const STEP: usize = 64 * 1024;
/// Bytes that a connection must bring in each span of the time limit.
const LEAST: u64 = 1024;
/// Bytes that are looked at to tell a page of HTML.
const LOOKED_AT: usize = 512;

/// The fetching of one file.
pub(super) struct Download<'d> {
    client: &'d Client,
    cache: &'d Cache,
    target: &'d Target,
    /// What it is kept under.
    key: String,
    /// The ranges to ask for; none: the whole file.
    runs: Option<Vec<Range<u64>>>,
    stop: Box<dyn Fn() -> bool + 'd>,
    /// Told of pauses and new tries.
    note: Box<dyn Fn(String) + 'd>,
    /// Told of bytes that have come, and, with a negative number, of such as do not count.
    progress: Box<dyn Fn(i64) + 'd>,
}

/// What a run of a [`Download`] came to.
pub(super) enum Came {
    /// The file is there.
    Whole(Fetched),
    /// It is worth another try, after this time.
    Later(Duration, Unfinished),
}

/// A file between two tries.
pub(super) struct Unfinished {
    part: PartialFile,
    /// Tries since one brought something new.
    tries: u32,
    /// The most bytes that were there after a try.
    most: u64,
    /// Answers with 403.
    refusals: u32,
    /// Requests for whichever file that had succeeded when this one was refused last.
    successes: Option<u64>,
    /// Whether it is refused where others are not.
    is_alone: bool,
}

/// The part of a file that is there.
struct PartialFile {
    file: File,
    /// Offset up to which everything that is wanted is there.
    bytes: u64,
    /// Bytes that [`Download::progress`] was told of.
    counted: i64,
    /// Bytes of the whole file, where only ranges are wanted and it is known.
    complete: Option<u64>,
    said: Said,
}

impl<'d> Download<'d> {
    pub(super) fn new(client: &'d Client, cache: &'d Cache, target: &'d Target) -> Self {
        Self {
            client,
            cache,
            target,
            key: target.key(),
            runs: target.runs(),
            stop: Box::new(|| false),
            note: Box::new(|_| {}),
            progress: Box::new(|_| {}),
        }
    }

    /// The same, which ends when `stop` says so, and tells what happens.
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

    /// Fetches the file, unless the cache has it, from where `unfinished` is.
    pub(super) fn run(&self, unfinished: Option<Unfinished>) -> Result<Came, Failure> {
        if unfinished.is_none() {
            // A cache that has the whole file has its ranges.
            let whole = self.target.address.text();
            let kept = self.cache.find(whole).filter(|_| self.cache.is_kept());
            if let Some(fetched) = kept.or_else(|| self.cache.find(&self.key)) {
                (self.progress)(i64::try_from(fetched.bytes).unwrap_or(i64::MAX));
                return Ok(Came::Whole(fetched));
            }
        }
        let mut file = unfinished
            .map_or_else(|| self.open().map(Unfinished::new), Ok)
            .map_err(|error| disk(&error))?;
        loop {
            let failure = match self.attempt(&mut file.part) {
                Ok(true) => {
                    let PartialFile { bytes, said, .. } = file.part;
                    return (self.cache.complete(&self.key, said, bytes))
                        .map(Came::Whole)
                        .map_err(|error| disk(&error));
                }
                Ok(false) => {
                    (file.tries, file.most) = (0, file.part.bytes);
                    continue;
                }
                Err(failure) => failure,
            };
            match failure {
                Failure::Throttled {
                    status,
                    retry_after,
                } => self.pause(&mut file, status, retry_after)?,
                Failure::Transient(message) => {
                    // A try that brought something was worth it.
                    let is_worth_it = file.part.bytes > file.most;
                    file.tries = if is_worth_it { 0 } else { file.tries + 1 };
                    file.most = file.most.max(file.part.bytes);
                    if file.tries >= MAX_TRIES {
                        return Err(Failure::Transient(message));
                    }
                    let delay = self.client.options().delay(file.tries);
                    let delay = delay.mul_f64(1.0 + jitter() / 2.0);
                    (self.note)(format!(
                        "{message}; another try in {:.1} s",
                        delay.as_secs_f64()
                    ));
                    return Ok(Came::Later(delay, file));
                }
                failure => return Err(failure),
            }
        }
    }

    /// The same, which waits between tries.
    pub(super) fn run_to_end(&self) -> Result<Fetched, Failure> {
        let mut unfinished = None;
        loop {
            match self.run(unfinished)? {
                Came::Whole(fetched) => return Ok(fetched),
                Came::Later(delay, file) => {
                    sleep_until(Instant::now() + delay, &*self.stop)?;
                    unfinished = Some(file);
                }
            }
        }
    }

    /// Waits, as everybody does, after an answer that refuses the file.
    fn pause(
        &self,
        file: &mut Unfinished,
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

    /// Opens the part that an earlier try, or run, has left.
    fn open(&self) -> io::Result<PartialFile> {
        let mut file = self.cache.open_part(&self.key)?;
        let said = (self.cache.said(&self.key)).filter(|said| {
            said.url == self.key && said.bytes.is_none() && said.validator().is_some()
        });
        if said.is_none() {
            file.set_len(0)?;
        }
        let bytes = file.seek(SeekFrom::End(0))?;
        let wanted = |run: &Range<u64>| run.end.min(bytes).saturating_sub(run.start);
        let there = match &self.runs {
            Some(runs) => runs.iter().map(wanted).sum(),
            None => bytes,
        };
        let counted = i64::try_from(there).unwrap_or(i64::MAX);
        (self.progress)(counted);
        Ok(PartialFile {
            file,
            bytes,
            counted,
            complete: None,
            said: said.unwrap_or_default(),
        })
    }

    /// The next bytes to ask for, behind what is there; none where nothing is left to ask for.
    fn wanted(&self, part: &PartialFile) -> io::Result<Option<Range<u64>>> {
        let Some(runs) = &self.runs else {
            return Ok(Some(part.bytes..u64::MAX));
        };
        if part.complete.is_some_and(|complete| complete <= part.bytes) {
            return Ok(None);
        }
        let mut start = [0; 8];
        let start = match usize::try_from(part.bytes) {
            Ok(bytes) if bytes < start.len() => &mut start[..0],
            _ => &mut start[..],
        };
        part.file.read_exact_at(start, 0)?;
        let head = self.target.ranges.as_ref();
        let head = head.map_or(0, |ranges| ranges.head_bytes(start));
        if (1..head).contains(&part.bytes) {
            return Ok(Some(part.bytes..head));
        }
        let run = runs.iter().find(|run| run.end > part.bytes);
        Ok(run.map(|run| run.start.max(part.bytes)..run.end))
    }

    /// One request; whether the file, or all that is wanted of it, is there then.
    fn attempt(&self, part: &mut PartialFile) -> Result<bool, Failure> {
        let is_chosen = self.runs.is_some();
        if !is_chosen && part.bytes > 0 && part.said.validator().is_none() {
            self.restart(part, Said::default())?;
        }
        let Some(wanted) = self.wanted(part).map_err(|error| disk(&error))? else {
            return Ok(true);
        };
        let validator = part.said.validator().map(str::to_owned);
        let span = Span {
            first: wanted.start,
            end: is_chosen.then_some(wanted.end),
            validator: validator.as_deref().filter(|_| part.bytes > 0),
        };
        let span = (is_chosen || part.bytes > 0).then_some(span);
        let reply = (self.client).get(&self.target.address, span, &*self.stop)?;
        let whole = match (reply.status, reply.range) {
            (200, _) if is_chosen && part.bytes > 0 && validator.is_some() => {
                self.restart(part, Said::default())?;
                return Err(Failure::Transient(
                    "the file changed while ranges of it were fetched".to_owned(),
                ));
            }
            (200, _) => {
                self.restart(part, self.said(&reply))?;
                part.complete = reply.length;
                reply.length
            }
            (206, Some(range)) => self.continued(part, wanted.start, &reply, range)?,
            (416, Some(range)) if range.complete == Some(part.bytes) && part.bytes > 0 => {
                return Ok(true); // it was whole already
            }
            (416, range) if is_chosen => {
                // The file ends before: the caller reports what is missing.
                let complete = range.and_then(|range| range.complete);
                let complete = complete.filter(|complete| *complete > part.bytes);
                if let Some(complete) = complete {
                    (part.file.set_len(complete)).map_err(|error| disk(&error))?;
                    part.bytes = complete;
                }
                return Ok(true);
            }
            (status, _) => {
                self.restart(part, Said::default())?;
                return Err(Failure::Transient(status_text(status)));
            }
        };
        // A server without ranges sends more than is wanted.
        let last = self.runs.as_ref().and_then(|runs| runs.last());
        let limit = last.map_or(u64::MAX, |run| run.end.max(wanted.end));
        let is_all = self.receive(part, reply, limit)?;
        match whole {
            Some(whole) if part.bytes < whole.min(limit) => {
                let bytes = part.bytes;
                return Err(Failure::Transient(format!(
                    "cut off after {bytes} of {whole} bytes"
                )));
            }
            Some(whole) if part.bytes > whole => {
                self.restart(part, Said::default())?;
                return Err(Failure::Transient(
                    "more bytes than were announced".to_owned(),
                ));
            }
            None if is_all => part.complete = Some(part.bytes),
            _ => {}
        }
        if Self::is_page(part).map_err(|error| disk(&error))? {
            self.restart(part, Said::default())?;
            return Err(Failure::Transient(
                "the server sent a page of HTML in place of the file".to_owned(),
            ));
        }
        let left = self.wanted(part).map_err(|error| disk(&error))?;
        Ok(!is_chosen || left.is_none())
    }

    /// Prepares for the body of an answer that should begin at offset `start`. Offset behind it,
    /// where that is known.
    fn continued(
        &self,
        part: &mut PartialFile,
        start: u64,
        reply: &Reply,
        range: ContentRange,
    ) -> Result<Option<u64>, Failure> {
        let is_first = part.bytes == 0;
        let is_next = range.bytes.is_some_and(|(first, _)| first == start);
        let is_same = is_first
            || (reply.etag.is_none() || reply.etag == part.said.etag)
                && (part.complete.is_none() || part.complete == range.complete);
        if !is_next || !is_same {
            self.restart(part, Said::default())?;
            return Err(Failure::Transient(
                "the server sent another part than it was asked for".to_owned(),
            ));
        }
        if self.runs.is_none() {
            let all = range.complete;
            return Ok(all.or(reply.length.map(|length| part.bytes + length)));
        }
        if is_first {
            part.said = self.said(reply);
            (self.cache.note(&self.key, &part.said)).map_err(|error| disk(&error))?;
        }
        (part.file.seek(SeekFrom::Start(start))).map_err(|error| disk(&error))?;
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
            part.file
                .write_all(&buffer[..read])
                .map_err(|error| disk(&error))?;
            part.bytes += read as u64;
            since += read as u64;
            let came = i64::try_from(read).unwrap_or(i64::MAX);
            part.counted += came;
            (self.progress)(came);
            if begun.elapsed() > limit {
                if since < LEAST {
                    return Err(Failure::Transient(too_slow(since, limit)));
                }
                (begun, since) = (Instant::now(), 0);
            }
        }
    }

    /// Begins the file anew, of which the server says `said`.
    fn restart(&self, part: &mut PartialFile, said: Said) -> Result<(), Failure> {
        (self.progress)(-part.counted);
        (part.file.set_len(0))
            .and_then(|()| part.file.rewind())
            .and_then(|()| self.cache.note(&self.key, &said))
            .map_err(|error| disk(&error))?;
        (part.bytes, part.said) = (0, said);
        (part.counted, part.complete) = (0, None);
        Ok(())
    }

    fn said(&self, reply: &Reply) -> Said {
        Said {
            url: self.key.clone(),
            etag: reply.etag.clone(),
            last_modified: reply.last_modified.clone(),
            bytes: None,
        }
    }

    /// Whether what came is a page of HTML, as servers send with status 200 in place of an error.
    fn is_page(part: &mut PartialFile) -> io::Result<bool> {
        let mut start = Vec::new();
        part.file.rewind()?;
        (&part.file)
            .take(LOOKED_AT as u64)
            .read_to_end(&mut start)?;
        part.file.seek(SeekFrom::End(0))?;
        Ok(begins_as_html(&start))
    }
}

impl Unfinished {
    fn new(part: PartialFile) -> Self {
        Self {
            most: part.bytes,
            part,
            tries: 0,
            refusals: 0,
            successes: None,
            is_alone: false,
        }
    }
}

fn too_slow(bytes: u64, limit: Duration) -> String {
    format!(
        "the connection is too slow: {bytes} bytes in {} s",
        limit.as_secs()
    )
}

/// What cannot be written here ends the run: the next file could not be either.
fn disk(error: &io::Error) -> Failure {
    Failure::GivenUp(format!("the file cannot be stored: {error}"))
}
