//! Looking rows up by values of one column, without reading row groups that cannot have them.
//!
//! Statistics and Bloom filters of the column decide which row groups to skip. In the others, that
//! column is read first, and the rest of a row only if it has one of the values.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Date32Type, Int64Type};
use arrow_array::{BooleanArray, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowPredicateFn, ParquetRecordBatchReaderBuilder, RowFilter};
use parquet::file::statistics::Statistics;

use super::views::is_within;
use super::{Snapshot, catalog, stored};
use crate::error::Error;

/// Values that are looked up.
#[derive(Debug, Clone)]
pub enum LookupValues {
    /// Ids, in a BIGINT column.
    Ids(BTreeSet<i64>),
    Texts(Vec<TextRange>),
}

/// A text, or all that begin with one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextRange {
    /// This one.
    Exactly(String),
    /// All that begin so.
    From(String),
}

impl TextRange {
    fn has(&self, text: &str) -> bool {
        match self {
            Self::Exactly(wanted) => text == wanted,
            Self::From(beginning) => text.starts_with(beginning.as_str()),
        }
    }

    /// Whether there may be one between `least` and `greatest`, both of which may be cut short or
    /// moved outwards.
    fn may_be_between(&self, least: &[u8], greatest: &[u8]) -> bool {
        match self {
            Self::Exactly(text) => (least..=greatest).contains(&text.as_bytes()),
            Self::From(beginning) => {
                let beginning = beginning.as_bytes();
                greatest >= beginning && (least <= beginning || least.starts_with(beginning))
            }
        }
    }
}

impl LookupValues {
    fn is_empty(&self) -> bool {
        match self {
            Self::Ids(ids) => ids.is_empty(),
            Self::Texts(texts) => texts.is_empty(),
        }
    }

    /// Which rows of the one column of `batch` have one of the values.
    fn select(&self, batch: &RecordBatch) -> BooleanArray {
        let column = batch.column(0);
        match self {
            Self::Ids(ids) => {
                let found = column.as_primitive::<Int64Type>().iter();
                found
                    .map(|id| Some(id.is_some_and(|id| ids.contains(&id))))
                    .collect()
            }
            Self::Texts(ranges) => {
                let found = column.as_string::<i32>().iter();
                let is_wanted = |text: &str| ranges.iter().any(|range| range.has(text));
                found
                    .map(|text| Some(text.is_some_and(is_wanted)))
                    .collect()
            }
        }
    }
}

impl Snapshot {
    /// Rows of a table whose `column` has one of the values, some columns of them (among which
    /// `column` is, if the values are ids), part by part
    /// with the label of the part's crawl (empty in a table without crawls). Of one crawl only
    /// where `crawl` names it.
    pub fn look_up(
        &self,
        table: &str,
        column: &str,
        wanted: &LookupValues,
        columns: &[&str],
        crawl: Option<&str>,
    ) -> Result<Vec<(String, RecordBatch)>, Error> {
        let mut found = Vec::new();
        let mut wanted = wanted.clone();
        for root in self.roots() {
            let begin = found.len();
            let parts = self.manifest().parts_of(table);
            for part in parts.filter(|part| is_within(root, &part.path)) {
                let label = part.partition().unwrap_or_default();
                let is_asked = crawl.is_none_or(|crawl| crawl == label);
                if part.rows == 0 || !is_asked || wanted.is_empty() {
                    continue;
                }
                let path = self.directory().join(&part.path);
                let batches = look_up(&path, column, &wanted, columns)?;
                found.extend(batches.into_iter().map(|batch| (label.clone(), batch)));
            }
            // Rows of a file or policy are equal in all datasets, so the first is taken.
            if let LookupValues::Ids(ids) = &mut wanted {
                for (_, batch) in &found[begin..] {
                    let known = batch[column].as_primitive::<Int64Type>().values();
                    known.iter().for_each(|id| _ = ids.remove(id));
                }
            }
        }
        Ok(found)
    }

    /// Since when crawlers are known (`agent_catalog.since`), by product token: days since
    /// 1970-01-01, of those of which a day is known.
    pub fn known_since(&self) -> Result<BTreeMap<String, i32>, Error> {
        let path = self
            .directory()
            .join(self.roots()[0])
            .join(catalog::table::TABLE);
        let mut known = BTreeMap::new();
        for batch in stored::open(&path, Some(&["product_token", "since"]))? {
            let batch = batch?;
            let tokens = batch["product_token"].as_string::<i32>();
            let days = batch["since"].as_primitive::<Date32Type>();
            known.extend(
                tokens
                    .iter()
                    .zip(days)
                    .filter_map(|(token, day)| Some((token?.to_owned(), day?))),
            );
        }
        Ok(known)
    }
}

/// Rows of the part at `path`.
fn look_up(
    path: &Path,
    column: &str,
    wanted: &LookupValues,
    columns: &[&str],
) -> Result<Vec<RecordBatch>, Error> {
    let file = File::open(path).map_err(Error::io(path))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(Error::parquet(path))?;
    let groups = row_groups(&builder, column, wanted).map_err(Error::parquet(path))?;
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let schema = builder.parquet_schema();
    let mask = ProjectionMask::columns(schema, columns.iter().copied());
    let key = ProjectionMask::columns(schema, [column]);
    let values = wanted.clone();
    let predicate = ArrowPredicateFn::new(key, move |batch| Ok(values.select(&batch)));
    let builder = builder
        .with_row_groups(groups)
        .with_projection(mask)
        .with_row_filter(RowFilter::new(vec![Box::new(predicate)]));
    let batches = stored::batches(path, builder)?;
    let is_kept = |batch: &RecordBatch| batch.num_rows() > 0;
    batches
        .filter(|batch| batch.as_ref().map_or(true, is_kept))
        .collect()
}

/// The row groups that may have one of the values.
fn row_groups(
    builder: &ParquetRecordBatchReaderBuilder<File>,
    column: &str,
    wanted: &LookupValues,
) -> Result<Vec<usize>, parquet::errors::ParquetError> {
    let leaves = builder.parquet_schema().columns();
    let leaf = leaves.iter().position(|leaf| leaf.name() == column);
    let all = 0..builder.metadata().num_row_groups();
    let Some(leaf) = leaf else {
        return Ok(all.collect());
    };
    let mut groups = Vec::new();
    for group in all {
        let statistics = builder
            .metadata()
            .row_group(group)
            .column(leaf)
            .statistics();
        let may_have = match (wanted, statistics) {
            (LookupValues::Texts(ranges), Some(Statistics::ByteArray(bounds))) => {
                match (bounds.min_bytes_opt(), bounds.max_bytes_opt()) {
                    (Some(least), Some(greatest)) => ranges
                        .iter()
                        .any(|range| range.may_be_between(least, greatest)),
                    _ => true,
                }
            }
            (LookupValues::Ids(ids), _) => {
                let filter = builder.get_row_group_column_bloom_filter(group, leaf)?;
                filter.is_none_or(|filter| ids.iter().any(|id| filter.check(id)))
            }
            _ => true,
        };
        if may_have {
            groups.push(group);
        }
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    #[test]
    fn cases() {
        let range = TextRange::From("com.example.".to_owned());
        check(file!(), |_, [least, greatest, _]| {
            let may_be = range.may_be_between(least.as_bytes(), greatest.as_bytes());
            may_be.to_string()
        });
    }
}
