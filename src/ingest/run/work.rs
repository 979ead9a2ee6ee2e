//! The next work of a run: the inputs of its plan are opened one after the other and cut into
//! pieces that the pool begins at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use warc_recovery::container::Boundary;
use warc_recovery::recovery::MAX_BLOCK_BYTES;
use warc_recovery::split::{self, Split, SplitProgress};

use super::Run;
use super::workers::{Pending, Workers, read_indexed, read_rows, read_split};
use crate::dataset::known::Collision;
use crate::error::{Error, check_stop};
use crate::ingest::corpus::RowReader;
use crate::ingest::input::archive::ArchivePart;
use crate::ingest::input::content::Content;
use crate::ingest::input::open::OpenInput;
use crate::ingest::input::{InputPlace, MAX_BYTES_AT_ONCE};

/// Work in the order of the inputs: begun in the pool, or done by the run itself.
pub(super) enum Item {
    Begin(Arc<OpenInput>),
    Split(Arc<ArchivePart>, Split, Pending<SplitProgress>),
    /// Rows of this many bytes.
    Rows(u64, Pending<()>),
    End(Arc<OpenInput>),
}

/// The current input, and its next piece.
pub(super) struct OpenWork {
    open: Arc<OpenInput>,
    reader: Option<Box<dyn RowReader>>,
    /// The next archive.
    part: usize,
    /// The beginning of the next split in this archive; `None`: the beginning of the archive.
    at: Option<Boundary>,
}

impl Run<'_> {
    /// The next item of work, which is handed to the pool at once. `None` at the end, and if a file
    /// on the network has not arrived yet, unless the run `can_wait` for it.
    pub(super) fn next_item(&mut self, can_wait: bool) -> Result<Option<Item>, Error> {
        check_stop(self.stop)?;
        if let Some(work) = &mut self.open {
            let item = work.begin_next(&self.workers, self.stop);
            check_stop(self.stop)?;
            let item = item.map_err(Error::io(&work.open.path))?;
            return Ok(item.or_else(|| self.open.take().map(|work| Item::End(work.open))));
        }
        while let Some(&planned) = self.inputs.front() {
            let arrival = match &planned.place {
                InputPlace::Network(_) => match self.arrival(planned, can_wait)? {
                    Some(arrival) => arrival.map(Some),
                    None => return Ok(None),
                },
                InputPlace::Nowhere(message) => Err(message.clone()),
                _ => Ok(None),
            };
            self.inputs.pop_front();
            let (plan, known, dataset) = (self.plan, &mut self.known, &mut *self.dataset);
            let open = match OpenInput::new(planned, arrival, plan, known, dataset) {
                Ok(open) => Arc::new(open),
                Err(reason) => {
                    self.skip(&planned.path, reason);
                    self.network.used.extend(planned.target());
                    continue;
                }
            };
            let fingerprint = open.identity.fingerprint;
            if self.known.collides(fingerprint) {
                return Err(Collision(fingerprint.input_id()).of(&open.path));
            }
            (self.known).add(open.identity.clone(), Some(Arc::clone(&open.input)));
            self.open = Some(OpenWork {
                reader: match &open.content {
                    Content::Corpus(corpus) => Some(corpus.reader(&open.input)),
                    _ => None,
                },
                open: Arc::clone(&open),
                part: 0,
                at: None,
            });
            return Ok(Some(Item::Begin(open)));
        }
        Ok(None)
    }
}

impl OpenWork {
    /// Hands the next piece to the pool; `None` at the end of the input.
    fn begin_next(
        &mut self,
        workers: &Arc<Workers>,
        stop: &AtomicBool,
    ) -> io::Result<Option<Item>> {
        let open = &self.open;
        if let Some(reader) = &mut self.reader {
            let batch = reader.next_batch(stop)?;
            return Ok(batch.map(|batch| {
                let bytes = batch.bytes as u64;
                let pending = workers.spawn(open, move |collector| {
                    read_rows(batch, collector);
                    Ok(())
                });
                Item::Rows(bytes, pending)
            }));
        }
        let first = self.part;
        let Some(part) = open.parts().get(first) else {
            return Ok(None);
        };
        if part.given.is_none() {
            let start = self.at.unwrap_or(part.start());
            let split = split::plan(&part.container, start)?;
            self.at = Some(split.end).filter(|end| end.offset < part.container.input.len());
            self.part += usize::from(self.at.is_none());
            let of_worker = Arc::clone(part);
            let pending = workers.spawn(open, move |it| read_split(&of_worker, split, it));
            return Ok(Some(Item::Split(Arc::clone(part), split, pending)));
        }
        // Records that an index lists, as many as make a piece of work.
        let mut bytes = 0;
        while let Some(part) = open.parts().get(self.part)
            && (bytes == 0 || bytes + part.bytes() <= MAX_BYTES_AT_ONCE)
        {
            // However long its range is, a part is one record.
            bytes += part.bytes().min(MAX_BLOCK_BYTES as u64);
            self.part += 1;
        }
        let parts = open.parts()[first..self.part].to_vec();
        let pending = workers.spawn(open, move |it| read_indexed(&parts, it));
        Ok(Some(Item::Rows(bytes, pending)))
    }
}
