//! Rows taken out of batches: some of one, some of several, and columns put one after the other.
//!
//! The crate `arrow-select` does this too, for every type that Arrow has; compiled for speed, it
//! took a tenth of a release build. `parquet` needs it, but not for our tables, and gets it
//! unoptimised (Cargo.toml). This module has the functions that an ingest uses.

use std::sync::Arc;

use arrow_array::builder::{GenericByteBuilder, PrimitiveBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::types::{BinaryType, ByteArrayType, Utf8Type};
use arrow_array::{Array, ArrayRef, RecordBatch, downcast_primitive, make_array};
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType};

/// Rows that follow each other: the number of their batch, the first, and the one after the last.
type Run = (usize, usize, usize);

/// The rows of `batch` for which `keep`, as long as the batch, is true.
pub(crate) fn filter(batch: &RecordBatch, keep: &[bool]) -> RecordBatch {
    debug_assert_eq!(keep.len(), batch.num_rows());
    let n_kept = keep.iter().filter(|is_kept| **is_kept).count();
    if n_kept == batch.num_rows() {
        return batch.clone();
    }
    let mut runs = Vec::new();
    let mut start = 0;
    for run in keep.chunk_by(|one, next| one == next) {
        let end = start + run.len();
        if run[0] {
            runs.push((0, start, end));
        }
        start = end;
    }
    copy(&[batch], &runs)
}

/// The rows at `places`, each a batch and a row of it, from `batches`, which are at least one and
/// of one schema.
pub(crate) fn gather(batches: &[&RecordBatch], places: &[(usize, usize)]) -> RecordBatch {
    let follows = |one: &(usize, usize), next: &(usize, usize)| *next == (one.0, one.1 + 1);
    let run = |run: &[(usize, usize)]| (run[0].0, run[0].1, run[0].1 + run.len());
    let runs: Vec<Run> = places.chunk_by(follows).map(run).collect();
    copy(batches, &runs)
}

/// The rows of `runs`.
fn copy(batches: &[&RecordBatch], runs: &[Run]) -> RecordBatch {
    let n_rows = runs.iter().map(|(_, start, end)| end - start).sum();
    let columns = (0..batches[0].num_columns()).map(|index| {
        let column = |batch: &&RecordBatch| batch.column(index).to_data();
        let data: Vec<ArrayData> = batches.iter().map(column).collect();
        let mut all = MutableArrayData::new(data.iter().collect(), false, n_rows);
        for &(batch, start, end) in runs {
            all.try_extend(batch, start, end)
                .expect("no more than there was");
        }
        make_array(all.freeze())
    });
    RecordBatch::try_new(batches[0].schema(), columns.collect())
        .expect("columns of the schema, equally long")
}

/// The values of `arrays`, which are of one type and at least one, in one array.
///
/// # Errors
///
/// [`ArrowError`] where their texts have 2 GiB or more.
pub(crate) fn concat(arrays: &[&dyn Array]) -> Result<ArrayRef, ArrowError> {
    if let [one] = arrays {
        return Ok(one.slice(0, one.len()));
    }
    let n_values = arrays.iter().map(|array| array.len()).sum();
    macro_rules! primitive {
        ($of:ty) => {{
            let mut all = PrimitiveBuilder::<$of>::with_capacity(n_values)
                .with_data_type(arrays[0].data_type().clone());
            for array in arrays {
                all.append_array(array.as_primitive());
            }
            Arc::new(all.finish())
        }};
    }
    Ok(downcast_primitive! {
        arrays[0].data_type() => (primitive),
        DataType::Utf8 => concat_bytes::<Utf8Type>(arrays, n_values)?,
        DataType::Binary => concat_bytes::<BinaryType>(arrays, n_values)?,
        _ => {
            let data: Vec<ArrayData> = arrays.iter().map(|array| array.to_data()).collect();
            let mut all = MutableArrayData::new(data.iter().collect(), false, n_values);
            for (index, data) in data.iter().enumerate() {
                all.try_extend(index, 0, data.len())?;
            }
            make_array(all.freeze())
        }
    })
}

