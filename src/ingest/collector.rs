//! Collecting rows: record after record becomes rows of the tables.
//!
//! Run by every worker on its own split: WARC record → HTTP response → capture → file → policy.
//! Files and policies that the dataset [has already](crate::dataset::known) get no new rows.

use crate::dataset::known::{Collision, KnownIds, KnownRows};
use crate::dataset::tables::files::FileRow;
use crate::dataset::tables::pages::PageRow;
use crate::dataset::tables::{Batches, Builders, to_bigint, to_int};
use crate::dataset::{Settings, digest_key};
use crate::ingest::capture::{Capture, is_response, may_be_capture};
use crate::ingest::corpus::Fetch;
use crate::ingest::input::subset::Subset;
use crate::ingest::page::{self, Pages, is_wat};
use crate::ingest::rows::{InputName, push_damage, push_file, push_page_policy, push_policy};
use crate::ingest::tally::Tally;
use robots_dialects::agents::Agents;
use robots_dialects::identity::Id;
use robots_dialects::platform::Authors;
use robots_dialects::{document::Document, limit};
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::digest;
use warc_recovery::header_fields::FieldValue;
use warc_recovery::sink::{Position, RecordSink};
use warc_recovery::warc::{RecordHead, RecordType};

#[derive(Debug, Clone)]
pub struct CollectorOptions {
    pub settings: Settings,
    /// Whether `captures.digest_valid` is filled.
    pub verify_digests: bool,
    pub pages: Pages,
    pub links: bool,
}

/// Rows of one split of an input, or of one batch of its recovery.
pub struct SplitRows {
    pub batches: Batches,
    pub findings: Findings,
}

/// Counts of a split, and what is needed to join its rows to the others in order.
#[derive(Default)]
pub struct Findings {
    /// Files and policies that were not known, and have rows.
    pub new: KnownRows,
    pub digests: Vec<DigestEvent>,
    /// Damage that the readers did not report.
    pub reported: Vec<Damage>,
    /// The readers add the bytes.
    pub tally: Tally,
}

/// The payload digest of a capture that brought a file, or of a revisit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigestEvent {
    /// See [`digest_key`].
    pub key: u64,
    /// `files.file_id`; `None` for a revisit without a file of its own.
    pub file_id: Option<i64>,
    /// Number of the capture's row in the split's `captures`.
    pub row: usize,
}

pub struct Collector<'a> {
    pub findings: Findings,
    input: InputName<'a>,
    subset: Subset,
    pages: Pages,
    options: &'a CollectorOptions,
    known: &'a KnownRows,
    builders: Builders,
    collision: Option<Collision>,
}

impl<'a> Collector<'a> {
    pub fn new(
        input: InputName<'a>,
        subset: Subset,
        options: &'a CollectorOptions,
        known: &'a KnownRows,
    ) -> Self {
        Self {
            findings: Findings::default(),
            input,
            subset,
            pages: options.pages.of(subset),
            options,
            known,
            builders: Builders::default(),
            collision: None,
        }
    }

    fn capture(
        &mut self,
        position: Position,
        head: &RecordHead<'_>,
        capture: &Capture<'_>,
        digest_valid: Option<bool>,
    ) {
        let tally = &mut self.findings.tally;
        tally.captures += 1;
        tally.valid_digests += u64::from(digest_valid == Some(true));
        tally.invalid_digests += u64::from(digest_valid == Some(false));
        tally.add_status(capture.status());
        let body = capture.robots_body();
        let file = body.map(|body| self.file(body, capture.file_length));
        let file = file.and_then(|file| self.unless_collision(file));
        if let Some(key) = capture.content_digest.and_then(|it| digest_key(it.raw()))
            && (file.is_some()
                || head.record_type() == RecordType::Revisit && capture.may_have_file())
        {
            self.findings.digests.push(DigestEvent {
                key,
                file_id: file.map(|(file_id, _)| file_id),
                row: self.builders.captures.rows(),
            });
        }
        let rows = &mut self.builders.captures;
        capture.push(rows, self.input, position, head, file, digest_valid);
    }

