//! Checksums of files: XXH3-64 of every byte, in 16 hexadecimal digits; for data cards SHA-256.
//!
//! The library does not write Parquet's own page checksums, which would not cover the footer. This
//! checksum is computed while a part is written, so that it need not be read again.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};
use xxhash_rust::xxh3::Xxh3Default;

use crate::error::Error;

const STEP_BYTES: usize = 256 * 1024;

pub(super) struct ChecksumFile {
    pub(super) file: File,
    pub(super) hash: Xxh3Default,
}

impl ChecksumFile {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: File::create(path)?,
            hash: Xxh3Default::new(),
        })
    }
}

impl Write for ChecksumFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

pub(super) fn of(file: &mut File) -> io::Result<String> {
    let mut hash = Xxh3Default::new();
    read(file, |bytes| hash.update(bytes))?;
    Ok(digits(&hash))
}

fn read(file: &mut File, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut bytes = vec![0; STEP_BYTES];
    loop {
        match file.read(&mut bytes) {
            Ok(0) => return Ok(()),
            Ok(n) => take(&bytes[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Refuses a part whose checksum differs: damaged rows must not get a valid checksum in a new part.
pub(super) fn check(path: &Path, expected: &str) -> Result<(), Error> {
    let mut file = File::open(path).map_err(Error::io(path))?;
    let found = of(&mut file).map_err(Error::io(path))?;
    if found == expected {
        return Ok(());
    }
    let message = format!(
        "its checksum is {found}, {expected} in the manifest: bytes have changed since it was \
         written; restore the file (`robostat verify` lists what else is wrong)"
    );
    Err(Error::unusable(path, message))
}

/// Refuses a file whose XXH3-64 is not `xxh3`: a card must not vouch for a damaged file.
pub(super) fn sha256_of(path: &Path, xxh3: &str) -> Result<String, Error> {
    let (sha256, found) = digests(path)?;
    if found == xxh3 {
        return Ok(sha256);
    }
    let message = "it has changed since it was committed; restore the file (`robostat verify` lists \
                   what else is wrong)";
    Err(Error::unusable(path, message))
}

pub(super) fn digests(path: &Path) -> Result<(String, String), Error> {
    let mut file = File::open(path).map_err(Error::io(path))?;
    let (mut sha256, mut xxh3) = (Sha256::new(), Xxh3Default::new());
    let take = |bytes: &[u8]| {
        sha256.update(bytes);
        xxh3.update(bytes);
    };
    read(&mut file, take).map_err(Error::io(path))?;
    Ok((sha256_digits(sha256), digits(&xxh3)))
}

pub(crate) fn sha256_digits(hash: Sha256) -> String {
    let mut digits = String::new();
    for byte in hash.finalize() {
        // Writing to a String cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

pub(super) fn digits(hash: &Xxh3Default) -> String {
    format!("{:016x}", hash.digest())
}
