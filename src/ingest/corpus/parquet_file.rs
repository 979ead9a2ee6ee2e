//! Reads rows of Parquet files from other writers: one row group at a time, and only some columns.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, RecordBatch, downcast_integer};
use arrow_schema::{DataType, Field, Fields, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use warc_recovery::input::Input;
use warc_recovery::memory::unless_exhausted;

use super::parquet_pages;
use crate::ingest::input::span::{self, Span};

pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// Bytes of unpacked rows to read at a time, and the most rows: with a dictionary, each row may
/// have the longest body.
const READ_BYTES: u64 = 1024 * 1024;
const MAX_ROWS: u64 = 128;

#[derive(Clone)]
pub(crate) struct ParquetFile {
    input: Arc<Input>,
    metadata: ArrowReaderMetadata,
}

impl ParquetFile {
    pub(crate) fn open(input: &Arc<Input>) -> Result<Self, String> {
        let load = AssertUnwindSafe(|| {
            let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            let stored = ArrowReaderMetadata::load(&Chunks(Arc::clone(input)), options.clone())?;
            // Views of strings need not copy the values of a dictionary.
            let viewed = |field: &Arc<Field>| match field.data_type() {
                DataType::Utf8 => Field::clone(field).with_data_type(DataType::Utf8View),
                DataType::Binary => Field::clone(field).with_data_type(DataType::BinaryView),
                _ => Field::clone(field),
            };
            let fields: Vec<Field> = stored.schema().fields().iter().map(viewed).collect();
            let options = options.with_schema(Arc::new(Schema::new(fields)));
            ArrowReaderMetadata::try_new(Arc::clone(stored.metadata()), options)
        });
        let metadata = catch_unwind(load)
            .unwrap_or_else(|_| Err(ParquetError::General("its footer is damaged".to_owned())));
        let metadata =
            metadata.map_err(|error| format!("a Parquet file that cannot be read: {error}"))?;
        Ok(Self {
            input: Arc::clone(input),
            metadata,
        })
    }

    /// Fails if one of the columns is compressed in a way that cannot be decoded.
    pub(crate) fn check_compression(&self, columns: &[usize]) -> Result<(), String> {
        let schema = self.metadata.parquet_schema();
        let groups = self.metadata.metadata().row_groups().iter();
        for (leaf, column) in groups.flat_map(|group| group.columns().iter().enumerate()) {
            let codec = match column.compression() {
                Compression::BROTLI(_) => "Brotli",
                Compression::LZO => "LZO",
                _ => continue,
            };
            if columns.contains(&schema.get_column_root_idx(leaf)) {
                return Err(format!(
                    "a Parquet file that is compressed with {codec}: write it with zstd or Snappy"
                ));
            }
        }
        Ok(())
    }

    /// Its columns, with their types as read: text and bytes as views.
    pub(crate) fn fields(&self) -> &Fields {
        self.metadata.schema().fields()
    }

    /// Reads some `columns`, given in the order of the file.
    pub(crate) fn rows(&self, columns: Vec<usize>) -> ParquetRows {
        ParquetRows {
            file: self.clone(),
            columns,
            group: 0,
            before: 0,
            in_group: 0,
            reader: None,
        }
    }

    fn reader(&self, number: usize, columns: &[usize]) -> Result<ParquetRecordBatchReader, String> {
        let schema = self.metadata.parquet_schema();
        let group = self.metadata.metadata().row_group(number);
        for (leaf, column) in group.columns().iter().enumerate() {
            if columns.contains(&schema.get_column_root_idx(leaf)) {
                let (start, length) = column.byte_range();
                parquet_pages::check(&self.input, start..start.saturating_add(length))?;
            }
        }
        let unpacked = sum(group, ColumnChunkMetaData::uncompressed_size);
        let rows = READ_BYTES.saturating_mul(unsigned(group.num_rows())) / unpacked.max(1);
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(
            Chunks(Arc::clone(&self.input)),
            self.metadata.clone(),
        );
        builder
            .with_row_groups(vec![number])
            .with_projection(ProjectionMask::roots(schema, columns.iter().copied()))
            .with_batch_size(usize::try_from(rows.clamp(1, MAX_ROWS)).unwrap_or(1))
            .build()
            .map_err(|error| unless_exhausted(error.to_string()))
    }
}

pub(crate) struct ParquetRows {
    file: ParquetFile,
    columns: Vec<usize>,
    group: usize,
    /// Rows of the row groups before.
    before: u64,
    /// Rows of the current row group that have been read.
    in_group: u64,
    reader: Option<ParquetRecordBatchReader>,
}

pub(crate) struct RowGroupPart {
    pub(crate) group: usize,
    /// Offset of the row group in the file.
    pub(crate) offset: u64,
    /// Its bytes, according to the footer.
    pub(crate) bytes: u64,
    /// Rows of the file, and of the row group, before these.
    pub(crate) before: u64,
    pub(crate) in_group: u64,
    /// Rows of the file up to the end of the row group.
    pub(crate) end: u64,
    /// `None` at the end of the row group. The error is why the rest of the group is lost.
    pub(crate) rows: Result<Option<RecordBatch>, String>,
}

impl ParquetRows {
    /// The next rows, or the end of the row group; none at the end of the file.
    pub(crate) fn next(&mut self) -> Option<RowGroupPart> {
        let group = (self.file.metadata.metadata().row_groups()).get(self.group)?;
        let start = |column: &ColumnChunkMetaData| {
            let dictionary = column.dictionary_page_offset();
            unsigned(dictionary.unwrap_or(column.data_page_offset()))
        };
        let n_rows = unsigned(group.num_rows());
        let mut part = RowGroupPart {
            group: self.group,
            offset: group.columns().iter().map(start).min().unwrap_or_default(),
            bytes: sum(group, ColumnChunkMetaData::compressed_size),
            before: self.before.saturating_add(self.in_group),
            in_group: self.in_group,
            end: self.before.saturating_add(n_rows),
            rows: Ok(None),
        };
        part.rows = match catch_unwind(AssertUnwindSafe(|| self.read())) {
            Err(_) => Err("it does not decode".to_owned()),
            Ok(Ok(None)) if part.in_group != n_rows => {
                Err("it has fewer rows than the footer says".to_owned())
            }
            Ok(rows) => rows,
        };
        if !matches!(part.rows, Ok(Some(_))) {
            (self.group, self.before) = (self.group + 1, part.end);
            (self.in_group, self.reader) = (0, None);
        }
        Some(part)
    }

    /// Reads some rows of the row group. Damaged input may panic.
    fn read(&mut self) -> Result<Option<RecordBatch>, String> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(self.file.reader(self.group, &self.columns)?),
        };
        let rows = reader.next().transpose();
        let rows = rows.map_err(|error| unless_exhausted(error.to_string()))?;
        self.in_group += rows.as_ref().map_or(0, RecordBatch::num_rows) as u64;
        Ok(rows)
    }
}

fn sum(group: &RowGroupMetaData, bytes: fn(&ColumnChunkMetaData) -> i64) -> u64 {
    let columns = group.columns().iter();
    columns.fold(0, |sum: u64, it| sum.saturating_add(unsigned(bytes(it))))
}

/// The whole number in a row; `None` if the column has values of another type.
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

struct Chunks(Arc<Input>);

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Chunks {
    type T = Span;

    fn get_read(&self, start: u64) -> Result<Span, ParquetError> {
        let range = start..self.0.len().max(start);
        Ok(Span::new(span::Bytes(Arc::clone(&self.0)), range))
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
