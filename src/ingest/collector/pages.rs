//! Rows of pages.

use robots_dialects::identity::Id;
use warc_recovery::damage::DamageKind;
use warc_recovery::sink::Position;
use warc_recovery::warc::{RecordHead, RecordType};

use super::{Collector, is_new};
use crate::dataset::known::Collision;
use crate::dataset::tables::pages::PageRow;
use crate::dataset::tables::to_bigint;
use crate::ingest::page;
use crate::ingest::rows::push_page_policy;

impl Collector<'_> {
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

    /// The id of the policy with this canonical form; rows for it if it is new.
    fn page_policy(&mut self, canonical: &[u8]) -> Result<i64, Collision> {
        let id = Id::of(canonical);
        let new = &self.findings.new.page_policies;
        if is_new(id, &self.known.page_policies, new)? {
            push_page_policy(&mut self.builders, id, canonical);
        }
        Ok(id.low)
    }

    pub(super) fn record_of_page(
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
}
