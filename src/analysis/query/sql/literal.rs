//! Values written as literals of SQL.

use serde_json::Value;

use crate::dataset::literal as text;

/// A parameter's value as a literal: JSON is read by its type, `[a, b]` as a list, anything else as
/// text.
pub fn value(typed: &str) -> String {
    if let Ok(value) = serde_json::from_str::<Value>(typed) {
        return literal(&value).unwrap_or_else(|| text(typed));
    }
    match typed
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'))
    {
        Some(list) => {
            let items: Vec<String> = list.split(',').map(|item| value(item.trim())).collect();
            format!("[{}]", items.join(", "))
        }
        None => text(typed),
    }
}

fn literal(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "NULL".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(string) => text(string),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(literal).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Object(_) => return None,
    })
}

/// The value of a shipped query's parameter as a literal of the parameter's type.
///
/// A list may be typed with or without brackets: `gptbot`, `gptbot,ccbot` and `["gptbot", "ccbot"]`
/// are lists of names. The error says what is expected.
pub fn typed(value: &str, sql_type: &str) -> Result<String, String> {
    let value = value.trim();
    if !sql_type.ends_with("[]") {
        return scalar(&plain(value), sql_type);
    }
    let bracketed = match value.strip_prefix('[') {
        Some(_) => value,
        None => &format!("[{value}]"),
    };
    match list(bracketed)? {
        (list, rest) if rest.trim().is_empty() => literal_of(&list, sql_type),
        (_, rest) => Err(format!("unexpected text after the list: {}", rest.trim())),
    }
}

/// A list in brackets, whose values are texts and lists, and what follows it.
fn list(text: &str) -> Result<(Value, &str), String> {
    let mut rest = text.strip_prefix('[').unwrap_or(text).trim_start();
    let mut items = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix(']') {
            return Ok((Value::Array(items), after));
        }
        if rest.starts_with('[') {
            let (item, after) = list(rest)?;
            items.push(item);
            rest = after.trim_start();
        } else {
            let end = rest.find([',', ']']).unwrap_or(rest.len());
            items.push(Value::String(plain(&rest[..end])));
            rest = &rest[end..];
        }
        rest = match rest.strip_prefix(',') {
            Some(after) => after.trim_start(),
            None if rest.starts_with(']') => rest,
            None => return Err("the list has no ] at its end".to_owned()),
        };
    }
}

fn plain(text: &str) -> String {
    let text = text.trim();
    let unquoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    let inner = unquoted('"').or_else(|| unquoted('\''));
    inner.unwrap_or(text).to_owned()
}

fn literal_of(item: &Value, sql_type: &str) -> Result<String, String> {
    let Some(inner) = sql_type.strip_suffix("[]") else {
        let value = item.as_str().ok_or("expected one value, not a list")?;
        return scalar(value, sql_type);
    };
    let literals = match item {
        // Where a list of lists is expected, [a, b] is one of its lists.
        Value::Array(items) if !inner.ends_with("[]") || items.iter().any(Value::is_array) => {
            let literals = items.iter().map(|item| literal_of(item, inner));
            literals.collect::<Result<Vec<_>, _>>()?.join(", ")
        }
        one => literal_of(one, inner)?,
    };
    Ok(format!("[{literals}]::{sql_type}"))
}

fn scalar(value: &str, sql_type: &str) -> Result<String, String> {
    let is_right = match sql_type {
        // All such parameters are counts.
        "INTEGER" => value.parse::<i32>().is_ok_and(|number| number >= 0),
        "BIGINT" => value.parse::<i64>().is_ok_and(|number| number >= 0),
        "DOUBLE" => value.parse::<f64>().is_ok_and(f64::is_finite),
        "BOOLEAN" => matches!(value, "true" | "false"),
        "DATE" | "TIMESTAMPTZ" => value.starts_with(|first: char| first.is_ascii_digit()),
        _ => true,
    };
    if !is_right {
        let wanted = match sql_type {
            "INTEGER" => "a whole number from 0 to 2147483647",
            "BIGINT" => "a whole number from 0 to 9223372036854775807",
            "DOUBLE" => "a number",
            "BOOLEAN" => "true or false",
            _ => "a date such as 2026-01-31",
        };
        return Err(format!("expected {wanted}, not {value}"));
    }
    Ok(match sql_type {
        "INTEGER" | "BIGINT" | "DOUBLE" | "BOOLEAN" => format!("{value}::{sql_type}"),
        "DATE" | "TIMESTAMPTZ" => format!("{}::{sql_type}", text(value)),
        _ => text(value),
    })
}
