//! A folder for a test, with files and datasets.

use std::fs;
use std::path::PathBuf;

use tempfile::{TempDir, tempdir};

/// A temporary folder. Modules of tests add the runs that they start in it.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and its parent folders.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("space");
        fs::write(&path, bytes).expect("space");
        path
    }
}
