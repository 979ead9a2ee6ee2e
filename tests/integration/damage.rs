//! Damage costs the damaged record and no other, and every byte is accounted for.
//!
//! A small crawl is cut and flipped at many places, in every packing. `ROBOSTAT_SWEEP=1` tries
//! every byte; without it a fast selection.

use crate::support::program;
use crate::support::warc;
use std::fs;
use std::path::Path;

use crate::support::warc::Packing;
use robostat::dataset::Settings;
use robostat::dataset::known::Known;
use robostat::ingest::capture::Subset;
use robostat::ingest::collector::{Collector, InputName, Options, Scratch};
use robostat::ingest::tally::Tally;
use tempfile::tempdir;
use warc_recovery::accounting::Accounting;
use warc_recovery::container::{Container, UnitDecoder};
use warc_recovery::input::{Input, Source};
use warc_recovery::recovery::Recovery;
use warc_recovery::split;

const RECORDS: usize = 6;

/// Where every record is a unit of its own.
const PER_RECORD: [Packing; 4] = [
    Packing::Plain,
    Packing::GzipPerRecord,
    Packing::ZstdPerRecord,
    Packing::ZstdDictionary,
];

fn crawl() -> Vec<Vec<u8>> {
    let body =
        |number: usize| format!("User-agent: *\nDisallow: /{number}\n").repeat(number * 3 + 1);
    (0..RECORDS)
        .map(|number| {
            warc::response(
                number,
                &format!("http://h{number}.example/robots.txt"),
                body(number).as_bytes(),
            )
        })
        .collect()
}

/// Reads a file as the pipeline does, on one thread: what was counted, and the ids of the records.
fn read(path: &Path, scratch: &mut Scratch, decoder: &mut UnitDecoder) -> Tally {
    let input = Input::open(
        &Source::Path(path.to_owned()),
        false,
        path.parent().expect("a parent"),
    )
    .expect("a file");
    let Ok(container) = Container::detect(&input).expect("a readable file") else {
        return Tally {
            accounting: Accounting {
                damaged_records: 1,
                damaged_bytes: input.len(),
                ..Accounting::default()
            },
            ..Tally::default()
        };
    };
    let options = Options {
        settings: Settings {
            limit: 512_000,
            max_sitemaps: 10,
            keep_bodies: false,
        },
        verify_digests: false,
    };
    let name = InputName { id: 0, name: "x" };
    let known = Known::default();
    let mut tally = Tally::default();
    let mut at = 0;
    while at < input.len() {
        let planned = split::plan(&input, &container, at).expect("a readable file");
        let mut collector = Collector::new(name, Subset::RobotsTxt, &options, &known, scratch);
        let progress = split::read(&input, &container, planned, decoder, &mut collector)
            .expect("a readable file");
        tally += &collector.tally;
        tally.accounting += progress.accounting;
        at = progress.end;
        if progress.is_stopped {
            let mut recovery = Recovery::new(&input, &container, at);
            while let Some(batch) = recovery.next_batch().expect("a readable file") {
                tally.accounting += batch.accounting;
            }
            at = recovery.end();
        }
    }
    tally
}

