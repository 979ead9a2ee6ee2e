//! Column kinds: how a Rust value becomes an Arrow column.

use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Date32Builder, Float64Builder, Int32Builder, Int64Builder,
    ListBuilder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, BinaryArray, StringArray};
use arrow_schema::{DataType, Field, TimeUnit};

/// An offset, a length or a count as a BIGINT.
#[must_use]
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

macro_rules! kind {
    ($kind:ty, |$lifetime:lifetime| $value:ty, $builder:ident($($bytes:expr)?), $data_type:expr, |$it:ident| $append:expr) => {
        impl Kind for $kind {
            type Value<$lifetime> = $value;
            type Builder = $builder;
            fn data_type() -> DataType {
                $data_type
            }
            fn builder(rows: usize) -> $builder {
                $builder::with_capacity(rows $(, rows * $bytes)?)
            }
            #[inline]
            fn append<$lifetime>($it: $value, builder: &mut $builder) {
                builder.append_value($append);
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

kind!(i64, |'a| i64, Int64Builder(), DataType::Int64, |value| value);
kind!(i32, |'a| i32, Int32Builder(), DataType::Int32, |value| value);
kind!(f64, |'a| f64, Float64Builder(), DataType::Float64, |value| value);
kind!(bool, |'a| bool, BooleanBuilder(), DataType::Boolean, |value| value);
kind!(Str, |'a| &'a str, StringBuilder(USUAL_BYTES), DataType::Utf8, |value| value);
kind!(Day, |'a| i32, Date32Builder(), DataType::Date32, |value| value);
kind!(Bytes, |'a| &'a [u8], BinaryBuilder(USUAL_BYTES), DataType::Binary, |value| value);

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

/// Bytes as texts. Nearly always all are UTF-8, and to see that of all at once is quicker than of
/// each.
fn texts(bytes: &BinaryArray) -> StringArray {
    StringArray::try_from_binary(bytes.clone()).unwrap_or_else(|_| {
        bytes
            .iter()
            .map(|bytes| bytes.map(String::from_utf8_lossy))
            .collect()
    })
}

/// A builder of [`Micros`] columns, in UTC.
#[derive(Debug)]
pub struct MicrosBuilder(TimestampMicrosecondBuilder);

impl Kind for Micros {
    type Value<'a> = i64;
    type Builder = MicrosBuilder;
    fn data_type() -> DataType {
        DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
    }
    fn builder(rows: usize) -> MicrosBuilder {
        MicrosBuilder(TimestampMicrosecondBuilder::with_capacity(rows).with_timezone("UTC"))
    }
    fn append(value: i64, builder: &mut MicrosBuilder) {
        builder.0.append_value(value);
    }
    fn append_null(builder: &mut MicrosBuilder) {
        builder.0.append_null();
    }
    fn finish(builder: &mut MicrosBuilder) -> ArrayRef {
        Arc::new(builder.0.finish())
    }
}

/// A builder of [`Texts`] columns.
#[derive(Debug)]
pub struct TextsBuilder(ListBuilder<StringBuilder>);

/// The field of a list's elements, named as Parquet's list convention names it.
fn element() -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Utf8, false))
}

impl Kind for Texts {
    type Value<'a> = &'a [&'a [u8]];
    type Builder = TextsBuilder;
    fn data_type() -> DataType {
        DataType::List(element())
    }
    fn builder(rows: usize) -> TextsBuilder {
        let texts = StringBuilder::with_capacity(rows, rows * USUAL_BYTES);
        TextsBuilder(ListBuilder::with_capacity(texts, rows).with_field(element()))
    }
    fn append(value: &[&[u8]], builder: &mut TextsBuilder) {
        for text in value {
            builder
                .0
                .values()
                .append_value(String::from_utf8_lossy(text));
        }
        builder.0.append(true);
    }
    fn append_null(builder: &mut TextsBuilder) {
        builder.0.append(false);
    }
    fn finish(builder: &mut TextsBuilder) -> ArrayRef {
        Arc::new(builder.0.finish())
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
