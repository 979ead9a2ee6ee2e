//! Redirects followed within a crawl: a join of captures on the URL that each leads to, hop by hop.
//!
//! A redirect leads to the latest capture of its target in the same crawl. Two sorters, one of the
//! captures that redirect by the URL that they lead to, one of the captures that some redirect may
//! lead to by their own, are merged once for each hop. URLs are compared by XXH3-128, which no two
//! of a crawl share. A bitmap of the hashes of targets is made first, so that hardly any capture
//! is sorted that no redirect leads to.

use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use xxhash_rust::xxh3::xxh3_128;

use super::capture::{StoredAnswer, StoredCapture};
use super::record::{
    Ended, LastCapture, POSITION_BYTES, PositionKey, RecordDecoder, put_answer, put_falling_time,
    put_text,
};
use super::response::ResponseClass;
use super::sorter::{SortSpace, SortedRecords, Sorter};
use crate::error::{Error, check_stop};

/// Hops that are followed.
const MAX_HOPS: u8 = 5;
/// Bits of a sketch for each capture of the crawl.
const SKETCH_BITS: usize = 64;
/// Bits of a sketch at most: 16 MiB. With the redirects of a month of Common Crawl one in ten is
/// set.
const MAX_SKETCH_BITS: usize = 1 << 27;
/// Bytes of the hash of a URL.
const HASH_BYTES: usize = 16;

type Hash = [u8; HASH_BYTES];

fn hash(url: &str) -> Hash {
    xxh3_128(url.as_bytes()).to_be_bytes()
}

/// A set of the URLs that redirects lead to, kept as one bit for each hash: it may hold a URL by
/// mistake, but never lacks one.
pub(super) struct Sketch(Vec<u64>);

impl Sketch {
    /// A sketch for a crawl of so many captures.
    pub(super) fn new(captures: u64) -> Self {
        let captures = usize::try_from(captures).unwrap_or(usize::MAX);
        let bits = captures.saturating_mul(SKETCH_BITS).min(MAX_SKETCH_BITS);
        Self(vec![0; bits.next_power_of_two().max(64) / 64])
    }

    /// Takes in where the captures of a batch redirect to, its one column.
    pub(super) fn add_all(&mut self, batch: &RecordBatch) {
        for url in batch["fetch_redirect_url"]
            .as_string::<i32>()
            .iter()
            .flatten()
        {
            let (word, bit) = self.place(hash(url));
            self.0[word] |= bit;
        }
    }

    fn has(&self, hash: Hash) -> bool {
        let (word, bit) = self.place(hash);
        self.0[word] & bit > 0
    }

    /// The word and the bit of a hash. The number of bits is a power of two.
    fn place(&self, hash: Hash) -> (usize, u64) {
        let low = u128::from_be_bytes(hash) & (self.0.len() as u128 * 64 - 1);
        let low = usize::try_from(low).unwrap_or_default();
        (low / 64, 1 << (low % 64))
    }
}

/// The state of a chain.
struct Chain<'r> {
    /// Positions of its captures, the first one's first.
    visited: &'r [u8],
    /// The response of the last one.
    answer: StoredAnswer,
    /// Its URL; `None` where it is the first.
    url: Option<&'r str>,
    /// The record of the first.
    record: Record<'r>,
}

/// A capture's record for the sorter of all: its key, and its value without the outcome.
#[derive(Clone, Copy)]
pub(super) struct Record<'r> {
    pub(super) key: &'r [u8],
    pub(super) asked: &'r [u8],
}

impl<'r> Chain<'r> {
    fn read(value: &'r [u8]) -> Self {
        let mut from = RecordDecoder(value);
        let [length] = from.array();
        let visited = from.bytes(usize::from(length) * POSITION_BYTES);
        let (answer, url) = (from.answer(), from.text());
        let key_length = from.small_number() as usize;
        let key = from.bytes(key_length);
        let record = Record { key, asked: from.0 };
        Self {
            visited,
            answer,
            url,
            record,
        }
    }

    /// Hops so far.
    fn hops(&self) -> u8 {
        u8::try_from(self.visited.len() / POSITION_BYTES - 1).unwrap_or(u8::MAX)
    }

    fn has_visited(&self, position: &[u8]) -> bool {
        let mut visited = self.visited.chunks_exact(POSITION_BYTES);
        visited.any(|visited| visited == position)
    }

    /// Its end at its last capture.
    fn end(&self, ended: Ended) -> LastCapture<'r> {
        LastCapture {
            n_redirects: self.hops(),
            ended,
            url: self.url,
            answer: self.answer,
        }
    }
}

/// Writes a chain that goes on from the visited captures and one more.
fn write_chain(
    out: &mut Vec<u8>,
    visited: (&[u8], &[u8]),
    answer: StoredAnswer,
    url: Option<&str>,
    record: Record<'_>,
) {
    out.clear();
    let length = (visited.0.len() + visited.1.len()) / POSITION_BYTES;
    out.push(u8::try_from(length).unwrap_or(u8::MAX));
    out.extend_from_slice(visited.0);
    out.extend_from_slice(visited.1);
    put_answer(out, answer);
    put_text(out, url);
    let key_length = u32::try_from(record.key.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&key_length.to_le_bytes());
    out.extend_from_slice(record.key);
    out.extend_from_slice(record.asked);
}

/// The captures of a crawl that redirect, and those that redirects may lead to.
pub(super) struct Redirects<'r> {
    room: &'r SortSpace,
    sketch: Sketch,
    waiting: Sorter,
    targets: Sorter,
    // Room to work in.
    key: Vec<u8>,
    value: Vec<u8>,
    text: String,
}

