//! The zstd frames of the sample crawl; `tests/cases/sample_crawl.md` has its other packings.

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;

use crate::support::program::sample;

fn read(path: PathBuf) -> Vec<u8> {
    fs::read(path).expect("a sample")
}

#[test]
fn zstd_frames_hold_the_same_records() {
    let packed = read(sample("crawl.warc.zst"));
    let (magic, rest) = packed.split_first_chunk().expect("a first frame");
    assert_eq!(
        u32::from_le_bytes(*magic),
        0x184D_2A5D,
        "the first frame holds the dictionary"
    );
    let (length, rest) = rest.split_first_chunk().expect("the frame's length");
    let (dictionary, frames) = rest.split_at(u32::from_le_bytes(*length) as usize);
    let dictionary = zstd::decode_all(dictionary).expect("a compressed dictionary");
    let mut decoded = Vec::new();
    let mut frames =
        zstd::stream::read::Decoder::with_dictionary(frames, &dictionary).expect("a dictionary");
    frames.read_to_end(&mut decoded).expect("valid frames");
    let is_same = decoded == read(sample("crawl.warc"));
    assert!(is_same, "samples/README.md shows how to make it again");
}
