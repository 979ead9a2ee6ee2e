//! What the pool does: stretches of an input become chunks, each worker with its own tools.

use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::open::Open;
use crate::collector::{Chunk, Collector, Options, Position, Scratch};
use crate::container::{Container, UnitDecoder};
use crate::error::Error;
use crate::extent::{self, Extent, Progress};
use crate::known::{Collision, Known};
use crate::recovery::Batch;
use crate::warc;

/// A stretch handed to the pool.
pub(super) struct Pending<T>(Receiver<Result<T, Failure>>);

impl<T> Pending<T> {
    /// Waits for what was read of the stretch.
    pub(super) fn receive(self, open: &Open) -> Result<T, Error> {
        self.0
            .recv()
            .unwrap_or(Err(Failure::Panicked))
            .map_err(|failure| failure.into_error(open))
    }
}

/// What can go wrong while a stretch is read.
pub(super) enum Failure {
    Read(std::io::Error),
    Collision(Collision),
    Panicked,
}

/// What workers share.
pub(super) struct Workshop {
    options: Options,
    pub(super) known: Known,
    tools: Mutex<Vec<Tools>>,
}

#[derive(Default)]
struct Tools {
    decoder: UnitDecoder,
    scratch: Scratch,
}

impl Workshop {
    pub(super) fn new(options: Options, known: Known) -> Arc<Self> {
        Arc::new(Self {
            options,
            known,
            tools: Mutex::default(),
        })
    }

    /// Hands `work` to the pool.
    pub(super) fn spawn<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Pending<T> {
        let (sender, receiver) = sync_channel(1);
        let workshop = Arc::clone(self);
        rayon::spawn_fifo(move || {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&workshop)));
            // The receiver is gone when the stretch turned out not to be one, or the run has ended.
            let _ = sender.send(result.unwrap_or(Err(Failure::Panicked)));
        });
        Pending(receiver)
    }

    fn with_tools<T>(&self, work: impl FnOnce(&mut Tools) -> T) -> T {
        let taken = self
            .tools
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let mut tools = taken.unwrap_or_default();
        let result = work(&mut tools);
        self.tools
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(tools);
        result
    }

    pub(super) fn extent(
        &self,
        open: &Open,
        container: &Container,
        extent: Extent,
    ) -> Result<(Chunk, Progress), Failure> {
        self.with_tools(|tools| {
            let mut collector = Collector::new(
                open.input.name(),
                open.subset,
                &self.options,
                &self.known,
                &mut tools.scratch,
            );
            let progress = extent::read(
                &open.input,
                container,
                extent,
                &mut tools.decoder,
                &mut collector,
            )
            .map_err(Failure::Read)?;
            Ok((collector.finish().map_err(Failure::Collision)?, progress))
        })
    }

    pub(super) fn batch(&self, open: &Open, batch: &Batch) -> Result<Chunk, Failure> {
        self.with_tools(|tools| {
            let mut collector = Collector::new(
                open.input.name(),
                open.subset,
                &self.options,
                &self.known,
                &mut tools.scratch,
            );
            collector.tally = batch.tally.clone();
            for record in &batch.records {
                let Ok(head) = warc::RecordHead::parse(&record.octets) else {
                    continue;
                };
                let position = Position {
                    offset: record.offset,
                    inner_offset: record.inner_offset,
                    length: record.length,
                };
                collector.record(
                    position,
                    &head,
                    &record.octets[head.head_length()..],
                    record.block_length,
                );
            }
            for damage in &batch.damage {
                collector.damage(damage);
            }
            collector.finish().map_err(Failure::Collision)
        })
    }
}

impl Failure {
    pub(super) fn into_error(self, open: &Open) -> Error {
        let name = open.input.name();
        match self {
            Self::Read(error) => Error::io(name)(error),
            Self::Collision(Collision(id)) => Error::Collision {
                input: name.to_owned(),
                id,
            },
            Self::Panicked => Error::io(name)(std::io::Error::other(
                "a worker panicked; please report this with the file",
            )),
        }
    }
}
