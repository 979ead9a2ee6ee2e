//! From resolved captures in order to the rows of `resolved`, `origins` and `hosts`.
//!
//! Captures of one origin follow each other, and so do the origins of one host: one pass finds which
//! row counts for each.

use std::cmp::Reverse;

use super::capture::{effective_port, write_origin, write_reversed};
use super::inputs::Inputs;
use super::populations::Populations;
use super::record::{Asked, Outcome, Reader};
use super::response::{ResponseClass, is_settled, rank};
use super::sorter::Sorted;
use super::{Sink, Stop};
use crate::dataset::tables::resolution::Resolution;
use crate::dataset::tables::{self, Builder as _};
use crate::error::Error;

/// Rows of a batch.
const BATCH_ROWS: usize = 8192;

/// What a record has to be ranked by within its origin, before its position: the lower, the sooner
/// it counts. Of two of one time, the one that comes first does.
type Standing = ((ResponseClass, bool), bool, Reverse<i64>);

/// The record that counts among those seen.
#[derive(Default)]
struct Best {
    standing: Option<Standing>,
    value: Vec<u8>,
    /// Captures of its origin.
    n_captures: i64,
}

impl Best {
    fn set(&mut self, standing: Option<Standing>, value: &[u8]) {
        self.standing = standing;
        self.value.clear();
        self.value.extend_from_slice(value);
    }
}

/// How a host ranks its origins, before their names: the best response, https, a default port.
type Place = ((ResponseClass, bool), bool, bool);

/// Fills the three tables.
pub(super) struct Tables<'r> {
    inputs: &'r Inputs,
    populations: &'r Populations,
    resolved: tables::resolved::ResolvedBuilder,
    origins: tables::origins::OriginsBuilder,
    hosts: tables::hosts::HostsBuilder,
    /// The key's beginning that names the origin under way, and the end of the host in it.
    origin: Vec<u8>,
    host_end: usize,
    /// What counts for the origin under way, and for the host.
    best: Best,
    host_best: Best,
    host_place: Option<Place>,
    texts: Texts,
}

/// Room for texts of a row that are put together.
#[derive(Default)]
struct Texts {
    origin: String,
    reversed: String,
}

impl<'r> Tables<'r> {
    pub(super) fn new(inputs: &'r Inputs, populations: &'r Populations) -> Self {
        Self {
            inputs,
            populations,
            resolved: tables::resolved::ResolvedBuilder::default(),
            origins: tables::origins::OriginsBuilder::default(),
            hosts: tables::hosts::HostsBuilder::default(),
            origin: Vec::new(),
            host_end: 0,
            best: Best::default(),
            host_best: Best::default(),
            host_place: None,
            texts: Texts::default(),
        }
    }

    /// Turns the records of `resolved` into rows.
    pub(super) fn fill(
        mut self,
        resolved: &mut Sorted,
        sink: &mut dyn Sink,
        stop: Stop<'_>,
    ) -> Result<(), Error> {
        while resolved.advance()? {
            let Some((key, value)) = resolved.current() else {
                break;
            };
            self.take(key, value);
            if self.resolved.rows() >= BATCH_ROWS {
                stop.check()?;
                sink.push(tables::resolved::table(), self.resolved.finish())?;
            }
            if self.origins.rows() >= BATCH_ROWS {
                sink.push(tables::origins::table(), self.origins.finish())?;
            }
            if self.hosts.rows() >= BATCH_ROWS {
                sink.push(tables::hosts::table(), self.hosts.finish())?;
            }
        }
        self.end_origin();
        self.end_host();
        sink.push(tables::resolved::table(), self.resolved.finish())?;
        sink.push(tables::origins::table(), self.origins.finish())?;
        sink.push(tables::hosts::table(), self.hosts.finish())
    }

