//! The directory of a panel: its sites, which stay the same once its index has records, and the
//! records found in each crawl, with the base below which they were found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use indicatif::HumanCount;

use crate::analysis::panel::{Sites, sites};
use crate::cli::outcome::{Result, tell};
use crate::cli::remote::NetworkArguments;
use crate::dataset::datasets_in;
use crate::error::{Error, shown};
use crate::escape;
use crate::ingest::corpus::CorpusOptions;
use crate::ingest::input::InputPlace;
use crate::ingest::input::sources::{self, FoundInputs, Request};
use crate::remote::{Address, Remote};
use crate::whole_file::WholeFile;

pub(super) const SITES: &str = "sites.csv";
/// The directory of the records that were found in the indexes: a Parquet file for each crawl, and
/// a copy of the list of sites that were looked up.
pub(super) const INDEX: &str = "index";
pub(super) const NAMES: &str = "names.csv";

pub(super) fn found(index: &Path, crawl: &str) -> PathBuf {
    index.join(format!("{crawl}.parquet"))
}

/// The path of the file that records how a list was chosen.
pub(super) fn drawn(sites: &Path) -> PathBuf {
    let mut path = sites.as_os_str().to_owned();
    path.push(".json");
    path.into()
}

/// The file with the base below which a crawl was found.
fn base_file(index: &Path, crawl: &str) -> PathBuf {
    index.join(format!("{crawl}.base"))
}

/// The crawls of a panel that have an index, in the order of their names.
pub(super) fn found_crawls(panel: &Path) -> Result<Vec<(String, PathBuf)>> {
    let index = panel.join(INDEX);
    let no_index = |why: io::Error| {
        let index = shown(&index);
        format!("{index}: {why}; run `robostat panel find` first")
    };
    let mut crawls = Vec::new();
    for entry in fs::read_dir(&index).map_err(no_index)? {
        let path = entry.map_err(no_index)?.path();
        if let Some(crawl) = path.file_stem().and_then(|it| it.to_str())
            && is_table(&path)
        {
            crawls.push((crawl.to_owned(), path.clone()));
        }
    }
    if crawls.is_empty() {
        return Err(no_index(io::Error::other("no crawl was found")).into());
    }
    crawls.sort();
    Ok(crawls)
}

/// Copies the list of `sites` to the index of a panel, which has no records of other sites, and
/// writes the names of the sites there.
pub(super) fn keep(panel: &Path, sites: &Sites) -> Result<()> {
    let index = panel.join(INDEX);
    let (list, kept) = (panel.join(SITES), index.join(SITES));
    // The datasets of a panel record the same list, even if it is now written differently.
    if !(has_records(&index) && kept.is_file()) {
        WholeFile::write(&kept, &fs::read(&list).map_err(Error::io(list))?)?;
    }
    let mut names = "domain\n".to_owned();
    for site in sites {
        names.extend([site, "\n"]);
    }
    Ok(WholeFile::write(&index.join(NAMES), names.as_bytes())?)
}

/// Checks that the index of a panel has no records of other sites: all crawls have the same sites.
pub(super) fn check(panel: &Path, sites: &Sites) -> Result<()> {
    let index = panel.join(INDEX);
    let kept = sites::read(&index.join(SITES)).ok();
    let Some(kept) = kept.filter(|it| it != sites && has_records(&index)) else {
        return Ok(());
    };
    let datasets = datasets_in(panel).map_or_else(String::new, |it| format!(" and {it}"));
    let (index, new) = (
        shown(&index),
        HumanCount(sites.difference(&kept).count() as u64),
    );
    Err(format!(
        "{index} has records of other sites; sites of the list that were not looked up: {new}; for \
         other sites, use another directory, or remove {index}{datasets}"
    )
    .into())
}

/// Whether records were found, in a crawl or in a part of its index.
fn has_records(index: &Path) -> bool {
    let paths = |directory: &Path| {
        let entries = fs::read_dir(directory).into_iter().flatten();
        entries.filter_map(|it| Some(it.ok()?.path()))
    };
    paths(index).any(|it| is_table(&it) || paths(&it).any(|it| is_table(&it)))
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "parquet")
}

pub(super) type Bases = BTreeMap<String, Vec<String>>;

/// The network for a crawl. Without a typed base, it has the base of the run that found the crawl,
/// and the base is added to `bases`.
pub(super) fn network_of(
    index: &Path,
    crawl: &str,
    typed: &NetworkArguments,
    bases: &mut Bases,
) -> NetworkArguments {
    let mut network = typed.clone();
    if network.base.is_none()
        && let Ok(base) = fs::read_to_string(base_file(index, crawl))
    {
        let crawls = bases.entry(base.clone()).or_default();
        crawls.push(crawl.to_owned());
        network.base = Some(base);
    }
    network
}

/// Keeps the base of a crawl for later steps; a directory as its absolute path.
pub(super) fn keep_base(index: &Path, crawl: &str, base: &str) -> Result<(), Error> {
    let path = if Address::is_meant(base) {
        PathBuf::from(base)
    } else {
        std::path::absolute(base).map_err(Error::io(base))?
    };
    let base = path.as_os_str().as_encoded_bytes();
    WholeFile::write(&base_file(index, crawl), base)
}

pub(super) fn tell_bases(bases: &Bases) {
    for (base, crawls) in bases {
        let (base, crawls) = (escape::line(base), crawls.join(", "));
        tell!("--base {base}, as before, for {crawls}");
    }
}

/// The records in a crawl's index, for the dataset `out`; fails unless it can be read to its end.
pub(super) fn read_index(
    index: &Path,
    out: &Path,
    network: &NetworkArguments,
    remote: &Remote,
) -> Result<FoundInputs, Error> {
    let index = index.to_owned();
    let found = sources::find(&Request {
        paths: &[],
        files_from: None,
        indexes: std::slice::from_ref(&index),
        wants_all: true,
        has_crawl: true,
        base: network.base.as_deref(),
        sample: None,
        out,
        corpora: &CorpusOptions::default(),
        remote,
    })?;
    let damage = found.inputs.iter().find_map(|it| match &it.place {
        InputPlace::Index(lost) => lost.first(),
        _ => None,
    });
    match damage {
        Some(damage) => Err(Error::unusable(&index, damage.message.clone())),
        None => Ok(found),
    }
}
