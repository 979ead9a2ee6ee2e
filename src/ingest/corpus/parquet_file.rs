//! Parquet files of others, as their rows are read: a row group at a time, and of it some columns.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, downcast_integer};
use arrow_schema::{DataType, Field, Fields, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use warc_recovery::input::Input;
use warc_recovery::memory::unless_exhausted;

use super::parquet_pages;
use crate::ingest::input::span::Span;

pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// A file whose footer was read.
#[derive(Clone)]
pub(crate) struct ParquetFile {
    input: Arc<Input>,
    stored: Fields,
    metadata: ArrowReaderMetadata,
}

impl fmt::Debug for ParquetFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "row groups: {}", self.row_group_count())
    }
}

impl ParquetFile {
    /// Reads the footer, or says why it cannot be.
    pub(crate) fn open(input: &Arc<Input>) -> Result<Self, String> {
        let unreadable =
            |error: ParquetError| format!("a Parquet file that cannot be read: {error}");
        let load = |options| {
            let chunks = Chunks(Arc::clone(input));
            catch_unwind(AssertUnwindSafe(|| {
                ArrowReaderMetadata::load(&chunks, options)
            }))
            .unwrap_or_else(|_| Err(ParquetError::General("its footer is damaged".to_owned())))
        };
        let plain = || ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = load(plain()).map_err(unreadable)?;
        let stored = metadata.schema().fields().clone();
        // Views of strings need not copy what a dictionary holds.
        let viewed = |field: &Arc<Field>| match field.data_type() {
            DataType::Utf8 => Field::clone(field).with_data_type(DataType::Utf8View),
            DataType::Binary => Field::clone(field).with_data_type(DataType::BinaryView),
            _ => Field::clone(field),
        };
        let schema = Schema::new(stored.iter().map(viewed).collect::<Vec<_>>());
        let metadata = load(plain().with_schema(Arc::new(schema))).map_err(unreadable)?;
        Ok(Self {
            input: Arc::clone(input),
            stored,
            metadata,
        })
    }

    /// Its columns, with their types as stored.
    pub(super) fn stored_fields(&self) -> &Fields {
        &self.stored
    }

    /// Its columns, with their types as read: text and bytes as views.
    pub(crate) fn fields(&self) -> &Fields {
        self.metadata.schema().fields()
    }

    pub(crate) fn row_group_count(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    /// Offset, bytes and rows of a row group, as the footer tells.
    pub(crate) fn row_group(&self, group: usize) -> (u64, u64, u64) {
        let group = self.metadata.metadata().row_group(group);
        let columns = group.columns().iter();
        let start = |column: &ColumnChunkMetaData| {
            let dictionary = column.dictionary_page_offset();
            unsigned(dictionary.unwrap_or(column.data_page_offset()))
        };
        let offset = columns.clone().map(start).min().unwrap_or_default();
        let bytes = columns
            .map(|column| unsigned(column.compressed_size()))
            .fold(0, u64::saturating_add);
        (offset, bytes, unsigned(group.num_rows()))
    }

    pub(super) fn uncompressed_bytes(&self, group: usize) -> u64 {
        let columns = self.metadata.metadata().row_group(group).columns().iter();
        columns
            .map(|column| unsigned(column.uncompressed_size()))
            .fold(0, u64::saturating_add)
    }

    /// Reads the `columns` of a row group, `rows` at a time. Damaged input may panic.
    pub(crate) fn rows(
        &self,
        group: usize,
        columns: &[usize],
        rows: usize,
    ) -> Result<ParquetRecordBatchReader, String> {
        let schema = self.metadata.parquet_schema();
        let chunks = self.metadata.metadata().row_group(group).columns();
        for (leaf, column) in chunks.iter().enumerate() {
            if columns.contains(&schema.get_column_root_idx(leaf)) {
                let (start, length) = column.byte_range();
                let bytes = start..start.saturating_add(length);
                parquet_pages::check(&self.input, bytes)?;
            }
        }
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(
            Chunks(Arc::clone(&self.input)),
            self.metadata.clone(),
        );
        builder
            .with_row_groups(vec![group])
            .with_projection(ProjectionMask::roots(schema, columns.iter().copied()))
            .with_batch_size(rows)
            .build()
            .map_err(|error| unless_exhausted(error.to_string()))
    }
}

/// The whole number in a row; none where the column has values of another type.
pub(crate) fn integer(array: &dyn Array, row: usize) -> Option<i128> {
    macro_rules! of_type {
        ($kind:ty) => {
            Some(array.as_primitive::<$kind>().value(row).into())
        };
    }
    downcast_integer! {
        array.data_type() => (of_type),
        _ => None
    }
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// An input as Parquet's reader wants it.
struct Chunks(Arc<Input>);

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Chunks {
    type T = Span;

    fn get_read(&self, start: u64) -> Result<Span, ParquetError> {
        Ok(Span {
            input: Arc::clone(&self.0),
            at: start,
            end: self.0.len().max(start),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let length_left = self.0.len().saturating_sub(start);
        if length as u64 > length_left {
            let message = format!("{length} bytes are wanted from offset {start}, beyond the end");
            return Err(ParquetError::EOF(message));
        }
        let bytes = self.0.read(start, length)?;
        Ok(Bytes::from(bytes.into_owned()))
    }
}
