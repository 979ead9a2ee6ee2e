//! Files and directories that are durable on return.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use crate::error::Error;

/// Writes a file, durable on return except for its name.
pub(super) fn write_synced(path: &Path, content: &[u8]) -> Result<(), Error> {
    let write = |mut file: File| {
        file.write_all(content)?;
        file.sync_all()
    };
    File::create(path).and_then(write).map_err(Error::io(path))
}

pub(super) fn replace_file(staging: &Path, path: &Path, content: &[u8]) -> Result<(), Error> {
    fs::create_dir_all(staging).map_err(Error::io(staging))?;
    let aside = staging.join(path.file_name().unwrap_or_default());
    write_synced(&aside, content)?;
    fs::rename(&aside, path).map_err(Error::io(path))?;
    path.parent().map_or(Ok(()), sync_directory)
}

pub(crate) fn sync_directory(path: &Path) -> Result<(), Error> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(Error::io(path))
}
