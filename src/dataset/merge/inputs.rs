//! The inputs of datasets that are merged: which are new, and which an earlier dataset has.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::super::known::Collision;
use super::super::manifest::Manifest;
use super::super::{CommittedInput, Fingerprint, WHOLE_BYTES};
use crate::error::{Error, shown};
use crate::escape;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    pub name: String,
    /// The dataset whose rows for the input are left out.
    pub dataset: PathBuf,
    pub kept_from: PathBuf,
    /// The input's crawl in `dataset` and in `kept_from`, if they differ.
    pub crawls: Option<(String, String)>,
    /// Whether `dataset` has a damaged copy of the input, and `kept_from` an intact copy.
    pub is_damaged_copy: bool,
}

impl fmt::Display for Duplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, dataset) = (escape::line(&self.name), shown(&self.dataset));
        let kept = shown(&self.kept_from);
        if self.is_damaged_copy {
            return write!(
                f,
                "{name} of {dataset} is damaged; {kept} has a copy that is intact"
            );
        }
        write!(f, "{name} of {dataset}: {kept} has the same content")?;
        let Some((here, there)) = &self.crawls else {
            return Ok(());
        };
        let (here, there) = (escape::line(here), escape::line(there));
        write!(
            f,
            ", in crawl {there}; it stays there, and is not added to crawl {here}"
        )
    }
}

pub(super) struct Inputs {
    pub(super) out: PathBuf,
    by_fingerprint: HashMap<Fingerprint, MergedInput>,
    /// The fingerprints of inputs by their marks; some of these inputs may be gone.
    by_mark: HashMap<Mark, Vec<Fingerprint>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Mark {
    Samples(Fingerprint),
    Landmark(u64),
    Id(i64),
}

struct MergedInput {
    dataset: PathBuf,
    input: CommittedInput,
}

/// How an input compares with an earlier input of the same samples or with a common landmark. The
/// closest overlap is first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Overlap {
    Same,
    /// The later one is a damaged copy of the earlier one.
    DamagedCopy,
    /// The later one is a repaired copy of the earlier one.
    RepairedCopy,
    Different,
}

impl Overlap {
    /// Compares an `earlier` input with a `later` one. Two large inputs are the same if their
    /// digests are equal or, if a digest is missing because pages were skipped, their counts.
    fn of(earlier: &CommittedInput, later: &CommittedInput) -> Self {
        let read = |input: &CommittedInput| (input.bytes, input.captures, input.is_damaged);
        let is_same = match (earlier.digest, later.digest) {
            _ if earlier.bytes <= WHOLE_BYTES => true,
            (Some(earlier), Some(later)) => earlier == later,
            _ => read(earlier) == read(later),
        };
        match (is_same, earlier.is_damaged, later.is_damaged) {
            (true, _, _) => Self::Same,
            (false, false, true) => Self::DamagedCopy,
            (false, true, false) => Self::RepairedCopy,
            (false, _, _) => Self::Different,
        }
    }

    /// Compares two archives with a common landmark, read with the same options, if one is damaged
    /// and has no more captures than the other; else `None`.
    fn of_copies(earlier: &CommittedInput, later: &CommittedInput) -> Option<Self> {
        fn options(it: &CommittedInput) -> (&str, &str, bool) {
            (&it.subset, &it.pages, it.links)
        }
        let is_part = |part: &CommittedInput, whole: &CommittedInput| {
            part.is_damaged
                && !whole.is_damaged
                && part.captures <= whole.captures
                && options(part) == options(whole)
        };
        let is_damaged = is_part(later, earlier).then_some(Self::DamagedCopy);
        is_damaged.or_else(|| is_part(earlier, later).then_some(Self::RepairedCopy))
    }
}

pub(super) enum Addition {
    /// No earlier dataset has it.
    New,
    /// The output had it before this run.
    InOutput,
    /// An earlier dataset has it.
    Duplicate(Duplicate),
    /// An earlier dataset has a damaged copy of it, which is removed.
    Repairs(Fingerprint, Duplicate),
}

impl Inputs {
    pub(super) fn of(out: &Path, manifest: &Manifest) -> Self {
        let mut inputs = Self {
            out: out.to_owned(),
            by_fingerprint: HashMap::new(),
            by_mark: HashMap::new(),
        };
        for input in manifest.inputs() {
            inputs.insert(out, input);
        }
        inputs
    }