fn concat_bytes<T: ByteArrayType<Offset = i32>>(
    arrays: &[&dyn Array],
    n_values: usize,
) -> Result<ArrayRef, ArrowError> {
    let n_bytes = |array: &&dyn Array| match array.as_bytes::<T>().value_offsets() {
        [first, .., last] => usize::try_from(last - first).unwrap_or_default(),
        _ => 0,
    };
    let n_bytes = arrays.iter().map(n_bytes).sum();
    let mut all = GenericByteBuilder::<T>::with_capacity(n_values, n_bytes);
    for array in arrays {
        all.append_array(array.as_bytes())?;
    }
    Ok(Arc::new(all.finish()))
}

#[cfg(test)]
mod tests {
    use arrow_array::builder::{ListBuilder, StringBuilder};
    use arrow_array::{BooleanArray, Int64Array, StringArray, TimestampMicrosecondArray};
    use arrow_schema::{Field, Schema};
    use arrow_select::{
        concat::concat as concat_of_arrow, filter::filter_record_batch,
        interleave::interleave_record_batch,
    };
    use proptest::prelude::*;

    use super::*;

    /// Rows of every kind of column that our tables have, with nulls.
    fn batch(values: &[Option<i64>]) -> RecordBatch {
        let text = |value: &Option<i64>| value.map(|value| format!("é{value}"));
        let mut lists = ListBuilder::new(StringBuilder::new());
        for value in values {
            for item in 0..value.unwrap_or_default() % 3 {
                lists.values().append_value(item.to_string());
            }
            lists.append(value.is_some());
        }
        let times = TimestampMicrosecondArray::from(values.to_vec()).with_timezone("UTC");
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from(values.to_vec())),
            Arc::new(times),
            Arc::new(values.iter().map(text).collect::<StringArray>()),
            Arc::new(
                values
                    .iter()
                    .map(|value| value.map(|value| value % 2 == 0))
                    .collect::<BooleanArray>(),
            ),
            Arc::new(lists.finish()),
        ];
        let field = |(index, column): (usize, &ArrayRef)| {
            Field::new(index.to_string(), column.data_type().clone(), true)
        };
        let fields: Vec<Field> = columns.iter().enumerate().map(field).collect();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).expect("a batch")
    }

    proptest! {
        #[test]
        fn rows_are_those_that_arrow_select_takes(
            values in prop::collection::vec(prop::option::of(0_i64..40), 1..60),
            keep in prop::collection::vec(any::<bool>(), 60),
            cut in 0_usize..60,
            places in prop::collection::vec((0_usize..2, any::<prop::sample::Index>()), 0..80),
        ) {
            let whole = batch(&values);
            let keep = &keep[..whole.num_rows()];
            let of_arrow = filter_record_batch(&whole, &BooleanArray::from(keep.to_vec()));
            prop_assert_eq!(filter(&whole, keep), of_arrow.expect("rows"));

            // Slices, whose values begin within their buffers.
            let cut = cut % whole.num_rows();
            let parts = [whole.slice(0, cut), whole.slice(cut, whole.num_rows() - cut)];
            for index in 0..whole.num_columns() {
                let columns: Vec<&dyn Array> =
                    parts.iter().map(|part| part.column(index).as_ref()).collect();
                let of_arrow = concat_of_arrow(&columns).expect("a column");
                prop_assert_eq!(&concat(&columns).expect("a column"), &of_arrow);
            }
            let places: Vec<(usize, usize)> = places
                .iter()
                .filter(|(part, _)| parts[*part].num_rows() > 0)
                .map(|(part, row)| (*part, row.index(parts[*part].num_rows())))
                .collect();
            let parts: Vec<&RecordBatch> = parts.iter().collect();
            let of_arrow = interleave_record_batch(&parts, &places).expect("rows");
            prop_assert_eq!(gather(&parts, &places), of_arrow);
        }
    }
}
