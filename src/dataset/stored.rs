//! Reading the rows of a dataset.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayAccessor, BooleanArray, Int64Array, RecordBatch};
use arrow_select::filter::filter_record_batch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::ParquetMetaData;
use robots_dialects::access::Access;
use robots_dialects::identity::Id;
use xxhash_rust::xxh3::xxh3_64;

use super::Dataset;
use super::manifest::Manifest;
use crate::dataset::known::{Collision, KnownRows};
use crate::error::Error;

/// The files of captures, by the [keys](digest_key) of payload digests; the first capture with a
/// digest counts. Some 20 bytes of memory per digest.
pub type DigestIndex = HashMap<u64, i64>;

/// `None` for a placeholder, such as `sha1:` or `-`: a digest has at least 16 characters.
pub fn digest_key(digest: &[u8]) -> Option<u64> {
    let value = digest.rsplit(|byte| *byte == b':').next()?;
    (value.len() >= 16).then(|| xxh3_64(digest))
}

/// Whether a revisit with this `access_rfc9309` takes the file of an earlier capture. A redirect or
/// an error does not, even if a success had the same body.
pub fn may_have_file(access: &str, status: Option<i32>) -> bool {
    let has_rules = access == Access::Parse.name() || access == Access::UseCached.name();
    has_rules && status != Some(204)
}

/// Calls `visit` with every batch of the table's parts, `columns` only, in the parts' order.
pub(crate) fn scan(
    directory: &Path,
    manifest: &Manifest,
    table: &str,
    columns: &[&str],
    mut visit: impl FnMut(&RecordBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    for part in manifest.parts_of(table) {
        let path = directory.join(&part.path);
        for batch in open(&path, Some(columns))? {
            visit(&batch?)?;
        }
    }
    Ok(())
}

const BATCH_ROWS: usize = 8192;
/// Bytes that the values in a batch should have: a batch of long rows has fewer rows.
const BATCH_BYTES: i64 = 32 * 1024 * 1024;

pub(crate) type PartBatches = Box<dyn Iterator<Item = Result<RecordBatch, Error>>>;

/// The batches of one part; all columns if `columns` is `None`.
pub(crate) fn open(path: &Path, columns: Option<&[&str]>) -> Result<PartBatches, Error> {
    batches(path, builder(path, columns, BATCH_ROWS)?)
}

pub(crate) fn open_in_batches(
    path: &Path,
    columns: &[&str],
    rows: usize,
) -> Result<PartBatches, Error> {
    batches(path, builder(path, Some(columns), rows)?)
}

/// As [`open`], with all columns, from the row numbered `first_row` on.
pub(super) fn open_from(path: &Path, first_row: u64) -> Result<PartBatches, Error> {
    let first_row = usize::try_from(first_row).unwrap_or(usize::MAX);
    let builder = builder(path, None, BATCH_ROWS)?;
    batches(path, builder.with_offset(first_row))
}

pub(super) fn batches(
    path: &Path,
    builder: ParquetRecordBatchReaderBuilder<File>,
) -> Result<PartBatches, Error> {
    let path = path.to_owned();
    let reader = builder.build().map_err(Error::parquet(&path))?;
    Ok(Box::new(reader.map(move |batch| {
        batch.map_err(|error| Error::parquet(&path)(error.into()))
    })))
}

fn builder(
    path: &Path,
    columns: Option<&[&str]>,
    rows: usize,
) -> Result<ParquetRecordBatchReaderBuilder<File>, Error> {
    let builder = opened(path)?;
    let mask = match columns {
        Some(columns) => ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied()),
        None => ProjectionMask::all(),
    };
    let rows = rows.min(batch_rows(builder.metadata(), &mask));
    Ok(builder.with_projection(mask).with_batch_size(rows))
}

