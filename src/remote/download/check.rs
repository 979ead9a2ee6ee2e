//! Checks that the received bytes are the file, and all of it.

use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::Path;

use flate2::read::{MultiGzDecoder, ZlibDecoder};

use super::super::failure::Failure;
use super::{Download, Plan, not_the_file};

/// Length of the longest error page, in bytes. A longer body that is not the file is not requested
/// again in the same run.
const MAX_ERROR_PAGE: u64 = 1 << 20;
/// Largest ratio of the unpacked length to the length of a body, and bytes allowed on top of that.
const MAX_RATIO: u64 = 64;
const MAX_UNPACKED: u64 = 16 << 20;

impl Download<'_> {
    /// `is_marked`: the server marked the end of the body.
    pub(super) fn check(&mut self, is_marked: bool) -> Result<(), Failure> {
        let path = self.cache.aside(&self.key, "part");
        let unread = |error| Failure::Final(format!("it cannot be read back: {error}"));
        let mistake = self.check.mistake(self.target, &path).map_err(unread)?;
        if let Some(mistake) = mistake
            && !self.unpack()?
        {
            let message = not_the_file(&mistake);
            return self.discard(if !is_marked || self.bytes <= MAX_ERROR_PAGE {
                Failure::Transient(message)
            } else {
                Failure::Final(message)
            });
        }
        let is_complete = is_marked
            // The same end twice: the file ends there on the server.
            || self.unmarked_end.replace(self.bytes) == Some(self.bytes)
            || self.check.is_complete(&path)?;
        if is_complete {
            return Ok(());
        }
        Err(Failure::Transient(format!(
            "perhaps cut off after {} bytes, as the server does not mark the end of the file",
            self.bytes
        )))
    }

    /// Undoes the Content-Encoding of a whole file, if the result is the wanted file.
    fn unpack(&mut self) -> io::Result<bool> {
        let (Some(coding), Plan::Whole) = (&self.validators.coding, &self.plan) else {
            return Ok(false);
        };
        let [packed, unpacked] =
            ["part", "unpacked"].map(|extension| self.cache.aside(&self.key, extension));
        if let Some(bytes) = unpack(coding, &packed, &unpacked)?
            && matches!(self.check.mistake(self.target, &unpacked), Ok(None))
        {
            fs::rename(unpacked, packed)?;
            self.bytes = bytes;
            return Ok(true);
        }
        // If the coding is unknown, this file was never created.
        let _ = fs::remove_file(unpacked);
        Ok(false)
    }
}

/// Returns the unpacked length; `None` if the coding is unknown or wrong, or the content too long.
fn unpack(coding: &str, packed: &Path, unpacked: &Path) -> io::Result<Option<u64>> {
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
        file.write_all(&buffer[..read])?;
        bytes += read as u64;
    }
}
