//! An input that is being read: what is known of it before its records are.

use std::path::Path;
use std::sync::Arc;

use warc_recovery::container::Format;
use warc_recovery::input::Input;

use super::archive::ArchivePart;
use super::content::Content;
use super::identity::{KnownInputs, NewInput};
use super::planned::{InputPlace, PlannedInput};
use super::skipped::SkipReason;
use super::subset::Subset;
use crate::dataset::{CommittedInput, Dataset, Fingerprint, Landmarks, Mirror, WHOLE_BYTES, label};
use crate::ingest::page::Pages;
use crate::ingest::plan::Plan;
use crate::ingest::rows::InputName;
use crate::remote::Fetched;

pub(crate) struct OpenInput {
    pub(crate) planned: PlannedInput,
    pub(crate) input: Arc<Input>,
    /// The path as it was given.
    pub(crate) path: String,
    pub(crate) content: Content,
    /// What the manifest will say of it; its captures are yet to be counted.
    pub(crate) identity: CommittedInput,
    pub(crate) subset: Subset,
    pub(crate) new: NewInput,
    pub(crate) is_sampled: bool,
}

impl OpenInput {
    /// Opens an input, or its `fetched` file. If the dataset has its content already, `known` and
    /// `dataset` learn of its place.
    pub(crate) fn new(
        planned: &PlannedInput,
        fetched: Option<&Fetched>,
        plan: &Plan,
        known: &mut KnownInputs<'_>,
        dataset: &mut Dataset,
    ) -> Result<Self, SkipReason> {
        let input = Arc::new(planned.open(fetched, plan.use_mmap, dataset.staging())?);
        let path = match planned.place {
            InputPlace::Standard | InputPlace::File => input.name().to_owned(),
            _ => planned.path.to_string_lossy().into_owned(),
        };
        let (fingerprint, bytes) = match &planned.indexed {
            Some(indexed) => (
                Fingerprint::of_ranges(&input, &indexed.wanted.bytes)?,
                indexed.bytes(input.len()),
            ),
            None => (Fingerprint::of(&input)?, input.len()),
        };
        let origin = planned.origin(fetched);
        let mut identity = CommittedInput {
            fingerprint,
            name: planned.name.clone().unwrap_or_else(|| match planned.file {
                None => input.name().to_owned(), // after its content
                Some(_) => format!("stream-{:016x}", fingerprint.input_id()),
            }),
            bytes,
            modified: match (&planned.place, planned.file, &origin) {
                // The time of a folder is the time of its newest file.
                (InputPlace::Folder(_), Some(file), _) => file.modified,
                (_, _, Some(origin)) => origin.last_modified.unwrap_or_default(),
                _ => input.modified(),
            },
            location: planned.file.map(|file| file.location),
            landmarks: Landmarks::of(&input)?,
            origin,
            ..CommittedInput::default()
        };
        let is_sampled = planned.indexed.is_none() && input.len() > WHOLE_BYTES;
        let mut new = match known.decide(&input, &mut identity, is_sampled)? {
            Err((same, reason)) => {
                note_place(planned, same, known, dataset);
                return Err(reason);
            }
            Ok(new) => new,
        };
        (new.replaces.iter()).for_each(|replaced| known.remove(replaced.fingerprint));
        let content = Content::from_planned(planned, &input, &identity.name, &plan.corpora)?;
        if planned.indexed.is_some() || !matches!(content, Content::Archive(_)) {
            identity.landmarks = Landmarks::default();
        }
        let named = match &plan.crawl {
            Some(crawl) => Some(crawl.clone()),
            None => content.crawl()?,
        };
        let named = named.unwrap_or_else(|| "default".to_owned());
        identity.crawl = label::fitting(&named).into_owned();
        if identity.crawl != named {
            let note = format!(
                "the crawl's label is too long for a directory's name; its captures are filed \
                 under {}",
                identity.crawl
            );
            new.notes.insert(0, note);
        }
        Ok(Self {
            subset: subset_of(plan, [&path, &identity.name]),
            planned: planned.clone(),
            input,
            path,
            content,
            identity,
            new,
            is_sampled,
        })
    }

    /// An empty input takes the place of one that could not be fetched. Nothing is added if the
    /// dataset has the file already, or already recorded that it is missing.
    pub(crate) fn missing(
        planned: &PlannedInput,
        message: String,
        plan: &Plan,
        known: &KnownInputs<'_>,
        spool: &Path,
    ) -> Result<Self, SkipReason> {
        let path = planned.path.to_string_lossy().into_owned();
        let (address, of_index) = match &planned.indexed {
            Some(indexed) => (
                format!("{path}#{:032x}", indexed.key()),
                format!("; records of it in the index: {}", indexed.records()),
            ),
            None => (path.clone(), String::new()),
        };
        let fingerprint = Fingerprint::of_address(&address);
        let file = planned.file.filter(|it| !known.has(it.location));
        let Some(file) = file.filter(|_| !known.collides(fingerprint)) else {
            return Err(SkipReason::Unreadable(message));
        };
        let name = planned.name.clone().unwrap_or_default();
        let crawl = plan.crawl.as_deref().unwrap_or("default");
        Ok(Self {
            subset: subset_of(plan, [&path, &name]),
            planned: planned.clone(),
            input: Arc::new(Input::empty(&path, spool)?),
            path,
            content: Content::Missing(message + &of_index),
            identity: CommittedInput {
                fingerprint,
                name,
                location: Some(file.location),
                crawl: label::fitting(crawl).into_owned(),
                origin: planned.origin(None),
                is_absent: matches!(planned.place, InputPlace::Nowhere(_)),
                ..CommittedInput::default()
            },
            new: NewInput::default(),
            is_sampled: false,
        })
    }

    /// Adds what the plan decides, whatever the content is.
    pub(crate) fn with_plan(self, plan: &Plan) -> Self {
        let pages = plan.options.pages.of(self.subset);
        let identity = CommittedInput {
            subset: self.subset.name().to_owned(),
            pages: pages.name().to_owned(),
            links: plan.options.links && pages != Pages::No,
            drawn: self.planned.drawn,
            ..self.identity
        };
        Self { identity, ..self }
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

    pub(crate) fn parts(&self) -> &[Arc<ArchivePart>] {
        match &self.content {
            Content::Archive(archive) => &archive.parts,
            _ => &[],
        }
    }

    /// Whether it is an archive whose pages are passed over without a look at their bytes.
    pub(crate) fn is_plain_archive(&self) -> bool {
        matches!(self.content, Content::Archive(_))
            && (self.parts().iter()).all(|part| part.container.format == Format::Plain)
    }
}

/// Notes the place of a file whose content is known.
fn note_place(
    planned: &PlannedInput,
    fingerprint: Fingerprint,
    known: &mut KnownInputs<'_>,
    dataset: &mut Dataset,
) {
    let Some(location) = planned.file.map(|file| file.location) else {
        return;
    };
    if let Some(missing) = known.remove_missing(location) {
        dataset.replace(missing);
    }
    let mirror = Mirror {
        fingerprint,
        location,
    };
    if planned.address().is_none() {
        known.move_to(fingerprint, location);
    } else if known.add_mirror(&mirror) {
        dataset.note_mirror(mirror);
    }
}

/// The subset that was asked for, or else as one of two paths of an input suggests.
fn subset_of(plan: &Plan, paths: [&str; 2]) -> Subset {
    let is_robotstxt = paths.map(Subset::from_path).contains(&Subset::RobotsTxt);
    plan.subset.unwrap_or(if is_robotstxt {
        Subset::RobotsTxt
    } else {
        Subset::Mixed
    })
}
