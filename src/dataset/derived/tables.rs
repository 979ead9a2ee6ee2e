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

use super::Sink;
use super::capture::FirstCapture;
use super::capture::{effective_port, write_reversed};
use super::domains::Domains;
use super::inputs::Inputs;
use super::populations::Populations;
use super::record::{LastCapture, RecordDecoder, ends};
use super::response::{ResponseClass, is_settled, rank};
use super::sorter::SortedRecords;
use crate::dataset::tables::resolved::{ResolvedBuilder, ResolvedRow};
use crate::dataset::tables::{self, Table};
use crate::error::{Error, check_stop};

/// Rows of a batch.
const BATCH_ROWS: usize = 8192;

/// The rank of a record within its origin: the lowest counts first. If two have the same time, the
/// earlier position wins.
type RecordRank = ((ResponseClass, bool), bool, Reverse<i64>);

/// How a host ranks its origins, before their names: the best response, https, a default port.
type OriginRank = ((ResponseClass, bool), bool, bool);

/// A row of `resolved`: the number of its batch, and its own in that.
type RowAt = (usize, usize);

/// The row that counts for the origin under way.
struct OriginBest {
    row: RowAt,
    standing: RecordRank,
    /// `None` without a host to count for.
    place: Option<OriginRank>,
    /// Captures of the origin.
    n_captures: i64,
}

/// The row that counts for the host under way.
struct HostBest {
    row: RowAt,
    place: OriginRank,
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

    fn push(&mut self, row: RowAt, n_captures: i64) {
        self.rows.push(row);
        self.n_captures.push(n_captures);
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
    /// The key's beginning that names the origin under way, and the end of the host in it.
    origin: Vec<u8>,
    host_end: usize,
    /// Bytes of the registrable domain, with which the key begins, reversed; none where the host is
    /// one of its own.
    domain_end: Option<usize>,
    domains: Domains,
    best: Option<OriginBest>,
    host_best: Option<HostBest>,
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
            resolved: ResolvedBuilder::default(),
            origins: SelectedRows::new(tables::origins::table()),
            hosts: SelectedRows::new(tables::hosts::table()),
            batches: BTreeMap::new(),
            batch: 0,
            origin: Vec::new(),
            host_end: 0,
            domain_end: None,
            domains: Domains::default(),
            best: None,
            host_best: None,
            texts: Texts::default(),
        }
    }

    /// Turns the records of `resolved` into rows.
    pub(super) fn fill(
        mut self,
        resolved: &mut SortedRecords,
        sink: &mut Sink<'_>,
        stop: &AtomicBool,
    ) -> Result<(), Error> {
        while let Some((key, value)) = resolved.advance()? {
            self.take(key, value);
            if self.resolved.rows() >= BATCH_ROWS {
                check_stop(stop)?;
                self.hand_over(sink)?;
            }
        }
        self.end_origin();
        self.end_host();
        self.hand_over(sink)
    }

    fn take(&mut self, key: &[u8], value: &[u8]) {
        let mut from = RecordDecoder(value);
        let asked = FirstCapture::read(&mut from);
        let outcome = LastCapture::read(&mut from);
        let (host_end, origin_end) = ends(key);
        let origin = &key[..origin_end];
        if self.origin != origin {
            self.end_origin();
            if self.origin.get(..self.host_end) != Some(&key[..host_end]) {
                self.end_host();
            }
            self.origin.clear();
            self.origin.extend_from_slice(origin);
            self.host_end = host_end;
            self.domain_end = asked.registered_domain.map(str::len);
        }
        let rank = rank(outcome.answer);
        let time = Reverse(asked.time.unwrap_or_default());
        let standing = (rank, asked.time.is_none(), time);
        let n_captures = self.best.as_ref().map_or(0, |best| best.n_captures) + 1;
        match &mut self.best {
            Some(best) if best.standing <= standing => best.n_captures = n_captures,
            best => {
                let is_usual_port = effective_port(asked.protocol, asked.port)
                    == effective_port(asked.protocol, None);
                let place = (rank, asked.protocol != Some("https"), !is_usual_port);
                *best = Some(OriginBest {
                    row: (self.batch, self.resolved.rows()),
                    standing,
                    place: asked.host.map(|_| place),
                    n_captures,
                });
            }
        }
        let context = (self.inputs, self.populations);
        // Captures of an origin come with the latest first.
        let is_latest = n_captures == 1;
        let row = resolved_row(&asked, &outcome, is_latest, context, &mut self.texts);
        self.resolved.push(row);
    }

    /// Adds the row of the origin under way.
    fn end_origin(&mut self) {
        let Some(best) = self.best.take() else {
            return;
        };
        self.origins.push(best.row, best.n_captures);
        let Some(place) = best.place else {
            return;
        };
        // Of equals the first by name counts.
        if self
            .host_best
            .as_ref()
            .is_none_or(|host| place < host.place)
        {
            self.host_best = Some(HostBest {
                row: best.row,
                place,
                n_captures: best.n_captures,
            });
        }
    }

    /// Adds the row of the host whose last origin has ended.
    fn end_host(&mut self) {
        if let Some(host) = self.host_best.take() {
            self.hosts.push(host.row, host.n_captures);
            let domain = self.domain_end.and_then(|end| self.origin.get(..end));
            self.domains.push(domain);
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
        let best = self.best.as_ref().map(|best| best.row.0);
        let host_best = self.host_best.as_ref().map(|host| host.row.0);
        self.batches
            .retain(|number, _| [best, host_best].contains(&Some(*number)));
        Ok(())
    }
}

