//! Whether an input is new: what a dataset has of it, and what of that its rows replace.
//!
//! An input is known by its content. In order:
//!
//! 1. A file at a known place with the size and time that it had is unchanged; it is not opened,
//!    unless it was damaged: then it may have been repaired.
//! 2. An input with a known content is the same input, whatever it is called now: skipped, or with
//!    `--force` ingested again in place of the rows it has. The manifest notes that a
//!    place on the network has that content, so that the next run does not ask for it again.
//!
//!    The fingerprint of a large input covers samples. If these are known, the [digests](Digest) of
//!    both whole contents are compared. If they differ, the input is another one; it replaces the
//!    known one if that is damaged. If the known input has no digest, the input is read, and
//!    replaces the known one if it turns out to be intact.
//!
//!    An archive with [landmarks](Landmarks) of a known damaged archive is another copy of it,
//!    whatever its place, name and time. It replaces the known one if it turns out to be intact.
//! 3. New content at a known place is the same file, grown or rewritten, if it begins with what was
//!    read there or is not older: it replaces that. (Another older file was put there: both are
//!    kept.)
//! 4. Other content under a known name is another input: both are kept, or with `--force` the new
//!    one replaces every input of that name.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::sync::Arc;

use warc_recovery::input::Input;

use super::planned::{FileState, InputPlace, PlannedInput};
use super::skipped::SkipReason;
use super::subset::Subset;
use crate::dataset::{CommittedInput, Digest, Fingerprint, Landmarks, Location, Mirror};
use crate::ingest::page::Pages;
use crate::ingest::plan::Plan;

/// Inputs of one name of which it is checked whether they are the beginning of another.
const MAX_COMPARED: usize = 4;

/// The inputs of a dataset, with the inputs of the run so far.
#[derive(Default)]
pub(crate) struct KnownInputs {
    by_fingerprint: HashMap<Fingerprint, KnownInput>,
    /// Inputs by the fingerprints of their samples.
    by_samples: HashMap<Fingerprint, Vec<Fingerprint>>,
    by_id: HashMap<i64, Fingerprint>,
    /// What was read last at each place.
    by_location: HashMap<Location, Fingerprint>,
    by_name: HashMap<String, BTreeSet<Fingerprint>>,
    /// Damaged archives of earlier runs by their landmarks.
    damaged: HashMap<u64, Vec<Fingerprint>>,
    /// What was read last at places on the network whose content came from elsewhere before.
    mirrored: HashMap<Location, Fingerprint>,
}

struct KnownInput {
    input: CommittedInput,
    /// Whether an earlier run committed it.
    is_committed: bool,
    /// Its bytes, while this run is reading it.
    bytes: Option<Arc<Input>>,
}

/// What the rows of an input that is to be read replace.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NewInput {
    /// Inputs whose rows it replaces.
    pub(crate) replaces: Vec<CommittedInput>,
    /// Inputs that may be the same, whose rows it replaces if it is intact.
    pub(crate) may_repeat: Vec<CommittedInput>,
    /// What one should know of it.
    pub(crate) note: Option<String>,
}

/// What a run asks of every input.
#[derive(Default)]
pub(crate) struct InputOptions<'p> {
    pub(crate) force: bool,
    pub(crate) crawl: Option<&'p str>,
    pub(crate) subset: Option<&'p str>,
    pub(crate) pages: Pages,
    pub(crate) links: bool,
}

/// What to do with an input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The input `known` has the same content.
    Skip {
        known: Fingerprint,
        reason: SkipReason,
    },
    Read(NewInput),
}

