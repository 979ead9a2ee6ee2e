//! zstd dictionary frames: damaged, more than one, anywhere.

use warc_recovery::damage::{Damage, DamageKind};

use crate::packing::{self, Packing, dictionary_frame, zstd_frames};
use crate::read;

/// Responses number `first` and on, each different.
fn records(first: usize, count: usize) -> Vec<Vec<u8>> {
    (first..first + count)
        .map(|number| {
            let url = format!("http://h{number}.example/");
            let body = format!("number {number}, squared {}\n", number * number).repeat(20);
            packing::response(number, &url, body.as_bytes())
        })
        .collect()
}

fn uris(first: usize, count: usize) -> Vec<String> {
    (first..first + count)
        .map(|number| format!("http://h{number}.example/"))
        .collect()
}

/// Responses that hardly compress.
fn noisy(first: usize, count: usize) -> Vec<Vec<u8>> {
    (first..first + count)
        .map(|number| {
            let url = format!("http://h{number}.example/");
            packing::response(number, &url, &packing::noise(number, 300))
        })
        .collect()
}

/// A dictionary with entropy tables, trained on responses; each seed gives a different dictionary.
fn trained(seed: usize) -> Vec<u8> {
    zstd::dict::from_samples(&records(seed, 300), 4096).expect("enough samples")
}

/// A dictionary of raw content.
fn raw(seed: usize) -> Vec<u8> {
    records(seed, 2).concat()
}

fn packed(dictionary: &[u8]) -> Vec<u8> {
    let mut compressor = zstd::bulk::Compressor::new(3).expect("memory");
    compressor.include_checksum(true).expect("a parameter");
    compressor.compress(dictionary).expect("memory")
}

#[test]
fn a_damaged_dictionary_is_damage_and_frames_that_do_not_need_it_are_read() {
    let plain = Packing::ZstdPerRecord.pack(&records(500, 3));
    for dictionary in [trained(0), raw(0)] {
        let frames = zstd_frames(&dictionary, &records(1000, 5));
        for stored in [dictionary.clone(), packed(&dictionary)] {
            let frame = dictionary_frame(&stored);
            let file = [&frame[..], &frames, &plain].concat();
            let found = read::bytes(&file);
            assert_eq!((found.records.len(), found.damage.len()), (8, 0));
            let first = (0..64 * 8).map(|bit| (8 + bit / 8, bit % 8));
            let beyond = (64..stored.len()).step_by(29).map(|at| (8 + at, at % 8));
            let in_head = (0..64).map(|bit| (bit / 8, bit % 8));
            for (at, bit) in in_head.chain(first).chain(beyond) {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << bit;
                let found = read::bytes(&damaged);
                let is_raw = !dictionary.starts_with(b"\x37\xa4\x30\xec");
                if at < 4 && is_raw {
                    // Without its head, a raw-content dictionary is just the records that it was
                    // made of.
                    continue;
                }
                let uris = found.uris();
                let why = format!("{at}: {uris:?} {:?}", found.damage);
                assert_eq!(
                    uris[uris.len().saturating_sub(3)..],
                    self::uris(500, 3),
                    "{why}"
                );
                // A flip in raw content, or in an id, may change nothing that a frame needs.
                assert!(uris.len() == 8 || !found.damage.is_empty(), "{why}");
                let is_bad = |it: &&Damage| it.kind == DamageKind::BadDictionary;
                if let Some(bad) = found.damage.iter().find(is_bad) {
                    assert_eq!(bad.offset, 0, "{why}");
                    let is_length_known = at >= 8;
                    assert!(
                        !is_length_known || bad.length == frame.len() as u64,
                        "{why}"
                    );
                }
            }
        }
    }
}

/// Damage after the dictionary does not count as damage of the dictionary.
#[test]
fn damage_in_the_first_frame_spares_the_dictionary() {
    for dictionary in [trained(0), raw(0)] {
        let frames = zstd_frames(&dictionary, &records(0, 5));
        for stored in [dictionary.clone(), packed(&dictionary)] {
            let mut file = dictionary_frame(&stored);
            let border = file.len();
            file.extend(&frames);
            for at in border..border + 4 {
                let mut damaged = file.clone();
                damaged[at] ^= 0x10;
                let found = read::bytes(&damaged);
                assert_eq!(found.damage.len(), 1, "{at}: {:?}", found.damage);
                assert_eq!(found.uris(), uris(1, 4), "{at}");
            }
        }
    }
}

#[test]
fn a_later_dictionary_replaces_the_one_before() {
    for (one, other) in [
        (trained(0), trained(700)),
        (raw(0), raw(7)),
        (trained(0), raw(3)),
    ] {
        for (one_stored, other_stored) in
            [(one.clone(), other.clone()), (packed(&one), packed(&other))]
        {
            let file = [
                Packing::ZstdPerRecord.pack(&records(0, 2)),
                dictionary_frame(&one_stored),
                zstd_frames(&one, &records(2, 3)),
                dictionary_frame(&other_stored),
                zstd_frames(&other, &records(5, 4)),
                dictionary_frame(&one_stored),
                zstd_frames(&one, &records(9, 1)),
            ]
            .concat();
            let found = read::bytes(&file);
            assert_eq!(found.damage, []);
            assert_eq!(found.uris(), uris(0, 10));
        }
    }
}

/// Two large archives with a dictionary each, joined: the second is between splits.
#[test]
fn splits_behind_a_dictionary_know_it() {
    let (one, other) = (trained(0), trained(700));
    let file = [
        dictionary_frame(&packed(&one)),
        zstd_frames(&one, &noisy(0, 4_000)),
        dictionary_frame(&packed(&other)),
        zstd_frames(&other, &noisy(4_000, 4_000)),
    ];
    let border = file[0].len() + file[1].len();
    let mut file = file.concat();
    for use_mmap in [true, false] {
        let found = read::input(&read::open(&file, use_mmap));
        assert_eq!((found.records.len(), found.damage.len()), (8_000, 0));
    }
    // Although planned from frame headers alone, every split after the second dictionary has its
    // offset.
    let splits = read::splits(&read::open(&file, true));
    for split in &splits {
        let expected = match split.start.offset {
            0 => None,
            offset if offset <= border as u64 => Some(0),
            _ => Some(border as u64),
        };
        assert_eq!(split.start.dictionary, expected, "{split:?}");
    }
    assert!(splits.len() > 4, "{} splits", splits.len());
    // Damage right before the second dictionary, and inside it.
    for damaged_at in [border - 40, border + 30] {
        file[damaged_at] ^= 0x55;
        let found = read::bytes(&file);
        assert!(!found.damage.is_empty());
        let least = if damaged_at < border { 7_999 } else { 4_000 };
        let read = found.records.len();
        assert!(read >= least, "{read}: {:?}", found.damage);
        file[damaged_at] ^= 0x55;
    }
}
