//! SHA-256 of the parts, which the formats of data cards ask for.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};
use xxhash_rust::xxh3::Xxh3Default;

use crate::dataset::checksum;
use crate::error::Error;

/// SHA-256, in hexadecimal digits, of the file at `path` within the dataset in `directory`.
///
/// Fails if it cannot be read, or its XXH3-64 is not `xxh3`: a card must not vouch for a damaged
/// file.
pub(super) fn sha256(directory: &Path, path: &str, xxh3: &str) -> Result<String, Error> {
    let full = directory.join(path);
    let (sha256, found) = digests(&full).map_err(Error::io(&full))?;
    if found != xxh3 {
        return Err(Error::unusable(
            full,
            "other bytes than were committed; put the right file back (`robostat verify` \
             tells what else is wrong)",
        ));
    }
    Ok(sha256)
}

/// SHA-256 and XXH3-64 of the file at `path`.
pub(in super::super) fn digests(path: &Path) -> io::Result<(String, String)> {
    let mut file = File::open(path)?;
    let (mut sha256, mut xxh3) = (Sha256::new(), Xxh3Default::new());
    checksum::read(&mut file, |bytes| {
        sha256.update(bytes);
        xxh3.update(bytes);
    })?;
    Ok((checksum::sha256_digits(sha256), checksum::digits(&xxh3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a"), "abc").expect("a file");
        let xxh3 = "78af5f94892f3950"; // of "abc"
        let digest = sha256(folder.path(), "a", xxh3).expect("the same bytes");
        // FIPS 180-4, the example of one block.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest, expected);
        std::fs::write(folder.path().join("a"), "abd").expect("a file");
        let error = sha256(folder.path(), "a", xxh3).expect_err("other bytes");
        assert!(error.to_string().contains("other bytes"), "{error}");
    }
}
