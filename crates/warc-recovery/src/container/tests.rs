//! How C libraries behave, and the walk over frames: neither is visible through the public
//! interface.

use std::io::Write as _;
use std::path::Path;

use flate2::{Compression, GzBuilder};
use proptest::prelude::*;
use zstd::zstd_safe;

use super::DICTIONARY_MAGIC;
use super::frames::{Frame, Frames};
use super::inflate::Inflater;
use crate::input::{Input, Source};
use crate::memory;

fn ends(bytes: &[u8], use_mmap: bool) -> Vec<Frame> {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("written");
    let source = Source::Path(file.path().to_owned());
    let input = Input::open(&source, use_mmap, Path::new("/")).expect("opened");
    let mut frames = Frames::new(&input);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < input.len() {
        let frame = frames.frame(at, u64::MAX).expect("readable");
        found.push(frame);
        match frame {
            Frame::Ends(end) | Frame::Dictionary(end) => at = end,
            Frame::Unknown(_) => break,
        }
    }
    found
}

#[test]
fn frames_end_where_their_blocks_say() {
    let data: Vec<u8> = (0..400_000_u32)
        .map(|n| (n % 251 * (n >> 9)).to_le_bytes()[0])
        .collect();
    let mut bytes = Vec::new();
    let mut expected = Vec::new();
    for (length, has_checksum) in [(0, true), (1, false), (70_000, true), (400_000, false)] {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("memory");
        encoder.include_checksum(has_checksum).expect("a parameter");
        encoder.write_all(&data[..length]).expect("memory");
        bytes.extend(encoder.finish().expect("memory"));
        expected.push(Frame::Ends(bytes.len() as u64));
        bytes.extend(zstd::bulk::compress(&data[..length], 3).expect("memory"));
        expected.push(Frame::Ends(bytes.len() as u64));
    }
    bytes.extend([DICTIONARY_MAGIC, 3_u32.to_le_bytes()].concat());
    bytes.extend(b"abc");
    expected.push(Frame::Dictionary(bytes.len() as u64));
    bytes.extend([[0x50, 0x2a, 0x4d, 0x18], [0; 4]].concat());
    expected.push(Frame::Ends(bytes.len() as u64));
    assert_eq!(ends(&bytes, true), expected);
    assert_eq!(ends(&bytes, false), expected);
    for cut in 1..8 {
        let found = ends(&bytes[..bytes.len() - cut], true);
        assert!(matches!(found.last(), Some(Frame::Unknown(_))), "{cut}");
    }
}

#[test]
fn zstd_reports_a_lack_of_memory_by_this_name() {
    // ZSTD_error_memory_allocation of zstd_errors.h; errors are negative.
    let code = 0_usize.wrapping_sub(64);
    assert!(zstd_safe::get_error_name(code).contains(memory::OF_ZSTD));
    assert_eq!(memory::unless_exhausted("damage"), "damage");
}

proptest! {
    #[test]
    fn the_start_of_a_member_is_what_the_whole_begins_with(
        pieces in proptest::collection::vec((any::<u8>(), 0..600_usize, "[a-e]{0,40}"), 0..40),
        room in 0..6_000_usize,
        level in 0..10_u32,
        stale in any::<u8>(),
    ) {
        let data: Vec<u8> = pieces
            .iter()
            .flat_map(|(byte, times, text)| [&vec![*byte; *times], text.as_bytes()].concat())
            .collect();
        let mut writer = GzBuilder::new().write(Vec::new(), Compression::new(level));
        writer.write_all(&data).unwrap();
        let member = writer.finish().unwrap();
        let mut output = vec![stale; room];
        let (written, length) = Inflater::default().start(&member, &mut output).expect("a member");
        prop_assert_eq!(&output[..written], &data[..written]);
        match length {
            Some(length) => prop_assert_eq!((written, length), (data.len(), member.len())),
            None => prop_assert!(data.len() > room),
        }
    }
}
