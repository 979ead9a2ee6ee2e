//! `robostat panel find`: the records of the sites of a panel, by the columnar index of each crawl.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::HumanBytes;

use super::super::progress::shown_seconds;
use super::super::remote::NetworkArguments;
use super::super::{COMPLETE, DAMAGED, Result, terminal};
use super::{INDEX, SITES};
use crate::analysis::panel;
use crate::error::{Error, shown};
use crate::ingest::input::IndexCheck;
use crate::remote::{Address, Arrival, COMMON_CRAWL, Fetcher, ListLines, Remote, Target};
use crate::whole_file::WholeFile;

/// Directories of the index whose rows are captures of robots.txt.
const SUBSET: &str = "/subset=robotstxt/";
/// How long to wait for a file before asking what happened meanwhile.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two lines of progress.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Arguments of `robostat panel find`.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct FindArguments {
    /// The directory of the panel, with sites.csv.
    #[arg(value_name = "PANEL")]
    panel: PathBuf,
    /// A crawl of Common Crawl, as CC-MAIN-2026-34; may be repeated, or a list with commas.
    #[arg(long = "crawl", value_name = "CRAWL", value_delimiter = ',', required = true, value_parser = super::super::ingest::crawl_label)]
    crawls: Vec<String>,
    /// Print how many files of the index would be fetched, and fetch none.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    network: NetworkArguments,
}

const HELP: &str = "\
Reads the list crawl-data/CRAWL/cc-index-table.paths.gz below --base, fetches
the files of its subset robotstxt one after the other, and keeps the rows of
each site and of www. before it, in PANEL/index/CRAWL.parquet. The files
themselves are deleted. If --base is a directory, they are read there.

A crawl whose index was found before is skipped. Interrupted, the same command
goes on with the files that are missing. A crawl that is missing, or of which a
file is, does not stop the others.

The files have every host of the crawl, and are far larger than what is kept. An
engine that reads single columns makes the same file with one query, best in the
region of the bucket; docs/panel.md has it.

Exit codes:
  0    complete
  1    failed
  2    the arguments are wrong
  3    complete, but a crawl is missing

Examples:
  robostat panel find --crawl CC-MAIN-2025-33,CC-MAIN-2026-34 panel/
  robostat panel find --crawl CC-MAIN-2026-34 --base s3://commoncrawl/ panel/";

/// Runs the subcommand.
pub(super) fn run(arguments: &FindArguments) -> Result<u8> {
    let sites = arguments.panel.join(SITES);
    fs::metadata(&sites).map_err(|error| {
        let sites = shown(&sites);
        format!("{sites}: {error}; `robostat panel choose -o {sites}` writes it")
    })?;
    let index = arguments.panel.join(INDEX);
    fs::create_dir_all(&index).map_err(Error::io(&index))?;
    same_sites(&sites, &index)?;
    let mut search = Search {
        base: arguments.network.base.as_deref().unwrap_or(COMMON_CRAWL),
        remote: arguments.network.remote(None),
        sites: &sites,
        index: &index,
        begun: Instant::now(),
        done: 0,
        crawls_left: arguments.crawls.len(),
    };
    let mut missing = 0;
    for crawl in &arguments.crawls {
        search.crawls_left -= 1;
        let place = index.join(format!("{crawl}.parquet"));
        if place.is_file() {
            terminal::tell(&format!("{crawl}: found before\n"));
            continue;
        }
        let found = match search.list(crawl) {
            Ok(files) if arguments.dry_run => Ok(format!("files of the index: {}", files.len())),
            Ok(files) => search.find(crawl, &files, &place)?,
            Err(error) => Err(error),
        };
        match found {
            Ok(found) => terminal::tell(&format!("{crawl}: {found}\n")),
            Err(error) => {
                missing += 1;
                terminal::tell(&format!("robostat: {crawl}: {error}\n"));
            }
        }
    }
    if missing == 0 {
        return Ok(COMPLETE);
    }
    terminal::tell(&format!(
        "robostat: crawls that are missing: {missing}; the same command looks for them again\n"
    ));
    Ok(DAMAGED)
}

/// Checks that indexes were found for the sites that there are now: a panel has the same sites in
/// every crawl.
fn same_sites(sites: &Path, index: &Path) -> Result<()> {
    let kept = index.join(SITES);
    let now = fs::read(sites).map_err(Error::io(sites))?;
    match fs::read(&kept) {
        Ok(before) if before == now => Ok(()),
        Ok(_) => Err(format!(
            "{} has changed since {} was made; use another directory, or remove that one",
            shown(sites),
            shown(index)
        )
        .into()),
        Err(_) => Ok(WholeFile::write(&kept, &now)?),
    }
}

/// Looks up sites, crawl by crawl.
struct Search<'s> {
    base: &'s str,
    remote: Arc<Remote>,
    sites: &'s Path,
    index: &'s Path,
    begun: Instant,
    /// Files that were read since then.
    done: usize,
    /// Crawls after the current one.
    crawls_left: usize,
}

