//! Whether an input is new: what a dataset has of it already, and which rows it replaces.
//!
//! An input is identified by its content. In order:
//!
//! 1. A file at a known place with the same size and time is unchanged; it is not opened, unless it
//!    was damaged: then it may have been repaired.
//! 2. An input with known content is the same input, whatever its name: it is skipped, or with
//!    `--force` ingested again in place of its rows. The manifest notes that a place on the network
//!    has that content, so that the next run does not request it again.
//!
//!    The fingerprint of a large input covers samples. If these are known, the [digests](Digest) of
//!    both whole contents are compared. If they differ, the inputs are different, and the new one
//!    replaces the known one if that is damaged. If the known input has no digest, the new one is
//!    read, and replaces the known one if it turns out to be intact.
//!
//!    An archive with [landmarks](crate::dataset::Landmarks) of a known damaged archive is another
//!    copy of it, whatever its place, name and time. It replaces the known one if it turns out to
//!    be intact. A damaged copy of a known intact one is kept in addition, with a note.
//! 3. New content at a known place is the same file, grown or rewritten, if it begins with the
//!    content that was read there or is not older: it replaces that input. (If it is older, another
//!    file was put there, and with another `--crawl` it is a file of that crawl: both are kept.)
//! 4. Other content under a known name is another input: both are kept, or with `--force` the new
//!    one replaces every input of that name and crawl. Known content that is ingested again
//!    replaces the inputs of its name that were read at the same place, or that it begins with.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::Arc;

use warc_recovery::input::Input;

use super::planned::{InputPlace, PlannedInput};
use super::skipped::SkipReason;
use super::subset::Subset;
use crate::dataset::{CommittedInput, Digest, Fingerprint, Location, Manifest, Mirror};
use crate::ingest::page::Pages;

/// The most inputs of one name that are compared with the beginning of a new input.
const MAX_COMPARED: usize = 4;

/// Inputs of the dataset and of the run so far. The maps other than `inputs` may contain inputs
/// that are gone or have moved.
#[derive(Default)]
pub(crate) struct KnownInputs<'p> {
    options: InputOptions<'p>,
    inputs: HashMap<Fingerprint, KnownInput>,
    /// Inputs by the fingerprints of their samples.
    by_samples: HashMap<Fingerprint, Vec<Fingerprint>>,
    by_id: HashMap<i64, Fingerprint>,
    /// The last input read at each place.
    by_location: HashMap<Location, Fingerprint>,
    by_name: HashMap<String, BTreeSet<Fingerprint>>,
    /// Damaged archives of earlier runs by their landmarks.
    damaged: HashMap<u64, Vec<Fingerprint>>,
    /// The last input found at places on the network whose content had come from elsewhere.
    mirrored: HashMap<Location, Fingerprint>,
}

struct KnownInput {
    input: CommittedInput,
    /// Whether an earlier run committed it.
    is_committed: bool,
    /// Its bytes, while this run is reading it.
    bytes: Option<Arc<Input>>,
}

/// The inputs that a new input replaces.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NewInput {
    /// Inputs of earlier runs whose rows it replaces.
    pub(crate) replaces: Vec<CommittedInput>,
    /// Inputs of earlier runs that may be the same, whose rows it replaces if it is intact.
    pub(crate) may_repeat: Vec<CommittedInput>,
    pub(crate) notes: Vec<String>,
}

#[derive(Default)]
pub(crate) struct InputOptions<'p> {
    pub(crate) force: bool,
    pub(crate) crawl: Option<&'p str>,
    pub(crate) subset: Option<&'p str>,
    pub(crate) pages: Pages,
    pub(crate) links: bool,
}

impl<'p> KnownInputs<'p> {
    pub(crate) fn new(manifest: &Manifest, options: InputOptions<'p>) -> Self {
        let places = manifest.mirrors().map(|it| (it.location, it.fingerprint));
        let mut known = Self {
            options,
            mirrored: places.collect(),
            ..Self::default()
        };
        for input in manifest.inputs() {
            known.add(input.clone(), None);
        }
        known
    }

