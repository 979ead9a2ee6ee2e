//! Rows of an input itself: in `inputs`, and in `damage`.

use warc_recovery::accounting::Accounting;
use warc_recovery::damage::{Damage, DamageKind};

use crate::dataset::tables::inputs::{InputRow, InputsBuilder, NoCaptures};
use crate::dataset::tables::to_bigint;
use crate::ingest::input::content::Content;
use crate::ingest::input::open::OpenInput;
use crate::ingest::tally::Tally;

/// Appends the row of an input of which everything has been read.
pub(super) fn push_input(
    rows: &mut InputsBuilder,
    open: &OpenInput,
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
        bytes: to_bigint(open.bytes()),
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

/// An input that could not be read is one damaged range of `bytes` bytes from `offset` on, even if
/// it is empty.
pub(super) fn not_read(
    offset: u64,
    bytes: u64,
    kind: DamageKind,
    message: &str,
) -> (Tally, Vec<Damage>) {
    let tally = Tally::of(Accounting {
        damaged_bytes: bytes,
        damaged_records: 1,
        ..Accounting::default()
    });
    let damage = Damage {
        offset,
        length: bytes,
        kind,
        message: message.to_owned(),
    };
    (tally, vec![damage])
}

/// The bytes of an index: only its unusable rows are damaged.
pub(super) fn of_index(bytes: u64, unusable: &[Damage]) -> Tally {
    let damaged_bytes = unusable.iter().map(|it| it.length).sum::<u64>().min(bytes);
    Tally::of(Accounting {
        damaged_bytes,
        damaged_records: unusable.len() as u64,
        skipped_bytes: bytes - damaged_bytes,
        ..Accounting::default()
    })
}