impl Search<'_> {
    /// The files of the index of a crawl, as its list names them.
    fn list(&self, crawl: &str) -> std::result::Result<Vec<String>, Error> {
        let list = format!("crawl-data/{crawl}/cc-index-table.paths.gz");
        let (mut lines, place) = if Address::is_meant(self.base) {
            let address = address(self.base, &list)?;
            (self.remote.list(&address)?, PathBuf::from(address.text()))
        } else {
            let path = Path::new(self.base).join(&list);
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
            let message = "the list names no file of the subset robotstxt";
            return Err(Error::io(&place)(std::io::Error::other(message)));
        }
        Ok(files)
    }

    /// Looks up the sites in the files of the index of a crawl; what was found, in words, or why a
    /// file is missing. An error ends the run.
    fn find(
        &mut self,
        crawl: &str,
        files: &[String],
        place: &Path,
    ) -> Result<std::result::Result<String, Error>> {
        let parts = self.index.join(format!("{crawl}.partial"));
        fs::create_dir_all(&parts).map_err(Error::io(&parts))?;
        let part = |number: usize| parts.join(format!("{number:05}.parquet"));
        let missing: Vec<usize> = (0..files.len()).filter(|it| !part(*it).is_file()).collect();
        if Address::is_meant(self.base) {
            let addresses = missing.iter().map(|&it| address(self.base, &files[it]));
            let targets = addresses.map(|it| it.map(Target::from));
            let targets: Vec<Target> = targets.collect::<std::result::Result<_, _>>()?;
            if let Some(failure) = self.fetch(crawl, &targets, &missing, &parts, &part)? {
                return Ok(Err(failure));
            }
        } else {
            for number in missing {
                let file = Path::new(self.base).join(&files[number]);
                if let Err(error) = fs::metadata(&file) {
                    return Ok(Err(Error::io(&file)(error)));
                }
                self.look_up(&file, &part(number))?;
            }
        }
        let whole = WholeFile::required_at(place)?;
        let found = panel::unite(&parts, whole.aside())?;
        whole.put_in_place()?;
        fs::remove_dir_all(&parts).map_err(Error::io(&parts))?;
        Ok(Ok(format!(
            "sites: {}, records: {}",
            found.sites, found.records
        )))
    }

    /// Fetches the files `numbers`, which are at `targets`, and looks the sites up in each. Returns
    /// why one of them is missing.
    fn fetch(
        &mut self,
        crawl: &str,
        targets: &[Target],
        numbers: &[usize],
        aside: &Path,
        part: &dyn Fn(usize) -> PathBuf,
    ) -> std::result::Result<Option<Error>, Error> {
        if targets.is_empty() {
            return Ok(None);
        }
        let check = Box::new(IndexCheck);
        let mut queue = Fetcher::begin(&self.remote, targets.to_vec(), aside, check)?;
        let (mut bytes, mut told) = (0, Instant::now());
        let mut failure = None;
        for (place, (target, &number)) in targets.iter().zip(numbers).enumerate() {
            let url = target.address.text().to_owned();
            let fetched = loop {
                let arrival = queue.next(PATIENCE);
                for (target, note) in queue.notes() {
                    terminal::tell(&format!("{}: {note}\n", target.address.text()));
                }
                match arrival {
                    Arrival::Pending => {}
                    Arrival::Fetched(fetched) => break Some(fetched),
                    Arrival::Missing(message) => {
                        failure.get_or_insert(Error::Remote { url, message });
                        break None;
                    }
                    Arrival::Ended(message) => return Err(Error::Remote { url, message }),
                }
            };
            let Some(fetched) = fetched else { continue };
            let looked_up = self.look_up(&fetched.path, &part(number));
            // A file that cannot be read is fetched again, the next time.
            queue.release(target);
            looked_up?;
            bytes += fetched.bytes;
            if told.elapsed() >= LINE_INTERVAL {
                told = Instant::now();
                let left = targets.len() - place - 1;
                terminal::tell(&format!(
                    "{crawl}: {} of {} files of the index, {}; left: {}\n",
                    place + 1,
                    targets.len(),
                    HumanBytes(bytes),
                    self.left(left, targets.len())
                ));
            }
        }
        Ok(failure)
    }

    fn look_up(&mut self, file: &Path, part: &Path) -> std::result::Result<(), Error> {
        let whole = WholeFile::required_at(part)?;
        panel::find(self.sites, file, whole.aside())?;
        self.done += 1;
        whole.put_in_place()
    }

    /// The time that this many files, and the crawls after this one of `each` files, will take.
    #[expect(clippy::cast_precision_loss, reason = "a duration for people")]
    fn left(&self, files: usize, each: usize) -> String {
        let one = self.begun.elapsed().as_secs_f64() / self.done.max(1) as f64;
        let of_crawl = one * files as f64;
        let of_all = of_crawl + one * (self.crawls_left * each) as f64;
        let (of_crawl, of_all) = (shown_seconds(of_crawl), shown_seconds(of_all));
        format!("{of_crawl}, and {of_all} with the other crawls")
    }
}

fn address(base: &str, path: &str) -> std::result::Result<Address, Error> {
    Address::below(base, path).map_err(|message| Error::Remote {
        url: path.to_owned(),
        message,
    })
}
