//! Rows of an input itself: in `inputs`, and in `damage`.

use warc_recovery::accounting::Accounting;
use warc_recovery::damage::{Damage, DamageKind};

use super::collector::InputName;
use super::content::Content;
use super::open::Open;
use super::tally::Tally;
use crate::dataset::tables::damage::{DamageBuilder, DamageRow};
use crate::dataset::tables::inputs::{InputRow, InputsBuilder, NoCaptures};
use crate::dataset::tables::to_bigint;

/// Appends the row of an input of which everything has been read.
pub(super) fn push_input(
    rows: &mut InputsBuilder,
    open: &Open,
    tally: &Tally,
    no_captures: Option<NoCaptures>,
) {
    let fingerprint = open.identity.fingerprint;
    let dictionary_id = match &open.content {
        Content::Archive(archive) => {
            let first = archive.parts.first();
            first.and_then(|part| part.container.dictionary_id.map(i64::from))
        }
        _ => None,
    };
    let (origin, drawn) = (open.identity.origin.as_ref(), open.identity.drawn);
    let accounting = &tally.accounting;
    rows.push(InputRow {
        input_id: fingerprint.input_id(),
        fingerprint: fingerprint.to_string().as_bytes(),
        path: open.identity.name.as_bytes(),
        bytes: to_bigint(open.bytes),
        crawl: open.identity.crawl.as_bytes(),
        container: open.content.name().name(),
        dictionary_id,
        records: to_bigint(accounting.records),
        captures: to_bigint(tally.captures),
        no_captures_reason: no_captures.map(NoCaptures::name),
        damaged_records: to_bigint(accounting.damaged_records),
        record_bytes: to_bigint(accounting.record_bytes),
        damaged_bytes: to_bigint(accounting.damaged_bytes),
        skipped_bytes: to_bigint(accounting.skipped_bytes),
        source_url: origin.map(|origin| origin.url.as_bytes()),
        etag: origin.and_then(|origin| Some(origin.etag.as_deref()?.as_bytes())),
        last_modified: origin.and_then(|origin| origin.last_modified),
        sample_of: drawn.map(|drawn| to_bigint(drawn.of)),
        sample_seed: drawn.map(|drawn| to_bigint(drawn.seed)),
    });
}

/// Appends the row of a damaged range.
pub(super) fn push_damage(rows: &mut DamageBuilder, input: InputName<'_>, damage: &Damage) {
    rows.push(DamageRow {
        input_id: input.id,
        warc_filename: input.name.as_bytes(),
        offset: to_bigint(damage.offset),
        length: to_bigint(damage.length),
        kind: damage.kind.name(),
        message: damage.message.as_bytes(),
    });
}

/// What could not be fetched is a damaged range of no bytes, at the `offset` that is wanted first.
pub(super) fn not_fetched(offset: u64, message: &str) -> (Damage, Tally) {
    let (damage, tally) = no_warc(offset, 0, message);
    let kind = DamageKind::NotFetched;
    (Damage { kind, ..damage }, tally)
}

/// Of an index only rows that cannot be used are damaged.
pub(super) fn of_index(bytes: u64, lost: &[Damage]) -> Tally {
    let damaged_bytes = lost.iter().map(|it| it.length).sum::<u64>().min(bytes);
    Tally {
        accounting: Accounting {
            damaged_bytes,
            damaged_records: lost.len() as u64,
            skipped_bytes: bytes - damaged_bytes,
            ..Accounting::default()
        },
        ..Tally::default()
    }
}

/// What is not a WARC is one damaged range, all that was to be read from `offset` on; an empty file
/// too, of no bytes.
pub(super) fn no_warc(offset: u64, bytes: u64, message: &str) -> (Damage, Tally) {
    let damage = Damage {
        offset,
        length: bytes,
        kind: DamageKind::NotWarc,
        message: message.to_owned(),
    };
    let tally = Tally {
        accounting: Accounting {
            damaged_bytes: bytes,
            damaged_records: 1,
            ..Accounting::default()
        },
        ..Tally::default()
    };
    (damage, tally)
}
