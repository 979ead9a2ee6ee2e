//! Looking rows up by values of one column. Its statistics and Bloom filters decide which row
//! groups to skip. In the others it is read first, and the rest of a row only if it has one of the
//! values.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Date32Type, Int64Type};
use arrow_array::{BooleanArray, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowPredicateFn, ParquetRecordBatchReaderBuilder, RowFilter};
use parquet::errors::ParquetError;
use parquet::file::statistics::Statistics;

use super::views::is_within;
use super::{CATALOG, Snapshot, stored};
use crate::error::Error;

#[derive(Debug, Clone)]
pub enum LookupValues {
    Ids(BTreeSet<i64>),
    Texts(Vec<TextRange>),
}

/// A text, or all texts that begin with it.
#[derive(Debug, Clone)]
pub struct TextRange {
    pub text: String,
    pub is_beginning: bool,
}

impl TextRange {
    fn has(&self, text: &str) -> bool {
        text == self.text || self.is_beginning && text.starts_with(&self.text)
    }

    /// Whether such a text may be between these bounds, which may be cut short or moved outwards.
    fn may_be_between(&self, least: &[u8], greatest: &[u8]) -> bool {
        let text = self.text.as_bytes();
        text <= greatest && (least <= text || self.is_beginning && least.starts_with(text))
    }
}

impl LookupValues {
    fn select(&self, batch: &RecordBatch) -> BooleanArray {
        let column = batch.column(0);
        match self {
            Self::Ids(ids) => {
                BooleanArray::from_unary(column.as_primitive::<Int64Type>(), |id| ids.contains(&id))
            }
            Self::Texts(ranges) => BooleanArray::from_unary(column.as_string::<i32>(), |text| {
                ranges.iter().any(|range| range.has(text))
            }),
        }
    }
}

impl Snapshot {
    /// Rows of a table whose `column` has one of the values, part by part with the label of the
    /// part's crawl (empty in a table without crawls). `crawl` limits them to one crawl. If the
    /// values are ids, `columns` must contain `column`.
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
        for root in &self.roots {
            let begin = found.len();
            for part in self.manifest.parts_of(table) {
                let label = part.partition().unwrap_or_default();
                let is_asked = crawl.is_none_or(|crawl| crawl == label);
                if part.rows > 0 && is_asked && is_within(root, &part.path) {
                    let path = self.directory.join(&part.path);
                    let batches = look_up(&path, column, &wanted, columns)?;
                    found.extend(batches.into_iter().map(|batch| (label.clone(), batch)));
                }
            }
            // Rows of a file or policy are equal in all datasets, so the first dataset's rows are
            // taken.
            if let LookupValues::Ids(ids) = &mut wanted {
                for (_, batch) in &found[begin..] {
                    let known = stored::bigint(batch, column).values();
                    known.iter().for_each(|id| _ = ids.remove(id));
                }
            }
        }
        Ok(found)
    }

    /// `agent_catalog.since` by product token, if it is known: days since 1970-01-01.
    pub fn known_since(&self) -> Result<BTreeMap<String, i32>, Error> {
        let root = self.directory.join(&self.roots[0]);
        let mut known = BTreeMap::new();
        for batch in stored::open(&root.join(CATALOG), Some(&["product_token", "since"]))? {
            let batch = batch?;
            let tokens = batch["product_token"].as_string::<i32>().iter();
            let days = tokens.zip(batch["since"].as_primitive::<Date32Type>());
            known.extend(days.filter_map(|(token, day)| Some((token?.to_owned(), day?))));
        }
        Ok(known)
    }
}

fn look_up(
    path: &Path,
    column: &str,
    wanted: &LookupValues,
    columns: &[&str],
) -> Result<Vec<RecordBatch>, Error> {
    let builder = stored::opened(path)?;
    let groups = row_groups(&builder, column, wanted).map_err(Error::parquet(path))?;
    let schema = builder.parquet_schema();
    let mask = ProjectionMask::columns(schema, columns.iter().copied());
    let key = ProjectionMask::columns(schema, [column]);
    let values = wanted.clone();
    let predicate = ArrowPredicateFn::new(key, move |batch| Ok(values.select(&batch)));
    let builder = builder
        .with_row_groups(groups)
        .with_projection(mask)
        .with_row_filter(RowFilter::new(vec![Box::new(predicate)]));
    stored::batches(path, builder)?.collect()
}

fn row_groups(
    builder: &ParquetRecordBatchReaderBuilder<File>,
    column: &str,
    wanted: &LookupValues,
) -> Result<Vec<usize>, ParquetError> {
    let leaves = builder.parquet_schema().columns();
    let leaf = leaves.iter().position(|leaf| leaf.name() == column);
    let leaf = leaf.expect("a column of the table");
    let mut groups = Vec::new();
    for (group, metadata) in builder.metadata().row_groups().iter().enumerate() {
        let may_have = match (wanted, metadata.column(leaf).statistics()) {
            (LookupValues::Texts(ranges), Some(Statistics::ByteArray(bounds))) => {
                let bounds = bounds.min_bytes_opt().zip(bounds.max_bytes_opt());
                bounds.is_none_or(|(least, greatest)| {
                    ranges.iter().any(|it| it.may_be_between(least, greatest))
                })
            }
            (LookupValues::Texts(_), _) => true,
            (LookupValues::Ids(ids), _) => {
                let filter = builder.get_row_group_column_bloom_filter(group, leaf)?;
                filter.map_or(!ids.is_empty(), |filter| {
                    ids.iter().any(|id| filter.check(id))
                })
            }
        };
        if may_have {
            groups.push(group);
        }
    }
    Ok(groups)
}

#[cfg(test)]
mod tests;
