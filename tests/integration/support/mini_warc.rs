//! WARC files of a few captures, written out by a test, and their ingestion by the real program.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::duckdb;
use super::folder::Folder;
use super::program::{robostat, sample, text};
use super::warc::Packing;

/// The sample crawl, ingested once for all tests that only read it.
pub(crate) static SAMPLE: LazyLock<Dataset> =
    LazyLock::new(|| Dataset::ingest(&sample("crawl.warc.gz")));

/// A dataset in a folder of its own.
pub(crate) struct Dataset(Folder);

impl Dataset {
    /// Ingests `input`, with every response in it as a capture.
    #[track_caller]
    pub(crate) fn ingest(input: &Path) -> Self {
        Self(Folder::new()).add(input, &[])
    }

    /// Ingests one more file into it.
    #[track_caller]
    fn add(self, input: &Path, options: &[&str]) -> Self {
        let mut ingest = robostat(["ingest", "--quiet", "--subset", "robotstxt"]);
        let output = ingest.args(options).arg(input).arg(self.path()).output();
        let output = output.expect("robostat starts");
        let errors = text(&output);
        let is_empty = output.status.code() == Some(3) && errors.contains("no capture: ");
        assert!(output.status.success() || is_empty, "{ingest:?}: {errors}");
        self
    }

    /// The directory that was written.
    pub(crate) fn path(&self) -> PathBuf {
        self.0.path("out")
    }

    /// The rows of SQL as [`duckdb::of`] reads them.
    #[track_caller]
    pub(crate) fn lines(&self, sql: &str) -> Vec<String> {
        duckdb::of(&self.path(), sql)
    }
}

/// `https://HOST/robots.txt`.
pub(crate) fn robots(host: &str) -> String {
    format!("https://{host}/robots.txt")
}

/// Builds an uncompressed WARC file whose captures are a minute apart.
pub(crate) struct MiniWarc {
    records: Vec<Vec<u8>>,
    captures: u32,
    day: String,
}

impl MiniWarc {
    /// A file with nothing but a warcinfo record.
    pub(crate) fn new() -> Self {
        Self::of_crawl("MINI")
    }

    /// As [`Self::new`], of a crawl of that name.
    pub(crate) fn of_crawl(label: &str) -> Self {
        let mut warc = Self {
            records: Vec::new(),
            captures: 0,
            day: "2026-01-01".to_owned(),
        };
        let info = format!("isPartOf: {label}\r\n");
        warc.record("warcinfo", "", "application/warc-fields", &info);
        warc
    }

    /// The captures that follow are of this day, by default `2026-01-01`.
    pub(crate) fn on(mut self, day: &str) -> Self {
        day.clone_into(&mut self.day);
        self
    }

    /// Adds the response to a request for `url`.
    pub(crate) fn answer(self, url: &str, status: u16, body: &str) -> Self {
        self.response(url, status, "", body)
    }

    /// Adds a host with this robots.txt.
    pub(crate) fn file(self, host: &str, body: &str) -> Self {
        self.answer(&robots(host), 200, body)
    }

    /// Adds a host that answers with this status and no body.
    pub(crate) fn status(self, host: &str, status: u16) -> Self {
        self.answer(&robots(host), status, "")
    }

    /// Adds a redirect from `url` to `location`.
    pub(crate) fn redirect(self, url: &str, location: &str) -> Self {
        self.response(url, 301, &format!("Location: {location}\r\n"), "")
    }

    /// Adds a response with further header lines.
    pub(crate) fn response(mut self, url: &str, status: u16, headers: &str, body: &str) -> Self {
        self.captures += 1;
        let length = body.len();
        let block =
            format!("HTTP/1.1 {status} Status\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
        self.record(
            "response",
            url,
            "application/http; msgtype=response",
            &block,
        );
        self
    }

    fn record(&mut self, record_type: &str, url: &str, media_type: &str, block: &str) {
        let (hour, minute) = (self.captures / 60, self.captures % 60);
        let day = &self.day;
        let target = if url.is_empty() {
            String::new()
        } else {
            format!("WARC-Target-URI: {url}\r\n")
        };
        let record = format!(
            "WARC/1.0\r\nWARC-Type: {record_type}\r\nWARC-Date: {day}T{hour:02}:{minute:02}:00Z\r\n\
             WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{:012}>\r\n{target}\
             Content-Type: {media_type}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            self.captures,
            block.len()
        );
        self.records.push(record.into_bytes());
    }

    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.pack(Packing::Plain)
    }

    /// The file, packed.
    pub(crate) fn pack(&self, packing: Packing) -> Vec<u8> {
        packing.pack(&self.records)
    }

    /// Writes the file and ingests it.
    #[track_caller]
    pub(crate) fn ingest(self) -> Dataset {
        self.ingest_with(&[])
    }

    /// As [`Self::ingest`], with further options.
    #[track_caller]
    pub(crate) fn ingest_with(self, options: &[&str]) -> Dataset {
        let folder = Folder::new();
        let input = folder.write("mini.warc", &self.bytes());
        Dataset(folder).add(&input, options)
    }

    /// Writes files and ingests them, each as the crawl of that name.
    #[track_caller]
    pub(crate) fn ingest_crawls<const N: usize>(crawls: [(&str, Self); N]) -> Dataset {
        let empty = Dataset(Folder::new());
        crawls.into_iter().fold(empty, |dataset, (crawl, warc)| {
            let input = dataset.0.write(&format!("{crawl}.warc"), &warc.bytes());
            dataset.add(&input, &["--crawl", crawl])
        })
    }
}
