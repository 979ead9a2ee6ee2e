//! From resolved captures in order to the rows of `resolved`, `origins` and `hosts`.
//!
//! Captures of one origin follow each other, and so do the origins of one host: one pass finds
//! which row counts for each. Only rows of `resolved` are built value by value; the other two
//! tables take rows from it, column by column.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_select::interleave::interleave_record_batch;

use super::capture::{ResolvedCapture, effective_port, reversed_host};
use super::domains::Domains;
use super::populations::Populations;
use super::response::{ResponseClass, is_settled, rank};
use super::sorter::SortedRecords;
use super::{Inputs, Sink};
use crate::dataset::tables::resolved::{ResolvedBuilder, ResolvedRow};
use crate::dataset::tables::{self, Table};
use crate::error::{Error, check_stop};

/// Rows of a batch.
const BATCH_ROWS: usize = 8192;

/// The rank of a record within its origin: the lowest counts first. If two have the same time, the
/// earlier position wins.
type RecordRank = ((ResponseClass, bool), Reverse<Option<i64>>);

/// How a host ranks its origins, before their names: the best response, https, a default port.
type OriginRank = ((ResponseClass, bool), bool, bool);

/// A row of `resolved`: the number of its batch, and its own in that.
type RowAt = (usize, usize);

/// The row that counts for the origin or the host under way.
struct Best {
    row: RowAt,
    standing: RecordRank,
    place: OriginRank,
    /// Captures of the origin.
    n_captures: i64,
}

/// Rows of `resolved` that are rows of another table, too.
struct SelectedRows {
    table: &'static Table,
    rows: Vec<RowAt>,
    n_captures: Vec<i64>,
}

impl SelectedRows {
    fn new(table: &'static Table) -> Self {
        Self {
            table,
            rows: Vec::new(),
            n_captures: Vec::new(),
        }
    }

    fn push(&mut self, best: &Best) {
        self.rows.push(best.row);
        self.n_captures.push(best.n_captures);
    }

    /// Takes the rows, which `batches` have, and gives them further columns, `more`.
    fn finish(
        &mut self,
        batches: &BTreeMap<usize, RecordBatch>,
        more: Option<ArrayRef>,
    ) -> RecordBatch {
        if self.rows.is_empty() {
            return RecordBatch::new_empty(Arc::clone(&self.table.schema));
        }
        let numbers: Vec<usize> = batches.keys().copied().collect();
        let place = |(batch, row): RowAt| (numbers.partition_point(|it| *it < batch), row);
        let rows: Vec<(usize, usize)> = self.rows.drain(..).map(place).collect();
        let batches: Vec<&RecordBatch> = batches.values().collect();
        let rows = interleave_record_batch(&batches, &rows).expect("batches of one schema");
        let mut columns = rows.columns().to_vec();
        let n_captures = std::mem::take(&mut self.n_captures);
        columns.push(Arc::new(Int64Array::from(n_captures)));
        columns.extend(more);
        RecordBatch::try_new(Arc::clone(&self.table.schema), columns)
            .expect("the columns of resolved, the number of captures and more")
    }
}

/// Fills the three tables.
pub(super) struct Tables<'r> {
    inputs: &'r Inputs,
    populations: &'r Populations,
    resolved: ResolvedBuilder,
    origins: SelectedRows,
    hosts: SelectedRows,
    /// The batches of `resolved` that have rows of the other tables, by their numbers.
    batches: BTreeMap<usize, RecordBatch>,
    /// The number of the batch under way.
    batch: usize,
    /// The last capture of the origin under way.
    last: Option<ResolvedCapture>,
    domains: Domains,
    best: Option<Best>,
    host_best: Option<Best>,
}

impl<'r> Tables<'r> {
    pub(super) fn new(inputs: &'r Inputs, populations: &'r Populations) -> Self {
        Self {
            inputs,
            populations,
            resolved: ResolvedBuilder::default(),
            origins: SelectedRows::new(tables::origins::table()),
            hosts: SelectedRows::new(tables::hosts::table()),
            batches: BTreeMap::new(),
            batch: 0,
            last: None,
            domains: Domains::default(),
            best: None,
            host_best: None,
        }
    }

