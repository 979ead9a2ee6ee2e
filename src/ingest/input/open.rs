//! An input that is being read: what is known of it before its records are.

use std::io;
use std::path::Path;
use std::sync::Arc;

use warc_recovery::container::Format;
use warc_recovery::input::Input;

use super::archive::ArchivePart;
use super::content::Content;
use super::identity::{Decision, InputOptions, KnownInputs};
use super::planned::{InputPlace, PlannedInput};
use super::skipped::SkipReason;
use super::subset::Subset;
use crate::dataset::known::Collision;
use crate::dataset::{
    CommittedInput, Fingerprint, Landmarks, Location, Mirror, WHOLE_BYTES, label,
};
use crate::error::Error;
use crate::ingest::page::Pages;
use crate::ingest::plan::Plan;
use crate::ingest::rows::InputName;
use crate::remote::{Fetched, Target};

pub(crate) struct OpenInput {
    pub(crate) input: Arc<Input>,
    /// The path as it was given.
    pub(crate) path: String,
    pub(crate) content: Content,
    /// What the manifest will say of it; its captures are yet to be counted.
    pub(crate) identity: CommittedInput,
    pub(crate) subset: Subset,
    /// Offset of what is read first.
    pub(crate) first: u64,
    /// Inputs of earlier runs whose rows it replaces.
    pub(crate) replaces: Vec<CommittedInput>,
    /// Inputs of earlier runs whose rows it replaces if it is intact.
    pub(crate) may_repeat: Vec<CommittedInput>,
    /// Whether its fingerprint covers only samples of it.
    pub(crate) is_sampled: bool,
    /// The fetched bytes, if it is on the network.
    pub(crate) target: Option<Target>,
    /// What one should know of it.
    pub(crate) notes: Vec<String>,
}

pub(crate) enum OpenError {
    Skipped(Box<UnreadInput>),
    /// The run cannot go on.
    Failed(Error),
}

/// An input that is not read, and what the dataset notes of it if its content is known.
pub(crate) struct UnreadInput {
    pub(crate) reason: SkipReason,
    /// Its place, if that is to be noted.
    pub(crate) mirror: Option<Mirror>,
    /// The input that goes, because it says that the file is missing.
    pub(crate) missing: Option<Fingerprint>,
}

impl From<SkipReason> for OpenError {
    fn from(reason: SkipReason) -> Self {
        Self::Skipped(Box::new(UnreadInput {
            reason,
            mirror: None,
            missing: None,
        }))
    }
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        SkipReason::unreadable(&error).into()
    }
}

/// The file `planned` at `location` has a known content: `known` learns of the place.
fn skip_known(
    planned: &PlannedInput,
    location: Location,
    fingerprint: Fingerprint,
    reason: SkipReason,
    known: &mut KnownInputs,
) -> OpenError {
    let missing = known.remove_missing(location);
    let mirror = Mirror {
        fingerprint,
        location,
    };
    let is_new = planned.address().is_some() && known.add_mirror(&mirror);
    if planned.address().is_none() {
        known.move_to(fingerprint, location);
    }
    OpenError::Skipped(Box::new(UnreadInput {
        reason,
        mirror: is_new.then_some(mirror),
        missing,
    }))
}

impl OpenInput {
    /// Opens an input, unless the dataset has its content already; `known` learns of it. Streams
    /// are copied to `spool`; what came from the network is `fetched`.
    pub(crate) fn new(
        planned: &PlannedInput,
        fetched: Option<&Fetched>,
        plan: &Plan,
        known: &mut KnownInputs,
        spool: &Path,
    ) -> Result<Self, OpenError> {
        let input = Arc::new(planned.open(fetched, plan.use_mmap, spool)?);
        let path = match planned.place {
            InputPlace::File => input.name().to_owned(),
            _ => planned.source_path().to_string_lossy().into_owned(),
        };
        let origin = planned.origin(fetched);
        let fingerprint = match &planned.indexed {
            Some(indexed) => Fingerprint::of_ranges(&input, &indexed.ranges())?,
            None => Fingerprint::of(&input)?,
        };
        let name = planned.name.clone().unwrap_or_else(|| match planned.file {
            None => input.name().to_owned(), // after its content
            Some(_) => format!("stream-{:016x}", fingerprint.input_id()),
        });
        let subset = plan.subset.unwrap_or_else(|| subset_of([&path, &name]));
        let mut identity = CommittedInput {
            fingerprint,
            name,
            bytes: (planned.indexed.as_ref()).map_or(input.len(), |it| it.bytes(input.len())),
            modified: planned.modified(&input, origin.as_ref()),
            location: planned.file.map(|file| file.location),
            landmarks: Landmarks::of(&input)?,
            origin,
            ..planned_identity(planned, plan, subset)
        };
        let is_sampled = planned.indexed.is_none() && input.len() > WHOLE_BYTES;
        let new = match known.decide(&input, &mut identity, is_sampled, &InputOptions::of(plan))? {
            Decision::Skip {
                known: fingerprint,
                reason,
            } => {
                return Err(match identity.location {
                    Some(location) => skip_known(planned, location, fingerprint, reason, known),
                    None => reason.into(),
                });
            }
            Decision::Read(new) => new,
        };
        (new.replaces.iter()).for_each(|replaced| known.remove(replaced));
        if known.collides(identity.fingerprint) {
            let collision = Collision(identity.fingerprint.input_id());
            return Err(OpenError::Failed(collision.of(path)));
        }

        let content = Content::from_planned(planned, &input, &identity.name, &plan.corpora)?;
        if planned.indexed.is_some() || !matches!(content, Content::Archive(_)) {
            identity.landmarks = Landmarks::default();
        }
        let crawl = match &plan.crawl {
            Some(crawl) => Some(crawl.clone()),
            None => content.crawl()?,
        };
        let (crawl, note) = filed_under(crawl.as_deref().unwrap_or("default"));
        identity.crawl = crawl;
        let mut notes = Vec::from_iter(note);
        notes.extend(new.note);
        notes.extend(new.replaces.iter().filter_map(note_of_replacement));
        known.begin(identity.clone(), Arc::clone(&input));
        Ok(Self {
            input,
            path,
            content,
            identity,
            subset,
            first: planned.first(),
            replaces: new.replaces,
            may_repeat: new.may_repeat,
            is_sampled,
            target: planned.target(),
            notes,
        })
    }

