//! Redirects followed within a crawl: a join of captures on the URL that each leads to, hop by hop.
//!
//! A redirect leads to the latest capture of its target in the same crawl. Two sorters are merged
//! once for each hop: one holds the captures that redirect, by the URL that they lead to; the other
//! holds the captures that a redirect may lead to, by their own URL. URLs are compared by XXH3-128,
//! which no two URLs of a crawl share. A bitmap of the hashes of targets is made first, so that
//! most captures that no redirect leads to need not be sorted.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::cast::AsArray as _;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::capture::{Columns, Ended, Position, ResolvedCapture, StoredAnswer};
use super::sorter::{SortSpace, Sorter};
use crate::dataset::stored::value;
use crate::error::{Error, check_stop};
use crate::url_parts::{Url, origin};

const MAX_HOPS: i32 = 5;
/// Bits of the sketch for each capture of the crawl.
const BITS_PER_CAPTURE: usize = 16;
/// Most bits of the sketch: 16 MiB. The redirects of a month of Common Crawl set one in ten.
const MAX_BITS: usize = 1 << 27;

fn hash(url: &str) -> u128 {
    xxh3_128(url.as_bytes())
}

/// The hash of the URL that a redirect leads to, in the form of [`Columns::target_url`]: without
/// user and password, and without a final dot of the host.
fn hash_of_target(url: &str) -> u128 {
    let parts = Url::parse(url).ok();
    let target = parts.and_then(|it| Some(origin(&it)? + &it[url::Position::BeforePath..]));
    hash(target.as_deref().unwrap_or(url))
}

/// A capture whose last redirect so far leads to a URL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Chain {
    /// The hash of that URL.
    wanted: u128,
    /// The captures that the chain has visited, itself first.
    visited: Vec<Position>,
    capture: ResolvedCapture,
}

/// A capture that redirects may lead to. Each URL's latest comes first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Target {
    /// The hash of its URL.
    own: u128,
    time: Reverse<Option<i64>>,
    position: Position,
    answer: StoredAnswer,
    next: Option<u128>,
    /// Its URL as recorded.
    url: String,
}

pub(super) struct Redirects<'r> {
    room: &'r SortSpace,
    /// One bit for the hash of each URL that redirects lead to; some may be set by mistake.
    sketch: BooleanBufferBuilder,
    waiting: Sorter<Chain>,
    targets: Sorter<Target>,
}

impl<'r> Redirects<'r> {
    /// Redirects among this many captures.
    pub(super) fn new(room: &'r SortSpace, n_captures: usize) -> Self {
        let n_bits = (n_captures.saturating_mul(BITS_PER_CAPTURE)).clamp(1, MAX_BITS);
        let mut sketch = BooleanBufferBuilder::new(n_bits);
        sketch.append_n(n_bits, false);
        Self {
            room,
            sketch,
            waiting: room.sorter(),
            targets: room.sorter(),
        }
    }

    /// Notes the redirect targets in a batch, its only column. Every batch of the crawl must be
    /// noted before the first capture is added.
    pub(super) fn note_targets(&mut self, batch: &RecordBatch) {
        let urls = batch["fetch_redirect_url"].as_string::<i32>().iter();
        for url in urls.flatten() {
            let bit = self.bit(hash_of_target(url));
            self.sketch.set_bit(bit, true);
        }
    }

    fn bit(&self, hash: u128) -> usize {
        usize::try_from(hash % self.sketch.len() as u128).unwrap_or_default()
    }

    /// Adds the capture in a row as a possible target of redirects. A capture of a robots.txt is
    /// also resolved: it goes to `resolved`, or waits if it redirects.
    pub(super) fn add(
        &mut self,
        columns: &Columns<'_>,
        row: usize,
        position: Position,
        resolved: &mut Sorter<ResolvedCapture>,
    ) -> Result<(), Error> {
        let own = hash(&columns.target_url(row));
        // A capture does not redirect to itself if its user or final dot is all that changes.
        let target = |url| Some(hash_of_target(url)).filter(|target| *target != own);
        let redirect = value(columns.redirect_url, row);
        let redirect = redirect.map(|url| target(url).unwrap_or_else(|| hash(url)));
        if self.sketch.get_bit(self.bit(own)) {
            self.targets.push(Target {
                own,
                time: Reverse(value(columns.time, row)),
                position,
                answer: columns.answer(row),
                next: redirect,
                url: columns.url.value(row).to_owned(),
            })?;
        }
        if !columns.is_robotstxt.value(row) {
            return Ok(());
        }
        let capture = columns.capture(row, position);
        match redirect {
            Some(wanted) => self.waiting.push(Chain {
                wanted,
                visited: vec![position],
                capture,
            }),
            None => resolved.push(capture),
        }
    }

    /// Follows every redirect, and adds the captures to `resolved` with how their redirects ended.
    pub(super) fn resolve(
        self,
        resolved: &mut Sorter<ResolvedCapture>,
        stop: &AtomicBool,
    ) -> Result<(), Error> {
        drop(self.sketch);
        let (mut targets, mut waiting) = (self.targets, self.waiting);
        while !waiting.is_empty() {
            let mut next = self.room.sorter();
            let mut later = targets.read()?;
            let mut target = later.next().transpose()?;
            for chain in waiting.read()? {
                check_stop(stop)?;
                let mut chain = chain?;
                while target.as_ref().is_some_and(|it| it.own < chain.wanted) {
                    target = later.next().transpose()?;
                }
                let found = target.as_ref().filter(|it| it.own == chain.wanted);
                let capture = &mut chain.capture;
                match found {
                    Some(target) if chain.visited.contains(&target.position) => {
                        capture.ended = Ended::Loop;
                    }
                    _ if capture.n_redirects == MAX_HOPS => capture.ended = Ended::TooMany,
                    None => capture.ended = Ended::NotCaptured,
                    Some(target) => {
                        capture.n_redirects += 1;
                        capture.ended = target.answer.ended();
                        capture.final_url = Some(target.url.clone());
                        capture.answer = target.answer;
                        if let Some(wanted) = target.next {
                            chain.wanted = wanted;
                            chain.visited.push(target.position);
                            next.push(chain)?;
                            continue;
                        }
                    }
                }
                resolved.push(chain.capture)?;
            }
            waiting = next;
        }
        Ok(())
    }
}