impl KnownInputs {
    pub(crate) fn new<'m>(
        inputs: impl IntoIterator<Item = &'m CommittedInput>,
        mirrors: impl IntoIterator<Item = &'m Mirror>,
    ) -> Self {
        let places = mirrors.into_iter().map(|it| (it.location, it.fingerprint));
        let mut known = Self {
            mirrored: places.collect(),
            ..Self::default()
        };
        for input in inputs {
            known.add(input.clone(), None);
        }
        known
    }

    /// Takes an input that this run reads from now on.
    pub(crate) fn begin(&mut self, input: CommittedInput, bytes: Arc<Input>) {
        self.add(input, Some(bytes));
    }

    /// Takes what is known of an input now that the run has read it.
    pub(crate) fn end(&mut self, input: &CommittedInput) {
        if let Some(known) = self.by_fingerprint.get_mut(&input.fingerprint) {
            (known.bytes, known.input) = (None, input.clone());
        }
    }

    /// The digest of an input, if it has been computed.
    pub(crate) fn digest(&self, fingerprint: Fingerprint) -> Option<Digest> {
        self.by_fingerprint.get(&fingerprint)?.input.digest
    }

    /// Whether another input has the same `input_id`: 64 bits of the fingerprint.
    pub(crate) fn collides(&self, fingerprint: Fingerprint) -> bool {
        (self.by_id.get(&fingerprint.input_id())).is_some_and(|known| *known != fingerprint)
    }

    fn add(&mut self, input: CommittedInput, bytes: Option<Arc<Input>>) {
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
        self.by_fingerprint.insert(fingerprint, entry);
    }

    /// Decides on an input before it is opened or asked for: none where it has to be.
    pub(crate) fn unopened(
        &self,
        planned: &PlannedInput,
        wanted: &InputOptions<'_>,
    ) -> Option<SkipReason> {
        let file = planned.file.as_ref()?;
        match planned.place {
            // What was not there is looked for again.
            InputPlace::Nowhere(_) => None,
            InputPlace::Network(_) => {
                self.fetched(file.location, planned.indexed.is_some(), wanted)
            }
            _ => self.unchanged(file, wanted),
        }
    }

    /// Decides on a file that has not been opened: none where its content has to be looked at.
    fn unchanged(&self, file: &FileState, wanted: &InputOptions<'_>) -> Option<SkipReason> {
        if wanted.force {
            return None;
        }
        let known = &self.at(file.location)?.input;
        let is_same = (known.bytes, known.modified) == (file.bytes, file.modified);
        (is_same && !known.is_damaged).then(|| SkipReason::IngestedBefore {
            differs: wanted.differs(known),
        })
    }

    /// Decides on a file on the network before it is asked for: none where it has to be. Records of
    /// an index that were damaged are asked for once more, in case that they are not damaged there.
    fn fetched(
        &self,
        location: Location,
        is_indexed: bool,
        wanted: &InputOptions<'_>,
    ) -> Option<SkipReason> {
        let known = &self.at(location).or_else(|| self.mirrored(location))?.input;
        let is_confirmed = !is_indexed || self.mirrored.contains_key(&location);
        let is_had = !known.is_missing() && (!known.is_damaged || is_confirmed);
        (!wanted.force && is_had).then(|| SkipReason::IngestedBefore {
            differs: wanted.differs(known),
        })
    }

    /// Whether something is known of a file on the network: its rows, or that it was missing.
    pub(crate) fn has(&self, location: Location) -> bool {
        self.at(location).is_some() || self.mirrored(location).is_some()
    }

    /// Notes that a place on the network has the content of an input, or damaged content again;
    /// returns whether that is new.
    pub(crate) fn add_mirror(&mut self, mirror: &Mirror) -> bool {
        let known = self.by_fingerprint.get(&mirror.fingerprint);
        let is_damaged = known.is_some_and(|it| it.is_committed && it.input.is_damaged);
        (is_damaged || self.by_location.get(&mirror.location) != Some(&mirror.fingerprint))
            && self.mirrored.insert(mirror.location, mirror.fingerprint) != Some(mirror.fingerprint)
    }

    /// Forgets that `location` could not be fetched before. Returns the input that recorded it.
    pub(crate) fn remove_missing(&mut self, location: Location) -> Option<Fingerprint> {
        let input = &self.at(location)?.input;
        let missing = input.is_missing().then(|| input.clone())?;
        self.remove(&missing);
        Some(missing.fingerprint)
    }

    /// Decides on an open input. `identity` has what is known of it; its fingerprint, samples and
    /// digest are completed here. The fingerprint covers only samples of it if `is_sampled`.
    pub(crate) fn decide(
        &mut self,
        input: &Input,
        identity: &mut CommittedInput,
        is_sampled: bool,
        wanted: &InputOptions<'_>,
    ) -> io::Result<Decision> {
        let mut new = NewInput::default();
        let twins = self.by_samples.get(&identity.fingerprint);
        let twins = twins.map_or(&[][..], Vec::as_slice);
        if !twins.is_empty() && is_sampled {
            identity.digest = Some(Digest::of(input)?);
            for twin in twins {
                if let Some(KnownInput {
                    input: twin,
                    bytes: Some(bytes),
                    ..
                }) = self.by_fingerprint.get_mut(twin)
                    && twin.digest.is_none()
                {
                    twin.digest = Some(Digest::of(bytes)?);
                }
            }
        }
        let twins = twins.iter().filter_map(|it| self.by_fingerprint.get(it));
        let twins: Vec<&KnownInput> = twins.collect();
        let is_same = |known: &&&KnownInput| match identity.digest {
            Some(digest) => known.input.digest == Some(digest),
            None => true,
        };
        let place = identity.location;
        if let Some(known) = twins.iter().find(is_same) {
            let input = &known.input;
            if known.is_committed && wanted.force {
                (identity.fingerprint, identity.samples) = (input.fingerprint, input.samples);
                new.replaces.push(input.clone());
                return Ok(Decision::Read(new));
            }
            let differs = wanted.differs(input);
            let is_in_place = place.is_some()
                && (input.location, input.bytes, input.modified)
                    == (place, identity.bytes, identity.modified);
            let name = input.name.clone();
            return Ok(Decision::Skip {
                known: input.fingerprint,
                reason: if is_in_place {
                    SkipReason::IngestedBefore { differs }
                } else {
                    SkipReason::SameContent { name, differs }
                },
            });
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
            && (identity.modified >= known.input.modified || known.input.begins(input)?)
        {
            new.replaces.push(known.input.clone());
        }
        for known in self.damaged_copies(&identity.landmarks) {
            let is_known = new.replaces.contains(known) || new.may_repeat.contains(known);
            if !is_known && wanted.differs(known).is_none() {
                new.may_repeat.push(known.clone());
            }
        }
        if new.replaces.is_empty() && new.may_repeat.is_empty() {
            self.compare_names(&mut new, input, &identity.name, wanted.force)?;
        }
        Ok(Decision::Read(new))
    }

    /// The damaged archives of earlier runs that have one of these landmarks.
    fn damaged_copies(&self, landmarks: &Landmarks) -> impl Iterator<Item = &CommittedInput> {
        let known = landmarks.iter().filter_map(|it| self.damaged.get(&it));
        let known = known.flatten().filter_map(|it| self.by_fingerprint.get(it));
        known.map(|known| &known.input)
    }

    /// Decides on the inputs that are called `name` as the `new` one is.
    fn compare_names(
        &self,
        new: &mut NewInput,
        input: &Input,
        name: &str,
        force: bool,
    ) -> io::Result<()> {
        let of_name = self.by_name.get(name).into_iter().flatten();
        let of_name = of_name.filter_map(|known| self.by_fingerprint.get(known));
        let of_name: Vec<&KnownInput> = of_name.collect();
        if force {
            let committed = of_name.iter().filter(|known| known.is_committed);
            new.replaces = committed.map(|known| known.input.clone()).collect();
            return Ok(());
        }
        for known in of_name.iter().take(MAX_COMPARED) {
            if known.input.captures > 0 && known.input.begins(input)? {
                new.note = Some(format!(
                    "it begins with the content of another input {name} in the dataset, whose {} \
                     captures are counted twice now; --force replaces that input",
                    known.input.captures
                ));
                return Ok(());
            }
        }
        new.note = (!of_name.is_empty())
            .then(|| format!("other content than the input {name} in the dataset; both are kept"));
        Ok(())
    }

    /// Notes that a known content is at `location` now. A file at its old place is new.
    pub(crate) fn move_to(&mut self, fingerprint: Fingerprint, location: Location) {
        let Some(KnownInput { input, .. }) = self.by_fingerprint.get_mut(&fingerprint) else {
            return;
        };
        if let Some(old) = input.location.replace(location)
            && self.by_location.get(&old) == Some(&fingerprint)
        {
            self.by_location.remove(&old);
        }
        self.by_location.insert(location, fingerprint);
    }

    /// Forgets an input whose rows are replaced.
    pub(crate) fn remove(&mut self, input: &CommittedInput) {
        let fingerprint = input.fingerprint;
        self.by_fingerprint.remove(&fingerprint);
        if let Some(of_samples) = self.by_samples.get_mut(&input.samples()) {
            of_samples.retain(|known| *known != fingerprint);
        }
        self.by_id.remove(&fingerprint.input_id());
        if let Some(location) = input.location
            && self.by_location.get(&location) == Some(&fingerprint)
        {
            self.by_location.remove(&location);
        }
        if let Some(of_name) = self.by_name.get_mut(&input.name) {
            of_name.remove(&fingerprint);
        }
    }

    fn mirrored(&self, location: Location) -> Option<&KnownInput> {
        self.by_fingerprint.get(self.mirrored.get(&location)?)
    }

    fn at(&self, location: Location) -> Option<&KnownInput> {
        self.by_fingerprint.get(self.by_location.get(&location)?)
    }
}

