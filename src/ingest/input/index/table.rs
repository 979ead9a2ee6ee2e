//! Indexes in Parquet: Common Crawl's columnar index, and tables that were made from it.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::Array;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Decimal128Type, Float32Type, Float64Type};
use arrow_schema::{DataType, FieldRef};
use warc_recovery::input::Input;

use super::rows::{Index, Row};
use crate::ingest::corpus::{ParquetFile, integer};

/// Names of the columns: archive, offset, length, URL.
const NAMES: [&[&str]; 4] = [
    &["warc_filename", "filename"],
    &["warc_record_offset", "offset"],
    &["warc_record_length", "length"],
    &["url"],
];

pub(super) fn read(input: &Arc<Input>, index: &mut Index) -> Result<(), String> {
    let table = ParquetFile::open(input)?;
    let found = NAMES.map(|names| names.iter().find_map(|name| table.fields().find(name)));
    let [Some(_), Some((_, offset)), Some((_, length)), _] = found else {
        return Err(
            "a table without the columns warc_filename, warc_record_offset and warc_record_length"
                .to_owned(),
        );
    };
    for field in [offset, length] {
        let (name, kind) = (field.name(), field.data_type());
        if !is_number(kind) {
            return Err(format!(
                "the column {name} has the type {kind}, which is not a number of bytes; write \
                 {name}::BIGINT AS {name} where the table is made"
            ));
        }
    }
    let mut wanted: Vec<usize> = found.iter().flatten().map(|(place, _)| *place).collect();
    wanted.sort_unstable();
    table.check_compression(&wanted)?;
    let mut parts = table.rows(wanted);
    while let Some(part) = parts.next() {
        match part.rows {
            Ok(Some(rows)) => {
                let column = |(_, field): (usize, &FieldRef)| rows.column_by_name(field.name());
                let columns = found.map(|it| it.and_then(column));
                for row in 0..rows.num_rows() {
                    let values = columns.map(|it| it.and_then(|it| value(it, row)));
                    let [file, offset, length, url] = values;
                    let named = Row {
                        file,
                        offset,
                        length,
                        url,
                    };
                    if let Err(message) = index.add(&named) {
                        let number = part.before.saturating_add(row as u64 + 1);
                        index.lose(part.offset, 0, &format!("row {number}"), &message);
                    }
                }
            }
            Ok(None) => {}
            Err(message) => {
                let first = part.before.saturating_add(1);
                let place = format!("row group {}, rows {first} to {}", part.group, part.end);
                index.lose(part.offset, part.bytes, &place, &message);
            }
        }
    }
    Ok(())
}

/// Whether offsets and lengths can be read from a column of this type.
fn is_number(kind: &DataType) -> bool {
    kind.is_integer()
        || matches!(
            kind,
            DataType::Float32
                | DataType::Float64
                | DataType::Decimal128(..)
                | DataType::Utf8View
                | DataType::BinaryView
        )
}

/// A value as text. A column of fractions may hold whole numbers: pandas converts a column as soon
/// as a value is missing.
fn value(array: &dyn Array, row: usize) -> Option<Cow<'_, str>> {
    let fraction = match array.data_type() {
        _ if array.is_null(row) => return None,
        DataType::Utf8View => return Some(Cow::Borrowed(array.as_string_view().value(row))),
        DataType::BinaryView => {
            return Some(String::from_utf8_lossy(array.as_binary_view().value(row)));
        }
        DataType::Decimal128(..) => {
            let numbers = array.as_primitive::<Decimal128Type>();
            return Some(Cow::Owned(numbers.value_as_string(row)));
        }
        DataType::Float32 => array.as_primitive::<Float32Type>().value(row).into(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row),
        _ => return integer(array, row).map(|number| Cow::Owned(number.to_string())),
    };
    (!f64::is_nan(fraction)).then(|| Cow::Owned(fraction.to_string()))
}
