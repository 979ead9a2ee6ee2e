//! Whether an input is new: what a dataset has of it, and what of that its rows replace.
//!
//! An input is known by its content. In order:
//!
//! 1. A file at a known place with the size and time that it had is unchanged; it is not opened.
//! 2. An input with a known fingerprint is the same input, whatever it is called now: skipped, or
//!    with `--force` ingested again in place of the rows it has. Of a file on the network it is
//!    noted that the place has that content, so that the next run does not ask for it again.
//! 3. New content at a known place that is not older than what was read there is the same file,
//!    grown or rewritten: it replaces that. (An older file was put there: both are kept.)
//! 4. Other content under a known name is another input: both are kept, or with `--force` the new
//!    one replaces every input of that name.

use std::collections::{BTreeSet, HashMap};

use super::page::Pages;
use super::plan::Plan;
use super::planned::FileState;
use super::skipped::SkipReason;
use super::subset::Subset;
use crate::dataset::{CommittedInput, Fingerprint, Location, Mirror, WHOLE_BYTES};

/// The inputs of a dataset, those of the run so far included.
#[derive(Default)]
pub(super) struct KnownInputs {
    by_fingerprint: HashMap<Fingerprint, KnownInput>,
    by_id: HashMap<i64, Fingerprint>,
    /// What was read last at each place.
    by_location: HashMap<Location, Fingerprint>,
    by_name: HashMap<String, BTreeSet<Fingerprint>>,
    /// What was read last at places on the network whose content came from elsewhere before.
    mirrored: HashMap<Location, Fingerprint>,
}

struct KnownInput {
    input: CommittedInput,
    /// Whether an earlier run committed it.
    is_committed: bool,
}

/// What a run asks of every input.
pub(super) struct InputOptions<'p> {
    pub(super) force: bool,
    pub(super) crawl: Option<&'p str>,
    pub(super) subset: Option<&'p str>,
    pub(super) pages: Pages,
    pub(super) links: bool,
}

/// What to do with an input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Skip(SkipReason),
    Read {
        /// Inputs whose rows go.
        replaces: Vec<CommittedInput>,
        /// Whether the dataset has other content under the name, which is kept.
        is_beside: bool,
    },
}