    fn unless_collision<T>(&mut self, found: Result<T, Collision>) -> Option<T> {
        match found {
            Ok(ids) => Some(ids),
            Err(collision) => {
                self.collision.get_or_insert(collision);
                None
            }
        }
    }

    /// The ids of the file with this body and of its policy. Adds rows for them if they are new.
    fn file(&mut self, body: &[u8], content_length: u64) -> Result<(i64, i64), Collision> {
        let parsed = limit::cut(body, self.options.settings.limit);
        let identified = limit::identified(body, self.options.settings.limit);
        let id = Id::of(identified);
        for known in [self.known, &self.findings.new] {
            if let Some(policy_id) = known.files.get(id)? {
                return Ok((id.low, policy_id));
            }
        }
        let document = Document::read(parsed, self.options.settings.max_sitemaps);
        let canonical = document.canonical_form();
        let policy = Id::of(&canonical);
        let authors = Authors::of(parsed, &document, policy);
        let owner_document = authors.owner_body().map(|body| Document::read(body, 0));
        let owner_canonical = owner_document.as_ref().map(Document::canonical_form);
        let owner_policy = owner_canonical.as_deref().map_or(policy, Id::of);
        let agents = Agents::of(&document);
        let row = FileRow {
            file_id: id.low,
            file_id_high: id.high,
            policy_id: policy.low,
            owner_policy_id: owner_policy.low,
            content_length: to_bigint(content_length),
            is_over_limit: body.len() > self.options.settings.limit,
            n_agents: to_int(agents.len()),
            body: self.options.settings.keep_bodies.then_some(parsed),
            ..FileRow::default()
        };
        let (rows, new) = (&mut self.builders, &self.findings.new);
        push_file(rows, row, &authors, &document, parsed, identified);
        new.files.add(id, policy.low)?;
        if is_new(policy, &self.known.policies, &new.policies)? {
            push_policy(rows, policy, id.low, &document, &agents, &canonical);
        }
        if let (Some(document), Some(canonical)) = (owner_document, owner_canonical)
            && is_new(owner_policy, &self.known.policies, &new.policies)?
        {
            let agents = Agents::of(&document);
            push_policy(rows, owner_policy, id.low, &document, &agents, &canonical);
        }
        Ok((id.low, policy.low))
    }

    fn page(&mut self, position: Position, page: PageRow<'_>, policy: Option<&[u8]>) {
        self.findings.tally.pages += 1;
        let policy = policy.map(|form| self.page_policy(form));
        let page_policy_id = policy.and_then(|it| self.unless_collision(it));
        self.builders.pages.push(PageRow {
            input_id: self.input.id,
            warc_filename: self.input.name.as_bytes(),
            warc_record_offset: to_bigint(position.offset),
            warc_record_length: position.length.map(to_bigint),
            warc_record_inner_offset: to_bigint(position.inner_offset),
            page_policy_id,
            ..page
        });
    }

    fn page_policy(&mut self, canonical: &[u8]) -> Result<i64, Collision> {
        let id = Id::of(canonical);
        let new = &self.findings.new.page_policies;
        if is_new(id, &self.known.page_policies, new)? {
            push_page_policy(&mut self.builders, id, canonical);
        }
        Ok(id.low)
    }

    fn record_of_page(
        &mut self,
        position: Position,
        head: &RecordHead<'_>,
        block: &[u8],
        block_length: u64,
    ) -> bool {
        let (links, before) = (self.options.links, self.findings.tally.pages);
        let mut take = |page: PageRow<'_>, policy: Option<&[u8]>| self.page(position, page, policy);
        if head.record_type() == RecordType::Metadata {
            if let Err(problem) = page::read_wat(head, block, block_length, links, &mut take) {
                let message = format!("the record is not readable WAT: {problem}");
                self.lose_record(position, DamageKind::Corrupt, message);
            }
        } else {
            page::read_response(head, block, block_length, links, &mut take);
        }
        self.findings.tally.pages > before
    }

