//! What `inspect --json` prints: one object.
//!
//! Names and values are the same as in the tables. `capture` has the columns of `captures`,
//! `counts` the counts of `files`; the other columns of `files` are at the top level.

use serde_json::{Value, json};

use super::exchange::Exchange;
use super::parsed::{ParsedFile, ReadLine};

/// The object. The fields about a file are left out if a capture has none.
pub(super) fn value(
    name: &str,
    exchange: Option<&Exchange<'_>>,
    parsed: Option<&ParsedFile<'_>>,
) -> Value {
    let mut object = json!({ "source": name });
    if let Some(exchange) = exchange {
        object["capture"] = exchange.row(parsed.map(|parsed| parsed.ids)).into();
        object["warc_fields"] = exchange
            .warc_fields()
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        object["http_headers"] = exchange
            .http_headers()
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
    }
    if let Some(parsed) = parsed {
        for (column, value) in &parsed.file {
            if column.starts_with("n_") {
                object["counts"][column] = value.clone();
            } else {
                object[column] = value.clone();
            }
        }
        object["content_length"] = parsed.content_length.into();
        object["groups"] = json!(parsed.rows.groups);
        object["agents"] = json!(parsed.rows.agents);
        object["directives"] = json!(parsed.rows.directives);
        object["preferences"] = json!(parsed.rows.preferences);
        object["effective_preferences"] = json!(parsed.rows.effective_preferences);
        object["sitemaps"] = json!(parsed.rows.sitemaps);
        object["lines"] = parsed.lines.iter().map(line).collect();
    }
    object
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
