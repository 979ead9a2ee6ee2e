//! Parquet with a row per fetch.
//!
//! Row groups are read one after the other, with the columns that are used. Damage costs the rest
//! of its row group.

use std::borrow::Cow;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::cast::AsArray as _;
use arrow_array::temporal_conversions::{MICROSECONDS, MILLISECONDS, NANOSECONDS};
use arrow_array::types::{
    Date32Type, Float32Type, Float64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::input::Input;
use warc_recovery::memory::unless_exhausted;

use super::batch::{
    Batch, BatchReader, CHUNK_BYTES, MAX_ROW_BYTES, Row, RowLocation, Rows, too_long,
};
use super::columns::{Column, Columns, Places};
use super::fetch::{Cell, Cells, Fetch, Problem};
use super::parquet_file::{ParquetFile, integer};

/// Rows of a batch, at most: a dictionary may give each the longest body.
const MAX_ROWS: u64 = 128;

/// Reads the footer: the file, what its columns hold, and their names; or what keeps it from being
/// read.
pub(super) fn open(
    input: &Arc<Input>,
    columns: &Columns,
) -> Result<(ParquetFile, Places, Vec<String>), String> {
    let file = ParquetFile::open(input)?;
    let fields = file.stored_fields();
    let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
    let places = (columns.resolve(&names))
        .map_err(|unresolved| format!("a table: {}", unresolved.message(&names)))?;
    for (column, place) in Column::ALL.into_iter().zip(places) {
        if let Some(field) = place.map(|place| &fields[place])
            && !can_hold(column, field.data_type())
        {
            return Err(format!(
                "a table: the column {} is of the type {}, which cannot be read as {}",
                field.name(),
                field.data_type(),
                column.name()
            ));
        }
    }
    Ok((file, places, names))
}

/// Whether values of this type can be read as what the column holds.
fn can_hold(column: Column, data_type: &DataType) -> bool {
    let is_text = matches!(
        data_type,
        DataType::Utf8 | DataType::Binary | DataType::FixedSizeBinary(_) | DataType::Null
    );
    match column {
        Column::Time => {
            let is_time = matches!(data_type, DataType::Timestamp(..) | DataType::Date32);
            is_text || data_type.is_numeric() && !is_decimal(data_type) || is_time
        }
        Column::Status => is_text || data_type.is_numeric() && !is_decimal(data_type),
        Column::Headers => match data_type {
            DataType::Map(entries, _) => match entries.data_type() {
                DataType::Struct(parts) => {
                    parts.iter().all(|part| *part.data_type() == DataType::Utf8)
                }
                _ => false,
            },
            DataType::Struct(parts) => parts.iter().all(|it| *it.data_type() == DataType::Utf8),
            _ => is_text,
        },
        _ => is_text,
    }
}

fn is_decimal(data_type: &DataType) -> bool {
    use DataType::{Decimal32, Decimal64, Decimal128, Decimal256, Float16};
    matches!(
        data_type,
        Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..) | Float16
    )
}

pub(crate) struct RowGroups {
    file: ParquetFile,
    places: Places,
    /// The row group under way, and rows of it that have been read.
    group: usize,
    reader: Option<(ParquetRecordBatchReader, u64)>,
    /// Rows of the row groups before.
    rows_before: u64,
    /// Bytes of the file that no row group has yet.
    left: u64,
    is_done: bool,
}

struct Arrays {
    rows: RecordBatch,
    /// The place in `rows` of each column.
    places: Places,
    /// Offset of the row group in the file.
    offset: u64,
    /// Rows of the row group before these.
    before: u64,
    /// Rows of the row groups before.
    rows_before: u64,
}

impl RowGroups {
    pub(super) fn new(input: &Arc<Input>, file: &ParquetFile, places: &Places) -> Self {
        Self {
            file: file.clone(),
            places: *places,
            group: 0,
            reader: None,
            rows_before: 0,
            left: input.len(),
            is_done: false,
        }
    }

    fn next_rows(&mut self, n_rows: u64) -> Result<Option<RecordBatch>, String> {
        let wanted = self.places.iter().flatten().copied();
        let (reader, read) = match &mut self.reader {
            Some(reader) => reader,
            none => {
                let wanted: Vec<usize> = wanted.collect();
                let bytes = self.file.uncompressed_bytes(self.group);
                let rows = CHUNK_BYTES as u64 * n_rows / bytes.max(1);
                let rows = usize::try_from(rows.clamp(1, MAX_ROWS)).unwrap_or(1);
                let reader = self.file.rows(self.group, &wanted, rows)?;
                none.insert((reader, 0))
            }
        };
        let rows = reader
            .next()
            .transpose()
            .map_err(|error| unless_exhausted(error.to_string()))?;
        *read += rows.as_ref().map_or(0, RecordBatch::num_rows) as u64;
        Ok(rows)
    }

    /// The places of columns among those that are read, which keep their order.
    fn projected(&self) -> Places {
        let mut wanted: Vec<usize> = self.places.iter().flatten().copied().collect();
        wanted.sort_unstable();
        let place = |place: usize| wanted.iter().position(|it| *it == place);
        self.places.map(|it| it.and_then(place))
    }
}