    /// Adds an input of an earlier run, or one with these `bytes` that this run reads from now on.
    pub(crate) fn add(&mut self, input: CommittedInput, bytes: Option<Arc<Input>>) {
        let fingerprint = input.fingerprint;
        let of_samples = self.by_samples.entry(input.samples()).or_default();
        if !of_samples.contains(&fingerprint) {
            of_samples.push(fingerprint);
        }
        self.by_id.insert(fingerprint.input_id(), fingerprint);
        if let Some(location) = input.location {
            self.by_location.insert(location, fingerprint);
        }
        let of_name = self.by_name.entry(input.name.clone()).or_default();
        of_name.insert(fingerprint);
        if input.is_damaged && bytes.is_none() {
            for landmark in input.landmarks.iter() {
                self.damaged.entry(landmark).or_default().push(fingerprint);
            }
        }
        let entry = KnownInput {
            input,
            is_committed: bytes.is_none(),
            bytes,
        };
        self.inputs.insert(fingerprint, entry);
    }

    /// Updates an input now that the run has read it.
    pub(crate) fn end(&mut self, input: &CommittedInput) {
        if let Some(known) = self.inputs.get_mut(&input.fingerprint) {
            (known.bytes, known.input) = (None, input.clone());
        }
    }

    pub(crate) fn digest(&self, fingerprint: Fingerprint) -> Option<Digest> {
        self.inputs.get(&fingerprint)?.input.digest
    }

    /// An intact archive that was read before, and of which `damaged` is another copy. Few archives
    /// are damaged, so that intact ones have no index of their landmarks.
    pub(crate) fn intact_copy(&self, damaged: &CommittedInput) -> Option<CommittedInput> {
        let landmarks: HashSet<u64> = damaged.landmarks.iter().collect();
        let read = self.inputs.values().filter(|it| it.bytes.is_none());
        let copies = read.map(|it| &it.input).filter(|it| {
            !it.is_damaged
                && it.landmarks.iter().any(|mark| landmarks.contains(&mark))
                && self.options.differs(it).is_none()
        });
        copies.min_by_key(|it| it.fingerprint).cloned()
    }

    /// Whether another input has the same `input_id`: 64 bits of the fingerprint.
    pub(crate) fn collides(&self, fingerprint: Fingerprint) -> bool {
        let known = self.by_id.get(&fingerprint.input_id());
        known.is_some_and(|it| *it != fingerprint && self.inputs.contains_key(it))
    }

    /// Decides on an input before it is opened or requested; `None` if it has to be.
    pub(crate) fn unopened(&self, planned: &PlannedInput) -> Option<SkipReason> {
        let file = planned.file?;
        let known = match planned.place {
            // A missing archive is looked for again.
            InputPlace::Nowhere(_) => return None,
            InputPlace::Network(_) => {
                let known = self.of_network(file.location)?;
                // Damaged records of an index are requested once more, in case they are intact
                // there.
                let is_confirmed =
                    planned.indexed.is_none() || self.mirrored.contains_key(&file.location);
                let is_had = !known.is_missing() && (!known.is_damaged || is_confirmed);
                is_had.then_some(known)?
            }
            _ => {
                let known = &self.at(file.location)?.input;
                let is_same = (known.bytes, known.modified) == (file.bytes, file.modified);
                (is_same && !known.is_damaged).then_some(known)?
            }
        };
        (!self.options.force).then(|| SkipReason::IngestedBefore {
            differs: self.options.differs(known),
        })
    }

    /// The known input of a file on the network, which may have been missing.
    pub(crate) fn of_network(&self, location: Location) -> Option<&CommittedInput> {
        let mirrored = || self.inputs.get(self.mirrored.get(&location)?);
        self.at(location).or_else(mirrored).map(|it| &it.input)
    }

