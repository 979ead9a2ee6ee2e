//! Whether a body is the file that was asked for: servers send error pages with status 200, and
//! bodies that are cut off. The caller knows what its files look like; this room does not.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::{MultiGzDecoder, ZlibDecoder};

use super::target::Target;

/// How much longer than the body what it unpacks to may be, and bytes on top of that.
const MAX_RATIO: u64 = 64;
const MAX_UNPACKED: u64 = 16 << 20;

/// What the caller knows of the files that it fetches.
pub trait BodyCheck: Send + Sync {
    /// What the body in the file `body` is instead of `target`; `None` where it may be the file.
    fn mistake(&self, target: &Target, body: &Path) -> io::Result<Option<String>>;

    /// Whether the format of the body proves that nothing is missing at its end. It is asked only
    /// for bodies whose end the server does not mark.
    fn is_complete(&self, _body: &Path) -> io::Result<bool> {
        Ok(false)
    }

    /// Bytes of the longest body that is accepted.
    fn max_bytes(&self) -> u64 {
        u64::MAX
    }
}

/// Undoes the content coding `coding` of the file `packed`, into the file `unpacked`; its bytes.
/// `None` where the coding is not known or the content is not coded so.
pub(super) fn unpack(coding: &str, packed: &Path, unpacked: &Path) -> io::Result<Option<u64>> {
    let body = File::open(packed)?;
    let most = body.metadata()?.len().saturating_mul(MAX_RATIO) + MAX_UNPACKED;
    let mut content: Box<dyn Read> = match &*coding.trim().to_ascii_lowercase() {
        "gzip" | "x-gzip" => Box::new(MultiGzDecoder::new(body)),
        "deflate" => Box::new(ZlibDecoder::new(body)),
        "zstd" => Box::new(zstd::Decoder::new(body)?),
        _ => return Ok(None),
    };
    let mut file = File::create(unpacked)?;
    let mut buffer = vec![0; 64 * 1024];
    let mut bytes = 0;
    loop {
        let read = match content.read(&mut buffer) {
            Ok(0) => return Ok(Some(bytes)),
            Ok(read) if bytes + read as u64 <= most => read,
            Ok(_) | Err(_) => return Ok(None),
        };
        io::Write::write_all(&mut file, &buffer[..read])?;
        bytes += read as u64;
    }
}
