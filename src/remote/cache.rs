//! The cache: whole files in a tree by scheme, server and path, and parts of files aside.
//!
//! `DIR/SCHEME/HOST/PATH` is a whole file. `DIR/.fetching/` contains, under a hash of the address
//! (and of the ranges, if only some are wanted), the part of a file that is still being fetched,
//! and its validators. A part is renamed into the tree only when it is complete and its validators
//! are written, so every file in the tree can be used. A complete file that has no place in the
//! tree stays there too.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::error::Error;

const FETCHING: &str = ".fetching";
/// Longest component of a path, in bytes; longer ones are replaced with a hash.
const MAX_COMPONENT: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    pub path: PathBuf,
    pub bytes: u64,
    /// How many of `bytes` were received or came from the cache; the rest is not wanted.
    pub received: u64,
    pub etag: Option<String>,
    /// As the server wrote it.
    pub last_modified: Option<String>,
}

pub(super) struct Cache {
    root: PathBuf,
    /// Keeps other runs from writing the same parts, if the cache is kept.
    lock: Option<File>,
}

/// The validators of a file (RFC 9110 §8.8), its coding and its length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Validators {
    /// The key in the cache.
    pub(super) key: String,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
    /// Content-Encoding (RFC 9110 §8.4).
    #[serde(default)]
    pub(super) coding: Option<String>,
    /// Length in bytes, once the file is whole.
    pub(super) bytes: Option<u64>,
}

impl Validators {
    /// The value of If-Range (RFC 9110 §13.1.5): the file's ETag if that is strong; its
    /// Last-Modified time only if it has no ETag.
    pub(super) fn validator(&self) -> Option<&str> {
        match &self.etag {
            Some(etag) => Some(&**etag).filter(|etag| etag.starts_with('"')),
            None => self.last_modified.as_deref(),
        }
    }

    fn fetched(self, path: PathBuf, bytes: u64) -> Fetched {
        Fetched {
            path,
            bytes,
            received: bytes,
            etag: self.etag,
            last_modified: self.last_modified,
        }
    }
}

impl Cache {
    /// The cache in the directory `kept`, else in `aside`, where files are deleted after use.
    pub(super) fn of(kept: Option<&Path>, aside: &Path) -> Result<Self, Error> {
        let Some(root) = kept else {
            return Ok(Self {
                root: aside.to_owned(),
                lock: None,
            });
        };
        let fetching = root.join(FETCHING);
        fs::create_dir_all(&fetching).map_err(Error::io(&fetching))?;
        let path = fetching.join("lock");
        let lock = File::create(&path).map_err(Error::io(&path))?;
        match lock.try_lock() {
            // On a file system without locks, the cache is used unlocked.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::unusable(
                    root,
                    "another robostat fetches into this cache; wait for it, or use \
                     another directory",
                ));
            }
        }
        Ok(Self {
            root: root.to_owned(),
            lock: Some(lock),
        })
    }

    pub(super) fn is_kept(&self) -> bool {
        self.lock.is_some()
    }

    pub(super) fn find(&self, key: &str) -> Option<Fetched> {
        let validators = self.validators(key).filter(|it| it.key == key)?;
        let bytes = validators.bytes?;
        let is_file = |path: &PathBuf| {
            fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == bytes)
        };
        let path = [self.place(key), self.aside(key, "file")]
            .into_iter()
            .find(is_file)?;
        Some(validators.fetched(path, bytes))
    }

    pub(super) fn validators(&self, key: &str) -> Option<Validators> {
        let text = fs::read(self.aside(key, "json")).ok()?;
        serde_json::from_slice(&text).ok()
    }

    pub(super) fn note(&self, key: &str, validators: &Validators) -> io::Result<()> {
        fs::create_dir_all(self.root.join(FETCHING))?;
        fs::write(self.aside(key, "json"), serde_json::to_vec(validators)?)
    }

    pub(super) fn open_part(&self, key: &str) -> io::Result<File> {
        fs::create_dir_all(self.root.join(FETCHING))?;
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        options.open(self.aside(key, "part"))
    }

    /// A file that has no place in the tree, as one with the name of a folder, stays next to it.
    pub(super) fn complete(
        &self,
        key: &str,
        mut validators: Validators,
        bytes: u64,
    ) -> io::Result<Fetched> {
        let part = self.aside(key, "part");
        File::open(&part)?.sync_data()?;
        validators.bytes = Some(bytes);
        self.note(key, &validators)?;
        let mut path = self.place(key);
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        match folder.and_then(|()| fs::rename(&part, &path)) {
            Err(error) if is_taken(&error) => {
                path = self.aside(key, "file");
                fs::rename(part, &path)?;
            }
            placed => placed?,
        }
        Ok(validators.fetched(path, bytes))
    }

    pub(super) fn release(&self, key: &str) {
        if !self.is_kept() {
            // A file that cannot be removed now is removed with the directory.
            let _ = fs::remove_file(self.place(key));
            let _ = fs::remove_file(self.aside(key, "file"));
            let _ = fs::remove_file(self.aside(key, "json"));
        }
    }

    pub(super) fn clear(&self) {
        if !self.is_kept() {
            let _ = fs::remove_dir_all(&self.root);
        }
    }

    pub(super) fn aside(&self, key: &str, extension: &str) -> PathBuf {
        let name = format!("{:032x}.{extension}", xxh3_128(key.as_bytes()));
        self.root.join(FETCHING).join(name)
    }

    pub(super) fn place(&self, key: &str) -> PathBuf {
        let (scheme, rest) = key.split_once("://").unwrap_or_default();
        let mut place = self.root.join(scheme);
        for component in rest.split('/') {
            let is_plain = !component.is_empty()
                && !component.starts_with('.')
                && !component.contains(['?', '\0'])
                && component.len() <= MAX_COMPONENT;
            if is_plain {
                place.push(component);
            } else {
                place.push(format!("{:032x}", xxh3_128(component.as_bytes())));
            }
        }
        place
    }
}

/// Whether something else has a name that a file or its folders need.
fn is_taken(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotADirectory
            | io::ErrorKind::AlreadyExists
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::DirectoryNotEmpty
    )
}