pub(super) fn opened(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, Error> {
    let file = File::open(path).map_err(Error::io(path))?;
    ParquetRecordBatchReaderBuilder::try_new(file).map_err(Error::parquet(path))
}

/// The number of rows that have [`BATCH_BYTES`] in the row group with the longest rows.
fn batch_rows(metadata: &ParquetMetaData, mask: &ProjectionMask) -> usize {
    let rows = metadata.row_groups().iter().map(|group| {
        let columns = group.columns().iter().enumerate();
        let columns = columns.filter(|(leaf, _)| mask.leaf_included(*leaf));
        let bytes = columns.map(|(_, column)| {
            let decoded = column.unencoded_byte_array_data_bytes();
            decoded.unwrap_or(0).max(column.uncompressed_size())
        });
        group.num_rows().saturating_mul(BATCH_BYTES) / bytes.sum::<i64>().max(1)
    });
    let rows = rows.min().unwrap_or(i64::MAX);
    usize::try_from(rows)
        .unwrap_or(BATCH_ROWS)
        .clamp(1, BATCH_ROWS)
}

/// Declares the columns that a reader uses, and a struct of these columns of a batch.
macro_rules! columns {
    ($( $field:ident: $array:ty = $name:literal, )+) => {
        #[allow(dead_code, reason = "some readers take batches of all columns")]
        pub(in crate::dataset) const COLUMNS: [&str; [$( $name ),+].len()] = [$( $name ),+];

        pub(in crate::dataset) struct Columns<'b> {
            $( pub(in crate::dataset) $field: &'b $array, )+
        }

        impl<'b> Columns<'b> {
            /// The columns of a batch that was read with [`COLUMNS`], or with all columns.
            pub(in crate::dataset) fn of(batch: &'b arrow_array::RecordBatch) -> Self {
                Self {
                    $( $field: arrow_array::Array::as_any(&batch[$name]).downcast_ref().expect("the table's type"), )+
                }
            }
        }
    };
}

pub(super) use columns;

pub(crate) fn bigint<'b>(batch: &'b RecordBatch, column: &str) -> &'b Int64Array {
    batch[column].as_primitive()
}

pub(crate) fn value<'b, A>(column: &'b A, row: usize) -> Option<<&'b A as ArrayAccessor>::Item>
where
    &'b A: ArrayAccessor,
{
    column.is_valid(row).then(|| column.value(row))
}

/// Replaces values of a BIGINT column, given with their rows.
pub(crate) fn set_bigints(
    batch: &mut RecordBatch,
    column: &str,
    values: impl IntoIterator<Item = (usize, Option<i64>)>,
) {
    let mut all: Vec<Option<i64>> = bigint(batch, column).iter().collect();
    for (row, value) in values {
        all[row] = value;
    }
    let position = batch.schema().index_of(column);
    let mut columns = batch.columns().to_vec();
    columns[position.expect("a column of the table")] = Arc::new(Int64Array::from(all));
    *batch = RecordBatch::try_new(batch.schema(), columns).expect("the same schema");
}

pub(crate) fn filter(
    batch: &RecordBatch,
    column: &str,
    is_kept: impl Fn(i64) -> bool,
) -> RecordBatch {
    let kept = BooleanArray::from_unary(bigint(batch, column), is_kept);
    filter_record_batch(batch, &kept).expect("a value for each row")
}

/// The ids in a column and the column of their high halves.
pub(crate) fn ids<'b>(batch: &'b RecordBatch, column: &str) -> impl Iterator<Item = Id> + use<'b> {
    let low = bigint(batch, column).values();
    let high = bigint(batch, &format!("{column}_high")).values();
    low.iter().zip(high).map(|(&low, &high)| Id { low, high })
}

impl Dataset {
    pub fn known(&self) -> Result<KnownRows, Error> {
        let (directory, manifest) = (&self.directory, &self.manifest);
        let known = KnownRows::default();
        let collision = |it: Collision| it.of(directory);
        for (table, column, policies) in [
            ("policies", "policy_id", &known.policies),
            ("page_policies", "page_policy_id", &known.page_policies),
        ] {
            let columns = [column, &format!("{column}_high")];
            scan(directory, manifest, table, &columns, |batch| {
                for id in ids(batch, column) {
                    policies.add(id, ()).map_err(collision)?;
                }
                Ok(())
            })?;
        }
        let columns = ["file_id", "file_id_high", "policy_id"];
        scan(directory, manifest, "files", &columns, |batch| {
            for (id, policy) in ids(batch, "file_id").zip(bigint(batch, "policy_id").values()) {
                known.files.add(id, *policy).map_err(collision)?;
            }
            Ok(())
        })?;
        Ok(known)
    }

    pub fn digests(&self) -> Result<DigestIndex, Error> {
        let (directory, manifest) = (&self.directory, &self.manifest);
        let mut index = DigestIndex::default();
        let columns = ["content_digest", "file_id"];
        scan(directory, manifest, "captures", &columns, |batch| {
            let digests = batch["content_digest"].as_string::<i32>().iter();
            for (digest, file) in digests.zip(bigint(batch, "file_id")) {
                let key = digest.and_then(|digest| digest_key(digest.as_bytes()));
                if let (Some(key), Some(file)) = (key, file) {
                    index.entry(key).or_insert(file);
                }
            }
            Ok(())
        })?;
        Ok(index)
    }
}
