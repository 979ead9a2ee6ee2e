//! The inputs of datasets that are merged: which are new, and which an earlier dataset has.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::super::manifest::Manifest;
use super::super::{CommittedInput, Fingerprint};
use crate::error::{Error, shown};
use crate::escape;

/// An input of a dataset that an earlier one has too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// Its name in the later dataset.
    pub name: String,
    /// The later dataset, whose rows of it are left out.
    pub dataset: PathBuf,
    /// The earlier dataset.
    pub kept_from: PathBuf,
    /// Its crawl in the later dataset and in the earlier one, where they differ.
    pub crawls: Option<(String, String)>,
}

impl fmt::Display for Duplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, dataset) = (escape::line(&self.name), shown(&self.dataset));
        let kept_from = shown(&self.kept_from);
        write!(f, "{name} of {dataset}: {kept_from} has the same content")?;
        match &self.crawls {
            None => Ok(()),
            Some((here, there)) => write!(
                f,
                ", as crawl {}; it stays there, and is not of crawl {} too",
                escape::line(there),
                escape::line(here)
            ),
        }
    }
}

/// The inputs that the output has, or will have.
pub(super) struct Inputs {
    out: PathBuf,
    by_fingerprint: HashMap<Fingerprint, MergedInput>,
    by_id: HashMap<i64, Fingerprint>,
}

struct MergedInput {
    /// The dataset that brought it.
    dataset: PathBuf,
    crawl: String,
    subset: String,
    pages: String,
    links: bool,
}

/// What became of an input.
pub(super) enum Addition {
    /// No earlier dataset has it.
    New,
    /// The output had it before this run.
    InOutput,
    /// An earlier dataset has it.
    Duplicate(Duplicate),
}

impl Inputs {
    /// Those of the output.
    pub(super) fn of(out: &Path, manifest: &Manifest) -> Self {
        let mut inputs = Self {
            out: out.to_owned(),
            by_fingerprint: HashMap::new(),
            by_id: HashMap::new(),
        };
        for input in manifest.inputs() {
            inputs.insert(out, input);
        }
        inputs
    }

    fn insert(&mut self, dataset: &Path, input: &CommittedInput) {
        let fingerprint = input.fingerprint;
        self.by_id.insert(fingerprint.input_id(), fingerprint);
        let entry = MergedInput {
            dataset: dataset.to_owned(),
            crawl: input.crawl.clone(),
            subset: input.subset.clone(),
            pages: input.pages.clone(),
            links: input.links,
        };
        self.by_fingerprint.insert(fingerprint, entry);
    }

    /// Adds an input of `dataset`, unless it is there.
    pub(super) fn add(
        &mut self,
        dataset: &Path,
        input: &CommittedInput,
    ) -> Result<Addition, Error> {
        let fingerprint = input.fingerprint;
        let Some(known) = self.by_fingerprint.get(&fingerprint) else {
            let id = fingerprint.input_id();
            if self.by_id.contains_key(&id) {
                let input = format!("{}: {}", shown(dataset), input.name);
                return Err(Error::Collision { input, id });
            }
            self.insert(dataset, input);
            return Ok(Addition::New);
        };
        if known.subset != input.subset {
            return Err(Error::Output {
                path: dataset.to_owned(),
                message: format!(
                    "{} was ingested here with --subset {}, and in {} with --subset {}, so that \
                     they have other captures of it; ingest it again, with --force and the same \
                     --subset, into one of the two",
                    escape::line(&input.name),
                    input.subset,
                    shown(&known.dataset),
                    known.subset
                ),
            });
        }
        let options = (&*input.pages, input.links);
        let known_options = (&*known.pages, known.links);
        if options != known_options {
            let named = |(pages, links): (&str, bool)| {
                let pages = match pages {
                    "" => "without --pages",
                    "also" => "with --pages",
                    _ => "with --pages=only",
                };
                format!("{pages}{}", if links { " --links" } else { "" })
            };
            return Err(Error::Output {
                path: dataset.to_owned(),
                message: format!(
                    "{} was ingested here {}, and in {} {}; ingest it again, with --force and the \
                     same options, into one of the two",
                    escape::line(&input.name),
                    named(options),
                    shown(&known.dataset),
                    named(known_options)
                ),
            });
        }
        let differs = known.crawl != input.crawl;
        if known.dataset == self.out && !differs {
            return Ok(Addition::InOutput);
        }
        Ok(Addition::Duplicate(Duplicate {
            name: input.name.clone(),
            dataset: dataset.to_owned(),
            kept_from: known.dataset.clone(),
            crawls: differs.then(|| (input.crawl.clone(), known.crawl.clone())),
        }))
    }
}
