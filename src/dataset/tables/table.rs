//! The parts of every table: a name, columns with their meaning, and the key of its rows.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{Field, Schema, SchemaRef};

use super::values::{Words, tidy};
use super::{ColumnType, Kind as _};

/// Version of the columns and their meaning. A dataset of another version is refused.
pub const SCHEMA_VERSION: u32 = 12;

/// What the rows of a table belong to, with the column of its id. Rows with the same id are written
/// and dropped together: a merge drops the rows of a known file or policy, and replacing an input
/// drops the rows of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    File(&'static str),
    Policy(&'static str),
    PagePolicy(&'static str),
    Input(&'static str),
    /// All captures of a crawl: the rows are rebuilt when one of them changes. The column has the
    /// input of one of the captures.
    Crawl(&'static str),
}

impl Key {
    pub fn column(self) -> &'static str {
        match self {
            Self::File(column)
            | Self::Policy(column)
            | Self::PagePolicy(column)
            | Self::Input(column)
            | Self::Crawl(column) => column,
        }
    }
}

/// How to store a column that no dictionary suits, or by which rows are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Values that are all different or nearly so, or too many for a dictionary.
    Unique,
    /// Values that mostly rise.
    Rising,
    Sorted,
    LookedUp,
}

#[derive(Debug)]
pub struct Table {
    /// The name, also of its directory.
    pub name: &'static str,
    pub comment: String,
    /// The columns; each field's metadata has its meaning under `comment`.
    pub schema: SchemaRef,
    pub marks: Vec<&'static [Mark]>,
    pub words: Vec<Words>,
    /// The key of its rows; `None` in tables that are written as a whole.
    pub key: Option<Key>,
    /// The column in the names of the parts' directories, `<column>=<value>`; `None` if all parts
    /// are in the table's own directory.
    pub partition: Option<&'static str>,
    /// Whether only an ingest of pages fills it: without rows it has no part.
    pub is_optional: bool,
}

impl Table {
    pub fn is_derived(&self) -> bool {
        matches!(self.key, Some(Key::Crawl(_)))
    }

    pub(super) fn new(name: &'static str, comment: &str, fields: Vec<Field>) -> Self {
        let comment = tidy(comment);
        let metadata = HashMap::from([
            ("comment".to_owned(), comment.clone()),
            (
                "robostat.schema_version".to_owned(),
                SCHEMA_VERSION.to_string(),
            ),
        ]);
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        Self {
            name,
            comment,
            schema,
            marks: Vec::new(),
            words: Vec::new(),
            key: None,
            partition: None,
            is_optional: name.starts_with("page"),
        }
    }
}

pub(super) fn column_field<C: ColumnType>(name: &str, comment: &str) -> Field {
    let metadata = HashMap::from([("comment".to_owned(), tidy(comment))]);
    Field::new(name, C::Kind::data_type(), C::IS_NULLABLE).with_metadata(metadata)
}
