//! Data Package 2.0, the format of the Frictionless project: `datapackage.json`.
//!
//! Source: <https://datapackage.org/standard/data-package/>. A table is a resource whose `path`
//! lists its parts. The standard has a digest per resource, not per file: a resource of several
//! parts lists their digests in a property of our own, `parts`.

use arrow_schema::DataType;
use serde_json::{Value, json};

use super::{Card, Crawl, DescribedTable, archives, key, meaning, without_nulls};
use crate::dataset::tables::Table;
use crate::dataset::tables::describe::{Column, columns};

const PROFILE: &str = "https://datapackage.org/profiles/2.0/datapackage.json";

pub fn json(card: &Card) -> Value {
    let resource = |described| resource(described, card);
    let resources: Value = card.tables.iter().map(resource).collect();
    let spdx = (!card.details.has_license_url()).then_some(card.details.license());
    let license = without_nulls(json!({ "path": card.details.license_url(), "name": spdx }));
    let source = |(label, crawl): &(String, Crawl)| {
        let (read, bytes) = (archives(crawl.inputs), card.read_bytes());
        let (n_bytes, captures) = (crawl.bytes, crawl.captures);
        json!({ "title": format!("Crawl {label}: {read}, {n_bytes} {bytes}, {captures} captures") })
    };
    let sources: Value = card.crawls.iter().map(source).collect();
    let creator = |name: &String| json!({ "title": name, "roles": ["creator"] });
    without_nulls(json!({
        "$schema": PROFILE,
        "name": card.details.name(),
        "title": card.details.title(),
        "description": card.description(),
        "created": format!("{}T00:00:00Z", card.published()),
        "keywords": super::KEYWORDS,
        "licenses": [license],
        "sources": sources,
        "resources": resources,
        "citation": card.citation(),
        "contributors": card.details.creators(creator),
        "homepage": card.details.url,
        "version": card.details.dataset_version,
    }))
}

fn resource(described: &DescribedTable, card: &Card) -> Value {
    let table = described.table;
    let files = &described.files;
    let places = files.iter().map(|file| card.details.place(&file.path));
    let places: Vec<String> = places.collect();
    let mut resource = json!({
        "name": table.name,
        "type": "table",
        "description": described.description(),
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "schema": schema(table, card),
    });
    if let [file] = files.as_slice() {
        resource["path"] = places[0].as_str().into();
        resource["bytes"] = file.bytes.into();
        resource["hash"] = format!("sha256:{}", file.sha256).into();
    } else {
        let parts = files.iter().zip(&places).map(|(file, place)| {
            let hash = format!("sha256:{}", file.sha256);
            json!({ "path": place, "bytes": file.bytes, "hash": hash })
        });
        resource["parts"] = parts.collect();
        resource["bytes"] = files.iter().map(|file| file.bytes).sum::<u64>().into();
        resource["path"] = places.into();
    }
    resource
}

/// The schema of a table, without the partition, which is not a column of the files.
fn schema(table: &Table, card: &Card) -> Value {
    let in_files = columns(table).filter(|column| !column.is_partition);
    let fields: Value = in_files.map(|column| field(&column)).collect();
    let mut foreign = Vec::new();
    for (other, key) in [("files", "file_id"), ("policies", "policy_id")] {
        let is_there = card.tables.iter().any(|it| it.table.name == other);
        let refers = other != table.name && table.schema.field_with_name(key).is_ok();
        if is_there && refers {
            let reference = json!({ "resource": other, "fields": [key] });
            foreign.push(json!({ "fields": [key], "reference": reference }));
        }
    }
    without_nulls(json!({
        "fields": fields,
        "primaryKey": key(table).map(|key| [key]),
        "foreignKeys": (!foreign.is_empty()).then_some(foreign),
    }))
}

fn field(column: &Column<'_>) -> Value {
    without_nulls(json!({
        "name": column.name,
        "type": data_type(&column.data_type),
        "description": meaning(column),
        "format": (column.data_type == DataType::Binary).then_some("binary"),
        "constraints": (!column.is_nullable).then(|| json!({ "required": true })),
    }))
}

fn data_type(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Int64 | DataType::Int32 => "integer",
        DataType::Float64 => "number",
        DataType::Boolean => "boolean",
        DataType::List(_) => "array",
        DataType::Date32 => "date",
        DataType::Timestamp(..) => "datetime",
        _ => "string",
    }
}
