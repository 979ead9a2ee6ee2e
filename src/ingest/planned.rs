//! An input as it was found, before it is opened.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use robots_dialects::http_date::parse_http_date;
use warc_recovery::damage::Damage;
use warc_recovery::input::{Input, Source};

use super::chosen::{self, Chosen};
use super::corpus::Folder;
use super::sources::path;
use crate::dataset::{Drawn, Location, Origin};
use crate::remote::{Address, Fetched, Ranges, Target};

/// An input as it was found.
#[derive(Debug, Clone)]
pub struct PlannedInput {
    /// What to open.
    pub source: Source,
    /// Its name in the dataset; `None` for a stream, which is named after its content.
    pub name: Option<String>,
    /// The files of a folder, where it is one.
    pub folder: Option<Arc<Folder>>,
    /// The file, if it can be read again. Size and time of a file on the network are unknown.
    pub file: Option<FileState>,
    /// Where to fetch it from, if it is on the network.
    pub address: Option<Address>,
    /// The list that it was drawn from at random.
    pub drawn: Option<Drawn>,
    /// The records of it that an index names; none: all of it.
    pub chosen: Option<Arc<Chosen>>,
    /// Why it is not there, where an index names an archive that is not.
    pub absent: Option<String>,
    /// What cannot be used of it, where it is an index.
    pub(super) index: Option<Arc<Vec<Damage>>>,
}

impl PlannedInput {
    /// What can be read like a file.
    pub(super) fn new(source: Source) -> Self {
        Self {
            source,
            name: None,
            folder: None,
            file: None,
            address: None,
            drawn: None,
            chosen: None,
            absent: None,
            index: None,
        }
    }

    /// A file on the network.
    pub(super) fn at(
        address: Address,
        name: String,
        location: Location,
        drawn: Option<Drawn>,
    ) -> Self {
        let mut planned = Self {
            name: Some(name),
            file: Some(FileState {
                location,
                bytes: 0,
                modified: 0,
            }),
            drawn,
            ..Self::new(Source::Path(PathBuf::from(address.text())))
        };
        planned.address = Some(address);
        planned
    }

    /// The address to fetch, if it is on the network.
    pub(super) fn target(&self) -> Option<Target> {
        Some(Target {
            address: self.address.clone()?,
            ranges: self.chosen.as_ref().map(|chosen| Ranges {
                bytes: chosen.ranges(),
                first: chosen::FIRST_BYTES,
                head: chosen::head_bytes,
            }),
        })
    }

    /// What the dataset notes of a file on the network: `fetched`, or missing.
    pub(super) fn origin(&self, fetched: Option<&Fetched>) -> Option<Origin> {
        let address = self.address.as_ref()?;
        let modified = fetched.and_then(|it| it.last_modified.as_deref());
        let seconds = modified.and_then(|it| parse_http_date(it.as_bytes()));
        Some(Origin {
            url: address.text().to_owned(),
            etag: fetched.and_then(|it| it.etag.clone()),
            last_modified: seconds.and_then(|it| it.checked_mul(1_000_000)),
            is_missing: fetched.is_none(),
        })
    }

    /// Opens it, or what was fetched of it; what cannot be read at any offset is copied, and a
    /// folder packed, into `spool`.
    pub(super) fn open(
        &self,
        fetched: Option<&Fetched>,
        use_mmap: bool,
        spool: &Path,
    ) -> io::Result<Input> {
        if let Some(fetched) = fetched {
            return Input::open(&Source::Path(fetched.path.clone()), use_mmap, spool);
        }
        match &self.folder {
            Some(folder) => folder.pack(spool, use_mmap),
            None => Input::open(&self.source, use_mmap, spool),
        }
    }

    /// The file, now that it is open, or fetched from `origin`.
    pub(super) fn file_state(&self, input: &Input, origin: Option<&Origin>) -> Option<FileState> {
        let file = self.file?;
        Some(FileState {
            location: file.location,
            bytes: (self.chosen.as_ref()).map_or(input.len(), |it| it.bytes(input.len())),
            // The time of a folder is the time of its newest file.
            modified: match (&self.folder, origin) {
                (Some(_), _) => file.modified,
                (None, Some(origin)) => origin.last_modified.unwrap_or_default(),
                (None, None) => input.modified(),
            },
        })
    }

    /// The path that was given, or found.
    pub(super) fn source_path(&self) -> &Path {
        path(&self.source)
    }
}

/// A file as it was found, unopened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    /// Where it lies.
    pub location: Location,
    /// Bytes.
    pub bytes: u64,
    /// Modification time, microseconds since 1970-01-01T00:00:00Z.
    pub modified: i64,
}
