//! Whether datasets can be merged, or queried together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::dataset::catalog::table::{GIVEN, given_file};
use crate::dataset::{CATALOG, Commit, DatasetCatalog, Snapshot, no_dataset};
use crate::error::{Error, shown};

/// Refuses an output directory that is one of the datasets to be read.
pub(super) fn refuse_output(out: &Path, sources: &[Snapshot]) -> Result<(), Error> {
    let Ok(place) = out.canonicalize() else {
        return Ok(()); // it is not there yet
    };
    let mut places = sources.iter().map(|it| it.directory.canonicalize());
    if places.any(|source| source.is_ok_and(|source| source == place)) {
        return Err(Error::unusable(
            out,
            "the output cannot be one of the datasets that are merged into it; do not list it \
             among these (its rows come first), or choose a new directory",
        ));
    }
    Ok(())
}

impl Snapshot {
    /// Refuses a dataset given twice, and datasets with different settings or catalogues of
    /// crawlers, or with a crawl or an input in common.
    pub fn agree(sources: &[Self]) -> Result<(), Error> {
        of(sources.iter())?;
        let mut places = BTreeSet::new();
        let mut crawls = BTreeMap::new();
        let mut catalog = None;
        let mut inputs = BTreeMap::new();
        for source in sources {
            let directory = &source.directory;
            let refuse = |message: String| Err(Error::unusable(directory, message));
            let place = directory.canonicalize().map_err(Error::io(directory))?;
            if !places.insert(place) {
                return refuse("it is given twice; name each dataset once".to_owned());
            }
            let own = source.manifest.files().get(CATALOG).map(|it| &it.xxh3);
            let (first, agreed) = catalog.get_or_insert((directory, own.cloned()));
            if own != agreed.as_ref() {
                return refuse(format!(
                    "its catalogue of crawlers differs from the one of {}; repeat the last \
                     `robostat ingest` into each of the two with one robostat, which renews \
                     the catalogue",
                    shown(first)
                ));
            }
            for crawl in source.crawls() {
                if let Some(other) = crawls.insert(crawl.clone(), directory) {
                    return refuse(format!(
                        "it has the crawl {crawl}, and so has {}; merge the two with \
                         `robostat merge`, which counts their hosts together",
                        shown(other)
                    ));
                }
            }
            for input in source.manifest.inputs() {
                if let Some(other) = inputs.insert(input.fingerprint, directory) {
                    return refuse(format!(
                        "it has an input that {} has too; query only one of the two",
                        shown(other)
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The settings that all datasets have in common, in an empty commit; `None` without a dataset.
pub(super) fn of<'s>(
    datasets: impl Iterator<Item = &'s Snapshot>,
) -> Result<Option<Commit>, Error> {
    let mut first: Option<(&Path, Commit)> = None;
    for dataset in datasets {
        let own = of_one(dataset)?;
        let Some((other, agreed)) = &mut first else {
            first = Some((&dataset.directory, own));
            continue;
        };
        let refuse = |message: String| Err(Error::unusable(&dataset.directory, message));
        let other = shown(other);
        if own.settings != agreed.settings {
            let here = own.settings.other_than(&agreed.settings);
            let there = agreed.settings.other_than(&own.settings);
            return refuse(format!(
                "made {here}, and {other} {there}; ingest the archives of one of the two again, \
                 with the other's options"
            ));
        }
        let (here, there) = (&own.public_suffix_list, &agreed.public_suffix_list);
        if here != there {
            return refuse(format!(
                "its registrable domains follow the Public Suffix List {here}, and in {other} \
                 {there}; ingest the archives of one of the two again, with the robostat that made \
                 the other"
            ));
        }
        agreed
            .panel
            .take_if(|panel| own.panel.as_ref() != Some(panel));
    }
    Ok(first.map(|(_, agreed)| agreed))
}

fn of_one(dataset: &Snapshot) -> Result<Commit, Error> {
    let (directory, manifest) = (&dataset.directory, &dataset.manifest);
    let commits = manifest.commits.iter();
    // A commit without inputs, such as a compaction, adds no domains.
    let lists = commits.filter(|commit| !commit.inputs.is_empty());
    let mut lists: Vec<&str> = lists.map(|it| it.public_suffix_list.as_str()).collect();
    lists.dedup();
    match (lists.as_slice(), manifest.commits.last()) {
        ([one], Some(last)) => Ok(Commit {
            public_suffix_list: (*one).to_owned(),
            panel: manifest.panel().cloned(),
            ..last.emptied()
        }),
        ([], _) | (_, None) => Err(no_dataset(directory)),
        _ => Err(Error::unusable(
            directory,
            format!(
                "its registrable domains follow several versions of the Public Suffix List ({}); \
                 ingest its archives again, with one robostat",
                lists.join(", ")
            ),
        )),
    }
}

/// The rows that the datasets were given with `--catalog`; `None` if the output has them.
pub(super) fn catalog<'s>(
    datasets: impl Iterator<Item = &'s Snapshot>,
    out: &Path,
) -> Result<Option<DatasetCatalog>, Error> {
    let mut given: Option<(&Path, &str)> = None;
    for dataset in datasets {
        let directory = &dataset.directory;
        let Some((_, file)) = given_file(directory, &dataset.manifest)? else {
            continue;
        };
        match given {
            Some((other, xxh3)) if xxh3 != file.xxh3 => {
                return Err(Error::unusable(
                    directory,
                    format!(
                        "its catalogue of crawlers differs from the one of {}; give --catalog \
                         FILE, with the rows for the merged dataset",
                        shown(other)
                    ),
                ));
            }
            Some(_) => {}
            None => given = Some((directory, &file.xxh3)),
        }
    }
    given
        .filter(|(directory, _)| *directory != out)
        .map(|(directory, _)| DatasetCatalog::read(&directory.join(GIVEN)))
        .transpose()
}
