//! Turns sorted, resolved captures into the rows of `resolved`, `origins` and `hosts`.
//!
//! Captures of one origin follow each other, and so do the origins of one host: one pass finds
//! which capture counts for each.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};

use super::capture::{ResolvedCapture, effective_port, reversed_host};
use super::domains::Domains;
use super::sorter::Sorter;
use crate::dataset::tables::resolved::{ResolvedBuilder, ResolvedRow};
use crate::dataset::tables::{self, Table};
use crate::error::{Error, check_stop};

const BATCH_ROWS: usize = 8192;

/// Receives the rows of derived tables, in order within each table.
pub(super) type Sink<'s> = dyn FnMut(&'static Table, RecordBatch) -> Result<(), Error> + 's;

/// Facts on inputs, files and policies that rows of captures repeat.
pub(super) struct Facts {
    /// The id and the name of each input, in the order of names, then of ids.
    pub(super) inputs: Vec<(i64, String)>,
    /// Files with lines, but without rules.
    pub(super) files_of_other_lines: HashSet<i64>,
    pub(super) policies_without_rules: HashSet<i64>,
}

/// The capture that counts for an origin or a host.
struct Best {
    capture: ResolvedCapture,
    n_captures: i64,
}

/// Ranks captures within their origin: the lowest counts; of equals, the first.
fn origin_rank(capture: &ResolvedCapture) -> impl Ord + use<> {
    (capture.answer.rank(), capture.time)
}

/// Ranks the origins of a host, before their names: the best response, https, a default port.
fn host_rank(capture: &ResolvedCapture) -> impl Ord + use<> {
    let protocol = capture.protocol.as_deref();
    let is_usual_port = port(capture) == effective_port(protocol, None);
    let is_https = protocol == Some("https");
    (capture.answer.rank(), !is_https, !is_usual_port)
}

fn port(capture: &ResolvedCapture) -> Option<i32> {
    effective_port(capture.protocol.as_deref(), capture.port)
}

/// Rows of `resolved` that are also rows of another table.
struct CountedRows {
    table: &'static Table,
    rows: ResolvedBuilder,
    n_captures: Vec<i64>,
}

impl CountedRows {
    fn new(table: &'static Table) -> Self {
        Self {
            table,
            rows: ResolvedBuilder::default(),
            n_captures: Vec::new(),
        }
    }

    /// Takes the rows, and adds the number of captures and the column `more`.
    fn finish(&mut self, more: Option<ArrayRef>) -> RecordBatch {
        let mut columns = self.rows.finish().columns().to_vec();
        columns.pop(); // is_latest
        let n_captures = std::mem::take(&mut self.n_captures);
        columns.push(Arc::new(Int64Array::from(n_captures)));
        columns.extend(more);
        RecordBatch::try_new(Arc::clone(&self.table.schema), columns)
            .expect("the columns of resolved, the number of captures and more")
    }
}

pub(super) struct Tables<'r> {
    facts: &'r Facts,
    resolved: ResolvedBuilder,
    origins: CountedRows,
    hosts: CountedRows,
    domains: Domains,
    origin: Option<Best>,
    /// The best capture of the current host, among its origins so far.
    host: Option<Best>,
}

impl<'r> Tables<'r> {
    pub(super) fn new(facts: &'r Facts) -> Self {
        Self {
            facts,
            resolved: ResolvedBuilder::default(),
            origins: CountedRows::new(tables::origins::table()),
            hosts: CountedRows::new(tables::hosts::table()),
            domains: Domains::default(),
            origin: None,
            host: None,
        }
    }

    pub(super) fn fill(
        mut self,
        resolved: &mut Sorter<ResolvedCapture>,
        sink: &mut Sink<'_>,
        stop: &AtomicBool,
    ) -> Result<(), Error> {
        for capture in resolved.read()? {
            self.take(capture?);
            if self.resolved.rows() >= BATCH_ROWS {
                check_stop(stop)?;
                self.hand_over(sink)?;
            }
        }
        self.end_origin();
        self.end_host();
        self.hand_over(sink)
    }

