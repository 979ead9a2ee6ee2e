//! How columns are encoded in Parquet: what is small, and quick to write and to read.
//!
//! The default, a dictionary, suits what repeats. It is wasted on what does not: identifiers that
//! occur once (every value would be hashed, and the dictionary given up at 1 MiB), and positions,
//! whose differences are small. Statistics let a query pass over row groups by the range of a
//! number or a time; texts of the web stand in no order that would make their ranges narrow.

use arrow_schema::{DataType, Field};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::dataset::tables::Table;

/// Columns, of any table, whose values are all different or nearly so, or too many for a dictionary.
const UNIQUE: [&str; 7] = [
    "canonical",
    "exemplar_file_id",
    "file_id_high",
    "path",
    "policy_id_high",
    "url",
    "warc_record_id",
];
/// Columns whose values rise, if not always.
const RISING: [&str; 6] = [
    "fetch_time",
    "line_end",
    "line_number",
    "line_start",
    "rule_index",
    "warc_record_offset",
];

/// How a part of `table` is written.
pub(super) fn properties(table: &Table) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(format!("robostat {}", env!("CARGO_PKG_VERSION")));
    for field in table.schema.fields() {
        let path = path_of(field);
        let name = field.name().as_str();
        let is_key = (table.name, name) == ("files", "file_id")
            || (table.name, name) == ("policies", "policy_id");
        if is_key || UNIQUE.contains(&name) {
            properties = properties.set_column_dictionary_enabled(path.clone(), false);
        } else if RISING.contains(&name) {
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED);
        }
        if matches!(
            field.data_type(),
            DataType::Utf8 | DataType::Binary | DataType::List(_)
        ) {
            properties = properties.set_column_statistics_enabled(path, EnabledStatistics::None);
        }
    }
    properties.build()
}

/// The path of a column's one leaf.
fn path_of(field: &Field) -> ColumnPath {
    let mut path = vec![field.name().clone()];
    if let DataType::List(element) = field.data_type() {
        path.extend(["list".to_owned(), element.name().clone()]);
    }
    ColumnPath::from(path)
}
