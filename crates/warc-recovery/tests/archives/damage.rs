//! Damage costs only the damaged record, and every byte is accounted for.
//!
//! A small crawl is cut and flipped at many places, in every packing, and bytes are deleted from
//! it. By default only some places are tried; `WARC_RECOVERY_SWEEP=1` tries every byte.

use warc_recovery::recovery::MAX_BLOCK_BYTES;

use crate::packing::{self, Packing};
use crate::read::{self, Contents};

const RECORDS: usize = 6;

/// The packings in which every record is a separate unit.
const PER_RECORD: [Packing; 5] = [
    Packing::Plain,
    Packing::GzipPerRecord,
    Packing::ZstdPerRecord,
    Packing::ZstdUnchecked,
    Packing::ZstdDictionary,
];

fn crawl() -> Vec<Vec<u8>> {
    crawl_of(packing::response)
}

/// The same crawl as WARC and as ARC.
fn crawls() -> [Vec<Vec<u8>>; 2] {
    [crawl(), crawl_of(packing::arc_response)]
}

fn crawl_of(response: fn(usize, &str, &[u8]) -> Vec<u8>) -> Vec<Vec<u8>> {
    let body =
        |number: usize| format!("User-agent: *\nDisallow: /{number}\n").repeat(number * 3 + 1);
    (0..RECORDS)
        .map(|number| {
            response(
                number,
                &format!("http://h{number}.example/robots.txt"),
                body(number).as_bytes(),
            )
        })
        .collect()
}

/// Checks variants of `bytes`, each with the place where it was changed; by default only every
/// `step`th place.
fn sweep(
    bytes: &[u8],
    step: usize,
    change: impl Fn(&[u8], usize) -> Vec<u8>,
    check: impl Fn(usize, &Contents),
) {
    let is_full = std::env::var_os("WARC_RECOVERY_SWEEP").is_some();
    let step = if is_full { 1 } else { step };
    for at in (0..bytes.len()).step_by(step) {
        check(at, &read::bytes(&change(bytes, at)));
    }
}

fn cut(bytes: &[u8], at: usize) -> Vec<u8> {
    bytes[..at].to_vec()
}

fn flip(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut flipped = bytes.to_vec();
    flipped[at] ^= 1 << (at % 8);
    flipped
}

/// Where each unit ends in a packing with one record per unit.
fn ends(packing: Packing, records: &[Vec<u8>]) -> Vec<usize> {
    (1..=records.len())
        .map(|count| packing.pack(&records[..count]).len())
        .collect()
}

#[test]
fn a_cut_keeps_every_whole_record_before_it() {
    for (records, packing) in crawls()
        .iter()
        .flat_map(|it| PER_RECORD.map(|packing| (it, packing)))
    {
        let ends = ends(packing, records);
        sweep(&packing.pack(records), 7, cut, |at, found| {
            let whole = ends.iter().filter(|end| **end <= at).count() as u64;
            // If the cut is in the line endings after a plain record, the record itself is whole.
            let most = whole + u64::from(packing == Packing::Plain);
            assert!(
                (whole..=most).contains(&found.accounting.records),
                "{packing:?} cut at {at}: {found:?}"
            );
            // After a cut where a unit ends, the file is intact.
            let is_clean = (at > 0 && ends.contains(&at)) || at == packing.preamble();
            assert!(
                is_clean
                    || found.accounting.damaged_records == 1
                    || found.accounting.records > whole,
                "{packing:?} cut at {at}: {found:?}"
            );
        });
    }
}

