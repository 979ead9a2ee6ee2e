//! A column of lists of preferences: what a crawler may do with the content at one path.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Int32Builder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_schema::{DataType, Field, Fields};

use super::Kind;

/// A list of preferences.
#[derive(Debug)]
pub struct HeldPreferences;

/// What is said of one category of use.
#[derive(Debug, Clone)]
pub struct HeldPreference {
    /// Who defines the category.
    pub vocabulary: &'static str,
    /// The category, lower case.
    pub preference: String,
    /// Whether the use is allowed; none if the line states neither.
    pub allows: Option<bool>,
    /// The line that decides, in the exemplar file of the policy.
    pub line_number: Option<i32>,
}

fn fields() -> Fields {
    Fields::from(vec![
        Field::new("vocabulary", DataType::Utf8, false),
        Field::new("preference", DataType::Utf8, false),
        Field::new("allows", DataType::Boolean, true),
        Field::new("line_number", DataType::Int32, true),
    ])
}

fn element() -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Struct(fields()), false))
}

impl Kind for HeldPreferences {
    type Value<'a> = &'a [HeldPreference];
    type Builder = ListBuilder<StructBuilder>;

    fn data_type() -> DataType {
        DataType::List(element())
    }

    fn builder(rows: usize) -> Self::Builder {
        let columns: Vec<Box<dyn ArrayBuilder>> = vec![
            Box::new(StringBuilder::new()),
            Box::new(StringBuilder::new()),
            Box::new(BooleanBuilder::new()),
            Box::new(Int32Builder::new()),
        ];
        let held = StructBuilder::new(fields(), columns);
        ListBuilder::with_capacity(held, rows).with_field(element())
    }

    fn append(value: &[HeldPreference], builder: &mut Self::Builder) {
        for held in value {
            let row = builder.values();
            column::<StringBuilder>(row, 0).append_value(held.vocabulary);
            column::<StringBuilder>(row, 1).append_value(&held.preference);
            column::<BooleanBuilder>(row, 2).append_option(held.allows);
            column::<Int32Builder>(row, 3).append_option(held.line_number);
            row.append(true);
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

/// A column of a row by its position.
pub(super) fn column<B: ArrayBuilder>(row: &mut StructBuilder, index: usize) -> &mut B {
    row.field_builder(index)
        .expect("the columns of the struct, in their order")
}
