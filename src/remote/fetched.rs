//! A file that was fetched.

use std::path::PathBuf;

/// A file that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Where it lies.
    pub path: PathBuf,
    /// Bytes.
    pub bytes: u64,
    /// Bytes of them that were received or were in the cache; the others are not wanted.
    pub received: u64,
    /// Its ETag.
    pub etag: Option<String>,
    /// Its Last-Modified, verbatim.
    pub last_modified: Option<String>,
}