    /// Decides on an open input. `identity` describes it; its fingerprint, samples and digest are
    /// completed here. The fingerprint covers only samples if `is_sampled`.
    ///
    /// The inner error is the known input with the same content, and why this one is skipped.
    pub(crate) fn decide(
        &mut self,
        input: &Input,
        identity: &mut CommittedInput,
        is_sampled: bool,
    ) -> io::Result<Result<NewInput, (Fingerprint, SkipReason)>> {
        let mut new = NewInput::default();
        let twins = self.by_samples.get(&identity.fingerprint);
        let mut twins = twins.cloned().unwrap_or_default();
        twins.retain(|twin| self.inputs.contains_key(twin));
        if !twins.is_empty() && is_sampled {
            identity.digest = Some(Digest::of(input)?);
            for twin in &twins {
                if let Some(twin) = self.inputs.get_mut(twin)
                    && let Some(bytes) = &twin.bytes
                    && twin.input.digest.is_none()
                {
                    twin.input.digest = Some(Digest::of(bytes)?);
                }
            }
        }
        let twins = twins.iter().filter_map(|it| self.inputs.get(it));
        let twins: Vec<&KnownInput> = twins.collect();
        let is_same = |known: &&&KnownInput| {
            identity.digest.is_none() || known.input.digest == identity.digest
        };
        let place = identity.location;
        if let Some(known) = twins.iter().find(is_same) {
            let same = &known.input;
            if known.is_committed && self.options.force {
                (identity.fingerprint, identity.samples) = (same.fingerprint, same.samples);
                new.replaces.push(same.clone());
                self.replace_kept(&mut new, input, &identity.name, place)?;
                return Ok(Ok(new));
            }
            let differs = self.options.differs(same);
            let is_in_place = place.is_some()
                && (same.location, same.bytes, same.modified)
                    == (place, identity.bytes, identity.modified);
            let name = same.name.clone();
            let reason = if is_in_place {
                SkipReason::IngestedBefore { differs }
            } else {
                SkipReason::SameContent { name, differs }
            };
            return Ok(Err((same.fingerprint, reason)));
        }
        for KnownInput { input: known, .. } in twins.iter().filter(|it| it.is_committed) {
            let is_here = known.location.is_some() && known.location == place;
            if known.is_damaged || (known.digest.is_none() && is_here) {
                new.replaces.push(known.clone());
            } else if known.digest.is_none() {
                new.may_repeat.push(known.clone());
            }
        }
        if let (Some(digest), false) = (identity.digest, twins.is_empty()) {
            identity.samples = Some(identity.fingerprint);
            identity.fingerprint = Fingerprint::of_digest(digest);
        }
        if let Some(known) = place.and_then(|it| self.at(it))
            && known.is_committed
            && !new.replaces.contains(&known.input)
            && self.options.is_of_crawl(&known.input)
            && (identity.modified >= known.input.modified || known.input.begins(input)?)
        {
            new.replaces.push(known.input.clone());
        }
        let landmarks = identity.landmarks.iter();
        let copies = landmarks.filter_map(|it| self.damaged.get(&it)).flatten();
        for KnownInput { input: known, .. } in copies.filter_map(|it| self.inputs.get(it)) {
            let is_known = new.replaces.contains(known) || new.may_repeat.contains(known);
            if !is_known && self.options.differs(known).is_none() {
                new.may_repeat.push(known.clone());
            }
        }
        if new.may_repeat.is_empty() && new.replaces.is_empty() {
            self.compare_names(&mut new, input, identity)?;
        } else if self.options.force {
            self.replace_kept(&mut new, input, &identity.name, place)?;
        }
        Ok(Ok(new))
    }

    /// Also replaces inputs of the `name` that an earlier run kept in addition, with a note: those
    /// from the same place, and beginnings of the `new` input.
    fn replace_kept(
        &self,
        new: &mut NewInput,
        input: &Input,
        name: &str,
        place: Option<Location>,
    ) -> io::Result<()> {
        let committed = self.committed_of_name(name);
        for (index, KnownInput { input: known, .. }) in committed.enumerate() {
            let is_here = place.is_some() && known.location == place;
            let is_known = new.replaces.contains(known);
            if !is_known && (is_here || index < MAX_COMPARED && known.begins(input)?) {
                new.replaces.push(known.clone());
            }
        }
        Ok(())
    }