#[test]
fn a_flipped_bit_costs_one_record_at_most() {
    for (records, packing) in crawls()
        .iter()
        .flat_map(|it| PER_RECORD.map(|packing| (it, packing)))
    {
        let preamble = packing.preamble();
        sweep(&packing.pack(records), 7, flip, |at, found| {
            if at < preamble {
                // Without the dictionary no frame can be read: the loss is reported and accounted
                // for.
                assert!(
                    found.accounting.damaged_records > 0
                        || found.accounting.records == RECORDS as u64
                );
                return;
            }
            assert!(
                found.accounting.records + 1 >= RECORDS as u64,
                "{packing:?} flipped at {at}: {found:?}"
            );
            // Damaged deflate data may decode to copies of earlier text, a record head among them:
            // one damaged range can then be reported as two.
            assert!(
                found.accounting.damaged_records <= 2,
                "{packing:?} flipped at {at}: {found:?}"
            );
            let is_lost = found.accounting.records < RECORDS as u64;
            assert!(
                !is_lost || found.accounting.damaged_records > 0,
                "{packing:?} flipped at {at}: {found:?}"
            );
        });
    }
}

/// Lost bytes cost only the records that lose some, even where the bytes after them are taken for
/// theirs: a page that does not compress is a block of a certain length.
#[test]
fn lost_bytes_cost_only_their_records() {
    for is_arc in [false, true] {
        let response = if is_arc {
            packing::arc_response
        } else {
            packing::response
        };
        // If the first unit is damaged and an ARC head is packed as it is, the file looks plain.
        let first = usize::from(is_arc);
        let records: Vec<Vec<u8>> = (0..RECORDS)
            .map(|number| {
                let is_page = number == 1;
                let body = packing::noise(number, if is_page { 9_000 } else { 20 });
                response(number, &format!("http://h{number}.example/"), &body)
            })
            .collect();
        for packing in PER_RECORD {
            // The length of an ARC record may be wrong: bytes of the next frame pass for its own.
            if packing == Packing::ZstdUnchecked && is_arc {
                continue;
            }
            let starts = [packing.preamble()].into_iter();
            let starts: Vec<usize> = starts.chain(ends(packing, &records)).collect();
            let bytes = packing.pack(&records);
            let whole = read::bytes(&bytes);
            let mut lengths = vec![1, 60, 400];
            // A plain record ends where its length says, even if all of the next one is missing
            // from it.
            if packing != Packing::Plain {
                lengths.extend([starts[3] - starts[2], starts[4] - starts[2]]);
            }
            for lost in lengths {
                let without = |bytes: &[u8], at: usize| {
                    [&bytes[..at], &bytes[bytes.len().min(at + lost)..]].concat()
                };
                sweep(&bytes, 61, without, |at, found| {
                    // An ARC head that is cut where a record begins is one line with the next head.
                    let are_joined = is_arc && starts.contains(&(at + lost));
                    if at < starts[first] || packing == Packing::Plain && are_joined {
                        return;
                    }
                    let is_intact = |unit: &[usize]| unit[1] <= at || at + lost <= unit[0];
                    let intact: Vec<_> = std::iter::zip(&whole.records, starts.windows(2))
                        .filter_map(|(record, unit)| is_intact(unit).then_some(record))
                        .collect();
                    let is_read = |record: &read::Record| {
                        let mut found = found.records.iter();
                        found.any(|it| it.uri == record.uri && it.block == record.block)
                    };
                    let missing = intact.iter().find(|record| !is_read(record));
                    assert!(
                        missing.is_none(),
                        "{packing:?} without {lost} at {at}: {missing:?}, {:?}",
                        found.damage
                    );
                    // The parts of two damaged records may look like an intact record.
                    let is_in_one_unit =
                        !starts.iter().any(|start| (at..=at + lost).contains(start));
                    assert!(
                        found.records.len() == RECORDS
                            || !found.damage.is_empty()
                            || !is_in_one_unit,
                        "{packing:?} without {lost} at {at}: {found:?}"
                    );
                });
            }
        }
    }
}

