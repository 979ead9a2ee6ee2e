//! Parquet with a row per fetch.

use std::sync::Arc;

use arrow_array::builder::{MapBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, Int16Array, RecordBatch, StringArray, TimestampMillisecondArray,
};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};

use crate::support::program::{Run as _, assert_contains, number, robostat};

use super::{Fetch, Folder, captures, damage, fetches, headers, tables, warc};

/// The fetches as Parquet: with headers in JSON or as a map, times as text or timestamps.
fn parquet(fetches: &[Fetch], compression: Compression, is_typed: bool) -> Vec<u8> {
    let texts = |of: &dyn Fn(&Fetch) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(fetches.iter().map(of)))
    };
    let bodies: ArrayRef = if is_typed {
        Arc::new(BinaryArray::from_iter_values(
            fetches.iter().map(|fetch| &fetch.body),
        ))
    } else {
        texts(&|fetch| String::from_utf8(fetch.body.clone()).expect("UTF-8"))
    };
    let times: ArrayRef = if is_typed {
        let times = fetches.iter().map(|_| 1_785_585_600_000);
        Arc::new(TimestampMillisecondArray::from_iter_values(times).with_timezone("UTC"))
    } else {
        texts(&|fetch| fetch.time.to_owned())
    };
    let headers: ArrayRef = if is_typed {
        let mut maps = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
        for fetch in fetches {
            for (name, value) in &fetch.headers {
                maps.keys().append_value(name);
                maps.values().append_value(value);
            }
            maps.append(true).expect("a map");
        }
        Arc::new(maps.finish())
    } else {
        texts(&|fetch| headers(fetch).to_string())
    };
    let statuses = fetches
        .iter()
        .map(|fetch| i16::try_from(fetch.status).expect("a code"));
    let columns: [(&str, ArrayRef); 6] = [
        ("id", texts(&|fetch| fetch.url.clone())),
        ("body", bodies),
        ("headers", headers),
        ("status", Arc::new(Int16Array::from_iter_values(statuses))),
        ("fetch_time", times),
        ("url", texts(&|fetch| fetch.url.clone())),
    ];
    let rows = RecordBatch::try_from_iter(columns).expect("columns");
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(10))
        .build();
    let mut writer =
        ArrowWriter::try_new(Vec::new(), rows.schema(), Some(properties)).expect("Parquet");
    writer.write(&rows).expect("Parquet");
    writer.into_inner().expect("Parquet")
}

#[test]
fn parquet_in_every_compression_is_the_same_dataset() {
    let folder = Folder::new();
    let fetches = fetches();
    let (_, expected) = folder.ingest_file("a.warc", &warc(&fetches), &["--keep-bodies"], 0);
    for (name, compression, is_typed) in [
        ("plain.parquet", Compression::UNCOMPRESSED, false),
        ("snappy.parquet", Compression::SNAPPY, true),
        (
            "gzip.parquet",
            Compression::GZIP(GzipLevel::default()),
            true,
        ),
        ("lz4.parquet", Compression::LZ4_RAW, false),
        ("zstd.pq", Compression::ZSTD(ZstdLevel::default()), true),
    ] {
        let bytes = parquet(&fetches, compression, is_typed);
        let (summary, out) = folder.ingest_file(name, &bytes, &["--keep-bodies"], 0);
        assert_eq!(number(&summary, "records"), fetches.len() as u64, "{name}");
        assert_eq!(captures(&out), captures(&expected), "{name}");
        assert!(tables(&out) == tables(&expected), "{name}");
    }
}

#[test]
fn damage_in_parquet_costs_a_row_group_at_most() {
    let folder = Folder::new();
    let fetches = fetches();
    let bytes = parquet(&fetches, Compression::SNAPPY, true);
    let reader = SerializedFileReader::new(Bytes::from(bytes.clone())).expect("Parquet");
    let group = reader.metadata().row_group(1);
    // In the bodies, after the head of the page.
    let (start, length) = group.column(1).byte_range();
    let [start, length] = [start, length].map(|it| usize::try_from(it).expect("small"));
    let mut flipped = bytes.clone();
    flipped[start + length / 2..start + length].fill(0xff);
    let (summary, out) = folder.ingest_file("flipped.parquet", &flipped, &[], 3);
    let n = fetches.len() as u64;
    assert_eq!(number(&summary, "records"), n - 10);
    let found = damage(&out);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("corrupt|"), "{found:?}");
    assert!(found[0].ends_with("lost: rows 11 to 20"), "{found:?}");
    assert_contains(&found[0], &["row group 1: "]);
    for (name, bytes) in [
        ("cut.parquet", &bytes[..bytes.len() / 2]),
        ("short.parquet", b"PAR1"),
    ] {
        let input = folder.write(name, bytes);
        let mut ingest = robostat(["ingest"]);
        let errors = ingest.args([&input, &folder.path("x")]).fail(1);
        assert_contains(&errors, &["a Parquet file that cannot be read"]);
    }
    let wrong = RecordBatch::try_from_iter([
        ("url", Arc::new(Int16Array::from(vec![1])) as ArrayRef),
        ("body", Arc::new(StringArray::from(vec!["x"]))),
    ]);
    let wrong = wrong.expect("columns");
    let mut writer = ArrowWriter::try_new(Vec::new(), wrong.schema(), None).expect("Parquet");
    writer.write(&wrong).expect("Parquet");
    let input = folder.write("types.parquet", &writer.into_inner().expect("Parquet"));
    let mut ingest = robostat(["ingest"]);
    let errors = ingest.args([&input, &folder.path("x")]).fail(1);
    assert_contains(&errors, &["the column url is of the type Int16"]);
}
