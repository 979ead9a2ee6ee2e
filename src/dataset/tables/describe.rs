//! The columns of a table as they are described to people: name, type, meaning, words.

use std::sync::Arc;

use arrow_schema::{DataType, Field};

use super::Table;
use super::values::Word;

#[derive(Debug)]
pub struct Column<'t> {
    pub name: &'t str,
    pub data_type: DataType,
    pub is_nullable: bool,
    /// Whether the column is in the names of directories, and not in files.
    pub is_partition: bool,
    pub meaning: &'t str,
    pub words: Option<Vec<Word>>,
}

/// The name that DuckDB gives a type.
pub fn sql_name(data_type: &DataType) -> String {
    let name = match data_type {
        DataType::Int64 => "BIGINT",
        DataType::Int32 => "INTEGER",
        DataType::Float64 => "DOUBLE",
        DataType::Boolean => "BOOLEAN",
        DataType::Utf8 => "VARCHAR",
        DataType::Date32 => "DATE",
        DataType::Binary => "BLOB",
        DataType::Timestamp(..) => "TIMESTAMP WITH TIME ZONE",
        DataType::List(element) => return format!("{}[]", sql_name(element.data_type())),
        DataType::Struct(fields) => {
            let of_field = |it: &Arc<Field>| format!("{} {}", it.name(), sql_name(it.data_type()));
            let fields: Vec<String> = fields.iter().map(of_field).collect();
            return format!("STRUCT({})", fields.join(", "));
        }
        other => unreachable!("no column has the type {other}"),
    };
    name.to_owned()
}

/// The column of partitioned tables that is in the names of directories, and not in files.
const CRAWL: Column<'static> = Column {
    name: "crawl",
    data_type: DataType::Utf8,
    is_nullable: false,
    is_partition: true,
    meaning: "Label of the crawl that the captures belong to. Not in the files: it is the \
              partition, taken from the directory crawl=LABEL.",
    words: None,
};

/// The columns of `table`, the partition first.
pub fn columns(table: &Table) -> impl Iterator<Item = Column<'_>> {
    let partition = table.partition.map(|_| CRAWL);
    let fields = table.schema.fields().iter().zip(&table.words);
    let fields = fields.map(|(field, words)| Column {
        name: field.name(),
        data_type: field.data_type().clone(),
        is_nullable: field.is_nullable(),
        is_partition: false,
        meaning: field.metadata().get("comment").map_or("", String::as_str),
        words: words.map(|words| words()),
    });
    partition.into_iter().chain(fields)
}
