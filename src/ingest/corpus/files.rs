//! Files of a folder, tar file or zip file that are read.

use super::batch::{Batch, Row, RowLocation, Rows};
use super::choice::{Survey, choose};
use super::fetch::Fetch;
use super::file_kind::FileKind;
use super::host_file::HostFile;

/// A file of a corpus.
#[derive(Debug)]
pub(super) struct CorpusFile {
    /// Its path in the corpus.
    pub(super) path: String,
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

/// Files of a batch, with the URLs of the robots.txt that they hold.
#[derive(Default)]
pub(super) struct Files {
    pub(super) files: Vec<(String, CorpusFile)>,
    pub(super) bytes: usize,
}

impl Files {
    /// Adds a file, if it is chosen; else it is passed over in `batch`.
    pub(super) fn add(
        &mut self,
        file: CorpusFile,
        host: &HostFile,
        survey: Option<&Survey>,
        batch: &mut Batch,
    ) {
        if let Some(url) = choose(survey, &file.path, host, file.likeness(host)) {
            self.bytes += file.body.len();
            self.files.push((url, file));
        } else {
            batch.passed_over.other_content += 1;
            batch.accounting.skipped_bytes += file.place.stored;
        }
    }
}

impl Rows for Files {
    fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    fn deliver(&self, take: &mut dyn FnMut(Row<'_>)) {
        for (url, file) in &self.files {
            let fetch = Fetch::from_file(url, file.time, &file.body, &file.path);
            take(Row::Fetch(file.place, fetch));
        }
    }
}
