//! The columns of a table as they are described to people: name, type, meaning, words.

use arrow_schema::{DataType, Field};

use super::Table;
use super::values::{self, Word};

/// A column as it is described.
#[derive(Debug)]
pub struct Column<'t> {
    /// Its name.
    pub name: &'t str,
    /// What it holds.
    pub kind: ColumnKind,
    /// Whether it may hold nulls.
    pub is_nullable: bool,
    /// Whether no file holds it, because the directories name it.
    pub is_partition: bool,
    /// What it means.
    pub meaning: &'t str,
    /// The words that it holds; none where it holds other values.
    pub words: Option<Vec<Word>>,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// 64-bit integers.
    BigInt,
    /// 32-bit integers.
    Integer,
    /// Floating-point numbers of 64 bits.
    Double,
    /// True or false.
    Boolean,
    /// Text.
    Varchar,
    /// Days.
    Date,
    /// Lists of texts.
    VarcharList,
    /// Lists of reasons why a policy changes what crawlers may fetch.
    ReasonList,
    /// Lists of preferences that hold for a crawler and a path.
    PreferenceList,
    /// Bytes.
    Blob,
    /// Points in time, in UTC.
    Timestamp,
}

impl ColumnKind {
    /// The name that DuckDB gives the type.
    pub fn sql_name(self) -> &'static str {
        match self {
            Self::BigInt => "BIGINT",
            Self::Integer => "INTEGER",
            Self::Double => "DOUBLE",
            Self::Boolean => "BOOLEAN",
            Self::Varchar => "VARCHAR",
            Self::Date => "DATE",
            Self::VarcharList => "VARCHAR[]",
            Self::ReasonList => {
                "STRUCT(direction VARCHAR, rule_before VARCHAR, rule_after VARCHAR, \
                 rule_index_before INTEGER, rule_index_after INTEGER, patterns VARCHAR[], \
                 witness VARCHAR)[]"
            }
            Self::PreferenceList => {
                "STRUCT(vocabulary VARCHAR, preference VARCHAR, allows BOOLEAN, \
                 line_number INTEGER)[]"
            }
            Self::Blob => "BLOB",
            Self::Timestamp => "TIMESTAMP WITH TIME ZONE",
        }
    }

    fn of(field: &Field) -> Self {
        match field.data_type() {
            DataType::Int64 => Self::BigInt,
            DataType::Int32 => Self::Integer,
            DataType::Float64 => Self::Double,
            DataType::Boolean => Self::Boolean,
            DataType::Utf8 => Self::Varchar,
            DataType::Date32 => Self::Date,
            DataType::List(element) if *element.data_type() == DataType::Utf8 => Self::VarcharList,
            DataType::List(_) if field.name() == "reasons" => Self::ReasonList,
            DataType::List(_) => Self::PreferenceList,
            DataType::Binary => Self::Blob,
            DataType::Timestamp(..) => Self::Timestamp,
            other => unreachable!("no kind of column is {other}"),
        }
    }
}

/// The column that no file of a partitioned table holds: the directories name it.
const CRAWL: Column<'static> = Column {
    name: "crawl",
    kind: ColumnKind::Varchar,
    is_nullable: false,
    is_partition: true,
    meaning: "Label of the crawl that the captures belong to. Not in the files: it is the \
              partition, taken from the directory crawl=LABEL.",
    words: None,
};

/// The columns of `table`, the partition first.
pub fn columns(table: &Table) -> impl Iterator<Item = Column<'_>> {
    let partition = table.partition.map(|_| CRAWL);
    let fields = table.schema.fields().iter().map(|field| Column {
        name: field.name(),
        kind: ColumnKind::of(field),
        is_nullable: field.is_nullable(),
        is_partition: false,
        meaning: field.metadata().get("comment").map_or("", String::as_str),
        words: values::words(table.name, field.name()),
    });
    partition.into_iter().chain(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tables;

    #[test]
    fn every_column_has_a_type_that_duckdb_knows() {
        for table in tables::documented() {
            assert!(columns(table).all(|column| !column.kind.sql_name().is_empty()));
        }
    }
}