    /// An empty input takes the place of one that could not be fetched. Nothing is added if the
    /// dataset has the file already, or already recorded that it is missing.
    pub(crate) fn missing(
        planned: &PlannedInput,
        message: String,
        plan: &Plan,
        known: &mut KnownInputs,
        spool: &Path,
    ) -> Result<Self, OpenError> {
        let Some(file) = planned.file else {
            return Err(SkipReason::Unreadable(message).into());
        };
        let path = planned.source_path().to_string_lossy().into_owned();
        let fingerprint = Fingerprint::of_address(&match &planned.indexed {
            Some(indexed) => format!("{path}#{:032x}", indexed.key()),
            None => path.clone(),
        });
        if known.has(file.location) || known.collides(fingerprint) {
            return Err(SkipReason::Unreadable(message).into());
        }
        let crawl = plan.crawl.as_deref().unwrap_or("default");
        let subset = plan.subset.unwrap_or_else(|| Subset::from_path(&path));
        let identity = CommittedInput {
            fingerprint,
            name: planned.name.clone().unwrap_or_default(),
            location: Some(file.location),
            crawl: label::fitting(crawl).into_owned(),
            origin: planned.origin(None),
            is_absent: matches!(planned.place, InputPlace::Nowhere(_)),
            ..planned_identity(planned, plan, subset)
        };
        let input = Arc::new(Input::empty(&path, spool)?);
        known.begin(identity.clone(), Arc::clone(&input));
        Ok(Self {
            input,
            path,
            content: Content::Missing(match &planned.indexed {
                Some(indexed) => format!(
                    "{message}; records of it in the index: {}",
                    indexed.records()
                ),
                None => message,
            }),
            identity,
            subset,
            first: planned.first(),
            replaces: Vec::new(),
            may_repeat: Vec::new(),
            is_sampled: false,
            target: planned.target(),
            notes: Vec::new(),
        })
    }

    /// Bytes of it that are read, or told to be damaged.
    pub(crate) fn bytes(&self) -> u64 {
        self.identity.bytes
    }

    pub(crate) fn name(&self) -> InputName<'_> {
        InputName {
            id: self.identity.fingerprint.input_id(),
            name: &self.identity.name,
        }
    }

    /// Whether it is an archive whose pages are passed over without a look at their bytes.
    pub(crate) fn is_plain_archive(&self) -> bool {
        match &self.content {
            Content::Archive(archive) => {
                (archive.parts.iter()).all(|part| part.container.format == Format::Plain)
            }
            _ => false,
        }
    }

    pub(crate) fn part(&self, number: usize) -> Option<&ArchivePart> {
        match &self.content {
            Content::Archive(archive) => archive.parts.get(number),
            _ => None,
        }
    }
}

/// What the plan decides of an input, whatever its content is.
fn planned_identity(planned: &PlannedInput, plan: &Plan, subset: Subset) -> CommittedInput {
    let pages = plan.options.pages.of(subset);
    CommittedInput {
        subset: subset.name().to_owned(),
        pages: pages.name().to_owned(),
        links: plan.options.links && pages != Pages::No,
        drawn: planned.drawn,
        ..CommittedInput::default()
    }
}

/// The label of a crawl as directories can have it, and what one should know of that.
fn filed_under(named: &str) -> (String, Option<String>) {
    let crawl = label::fitting(named).into_owned();
    let note = (crawl != named).then(|| {
        format!(
            "the crawl's label is too long for a directory's name; its captures are filed under \
             {crawl}"
        )
    });
    (crawl, note)
}

/// The subset that one of two paths of an input suggests.
fn subset_of(paths: [&str; 2]) -> Subset {
    let is_robotstxt = paths.map(Subset::from_path).contains(&Subset::RobotsTxt);
    if is_robotstxt {
        Subset::RobotsTxt
    } else {
        Subset::Mixed
    }
}

/// What one should know of an input whose rows go; nothing of what was missing.
pub(crate) fn note_of_replacement(replaced: &CommittedInput) -> Option<String> {
    let CommittedInput { name, captures, .. } = replaced;
    (!replaced.is_missing())
        .then(|| format!("replaces what was ingested of {name}; captures that go: {captures}"))
}