    fn take(&mut self, key: &[u8], value: &[u8]) {
        let mut from = Reader(value);
        let asked = Asked::read(&mut from);
        let outcome = Outcome::read(&mut from);
        let origin = &key[..asked.ends.origin as usize];
        let host_end = asked.ends.host as usize;
        if self.origin != origin {
            self.end_origin();
            if self.origin.get(..self.host_end) != Some(&key[..host_end]) {
                self.end_host();
            }
            self.origin.clear();
            self.origin.extend_from_slice(origin);
            self.host_end = host_end;
        }
        let is_undated = asked.time.is_none();
        let time = Reverse(asked.time.unwrap_or_default());
        let standing = Some((rank(outcome.answer), is_undated, time));
        if self.best.n_captures == 0 || standing < self.best.standing {
            self.best.set(standing, value);
        }
        self.best.n_captures += 1;
        let context = (self.inputs, self.populations);
        let row = resolution(&asked, &outcome, context, &mut self.texts);
        self.resolved.push_resolution(&row);
    }

    /// Adds the row of the origin under way.
    fn end_origin(&mut self) {
        let n_captures = std::mem::take(&mut self.best.n_captures);
        if n_captures == 0 {
            return;
        }
        let mut from = Reader(&self.best.value);
        let asked = Asked::read(&mut from);
        let outcome = Outcome::read(&mut from);
        let context = (self.inputs, self.populations);
        let row = resolution(&asked, &outcome, context, &mut self.texts);
        let is_usual_port = matches!(row.url_port, Some(80 | 443));
        let place = (
            rank(outcome.answer),
            asked.protocol != Some("https"),
            !is_usual_port,
        );
        self.origins.push_resolution(&row, n_captures);
        // Of equals the first by name counts.
        let is_better = self.host_place.is_none_or(|best| place < best);
        if asked.host.is_some() && is_better {
            self.host_place = Some(place);
            self.host_best.set(None, &self.best.value);
            self.host_best.n_captures = n_captures;
        }
    }

    /// Adds the row of the host whose last origin has ended.
    fn end_host(&mut self) {
        if self.host_place.take().is_none() {
            return;
        }
        let mut from = Reader(&self.host_best.value);
        let asked = Asked::read(&mut from);
        let outcome = Outcome::read(&mut from);
        let context = (self.inputs, self.populations);
        let row = resolution(&asked, &outcome, context, &mut self.texts);
        self.hosts.push_resolution(&row, self.host_best.n_captures);
    }
}

/// The row of a resolved capture.
fn resolution<'a>(
    asked: &Asked<'a>,
    outcome: &Outcome<'a>,
    (inputs, populations): (&'a Inputs, &Populations),
    texts: &'a mut Texts,
) -> Resolution<'a> {
    let Texts { origin, reversed } = texts;
    origin.clear();
    write_origin(origin, asked.protocol, asked.host, asked.port, asked.url);
    reversed.clear();
    if let Some(host) = asked.host {
        write_reversed(reversed, host, asked.tld.is_some());
    }
    let (input_id, name) = inputs.of(asked.input);
    let answer = outcome.answer;
    let has_rules = populations.has_rules(answer);
    Resolution {
        input_id,
        warc_filename: name,
        warc_record_offset: asked.offset,
        warc_record_inner_offset: asked.inner_offset,
        url: asked.url,
        origin,
        url_protocol: asked.protocol,
        url_host_name: asked.host,
        url_host_name_reversed: asked.host.map(|_| reversed.as_str()),
        url_host_tld: asked.tld,
        url_host_registered_domain: asked.registered_domain,
        url_port: effective_port(asked.protocol, asked.port),
        fetch_time: asked.time,
        fetch_status: asked.status,
        fetch_redirect_url: asked.redirect_url,
        n_redirects: i32::from(outcome.n_redirects),
        ended: outcome.ended.name(),
        final_url: outcome.url.unwrap_or(asked.url),
        final_status: answer.status,
        file_id: answer.file_id,
        policy_id: answer.policy_id,
        response_class: ResponseClass::of(answer).name(),
        is_settled: is_settled(answer),
        has_lines: has_rules || populations.has_lines(answer),
        has_rules,
    }
}
