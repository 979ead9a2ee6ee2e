//! Inputs on the network, as a run sees them: fetched ahead, taken in order, let go of when their
//! rows are committed.

use std::time::Duration;

use super::Run;
use super::bodies::InputCheck;
use super::planned::PlannedInput;
use crate::error::Error;
use crate::remote::{Arrival, Fetched, Fetcher, Target};

/// How long to wait for a file from the network before looking whether to stop.
const PATIENCE: Duration = Duration::from_millis(100);

impl Run<'_> {
    /// Begins to fetch the `inputs` on the network.
    pub(super) fn begin_fetching(&mut self, inputs: &[&PlannedInput]) -> Result<(), Error> {
        let targets = inputs.iter().filter_map(|planned| planned.target());
        let targets: Vec<Target> = targets.collect();
        if !targets.is_empty() {
            let aside = self.dataset.downloads();
            let corpora = self.plan.corpora.clone();
            let check = Box::new(InputCheck { corpora });
            self.fetcher = Some(Fetcher::begin(&self.plan.remote, targets, &aside, check)?);
        }
        Ok(())
    }

    /// What became of an input on the network, or why it is missing; none where that is not known
    /// yet, or nothing more comes.
    pub(super) fn arrival(
        &mut self,
        planned: &PlannedInput,
        can_wait: bool,
    ) -> Result<Option<Result<Fetched, String>>, Error> {
        let patience = if can_wait { PATIENCE } else { Duration::ZERO };
        loop {
            self.check_stop()?;
            let Some(fetcher) = &mut self.fetcher else {
                return Ok(None);
            };
            let arrival = fetcher.next(patience);
            for (target, note) in fetcher.notes() {
                self.watcher.note(target.address.text(), &note);
            }
            match arrival {
                Arrival::Fetched(file) => return Ok(Some(Ok(file))),
                Arrival::Missing(message) => return Ok(Some(Err(message))),
                Arrival::Ended(message) => {
                    let url = planned.source_path().to_string_lossy().into_owned();
                    self.ended.get_or_insert(Error::Remote { url, message });
                    return Ok(None);
                }
                Arrival::Pending if can_wait => {}
                Arrival::Pending => return Ok(None),
            }
        }
    }

    /// Lets go of files from the network whose rows are committed.
    pub(super) fn release(&mut self) {
        for target in self.used.drain(..) {
            if let Some(fetcher) = &self.fetcher {
                fetcher.release(&target);
            }
        }
    }
}
