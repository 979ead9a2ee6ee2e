//! Whether a body is the file that was asked for: servers send error pages with status 200, and
//! bodies that are cut off. The caller knows what its files look like; this room does not.

use std::io;
use std::path::Path;

use super::target::Target;

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