/// The columns of `resolved` that the other tables have, too: all but the last, `is_latest`.
fn shared_columns(resolved: &RecordBatch) -> RecordBatch {
    let shared: Vec<usize> = (0..resolved.num_columns() - 1).collect();
    resolved.project(&shared).expect("columns that it has")
}

/// The row of a resolved capture.
fn resolved_row<'a>(
    asked: &FirstCapture<'a>,
    outcome: &LastCapture<'a>,
    is_latest: bool,
    (inputs, populations): (&'a Inputs, &Populations),
    texts: &'a mut Texts,
) -> ResolvedRow<'a> {
    let Texts { origin, reversed } = texts;
    origin.clear();
    asked.write_origin(origin);
    reversed.clear();
    if let Some(host) = asked.host {
        write_reversed(reversed, host, asked.tld.is_some());
    }
    let (_, name) = inputs.get(asked.input_id).unwrap_or_default();
    let answer = outcome.answer;
    let has_rules = populations.has_rules(answer);
    let bytes = |text: Option<&'a str>| text.map(str::as_bytes);
    ResolvedRow {
        input_id: asked.input_id,
        warc_filename: name.as_bytes(),
        warc_record_offset: asked.offset,
        warc_record_inner_offset: asked.inner_offset,
        url: asked.url.as_bytes(),
        origin: origin.as_bytes(),
        url_protocol: bytes(asked.protocol),
        url_host_name: bytes(asked.host),
        url_host_name_reversed: asked.host.map(|_| reversed.as_bytes()),
        url_host_tld: bytes(asked.tld),
        url_host_registered_domain: bytes(asked.registered_domain),
        domain: bytes(asked.registered_domain.or(asked.host)),
        url_port: effective_port(asked.protocol, asked.port),
        fetch_time: asked.time,
        fetch_status: asked.status,
        fetch_redirect_url: bytes(asked.redirect_url),
        n_redirects: i32::from(outcome.n_redirects),
        ended: outcome.ended.name(),
        final_url: outcome.url.unwrap_or(asked.url).as_bytes(),
        final_status: answer.status,
        file_id: answer.file_id,
        policy_id: answer.policy_id,
        response_class: ResponseClass::of(answer).name(),
        is_settled: is_settled(answer),
        has_lines: has_rules || populations.has_lines(answer),
        has_rules,
        is_latest,
    }
}
