//! An input as it was found, before it is opened.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use robots_dialects::http_date::parse_http_date;
use warc_recovery::damage::Damage;
use warc_recovery::input::{Input, Source};

use super::indexed_records::IndexedRecords;
use crate::dataset::{Location, Origin, SampleDraw};
use crate::ingest::corpus::Folder;
use crate::remote::{Address, Fetched, Target, WantedBytes};

/// An input as it was found.
#[derive(Debug, Clone)]
pub struct PlannedInput {
    /// What to open.
    pub source: Source,
    /// Its name in the dataset; `None` for a stream, which is named after its content.
    pub name: Option<String>,
    /// Where its bytes are.
    pub place: InputPlace,
    /// The file, if it can be read again. Size and time of a file on the network are unknown.
    pub file: Option<FileState>,
    /// The list that it was drawn from at random.
    pub drawn: Option<SampleDraw>,
    /// The records of it that an index names; `None`: all of it.
    pub indexed: Option<Arc<IndexedRecords>>,
}

/// Where the bytes of an input are.
#[derive(Debug, Clone)]
pub enum InputPlace {
    /// In one file, or in a stream.
    File,
    /// In the files of a folder that are named after their hosts.
    Folder(Arc<Folder>),
    Network(Address),
    /// Nowhere, for this reason: an index names an archive that cannot be found.
    Nowhere(String),
    /// In an index, as rows that cannot be used.
    Index(Arc<Vec<Damage>>),
}

impl PlannedInput {
    /// An input that can be read like a file.
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            name: None,
            place: InputPlace::File,
            file: None,
            drawn: None,
            indexed: None,
        }
    }

    pub(crate) fn at(
        address: Address,
        name: String,
        location: Location,
        drawn: Option<SampleDraw>,
    ) -> Self {
        Self {
            source: Source::Path(PathBuf::from(address.text())),
            name: Some(name),
            place: InputPlace::Network(address),
            file: Some(FileState::unknown(location)),
            drawn,
            indexed: None,
        }
    }

    pub(crate) fn address(&self) -> Option<&Address> {
        match &self.place {
            InputPlace::Network(address) => Some(address),
            _ => None,
        }
    }

    /// Offset of what is read first.
    pub(crate) fn first(&self) -> u64 {
        self.indexed.as_ref().map_or(0, |indexed| indexed.first())
    }

    pub(crate) fn target(&self) -> Option<Target> {
        Some(Target {
            address: self.address()?.clone(),
            wanted: (self.indexed.as_ref()).map_or(WantedBytes::Whole, |indexed| {
                WantedBytes::Ranges(indexed.wanted())
            }),
        })
    }

    /// What the dataset notes of a file on the network: `fetched`, or missing.
    pub(crate) fn origin(&self, fetched: Option<&Fetched>) -> Option<Origin> {
        let address = self.address()?;
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
    pub(crate) fn open(
        &self,
        fetched: Option<&Fetched>,
        use_mmap: bool,
        spool: &Path,
    ) -> io::Result<Input> {
        if let Some(fetched) = fetched {
            return Input::open(&Source::Path(fetched.path.clone()), use_mmap, spool);
        }
        match &self.place {
            InputPlace::Folder(folder) => folder.pack(spool, use_mmap),
            _ => Input::open(&self.source, use_mmap, spool),
        }
    }

    /// Modification time of what is open as `input`, or was fetched from `origin`.
    pub(crate) fn modified(&self, input: &Input, origin: Option<&Origin>) -> i64 {
        match (&self.place, self.file, origin) {
            // The time of a folder is the time of its newest file.
            (InputPlace::Folder(_), Some(file), _) => file.modified,
            (_, _, Some(origin)) => origin.last_modified.unwrap_or_default(),
            (_, _, None) => input.modified(),
        }
    }

    /// The path that was given, or found.
    pub fn source_path(&self) -> &Path {
        match &self.source {
            Source::Path(path) => path,
            Source::Standard => Path::new("standard input"),
        }
    }
}

/// A file as it was found, unopened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    /// Where it lies.
    pub location: Location,
    pub bytes: u64,
    /// Modification time, microseconds since 1970-01-01T00:00:00Z.
    pub modified: i64,
}

impl FileState {
    /// A file of which nothing else is known yet.
    pub(crate) fn unknown(location: Location) -> Self {
        Self {
            location,
            bytes: 0,
            modified: 0,
        }
    }
}
