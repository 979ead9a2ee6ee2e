//! What `inspect --json` prints: one object.
//!
//! Names and values are the same as in the tables. `capture` has the columns of `captures`,
//! `counts` the counts of `files`; the other columns of `files` are at the top level.

use serde_json::{Map, Value, json};

use super::exchange::Exchange;
use super::parsed::{ParsedFile, ReadLine};

/// The object. The fields about a file are left out if a capture has none.
pub(super) fn value(
    name: &str,
    exchange: Option<&Exchange<'_>>,
    parsed: Option<&ParsedFile<'_>>,
) -> Value {
    let mut object = Map::new();
    object.insert("source".to_owned(), name.into());
    if let Some(exchange) = exchange {
        let capture = exchange.row(parsed.map(|parsed| parsed.ids));
        object.insert("capture".to_owned(), capture.into());
        let warc_fields: Vec<Value> = exchange
            .warc_fields()
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        object.insert("warc_fields".to_owned(), warc_fields.into());
        let headers: Vec<Value> = exchange
            .http_headers()
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        object.insert("http_headers".to_owned(), headers.into());
    }
    if let Some(parsed) = parsed {
        add(&mut object, parsed);
    }
    object.into()
}

fn add(object: &mut Map<String, Value>, parsed: &ParsedFile<'_>) {
    let mut counts = Map::new();
    for (column, value) in &parsed.file {
        if column.starts_with("n_") {
            counts.insert(column.clone(), value.clone());
        } else {
            object.insert(column.clone(), value.clone());
        }
    }
    object.insert("counts".to_owned(), counts.into());
    object.insert("content_length".to_owned(), parsed.content_length.into());
    object.insert("groups".to_owned(), parsed.groups.clone().into());
    object.insert("agents".to_owned(), parsed.agents.clone().into());
    object.insert("directives".to_owned(), parsed.directives.clone().into());
    object.insert("preferences".to_owned(), parsed.preferences.clone().into());
    let effective = parsed.effective_preferences.clone();
    object.insert("effective_preferences".to_owned(), effective.into());
    object.insert("sitemaps".to_owned(), parsed.sitemaps.clone().into());
    let lines: Vec<Value> = parsed.lines.iter().map(line).collect();
    object.insert("lines".to_owned(), lines.into());
}

fn line(read: &ReadLine<'_>) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let line = &read.line;
    let is_directive = !matches!(read.kind, "nothing" | "comment" | "blank");
    let remarks: Vec<&str> = read.remarks.iter().map(|kind| kind.name()).collect();
    json!({
        "number": line.number,
        "kind": read.kind,
        "key": is_directive.then(|| text(line.key)),
        "value": is_directive.then(|| text(line.value)),
        "text": text(line.text),
        "group": read.group,
        "path": read.path.as_deref().map(text),
        "is_dead": read.is_dead,
        "remarks": remarks,
        "typo": read.is_typo,
        "missing_colon": is_directive && line.is_missing_colon,
        "too_long": line.is_too_long,
    })
}