    fn compare_names(
        &self,
        new: &mut NewInput,
        input: &Input,
        identity: &CommittedInput,
    ) -> io::Result<()> {
        let name = &identity.name;
        let mut of_name = self.of_name(name).peekable();
        if self.options.force {
            let committed = self.committed_of_name(name);
            new.replaces = committed.map(|known| known.input.clone()).collect();
            return Ok(());
        }
        let Some(known) = of_name.peek() else {
            return Ok(());
        };
        let chosen = identity.chosen_records.or(known.input.chosen_records);
        let mut note = if chosen.is_some() && self.options.is_of_crawl(&known.input) {
            format!(
                "the dataset has an input {name} with another choice of records; both are kept, \
                 and if they are one archive, records in both count twice"
            )
        } else {
            format!("its content differs from the input {name} in the dataset; both are kept")
        };
        for KnownInput { input: known, .. } in of_name.take(MAX_COMPARED) {
            if known.captures > 0 && self.options.is_of_crawl(known) && known.begins(input)? {
                note = format!(
                    "it begins with the content of another input {name} in the dataset, whose {} \
                     captures are counted twice now; --force replaces that input",
                    known.captures
                );
                break;
            }
        }
        new.notes.push(note);
        Ok(())
    }

    fn of_name(&self, name: &str) -> impl Iterator<Item = &KnownInput> {
        let of_name = self.by_name.get(name).into_iter().flatten();
        let of_name = of_name.filter_map(|known| self.inputs.get(known));
        of_name.filter(move |known| known.input.name == name)
    }

    /// Inputs of this name and of the run's crawl that an earlier run read.
    fn committed_of_name(&self, name: &str) -> impl Iterator<Item = &KnownInput> {
        let of_name = self.of_name(name);
        of_name.filter(|known| known.is_committed && self.options.is_of_crawl(&known.input))
    }

    /// Notes that the content of `same` is at the place of `planned`; a file at its old place is
    /// then new. Returns the input that was recorded as missing there. Also returns the place if it
    /// is on the network and either new for this content, or still has the damaged content.
    pub(crate) fn note_place(
        &mut self,
        planned: &PlannedInput,
        same: Fingerprint,
    ) -> (Option<Fingerprint>, Option<Mirror>) {
        let Some(location) = planned.file.map(|file| file.location) else {
            return (None, None);
        };
        let there = self.at(location).map(|it| &it.input);
        let is_there = there.is_some_and(|it| it.fingerprint == same);
        let missing = there.filter(|it| it.is_missing());
        let missing = missing.map(|it| it.fingerprint);
        if let Some(missing) = missing {
            self.remove(missing);
        }
        let known = self.inputs.get_mut(&same).expect("the known input");
        if planned.address().is_none() {
            known.input.location = Some(location);
            self.by_location.insert(location, same);
            return (missing, None);
        }
        let is_damaged = known.is_committed && known.input.is_damaged;
        let is_new =
            (is_damaged || !is_there) && self.mirrored.insert(location, same) != Some(same);
        let mirror = is_new.then_some(Mirror {
            fingerprint: same,
            location,
        });
        (missing, mirror)
    }

    pub(crate) fn remove(&mut self, input: Fingerprint) {
        self.inputs.remove(&input);
    }

    fn at(&self, location: Location) -> Option<&KnownInput> {
        let known = self.inputs.get(self.by_location.get(&location)?);
        known.filter(|it| it.input.location == Some(location))
    }
}

impl InputOptions<'_> {
    fn is_of_crawl(&self, known: &CommittedInput) -> bool {
        self.crawl.is_none_or(|crawl| crawl == known.crawl)
    }

    /// The options of `known` that differ in this run.
    fn differs(&self, known: &CommittedInput) -> Option<String> {
        let differing = |wanted: Option<&str>, known: &str, option: &str| {
            (wanted.filter(|wanted| *wanted != known)).map(|_| format!("with {option} {known}"))
        };
        let crawl = differing(self.crawl, &known.crawl, "--crawl");
        let subset = differing(self.subset, &known.subset, "--subset");
        let mut options: Vec<String> = crawl.into_iter().chain(subset).collect();
        let has_pages = known.subset == Subset::Mixed.name();
        let pages = (self.pages.name(), self.links);
        if has_pages && pages != (&*known.pages, known.links) {
            options.push(known.page_options());
        }
        (!options.is_empty()).then(|| options.join(", "))
    }
}

#[cfg(test)]
mod tests;
