//! Inputs on the network, as a run uses them: fetched ahead, taken in order, and released when
//! their rows are committed.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::error::{Error, check_stop};
use crate::ingest::input::{InputCheck, PlannedInput};
use crate::ingest::plan::{Plan, Watcher};
use crate::remote::{Arrival, Fetched, Fetcher, Target};

/// How long to wait for a file from the network before looking whether to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct Network {
    /// `None` if no input is on the network.
    fetcher: Option<Fetcher>,
    /// Files whose rows the next commit makes safe.
    used: Vec<Target>,
    /// Why fetching ended early.
    failure: Option<Error>,
}

impl Network {
    /// Begins to fetch those `inputs` that are on the network, into the directory `aside`.
    pub(super) fn begin(
        plan: &Plan,
        inputs: &[&PlannedInput],
        aside: &Path,
    ) -> Result<Self, Error> {
        let targets = inputs.iter().filter_map(|planned| planned.target());
        let targets: Vec<Target> = targets.collect();
        let mut network = Self::default();
        if !targets.is_empty() {
            let corpora = plan.corpora.clone();
            let check = Box::new(InputCheck { corpora });
            network.fetcher = Some(Fetcher::begin(&plan.remote, targets, aside, check)?);
        }
        Ok(network)
    }

    /// The file of the next input, or why it is missing. `None` if it has not arrived yet, or if
    /// fetching has ended.
    pub(super) fn arrival(
        &mut self,
        planned: &PlannedInput,
        can_wait: bool,
        watcher: &mut dyn Watcher,
        stop: &AtomicBool,
    ) -> Result<Option<Result<Fetched, String>>, Error> {
        let patience = if can_wait {
            POLL_INTERVAL
        } else {
            Duration::ZERO
        };
        loop {
            check_stop(stop)?;
            let Some(fetcher) = &mut self.fetcher else {
                return Ok(None);
            };
            let arrival = fetcher.next(patience);
            for (target, note) in fetcher.notes() {
                watcher.note(target.address.text(), &note);
            }
            match arrival {
                Arrival::Fetched(file) => return Ok(Some(Ok(file))),
                Arrival::Missing(message) => return Ok(Some(Err(message))),
                Arrival::Ended(message) => {
                    let url = planned.source_path().to_string_lossy().into_owned();
                    self.failure.get_or_insert(Error::Remote { url, message });
                    return Ok(None);
                }
                Arrival::Pending if can_wait => {}
                Arrival::Pending => return Ok(None),
            }
        }
    }

    /// Keeps a file until the next commit.
    pub(super) fn keep(&mut self, target: Option<Target>) {
        self.used.extend(target);
    }

    /// Releases the files whose rows are committed.
    pub(super) fn release(&mut self) {
        for target in self.used.drain(..) {
            if let Some(fetcher) = &self.fetcher {
                fetcher.release(&target);
            }
        }
    }

    /// Why fetching ended early, if it did.
    pub(super) fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// Ends a run that has used every file.
    ///
    /// Fails if it ended early. Files that were fetched stay for the next run.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        if let Some(failure) = self.take_failure() {
            return Err(failure);
        }
        if let Some(fetcher) = &self.fetcher {
            fetcher.complete();
        }
        Ok(())
    }
}
