//! Column kinds: how a Rust value becomes an Arrow column.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, BooleanBuilder, Date32Builder, Float64Builder, Int32Builder,
    Int64Builder, ListBuilder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, BinaryArray, StringArray};
use arrow_schema::{DataType, Field, TimeUnit};

/// An offset, a length or a count as a BIGINT.
pub fn to_bigint(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A count as an INTEGER; bodies are far too short for more.
pub fn to_int<N: TryInto<i32>>(number: N) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

pub trait Kind {
    type Value<'a>;
    type Builder: ArrayBuilder;
    fn data_type() -> DataType;
    /// A builder, without room for rows: most tables get few rows from a split.
    fn builder() -> Self::Builder;
    fn append(value: Option<Self::Value<'_>>, builder: &mut Self::Builder);
    fn finish(builder: &mut Self::Builder) -> ArrayRef {
        builder.finish()
    }
}

/// The type of a column: a kind of values, or an `Option` of it if there may be nulls.
pub trait ColumnType {
    type Kind: Kind;
    type Value<'a>: Into<Option<<Self::Kind as Kind>::Value<'a>>>;
    const IS_NULLABLE: bool;
}

impl<K: Kind> ColumnType for K {
    type Kind = K;
    type Value<'a> = K::Value<'a>;
    const IS_NULLABLE: bool = false;
}

impl<K: Kind> ColumnType for Option<K> {
    type Kind = K;
    type Value<'a> = Option<K::Value<'a>>;
    const IS_NULLABLE: bool = true;
}

pub struct Values<C: ColumnType>(<C::Kind as Kind>::Builder);

impl<C: ColumnType> Default for Values<C> {
    fn default() -> Self {
        Self(C::Kind::builder())
    }
}

impl<C: ColumnType> Values<C> {
    #[inline]
    pub(super) fn push(&mut self, value: C::Value<'_>) {
        C::Kind::append(value.into(), &mut self.0);
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        C::Kind::finish(&mut self.0)
    }
}

/// Text that we wrote: names, enumerations.
pub struct Str;

/// Text from the web: bytes shown as UTF-8, each malformed sequence as U+FFFD.
pub struct Text;

pub struct Texts;

pub struct Bytes;

/// A point in time: microseconds since 1970-01-01T00:00:00Z.
pub struct Micros;

/// A day of the Gregorian calendar: days since 1970-01-01.
pub struct Day;

macro_rules! kind {
    ($kind:ty: $value:ty, $type:expr, $builder:ident, $new:expr $(, $finish:expr)?) => {
        impl Kind for $kind {
            type Value<'a> = $value;
            type Builder = $builder;
            fn data_type() -> DataType {
                $type
            }
            fn builder() -> $builder {
                $new
            }
            #[inline]
            fn append(value: Option<Self::Value<'_>>, builder: &mut $builder) {
                builder.append_option(value);
            }
            $(
                fn finish(builder: &mut $builder) -> ArrayRef {
                    $finish(&builder.finish())
                }
            )?
        }
    };
}

kind!(i64: i64, DataType::Int64, Int64Builder, Int64Builder::with_capacity(0));
kind!(i32: i32, DataType::Int32, Int32Builder, Int32Builder::with_capacity(0));
kind!(f64: f64, DataType::Float64, Float64Builder, Float64Builder::with_capacity(0));
kind!(bool: bool, DataType::Boolean, BooleanBuilder, BooleanBuilder::with_capacity(0));
kind!(Day: i32, DataType::Date32, Date32Builder, Date32Builder::with_capacity(0));
kind!(
    Micros: i64,
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
    TimestampMicrosecondBuilder,
    TimestampMicrosecondBuilder::with_capacity(0).with_timezone("UTC")
);
kind!(Str: &'a str, DataType::Utf8, StringBuilder, StringBuilder::with_capacity(0, 0));
kind!(Bytes: &'a [u8], DataType::Binary, BinaryBuilder, BinaryBuilder::with_capacity(0, 0));
// Bytes are collected, and become text at the end.
kind!(Text: &'a [u8], DataType::Utf8, BinaryBuilder, BinaryBuilder::with_capacity(0, 0), texts);

/// Bytes as texts. Nearly always, all are UTF-8; checking all at once is quicker.
fn texts(bytes: &BinaryArray) -> ArrayRef {
    let texts = StringArray::try_from_binary(bytes.clone()).unwrap_or_else(|_| {
        bytes
            .iter()
            .map(|bytes| bytes.map(String::from_utf8_lossy))
            .collect()
    });
    Arc::new(texts)
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
    fn builder() -> Self::Builder {
        ListBuilder::with_capacity(StringBuilder::with_capacity(0, 0), 0)
            .with_field(element(DataType::Utf8))
    }
    fn append(value: Option<&[&[u8]]>, builder: &mut Self::Builder) {
        for text in value.into_iter().flatten() {
            let text = String::from_utf8_lossy(text);
            builder.values().append_value(text);
        }
        builder.append(value.is_some());
    }
}
