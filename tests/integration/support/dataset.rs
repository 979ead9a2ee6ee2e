//! The rows of a dataset.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robots_dialects::document::Document;
use robots_dialects::identity::Id;
use robots_dialects::platform::Authors;

pub(crate) fn rows(part: PathBuf) -> impl Iterator<Item = RecordBatch> {
    let file = fs::File::open(part).expect("a part");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let reader = reader.build().expect("Parquet");
    reader.map(|batch| batch.expect("rows"))
}

pub(crate) fn ids(batch: &RecordBatch) -> &[i64] {
    batch["policy_id"].as_primitive::<Int64Type>().values()
}

/// The bodies of every policy, its exemplar first: files, and their owners' parts.
pub(crate) fn bodies(out: &Path) -> HashMap<i64, Vec<Vec<u8>>> {
    let mut bodies: HashMap<i64, Vec<Vec<u8>>> = HashMap::new();
    for batch in rows(out.join("files/part-000001.parquet")) {
        let body = batch["body"].as_binary::<i32>();
        let owners = batch["owner_policy_id"].as_primitive::<Int64Type>();
        for ((policy, owner), body) in ids(&batch).iter().zip(owners.values()).zip(body) {
            let body = body.expect("bodies are kept").to_vec();
            if owner != policy {
                let document = Document::read(&body, 0);
                let policy = Id::of(&document.canonical_form());
                let authors = Authors::of(&body, &document, policy);
                let of_owner = authors.owner_body().expect("some line is a platform's");
                bodies.entry(*owner).or_default().push(of_owner.to_vec());
            }
            bodies.entry(*policy).or_default().push(body);
        }
    }
    bodies
}
