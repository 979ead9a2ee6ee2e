//! The index of a panel: what was found of each crawl, and the base below which it was found.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use super::directory::base_file;
use crate::cli::remote::NetworkArguments;
use crate::cli::terminal;
use crate::error::Error;
use crate::escape;
use crate::ingest::corpus::CorpusOptions;
use crate::ingest::input::InputPlace;
use crate::ingest::input::sources::{self, FoundInputs, Request};
use crate::remote::Remote;

/// Crawls by the base that they were found below.
pub(super) type Bases = BTreeMap<String, Vec<String>>;

/// The network for a crawl. Without a base that was typed, it has the one of the run that found the
/// crawl, which is noted in `bases`.
pub(super) fn network_of(
    index: &Path,
    crawl: &str,
    typed: &NetworkArguments,
    bases: &mut Bases,
) -> NetworkArguments {
    let mut network = typed.clone();
    if network.base.is_none() {
        network.base = fs::read_to_string(base_file(index, crawl)).ok();
        if let Some(base) = &network.base {
            let crawls = bases.entry(base.clone()).or_default();
            crawls.push(crawl.to_owned());
        }
    }
    network
}

/// Reports the bases that were not typed.
pub(super) fn tell_bases(bases: &Bases) {
    for (base, crawls) in bases {
        let (base, crawls) = (escape::line(base), crawls.join(", "));
        terminal::tell(&format!("--base {base}, as before, for {crawls}\n"));
    }
}

/// The records that the index of a crawl names, for the dataset `out`. An index that cannot be read
/// to its end is an error.
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
        Some(damage) => {
            let damage = io::Error::other(damage.message.clone());
            Err(Error::io(&index)(damage))
        }
        None => Ok(found),
    }
}
