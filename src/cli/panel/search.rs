//! The search for the sites of a panel in the columnar indexes of crawls.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::HumanBytes;
use parquet::errors::ParquetError;

use super::directory::{NAMES, found};
use super::plan::Cost;
use crate::analysis::panel;
use crate::cli::outcome::tell;
use crate::cli::progress::time_of;
use crate::cli::remote::NetworkArguments;
use crate::error::{Error, remedy};
use crate::ingest::input::InputCheck;
use crate::remote::{
    Address, Arrival, BodyCheck, EndError, Fetcher, FileEnd, ListLines, NamedRanges, Remote,
    Target, WantedBytes,
};
use crate::whole_file::WholeFile;

/// Directories of the index whose rows are captures of robots.txt.
const SUBSET: &str = "/subset=robotstxt/";
/// How many bytes at the end of an index file are fetched for its footer.
const FOOTER: u64 = 64 << 10;
/// The most bytes that a plan fetches from a file, if the server does not send ranges.
const MAX_PLANNED: u64 = 1 << 20;
const POLL_INTERVAL: Duration = Duration::from_millis(500);
const LINE_INTERVAL: Duration = Duration::from_secs(10);

pub(super) struct Task {
    pub(super) crawl: String,
    /// The network, with the base of the crawl's files.
    pub(super) network: NetworkArguments,
    files: Vec<String>,
    /// Indexes of the files in which the sites were not looked up before.
    pub(super) left: Vec<usize>,
}

impl Task {
    /// The target for an index file: its end, and the needed ranges, which the end locates.
    fn target(
        &self,
        number: usize,
        name: &'static str,
        ranges: fn(&[u8], u64) -> NamedRanges,
    ) -> Result<Target, Error> {
        let end = FileEnd {
            name,
            first: FOOTER,
            ranges,
        };
        Ok(Target {
            address: address(self.network.base(), &self.files[number])?,
            wanted: WantedBytes::ByEnd(end),
        })
    }
}

pub(super) struct Search<'s> {
    pub(super) remote: Arc<Remote>,
    pub(super) index: &'s Path,
}

