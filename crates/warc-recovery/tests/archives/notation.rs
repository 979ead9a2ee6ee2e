//! Bytes as the pages of `tests/cases` write them: text, escapes (`\r`, `\n`, `\t`, `\0`, `\\`,
//! `\xHH`), and `{name argument}` for bytes that are made. The argument is written the same way.
//!
//! | | |
//! |---|---|
//! | `{gzip …}`, `{zlib …}`, `{deflate …}`, `{zstd …}` | coded |
//! | `{robots}`, `{brotli}` | a short robots.txt, and the same in brotli |
//! | `{chunked N …}` | in chunks of N bytes |
//! | `{times N …}` | N times |
//! | `{cut N …}`, `{skip N …}` | without the last or first N bytes |
//! | `{warc TYPE FIELDS \| BLOCK}` | a record with the right length; FIELDS end with their line |

use std::io::Read;

use flate2::Compression;
use flate2::read::{DeflateEncoder, ZlibEncoder};

use crate::packing::gzip;

/// What `{robots}` is.
pub(crate) const ROBOTS: &[u8] = b"User-agent: *\nDisallow: /private/\n";

/// [`ROBOTS`] in brotli.
const BROTLI: &[u8] = b"\x8b\x10\x80User-agent: *\nDisallow: /private/\n\x03";

/// The bytes that `text` describes.
pub(crate) fn bytes(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let bytes = read(&mut rest);
    assert!(rest.is_empty(), "a brace too many: {text}");
    bytes
}

/// Reads up to the end of a brace, or of the text.
fn read(rest: &mut &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some((byte, tail)) = rest.split_first() {
        *rest = tail;
        match byte {
            b'}' => break,
            b'{' => {
                let is_end = |byte: &u8| matches!(byte, b' ' | b'}');
                let end = rest.iter().position(is_end).expect("a name");
                let name = std::str::from_utf8(&rest[..end]).expect("a name");
                *rest = &rest[end + usize::from(rest[end] == b' ')..];
                bytes.extend(made(name, &read(rest)));
            }
            b'\\' => bytes.push(escaped(rest)),
            _ => bytes.push(*byte),
        }
    }
    bytes
}

fn escaped(rest: &mut &[u8]) -> u8 {
    let (length, byte) = match rest {
        [b'r', ..] => (1, b'\r'),
        [b'n', ..] => (1, b'\n'),
        [b't', ..] => (1, b'\t'),
        [b'0', ..] => (1, 0),
        [b'\\', ..] => (1, b'\\'),
        [b'x', digits @ ..] => {
            let digits = std::str::from_utf8(&digits[..2]).expect("two digits");
            (3, u8::from_str_radix(digits, 16).expect("two digits"))
        }
        _ => panic!("unknown escape: {}", rest.escape_ascii()),
    };
    *rest = &rest[length..];
    byte
}

fn made(name: &str, argument: &[u8]) -> Vec<u8> {
    match name {
        "robots" => ROBOTS.to_vec(),
        "brotli" => BROTLI.to_vec(),
        "gzip" => gzip(argument),
        "zlib" => zlib(argument),
        "deflate" => deflate(argument),
        "zstd" => zstd(argument),
        "chunked" => {
            let (size, data) = number(argument);
            chunked(data, size)
        }
        "times" => {
            let (count, data) = number(argument);
            data.repeat(count)
        }
        "cut" => {
            let (count, data) = number(argument);
            data[..data.len() - count].to_vec()
        }
        "skip" => {
            let (count, data) = number(argument);
            data[count..].to_vec()
        }
        "warc" => {
            let (head, block) = split(argument, b" | ");
            let is_space = |byte: &u8| *byte == b' ';
            let mut words = head.splitn(2, is_space);
            let record_type = words.next().unwrap_or_default();
            let fields = words.next().unwrap_or_default();
            let mut record = b"WARC/1.0\r\nWARC-Type: ".to_vec();
            record.extend([record_type, b"\r\n", fields].concat());
            record.extend(format!("Content-Length: {}\r\n\r\n", block.len()).bytes());
            [&record, block, b"\r\n\r\n"].concat()
        }
        _ => panic!("unknown name: {name}"),
    }
}

/// What is before and after the first `separator`.
pub(crate) fn split<'a>(bytes: &'a [u8], separator: &[u8]) -> (&'a [u8], &'a [u8]) {
    let mut windows = bytes.windows(separator.len());
    let at = windows.position(|window| window == separator);
    let at = at.unwrap_or_else(|| panic!("two parts: {}", bytes.escape_ascii()));
    (&bytes[..at], &bytes[at + separator.len()..])
}

fn number(argument: &[u8]) -> (usize, &[u8]) {
    let (number, rest) = split(argument, b" ");
    let number = std::str::from_utf8(number).expect("a number");
    (number.parse().expect("a number"), rest)
}

/// Everything that an encoder of `flate2::read` makes.
fn all(mut encoder: impl Read) -> Vec<u8> {
    let mut packed = Vec::new();
    encoder.read_to_end(&mut packed).expect("in memory");
    packed
}

pub(crate) fn zlib(data: &[u8]) -> Vec<u8> {
    all(ZlibEncoder::new(data, Compression::default()))
}

pub(crate) fn deflate(data: &[u8]) -> Vec<u8> {
    all(DeflateEncoder::new(data, Compression::default()))
}

pub(crate) fn zstd(data: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(data, 3).expect("in memory")
}

/// One chunk per `size` bytes.
pub(crate) fn chunked(data: &[u8], size: usize) -> Vec<u8> {
    let mut stored = Vec::new();
    for chunk in data.chunks(size) {
        stored.extend(format!("{:x}\r\n", chunk.len()).bytes());
        stored.extend([chunk, b"\r\n"].concat());
    }
    stored.extend(b"0\r\n\r\n");
    stored
}
