//! Lists of inputs: one a line, plain or packed.

use std::io::{self, Read as _};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// Bytes of a list, unpacked, above which it is taken for something else.
const MAX_LIST: u64 = 1 << 30;

/// Whether a file is called as lists of inputs are: `robotstxt.paths`, `warc.paths.gz`.
#[must_use]
pub fn is_named_as_list(path: &Path) -> bool {
    let is = |path: &Path, known: &[&str]| {
        let extension = path.extension();
        extension.is_some_and(|extension| known.iter().any(|known| extension == *known))
    };
    let stem = path.file_stem().map(Path::new);
    is(path, &["paths"]) || is(path, &["gz", "zst"]) && stem.is_some_and(|it| is(it, &["paths"]))
}

/// The text of a list: what is packed with gzip or zstd is unpacked.
///
/// # Errors
///
/// It cannot be unpacked, or it is a page of HTML or something else that is not a list.
pub fn unpack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    match bytes {
        [0x1f, 0x8b, ..] => {
            MultiGzDecoder::new(bytes)
                .take(MAX_LIST + 1)
                .read_to_end(&mut text)?;
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            zstd::Decoder::new(bytes)?
                .take(MAX_LIST + 1)
                .read_to_end(&mut text)?;
        }
        _ => text.extend_from_slice(bytes),
    }
    let is_list = text.len() as u64 <= MAX_LIST && !text.contains(&0) && !text.starts_with(b"<");
    if is_list {
        Ok(text)
    } else {
        let message = "not a list of inputs, one a line";
        Err(io::Error::new(io::ErrorKind::InvalidData, message))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn lists_are_known_by_their_names() {
        for name in ["robotstxt.paths", "a/warc.paths.gz", "x.paths.zst"] {
            assert!(is_named_as_list(Path::new(name)), "{name}");
        }
        for name in ["x.warc.gz", "paths.txt", "x.paths/y", "paths"] {
            assert!(!is_named_as_list(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn lists_are_unpacked_and_other_things_refused() {
        let text = b"a.warc.gz\nb.warc.gz\n";
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text).expect("memory");
        let packed = packed.finish().expect("memory");
        assert_eq!(unpack(text).expect("text"), text);
        assert_eq!(unpack(&packed).expect("text"), text);
        let zst = zstd::encode_all(&text[..], 1).expect("memory");
        assert_eq!(unpack(&zst).expect("text"), text);
        for bad in [
            &b"<!DOCTYPE html>"[..],
            b"a\0b",
            &packed[..packed.len() - 9],
        ] {
            assert!(unpack(bad).is_err(), "{bad:?}");
        }
    }
}
