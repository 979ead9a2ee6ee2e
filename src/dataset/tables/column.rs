//! Column kinds: how a Rust value becomes an Arrow column.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, ListBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Float64Array, Int32Array, Int64Array,
    StringArray, TimestampMicrosecondArray,
};
use arrow_schema::{DataType, Field, TimeUnit};

/// An offset, a length or a count as a BIGINT.
pub fn to_bigint(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A kind of column.
pub trait Kind {
    /// What a row holds.
    type Value<'a>;
    /// Collects the column's values.
    type Builder: Send;
    /// Whether the column may hold nulls.
    const IS_NULLABLE: bool = false;
    /// The column's Arrow type.
    fn data_type() -> DataType;
    /// A builder with room for `rows` rows; it grows as needed.
    fn builder(rows: usize) -> Self::Builder;
    /// Appends a value.
    fn append(value: Self::Value<'_>, builder: &mut Self::Builder);
    /// Appends a null; called for nullable columns only.
    fn append_null(builder: &mut Self::Builder);
    /// Takes the values collected so far.
    fn finish(builder: &mut Self::Builder) -> ArrayRef;
}

/// Text that we wrote: names, enumerations.
#[derive(Debug)]
pub struct Str;

/// Text from the web: bytes shown as UTF-8, each malformed sequence as U+FFFD.
#[derive(Debug)]
pub struct Text;

/// A list of [`Text`].
#[derive(Debug)]
pub struct Texts;

/// Bytes as they are.
#[derive(Debug)]
pub struct Bytes;

/// A point in time: microseconds since 1970-01-01T00:00:00Z.
#[derive(Debug)]
pub struct Micros;

/// A day of the Gregorian calendar: days since 1970-01-01.
#[derive(Debug)]
pub struct Day;

/// Bytes of a text for which room is made beforehand.
const USUAL_BYTES: usize = 16;

macro_rules! bytes {
    ($kind:ty, $value:ty, $builder:ident, $data_type:expr) => {
        impl Kind for $kind {
            type Value<'a> = &'a $value;
            type Builder = $builder;
            fn data_type() -> DataType {
                $data_type
            }
            fn builder(rows: usize) -> $builder {
                $builder::with_capacity(rows, rows * USUAL_BYTES)
            }
            #[inline]
            fn append(value: &$value, builder: &mut $builder) {
                builder.append_value(value);
            }
            fn append_null(builder: &mut $builder) {
                builder.append_null();
            }
            fn finish(builder: &mut $builder) -> ArrayRef {
                Arc::new(builder.finish())
            }
        }
    };
}

bytes!(Str, str, StringBuilder, DataType::Utf8);
bytes!(Bytes, [u8], BinaryBuilder, DataType::Binary);

/// A builder of columns of values of one width. Rows that are null are noted aside, so that a value
/// takes no more than its own place; booleans are bytes until the end, when they are packed.
#[derive(Debug)]
pub struct ValuesBuilder<T> {
    values: Vec<T>,
    null_rows: Vec<usize>,
}

impl<T: Default> ValuesBuilder<T> {
    fn with_capacity(rows: usize) -> Self {
        Self {
            values: Vec::with_capacity(rows),
            null_rows: Vec::new(),
        }
    }

    fn append_null(&mut self) {
        self.null_rows.push(self.values.len());
        self.values.push(T::default());
    }

    /// Takes the values, with what says of each row whether it has one; none where all have.
    fn finish(&mut self) -> (Vec<T>, Option<Vec<bool>>) {
        let values = std::mem::take(&mut self.values);
        let null_rows = std::mem::take(&mut self.null_rows);
        let has_value = (!null_rows.is_empty()).then(|| {
            let mut has_value = vec![true; values.len()];
            for row in null_rows {
                has_value[row] = false;
            }
            has_value
        });
        (values, has_value)
    }
}

macro_rules! values {
    ($kind:ty, $value:ty, $array:ident, $data_type:expr, |$it:ident| $finished:expr) => {
        impl Kind for $kind {
            type Value<'a> = $value;
            type Builder = ValuesBuilder<$value>;
            fn data_type() -> DataType {
                $data_type
            }
            fn builder(rows: usize) -> Self::Builder {
                ValuesBuilder::with_capacity(rows)
            }
            #[inline]
            fn append(value: $value, builder: &mut Self::Builder) {
                builder.values.push(value);
            }
            fn append_null(builder: &mut Self::Builder) {
                builder.append_null();
            }
            fn finish(builder: &mut Self::Builder) -> ArrayRef {
                let (values, has_value) = builder.finish();
                let $it = $array::new(values.into(), has_value.map(Into::into));
                Arc::new($finished)
            }
        }
    };
}

values!(i64, i64, Int64Array, DataType::Int64, |array| array);
values!(i32, i32, Int32Array, DataType::Int32, |array| array);
values!(f64, f64, Float64Array, DataType::Float64, |array| array);
values!(bool, bool, BooleanArray, DataType::Boolean, |array| array);
values!(Day, i32, Date32Array, DataType::Date32, |array| array);
values!(
    Micros,
    i64,
    TimestampMicrosecondArray,
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
    |array| array.with_timezone("UTC")
);

impl Kind for Text {
    type Value<'a> = &'a [u8];
    // Bytes are collected, and seen to be text at the end.
    type Builder = BinaryBuilder;
    fn data_type() -> DataType {
        DataType::Utf8
    }
    fn builder(rows: usize) -> BinaryBuilder {
        Bytes::builder(rows)
    }
    #[inline]
    fn append(value: &[u8], builder: &mut BinaryBuilder) {
        Bytes::append(value, builder);
    }
    fn append_null(builder: &mut BinaryBuilder) {
        Bytes::append_null(builder);
    }
    fn finish(builder: &mut BinaryBuilder) -> ArrayRef {
        Arc::new(texts(&builder.finish()))
    }
}

/// Bytes as texts. Nearly always all are UTF-8, and checking all at once is quicker than one by
/// one.
fn texts(bytes: &BinaryArray) -> StringArray {
    StringArray::try_from_binary(bytes.clone()).unwrap_or_else(|_| {
        bytes
            .iter()
            .map(|bytes| bytes.map(String::from_utf8_lossy))
            .collect()
    })
}

/// The field of a list's elements, named as Parquet's list convention names it.
pub(super) fn element(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", data_type, false))
}

impl Kind for Texts {
    type Value<'a> = &'a [&'a [u8]];
    type Builder = ListBuilder<StringBuilder>;
    fn data_type() -> DataType {
        DataType::List(element(DataType::Utf8))
    }
    fn builder(rows: usize) -> Self::Builder {
        let texts = StringBuilder::with_capacity(rows, rows * USUAL_BYTES);
        ListBuilder::with_capacity(texts, rows).with_field(element(DataType::Utf8))
    }
    fn append(value: &[&[u8]], builder: &mut Self::Builder) {
        for text in value {
            let text = String::from_utf8_lossy(text);
            builder.values().append_value(text);
        }
        builder.append(true);
    }
    fn append_null(builder: &mut Self::Builder) {
        builder.append(false);
    }
    fn finish(builder: &mut Self::Builder) -> ArrayRef {
        Arc::new(builder.finish())
    }
}

impl<K: Kind> Kind for Option<K> {
    type Value<'a> = Option<K::Value<'a>>;
    type Builder = K::Builder;
    const IS_NULLABLE: bool = true;
    fn data_type() -> DataType {
        K::data_type()
    }
    fn builder(rows: usize) -> K::Builder {
        K::builder(rows)
    }
    #[inline]
    fn append(value: Option<K::Value<'_>>, builder: &mut K::Builder) {
        match value {
            Some(value) => K::append(value, builder),
            None => K::append_null(builder),
        }
    }
    fn append_null(builder: &mut K::Builder) {
        K::append_null(builder);
    }
    fn finish(builder: &mut K::Builder) -> ArrayRef {
        K::finish(builder)
    }
}
