//! The work of the pool: splits of an input become rows.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use crate::dataset::known::KnownRows;
use crate::error::Error;
use crate::ingest::collector::{Collector, CollectorOptions, SplitRows};
use crate::ingest::corpus;
use crate::ingest::input::MAX_BYTES_AT_ONCE;
use crate::ingest::input::archive::ArchivePart;
use crate::ingest::input::open::OpenInput;
use warc_recovery::container::UnitDecoder;
use warc_recovery::recovery::Recovery;
use warc_recovery::split::{self, Split, SplitProgress};

pub(super) struct Pending<T> {
    pub(super) open: Arc<OpenInput>,
    result: Receiver<Result<(SplitRows, T), Error>>,
}

impl<T> Pending<T> {
    pub(super) fn receive(self) -> Result<(SplitRows, T), Error> {
        // The worker sent nothing: it panicked.
        self.result.recv().unwrap_or_else(|_| {
            let message = "a worker panicked; this is a bug, please report it with the file";
            Err(Error::unusable(&self.open.path, message))
        })
    }
}

pub(super) struct Workers {
    pub(super) pool: Arc<rayon::ThreadPool>,
    pub(super) options: CollectorOptions,
    pub(super) known: KnownRows,
}

impl Workers {
    pub(super) fn spawn<T: Send + 'static>(
        self: &Arc<Self>,
        open: &Arc<OpenInput>,
        read: impl FnOnce(&mut Collector<'_>) -> io::Result<T> + Send + 'static,
    ) -> Pending<T> {
        let (sender, result) = sync_channel(1);
        let (workers, open) = (Arc::clone(self), Arc::clone(open));
        let pending = Pending {
            open: Arc::clone(&open),
            result,
        };
        self.pool.spawn_fifo(move || {
            let work = AssertUnwindSafe(|| workers.collect(&open, read));
            if let Ok(result) = catch_unwind(work) {
                // The receiver is gone if the split turned out to begin inside a unit, or if the
                // run has ended.
                let _ = sender.send(result);
            }
        });
        pending
    }

    pub(super) fn collect<T>(
        &self,
        open: &OpenInput,
        read: impl FnOnce(&mut Collector<'_>) -> io::Result<T>,
    ) -> Result<(SplitRows, T), Error> {
        let mut collector = Collector::new(open.name(), open.subset, &self.options, &self.known);
        let found = read(&mut collector).map_err(Error::io(&open.path))?;
        let rows = collector.finish().map_err(|it| it.of(&open.path))?;
        Ok((rows, found))
    }
}

pub(super) fn read_split(
    part: &ArchivePart,
    split: Split,
    collector: &mut Collector<'_>,
) -> io::Result<SplitProgress> {
    let mut decoder = UnitDecoder::default();
    let progress = split::read(&part.container, split, &mut decoder, collector, None)?;
    collector.findings.tally.accounting += progress.accounting;
    Ok(progress)
}

pub(super) fn read_rows(batch: corpus::Batch, collector: &mut Collector<'_>) {
    let tally = &mut collector.findings.tally;
    tally.accounting += batch.accounting;
    tally.unread_files += batch.passed_over;
    for row in batch.rows {
        match row {
            corpus::Row::Fetch(place, fetch) => collector.fetch(place.position, &fetch),
            corpus::Row::Lost(damage) => collector.lose(damage),
        }
    }
}

pub(super) fn read_indexed(
    parts: &[Arc<ArchivePart>],
    collector: &mut Collector<'_>,
) -> io::Result<()> {
    let mut decoder = UnitDecoder::default();
    for part in parts {
        read_named(part, &mut decoder, collector)?;
        (part.container.input).release(part.container.input.start(), part.container.input.len());
    }
    Ok(())
}

/// Reads the record that an index lists, and stops there. A member or frame that holds several
/// records is read whole: an index has no offsets within members.
fn read_named(
    part: &ArchivePart,
    decoder: &mut UnitDecoder,
    collector: &mut Collector<'_>,
) -> io::Result<()> {
    let (mut at, end) = (part.start(), part.container.input.len());
    let (mut is_read, mut is_intact) = (false, true);
    // A longer range is read step by step, as far as the record needs.
    if part.bytes() <= MAX_BYTES_AT_ONCE {
        let split = Split {
            start: at,
            end: at.moved_to(end),
        };
        let progress = split::read(&part.container, split, decoder, collector, Some(1))?;
        collector.findings.tally.accounting += progress.accounting;
        is_read = progress.accounting.records > 0;
        at = progress.end;
    }
    if !is_read && at.offset < end {
        let mut recovery = Recovery::new(&part.container, at)?;
        while !is_read && let Some(batch) = recovery.next_item()? {
            if !batch.records.is_empty() && !is_intact {
                break; // a record, but not the one that the index lists
            }
            collector.findings.tally.accounting += batch.accounting;
            at = recovery.end();
            for damage in batch.damage {
                is_intact = false;
                collector.lose(part.explain(damage)?);
            }
            for record in &batch.records {
                is_read = true;
                record.deliver(collector);
            }
        }
    }
    let rest = part.rest(at.offset, is_read);
    if let Some(damage) = rest.filter(|_| is_intact || at.offset < end) {
        collector.count_and_lose(damage);
    }
    Ok(())
}
