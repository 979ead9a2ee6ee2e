//! Rows of the tables as JSON objects, so that `inspect` says what an ingest would write.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use serde_json::{Map, Value};

/// A row: column names and values.
pub(super) type Row = Map<String, Value>;

/// The rows of `batch`. Points in time are left out: callers have them as recorded.
pub(super) fn rows(batch: &RecordBatch) -> Vec<Row> {
    let schema = batch.schema();
    let columns = || schema.fields().iter().zip(batch.columns());
    let row = |index| {
        columns()
            .filter_map(|(field, column)| {
                Some((field.name().clone(), value(column.as_ref(), index)?))
            })
            .collect()
    };
    (0..batch.num_rows()).map(row).collect()
}

fn value(column: &dyn Array, index: usize) -> Option<Value> {
    let is_null = column.is_null(index);
    let value = match column.data_type() {
        DataType::Timestamp(..) => return None,
        _ if is_null => Value::Null,
        DataType::Int64 => column.as_primitive::<Int64Type>().value(index).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(index).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(index).into(),
        DataType::Boolean => column.as_boolean().value(index).into(),
        DataType::Utf8 => column.as_string::<i32>().value(index).into(),
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(index);
            (0..list.len())
                .filter_map(|item| value(list.as_ref(), item))
                .collect()
        }
        // Bodies, which are shown line by line.
        _ => return None,
    };
    Some(value)
}