impl Search<'_> {
    pub(super) fn task(&self, crawl: &str, network: NetworkArguments) -> Result<Task, Error> {
        let base = network.base();
        let list = format!("crawl-data/{crawl}/cc-index-table.paths.gz");
        let (mut lines, place) = if Address::is_meant(base) {
            let address = address(base, &list)?;
            (self.remote.list(&address)?, PathBuf::from(address.text()))
        } else {
            let path = Path::new(base).join(&list);
            let file = File::open(&path).and_then(ListLines::new);
            (file.map_err(Error::io(&path))?, path)
        };
        let mut files = Vec::new();
        while let Some(line) = lines.next_line().map_err(Error::io(&place))? {
            let line = String::from_utf8_lossy(line);
            if line.contains(SUBSET) {
                files.push(line.into_owned());
            }
        }
        if files.is_empty() {
            let message = "the list has no file of the subset robotstxt";
            return Err(Error::unusable(&place, message));
        }
        let mut task = Task {
            crawl: crawl.to_owned(),
            network,
            left: (0..files.len()).collect(),
            files,
        };
        task.left
            .retain(|it| !self.part(&task.crawl, *it).is_file());
        Ok(task)
    }

    /// The cost of the rest of a crawl, if all remaining index files are like the first of them.
    pub(super) fn cost(&self, task: &Task) -> Result<Cost, Error> {
        let items = task.left.len() as u64;
        let base = task.network.base();
        let first = task.left.first().filter(|_| Address::is_meant(base));
        let Some(&first) = first else {
            return Ok(Cost::new(items, 0, 0, &task.network));
        };
        let target = task.target(first, "footer", |end, length| {
            ranges(end, length).map(|_| Vec::new())
        })?;
        let aside = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
        let check = &ColumnsCheck(MAX_PLANNED);
        let fetched = self.remote.fetch(&target, aside.path(), check)?;
        let (ranges, length) = panel::ranges_of_file(&fetched.path)?;
        let end = length - fetched.received.min(length);
        let ranges = ranges.into_iter().map(|it| it.start..it.end.min(end));
        let runs = target.address.runs(ranges);
        let requests = items * (1 + runs.len() as u64);
        let bytes: u64 = runs.iter().map(|it| it.end - it.start).sum();
        let bytes = items * (fetched.received + bytes);
        Ok(Cost::new(items, requests, bytes, &task.network))
    }

    /// Looks up the sites in the remaining index files of a crawl. `later` is the number of
    /// remaining files of the crawls after it.
    ///
    /// [`Error::Missing`]: a file of this crawl is missing or cannot be read.
    pub(super) fn find(&self, task: &Task, later: usize) -> Result<(), Error> {
        let parts = self.parts(&task.crawl);
        fs::create_dir_all(&parts).map_err(Error::io(&parts))?;
        let base = task.network.base();
        if Address::is_meant(base) {
            self.fetch(task, later)?;
        } else {
            for &number in &task.left {
                let file = Path::new(base).join(&task.files[number]);
                let place = file.display().to_string();
                fs::metadata(&file).map_err(|error| Error::Missing {
                    url: place.clone(),
                    message: format!("{error}{}", remedy(&error)),
                })?;
                self.look_up(&file, &place, &self.part(&task.crawl, number))?;
            }
        }
        let place = found(self.index, &task.crawl);
        let whole = WholeFile::required_at(&place)?;
        panel::unite(&parts, whole.aside())?;
        whole.put_in_place()?;
        fs::remove_dir_all(&parts).map_err(Error::io(&parts))
    }

    /// Fetches the remaining index files of a crawl, and looks the sites up in each. If a file is
    /// missing, this fails after the others are done.
    fn fetch(&self, task: &Task, later: usize) -> Result<(), Error> {
        let targets = task.left.iter();
        let targets = targets.map(|&number| task.target(number, "columns", ranges));
        let targets: Vec<Target> = targets.collect::<Result<_, Error>>()?;
        if targets.is_empty() {
            return Ok(());
        }
        let check = Box::new(ColumnsCheck(u64::MAX));
        let aside = self.parts(&task.crawl);
        let mut queue = Fetcher::begin(&self.remote, targets.clone(), &aside, check)?;
        let (begun, mut bytes, mut told) = (Instant::now(), 0, Instant::now());
        let mut failure = None;
        'files: for (place, (target, &number)) in targets.iter().zip(&task.left).enumerate() {
            let url = target.address.text().to_owned();
            let fetched = loop {
                let arrival = queue.next(POLL_INTERVAL);
                for (target, note) in queue.notes() {
                    tell!("robostat: {}: {note}", target.address.text());
                }
                match arrival {
                    Arrival::Pending => {}
                    Arrival::Fetched(fetched) => break fetched,
                    Arrival::Missing(message) => {
                        failure.get_or_insert(Error::Missing { url, message });
                        continue 'files;
                    }
                    Arrival::Ended(message) => return Err(Error::Remote { url, message }),
                }
            };
            let looked_up = self.look_up(&fetched.path, &url, &self.part(&task.crawl, number));
            // A file that cannot be read is fetched again next time.
            queue.release(target);
            looked_up?;
            bytes += fetched.received;
            if told.elapsed() >= LINE_INTERVAL {
                told = Instant::now();
                let (done, all) = (place + 1, targets.len());
                let left = [all - done, all - done + later];
                let elapsed = begun.elapsed();
                let [of_crawl, of_all] =
                    left.map(|files| time_of(files as u64, done as u64, elapsed));
                tell!(
                    "{}: {done} of {all} files of the index, {}; left: {of_crawl}, and {of_all} \
                     with the other crawls",
                    task.crawl,
                    HumanBytes(bytes),
                );
            }
        }
        failure.map_or(Ok(()), Err)
    }

    fn look_up(&self, file: &Path, place: &str, part: &Path) -> Result<(), Error> {
        let whole = WholeFile::required_at(part)?;
        let found = panel::find(&self.index.join(NAMES), file, whole.aside());
        found.map_err(|error| match error {
            Error::DuckDbFailed { .. } => Error::Missing {
                url: place.to_owned(),
                message: error.to_string(),
            },
            error => error,
        })?;
        whole.put_in_place()
    }

    fn parts(&self, crawl: &str) -> PathBuf {
        self.index.join(format!("{crawl}.partial"))
    }

    fn part(&self, crawl: &str, number: usize) -> PathBuf {
        self.parts(crawl).join(format!("{number:05}.parquet"))
    }
}

/// Accepts index files of at most this many bytes; only the end and the [`ranges`] of a file need
/// be present.
struct ColumnsCheck(u64);

impl BodyCheck for ColumnsCheck {
    fn mistake(&self, target: &Target, body: &Path) -> std::io::Result<Option<String>> {
        match panel::ranges_of_file(body) {
            Ok(_) => Ok(None),
            Err(Error::Parquet { cause, .. }) => {
                let other = InputCheck::Index.mistake(target, body)?;
                Ok(other.or_else(|| Some(unreadable(&cause))))
            }
            Err(Error::Io { cause, .. }) => Err(cause),
            Err(error) => Ok(Some(error.to_string())),
        }
    }

    fn max_bytes(&self) -> u64 {
        self.0
    }
}

/// The ranges of an index file that a look-up reads, as its end locates them.
fn ranges(end: &[u8], length: u64) -> NamedRanges {
    panel::ranges(end, length).map_err(|error| match error {
        ParquetError::NeedMoreData(bytes) => EndError::TooShort(bytes as u64),
        error => EndError::Invalid(unreadable(&error)),
    })
}

fn unreadable(error: &ParquetError) -> String {
    format!("a Parquet file that cannot be read: {error}")
}

fn address(base: &str, path: &str) -> Result<Address, Error> {
    Address::below(base, path).map_err(|message| Error::Remote {
        url: path.to_owned(),
        message,
    })
}
