//! Whole archive files, intact and damaged.

use std::io::Write as _;

use warc_recovery::container::Container;

use super::read::{self, Record, RobotsTxt, is_robots_txt};

/// Records, damaged ranges and skipped bytes add up to the file's size, whatever the file. If a
/// file has no damage, recovery alone reads the same records from it, byte for byte, and a sink
/// that wants only some of them gets only those.
pub fn every_byte_is_accounted_for(data: &[u8]) {
    let bytes = file_of(data);
    let input = read::open(&bytes, true);
    if Container::detect(&input).expect("a readable file").is_err() {
        return;
    }
    let all = read::input(&input);
    let mut some = RobotsTxt::default();
    let accounting = warc_recovery::read_all(&input, &mut some).expect("a readable file");
    assert_eq!(accounting.bytes(), input.len(), "{accounting:?}");
    if all.damage.is_empty() {
        let slow = read::recovered(&input);
        assert!(slow.damage.is_empty());
        let is_same = |(one, other): (&Record, &Record)| {
            let [one_at, other_at] = [one.position, other.position];
            (one_at.offset, one_at.inner_offset) == (other_at.offset, other_at.inner_offset)
                && one.block == other.block
        };
        assert_eq!(slow.records.len(), all.records.len());
        assert!(
            slow.records.iter().zip(&all.records).all(is_same),
            "the same records"
        );
        let mut wanted = all.records;
        wanted.retain(|record| record.uri.as_deref().is_some_and(is_robots_txt));
        assert!(some.0.records == wanted && accounting.damaged_records == 0);
    }
}

/// The file that `data` describes. The first byte selects how: `data` as it is; or, after the first
/// four bytes, records, plain or packed into units that end at each `~`, with one byte changed at
/// the offset in the second and third byte.
fn file_of(data: &[u8]) -> Vec<u8> {
    let [packing, at @ .., change] = *data.first_chunk::<4>().unwrap_or(&[0; 4]);
    let records = data.get(4..).unwrap_or_default();
    let units = || records.split(|byte| *byte == b'~');
    let mut file: Vec<u8> = match packing {
        b'g' => units().flat_map(gzip).collect(),
        b'z' => units().flat_map(zstd).collect(),
        b's' => units().flat_map(stored).collect(),
        b'p' => records.to_vec(),
        _ => return data.to_vec(),
    };
    let at = usize::from(u16::from_le_bytes(at));
    if let Some(byte) = file.get_mut(at) {
        *byte ^= change;
    }
    file
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    gzip_at(bytes, flate2::Compression::fast())
}

fn stored(bytes: &[u8]) -> Vec<u8> {
    gzip_at(bytes, flate2::Compression::none())
}

fn gzip_at(bytes: &[u8], level: flate2::Compression) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).expect("memory")
}
