//! Parquet with a row per fetch.
//!
//! Row groups are read one after the other, with the columns that are used. Damage costs the rest
//! of its row group.

use std::borrow::Cow;
use std::io;
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
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::input::Input;
use warc_recovery::sink::Position;

use super::batch::{Batch, MAX_ROW_BYTES, RowLocation, RowReader, too_long};
use super::columns::{Column, Columns, Places};
use super::fetch::{Cell, Cells, Fetch, Problem};
use super::parquet_file::{ParquetFile, ParquetRows, RowGroupPart, integer};

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

pub(crate) struct ParquetReader {
    parts: ParquetRows,
    /// The place of each column among those that are read.
    places: Places,
    /// What is being read, and how many rows of it have been.
    part: Option<(RowGroupPart, usize)>,
    /// Bytes of the file that no row group has yet.
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
        let mut cells = Cells::default();
        for (cell, place) in cells.iter_mut().zip(self.places) {
            if let Some(place) = place {
                *cell = value(rows.column(place), row);
                if matches!(cell, Cell::Text(text) if text.len() > MAX_ROW_BYTES) {
                    return Err(too_long());
                }
            }
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
        // A footer may tell anything: no byte is counted twice.
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
                    let place = RowLocation {
                        position,
                        stored: 0,
                        name: format!("row {number}"),
                    };
                    batch.push(place, self.fetch(rows, row));
                    self.part = Some((part, row + 1));
                }
                return Ok(true);
            }
            Ok(None) => batch.accounting.record_bytes += bytes,
            Err(message) => batch.lose_rest(
                &Damage {
                    offset: part.offset,
                    length: bytes,
                    kind: DamageKind::Corrupt,
                    message: format!("row group {}: {message}", part.group),
                },
                &format!("rows {} to {}", part.before.saturating_add(1), part.end),
            ),
        }
        self.left -= bytes;
        Ok(true)
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
        super::headers::push(&mut all, name, value.as_bytes().to_vec());
    }
    Cell::Headers(all)
}