    fn take(&mut self, capture: ResolvedCapture) {
        if let Some(Best { capture: last, .. }) = &self.origin {
            let is_of_host = last.reversed == capture.reversed;
            if !is_of_host || last.origin != capture.origin {
                self.end_origin();
            }
            if !is_of_host {
                self.end_host();
            }
        }
        // The latest capture of an origin comes first.
        let is_latest = self.origin.is_none();
        push(self.facts, &mut self.resolved, &capture, is_latest);
        if let Some(best) = &mut self.origin {
            best.n_captures += 1;
            if origin_rank(&capture) < origin_rank(&best.capture) {
                best.capture = capture;
            }
        } else {
            self.origin = Some(Best {
                capture,
                n_captures: 1,
            });
        }
    }

    fn end_origin(&mut self) {
        let Some(best) = self.origin.take() else {
            return;
        };
        let capture = &best.capture;
        push(self.facts, &mut self.origins.rows, capture, false);
        self.origins.n_captures.push(best.n_captures);
        let host = self.host.as_ref();
        // Among equals, the first by name counts.
        if capture.reversed.is_some()
            && host.is_none_or(|host| host_rank(capture) < host_rank(&host.capture))
        {
            self.host = Some(best);
        }
    }

    fn end_host(&mut self) {
        let Some(best) = self.host.take() else {
            return;
        };
        let capture = &best.capture;
        push(self.facts, &mut self.hosts.rows, capture, false);
        self.hosts.n_captures.push(best.n_captures);
        let reversed = capture.reversed.as_deref().unwrap_or_default();
        let domain = capture.registered_domain.as_ref();
        self.domains
            .push(domain.and_then(|it| reversed.get(..it.len())));
    }

    fn hand_over(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        let numbers = Int64Array::from(self.domains.finish());
        sink(tables::resolved::table(), self.resolved.finish())?;
        sink(self.origins.table, self.origins.finish(None))?;
        let hosts = self.hosts.finish(Some(Arc::new(numbers)));
        sink(self.hosts.table, hosts)
    }
}

fn push(facts: &Facts, rows: &mut ResolvedBuilder, capture: &ResolvedCapture, is_latest: bool) {
    let reversed = capture.reversed.as_deref();
    let host = reversed.map(|it| reversed_host(it, capture.tld.is_some()));
    let domain = capture.registered_domain.as_ref().or(host.as_ref());
    let final_url = capture.final_url.as_ref().unwrap_or(&capture.url);
    let (input, offset, inner_offset) = capture.position.0;
    let (input_id, name) = &facts.inputs[input as usize];
    let answer = capture.answer;
    let has_rules =
        (answer.policy_id).is_some_and(|id| !facts.policies_without_rules.contains(&id));
    let has_other_lines =
        (answer.file_id).is_some_and(|id| facts.files_of_other_lines.contains(&id));
    rows.push(ResolvedRow {
        input_id: *input_id,
        warc_filename: name.as_bytes(),
        warc_record_offset: offset,
        warc_record_inner_offset: inner_offset,
        url: capture.url.as_bytes(),
        origin: capture.origin.as_bytes(),
        url_protocol: capture.protocol.as_deref().map(str::as_bytes),
        url_host_name: host.as_deref().map(str::as_bytes),
        url_host_name_reversed: reversed.map(str::as_bytes),
        url_host_tld: capture.tld.as_deref().map(str::as_bytes),
        url_host_registered_domain: capture.registered_domain.as_deref().map(str::as_bytes),
        domain: domain.map(String::as_bytes),
        url_port: port(capture),
        fetch_time: capture.time.0,
        fetch_status: capture.status,
        fetch_redirect_url: capture.redirect_url.as_deref().map(str::as_bytes),
        n_redirects: capture.n_redirects,
        ended: capture.ended.name(),
        final_url: final_url.as_bytes(),
        final_status: answer.status,
        file_id: answer.file_id,
        policy_id: answer.policy_id,
        response_class: answer.class().name(),
        is_settled: answer.is_settled(),
        has_lines: has_rules || has_other_lines,
        has_rules,
        is_latest,
    });
}
