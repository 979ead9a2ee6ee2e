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

#[derive(Debug, Clone)]
pub struct PlannedInput {
    /// The path or address that was given, or found; `standard input` for the stream.
    pub path: PathBuf,
    /// Its name in the dataset; `None` for a stream, which is named after its content.
    pub name: Option<String>,
    pub place: InputPlace,
    /// The file, if it can be read again.
    pub file: Option<FileState>,
    /// The list that it was drawn from at random.
    pub drawn: Option<SampleDraw>,
    /// The records that an index lists; `None`: the whole input.
    pub indexed: Option<Arc<IndexedRecords>>,
}

/// Where the bytes of an input are.
#[derive(Debug, Clone)]
pub enum InputPlace {
    Standard,
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

/// A file as it was found, unopened. Bytes and time of a file on the network are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    pub location: Location,
    pub bytes: u64,
    /// Modification time, microseconds since 1970-01-01T00:00:00Z.
    pub modified: i64,
}

impl PlannedInput {
    /// A stream, until more is known about it.
    pub(crate) fn new(path: &Path, place: InputPlace) -> Self {
        Self {
            path: path.to_owned(),
            name: None,
            place,
            file: None,
            drawn: None,
            indexed: None,
        }
    }

    /// The same with the name `name`, as a file that can be read again at `location`.
    pub(crate) fn with_file(
        self,
        name: String,
        location: Location,
        bytes: u64,
        modified: i64,
    ) -> Self {
        Self {
            name: Some(name),
            file: Some(FileState {
                location,
                bytes,
                modified,
            }),
            ..self
        }
    }

    pub(crate) fn at(address: Address, name: String, location: Location) -> Self {
        let path = PathBuf::from(address.text());
        Self::new(&path, InputPlace::Network(address)).with_file(name, location, 0, 0)
    }

    pub(crate) fn address(&self) -> Option<&Address> {
        match &self.place {
            InputPlace::Network(address) => Some(address),
            _ => None,
        }
    }

    pub(crate) fn target(&self) -> Option<Target> {
        Some(Target {
            address: self.address()?.clone(),
            wanted: match &self.indexed {
                Some(indexed) => WantedBytes::Ranges(indexed.wanted.clone()),
                None => WantedBytes::Whole,
            },
        })
    }

    /// What the dataset notes about a file on the network: `fetched`, or missing.
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

    /// Opens it, or its fetched file. A stream is copied, and a folder packed, into `spool`.
    pub(crate) fn open(
        &self,
        fetched: Option<&Fetched>,
        use_mmap: bool,
        spool: &Path,
    ) -> io::Result<Input> {
        let source = match (&self.place, fetched) {
            (_, Some(fetched)) => Source::Path(fetched.path.clone()),
            (InputPlace::Folder(folder), None) => return folder.pack(spool, use_mmap),
            (InputPlace::Standard, None) => Source::Standard,
            _ => Source::Path(self.path.clone()),
        };
        Input::open(&source, use_mmap, spool)
    }
}
