//! The sites of a panel stay the same, as long as its index has records of them.

use std::fs;
use std::path::Path;

use indicatif::HumanCount;

use super::super::Result;
use super::{INDEX, NAMES, SITES};
use crate::analysis::panel::{Sites, sites};
use crate::dataset::datasets_in;
use crate::error::{Error, shown};
use crate::whole_file::WholeFile;

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
