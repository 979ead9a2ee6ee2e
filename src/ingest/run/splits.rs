//! Joining splits of archives: each must begin where the previous one ended; a split that does not,
//! or is damaged, is read again in sequence.

use std::collections::VecDeque;
use std::sync::Arc;

use warc_recovery::recovery::Recovery;
use warc_recovery::split::{Split, SplitProgress};

use super::Run;
use super::workers::{Pending, read_split};
use crate::error::{Error, check_stop};
use crate::ingest::input::archive::ArchivePart;
use crate::ingest::input::open::OpenInput;

impl Run<'_> {
    /// Accepts the rows of a split of an archive, if it begins where the last one ended. Bytes that
    /// are then missing up to the split's end are read on the calling thread.
    pub(super) fn take(
        &mut self,
        part: &ArchivePart,
        split: Split,
        pending: Pending<SplitProgress>,
    ) -> Result<(), Error> {
        check_stop(self.stop)?;
        if split.start == part.start() {
            self.frontier = split.start;
        }
        let open = &Arc::clone(&pending.open);
        let mut pending = Some(pending).filter(|_| split.start == self.frontier);
        // A split that lay inside a unit has nothing left to read.
        while self.frontier.offset < split.end.offset {
            let (rows, progress) = if let Some(pending) = pending.take() {
                pending.receive()?
            } else {
                let start = self.frontier;
                let split = Split { start, ..split };
                (self.workers).collect(open, |it| read_split(part, split, it))?
            };
            self.accept(open, rows)?;
            (part.container.input).release(self.frontier.offset, progress.end.offset);
            self.frontier = progress.end;
            if progress.is_stopped {
                self.recover(open, part)?;
            }
        }
        Ok(())
    }

    /// Reads on from the frontier, past bytes that the split reader declined.
    fn recover(&mut self, open: &Arc<OpenInput>, part: &ArchivePart) -> Result<(), Error> {
        let start = self.frontier;
        let mut recovery = Recovery::new(&part.container, start).map_err(Error::io(&open.path))?;
        let mut queue: VecDeque<Pending<()>> = VecDeque::new();
        while let Some(batch) = recovery.next_batch().map_err(Error::io(&open.path))? {
            check_stop(self.stop)?;
            for damage in &batch.damage {
                self.watcher.damage(&open.path, damage);
            }
            queue.push_back(self.workers.spawn(open, move |collector| {
                collector.findings.tally.accounting += batch.accounting;
                batch.deliver(collector);
                Ok(())
            }));
            if queue.len() > self.workers.pool.current_num_threads() * 2
                && let Some(first) = queue.pop_front()
            {
                self.accept(open, first.receive()?.0)?;
            }
        }
        for pending in queue {
            self.accept(open, pending.receive()?.0)?;
        }
        self.frontier = recovery.end();
        (part.container.input).release(start.offset, self.frontier.offset);
        if self.frontier.offset == start.offset {
            // Recovery always reads on; if it did not, the run would never end.
            let message = format!(
                "reading stopped at offset {}; this is a bug, please report it with the file",
                start.offset
            );
            return Err(Error::unusable(&open.path, message));
        }
        Ok(())
    }
}