impl<'p> InputOptions<'p> {
    pub(crate) fn of(plan: &'p Plan) -> Self {
        Self {
            force: plan.force,
            crawl: plan.crawl.as_deref(),
            subset: plan.subset.map(Subset::name),
            pages: plan.options.pages,
            links: plan.options.links,
        }
    }

    /// What `known` was filed under that this run asks to be otherwise.
    fn differs(&self, known: &CommittedInput) -> Option<String> {
        let differing = |wanted: Option<&str>, known: &str, option: &str| {
            (wanted.filter(|wanted| *wanted != known)).map(|_| format!("{option} {known}"))
        };
        let crawl = differing(self.crawl, &known.crawl, "--crawl");
        let subset = differing(self.subset, &known.subset, "--subset");
        let mut options: Vec<String> = crawl.into_iter().chain(subset).collect();
        let has_pages = known.subset == Subset::Mixed.name();
        let pages = (self.pages.name(), self.links);
        if has_pages && pages != (&*known.pages, known.links) {
            options.push(Pages::option(&known.pages, known.links));
        }
        (!options.is_empty()).then(|| format!("with {}", options.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::*;

    /// Inputs of one name, as a list of files in different directories gives them.
    fn inputs(number: u32) -> Vec<CommittedInput> {
        let input = |number: u32| {
            let digits = format!("\"{:032x}\"", u128::from(number) << 64 | u128::from(number));
            CommittedInput {
                fingerprint: serde_json::from_str(&digits).expect("a fingerprint"),
                name: "x.warc.gz".to_owned(),
                bytes: u64::from(number),
                modified: i64::from(number),
                location: Some(Location::of(Path::new(&format!("/{number}/x.warc.gz")))),
                crawl: "default".to_owned(),
                subset: "mixed".to_owned(),
                captures: 1,
                ..CommittedInput::default()
            }
        };
        (0..number).map(input).collect()
    }

    /// Decides on an input whose fingerprint is of every byte.
    fn decide(known: &mut KnownInputs, input: &CommittedInput, force: bool) -> Decision {
        let nothing = Input::empty("x", &std::env::temp_dir()).expect("space");
        let options = InputOptions {
            force,
            ..InputOptions::default()
        };
        let decided = known.decide(&nothing, &mut input.clone(), false, &options);
        decided.expect("nothing is read")
    }

    /// The time to skip `number` known inputs: the shortest of three, as other processes may be
    /// using the machine.
    fn time_to_skip(number: u32) -> Duration {
        let inputs = inputs(number);
        let nothing = Input::empty("x", &std::env::temp_dir()).expect("space");
        let options = InputOptions::default();
        let times = (0..3).map(|_| {
            let begun = Instant::now();
            let mut known = KnownInputs::new(&inputs, []);
            for input in &inputs {
                let file = FileState {
                    location: input.location.expect("a place"),
                    bytes: input.bytes,
                    modified: input.modified,
                };
                assert!(known.unchanged(&file, &options).is_some());
                let skip = known.decide(&nothing, &mut input.clone(), false, &options);
                assert!(matches!(skip, Ok(Decision::Skip { .. })));
                known.move_to(input.fingerprint, file.location);
            }
            begun.elapsed()
        });
        times.min().expect("three")
    }

    #[test]
    fn skipping_ninety_thousand_known_inputs_is_linear() {
        let (some, all) = (time_to_skip(3_000), time_to_skip(90_000));
        // 30 times as many; quadratic would be 900 times as long.
        assert!(all < some * 150, "{some:?} for 3,000, {all:?} for 90,000");
    }

    #[test]
    fn inputs_of_this_run_are_never_replaced() {
        let [first, second] = inputs(2).try_into().expect("two");
        let mut known = KnownInputs::default();
        let nothing = Input::empty("x", &std::env::temp_dir()).expect("space");
        known.begin(first.clone(), Arc::new(nothing));
        let again = decide(&mut known, &first, true);
        assert!(matches!(again, Decision::Skip { .. }), "the same content");
        let Decision::Read(other) = decide(&mut known, &second, true) else {
            panic!("other content under its name")
        };
        assert_eq!(other.replaces, []);
    }

    #[test]
    fn inputs_whose_ids_are_equal_are_told_apart() {
        let [mut one, other] = inputs(2).try_into().expect("two");
        let collides =
            |one: &CommittedInput| KnownInputs::new([one], []).collides(other.fingerprint);
        assert!(!collides(&one) && !collides(&other));
        one.fingerprint = serde_json::from_str("\"ff0000000000000001\"").expect("a fingerprint");
        assert_eq!(one.fingerprint.input_id(), other.fingerprint.input_id());
        assert!(collides(&one));
    }
}
