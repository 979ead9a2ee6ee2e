//! Inputs on the network, as a run uses them: fetched ahead, taken in order, and released when
//! their rows are committed.

use std::time::Duration;

use super::Run;
use crate::error::{Error, check_stop};
use crate::ingest::input::{InputCheck, PlannedInput};
use crate::remote::{Arrival, Fetched, Fetcher, Target};

/// How long to wait for a file from the network before checking whether to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct Network {
    /// `None` if no input is on the network.
    pub(super) fetcher: Option<Fetcher>,
    /// Files whose rows the next commit saves.
    pub(super) used: Vec<Target>,
    pub(super) failure: Option<Error>,
}

impl Run<'_> {
    pub(super) fn begin_fetching(&mut self) -> Result<(), Error> {
        let targets = self.inputs.iter().filter_map(|planned| planned.target());
        let targets: Vec<Target> = targets.collect();
        if !targets.is_empty() {
            let check = Box::new(InputCheck::Inputs(self.plan.corpora.clone()));
            let aside = self.dataset.downloads();
            let fetcher = Fetcher::begin(&self.plan.remote, targets, &aside, check)?;
            self.network.fetcher = Some(fetcher);
        }
        Ok(())
    }

    /// The file of the next input, or why it is missing. `None` if the file has not arrived yet, or
    /// if fetching has ended.
    pub(super) fn arrival(
        &mut self,
        planned: &PlannedInput,
        can_wait: bool,
    ) -> Result<Option<Result<Fetched, String>>, Error> {
        let patience = if can_wait {
            POLL_INTERVAL
        } else {
            Duration::ZERO
        };
        let Some(fetcher) = &mut self.network.fetcher else {
            return Ok(None);
        };
        loop {
            check_stop(self.stop)?;
            let arrival = fetcher.next(patience);
            for (target, note) in fetcher.notes() {
                self.watcher.note(target.address.text(), &note);
            }
            return Ok(match arrival {
                Arrival::Fetched(file) => Some(Ok(file)),
                Arrival::Missing(message) => Some(Err(message)),
                Arrival::Pending if can_wait => continue,
                Arrival::Pending => None,
                Arrival::Ended(message) => {
                    let url = planned.path.to_string_lossy().into_owned();
                    let failure = Error::Remote { url, message };
                    self.network.failure.get_or_insert(failure);
                    None
                }
            });
        }
    }
}
