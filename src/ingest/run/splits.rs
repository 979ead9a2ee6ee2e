//! Splits of archives as a run takes them: each must begin where the one before ended; what does
//! not fit, or is damaged, is read again in sequence.

use std::collections::VecDeque;
use std::sync::Arc;

use warc_recovery::container::Boundary;
use warc_recovery::recovery::Recovery;
use warc_recovery::split::{Split, SplitProgress};

use super::Run;
use super::workers::Pending;
use crate::dataset::tables::Batches;
use crate::error::Error;
use crate::ingest::collector::SplitRows;
use crate::ingest::input::archive::ArchivePart;
use crate::ingest::input::open::OpenInput;

impl Run<'_> {
    /// Takes what was read of a split of the archive of this number, if it begins where the last
    /// one ended.
    pub(super) fn take(
        &mut self,
        number: usize,
        split: Split,
        pending: Pending<(SplitRows, SplitProgress)>,
    ) -> Result<(), Error> {
        self.check_stop()?;
        let open = &Arc::clone(&pending.open);
        let Some(part) = open.part(number) else {
            return Ok(());
        };
        if self.current.part != Some(number) {
            self.current.part = Some(number);
            self.current.frontier = part.start();
        }
        if split.end.offset <= self.current.frontier.offset {
            return Ok(()); // it lay inside a unit
        }
        let mut result = if split.start == self.current.frontier {
            pending.receive()?
        } else {
            self.read_here(open, number, split.end)?
        };
        loop {
            let (rows, progress) = result;
            self.accept(open, rows)?;
            (part.input).release(self.current.frontier.offset, progress.end.offset);
            self.current.frontier = progress.end;
            if progress.is_stopped {
                self.recover(open, part)?;
            }
            if self.current.frontier.offset >= split.end.offset {
                return Ok(());
            }
            result = self.read_here(open, number, split.end)?;
        }
    }

    /// Reads from the frontier to `end` on the calling thread.
    fn read_here(
        &self,
        open: &OpenInput,
        number: usize,
        end: Boundary,
    ) -> Result<(SplitRows, SplitProgress), Error> {
        let split = Split {
            start: self.current.frontier,
            end,
        };
        self.workers.split(open, number, split)
    }

    /// Reads on from the frontier, past what the split reader declined.
    pub(super) fn recover(
        &mut self,
        open: &Arc<OpenInput>,
        part: &ArchivePart,
    ) -> Result<(), Error> {
        let start = self.current.frontier;
        let mut recovery =
            Recovery::new(&part.input, &part.container, start).map_err(Error::io(&open.path))?;
        let mut pending: VecDeque<Pending<SplitRows>> = VecDeque::new();
        loop {
            self.check_stop()?;
            let batch = recovery.next_batch().map_err(Error::io(&open.path))?;
            let is_last = batch.is_none();
            if let Some(batch) = batch {
                for damage in &batch.damage {
                    self.watcher.damage(&open.path, damage);
                }
                pending.push_back(
                    self.workers
                        .spawn(open, move |workers, open| workers.batch(open, &batch)),
                );
            }
            while pending.len() > self.workers.jobs() * 2 || (is_last && !pending.is_empty()) {
                if let Some(first) = pending.pop_front() {
                    self.accept(open, first.receive()?)?;
                }
            }
            if is_last {
                break;
            }
        }
        self.current.frontier = recovery.end();
        (part.input).release(start.offset, self.current.frontier.offset);
        if self.current.frontier.offset == start.offset {
            // Recovery always reads on; if it did not, the run would never end.
            return Err(Error::io(&open.path)(std::io::Error::other(format!(
                "no way past offset {}",
                start.offset
            ))));
        }
        Ok(())
    }

    pub(super) fn accept(&mut self, open: &OpenInput, rows: SplitRows) -> Result<(), Error> {
        self.current.tally += &rows.tally;
        self.watcher.advance(&rows.tally);
        for damage in &rows.reported {
            self.watcher.damage(&open.path, damage);
        }
        let needs_digests = self
            .joiner
            .needs_digests(&rows, &self.dataset.manifest().commits);
        if needs_digests {
            self.joiner.add_digests(self.dataset.digests()?);
        }
        let batches = self
            .joiner
            .join(rows, &self.workers.known)
            .map_err(|it| it.of(&open.path))?;
        self.push(&open.identity.crawl, batches)
    }

    pub(super) fn push(&mut self, crawl: &str, batches: Batches) -> Result<(), Error> {
        for ((_, total), (_, batch)) in self.totals.rows.iter_mut().zip(batches.iter()) {
            *total += batch.num_rows() as u64;
        }
        self.dataset.push(crawl, batches)
    }
}
