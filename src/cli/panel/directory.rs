//! The directory of a panel: its files, and its sites, which stay the same as long as its index has
//! records of them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use indicatif::HumanCount;

use crate::analysis::panel::{Sites, sites};
use crate::cli::exit::Result;
use crate::dataset::datasets_in;
use crate::error::{Error, shown};
use crate::whole_file::WholeFile;

/// The sites of a panel, in its directory.
pub(super) const SITES: &str = "sites.csv";
/// What was found in the indexes, in its directory: a Parquet file for each crawl, and a copy of
/// the list of sites that were looked up.
pub(super) const INDEX: &str = "index";
/// The names of these sites, in the same directory.
pub(super) const NAMES: &str = "names.csv";

/// The path of the table with what was found of a crawl.
pub(super) fn found(index: &Path, crawl: &str) -> PathBuf {
    index.join(format!("{crawl}.parquet"))
}

/// The path of the file with how the sites of a list were chosen.
pub(super) fn drawn(sites: &Path) -> PathBuf {
    let mut path = sites.as_os_str().to_owned();
    path.push(".json");
    path.into()
}

/// The file with the base that a crawl was found below.
pub(super) fn base_file(index: &Path, crawl: &str) -> PathBuf {
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
        if path.extension().is_some_and(|it| it == "parquet")
            && let Some(crawl) = path.file_stem().and_then(|it| it.to_str())
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

/// Copies the list of these sites to the index of a panel, which has no records of other sites, and
/// writes their names there.
pub(super) fn keep(panel: &Path, sites: &Sites) -> Result<()> {
    let index = panel.join(INDEX);
    let (list, kept) = (panel.join(SITES), index.join(SITES));
    // The datasets of a panel record the same list, even if it is written otherwise now.
    if !(has_records(&index) && kept.is_file()) {
        WholeFile::write(&kept, &fs::read(&list).map_err(Error::io(list))?)?;
    }
    let mut names = "domain\n".to_owned();
    for site in sites {
        names.extend([site, "\n"]);
    }
    Ok(WholeFile::write(&index.join(NAMES), names.as_bytes())?)
}

/// Checks that the index of a panel has no records of other sites: a panel has the same sites in
/// every crawl.
pub(super) fn check(panel: &Path, sites: &Sites) -> Result<()> {
    let index = panel.join(INDEX);
    let kept = sites::read(&index.join(SITES)).ok();
    let Some(kept) = kept.filter(|it| it != sites && has_records(&index)) else {
        return Ok(());
    };
    let datasets = datasets_in(panel).map_or_else(String::new, |it| format!(" and {it}"));
    Err(format!(
        "{} has records of other sites; sites of the list that were not looked up: {}; for other \
         sites, use another directory, or remove {0}{datasets}",
        shown(&index),
        HumanCount(sites.difference(&kept).count() as u64)
    )
    .into())
}

/// Whether records were found, in a crawl or in a part of its index.
fn has_records(index: &Path) -> bool {
    let paths = |directory: &Path| {
        let entries = fs::read_dir(directory).into_iter().flatten();
        entries.filter_map(|it| Some(it.ok()?.path()))
    };
    let is_table = |path: &Path| path.extension().is_some_and(|it| it == "parquet");
    paths(index).any(|it| is_table(&it) || paths(&it).any(|it| is_table(&it)))
}
