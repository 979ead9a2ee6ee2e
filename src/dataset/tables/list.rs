//! Columns of lists of structs: what is said of a path, and why a policy changes what may be
//! fetched.

use std::marker::PhantomData;

use arrow_array::builder::{ArrayBuilder, BooleanBuilder, Int32Builder, StringBuilder};
use arrow_array::builder::{ListBuilder, StructBuilder};
use arrow_schema::{DataType, Field, Fields};

use super::Kind;
use super::column::element;

/// A list of structs.
#[derive(Debug)]
pub struct List<S>(PhantomData<S>);

/// A struct in a list.
pub trait Struct: 'static {
    /// Its fields.
    fn fields() -> Fields;
    /// Appends its values.
    fn append(&self, row: &mut Row<'_>);
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

    fn append(value: &[S], builder: &mut Self::Builder) {
        for it in value {
            let row = builder.values();
            it.append(&mut Row { row, next: 0 });
            row.append(true);
        }
        builder.append(true);
    }

    fn append_null(builder: &mut Self::Builder) {
        builder.append(false);
    }
}

/// A row of a struct, whose fields are appended in their order.
#[derive(Debug)]
pub struct Row<'b> {
    row: &'b mut StructBuilder,
    next: usize,
}

impl Row<'_> {
    fn next<B: ArrayBuilder>(&mut self) -> &mut B {
        self.next += 1;
        let field = self.row.field_builder(self.next - 1);
        field.expect("the fields of the struct, in their order")
    }

    fn text(&mut self, text: Option<&str>) {
        self.next::<StringBuilder>().append_option(text);
    }

    fn number(&mut self, number: Option<i32>) {
        self.next::<Int32Builder>().append_option(number);
    }

    fn texts(&mut self, texts: &[String]) {
        let list = self.next::<ListBuilder<Box<dyn ArrayBuilder>>>();
        let values = list.values().as_any_mut().downcast_mut::<StringBuilder>();
        let values = values.expect("a list of texts");
        for text in texts {
            values.append_value(text);
        }
        list.append(true);
    }
}

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

impl Struct for HeldPreference {
    fn fields() -> Fields {
        Fields::from(vec![
            Field::new("vocabulary", DataType::Utf8, false),
            Field::new("preference", DataType::Utf8, false),
            Field::new("allows", DataType::Boolean, true),
            Field::new("line_number", DataType::Int32, true),
        ])
    }

    fn append(&self, row: &mut Row<'_>) {
        row.text(Some(self.vocabulary));
        row.text(Some(&self.preference));
        row.next::<BooleanBuilder>().append_option(self.allows);
        row.number(self.line_number);
    }
}

/// Two rules that decide some paths differently.
#[derive(Debug, Clone)]
pub struct ReasonValue {
    /// What happens to the paths: blocked or opened.
    pub direction: &'static str,
    /// The rules before and after, as in a file; none if no rule decides.
    pub rules: [Option<String>; 2],
    /// Their positions among the rules of their policies.
    pub rule_indices: [Option<i32>; 2],
    /// Patterns that match all these paths.
    pub patterns: Vec<String>,
    /// One of the paths.
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

    fn append(&self, row: &mut Row<'_>) {
        row.text(Some(self.direction));
        for rule in &self.rules {
            row.text(rule.as_deref());
        }
        for index in self.rule_indices {
            row.number(index);
        }
        row.texts(&self.patterns);
        row.text(Some(&self.witness));
    }
}
