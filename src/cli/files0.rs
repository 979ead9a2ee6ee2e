//! Arguments from a list with a NUL after each: many, and with any name.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::target;
use crate::error::Error;
use crate::ingest::input::MAX_LISTED;

/// Bytes of the longest list.
const MAX_LIST: u64 = 1 << 30;
/// Bytes of the longest path, its NUL included.
const MAX_PATH: u64 = 64 << 10;

/// The paths in a file, or in standard input for `-`: each once, and how many repeat an earlier
/// one.
pub(super) fn read(list: &Path) -> Result<(Vec<PathBuf>, u64), Error> {
    let ((reader, _), name) = (target::open(list)?, target::name_of(list));
    let refusal = |message: &str| Error::unusable(name, message);
    let mut reader = BufReader::new(reader);
    let (mut paths, mut seen) = (Vec::new(), HashSet::new());
    let (mut path, mut bytes, mut repeated) = (Vec::new(), 0, 0);
    loop {
        path.clear();
        let mut entry = (&mut reader).take(MAX_PATH + 1);
        let read = entry.read_until(0, &mut path).map_err(Error::io(name))? as u64;
        bytes += read;
        if read == 0 {
            return Ok((paths, repeated));
        }
        if read > MAX_PATH {
            return Err(refusal("not a list of paths with a NUL after each"));
        }
        if bytes > MAX_LIST {
            return Err(refusal("the list has more than 1 GiB; divide it"));
        }
        path.pop_if(|last| *last == 0);
        if path.is_empty() {
            continue;
        }
        if !seen.insert(xxh3_128(&path)) {
            repeated += 1;
            continue;
        }
        if seen.len() > MAX_LISTED {
            let problem = "the list names more than 2,000,000 paths; divide it";
            return Err(refusal(problem));
        }
        paths.push(PathBuf::from(OsString::from_vec(path.clone())));
    }
}
