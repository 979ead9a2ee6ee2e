//! Whether what came is the file, and all of it.

use std::fs;
use std::io;
use std::path::Path;

use super::super::body;
use super::super::failure::Failure;
use super::Download;
use super::part::{PartialFile, Plan};

/// Bytes of the longest error page. A longer body that is not the file is not asked for again in
/// the same run.
const MAX_ERROR_PAGE: u64 = 1 << 20;

impl Download<'_> {
    /// Checks that what is there is the file, and all of it. `is_marked`: the server marked the end
    /// of the body.
    pub(super) fn check(&self, part: &mut PartialFile, is_marked: bool) -> Result<(), Failure> {
        let path = self.cache.part(&self.key);
        let mut mistake = self.mistake(&path)?;
        if mistake.is_some() && self.unpack(part)? {
            mistake = None;
        }
        if let Some(mistake) = mistake {
            let is_page = !is_marked || part.bytes <= MAX_ERROR_PAGE;
            let message = format!("the server answered, but not with the file: {mistake}");
            let failure = if is_page {
                Failure::Transient
            } else {
                Failure::Final
            };
            return self.discard(part, failure(message));
        }
        let is_complete = is_marked
            // The same end twice: the file is so on the server.
            || part.unmarked_end.replace(part.bytes) == Some(part.bytes)
            || self.check.is_complete(&path)?;
        if is_complete {
            return Ok(());
        }
        Err(Failure::Transient(format!(
            "perhaps cut off after {} bytes, as the server does not mark the end of the file",
            part.bytes
        )))
    }

    /// What the body in the file `path` is, if it is not the file that is wanted.
    pub(super) fn mistake(&self, path: &Path) -> Result<Option<String>, Failure> {
        let mistake = self.check.mistake(self.target, path);
        mistake.map_err(|error| Failure::Final(format!("it cannot be read back: {error}")))
    }

    /// Undoes the Content-Encoding of a whole file, where that makes it the file that is wanted.
    pub(super) fn unpack(&self, part: &mut PartialFile) -> io::Result<bool> {
        let Some(coding) = part
            .validators
            .coding
            .as_deref()
            .filter(|_| matches!(part.plan, Plan::Whole))
        else {
            return Ok(false);
        };
        let (packed, unpacked) = (self.cache.part(&self.key), self.cache.unpacked(&self.key));
        if let Some(bytes) = body::unpack(coding, &packed, &unpacked)?
            && matches!(self.mistake(&unpacked), Ok(None))
        {
            fs::rename(unpacked, packed)?;
            part.bytes = bytes;
            return Ok(true);
        }
        // What an unknown coding left out was never made.
        let _ = fs::remove_file(unpacked);
        Ok(false)
    }
}
