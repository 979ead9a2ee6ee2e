//! Indexes in Parquet: Common Crawl's columnar index, and tables that were made from it.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Decimal128Type, Float32Type, Float64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use warc_recovery::input::Input;

use super::records::{Index, UnusableRows};
use super::row::{Number, Row};
use crate::ingest::corpus::{ParquetFile, integer};

/// Names of the columns: archive, offset, length, URL.
const NAMES: [&[&str]; 4] = [
    &["warc_filename", "filename"],
    &["warc_record_offset", "offset"],
    &["warc_record_length", "length"],
    &["url"],
];
const ROWS: usize = 1024;

/// Reads the rows of the table in `input`, or returns why it is not an index.
pub(super) fn read(
    input: &Arc<Input>,
    index: &mut Index,
    lost: &mut UnusableRows,
) -> Result<(), String> {
    let file = ParquetFile::open(input)?;
    let fields = file.fields();
    let find = |names: &[&str]| {
        let find = |name: &&str| fields.iter().position(|field| field.name() == *name);
        names.iter().find_map(find)
    };
    let found = NAMES.map(find);
    let [Some(_), Some(_), Some(_), _] = found else {
        return Err(
            "a table without the columns warc_filename, warc_record_offset and warc_record_length"
                .to_owned(),
        );
    };
    for place in [found[1], found[2]].into_iter().flatten() {
        let field = &fields[place];
        if !is_number(field.data_type()) {
            let (name, kind) = (field.name(), field.data_type());
            return Err(format!(
                "the column {name} has the type {kind}, which is not a number of bytes; write \
                 {name}::BIGINT AS {name} where the table is made"
            ));
        }
    }
    let mut wanted: Vec<usize> = found.into_iter().flatten().collect();
    wanted.sort_unstable();
    wanted.dedup();
    let places = found.map(|it| it.and_then(|it| wanted.iter().position(|other| *other == it)));
    let mut before = 0_u64;
    for group in 0..file.row_group_count() {
        let (offset, bytes, rows) = file.row_group(group);
        let mut read = 0_u64;
        let mut take = || -> Result<(), String> {
            for batch in file.rows(group, &wanted, ROWS)? {
                let batch = batch.map_err(|error| error.to_string())?;
                for row in 0..batch.num_rows() {
                    read += 1;
                    if let Err(message) = index.add(&row_of(&batch, places, row)) {
                        let place = format!("row {}", before.saturating_add(read));
                        lost.push(offset, 0, &place, &message);
                    }
                }
            }
            Ok(())
        };
        let result = catch_unwind(AssertUnwindSafe(&mut take));
        let result = result.unwrap_or_else(|_| Err("it does not decode".to_owned()));
        let result = match result {
            Ok(()) if read != rows => Err("it has fewer rows than the footer says".to_owned()),
            result => result,
        };
        if let Err(message) = result {
            let (from, to) = (before.saturating_add(read + 1), before.saturating_add(rows));
            let place = format!("row group {group}, rows {from} to {to}");
            lost.push(offset, bytes, &place, &message);
        }
        before = before.saturating_add(rows);
    }
    Ok(())
}

fn row_of(batch: &RecordBatch, places: [Option<usize>; 4], row: usize) -> Row<'_> {
    let column = |which: usize| places[which].map(|place| batch.column(place).as_ref());
    let text = |which| column(which).and_then(|it| text(it, row));
    let number = |which| column(which).map_or(Number::Missing, |it| number(it, row));
    Row {
        file: text(0),
        offset: number(1),
        length: number(2),
        url: text(3),
    }
}

fn text(array: &dyn Array, row: usize) -> Option<Cow<'_, str>> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Utf8View => Some(Cow::Borrowed(array.as_string_view().value(row))),
        DataType::BinaryView => Some(String::from_utf8_lossy(array.as_binary_view().value(row))),
        _ => None,
    }
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

/// A number that a column of fractions has: pandas makes one of whole numbers as soon as one of
/// them is missing.
fn whole(number: f64) -> Number<'static> {
    if number.is_nan() {
        Number::Missing
    } else {
        Number::Text(Cow::Owned(number.to_string()))
    }
}

fn number(array: &dyn Array, row: usize) -> Number<'_> {
    if array.is_null(row) {
        return Number::Missing;
    }
    match array.data_type() {
        DataType::Float32 => whole(array.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => whole(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal128(..) => {
            let numbers = array.as_primitive::<Decimal128Type>();
            Number::Text(Cow::Owned(numbers.value_as_string(row)))
        }
        _ => match integer(array, row) {
            Some(number) => Number::Integer(number),
            None => text(array, row).map_or(Number::Missing, Number::Text),
        },
    }
}