    fn insert(&mut self, dataset: &Path, input: &CommittedInput) {
        let fingerprint = input.fingerprint;
        let marks = [
            Mark::Id(fingerprint.input_id()),
            Mark::Samples(input.samples()),
        ];
        for mark in marks.into_iter().chain(landmarks(input)) {
            self.by_mark.entry(mark).or_default().push(fingerprint);
        }
        let entry = MergedInput {
            dataset: dataset.to_owned(),
            input: input.clone(),
        };
        self.by_fingerprint.insert(fingerprint, entry);
    }

    fn with(&self, mark: Mark) -> impl Iterator<Item = &MergedInput> {
        let known = self.by_mark.get(&mark).into_iter().flatten();
        known.filter_map(|known| self.by_fingerprint.get(known))
    }

    /// The closest of the earlier inputs with the same samples or a common landmark.
    fn twin(&self, input: &CommittedInput) -> Option<(Overlap, &MergedInput)> {
        let of_samples = self.with(Mark::Samples(input.samples()));
        let of_samples = of_samples.map(|known| (Overlap::of(&known.input, input), known));
        let of_landmarks = landmarks(input).flat_map(|mark| self.with(mark));
        let of_landmarks = of_landmarks
            .filter_map(|known| Some((Overlap::of_copies(&known.input, input)?, known)));
        of_samples
            .chain(of_landmarks)
            .min_by_key(|(overlap, _)| *overlap)
    }

    pub(super) fn add(
        &mut self,
        dataset: &Path,
        input: &CommittedInput,
    ) -> Result<Addition, Error> {
        let duplicate = |known: &MergedInput| Duplicate {
            name: input.name.clone(),
            dataset: dataset.to_owned(),
            kept_from: known.dataset.clone(),
            crawls: None,
            is_damaged_copy: true,
        };
        match self.twin(input) {
            Some((Overlap::Same, known)) => {
                refuse_other_options(dataset, input, known)?;
                let (here, there) = (&input.crawl, &known.input.crawl);
                if known.dataset == self.out && here == there {
                    return Ok(Addition::InOutput);
                }
                return Ok(Addition::Duplicate(Duplicate {
                    crawls: (here != there).then(|| (here.clone(), there.clone())),
                    is_damaged_copy: false,
                    ..duplicate(known)
                }));
            }
            Some((Overlap::DamagedCopy, known)) => {
                return Ok(Addition::Duplicate(duplicate(known)));
            }
            Some((Overlap::RepairedCopy, known)) => {
                let damaged = known.input.fingerprint;
                let gone = Duplicate {
                    name: known.input.name.clone(),
                    dataset: known.dataset.clone(),
                    kept_from: dataset.to_owned(),
                    ..duplicate(known)
                };
                self.by_fingerprint.remove(&damaged);
                self.insert(dataset, input);
                return Ok(Addition::Repairs(damaged, gone));
            }
            Some((Overlap::Different, known)) if known.input.fingerprint == input.fingerprint => {
                let [name, other] = [input, &known.input].map(|it| escape::line(&it.name));
                let there = shown(&known.dataset);
                let message = format!(
                    "{name} here and {other} in {there} are different files of one size that \
                     differ only outside of the sampled bytes; ingest one of the two into the \
                     dataset that has the other"
                );
                return Err(Error::unusable(dataset, message));
            }
            Some((Overlap::Different, _)) | None => {}
        }
        let id = input.fingerprint.input_id();
        if self.with(Mark::Id(id)).next().is_some() {
            return Err(Collision(id).of(format!("{}: {}", shown(dataset), input.name)));
        }
        self.insert(dataset, input);
        Ok(Addition::New)
    }
}

fn landmarks(input: &CommittedInput) -> impl Iterator<Item = Mark> {
    input.landmarks.iter().map(Mark::Landmark)
}

/// Refuses an input if its known copy was read with other options, and so has other rows.
fn refuse_other_options(
    dataset: &Path,
    input: &CommittedInput,
    known: &MergedInput,
) -> Result<(), Error> {
    let (name, there) = (escape::line(&input.name), shown(&known.dataset));
    let refuse = |message: String| Err(Error::unusable(dataset, message));
    let (subset, known_subset) = (&input.subset, &known.input.subset);
    if subset != known_subset {
        return refuse(format!(
            "{name} was ingested here with --subset {subset}, and in {there} with --subset \
             {known_subset}, so they have different captures of it; ingest it again, with --force \
             and the same --subset, into one of the two"
        ));
    }
    let (options, known_options) = (input.page_options(), known.input.page_options());
    if options != known_options {
        return refuse(format!(
            "{name} was ingested here {options}, and in {there} {known_options}; ingest it again, \
             with --force and the same options, into one of the two"
        ));
    }
    Ok(())
}
