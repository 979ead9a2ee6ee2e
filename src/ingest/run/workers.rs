//! What the pool does: splits of an input become rows.

use std::io;
use std::ops::Range;
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
use warc_recovery::recovery::{Batch, Recovery};
use warc_recovery::split::{self, Split, SplitProgress};

/// Work on an input, handed to the pool.
pub(super) struct Pending<T> {
    pub(super) open: Arc<OpenInput>,
    result: Receiver<Result<T, Error>>,
}

impl<T> Pending<T> {
    pub(super) fn receive(self) -> Result<T, Error> {
        // The worker sent nothing: it panicked.
        self.result.recv().unwrap_or_else(|_| {
            let message = "a worker panicked; this is a bug, please report it with the file";
            Err(Error::unusable(&self.open.path, message))
        })
    }
}

pub(super) struct Workers {
    pool: Arc<rayon::ThreadPool>,
    options: CollectorOptions,
    pub(super) known: KnownRows,
}

impl Workers {
    pub(super) fn new(
        pool: Arc<rayon::ThreadPool>,
        options: CollectorOptions,
        known: KnownRows,
    ) -> Arc<Self> {
        Arc::new(Self {
            pool,
            options,
            known,
        })
    }

    pub(super) fn jobs(&self) -> usize {
        self.pool.current_num_threads()
    }

    pub(super) fn spawn<T: Send + 'static>(
        self: &Arc<Self>,
        open: &Arc<OpenInput>,
        work: impl FnOnce(&Self, &OpenInput) -> Result<T, Error> + Send + 'static,
    ) -> Pending<T> {
        let (sender, result) = sync_channel(1);
        let (workers, open) = (Arc::clone(self), Arc::clone(open));
        let pending = Pending {
            open: Arc::clone(&open),
            result,
        };
        self.pool.spawn_fifo(move || {
            let work = AssertUnwindSafe(|| work(&workers, &open));
            if let Ok(result) = catch_unwind(work) {
                // The receiver is gone when the split turned out to lie inside a unit, or the run
                // has ended.
                let _ = sender.send(result);
            }
        });
        pending
    }

    /// The rows of `open` that `fill` gives to a collector, and what it returns.
    fn collect<T>(
        &self,
        open: &OpenInput,
        fill: impl FnOnce(&mut Collector<'_>) -> io::Result<T>,
    ) -> Result<(SplitRows, T), Error> {
        let mut collector = Collector::new(open.name(), open.subset, &self.options, &self.known);
        let result = fill(&mut collector).map_err(Error::io(&open.path))?;
        let rows = collector.finish().map_err(|it| it.of(&open.path))?;
        Ok((rows, result))
    }

    /// Rows of a split of the archive of this number.
    pub(super) fn split(
        &self,
        open: &OpenInput,
        number: usize,
        split: Split,
    ) -> Result<(SplitRows, SplitProgress), Error> {
        self.collect(open, |collector| {
            let missing = || io::Error::other("no such archive");
            let part = open.part(number).ok_or_else(missing)?;
            let mut decoder = UnitDecoder::default();
            let progress =
                split::read(&part.input, &part.container, split, &mut decoder, collector)?;
            collector.tally.accounting += progress.accounting;
            Ok(progress)
        })
    }

    pub(super) fn indexed(
        &self,
        open: &OpenInput,
        parts: Range<usize>,
    ) -> Result<SplitRows, Error> {
        let mut decoder = UnitDecoder::default();
        let (rows, ()) = self.collect(open, |collector| {
            for part in parts.filter_map(|number| open.part(number)) {
                read_indexed(part, &mut decoder, collector)?;
                (part.input).release(part.input.start(), part.input.len());
            }
            Ok(())
        })?;
        Ok(rows)
    }

    /// Rows of a corpus.
    pub(super) fn rows(&self, open: &OpenInput, batch: corpus::Batch) -> Result<SplitRows, Error> {
        let (rows, ()) = self.collect(open, |collector| {
            collector.tally.accounting += batch.accounting;
            collector.tally.unread_files += batch.passed_over;
            for row in batch.rows {
                match row {
                    corpus::Row::Fetch(place, fetch) => collector.fetch(place.position, &fetch),
                    corpus::Row::Lost(damage) => collector.lose(damage),
                }
            }
            Ok(())
        })?;
        Ok(rows)
    }

    pub(super) fn batch(&self, open: &OpenInput, batch: &Batch) -> Result<SplitRows, Error> {
        let (rows, ()) = self.collect(open, |collector| {
            collector.tally.accounting += batch.accounting;
            batch.deliver(collector);
            Ok(())
        })?;
        Ok(rows)
    }
}

/// Reads the record that an index names, and stops there.
///
/// A member or frame that holds several records is read whole: an index has no offsets in it.
fn read_indexed(
    part: &ArchivePart,
    decoder: &mut UnitDecoder,
    collector: &mut Collector<'_>,
) -> io::Result<()> {
    let (mut at, end) = (part.start(), part.input.len());
    let (mut is_read, mut is_intact) = (false, true);
    // Of a longer range only what the record needs is read, step by step.
    if part.bytes() <= MAX_BYTES_AT_ONCE {
        let split = Split {
            start: at,
            end: at.moved_to(end),
        };
        let progress = split::read_first(&part.input, &part.container, split, decoder, collector)?;
        collector.tally.accounting += progress.accounting;
        is_read = progress.accounting.records > 0;
        at = progress.end;
    }
    if !is_read && at.offset < end {
        let mut recovery = Recovery::new(&part.input, &part.container, at)?;
        while !is_read && let Some(batch) = recovery.next_item()? {
            if !batch.records.is_empty() && !is_intact {
                break; // a record, but not the one that the index names
            }
            collector.tally.accounting += batch.accounting;
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
    let told = if at.offset < end {
        Some(part.beyond_record(at.offset, is_read))
    } else {
        part.beyond_end().filter(|_| is_intact)
    };
    if let Some(damage) = told {
        collector.tally.accounting.damaged_records += 1;
        collector.tally.accounting.damaged_bytes += damage.length;
        collector.lose(damage);
    }
    Ok(())
}
