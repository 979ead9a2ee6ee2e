//! Writing one Parquet part file: columns are encoded in parallel, rows stay in order.
//!
//! Batches come in input order. They are encoded as they come, so that no row group is held in
//! memory before it is compressed; at most one encoding [step](super::step) per part runs at a
//! time. The bytes of a part depend on its rows alone, not on timing or the batches they come in.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::checksum::{ChecksumFile, digits};
use super::manifest::Part;
use super::step::{StepRows, Steps};
use super::times::Times;
use crate::dataset::tables::Table;
use crate::error::Error;

/// Most steps that wait while one is encoded; the caller waits before it adds more.
const MAX_WAITING_STEPS: usize = 8;

pub(crate) struct PartWriter {
    path: PathBuf,
    part: Part,
    table: &'static Table,
    pool: Arc<ThreadPool>,
    file: SerializedFileWriter<ChecksumFile>,
    factory: ArrowRowGroupWriterFactory,
    /// Column writers of the open row group; empty while a step has them, and before a row group.
    columns: Vec<ArrowColumnWriter>,
    step: Option<Receiver<EncodeResult>>,
    steps: Steps,
    waiting: VecDeque<StepRows>,
}

/// The column writers of an open row group, or the chunks of an ended row group.
type EncodeResult = Result<(Vec<ArrowColumnWriter>, Vec<ArrowColumnChunk>), ParquetError>;

impl PartWriter {
    /// Writes a part of `table` to the file at `path`; `within` is its path within the dataset.
    pub(crate) fn create(
        path: &Path,
        within: impl Into<String>,
        table: &'static Table,
        pool: Arc<ThreadPool>,
    ) -> Result<Self, Error> {
        let file = ChecksumFile::create(path).map_err(Error::io(path))?;
        let properties = super::encoding::properties(table);
        let writer = ArrowWriter::try_new(file, Arc::clone(&table.schema), Some(properties))
            .map_err(Error::parquet(path))?;
        let (file, factory) = writer
            .into_serialized_writer()
            .map_err(Error::parquet(path))?;
        Ok(Self {
            path: path.to_owned(),
            part: Part {
                table: table.name.to_owned(),
                path: within.into(),
                ..Part::default()
            },
            table,
            pool,
            file,
            factory,
            columns: Vec::new(),
            step: None,
            steps: Steps::default(),
            waiting: VecDeque::new(),
        })
    }

    pub(super) fn table(&self) -> &'static Table {
        self.table
    }

    #[expect(clippy::needless_pass_by_value, reason = "rows are handed over")]
    pub(crate) fn push(&mut self, batch: RecordBatch) -> Result<(), Error> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        self.part.rows += batch.num_rows() as u64;
        let times = Times::of(self.table, &batch);
        Times::merge(&mut self.part.times, times.as_ref());
        self.steps.push(&batch, &mut self.waiting);
        if let Some(encoded) = self.step.as_ref().and_then(|step| step.try_recv().ok()) {
            self.finish_step(encoded)?;
        }
        while self.waiting.len() >= MAX_WAITING_STEPS {
            self.wait()?;
            self.begin_step()?;
        }
        if self.step.is_none() {
            self.begin_step()?;
        }
        Ok(())
    }

    /// Ends the part, durable on return. Call it in the pool only after [`wait`](Self::wait).
    pub(crate) fn close(mut self) -> Result<Part, Error> {
        self.wait()?;
        self.waiting.extend(self.steps.finish());
        let pool = Arc::clone(&self.pool);
        while let Some((columns, rows)) = self.next_step()? {
            self.finish_step(pool.install(|| encode(self.table, columns, &rows)))?;
        }
        if !self.columns.is_empty() {
            let columns = std::mem::take(&mut self.columns);
            let chunks = pool.install(|| close_columns(columns));
            self.append_row_group(chunks.map_err(Error::parquet(&self.path))?)?;
        }
        self.file.finish().map_err(Error::parquet(&self.path))?;
        let ChecksumFile { file, hash } = self.file.inner();
        file.sync_all().map_err(Error::io(&self.path))?;
        self.part.bytes = file.metadata().map_err(Error::io(&self.path))?.len();
        self.part.xxh3 = digits(hash);
        Ok(self.part)
    }

    fn begin_step(&mut self) -> Result<(), Error> {
        let Some((columns, rows)) = self.next_step()? else {
            return Ok(());
        };
        let table = self.table;
        let (sender, receiver) = sync_channel(1);
        self.pool.spawn(move || {
            // The receiver is gone only when the run has already failed.
            let _ = sender.send(encode(table, columns, &rows));
        });
        self.step = Some(receiver);
        Ok(())
    }

    fn next_step(&mut self) -> Result<Option<(Vec<ArrowColumnWriter>, StepRows)>, Error> {
        let Some(rows) = self.waiting.pop_front() else {
            return Ok(None);
        };
        if self.columns.is_empty() {
            let group = self.file.flushed_row_groups().len();
            let columns = self.factory.create_column_writers(group);
            self.columns = columns.map_err(Error::parquet(&self.path))?;
        }
        Ok(Some((std::mem::take(&mut self.columns), rows)))
    }

    /// Waits for the step under way. Not to be called in the pool, which may have to run that step.
    pub(crate) fn wait(&mut self) -> Result<(), Error> {
        let Some(step) = &self.step else {
            return Ok(());
        };
        let encoded = step
            .recv()
            .unwrap_or_else(|_| Err(ParquetError::General("the encoder panicked".to_owned())));
        self.finish_step(encoded)
    }

    fn finish_step(&mut self, encoded: EncodeResult) -> Result<(), Error> {
        self.step = None;
        let (columns, chunks) = encoded.map_err(Error::parquet(&self.path))?;
        self.columns = columns;
        if chunks.is_empty() {
            return Ok(());
        }
        self.append_row_group(chunks)
    }

    fn append_row_group(&mut self, chunks: Vec<ArrowColumnChunk>) -> Result<(), Error> {
        let append = || {
            let mut group = self.file.next_row_group()?;
            for chunk in chunks {
                chunk.append_to_row_group(&mut group)?;
            }
            group.close().map(drop)
        };
        append().map_err(Error::parquet(&self.path))
    }
}

fn encode(table: &Table, mut columns: Vec<ArrowColumnWriter>, rows: &StepRows) -> EncodeResult {
    let leaves = table.schema.fields().par_iter().enumerate();
    let leaves = leaves.map(|(index, field)| compute_leaves(field, &rows.column(index)?));
    let leaves = leaves.collect::<Result<Vec<_>, ParquetError>>()?;
    let leaves: Vec<_> = leaves.into_iter().flatten().collect();
    let encoded = columns.par_iter_mut().zip(&leaves);
    encoded.try_for_each(|(writer, leaf)| writer.write(leaf))?;
    if rows.ends_row_group {
        return Ok((Vec::new(), close_columns(columns)?));
    }
    Ok((columns, Vec::new()))
}

fn close_columns(columns: Vec<ArrowColumnWriter>) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
    let columns = columns.into_par_iter();
    columns.map(ArrowColumnWriter::close).collect()
}

pub(super) fn close_parts(
    pool: &ThreadPool,
    mut open: Vec<PartWriter>,
) -> Result<Vec<Part>, Error> {
    open.iter_mut().try_for_each(PartWriter::wait)?;
    // Parts are closed in parallel: their last columns keep every core busy, and one waits for the
    // disk while others are written.
    pool.install(|| open.into_par_iter().map(PartWriter::close).collect())
}
