//! From text to bytes: line endings, encodings, and damage as servers and editors do it.

use flate2::Crc;

use super::super::random::Random;

/// Ends of lines, out of a thousand files.
#[derive(Clone, Copy)]
enum Ending {
    Lf,
    CrLf,
    Cr,
    Mixed,
}

const ENDINGS: [(u32, Ending); 4] = [
    (712, Ending::Lf),
    (280, Ending::CrLf),
    (2, Ending::Cr),
    (6, Ending::Mixed),
];

/// What happens to one file in a while, in parts of ten thousand.
#[derive(Clone, Copy)]
enum Trouble {
    None,
    Bom,
    BomInside,
    TwoBoms,
    InvalidUtf8,
    Nul,
    Utf16,
    Gzipped,
    LongLine,
}

const TROUBLES: [(u32, Trouble); 9] = [
    (9_730, Trouble::None),
    (130, Trouble::Bom),
    (10, Trouble::BomInside),
    (4, Trouble::TwoBoms),
    (60, Trouble::InvalidUtf8),
    (12, Trouble::Nul),
    (4, Trouble::Utf16),
    (10, Trouble::Gzipped),
    (40, Trouble::LongLine),
];

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The text as a server sends it.
pub(super) fn bytes(random: &mut Random, text: &str) -> Vec<u8> {
    let text = if random.percent(36) {
        text.trim_end_matches('\n')
    } else {
        text
    };
    let mut bytes = end_lines(random, text);
    let middle = bytes
        .iter()
        .skip(bytes.len() / 2)
        .position(|byte| *byte == b'\n')
        .map_or(0, |at| bytes.len() / 2 + at + 1);
    match random.weighted(&TROUBLES) {
        Trouble::None => {}
        Trouble::Bom => insert(&mut bytes, 0, BOM),
        Trouble::BomInside => insert(&mut bytes, middle, BOM),
        Trouble::TwoBoms => insert(&mut bytes, 0, b"\xEF\xBB\xBF\xEF\xBB\xBF"),
        Trouble::InvalidUtf8 => insert(
            &mut bytes,
            middle,
            b"# gesch\xFCtzt \xA9 \xE2\x82\nDisallow: /stra\xDFe/\n",
        ),
        Trouble::Nul => insert(&mut bytes, middle, b"Disallow: /nul\0byte/\n\0\0"),
        Trouble::Utf16 => bytes = utf16(&String::from_utf8_lossy(&bytes), u16::to_le_bytes),
        Trouble::Gzipped => bytes = gzip_stored(&bytes),
        Trouble::LongLine => {
            let tail = "a/".repeat(random.between(8_300, 12_000) as usize);
            insert(
                &mut bytes,
                middle,
                format!("Disallow: /{tail}\n").as_bytes(),
            );
        }
    }
    bytes
}

fn end_lines(random: &mut Random, text: &str) -> Vec<u8> {
    let ending = random.weighted(&ENDINGS);
    let mut bytes = Vec::with_capacity(text.len() + text.len() / 16);
    for byte in text.bytes() {
        match (byte, ending) {
            (b'\n', Ending::CrLf) => bytes.extend_from_slice(b"\r\n"),
            (b'\n', Ending::Cr) => bytes.push(b'\r'),
            (b'\n', Ending::Mixed) => {
                let some_end: &[u8] = random.pick(&[&b"\n"[..], b"\r\n", b"\r", b"\n", b"\r\r\n"]);
                bytes.extend_from_slice(some_end);
            }
            _ => bytes.push(byte),
        }
    }
    bytes
}

fn insert(bytes: &mut Vec<u8>, at: usize, more: &[u8]) {
    bytes.splice(at..at, more.iter().copied());
}

/// The text in UTF-16 with a byte order mark, the bytes of each unit in the order that `order` puts
/// them.
pub(crate) fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF)
        .chain(text.encode_utf16())
        .flat_map(order)
        .collect()
}

/// A gzip member (RFC 1952) that stores its content as it is, so that no compressor's version can
/// change a byte of it.
pub(crate) fn gzip_stored(content: &[u8]) -> Vec<u8> {
    let mut member = b"\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\xFF".to_vec();
    // A stored block of deflate (RFC 1951 §3.2.4) holds at most 65,535 bytes.
    let blocks = content.len().div_ceil(0xFFFF).max(1);
    for number in 0..blocks {
        let block = &content[number * 0xFFFF..content.len().min((number + 1) * 0xFFFF)];
        let length = u16::try_from(block.len()).expect("at most 65,535 bytes");
        member.push(u8::from(number + 1 == blocks));
        member.extend_from_slice(&length.to_le_bytes());
        member.extend_from_slice(&(!length).to_le_bytes());
        member.extend_from_slice(block);
    }
    let mut check = Crc::new();
    check.update(content);
    member.extend_from_slice(&check.sum().to_le_bytes());
    member.extend_from_slice(&check.amount().to_le_bytes());
    member
}

/// The beginning of a picture, as servers send that answer every path with their logo.
pub(super) fn picture(random: &mut Random) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1F\xF3\xFF\x61\0\0\0\x60IDAT".to_vec();
    bytes.extend((0..12).flat_map(|_| random.bits().to_le_bytes()));
    bytes.extend_from_slice(b"\0\0\0\0IEND\xAE\x42\x60\x82");
    bytes
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn stored_members_are_gzip() {
        for length in [0, 1, 0xFFFF, 0x1_0000, 200_000] {
            let content = vec![b'x'; length];
            let mut back = Vec::new();
            flate2::read::GzDecoder::new(gzip_stored(&content).as_slice())
                .read_to_end(&mut back)
                .expect("a valid member");
            assert!(back == content, "{length} bytes");
        }
    }
}
