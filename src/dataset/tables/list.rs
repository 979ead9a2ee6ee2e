//! Columns of lists: preferences for a path, and reasons why a policy changes what may be fetched.

use std::marker::PhantomData;

use arrow_array::builder::{ArrayBuilder, BooleanBuilder, Int32Builder, StringBuilder};
use arrow_array::builder::{ListBuilder, StructBuilder};
use arrow_schema::{DataType, Field, Fields};

use super::Kind;
use super::column::element;

pub struct List<S>(PhantomData<S>);

pub trait Struct: 'static {
    fn fields() -> Fields;
    fn append(&self, row: &mut StructBuilder);
}

impl<S: Struct> Kind for List<S> {
    type Value<'a> = &'a [S];
    type Builder = ListBuilder<StructBuilder>;

    fn data_type() -> DataType {
        DataType::List(element(DataType::Struct(S::fields())))
    }

    fn builder() -> Self::Builder {
        let structs = StructBuilder::from_fields(S::fields(), 0);
        ListBuilder::with_capacity(structs, 0).with_field(element(DataType::Struct(S::fields())))
    }

    fn append(value: Option<&[S]>, builder: &mut Self::Builder) {
        for it in value.into_iter().flatten() {
            it.append(builder.values());
            builder.values().append(true);
        }
        builder.append(value.is_some());
    }
}

fn field<B: ArrayBuilder>(row: &mut StructBuilder, index: usize) -> &mut B {
    row.field_builder(index).expect("the field's type")
}

/// The preference for one category of use.
#[derive(Debug, Clone)]
pub struct HeldPreference {
    pub vocabulary: &'static str,
    pub preference: String,
    /// Whether the use is allowed; `None` if the line neither allows nor forbids it.
    pub allows: Option<bool>,
    /// The line that decides, in the exemplar file of the policy.
    pub line_number: Option<i32>,
}

impl Struct for HeldPreference {
    fn fields() -> Fields {
        Fields::from(vec![
            Field::new("vocabulary", DataType::Utf8, false),
            Field::new("preference", DataType::Utf8, false),
            Field::new("allows", DataType::Boolean, true),
            Field::new("line_number", DataType::Int32, true),
        ])
    }

    fn append(&self, row: &mut StructBuilder) {
        field::<StringBuilder>(row, 0).append_value(self.vocabulary);
        field::<StringBuilder>(row, 1).append_value(&self.preference);
        field::<BooleanBuilder>(row, 2).append_option(self.allows);
        field::<Int32Builder>(row, 3).append_option(self.line_number);
    }
}

/// Two rules that decide some paths differently.
#[derive(Debug, Clone)]
pub struct ReasonValue {
    /// What happens to the paths: blocked or opened.
    pub direction: &'static str,
    /// The rules before and after, as in a file; `None` if no rule decides.
    pub rules: [Option<String>; 2],
    /// Their positions among the rules of their policies.
    pub rule_indices: [Option<i32>; 2],
    pub patterns: Vec<String>,
    pub witness: String,
}

impl Struct for ReasonValue {
    fn fields() -> Fields {
        let texts = DataType::List(element(DataType::Utf8));
        Fields::from(vec![
            Field::new("direction", DataType::Utf8, false),
            Field::new("rule_before", DataType::Utf8, true),
            Field::new("rule_after", DataType::Utf8, true),
            Field::new("rule_index_before", DataType::Int32, true),
            Field::new("rule_index_after", DataType::Int32, true),
            Field::new("patterns", texts, false),
            Field::new("witness", DataType::Utf8, false),
        ])
    }

    fn append(&self, row: &mut StructBuilder) {
        field::<StringBuilder>(row, 0).append_value(self.direction);
        for (index, rule) in (1..).zip(&self.rules) {
            field::<StringBuilder>(row, index).append_option(rule.as_ref());
        }
        for (index, number) in (3..).zip(self.rule_indices) {
            field::<Int32Builder>(row, index).append_option(number);
        }
        let patterns = field::<ListBuilder<Box<dyn ArrayBuilder>>>(row, 5);
        let texts = patterns.values().as_any_mut();
        let texts = texts.downcast_mut::<StringBuilder>().expect("texts");
        for pattern in &self.patterns {
            texts.append_value(pattern);
        }
        patterns.append(true);
        field::<StringBuilder>(row, 6).append_value(&self.witness);
    }
}
