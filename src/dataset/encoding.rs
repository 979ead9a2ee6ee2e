//! How columns are encoded in Parquet: small, and quick to write and to read.
//!
//! A dictionary, the default, suits values that repeat, not identifiers that occur once (each would
//! be hashed, and the dictionary given up at 1 MiB) or positions, whose differences are small.
//! Statistics let a query skip row groups by the range of a number or a time; of texts, only the
//! reversed hosts that derived tables are sorted by have narrow ranges. Bloom filters let a look-up
//! of one host, domain, file or policy skip row groups: 1.2 bytes per distinct value.

use arrow_schema::{DataType, Field};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::step::ROW_GROUP_ROWS;
use crate::dataset::tables::{Mark, Table};

/// The share of row groups without a value that a Bloom filter does not rule out.
const FALSE_POSITIVES: f64 = 0.01;

pub(super) fn properties(table: &Table) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(format!("robostat {}", env!("CARGO_PKG_VERSION")));
    for (field, marks) in table.schema.fields().iter().zip(&table.marks) {
        let path = path_of(field);
        let is_text = *field.data_type() == DataType::Utf8;
        for mark in *marks {
            let encoding = match mark {
                Mark::LookedUp => {
                    properties = properties
                        .set_column_bloom_filter_fpp(path.clone(), FALSE_POSITIVES)
                        .set_column_bloom_filter_max_ndv(path.clone(), ROW_GROUP_ROWS as u64);
                    continue;
                }
                Mark::Sorted => Some(Encoding::DELTA_BYTE_ARRAY),
                // With separate lengths, readers find a text without reading each one before it.
                Mark::Unique if is_text => Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
                Mark::Unique => None,
                Mark::Rising => Some(Encoding::DELTA_BINARY_PACKED),
            };
            properties = properties.set_column_dictionary_enabled(path.clone(), false);
            if let Some(encoding) = encoding {
                properties = properties.set_column_encoding(path.clone(), encoding);
            }
        }
        let kind = field.data_type();
        let is_wide = matches!(kind, DataType::Utf8 | DataType::Binary | DataType::List(_));
        if is_wide && !marks.contains(&Mark::Sorted) {
            properties = properties.set_column_statistics_enabled(path, EnabledStatistics::None);
        }
    }
    properties.build()
}

fn path_of(field: &Field) -> ColumnPath {
    let mut path = vec![field.name().clone()];
    if let DataType::List(element) = field.data_type() {
        path.extend(["list".to_owned(), element.name().clone()]);
    }
    ColumnPath::from(path)
}