impl BatchReader for RowGroups {
    fn next_batch(&mut self, _: &AtomicBool) -> io::Result<Option<Batch>> {
        let mut batch = Batch::default();
        if self.group == self.file.row_group_count() {
            // Header and footer.
            batch.accounting.skipped_bytes = std::mem::take(&mut self.left);
            return Ok((!std::mem::replace(&mut self.is_done, true)).then_some(batch));
        }
        let (offset, bytes, n_rows) = self.file.row_group(self.group);
        // A footer may tell anything: no byte is counted twice.
        let bytes = bytes.min(self.left);
        let before = self.reader.as_ref().map_or(0, |(_, rows)| *rows);
        let next = catch_unwind(AssertUnwindSafe(|| self.next_rows(n_rows)));
        let next = next.unwrap_or_else(|_| Err("it does not decode".to_owned()));
        let (lost, rows) = match next {
            Ok(Some(rows)) => {
                batch.rows = Some(Box::new(Arrays {
                    rows,
                    places: self.projected(),
                    offset,
                    before,
                    rows_before: self.rows_before,
                }));
                return Ok(Some(batch));
            }
            Ok(None) if before == n_rows => (None, n_rows),
            Ok(None) => (
                Some("it has fewer rows than the footer says".to_owned()),
                n_rows,
            ),
            Err(message) => (Some(message), n_rows),
        };
        match lost {
            None => batch.accounting.record_bytes = bytes,
            Some(message) => batch.lose_rest(
                &Damage {
                    offset,
                    length: bytes,
                    kind: DamageKind::Corrupt,
                    message: format!("row group {}: {message}", self.group),
                },
                &format!(
                    "rows {} to {}",
                    self.rows_before.saturating_add(before + 1),
                    self.rows_before.saturating_add(n_rows)
                ),
            ),
        }
        self.left -= bytes;
        self.rows_before = self.rows_before.saturating_add(rows);
        self.group += 1;
        self.reader = None;
        Ok(Some(batch))
    }
}

impl Rows for Arrays {
    fn bytes(&self) -> u64 {
        self.rows.get_array_memory_size() as u64
    }

    fn deliver(&self, take: &mut dyn FnMut(Row<'_>)) {
        for row in 0..self.rows.num_rows() {
            let in_group = self.before + row as u64;
            let number = self.rows_before.saturating_add(in_group + 1);
            let place = RowLocation::of_row(self.offset, in_group, number);
            take(Row::of(place, self.fetch(row)));
        }
    }
}

impl Arrays {
    fn fetch(&self, row: usize) -> Result<Fetch<'_>, Problem> {
        let mut cells = Cells::default();
        for (cell, place) in cells.iter_mut().zip(self.places) {
            if let Some(place) = place {
                *cell = value(self.rows.column(place), row);
                if matches!(cell, Cell::Text(text) if text.len() > MAX_ROW_BYTES) {
                    return Err(too_long());
                }
            }
        }
        Fetch::from_cells(cells)
    }
}

fn value(array: &dyn Array, row: usize) -> Cell<'_> {
    if array.is_null(row) {
        return Cell::Null;
    }
    macro_rules! number {
        ($kind:ty) => {
            array.as_primitive::<$kind>().value(row)
        };
    }
    let per_second = |value: i64, unit: i64| {
        let micros = i128::from(value) * i128::from(MICROSECONDS) / i128::from(unit);
        i64::try_from(micros).map_or(Cell::Null, Cell::Time)
    };
    match array.data_type() {
        DataType::Utf8View => borrowed(array.as_string_view().value(row).as_bytes()),
        DataType::BinaryView => borrowed(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => borrowed(array.as_fixed_size_binary().value(row)),
        DataType::Float32 => Cell::Real(number!(Float32Type).into()),
        DataType::Float64 => Cell::Real(number!(Float64Type)),
        DataType::Date32 => per_second(i64::from(number!(Date32Type)) * 86_400, 1),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            per_second(number!(TimestampMillisecondType), MILLISECONDS)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            per_second(number!(TimestampMicrosecondType), MICROSECONDS)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            per_second(number!(TimestampNanosecondType), NANOSECONDS)
        }
        DataType::Map(..) => {
            let entries = array.as_map();
            let (start, length) = (entries.value_offsets()[row], entries.value_length(row));
            let (names, values) = (
                entries.keys().as_string::<i32>(),
                entries.values().as_string::<i32>(),
            );
            let lines = (start..start + length).filter_map(|at| {
                let at = usize::try_from(at).ok().filter(|at| values.is_valid(*at))?;
                Some((names.value(at), values.value(at)))
            });
            headers(lines)
        }
        DataType::Struct(parts) => {
            let columns = array.as_struct().columns();
            let lines = parts.iter().zip(columns).filter_map(|(part, values)| {
                let values = values.as_string::<i32>();
                (values.is_valid(row)).then(|| (part.name().as_str(), values.value(row)))
            });
            headers(lines)
        }
        _ => integer(array, row).map_or(Cell::Null, |number| {
            Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX))
        }),
    }
}

fn borrowed(bytes: &[u8]) -> Cell<'_> {
    Cell::Text(Cow::Borrowed(bytes))
}

fn headers<'a>(lines: impl Iterator<Item = (&'a str, &'a str)>) -> Cell<'a> {
    let mut all = Vec::new();
    for (name, value) in lines {
        super::headers::push(&mut all, name, Cow::Borrowed(value.as_bytes()));
    }
    Cell::Headers(all)
}
