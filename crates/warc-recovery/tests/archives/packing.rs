//! Packs WARC records in every way that archives do.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

/// How records are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    GzipPerRecord,
    GzipWhole,
    /// Members that end anywhere, as block compressors write them.
    GzipBlocks,
    ZstdPerRecord,
    /// Frames whose content is not checked.
    ZstdUnchecked,
    /// Several records per frame.
    ZstdThrees,
    /// Frames that need the dictionary in the frame before them.
    ZstdDictionary,
}

impl Packing {
    pub(crate) const ALL: [Self; 8] = [
        Self::Plain,
        Self::GzipPerRecord,
        Self::GzipWhole,
        Self::GzipBlocks,
        Self::ZstdPerRecord,
        Self::ZstdUnchecked,
        Self::ZstdThrees,
        Self::ZstdDictionary,
    ];

    pub(crate) fn pack(self, records: &[Vec<u8>]) -> Vec<u8> {
        match self {
            Self::Plain => records.concat(),
            Self::GzipPerRecord => records.iter().flat_map(|record| gzip(record)).collect(),
            Self::GzipWhole => gzip(&records.concat()),
            Self::GzipBlocks => records.concat().chunks(1000).flat_map(gzip).collect(),
            Self::ZstdPerRecord => records.iter().flat_map(|record| zstd(record)).collect(),
            Self::ZstdUnchecked => {
                let frame = |record: &Vec<u8>| zstd::bulk::compress(record, 3).expect("memory");
                records.iter().flat_map(frame).collect()
            }
            Self::ZstdThrees => records
                .chunks(3)
                .flat_map(|records| zstd(&records.concat()))
                .collect(),
            Self::ZstdDictionary => {
                let dictionary = dictionary();
                let mut file = dictionary_frame(&dictionary);
                file.extend(zstd_frames(&dictionary, records));
                file
            }
        }
    }

    /// Bytes before the first unit.
    pub(crate) fn preamble(self) -> usize {
        match self {
            Self::ZstdDictionary => 8 + dictionary().len(),
            _ => 0,
        }
    }
}

/// A dictionary of raw content that all records share.
fn dictionary() -> Vec<u8> {
    response(
        0,
        "http://h.example/robots.txt",
        b"User-agent: *\nDisallow: /\n",
    )
}

/// The frame that holds a dictionary.
pub(crate) fn dictionary_frame(content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("a short dictionary");
    let head = [[0x5d, 0x2a, 0x4d, 0x18], length.to_le_bytes()].concat();
    [&head, content].concat()
}

/// A frame per record, packed with the dictionary.
pub(crate) fn zstd_frames(dictionary: &[u8], records: &[Vec<u8>]) -> Vec<u8> {
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, dictionary).expect("memory");
    compressor.include_checksum(true).expect("a parameter");
    let frames = records.iter().map(|record| compressor.compress(record));
    frames.flat_map(|frame| frame.expect("memory")).collect()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    gzip_at(bytes, Compression::default())
}

/// Records in gzip members that do not compress.
pub(crate) fn stored(records: &[Vec<u8>]) -> Vec<u8> {
    let member = |record: &Vec<u8>| gzip_at(record, Compression::none());
    records.iter().flat_map(member).collect()
}

fn gzip_at(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .expect("memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("memory");
    encoder
        .include_checksum(true)
        .and_then(|()| encoder.write_all(bytes))
        .expect("memory");
    encoder.finish().expect("memory")
}

/// The records of a plain WARC file, each with its line endings.
pub(crate) fn records(path: &Path) -> Vec<Vec<u8>> {
    let bytes = std::fs::read(path).expect("a readable file");
    let mut records = Vec::new();
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let blank = [&b"\r\n\r\n"[..], b"\n\n"]
            .iter()
            .filter_map(|end| Some(find(rest, end)? + end.len()))
            .min();
        let head = blank.expect("a record head");
        let text = String::from_utf8_lossy(&rest[..head]).to_ascii_lowercase();
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .expect("a Content-Length");
        let mut end = head + length.trim().parse::<usize>().expect("a number");
        end += rest[end..]
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
        records.push(rest[..end].to_vec());
        rest = &rest[end..];
    }
    records
}

/// A response record.
pub(crate) fn response(number: usize, url: &str, body: &[u8]) -> Vec<u8> {
    let block = http_response(body);
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
         WARC-Date: 2026-08-01T00:00:00Z\r\n\
         WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), &block, b"\r\n\r\n"].concat()
}

/// The same response as an ARC record of version 1 or 2.
pub(crate) fn arc_response(number: usize, url: &str, body: &[u8]) -> Vec<u8> {
    let block = http_response(body);
    let only_in_2 = if number.is_multiple_of(2) {
        ""
    } else {
        " 200 - - 0 made.arc"
    };
    let length = block.len();
    let head = format!("{url} 192.0.2.7 20080801000000 text/plain{only_in_2} {length}\n");
    [head.as_bytes(), &block, b"\n"].concat()
}

fn http_response(body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// Bytes that do not compress; each seed gives different bytes.
pub(crate) fn noise(seed: usize, length: usize) -> Vec<u8> {
    let mut state = seed as u64 + 1;
    let next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state.to_le_bytes()[7]
    };
    std::iter::repeat_with(next).take(length).collect()
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}