/// Variants of `bytes` and where each was changed.
fn sweep(bytes: &[u8], change: impl Fn(&[u8], usize) -> Vec<u8>, check: impl Fn(usize, &Tally)) {
    let directory = tempdir().expect("a directory");
    let path = directory.path().join("variant");
    let step = if std::env::var_os("ROBOSTAT_SWEEP").is_some() {
        1
    } else {
        7
    };
    let (mut scratch, mut decoder) = (Scratch::default(), UnitDecoder::default());
    for at in (0..bytes.len()).step_by(step) {
        let variant = change(bytes, at);
        fs::write(&path, &variant).expect("space");
        let tally = read(&path, &mut scratch, &mut decoder);
        assert_eq!(
            tally.accounting.bytes(),
            variant.len() as u64,
            "every byte is accounted for, changed at {at}"
        );
        check(at, &tally);
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

/// Where the units of a packing with a record each end.
fn ends(packing: Packing, records: &[Vec<u8>]) -> Vec<usize> {
    (1..=records.len())
        .map(|count| packing.pack(&records[..count]).len())
        .collect()
}

#[test]
fn a_cut_keeps_every_whole_record_before_it() {
    let records = crawl();
    for packing in PER_RECORD {
        let ends = ends(packing, &records);
        sweep(&packing.pack(&records), cut, |at, tally| {
            let whole = ends.iter().filter(|end| **end <= at).count() as u64;
            // Cut in the line ends after a plain record, the record itself is whole.
            let most = whole + u64::from(packing == Packing::Plain);
            assert!(
                (whole..=most).contains(&tally.accounting.records),
                "{packing:?} cut at {at}: {tally:?}"
            );
            // A cut where a unit ends is a whole file.
            let is_clean = (at > 0 && ends.contains(&at)) || at == packing.preamble();
            assert!(
                is_clean
                    || tally.accounting.damaged_records == 1
                    || tally.accounting.records > whole,
                "{packing:?} cut at {at}: {tally:?}"
            );
        });
    }
}

#[test]
fn a_flipped_bit_costs_one_record_at_most() {
    let records = crawl();
    for packing in PER_RECORD {
        let preamble = packing.preamble();
        sweep(&packing.pack(&records), flip, |at, tally| {
            if at < preamble {
                // Without its dictionary no frame can be read: that is told, and accounted for.
                assert!(
                    tally.accounting.damaged_records > 0
                        || tally.accounting.records == RECORDS as u64
                );
                return;
            }
            assert!(
                tally.accounting.records + 1 >= RECORDS as u64,
                "{packing:?} flipped at {at}: {tally:?}"
            );
            // Damaged deflate data may decode to copies of earlier text, a record head among it:
            // one stretch of damage can then come as two rows.
            assert!(
                tally.accounting.damaged_records <= 2,
                "{packing:?} flipped at {at}: {tally:?}"
            );
            let is_lost = tally.accounting.records < RECORDS as u64;
            assert!(
                !is_lost || tally.accounting.damaged_records > 0,
                "{packing:?} flipped at {at}: {tally:?}"
            );
        });
    }
}

/// What another decoder makes of a damaged file, from its start to where it gives up.
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

/// Units that several records share: the file, and where each unit ends in it and in the records.
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

/// Where records share a unit, those are kept that another decoder reads before the damage, and
/// those that lie in the units after it.
#[test]
fn damage_in_a_unit_of_many_records_spares_what_can_be_read() {
    let records = crawl();
    let whole = records.concat();
    let mut spans = Vec::new();
    for record in &records {
        let start = spans.last().map_or(0, |(_, end)| *end);
        spans.push((start, start + record.len()));
    }
    for packing in [Packing::GzipWhole, Packing::GzipBlocks, Packing::ZstdThrees] {
        let (bytes, units) = shared_units(packing, &records);
        for change in [flip, cut] {
            sweep(&bytes, change, |at, tally| {
                let variant = change(&bytes, at);
                let decoded = decoded(packing, &variant);
                let sound = decoded
                    .iter()
                    .zip(&whole)
                    .take_while(|(a, b)| a == b)
                    .count();
                let before = spans.iter().filter(|(_, end)| *end <= sound).count();
                let is_cut = variant.len() < bytes.len();
                // Nothing but the damage itself lies behind a cut.
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
                let records = usize::try_from(tally.accounting.records).expect("few");
                // The record at whose very end reading fails is not vouched for by its unit: the data
                // end there, or the checksum is wrong.
                let is_checksum = units
                    .iter()
                    .any(|(end, _)| (at..at + 8).contains(&(end - 1)));
                let fails_at_end = spans.iter().any(|(_, end)| *end == decoded.len());
                let in_doubt = usize::from(is_checksum || fails_at_end);
                assert!(
                    records + in_doubt >= before + after,
                    "{packing:?} changed at {at}: {before} before, {after} after, {tally:?}"
                );
                assert!(records <= RECORDS, "{packing:?} changed at {at}: {tally:?}");
                let is_told = if is_cut {
                    records < RECORDS || at + 8 >= bytes.len()
                } else {
                    records == RECORDS || tally.accounting.damaged_records > 0
                };
                assert!(is_told, "{packing:?} changed at {at}: {tally:?}");
            });
        }
    }
}

#[test]
fn members_inside_a_body_are_not_taken_for_records() {
    // A page that is itself a WARC, stored: gzip heads and records stand in the middle of a member.
    let inner = Packing::GzipPerRecord.pack(&crawl());
    let mut records = vec![warc::response(
        100,
        "http://a.example/robots.txt",
        &inner.repeat(2000),
    )];
    records.extend(crawl());
    let directory = tempdir().expect("a directory");
    for packing in Packing::ALL {
        let (path, out) = (
            directory.path().join("crawl"),
            directory.path().join(format!("{packing:?}")),
        );
        // Stored as it is, so that the inner members' bytes really occur in the file.
        let bytes = if packing == Packing::GzipPerRecord {
            stored(&records)
        } else {
            packing.pack(&records)
        };
        fs::write(&path, bytes).expect("space");
        let summary = program::ingest(&[], &path, &out, 0);
        assert_eq!(program::number(&summary, "captures"), 7, "{packing:?}");
    }
}

/// Records in gzip members that do not compress.
fn stored(records: &[Vec<u8>]) -> Vec<u8> {
    use std::io::Write as _;
    let member = |record: &Vec<u8>| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        encoder
            .write_all(record)
            .and_then(|()| encoder.finish())
            .expect("memory")
    };
    records.iter().flat_map(member).collect()
}

/// The first block of a frame has up to 128 KiB, and a decoder hands out nothing before it has it
/// whole: the way on from damage must see so far.
#[test]
fn a_record_of_random_bytes_is_found_behind_damage() {
    let mut state = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state.to_le_bytes()[7]
    })
    .take(300_000)
    .collect();
    let records: Vec<Vec<u8>> = (0..3)
        .map(|number| {
            let url = format!("http://h{number}.example/robots.txt");
            warc::response(number, &url, &noise)
        })
        .collect();
    let directory = tempdir().expect("a directory");
    let path = directory.path().join("crawl");
    let (mut scratch, mut decoder) = (Scratch::default(), UnitDecoder::default());
    for packing in PER_RECORD {
        let mut bytes = packing.pack(&records);
        bytes[packing.preamble() + 2000] ^= 0xff;
        if packing != Packing::Plain {
            bytes[packing.preamble() + 150_000] ^= 0xff;
        }
        fs::write(&path, &bytes).expect("space");
        let tally = read(&path, &mut scratch, &mut decoder);
        assert_eq!(tally.accounting.bytes(), bytes.len() as u64);
        let lost = u64::from(packing != Packing::Plain);
        assert_eq!(tally.accounting.records, 3 - lost, "{packing:?}: {tally:?}");
        assert_eq!(
            tally.accounting.damaged_records, lost,
            "{packing:?}: {tally:?}"
        );
    }
}

