//! An input that is being read, and what is known of it before its records are read.

use std::io;
use std::sync::Arc;

use warc_recovery::container::Format;
use warc_recovery::input::Input;

use super::archive::ArchivePart;
use super::content::Content;
use super::identity::{KnownInputs, NewInput};
use super::planned::{InputPlace, PlannedInput};
use super::skipped::SkipReason;
use super::subset::Subset;
use crate::dataset::{CommittedInput, Dataset, Fingerprint, Landmarks, WHOLE_BYTES, label};
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
    /// Its entry in the manifest; its captures are yet to be counted.
    pub(crate) identity: CommittedInput,
    pub(crate) subset: Subset,
    pub(crate) new: NewInput,
    pub(crate) is_sampled: bool,
}

impl OpenInput {
    /// Opens an input, if it is not in the dataset yet. `arrival` is its fetched file, or why the
    /// file is missing; then an empty input takes its place.
    pub(crate) fn new(
        planned: &PlannedInput,
        arrival: Result<Option<Fetched>, String>,
        plan: &Plan,
        known: &mut KnownInputs<'_>,
        dataset: &mut Dataset,
    ) -> Result<Self, SkipReason> {
        let input = Arc::new(match &arrival {
            Ok(fetched) => planned.open(fetched.as_ref(), plan.use_mmap, &dataset.staging)?,
            Err(_) => Input::empty(&planned.path.to_string_lossy(), &dataset.staging)?,
        });
        let mut identity = identity(planned, &arrival, &input)?;
        let is_sampled = planned.indexed.is_none() && input.len() > WHOLE_BYTES;
        let mut new = NewInput::default();
        let content = match arrival {
            Ok(_) => {
                new = match known.decide(&input, &mut identity, is_sampled)? {
                    Ok(new) => new,
                    Err((same, reason)) => {
                        let (missing, mirror) = known.note_place(planned, same);
                        if let Some(missing) = missing {
                            dataset.next.replaced_inputs.push(missing);
                        }
                        if let Some(mirror) = mirror {
                            dataset.next.mirrors.push(mirror);
                        }
                        return Err(reason);
                    }
                };
                for replaced in &new.replaces {
                    known.remove(replaced.fingerprint);
                }
                Content::from_planned(planned, &input, &identity.name, &plan.corpora)?
            }
            Err(message) => {
                // A missing file is recorded once, and not at all if the dataset has the file.
                let there = planned.file.and_then(|it| known.of_network(it.location));
                if there.is_some() || known.collides(identity.fingerprint) {
                    return Err(SkipReason::Unreadable(message));
                }
                Content::Missing(match &planned.indexed {
                    Some(it) => format!("{message}; records of it in the index: {}", it.records()),
                    None => message,
                })
            }
        };
        if planned.indexed.is_some() || !matches!(content, Content::Archive(_)) {
            identity.landmarks = Landmarks::default();
        }
        let named = match &plan.crawl {
            Some(crawl) => Some(crawl.clone()),
            None => content.crawl()?,
        };
        let named = named.unwrap_or_else(|| "default".to_owned());
        identity.crawl = label::fitting(&named).into_owned();
        if identity.crawl != named && !matches!(content, Content::Missing(_)) {
            let note = format!(
                "the crawl's label is too long for a directory's name; its captures are filed \
                 under {}",
                identity.crawl
            );
            new.notes.insert(0, note);
        }
        let path = match planned.place {
            InputPlace::Standard | InputPlace::File => input.name().to_owned(),
            _ => planned.path.to_string_lossy().into_owned(),
        };
        let suggested = || Subset::from_path(&format!("{path}/{}", identity.name));
        let subset = plan.subset.unwrap_or_else(suggested);
        let pages = plan.options.pages.of(subset);
        let identity = CommittedInput {
            subset: subset.name().to_owned(),
            pages: pages.name().to_owned(),
            links: plan.options.links && pages != Pages::No,
            ..identity
        };
        Ok(Self {
            planned: planned.clone(),
            input,
            path,
            content,
            identity,
            subset,
            new,
            is_sampled,
        })
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

    /// Whether it is an archive whose pages are skipped without reading their bytes.
    pub(crate) fn is_plain_archive(&self) -> bool {
        matches!(self.content, Content::Archive(_))
            && (self.parts().iter()).all(|part| part.container.format == Format::Plain)
    }
}

fn identity(
    planned: &PlannedInput,
    arrival: &Result<Option<Fetched>, String>,
    input: &Input,
) -> io::Result<CommittedInput> {
    let path = planned.path.to_string_lossy();
    let (fingerprint, bytes) = match (arrival, &planned.indexed) {
        (Ok(_), Some(indexed)) => (
            Fingerprint::of_ranges(input, &indexed.wanted.bytes)?,
            indexed.bytes(input.len()),
        ),
        (Ok(_), None) => (Fingerprint::of(input)?, input.len()),
        (Err(_), Some(indexed)) => {
            let address = format!("{path}#{:032x}", indexed.key());
            (Fingerprint::of_address(&address), 0)
        }
        (Err(_), None) => (Fingerprint::of_address(&path), 0),
    };
    let origin = planned.origin(arrival.as_ref().ok().and_then(Option::as_ref));
    Ok(CommittedInput {
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
        landmarks: Landmarks::of(input)?,
        origin,
        chosen_records: planned.indexed.as_ref().map(|it| it.records() as u64),
        is_absent: matches!(planned.place, InputPlace::Nowhere(_)),
        drawn: planned.drawn,
        ..CommittedInput::default()
    })
}
