use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;

use super::*;

/// A file with two row groups, Bloom filters and page indexes.
fn file() -> Vec<u8> {
    let text = (0..200).map(|row| format!("https://{}.example/robots.txt", row % 7));
    let text: ArrayRef = Arc::new(StringArray::from_iter_values(text));
    let number: ArrayRef = Arc::new(Int64Array::from_iter_values(0..200));
    let columns = [
        ("URL", Arc::clone(&text)),
        ("url_path", text),
        ("warc_record_offset", Arc::clone(&number)),
        ("warc_segment", number),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("a batch");
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(100))
        .set_bloom_filter_enabled(true)
        .build();
    let mut file = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).expect("a schema");
    writer.write(&batch).expect("memory");
    writer.close().expect("memory");
    file
}

/// The values of the columns at two indices.
fn rows(file: Vec<u8>, columns: [usize; 2]) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file)).expect("a footer");
    let schema = reader.parquet_schema();
    let mask = parquet::arrow::ProjectionMask::leaves(schema, columns);
    let rows = reader.with_projection(mask).build().expect("pages");
    rows.map(|it| it.expect("pages")).collect()
}

#[test]
fn the_ranges_have_all_of_the_columns_and_little_else() {
    let file = file();
    let length = file.len() as u64;
    let ParquetError::NeedMoreData(footer) = ranges(&file[file.len() - 8..], length)
        .expect_err("only the length of the footer is there")
    else {
        panic!("more is needed");
    };
    let found = ranges(&file[file.len() - footer..], length).expect("a footer");
    assert!(found.is_sorted_by_key(|it| it.start));
    // Bytes outside the ranges differ from the file's.
    let mut holes: Vec<u8> = file.iter().map(|byte| !byte).collect();
    let end = file.len() - footer;
    holes[end..].copy_from_slice(&file[end..]);
    for range in &found {
        let at = |offset: u64| usize::try_from(offset).expect("small");
        let range = at(range.start)..at(range.end);
        holes[range.clone()].copy_from_slice(&file[range]);
    }
    assert_eq!(rows(holes.clone(), [0, 2]), rows(file.clone(), [0, 2]));
    // For two columns in two row groups: pages, Bloom filter and both page indexes.
    assert_eq!(found.len(), 2 * 2 * 4, "{found:?}");
    let is_hole = |place: &usize| holes[*place] != file[*place];
    assert!((0..end).filter(is_hole).count() > end / 3);
}

#[test]
fn a_damaged_footer_gives_ranges_within_the_file_or_an_error() {
    let file = file();
    let length = file.len() as u64;
    let begin = file.len() - 4096;
    let mut refused = 0;
    for place in begin..file.len() {
        for bit in [0, 3, 6, 7] {
            let mut damaged = file[begin..].to_vec();
            damaged[place - begin] ^= 1 << bit;
            match ranges(&damaged, length) {
                Ok(found) => assert!(found.iter().all(|it| it.end <= length)),
                Err(ParquetError::NeedMoreData(_)) => {}
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 100, "{refused}");
}