    /// Turns resolved captures into rows.
    pub(super) fn fill(
        mut self,
        resolved: &SortedRecords<ResolvedCapture>,
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
        if let Some(last) = &self.last {
            let is_of_host = last.reversed == capture.reversed;
            if !is_of_host || last.origin != capture.origin {
                self.end_origin();
            }
            if !is_of_host {
                self.end_host();
            }
        }
        let protocol = capture.protocol.as_deref();
        let port = effective_port(protocol, capture.port);
        let rank = rank(capture.answer);
        let standing = (rank, capture.time);
        let n_captures = self.best.as_ref().map_or(0, |best| best.n_captures) + 1;
        match &mut self.best {
            Some(best) if best.standing <= standing => best.n_captures = n_captures,
            best => {
                let is_usual_port = port == effective_port(protocol, None);
                *best = Some(Best {
                    row: (self.batch, self.resolved.rows()),
                    standing,
                    place: (rank, protocol != Some("https"), !is_usual_port),
                    n_captures,
                });
            }
        }
        let reversed = capture.reversed.as_deref();
        let host = reversed.map(|it| reversed_host(it, capture.tld.is_some()));
        let domain = capture.registered_domain.as_ref().or(host.as_ref());
        let final_url = capture.final_url.as_ref().unwrap_or(&capture.url);
        let (input_id, name) = self.inputs.get(capture.position.0);
        let answer = capture.answer;
        let has_rules = self.populations.has_rules(answer);
        self.resolved.push(ResolvedRow {
            input_id,
            warc_filename: name.as_bytes(),
            warc_record_offset: capture.position.1,
            warc_record_inner_offset: capture.position.2,
            url: capture.url.as_bytes(),
            origin: capture.origin.as_bytes(),
            url_protocol: protocol.map(str::as_bytes),
            url_host_name: host.as_deref().map(str::as_bytes),
            url_host_name_reversed: reversed.map(str::as_bytes),
            url_host_tld: capture.tld.as_deref().map(str::as_bytes),
            url_host_registered_domain: capture.registered_domain.as_deref().map(str::as_bytes),
            domain: domain.map(String::as_bytes),
            url_port: port,
            fetch_time: capture.time.0,
            fetch_status: capture.status,
            fetch_redirect_url: capture.redirect_url.as_deref().map(str::as_bytes),
            n_redirects: capture.n_redirects,
            ended: capture.ended.name(),
            final_url: final_url.as_bytes(),
            final_status: answer.status,
            file_id: answer.file_id,
            policy_id: answer.policy_id,
            response_class: ResponseClass::of(answer).name(),
            is_settled: is_settled(answer),
            has_lines: has_rules || self.populations.has_lines(answer),
            has_rules,
            // Captures of an origin come with the latest first.
            is_latest: n_captures == 1,
        });
        self.last = Some(capture);
    }

    /// Adds the row of the origin under way.
    fn end_origin(&mut self) {
        let Some(best) = self.best.take() else {
            return;
        };
        self.origins.push(&best);
        let has_host = self.last.as_ref().is_some_and(|it| it.reversed.is_some());
        let host_best = self.host_best.as_ref();
        // Of equals the first by name counts.
        if has_host && host_best.is_none_or(|host| best.place < host.place) {
            self.host_best = Some(best);
        }
    }

    /// Adds the row of the host whose last origin has ended.
    fn end_host(&mut self) {
        if let (Some(best), Some(last)) = (self.host_best.take(), &self.last) {
            self.hosts.push(&best);
            let reversed = last.reversed.as_deref().unwrap_or_default();
            let domain = last.registered_domain.as_ref();
            self.domains
                .push(domain.and_then(|it| reversed.get(..it.len())));
        }
    }

    /// Hands the rows that are ready to `sink`.
    fn hand_over(&mut self, sink: &mut Sink<'_>) -> Result<(), Error> {
        let resolved = self.resolved.finish();
        self.batches.insert(self.batch, shared_columns(&resolved));
        self.batch += 1;
        sink(tables::resolved::table(), resolved)?;
        sink(self.origins.table, self.origins.finish(&self.batches, None))?;
        let numbers: ArrayRef = Arc::new(Int64Array::from(self.domains.finish()));
        sink(
            self.hosts.table,
            self.hosts.finish(&self.batches, Some(numbers)),
        )?;
        let open = [&self.best, &self.host_best];
        let open = open.map(|best| best.as_ref().map(|it| it.row.0));
        self.batches
            .retain(|number, _| open.contains(&Some(*number)));
        Ok(())
    }
}

/// The columns of `resolved` that the other tables have, too: all but the last, `is_latest`.
fn shared_columns(resolved: &RecordBatch) -> RecordBatch {
    let shared: Vec<usize> = (0..resolved.num_columns() - 1).collect();
    resolved.project(&shared).expect("columns that it has")
}
