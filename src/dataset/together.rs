//! Several datasets asked as one: the parts of all of them, nothing written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::CATALOG;
use super::manifest::Manifest;
use super::merge::agreement;
use super::snapshot::Snapshot;
use crate::error::{Error, shown};

impl Snapshot {
    /// The datasets in `directories` as if they were merged in this order. They must have the same
    /// settings, and no crawl or input in common: hosts are counted from all captures of a crawl.
    pub fn open_together(directories: &[PathBuf]) -> Result<Self, Error> {
        if let [directory] = directories {
            return Self::open(directory);
        }
        let sources = directories.iter().map(|directory| Self::open(directory));
        let sources: Vec<Self> = sources.collect::<Result<_, _>>()?;
        Self::agree(&sources)?;
        let mut manifest = Manifest::default();
        let (mut roots, mut behind) = (Vec::new(), BTreeSet::new());
        for source in &sources {
            let directory = &source.directory;
            let place = std::path::absolute(directory).map_err(Error::io(directory))?;
            let place = place.to_str();
            let place = place.ok_or_else(|| Error::not_utf8(directory))?;
            let root = place.trim_matches('/').to_owned();
            let within = |path: &mut String| *path = format!("{root}/{path}");
            for mut commit in source.manifest.commits.clone() {
                let added = commit.added.iter_mut().map(|part| &mut part.path);
                let files = commit.files.iter_mut().map(|file| &mut file.path);
                let paths = added.chain(&mut commit.removed).chain(files);
                paths.for_each(within);
                manifest.commits.push(commit);
            }
            behind.extend(source.manifest.behind());
            roots.push(root);
        }
        if let Some(last) = manifest.commits.last_mut() {
            last.behind = behind;
        }
        Ok(Self {
            directory: PathBuf::from("/"),
            manifest,
            roots,
            is_interrupted: false,
        })
    }

    /// Checks that datasets have the same settings, and no crawl or input in common.
    pub fn agree(sources: &[Self]) -> Result<(), Error> {
        agreement::of(sources.iter())?;
        refuse_common(sources)
    }
}

/// Refuses a dataset given twice, a common crawl or input, and different catalogues of crawlers.
fn refuse_common(sources: &[Snapshot]) -> Result<(), Error> {
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
                "its catalogue of crawlers is another than that of {}; run the last \
                 `robostat ingest` into each of the two again with one robostat, which renews it",
                shown(first)
            ));
        }
        for crawl in source.crawls() {
            if let Some(other) = crawls.insert(crawl.clone(), directory) {
                return refuse(format!(
                    "it has the crawl {crawl}, and so has {}; merge the two with `robostat merge`, \
                     which counts their hosts together",
                    shown(other)
                ));
            }
        }
        for input in source.manifest.inputs() {
            if let Some(other) = inputs.insert(input.fingerprint, directory) {
                return refuse(format!(
                    "it has an input that {} has too; ask one of the two",
                    shown(other)
                ));
            }
        }
    }
    Ok(())
}
