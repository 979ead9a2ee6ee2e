//! Parquet with a row per fetch.
//!
//! Row groups are read one after the other, and of their columns only those that are used. Damage
//! costs the rest of its row group.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Date32Type, Float32Type, Float64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, TimeUnit};
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::input::Input;
use warc_recovery::sink::Position;

use super::batch::{Batch, RowLocation, RowReader};
use super::columns::{Column, Places};
use super::fetch::{Cell, Fetch};
use super::headers::Headers;
use super::parquet_file::{ParquetFile, ParquetRows, RowGroupPart, integer};
use super::problem::{MAX_ROW_BYTES, Problem};

/// Whether values of this type can be read as the content of the column.
pub(super) fn can_hold(column: Column, data_type: &DataType) -> bool {
    let is_text = |part: &Arc<Field>| *part.data_type() == DataType::Utf8;
    match data_type {
        DataType::Utf8View
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_)
        | DataType::Null => true,
        DataType::Timestamp(..) | DataType::Date32 => column == Column::Time,
        DataType::Map(entries, _) => can_hold(column, entries.data_type()),
        DataType::Struct(parts) => column == Column::Headers && parts.iter().all(is_text),
        DataType::Float32 | DataType::Float64 => matches!(column, Column::Time | Column::Status),
        other => other.is_integer() && matches!(column, Column::Time | Column::Status),
    }
}

pub(super) struct ParquetReader {
    parts: ParquetRows,
    /// The place of each column among those that are read.
    places: Places,
    /// The part that is being read, and how many of its rows have been read.
    part: Option<(RowGroupPart, usize)>,
    left: u64,
}

impl ParquetReader {
    pub(super) fn new(input: &Arc<Input>, file: &ParquetFile, places: &Places) -> Self {
        let mut wanted: Vec<usize> = places.iter().flatten().copied().collect();
        wanted.sort_unstable();
        let place = |place: usize| wanted.iter().position(|it| *it == place);
        Self {
            places: places.map(|it| it.and_then(place)),
            parts: file.rows(wanted),
            part: None,
            left: input.len(),
        }
    }

    fn fetch(&self, rows: &RecordBatch, row: usize) -> Result<Fetch, Problem> {
        let value = |place: usize| value(rows.column(place), row);
        let cells = self.places.map(|it| it.map_or(Cell::Absent, value));
        let is_long = |it: &Cell<'_>| matches!(it, Cell::Text(text) if text.len() > MAX_ROW_BYTES);
        if cells.iter().any(is_long) {
            return Err(Problem::too_long());
        }
        Fetch::from_cells(cells)
    }
}

impl RowReader for ParquetReader {
    fn read_on(&mut self, batch: &mut Batch, _: &AtomicBool) -> io::Result<bool> {
        let next = self.part.take();
        let Some((part, row)) = next.or_else(|| Some((self.parts.next()?, 0))) else {
            // Header and footer.
            batch.accounting.skipped_bytes += std::mem::take(&mut self.left);
            return Ok(false);
        };
        // A footer may claim anything: no byte is counted twice.
        let bytes = part.bytes.min(self.left);
        match &part.rows {
            Ok(Some(rows)) => {
                if row < rows.num_rows() {
                    let number = part.before.saturating_add(row as u64 + 1);
                    let position = Position {
                        offset: part.offset,
                        inner_offset: part.in_group + row as u64,
                        length: None,
                    };
                    let name = format!("row {number}");
                    let location = RowLocation { position, name };
                    batch.push(location, self.fetch(rows, row).map(Some));
                    self.part = Some((part, row + 1));
                }
                return Ok(true);
            }
            Ok(None) => batch.accounting.record_bytes += bytes,
            Err(message) => {
                let damage = Damage {
                    offset: part.offset,
                    length: bytes,
                    kind: DamageKind::Corrupt,
                    message: format!("row group {}: {message}", part.group),
                };
                let first = part.before.saturating_add(1);
                batch.lose_rest(damage, &format!("rows {first} to {}", part.end));
            }
        }
        self.left -= bytes;
        Ok(true)
    }
}

/// The cell of a column whose type [`can_hold`] allows.
fn value(array: &dyn Array, row: usize) -> Cell<'_> {
    if array.is_null(row) {
        return Cell::Null;
    }
    macro_rules! number {
        ($kind:ty) => {
            array.as_primitive::<$kind>().value(row)
        };
    }
    macro_rules! time {
        ($kind:ty) => {
            // `None`: more than 260,000 years from now.
            Cell::Time(
                (array.as_primitive::<$kind>().value_as_datetime(row))
                    .map_or(i64::MAX, |time| time.and_utc().timestamp_micros()),
            )
        };
    }
    match array.data_type() {
        DataType::Utf8View => text(array.as_string_view().value(row).as_bytes()),
        DataType::BinaryView => text(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => text(array.as_fixed_size_binary().value(row)),
        DataType::Float32 => Cell::Real(number!(Float32Type).into()),
        DataType::Float64 => Cell::Real(number!(Float64Type)),
        DataType::Date32 => time!(Date32Type),
        DataType::Timestamp(TimeUnit::Millisecond, _) => time!(TimestampMillisecondType),
        DataType::Timestamp(TimeUnit::Microsecond, _) => time!(TimestampMicrosecondType),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => time!(TimestampNanosecondType),
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let names = entries.column(0).as_string::<i32>();
            let values = entries.column(1).as_string::<i32>();
            let mut headers = Headers::default();
            for (name, value) in names.iter().zip(values) {
                if let (Some(name), Some(value)) = (name, value) {
                    headers.push(name, value.as_bytes());
                }
            }
            Cell::Headers(headers)
        }
        DataType::Struct(parts) => {
            let mut headers = Headers::default();
            for (part, values) in parts.iter().zip(array.as_struct().columns()) {
                let values = values.as_string::<i32>();
                if values.is_valid(row) {
                    headers.push(part.name(), values.value(row).as_bytes());
                }
            }
            Cell::Headers(headers)
        }
        _ => integer(array, row).map_or(Cell::Null, |number| {
            Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX))
        }),
    }
}

fn text(bytes: &[u8]) -> Cell<'_> {
    Cell::Text(Cow::Borrowed(bytes))
}
