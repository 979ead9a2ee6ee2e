//! What a run does next: the inputs of its plan, opened one after the other and cut into work that
//! the pool begins at once.

use std::sync::Arc;

use warc_recovery::container::Boundary;
use warc_recovery::split;

use super::Run;
use super::work::{Feeder, Item, NextWork};
use crate::error::Error;
use crate::ingest::input::archive::ArchivePart;
use crate::ingest::input::content::Content;
use crate::ingest::input::open::{OpenError, OpenInput, UnreadInput};
use crate::ingest::input::{InputPlace, PlannedInput};
use crate::remote::Fetched;

impl Run<'_> {
    /// The next item of work; splits are handed to the pool at once. None at the end, and where a
    /// file on the network is not there yet, unless the run `can_wait` for it.
    pub(super) fn feed(
        &mut self,
        feeder: &mut Feeder<'_>,
        can_wait: bool,
    ) -> Result<Option<Item>, Error> {
        self.check_stop()?;
        loop {
            if let Some((open, NextWork::Rows(reader))) = &mut feeder.open {
                let batch = reader.next_batch(self.stop);
                self.check_stop()?;
                if let Some(batch) = batch.map_err(Error::io(&open.path))? {
                    let (open, bytes) = (Arc::clone(open), batch.bytes as u64);
                    let pending = self.workers.spawn({
                        let open = Arc::clone(&open);
                        move |workers| workers.rows(&open, batch)
                    });
                    return Ok(Some(Item::Rows(open, bytes, pending)));
                }
            }
            if let Some((open, next)) = &mut feeder.open {
                if let Some((parts, bytes)) = next.indexed(open) {
                    let open = Arc::clone(open);
                    let pending = self.workers.spawn({
                        let open = Arc::clone(&open);
                        move |workers| workers.indexed(&open, parts)
                    });
                    return Ok(Some(Item::Rows(open, bytes, pending)));
                }
                if let (Content::Archive(archive), NextWork::Split(number, at)) =
                    (&open.content, next)
                    && let Some(part) = archive.parts.get(*number)
                {
                    if at.offset == part.input.len() {
                        *number += 1;
                        let following = archive.parts.get(*number);
                        *at = following.map_or(*at, ArchivePart::start);
                        continue;
                    }
                    let split = split::plan(&part.input, &part.container, *at)
                        .map_err(Error::io(&open.path))?;
                    *at = split.end;
                    let (open, number) = (Arc::clone(open), *number);
                    let pending = self.workers.spawn({
                        let open = Arc::clone(&open);
                        move |workers| workers.split(&open, number, split)
                    });
                    return Ok(Some(Item::Split(open, number, split, pending)));
                }
                let open = Arc::clone(open);
                feeder.open = None;
                return Ok(Some(Item::End(open)));
            }
            let Some(planned) = feeder.inputs.peek().copied() else {
                return Ok(None);
            };
            if planned.address().is_some() && feeder.arrival.is_none() {
                feeder.arrival =
                    (self.network).arrival(planned, can_wait, self.watcher, self.stop)?;
                if feeder.arrival.is_none() {
                    return Ok(None);
                }
            }
            let opened = match self.open(planned, feeder.arrival.as_ref()) {
                Ok(open) => Some(Arc::new(open)),
                Err(OpenError::Skipped(skipped)) => {
                    self.skip_opened(planned, *skipped);
                    None
                }
                Err(OpenError::Failed(error)) => return Err(error),
            };
            feeder.inputs.next();
            feeder.arrival = None;
            if let Some(open) = opened {
                let next = match &open.content {
                    Content::Corpus(corpus) => NextWork::Rows(corpus.reader(&open.input)),
                    Content::Archive(archive) => {
                        let first = archive.parts.first();
                        let start = first.map(ArchivePart::start);
                        NextWork::Split(0, start.unwrap_or_default())
                    }
                    Content::Unknown(_) | Content::Missing(_) | Content::Index(_) => {
                        NextWork::Split(0, Boundary::default())
                    }
                };
                feeder.open = Some((Arc::clone(&open), next));
                return Ok(Some(Item::Begin(open)));
            }
        }
    }

    fn skip_opened(&mut self, planned: &PlannedInput, skipped: UnreadInput) {
        if let Some(mirror) = skipped.mirror {
            self.dataset.note_mirror(mirror);
        }
        if let Some(missing) = skipped.missing {
            self.dataset.replace(missing);
        }
        self.skip_planned(planned, skipped.reason);
        self.network.keep(planned.target());
    }

    /// Opens an input. If it is on the network, `arrival` is what became of it.
    fn open(
        &mut self,
        planned: &PlannedInput,
        arrival: Option<&Result<Fetched, String>>,
    ) -> Result<OpenInput, OpenError> {
        let (plan, known, spool) = (self.plan, &mut self.known, self.dataset.staging());
        let fetched = match (arrival, &planned.place) {
            (Some(Err(message)), _) | (None, InputPlace::Nowhere(message)) => {
                return OpenInput::missing(planned, message.clone(), plan, known, spool);
            }
            (Some(Ok(fetched)), _) => Some(fetched),
            (None, _) => None,
        };
        OpenInput::new(planned, fetched, plan, known, spool)
    }
}
