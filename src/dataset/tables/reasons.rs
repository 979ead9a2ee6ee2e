//! A column of lists of reasons: why a change of policy changes what a crawler may fetch.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{ArrayBuilder, Int32Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow_schema::{DataType, Field, Fields};

use super::Kind;
use super::held_preferences::column;

/// A list of reasons.
#[derive(Debug)]
pub struct Reasons;

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

fn element(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", data_type, false))
}

fn fields() -> Fields {
    let needed = |name: &str| Field::new(name, DataType::Utf8, false);
    let index = |name: &str| Field::new(name, DataType::Int32, true);
    Fields::from(vec![
        needed("direction"),
        Field::new("rule_before", DataType::Utf8, true),
        Field::new("rule_after", DataType::Utf8, true),
        index("rule_index_before"),
        index("rule_index_after"),
        Field::new("patterns", DataType::List(element(DataType::Utf8)), false),
        needed("witness"),
    ])
}

impl Kind for Reasons {
    type Value<'a> = &'a [ReasonValue];
    type Builder = ListBuilder<StructBuilder>;

    fn data_type() -> DataType {
        DataType::List(element(DataType::Struct(fields())))
    }

    fn builder(rows: usize) -> Self::Builder {
        let text = || Box::new(StringBuilder::new()) as Box<dyn ArrayBuilder>;
        let number = || Box::new(Int32Builder::new()) as Box<dyn ArrayBuilder>;
        let patterns = ListBuilder::new(StringBuilder::new()).with_field(element(DataType::Utf8));
        let columns = vec![
            text(),
            text(),
            text(),
            number(),
            number(),
            Box::new(patterns),
            text(),
        ];
        let reasons = StructBuilder::new(fields(), columns);
        ListBuilder::with_capacity(reasons, rows).with_field(element(DataType::Struct(fields())))
    }

    fn append(value: &[ReasonValue], builder: &mut Self::Builder) {
        for reason in value {
            let row = builder.values();
            let texts = [
                (0, Some(reason.direction)),
                (1, reason.rules[0].as_deref()),
                (2, reason.rules[1].as_deref()),
                (6, Some(reason.witness.as_str())),
            ];
            for (index, text) in texts {
                column::<StringBuilder>(row, index).append_option(text);
            }
            for (index, number) in [(3, reason.rule_indices[0]), (4, reason.rule_indices[1])] {
                column::<Int32Builder>(row, index).append_option(number);
            }
            let patterns = column::<ListBuilder<StringBuilder>>(row, 5);
            patterns.append_value(reason.patterns.iter().map(Some));
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