impl<'r> Redirects<'r> {
    /// None yet; `sketch` has seen where they lead to.
    pub(super) fn new(room: &'r SortSpace, sketch: Sketch) -> Self {
        Self {
            room,
            sketch,
            waiting: room.sorter(),
            targets: room.sorter(),
            key: Vec::new(),
            value: Vec::new(),
            text: String::new(),
        }
    }

    /// Adds a capture that redirects.
    pub(super) fn add_redirect(
        &mut self,
        capture: &StoredCapture<'_>,
        url: &str,
        position: &PositionKey,
        record: Record<'_>,
    ) -> Result<(), Error> {
        write_chain(
            &mut self.value,
            (position, &[]),
            capture.answer,
            None,
            record,
        );
        push_waiting(
            &mut self.waiting,
            &mut self.key,
            hash(url),
            position,
            &self.value,
        )
    }

    /// Adds any capture, as what a redirect may lead to.
    pub(super) fn add_target(
        &mut self,
        capture: &StoredCapture<'_>,
        position: &PositionKey,
    ) -> Result<(), Error> {
        capture.write_target_url(&mut self.text);
        let own = hash(&self.text);
        if !self.sketch.has(own) {
            return Ok(());
        }
        self.key.clear();
        self.key.extend_from_slice(&own);
        put_falling_time(&mut self.key, capture.asked.time);
        self.key.extend_from_slice(position);
        self.value.clear();
        put_answer(&mut self.value, capture.answer);
        self.value
            .push(u8::from(capture.asked.redirect_url.is_some()));
        if let Some(url) = capture.asked.redirect_url {
            self.value.extend_from_slice(&hash(url));
        }
        put_text(&mut self.value, Some(capture.asked.url));
        self.targets.push(&self.key, &self.value)
    }

    /// Follows every redirect, and adds it to `resolved` with how it ended.
    pub(super) fn resolve(mut self, resolved: &mut Sorter, stop: &AtomicBool) -> Result<(), Error> {
        drop(self.sketch);
        let mut targets = self.targets.finish()?;
        let mut waiting = self.waiting.finish()?;
        let mut is_empty = false;
        while !is_empty {
            let mut next = self.room.sorter();
            is_empty = true;
            targets.rewind()?;
            let mut number = 0_u32;
            while let Some((key, value)) = waiting.advance()? {
                number = number.wrapping_add(1);
                if number.is_multiple_of(4096) {
                    check_stop(stop)?;
                }
                let (wanted, own) = key.split_at(HASH_BYTES);
                let chain = Chain::read(value);
                let target = seek(&mut targets, wanted)?;
                let outcome = match target {
                    Some(target) if chain.has_visited(target.position) => chain.end(Ended::Loop),
                    _ if chain.hops() == MAX_HOPS => chain.end(Ended::TooMany),
                    None => chain.end(Ended::NotCaptured),
                    Some(Target {
                        next: Some(hash),
                        position,
                        answer,
                        url,
                    }) => {
                        let visited = (chain.visited, position);
                        write_chain(&mut self.value, visited, answer, Some(url), chain.record);
                        push_waiting(&mut next, &mut self.key, hash, own, &self.value)?;
                        is_empty = false;
                        continue;
                    }
                    Some(target) => LastCapture {
                        n_redirects: chain.hops() + 1,
                        ended: ended_without_location(target.answer),
                        url: Some(target.url),
                        answer: target.answer,
                    },
                };
                push_resolved(resolved, &mut self.value, chain.record, &outcome)?;
            }
            waiting = next.finish()?;
        }
        Ok(())
    }
}

/// How a chain ended at a response that leads nowhere.
pub(super) fn ended_without_location(answer: StoredAnswer) -> Ended {
    match ResponseClass::of(answer) {
        ResponseClass::Redirect => Ended::NoLocation,
        _ => Ended::Final,
    }
}

fn push_waiting(
    sorter: &mut Sorter,
    key: &mut Vec<u8>,
    hash: Hash,
    own: &[u8],
    value: &[u8],
) -> Result<(), Error> {
    key.clear();
    key.extend_from_slice(&hash);
    key.extend_from_slice(own);
    sorter.push(key, value)
}

/// Adds a capture with how its chain ended; `value` is a buffer.
pub(super) fn push_resolved(
    resolved: &mut Sorter,
    value: &mut Vec<u8>,
    record: Record<'_>,
    outcome: &LastCapture<'_>,
) -> Result<(), Error> {
    value.clear();
    value.extend_from_slice(record.asked);
    outcome.write(value);
    resolved.push(record.key, value)
}

/// A capture that redirects may lead to.
struct Target<'r> {
    position: &'r [u8],
    answer: StoredAnswer,
    /// Where it redirects to in turn.
    next: Option<Hash>,
    url: &'r str,
}

/// The latest capture of a URL, whose hash is not below the previous hash.
fn seek<'t>(targets: &'t mut SortedRecords, wanted: &[u8]) -> Result<Option<Target<'t>>, Error> {
    // What comes first of a hash is the latest capture, and the cursor stays there.
    while targets
        .current()
        .is_none_or(|(key, _)| &key[..HASH_BYTES] < wanted)
    {
        if targets.advance()?.is_none() {
            return Ok(None);
        }
    }
    let found = targets.current();
    let found = found.filter(|(key, _)| &key[..HASH_BYTES] == wanted);
    Ok(found.map(|(key, value)| {
        let mut from = RecordDecoder(value);
        let answer = from.answer();
        let [has_next] = from.array();
        Target {
            position: &key[key.len() - POSITION_BYTES..],
            answer,
            next: (has_next == 1).then(|| from.array()),
            url: from.text().unwrap_or_default(),
        }
    }))
}
