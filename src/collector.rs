//! Collecting rows: record after record becomes rows of the tables.
//!
//! The middle of the flow, run by every worker on its own stretch: WARC record → HTTP response →
//! capture → file → policy. What the dataset [knows already](crate::known) gets no rows again. A
//! finished stretch is a [`Chunk`].

use arrow_array::RecordBatch;

use crate::capture::{Capture, Subset};
use crate::dataset::DigestIndex;
use crate::digest;
use crate::known::{Collision, Known};
use crate::policy::Id;
use crate::recovery::Damage;
use crate::robots::{document::Document, limit};
use crate::tables::{Builders, TABLE_COUNT, damage::DamageRow};
use crate::tally::Tally;
use crate::warc::{RecordHead, RecordType};

/// How bodies become rows.
#[derive(Debug, Clone)]
pub struct Options {
    /// Octets of a body that are parsed.
    pub limit: usize,
    /// Rows in `sitemaps` per file.
    pub max_sitemaps: usize,
    /// Whether `files.body` is filled.
    pub keep_bodies: bool,
    /// Whether `captures.digest_valid` is filled.
    pub verify_digests: bool,
}

/// Where a record stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Offset of the record, or of the member or frame that holds it; octets.
    pub offset: u64,
    /// Offset of the record in the decoded member or frame; octets.
    pub inner_offset: u64,
    /// Octets in the file, where the record has them for itself.
    pub length: Option<u64>,
}

/// Rows of one stretch of an input, and what is needed to join them to others in order.
pub struct Chunk {
    /// Rows, in the order of [`tables::all`](crate::tables::all).
    pub batches: [RecordBatch; TABLE_COUNT],
    /// Identities of files with rows in `files`, with their policies, in order.
    pub files: Vec<(Id, i64)>,
    /// Identities of policies with rows in `policies`, in order.
    pub policies: Vec<Id>,
    /// Payload digests met, in order.
    pub digests: Vec<DigestEvent>,
    /// Counts.
    pub tally: Tally,
}

/// A capture's payload digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestEvent {
    /// The capture brought this file.
    Brought {
        /// See [`DigestIndex::key`].
        key: u64,
        /// `files.file_id`.
        file_id: i64,
    },
    /// The capture is a revisit that brought no file of its own.
    Repeats {
        /// See [`DigestIndex::key`].
        key: u64,
        /// Its row in the chunk's `captures`.
        row: usize,
    },
}

/// Buffers that are used from record to record and from chunk to chunk.
#[derive(Default)]
pub struct Scratch {
    body: Vec<u8>,
    canonical: Vec<u8>,
    rows: crate::rows::Scratch,
    /// Rows of each table in the last chunk: the next will have about as many.
    usual_rows: [usize; TABLE_COUNT],
}

/// Collects the rows of one stretch.
pub struct Collector<'a> {
    /// Counts; the readers add octets to it.
    pub tally: Tally,
    input: &'a str,
    subset: Subset,
    options: &'a Options,
    known: &'a Known,
    scratch: &'a mut Scratch,
    builders: Builders,
    files: Vec<(Id, i64)>,
    policies: Vec<Id>,
    digests: Vec<DigestEvent>,
    collision: Option<Collision>,
}

impl<'a> Collector<'a> {
    /// A collector of a stretch of the input named `input`.
    pub fn new(
        input: &'a str,
        subset: Subset,
        options: &'a Options,
        known: &'a Known,
        scratch: &'a mut Scratch,
    ) -> Self {
        Self {
            tally: Tally::default(),
            input,
            subset,
            options,
            known,
            builders: Builders::with_capacity(&scratch.usual_rows),
            scratch,
            files: Vec::new(),
            policies: Vec::new(),
            digests: Vec::new(),
            collision: None,
        }
    }

    /// Which responses become captures.
    #[must_use]
    pub fn subset(&self) -> Subset {
        self.subset
    }

