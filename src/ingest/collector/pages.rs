//! Rows of pages.

use robots_dialects::identity::Id;
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::sink::Position;
use warc_recovery::warc::{RecordHead, RecordType};

use super::Collector;
use crate::dataset::known::Collision;
use crate::ingest::page::{self, Page};
use crate::ingest::rows::push_page_policy;

impl Collector<'_> {
    fn page(&mut self, position: Position, page: &Page<'_>) {
        self.tally.pages += 1;
        let policy = page.policy.as_deref().map(|form| self.page_policy(form));
        let policy = policy.transpose().unwrap_or_else(|collision| {
            self.collision.get_or_insert(collision);
            None
        });
        page.push(&mut self.builders.pages, self.input, position, policy);
    }

    /// The id of the policy with this canonical form; rows for it if it is new.
    fn page_policy(&mut self, canonical: &[u8]) -> Result<i64, Collision> {
        let id = Id::of(canonical);
        match self.new_page_policies.get(&id.low) {
            Some(high) if *high == id.high => return Ok(id.low),
            Some(_) => return Err(Collision(id.low)),
            None => {}
        }
        if self.known.page_policies.get(id)?.is_none() {
            push_page_policy(&mut self.builders, id, canonical);
            self.page_policies.push(id);
            self.new_page_policies.insert(id.low, id.high);
        }
        Ok(id.low)
    }

    /// Takes a record as a page, if it is one.
    pub(super) fn record_of_page(
        &mut self,
        position: Position,
        head: &RecordHead<'_>,
        block: &[u8],
        block_length: u64,
    ) -> bool {
        let links = self.options.links;
        let mut body = Vec::new();
        let page = if head.record_type() == RecordType::Metadata {
            page::read_wat(head, block, block_length, links).unwrap_or_else(|problem| {
                self.bad_extract(position, &problem);
                None
            })
        } else {
            page::read_response(head, block, block_length, links, &mut body)
        };
        if let Some(page) = &page {
            self.page(position, page);
        }
        page.is_some()
    }

    /// Notes a WAT record that cannot be read. Its bytes count as a record.
    fn bad_extract(&mut self, position: Position, problem: &str) {
        self.tally.accounting.damaged_records += 1;
        self.lose(Damage {
            offset: position.offset,
            length: 0,
            kind: DamageKind::Corrupt,
            message: format!("the record is not readable WAT: {problem}"),
        });
    }
}