    /// Collects a fetch from a corpus; its bytes have been counted.
    pub(super) fn fetch(&mut self, position: Position, fetch: &Fetch) {
        self.findings.tally.invalid_statuses += u64::from(fetch.has_odd_status);
        let (mut head, mut block) = (Vec::new(), Vec::new());
        fetch.write(&mut head, &mut block);
        match RecordHead::parse(&head) {
            Ok(parsed) if self.wants(&parsed) => {
                self.record(position, &parsed, &block, block.len() as u64);
            }
            Ok(parsed) => self.pass_over(&parsed),
            Err(error) => {
                let message = "the URL, media type or IP address is too long".to_owned();
                self.lose_record(position, error.into(), message);
            }
        }
    }

    /// Notes a damaged range that was counted but not yet reported to the run.
    pub(super) fn lose(&mut self, damage: Damage) {
        self.damage(&damage);
        self.findings.reported.push(damage);
    }

    /// Notes a damaged range that was not counted.
    pub(super) fn count_and_lose(&mut self, damage: Damage) {
        let accounting = &mut self.findings.tally.accounting;
        accounting.damaged_records += 1;
        accounting.damaged_bytes += damage.length;
        self.lose(damage);
    }

    /// Notes a record that cannot be used. Its bytes count as a record.
    fn lose_record(&mut self, position: Position, kind: DamageKind, message: String) {
        self.count_and_lose(Damage {
            offset: position.offset,
            length: 0,
            kind,
            message,
        });
    }

    /// Fails if an id of the split has the same low 64 bits as another known id.
    pub fn finish(mut self) -> Result<SplitRows, Collision> {
        match self.collision {
            Some(collision) => Err(collision),
            None => Ok(SplitRows {
                batches: self.builders.finish(),
                findings: self.findings,
            }),
        }
    }
}

/// Whether an id is neither `known` nor among the `new` ids, to which it is added.
fn is_new(id: Id, known: &KnownIds<()>, new: &KnownIds<()>) -> Result<bool, Collision> {
    Ok(known.get(id)?.is_none() && new.add(id, ())?)
}

impl RecordSink for Collector<'_> {
    fn wants(&self, head: &RecordHead<'_>) -> bool {
        match self.pages {
            Pages::No => may_be_capture(head, self.subset),
            Pages::Also | Pages::Only => is_response(head) || is_wat(head),
        }
    }

    fn pass_over(&mut self, head: &RecordHead<'_>) {
        self.findings.tally.passed_over += u64::from(is_response(head));
        self.findings.tally.passed_over_bytes += head.content_length();
    }

    fn record(
        &mut self,
        position: Position,
        head: &RecordHead<'_>,
        block: &[u8],
        block_length: u64,
    ) {
        if self.pages != Pages::No {
            let is_taken = self.record_of_page(position, head, block, block_length)
                || head.record_type() == RecordType::Metadata
                || (self.pages == Pages::Only && head.target_uri().is_some());
            if is_taken {
                return;
            }
        }
        let mut body = Vec::new();
        // A body is over the limit if one byte more than the limit can be read.
        if let Some(capture) = Capture::read(
            head,
            block,
            block_length,
            self.subset,
            self.options.settings.limit + 1,
            &mut body,
        ) {
            let digest_valid = (self.options.verify_digests)
                .then(|| digest::verify(head, capture.http.as_ref(), block))
                .flatten();
            self.capture(position, head, &capture, digest_valid);
        } else if head.target_uri().is_none() {
            let id = head.record_id().map(FieldValue::to_text);
            let message = format!(
                "the {} record {} has no WARC-Target-URI, so it is not a capture",
                head.record_type().name(),
                id.as_deref().unwrap_or("there"),
            );
            self.findings.tally.no_target_uri += 1;
            self.lose_record(position, DamageKind::NoTargetUri, message);
        } else {
            self.findings.tally.passed_over += 1;
        }
    }

    /// Notes a damaged range; the reader has counted it.
    fn damage(&mut self, damage: &Damage) {
        push_damage(&mut self.builders.damage, self.input, damage);
    }
}