impl KnownInputs {
    /// The inputs that a dataset has, and other places of them.
    pub(super) fn new<'m>(
        inputs: impl IntoIterator<Item = &'m CommittedInput>,
        mirrors: impl IntoIterator<Item = &'m Mirror>,
    ) -> Self {
        let places = mirrors.into_iter().map(|it| (it.location, it.fingerprint));
        let mut known = Self {
            mirrored: places.collect(),
            ..Self::default()
        };
        for input in inputs {
            known.add(input.clone(), true);
        }
        known
    }

    /// Adds an input that the run reads.
    pub(super) fn begin(&mut self, input: CommittedInput) {
        self.add(input, false);
    }

    /// Whether another input has the same `input_id`: 64 bits of the fingerprint.
    pub(super) fn collides(&self, fingerprint: Fingerprint) -> bool {
        (self.by_id.get(&fingerprint.input_id())).is_some_and(|known| *known != fingerprint)
    }

    fn add(&mut self, input: CommittedInput, is_committed: bool) {
        let fingerprint = input.fingerprint;
        self.by_id.insert(fingerprint.input_id(), fingerprint);
        if let Some(location) = input.location {
            self.by_location.insert(location, fingerprint);
        }
        let of_name = self.by_name.entry(input.name.clone()).or_default();
        of_name.insert(fingerprint);
        let entry = KnownInput {
            input,
            is_committed,
        };
        self.by_fingerprint.insert(fingerprint, entry);
    }

    /// Decides on a file that has not been opened: none where its content has to be looked at.
    pub(super) fn unchanged(
        &self,
        file: &FileState,
        wanted: &InputOptions<'_>,
    ) -> Option<SkipReason> {
        if wanted.force {
            return None;
        }
        let known = &self.at(file.location)?.input;
        let is_same = (known.bytes, known.modified) == (file.bytes, file.modified);
        is_same.then(|| SkipReason::IngestedBefore {
            differs: wanted.differs(known),
        })
    }

    /// Decides on a file on the network before it is asked for: none where it has to be.
    pub(super) fn fetched(
        &self,
        location: Location,
        wanted: &InputOptions<'_>,
    ) -> Option<SkipReason> {
        let known = &self.at(location).or_else(|| self.mirrored(location))?.input;
        (!wanted.force && !known.is_missing()).then(|| SkipReason::IngestedBefore {
            differs: wanted.differs(known),
        })
    }

    /// Whether something is known of a file on the network: its rows, or that it was missing.
    pub(super) fn has(&self, location: Location) -> bool {
        self.at(location).is_some() || self.mirrored(location).is_some()
    }

    /// Notes that a place on the network has the content of an input; returns whether that is new.
    pub(super) fn add_mirror(&mut self, mirror: &Mirror) -> bool {
        self.by_location.get(&mirror.location) != Some(&mirror.fingerprint)
            && self.mirrored.insert(mirror.location, mirror.fingerprint) != Some(mirror.fingerprint)
    }

    /// Forgets that what lies at `location` could not be had before; returns the input that says
    /// so.
    pub(super) fn remove_missing(&mut self, location: Location) -> Option<Fingerprint> {
        let input = &self.at(location)?.input;
        let missing = input.is_missing().then(|| input.clone())?;
        self.remove(&missing);
        Some(missing.fingerprint)
    }

    /// Decides on an open input.
    pub(super) fn decide(
        &self,
        fingerprint: Fingerprint,
        name: &str,
        file: Option<&FileState>,
        wanted: &InputOptions<'_>,
    ) -> Decision {
        let read = |replaces, is_beside| Decision::Read {
            replaces,
            is_beside,
        };
        let at_location = file.and_then(|file| self.at(file.location));
        if let Some(KnownInput {
            input,
            is_committed,
        }) = self.by_fingerprint.get(&fingerprint)
        {
            // Of a large file the fingerprint does not cover every byte: the time decides.
            let may_differ = file.is_some_and(|file| {
                file.bytes > WHOLE_BYTES
                    && input.location == Some(file.location)
                    && input.modified != file.modified
            });
            if *is_committed && (wanted.force || may_differ) {
                return read(vec![input.clone()], false);
            }
            return Decision::Skip(SkipReason::SameContent {
                name: input.name.clone(),
                differs: wanted.differs(input),
            });
        }
        if let (Some(file), Some(known)) = (file, at_location)
            && known.is_committed
            && file.modified >= known.input.modified
        {
            return read(vec![known.input.clone()], false);
        }
        let of_name = self.by_name.get(name).into_iter().flatten();
        let of_name = of_name.filter_map(|known| self.by_fingerprint.get(known));
        if wanted.force {
            let committed = of_name.filter(|known| known.is_committed);
            return read(committed.map(|known| known.input.clone()).collect(), false);
        }
        read(Vec::new(), of_name.count() > 0)
    }

    /// Notes that a known content lies at `location` now: what takes its old place is new.
    pub(super) fn move_to(&mut self, fingerprint: Fingerprint, location: Location) {
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
    pub(super) fn remove(&mut self, input: &CommittedInput) {
        let fingerprint = input.fingerprint;
        self.by_fingerprint.remove(&fingerprint);
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
    pub(super) fn of(plan: &'p Plan) -> Self {
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
        let has_pages = known.subset == Subset::Pages.name();
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

    const NOTHING_WANTED: InputOptions<'_> = InputOptions {
        force: false,
        crawl: None,
        subset: None,
        pages: Pages::No,
        links: false,
    };

    /// Inputs of one name, as a list of files in different directories gives them.
    fn inputs(number: u32) -> Vec<(CommittedInput, FileState)> {
        let input = |number: u32| {
            let file = FileState {
                location: Location::of(Path::new(&format!("/{number}/x.warc.gz"))),
                bytes: u64::from(number),
                modified: i64::from(number),
            };
            let digits = format!("\"{:032x}\"", u128::from(number) << 64 | u128::from(number));
            let input = CommittedInput {
                fingerprint: serde_json::from_str(&digits).expect("a fingerprint"),
                name: "x.warc.gz".to_owned(),
                bytes: file.bytes,
                modified: file.modified,
                location: Some(file.location),
                crawl: "default".to_owned(),
                subset: "pages".to_owned(),
                pages: String::new(),
                links: false,
                captures: 1,
                origin: None,
                is_absent: false,
                drawn: None,
            };
            (input, file)
        };
        (0..number).map(input).collect()
    }

    /// The time to skip `number` known inputs: the shortest of three, as other processes may be
    /// using the machine.
    fn time_to_skip(number: u32) -> Duration {
        let inputs = inputs(number);
        let times = (0..3).map(|_| {
            let begun = Instant::now();
            let mut known = KnownInputs::new(inputs.iter().map(|(input, _)| input), []);
            for (input, file) in &inputs {
                assert!(known.unchanged(file, &NOTHING_WANTED).is_some());
                let skip = known.decide(input.fingerprint, "x", Some(file), &NOTHING_WANTED);
                assert!(matches!(skip, Decision::Skip(_)));
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
        let [(first, file), (second, _)] = inputs(2).try_into().expect("two");
        let mut known = KnownInputs::default();
        known.begin(first.clone());
        let force = InputOptions {
            force: true,
            ..NOTHING_WANTED
        };
        let again = known.decide(first.fingerprint, "x.warc.gz", Some(&file), &force);
        assert!(matches!(again, Decision::Skip(_)), "the same content");
        let other = known.decide(second.fingerprint, "x.warc.gz", Some(&file), &force);
        let kept = Decision::Read {
            replaces: Vec::new(),
            is_beside: false,
        };
        assert_eq!(other, kept, "other content under its name");
    }

    #[test]
    fn inputs_whose_ids_are_equal_are_told_apart() {
        let [(mut one, _), (other, _)] = inputs(2).try_into().expect("two");
        let collides =
            |one: &CommittedInput| KnownInputs::new([one], []).collides(other.fingerprint);
        assert!(!collides(&one) && !collides(&other));
        one.fingerprint = serde_json::from_str("\"ff0000000000000001\"").expect("a fingerprint");
        assert_eq!(one.fingerprint.input_id(), other.fingerprint.input_id());
        assert!(collides(&one));
    }
}