/// What another decoder reads from a damaged file, from its start to where it gives up.
fn decoded(packing: Packing, bytes: &[u8]) -> Vec<u8> {
    use std::io::Read as _;
    let mut decoder: Box<dyn std::io::Read + '_> = match packing {
        Packing::ZstdThrees => match zstd::stream::read::Decoder::new(bytes) {
            Ok(decoder) => Box::new(decoder),
            Err(_) => return Vec::new(),
        },
        _ => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
    };
    let mut data = Vec::new();
    // What was read before an error stays.
    let _ = decoder.read_to_end(&mut data);
    data
}

/// A file of units that several records share, and where each unit ends in the file and in the
/// records.
fn shared_units(packing: Packing, records: &[Vec<u8>]) -> (Vec<u8>, Vec<(usize, usize)>) {
    let whole = records.concat();
    let pieces: Vec<Vec<Vec<u8>>> = match packing {
        Packing::ZstdThrees => records.chunks(3).map(<[_]>::to_vec).collect(),
        Packing::GzipBlocks => whole
            .chunks(1000)
            .map(|piece| vec![piece.to_vec()])
            .collect(),
        _ => vec![records.to_vec()],
    };
    let (mut bytes, mut ends, mut inner) = (Vec::new(), Vec::new(), 0);
    for piece in pieces {
        bytes.extend(packing.pack(&piece));
        inner += piece.concat().len();
        ends.push((bytes.len(), inner));
    }
    assert_eq!(bytes, packing.pack(records));
    (bytes, ends)
}

/// If records share a unit, the records that another decoder reads before the damage are kept, and
/// so are the records in later units.
#[test]
fn damage_in_a_unit_of_many_records_spares_what_can_be_read() {
    for records in crawls() {
        spared(&records);
    }
}

fn spared(records: &[Vec<u8>]) {
    let whole = records.concat();
    let mut spans = Vec::new();
    for record in records {
        let start = spans.last().map_or(0, |(_, end)| *end);
        spans.push((start, start + record.len()));
    }
    for packing in [Packing::GzipWhole, Packing::GzipBlocks, Packing::ZstdThrees] {
        let (bytes, units) = shared_units(packing, records);
        for change in [flip, cut] {
            sweep(&bytes, 7, change, |at, found| {
                let variant = change(&bytes, at);
                let decoded = decoded(packing, &variant);
                let sound = decoded
                    .iter()
                    .zip(&whole)
                    .take_while(|(a, b)| a == b)
                    .count();
                let before = spans.iter().filter(|(_, end)| *end <= sound).count();
                let is_cut = variant.len() < bytes.len();
                // Only the damage itself follows a cut.
                let behind = if is_cut {
                    whole.len()
                } else {
                    units
                        .iter()
                        .find(|(end, _)| *end > at)
                        .map_or(0, |unit| unit.1)
                };
                let after = spans
                    .iter()
                    .filter(|(start, end)| *start >= behind && *end > sound)
                    .count();
                let records = usize::try_from(found.accounting.records).expect("few");
                // A record may be lost if reading fails exactly at its end: the data end there, or
                // the unit's checksum is wrong.
                let is_checksum = units
                    .iter()
                    .any(|(end, _)| (at..at + 8).contains(&(end - 1)));
                let fails_at_end = spans.iter().any(|(_, end)| *end == decoded.len());
                let in_doubt = usize::from(is_checksum || fails_at_end);
                assert!(
                    records + in_doubt >= before + after,
                    "{packing:?} changed at {at}: {before} before, {after} after, {found:?}"
                );
                assert!(records <= RECORDS, "{packing:?} changed at {at}: {found:?}");
                let is_told = if is_cut {
                    records < RECORDS || at + 8 >= bytes.len()
                } else {
                    records == RECORDS || found.accounting.damaged_records > 0
                };
                assert!(is_told, "{packing:?} changed at {at}: {found:?}");
            });
        }
    }
}

