//! Rows of the tables as JSON objects, so that `inspect` shows what an ingest would write, and the
//! object that `inspect --json` prints.
//!
//! Names and values are the same as in the tables. `capture` has the columns of `captures`,
//! `counts` the counts of `files`; the other columns of `files` are at the top level.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use serde_json::{Map, Value, json};

use super::exchange::Exchange;
use super::parsed::{ParsedFile, ReadLine};

/// The object. The fields about a file are left out if a capture has none.
pub(super) fn object(
    name: &str,
    exchange: Option<&Exchange<'_>>,
    parsed: Option<&ParsedFile<'_>>,
) -> Value {
    let mut object = json!({ "source": name });
    if let Some(exchange) = exchange {
        object["capture"] = exchange.row.clone().into();
        let named = |(name, value): (String, String)| json!({ "name": name, "value": value });
        object["warc_fields"] = exchange.warc_fields().map(named).collect();
        object["http_headers"] = exchange.http_headers().map(named).collect();
    }
    if let Some(parsed) = parsed {
        for (column, value) in &parsed.file {
            if column.starts_with("n_") {
                object["counts"][column] = value.clone();
            } else {
                object[column] = value.clone();
            }
        }
        object["content_length"] = parsed.content_length.into();
        object["groups"] = json!(parsed.rows.groups);
        object["agents"] = json!(parsed.rows.agents);
        object["directives"] = json!(parsed.rows.directives);
        object["preferences"] = json!(parsed.rows.preferences);
        object["effective_preferences"] = json!(parsed.rows.effective_preferences);
        object["sitemaps"] = json!(parsed.rows.sitemaps);
        object["lines"] = parsed.lines.iter().map(line).collect();
    }
    object
}

fn line(read: &ReadLine<'_>) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let line = &read.line;
    let is_directive = !matches!(read.kind, "nothing" | "comment" | "blank");
    let remarks: Vec<&str> = read.remarks.iter().map(|kind| kind.name()).collect();
    json!({
        "number": line.number,
        "kind": read.kind,
        "key": is_directive.then(|| text(line.key)),
        "value": is_directive.then(|| text(line.value)),
        "text": text(line.text),
        "group": read.group,
        "path": read.path.as_deref().map(text),
        "is_dead": read.is_dead,
        "remarks": remarks,
        "typo": read.is_typo,
        "missing_colon": is_directive && line.is_missing_colon,
        "too_long": line.is_too_long,
    })
}

pub(super) type Row = Map<String, Value>;

/// The rows of `batch`. Points in time are left out: callers have them as recorded.
pub(super) fn rows(batch: &RecordBatch) -> Vec<Row> {
    let schema = batch.schema();
    let columns = || schema.fields().iter().zip(batch.columns());
    let row = |index| {
        columns()
            .filter_map(|(field, column)| Some((field.name().clone(), value(column, index)?)))
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
