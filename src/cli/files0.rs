//! Arguments from a list with a NUL after each: as many as one likes, with any name.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Bytes of the longest list.
const MAX_LIST: u64 = 1 << 30;

/// The paths in a file, or in standard input for `-`.
pub(super) fn read(list: &Path) -> Result<Vec<PathBuf>, Error> {
    let (name, reader): (&Path, Box<dyn Read>) = if list == Path::new("-") {
        (Path::new("standard input"), Box::new(io::stdin()))
    } else {
        (list, Box::new(File::open(list).map_err(Error::io(list))?))
    };
    let mut paths = Vec::new();
    let mut bytes = 0;
    for path in BufReader::new(reader.take(MAX_LIST + 1)).split(0) {
        let path = path.map_err(Error::io(name))?;
        bytes += path.len() as u64 + 1;
        if bytes > MAX_LIST {
            let message = "the list has more than 1 GiB; divide it";
            return Err(Error::io(name)(io::Error::other(message)));
        }
        if !path.is_empty() {
            paths.push(PathBuf::from(OsString::from_vec(path)));
        }
    }
    Ok(paths)
}
