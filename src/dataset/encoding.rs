//! How columns are encoded in Parquet: what is small, and quick to write and to read.
//!
//! The default, a dictionary, suits what repeats. It is wasted on what does not: identifiers that
//! occur once (every value would be hashed, and the dictionary given up at 1 MiB), and positions,
//! whose differences are small. Statistics let a query skip row groups by the range of a
//! number or a time. Texts of the web are not in an order that makes their ranges narrow, except
//! the reversed hosts that derived tables are sorted by. Bloom filters let a look-up of one host,
//! domain, file or policy skip row groups that do not have it: 1.2 bytes per distinct value.

use arrow_schema::{DataType, Field};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::dataset::tables::{self, Table};

/// Columns, of any table, whose values are all different or nearly so, or too many for a
/// dictionary.
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

/// Columns of derived tables whose values are all different or nearly so.
const UNIQUE_DERIVED: [&str; 6] = [
    "domain",
    "fetch_redirect_url",
    "final_url",
    "origin",
    "url_host_name",
    "url_host_registered_domain",
];
/// What the rows of derived tables are sorted by.
const SORTED: &str = "url_host_name_reversed";
/// Columns, of any table but captures, by whose values rows are looked up.
const LOOKED_UP: [&str; 4] = [
    "file_id",
    "policy_id",
    "url_host_name",
    "url_host_registered_domain",
];
/// Tables in which rows are looked up by other columns only.
const NOT_LOOKED_UP: [&str; 2] = ["captures", "files"];
/// The share of row groups without a value that a Bloom filter takes for one with it.
const FALSE_POSITIVES: f64 = 0.01;

/// Whether rows of `table` are looked up by the values of a column.
fn is_looked_up(table: &Table, column: &str) -> bool {
    let is_derived = tables::derived().iter().any(|it| it.name == table.name);
    let is_host = column.starts_with("url_host");
    match (table.name, column) {
        ("files", "file_id") => true,
        (name, _) if NOT_LOOKED_UP.contains(&name) => false,
        _ => LOOKED_UP.contains(&column) && is_derived == is_host,
    }
}

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
        let is_derived = tables::derived().iter().any(|it| it.name == table.name);
        if is_looked_up(table, name) {
            properties = properties
                .set_column_bloom_filter_fpp(path.clone(), FALSE_POSITIVES)
                .set_column_bloom_filter_max_ndv(path.clone(), super::step::ROW_GROUP_ROWS as u64);
        }
        if name == SORTED {
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BYTE_ARRAY);
            continue;
        }
        if is_key || UNIQUE.contains(&name) || (is_derived && UNIQUE_DERIVED.contains(&name)) {
            properties = properties.set_column_dictionary_enabled(path.clone(), false);
            if *field.data_type() == DataType::Utf8 {
                // Where lengths stand apart, readers find texts by them without looking at each.
                properties =
                    properties.set_column_encoding(path.clone(), Encoding::DELTA_LENGTH_BYTE_ARRAY);
            }
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
