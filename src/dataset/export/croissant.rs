//! Croissant 1.1, the metadata format of MLCommons on top of schema.org: JSON-LD that Hugging Face,
//! Kaggle, Dataverse and Google's search for datasets read.
//!
//! Source: <https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html>. Every part is a
//! FileObject with its size and SHA-256, every table a FileSet of its parts and a RecordSet of its
//! columns. Fields have no `references`, because readers would join the tables on them: the
//! description of the dataset lists the columns that refer to other tables.

use arrow_schema::DataType;
use serde_json::{Value, json};

use super::{Card, DescribedTable, day, key, meaning, without_nulls};
use crate::dataset::tables::describe::{Column, columns};

const CONFORMS_TO: &str = "http://mlcommons.org/croissant/1.1";
/// The media type that readers of the format know Parquet by.
const PARQUET: &str = "application/x-parquet";
const KEYS: &str = "captures.file_id refers to files, files.policy_id and captures.policy_id to \
                    policies; every other table refers to one of these by the column of that name.";

/// The context that the format recommends, and PROV-O for how the dataset was made.
const CONTEXT: &str = include_str!("croissant_context.json");

pub fn json(card: &Card) -> Value {
    let mut distribution = Vec::new();
    let mut record_sets = Vec::new();
    for described in &card.tables {
        for file in &described.files {
            distribution.push(json!({
                "@type": "cr:FileObject",
                "@id": file.path,
                "name": file.path,
                "contentUrl": card.details.place(&file.path),
                "contentSize": format!("{} B", file.bytes),
                "encodingFormat": PARQUET,
                "sha256": file.sha256,
            }));
        }
        distribution.push(file_set(described));
        record_sets.push(record_set(described));
    }
    let creator = |name: &String| json!({ "@type": "sc:Organization", "name": name });
    let coverage = card.period.map(|period| period.map(day).join("/"));
    let context: Value = serde_json::from_str(CONTEXT).expect("JSON");
    without_nulls(json!({
        "@context": context,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": card.details.name(),
        "description": format!("{} {KEYS}", card.description()),
        "license": card.details.license_url(),
        "keywords": super::KEYWORDS,
        "dateModified": day(card.last.committed_at),
        "datePublished": card.published(),
        "citeAs": card.citation(),
        "isLiveDataset": false,
        "prov:wasGeneratedBy": {
            "@type": "prov:Activity",
            "prov:label": card.making(),
            "prov:wasAssociatedWith": {
                "@type": "prov:SoftwareAgent",
                "prov:label": format!("robostat {}", card.last.robostat),
            },
        },
        "distribution": distribution,
        "recordSet": record_sets,
        "alternateName": card.details.title,
        "url": card.details.url,
        "version": card.details.dataset_version,
        "creator": card.details.creators(creator),
        "temporalCoverage": coverage,
    }))
}

/// The name of the FileSet of a table's parts; the RecordSet has the table's own name.
fn parts_of(described: &DescribedTable) -> String {
    format!("{}-parts", described.table.name)
}

/// The parts of a table, listed one by one: a pattern would also match a stray copy.
fn file_set(described: &DescribedTable) -> Value {
    let paths: Vec<&String> = described.files.iter().map(|file| &file.path).collect();
    json!({
        "@type": "cr:FileSet",
        "@id": parts_of(described),
        "name": parts_of(described),
        "description": format!("The Parquet files of the table {}.", described.table.name),
        "encodingFormat": PARQUET,
        "includes": paths,
    })
}

fn record_set(described: &DescribedTable) -> Value {
    let table = described.table;
    // The format's reader does not support lists of structs.
    let fields: Vec<Value> = columns(table)
        .filter(|column| is_text_list(&column.data_type) || !column.data_type.is_list())
        .map(|column| field(described, &column))
        .collect();
    without_nulls(json!({
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": described.description(),
        "field": fields,
        "key": key(table).map(|key| json!({ "@id": format!("{}/{key}", table.name) })),
    }))
}

fn field(described: &DescribedTable, column: &Column<'_>) -> Value {
    let parts = json!({ "@id": parts_of(described) });
    let source = if column.is_partition {
        // The whole path must match.
        let regex = format!(".*{}=([^/]+)/.*", column.name);
        json!({
            "fileSet": parts,
            "extract": { "fileProperty": "fullpath" },
            "transform": { "regex": regex },
        })
    } else {
        json!({ "fileSet": parts, "extract": { "column": column.name } })
    };
    let is_array = is_text_list(&column.data_type);
    without_nulls(json!({
        "@type": "cr:Field",
        "@id": format!("{}/{}", described.table.name, column.name),
        "name": column.name,
        "description": meaning(column),
        "dataType": data_type(&column.data_type),
        "source": source,
        "isArray": is_array.then_some(true),
        "arrayShape": is_array.then_some("-1"), // one dimension of any length
    }))
}

fn is_text_list(data_type: &DataType) -> bool {
    matches!(data_type, DataType::List(element) if *element.data_type() == DataType::Utf8)
}

fn data_type(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Int64 => "cr:Int64",
        DataType::Int32 => "cr:Int32",
        DataType::Float64 => "cr:Float64",
        DataType::Boolean => "sc:Boolean",
        DataType::Date32 => "sc:Date",
        DataType::Timestamp(..) => "sc:DateTime",
        // The format has no type for bytes, and its reader gives text as bytes.
        _ => "sc:Text",
    }
}