    /// Collects a WARC record; `block` may be the beginning only of `block_length` octets.
    pub fn record(
        &mut self,
        position: Position,
        head: &RecordHead<'_>,
        block: &[u8],
        block_length: u64,
    ) {
        self.tally.records += 1;
        let mut body = std::mem::take(&mut self.scratch.body);
        // One octet over the limit tells that a body is over it.
        if let Some(capture) = Capture::read(
            head,
            block,
            block_length,
            self.subset,
            self.options.limit + 1,
            &mut body,
        ) {
            let digest_valid = (self.options.verify_digests)
                .then(|| digest::verify(head, capture.http(), block))
                .flatten();
            self.capture(position, head, &capture, digest_valid);
        }
        self.scratch.body = body;
    }

    fn capture(
        &mut self,
        position: Position,
        head: &RecordHead<'_>,
        capture: &Capture<'_>,
        digest_valid: Option<bool>,
    ) {
        self.tally.captures += 1;
        self.tally.add_digest(digest_valid);
        self.tally.add_status(capture.status());
        let file = capture
            .robots_body()
            .map(|body| self.file(body, capture.content_length));
        let file = match file.transpose() {
            Ok(file) => file,
            Err(collision) => {
                self.collision.get_or_insert(collision);
                None
            }
        };
        if let Some(digest) = capture.content_digest {
            let key = DigestIndex::key(digest.raw());
            match file {
                Some((file_id, _)) => self.digests.push(DigestEvent::Brought { key, file_id }),
                None if head.record_type() == RecordType::Revisit => {
                    let row = crate::tables::Builder::rows(&self.builders.captures);
                    self.digests.push(DigestEvent::Repeats { key, row });
                }
                None => {}
            }
        }
        capture.push(
            &mut self.builders.captures,
            self.input,
            position,
            head,
            file,
            digest_valid,
        );
    }

    /// The id of the file with this body and that of its policy; rows for them if they are new.
    fn file(&mut self, body: &[u8], content_length: u64) -> Result<(i64, i64), Collision> {
        let parsed = limit::cut(body, self.options.limit);
        let id = Id::of(parsed);
        if let Some(policy_id) = self.known.file(id)? {
            return Ok((id.low, policy_id));
        }
        // Stretches hold few new files: a look through them costs less than a table of them.
        if let Some((_, policy_id)) = self.files.iter().find(|(known, _)| *known == id) {
            return Ok((id.low, *policy_id));
        }
        let document = Document::read(
            parsed,
            self.options.max_sitemaps,
            &mut self.scratch.canonical,
        );
        let policy = Id::of(&self.scratch.canonical);
        let is_over_limit = body.len() > self.options.limit;
        let facts = crate::rows::FileFacts {
            id,
            policy_id: policy.low,
            parsed,
            content_length,
            is_over_limit,
        };
        let rows = &mut self.scratch.rows;
        rows.agents(&document);
        let keep = self.options.keep_bodies;
        crate::rows::push_file(&mut self.builders, rows, &facts, &document, keep);
        self.files.push((id, policy.low));
        if !self.policies.contains(&policy) && !self.known.has_policy(policy)? {
            let canonical = &self.scratch.canonical;
            crate::rows::push_policy(
                &mut self.builders,
                rows,
                policy,
                id.low,
                &document,
                canonical,
            );
            self.policies.push(policy);
        }
        Ok((id.low, policy.low))
    }

    /// Notes a damaged stretch; the reader has counted it.
    pub fn damage(&mut self, damage: &Damage) {
        self.builders.damage.push(DamageRow {
            warc_filename: self.input.as_bytes(),
            offset: signed(damage.offset),
            length: signed(damage.length),
            kind: damage.kind,
            message: damage.message.as_bytes(),
        });
    }

    /// Ends the stretch.
    pub fn finish(mut self) -> Result<Chunk, Collision> {
        if let Some(collision) = self.collision {
            return Err(collision);
        }
        let batches = self.builders.finish();
        self.scratch.usual_rows = batches.each_ref().map(RecordBatch::num_rows);
        Ok(Chunk {
            batches,
            files: self.files,
            policies: self.policies,
            digests: self.digests,
            tally: self.tally,
        })
    }
}

/// An offset or length as a BIGINT.
#[must_use]
pub fn signed(octets: u64) -> i64 {
    i64::try_from(octets).unwrap_or(i64::MAX)
}
