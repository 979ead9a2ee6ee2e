//! Files of a folder, tar file or zip file that are read.

use super::batch::{Row, RowLocation, Rows};
use super::fetch::Fetch;
use super::file_kind::FileKind;
use super::host_file::HostFile;

/// A file of a corpus.
#[derive(Debug)]
pub(super) struct CorpusFile {
    /// Its path in the corpus.
    pub(super) path: String,
    pub(super) url: String,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub(super) time: Option<i64>,
    pub(super) place: RowLocation,
    pub(super) body: Vec<u8>,
}

impl CorpusFile {
    /// What its content is taken for, if its name alone does not make it a robots.txt.
    pub(super) fn likeness(&self, host: &HostFile) -> Option<FileKind> {
        host.is_bare.then(|| FileKind::of(&self.body))
    }
}

/// Files of a batch.
#[derive(Default)]
pub(super) struct Files {
    pub(super) files: Vec<CorpusFile>,
    pub(super) bytes: usize,
}

impl Rows for Files {
    fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    fn deliver(&self, take: &mut dyn FnMut(Row<'_>)) {
        for file in &self.files {
            let fetch = Fetch::from_file(&file.url, file.time, &file.body, &file.path);
            take(Row::Fetch(file.place, fetch));
        }
    }
}
