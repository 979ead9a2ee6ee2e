//! The time that a dataset covers, from the statistics of its parts.

use std::fs::File;
use std::path::PathBuf;

use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::statistics::Statistics;

use crate::error::Error;

/// The column of `captures`.
const COLUMN: &str = "fetch_time";

/// The first and the last fetch time in the parts of `captures` at `paths`, microseconds since
/// 1970-01-01T00:00:00Z; none where no capture has one.
///
/// # Errors
///
/// A part cannot be read.
pub(super) fn of(paths: impl Iterator<Item = PathBuf>) -> Result<Option<(i64, i64)>, Error> {
    let mut period = None;
    for path in paths {
        let file = File::open(&path).map_err(Error::io(&path))?;
        let reader = SerializedFileReader::new(file).map_err(Error::parquet(&path))?;
        let groups = reader.metadata().row_groups().iter();
        let columns = groups.flat_map(RowGroupMetaData::columns);
        let statistics = columns
            .filter(|column| column.column_path().string() == COLUMN)
            .filter_map(|column| column.statistics());
        for statistics in statistics {
            let Statistics::Int64(statistics) = statistics else {
                continue;
            };
            if let (Some(min), Some(max)) = (statistics.min_opt(), statistics.max_opt()) {
                let (first, last) = period.unwrap_or((*min, *max));
                period = Some((first.min(*min), last.max(*max)));
            }
        }
    }
    Ok(period)
}
