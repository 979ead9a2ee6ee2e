//! What a run does next: the inputs of its plan, opened one after the other and cut into work that
//! the pool begins at once.

use std::iter::Peekable;
use std::sync::Arc;

use super::Run;
use super::work::{Item, NextWork};
use crate::error::Error;
use crate::ingest::input::open::{OpenError, OpenInput, UnreadInput};
use crate::ingest::input::{InputPlace, PlannedInput};
use crate::remote::Fetched;

pub(super) struct Feeder<'p> {
    pub(super) inputs: Peekable<std::vec::IntoIter<&'p PlannedInput>>,
    /// The input under way, and what comes next of it.
    pub(super) open: Option<(Arc<OpenInput>, NextWork)>,
}

impl Run<'_> {
    /// The next item of work; splits are handed to the pool at once. None at the end, and where a
    /// file on the network is not there yet, unless the run `can_wait` for it.
    pub(super) fn feed(
        &mut self,
        feeder: &mut Feeder<'_>,
        can_wait: bool,
    ) -> Result<Option<Item>, Error> {
        self.check_stop()?;
        if let Some((open, next)) = &mut feeder.open {
            let item = next.begin(open, &self.workers, self.stop);
            self.check_stop()?;
            let item = item.map_err(Error::io(&open.path))?;
            return Ok(item.or_else(|| feeder.open.take().map(|(open, _)| Item::End(open))));
        }
        while let Some(planned) = feeder.inputs.peek().copied() {
            let mut arrival = None;
            if planned.address().is_some() {
                arrival = (self.network).arrival(planned, can_wait, self.watcher, self.stop)?;
                if arrival.is_none() {
                    return Ok(None);
                }
            }
            feeder.inputs.next();
            match self.open(planned, arrival.as_ref()) {
                Ok(open) => {
                    let open = Arc::new(open);
                    feeder.open = Some((Arc::clone(&open), NextWork::first(&open)));
                    return Ok(Some(Item::Begin(open)));
                }
                Err(OpenError::Skipped(skipped)) => self.skip_opened(planned, *skipped),
                Err(OpenError::Failed(error)) => return Err(error),
            }
        }
        Ok(None)
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
