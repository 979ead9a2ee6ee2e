//! The schema has every table and every word that is written; `tests/cases/schema.md` has the rest.

use std::collections::BTreeSet;

use arrow_array::cast::AsArray as _;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robostat::internals::tables::values::words;
use serde_json::Value;

use crate::support::program::{in_samples, ingest, parts, sample, stdout};

#[test]
fn json_has_every_table_and_column() {
    let tables: Value = serde_json::from_str(&stdout(&["schema", "--json"])).expect("JSON");
    let tables = tables.as_array().expect("an array");
    assert_eq!(
        tables.len(),
        robostat::internals::tables::documented().count()
    );
    for (told, table) in tables.iter().zip(robostat::internals::tables::documented()) {
        assert_eq!(told["name"], table.name);
        let columns = told["columns"].as_array().expect("columns");
        let partitions = usize::from(table.partition.is_some());
        assert_eq!(columns.len(), table.schema.fields().len() + partitions);
        for column in columns {
            let texts = ["name", "type", "comment"].map(|key| column[key].as_str());
            assert!(texts.iter().all(|text| text.is_some_and(|t| !t.is_empty())));
            assert!(column["nullable"].is_boolean());
            let words = &column["values"];
            assert!(words.is_null() || words.as_array().is_some_and(|words| words.len() > 1));
        }
    }
}

#[test]
fn every_word_that_is_written_is_in_the_schema() {
    let text = stdout(&["schema", "remarks"]);
    assert!(text.contains("rule_outside_group: An allow or"), "{text}");
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(
        &["--subset", "robotstxt"],
        &sample("crawl.warc.gz"),
        &out,
        0,
    );
    let names = [
        "crawl.warc",
        "crawl.warc.zst",
        "fetches/fetches.csv",
        "fetches/fetches.jsonl",
        "fetches/fetches.parquet",
        "fetches/fetches.tsv",
        "archives/fetches.arc",
        "archives/fetches.wacz",
        "sites",
        "sites.tar.gz",
        "sites.zip",
        "crawl.cdxj",
    ];
    // Each in a dataset of its own: the same content is read once.
    let mut datasets = vec![out];
    for (number, name) in names.into_iter().enumerate() {
        let out = directory.path().join(number.to_string());
        let options: &[&str] = if name.ends_with("cdxj") {
            &["--index"]
        } else {
            &[]
        };
        let mut command = in_samples(&[&["ingest", "--quiet"], options, &[name]].concat());
        let code = command.arg(&out).status().expect("a run").code();
        assert!(matches!(code, Some(0 | 3)), "{name}: {code:?}");
        datasets.push(out);
    }
    let out = directory.path().join("pages");
    ingest(&["--pages"], &sample("pages.warc"), &out, 0);
    datasets.push(out);
    let (mut checked, mut kinds) = (0, BTreeSet::new());
    for (out, part) in datasets
        .iter()
        .flat_map(|out| parts(out).into_keys().map(move |it| (out, it)))
    {
        let table = part.iter().next().and_then(|name| name.to_str());
        let table = table
            .expect("a table")
            .trim_end_matches(".parquet")
            .to_owned();
        let file = std::fs::File::open(out.join(&part)).expect("a part");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        for batch in reader.build().expect("a reader") {
            let batch = batch.expect("rows");
            for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
                let Some(words) = words(&table, field.name()) else {
                    continue;
                };
                for value in column.as_string::<i32>().iter().flatten() {
                    let found = |value| words.iter().any(|word| word.name == value);
                    assert!(
                        value.split(',').all(found),
                        "{table}.{}: {value}",
                        field.name()
                    );
                    checked += 1;
                    if field.name() == "container" {
                        kinds.insert(value.to_owned());
                    }
                }
            }
        }
    }
    assert!(checked > 2000, "{checked}");
    assert!(kinds.len() >= 12, "{kinds:?}");
}