/// A record whose body holds other containers: damaged in front of it or in it, what is inside is
/// either part of a damaged stretch or read where the chain of records has been proved anew.
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
            warc::response(7, "http://inside.example/robots.txt", &body),
            crawl()[1].clone(),
        ];
        for packing in PER_RECORD {
            let bytes = packing.pack(&records);
            let ends = ends(packing, &records);
            sweep(&bytes, flip, |at, tally| {
                let is_beside = at >= ends[1] || (packing.preamble()..ends[0]).contains(&at);
                if is_beside && packing != Packing::Plain {
                    // Units are found by their ends: nothing inside the middle one is a record.
                    assert!(
                        (2..=3).contains(&tally.accounting.records),
                        "{packing:?} {within:?} {at}: {tally:?}"
                    );
                }
                assert!(
                    tally.accounting.records + 1 >= 3 || at < packing.preamble(),
                    "{packing:?} {within:?} {at}: {tally:?}"
                );
            });
            let directory = tempdir().expect("a directory");
            let (path, out) = (directory.path().join("crawl"), directory.path().join("out"));
            fs::write(&path, &bytes).expect("space");
            let summary = program::ingest(&["--subset", "robotstxt"], &path, &out, 0);
            assert_eq!(program::number(&summary, "captures"), 3);
        }
    }
}