#[test]
fn members_inside_a_body_are_not_taken_for_records() {
    // A page that is itself a stored WARC: gzip heads and records in the middle of a member.
    for (crawl, response) in crawls()
        .into_iter()
        .zip([packing::response, packing::arc_response])
    {
        let inner = Packing::GzipPerRecord.pack(&crawl);
        let page = response(100, "http://a.example/robots.txt", &inner.repeat(2000));
        check_whole(&[vec![page], crawl].concat());
    }
}

fn check_whole(records: &[Vec<u8>]) {
    for packing in Packing::ALL {
        // Stored uncompressed, so that the bytes of the inner members really occur in the file.
        let bytes = if packing == Packing::GzipPerRecord {
            packing::stored(records)
        } else {
            packing.pack(records)
        };
        let found = read::bytes(&bytes);
        assert_eq!(found.accounting.records, 7, "{packing:?}");
        assert_eq!(found.damage, [], "{packing:?}");
    }
}

/// The first block of a frame has up to 128 KiB, and a decoder outputs nothing before it has the
/// whole block, so recovery must look that far ahead.
#[test]
fn a_record_of_random_bytes_is_found_behind_damage() {
    let noise = packing::noise(1, 300_000);
    let records: Vec<Vec<u8>> = (0..3)
        .map(|number| {
            let url = format!("http://h{number}.example/robots.txt");
            packing::response(number, &url, &noise)
        })
        .collect();
    for packing in PER_RECORD {
        let mut bytes = packing.pack(&records);
        bytes[packing.preamble() + 2000] ^= 0xff;
        if packing != Packing::Plain {
            bytes[packing.preamble() + 150_000] ^= 0xff;
        }
        let found = read::bytes(&bytes);
        let is_checked = !matches!(packing, Packing::Plain | Packing::ZstdUnchecked);
        let lost = u64::from(is_checked);
        assert_eq!(found.accounting.records, 3 - lost, "{packing:?}: {found:?}");
        assert_eq!(
            found.accounting.damaged_records, lost,
            "{packing:?}: {found:?}"
        );
    }
}

/// A record's body holds other containers. After damage before or in the record, its content is
/// either part of a damaged range or read where the chain of records has been proved again.
#[test]
fn heads_and_members_in_bodies_do_not_fool_the_chain() {
    let inside = crawl()[..2].to_vec();
    for within in [
        Packing::Plain,
        Packing::GzipPerRecord,
        Packing::ZstdPerRecord,
    ] {
        let mut body = b"User-agent: *\nDisallow: /\n".to_vec();
        body.extend(within.pack(&inside));
        let records = [
            crawl()[0].clone(),
            packing::response(7, "http://inside.example/robots.txt", &body),
            crawl()[1].clone(),
        ];
        for packing in PER_RECORD {
            let bytes = packing.pack(&records);
            let ends = ends(packing, &records);
            sweep(&bytes, 7, flip, |at, found| {
                let is_beside = at >= ends[1] || (packing.preamble()..ends[0]).contains(&at);
                if is_beside && packing != Packing::Plain {
                    // Units are found by their ends: nothing inside the middle one is a record.
                    assert!(
                        (2..=3).contains(&found.accounting.records),
                        "{packing:?} {within:?} {at}: {found:?}"
                    );
                }
                assert!(
                    found.accounting.records + 1 >= 3 || at < packing.preamble(),
                    "{packing:?} {within:?} {at}: {found:?}"
                );
            });
            let found = read::bytes(&bytes);
            assert_eq!((found.records.len(), found.damage.len()), (3, 0));
        }
    }
}

#[test]
fn recovery_passes_over_a_record_larger_than_what_is_kept() {
    let records = [vec![b'x'; MAX_BLOCK_BYTES + 12345], b"abc".to_vec()];
    let records = records.map(|body| packing::response(0, "http://a.example/", &body));
    let found = read::recovered(&read::open(&records.concat(), true));
    let offsets: Vec<u64> = found.records.iter().map(|it| it.position.offset).collect();
    assert_eq!(offsets, [0, records[0].len() as u64]);
    assert_eq!(found.damage, []);
}
