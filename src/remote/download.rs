//! One file: tried until it is whole, each try from where the last one ended.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::time::{Duration, Instant};

use super::address::Address;
use super::cache::{Cache, Said};
use super::client::Client;
use super::failure::{Failure, status_text};
use super::fetcher::Fetched;
use super::pace::{jitter, sleep_until};
use super::reply::Reply;

/// Tries that bring nothing new, after which the file is given up.
const MAX_TRIES: u32 = 6;
/// Times that a file is refused with 403, after which, if others were not meanwhile, it is the file.
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
    address: &'d Address,
    stop: Box<dyn Fn() -> bool + 'd>,
    /// Told of pauses and new tries.
    note: Box<dyn Fn(String) + 'd>,
    /// Told of bytes that have come, and, with a negative number, of such as do not count.
    progress: Box<dyn Fn(i64) + 'd>,
}

/// The part of a file that is there.
struct Part {
    file: File,
    bytes: u64,
    said: Said,
}

impl<'d> Download<'d> {
    pub(super) fn new(client: &'d Client, cache: &'d Cache, address: &'d Address) -> Self {
        Self {
            client,
            cache,
            address,
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

    /// Fetches the file, unless the cache has it.
    pub(super) fn run(&self) -> Result<Fetched, Failure> {
        if let Some(fetched) = self.cache.find(self.address) {
            (self.progress)(i64::try_from(fetched.bytes).unwrap_or(i64::MAX));
            return Ok(fetched);
        }
        let mut part = self.open().map_err(|error| disk(&error))?;
        let (mut tries, mut refusals) = (0, 0);
        let (mut successes, mut is_alone) = (None, false);
        let mut most = part.bytes;
        loop {
            let failure = match self.attempt(&mut part) {
                Ok(()) => {
                    let Part { bytes, said, .. } = part;
                    return (self.cache.complete(self.address, said, bytes))
                        .map_err(|error| disk(&error));
                }
                Err(failure) => failure,
            };
            match failure {
                Failure::Throttled {
                    status,
                    retry_after,
                } => {
                    // Whether it is this file or everything, the others tell.
                    let others = self.client.pace().successes();
                    is_alone |= successes.is_some_and(|before| before < others);
                    successes = Some(others);
                    refusals += u32::from(status == 403);
                    if is_alone && refusals >= MAX_REFUSALS {
                        return Err(Failure::Final(status_text(status)));
                    }
                    if let Some(pause) = self.client.pace().refuse(status, retry_after)? {
                        (self.note)(format!(
                            "{}: all requests pause for {:.1} s",
                            status_text(status),
                            pause.as_secs_f64()
                        ));
                    }
                    self.client.pace().rest(&*self.stop)?;
                }
                Failure::Transient(message) => {
                    // A try that brought something was worth it.
                    tries = if part.bytes > most { 0 } else { tries + 1 };
                    most = most.max(part.bytes);
                    if tries >= MAX_TRIES {
                        return Err(Failure::Transient(message));
                    }
                    let delay = self.client.options().first_delay() * (1 << tries);
                    let delay = delay.mul_f64(1.0 + jitter() / 2.0);
                    (self.note)(format!(
                        "{message}; another try in {:.1} s",
                        delay.as_secs_f64()
                    ));
                    sleep_until(Instant::now() + delay, &*self.stop)?;
                }
                failure => return Err(failure),
            }
        }
    }

    /// Opens the part that an earlier try, or run, has left.
    fn open(&self) -> io::Result<Part> {
        let mut file = self.cache.open_part(self.address)?;
        let said = (self.cache.said(self.address)).filter(|said| {
            said.url == self.address.text() && said.bytes.is_none() && said.validator().is_some()
        });
        if said.is_none() {
            file.set_len(0)?;
        }
        let bytes = file.seek(SeekFrom::End(0))?;
        (self.progress)(i64::try_from(bytes).unwrap_or(i64::MAX));
        Ok(Part {
            file,
            bytes,
            said: said.unwrap_or_default(),
        })
    }

    /// One request; succeeds if the file is whole then.
    fn attempt(&self, part: &mut Part) -> Result<(), Failure> {
        if part.bytes > 0 && part.said.validator().is_none() {
            self.restart(part, Said::default())?;
        }
        let validator = part.said.validator().map(str::to_owned);
        let from = validator.as_deref().filter(|_| part.bytes > 0);
        let from = from.map(|validator| (part.bytes, validator));
        let reply = self.client.get(self.address, from, &*self.stop)?;
        let whole = match (reply.status, reply.range) {
            (200, _) => {
                self.restart(part, self.said(&reply))?;
                reply.length
            }
            (206, Some(range)) => {
                let is_next = range.bytes.is_some_and(|(first, _)| first == part.bytes);
                let is_same = reply.etag.is_none() || reply.etag == part.said.etag;
                if !is_next || !is_same {
                    self.restart(part, Said::default())?;
                    return Err(Failure::Transient(
                        "the server sent another part than it was asked for".to_owned(),
                    ));
                }
                range
                    .complete
                    .or(reply.length.map(|length| part.bytes + length))
            }
            (416, Some(range)) if range.complete == Some(part.bytes) && part.bytes > 0 => {
                return Ok(()); // it was whole already
            }
            (status, _) => {
                self.restart(part, Said::default())?;
                return Err(Failure::Transient(status_text(status)));
            }
        };
        self.receive(part, reply)?;
        match whole {
            Some(whole) if part.bytes < whole => {
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
            _ => {}
        }
        if Self::is_page(part).map_err(|error| disk(&error))? {
            self.restart(part, Said::default())?;
            return Err(Failure::Transient(
                "the server sent a page of HTML in place of the file".to_owned(),
            ));
        }
        Ok(())
    }

    /// Appends the body of an answer.
    fn receive(&self, part: &mut Part, mut reply: Reply) -> Result<(), Failure> {
        let limit = self.client.options().timeout;
        let (mut begun, mut since) = (Instant::now(), 0_u64);
        let mut buffer = vec![0; STEP];
        loop {
            if (self.stop)() {
                return Err(Failure::Stopped);
            }
            let read = match reply.body.read(&mut buffer) {
                Ok(0) => return Ok(()),
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
            (self.progress)(i64::try_from(read).unwrap_or(i64::MAX));
            if begun.elapsed() > limit {
                if since < LEAST {
                    return Err(Failure::Transient(too_slow(since, limit)));
                }
                (begun, since) = (Instant::now(), 0);
            }
        }
    }

    /// Begins the file anew, of which the server says `said`.
    fn restart(&self, part: &mut Part, said: Said) -> Result<(), Failure> {
        (self.progress)(-i64::try_from(part.bytes).unwrap_or(i64::MAX));
        (part.file.set_len(0))
            .and_then(|()| part.file.rewind())
            .and_then(|()| self.cache.note(self.address, &said))
            .map_err(|error| disk(&error))?;
        (part.bytes, part.said) = (0, said);
        Ok(())
    }

    fn said(&self, reply: &Reply) -> Said {
        Said {
            url: self.address.text().to_owned(),
            etag: reply.etag.clone(),
            last_modified: reply.last_modified.clone(),
            bytes: None,
        }
    }

    /// Whether what came is a page of HTML, as servers send with status 200 in place of an error.
    fn is_page(part: &mut Part) -> io::Result<bool> {
        let mut start = Vec::new();
        part.file.rewind()?;
        (&part.file)
            .take(LOOKED_AT as u64)
            .read_to_end(&mut start)?;
        part.file.seek(SeekFrom::End(0))?;
        let start = start
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(&start)
            .trim_ascii_start();
        let begins_with = |tag: &[u8]| {
            (start.get(..tag.len())).is_some_and(|start| start.eq_ignore_ascii_case(tag))
        };
        Ok(begins_with(b"<!doctype html") || begins_with(b"<html"))
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
