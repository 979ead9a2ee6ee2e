//! Values written as literals of SQL.

use serde_json::Value;

use crate::dataset::literal as text;

/// A parameter's value as a literal: JSON is taken by its type, `[a, b]` as a list, whatever else
/// as text.
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
/// are lists of names.
///
/// Fails where the value is not of the type: what would be.
pub fn typed(value: &str, sql_type: &str) -> Result<String, String> {
    let value = value.trim();
    if !sql_type.ends_with("[]") {
        return scalar(&plain(value), sql_type);
    }
    let bracketed = if value.starts_with('[') {
        value.to_owned()
    } else {
        format!("[{value}]")
    };
    match list(&bracketed)? {
        (list, rest) if rest.trim().is_empty() => literal_of(&list, sql_type),
        (_, rest) => Err(format!("after the list stands {}", rest.trim())),
    }
}

/// A value as typed: text, or a list.
enum Item {
    Text(String),
    List(Vec<Self>),
}

/// A list in brackets, and what follows it.
fn list(text: &str) -> Result<(Item, &str), String> {
    let mut rest = text.strip_prefix('[').unwrap_or(text).trim_start();
    let mut items = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix(']') {
            return Ok((Item::List(items), after));
        }
        if rest.starts_with('[') {
            let (item, after) = list(rest)?;
            items.push(item);
            rest = after.trim_start();
        } else {
            let end = rest.find([',', ']']).unwrap_or(rest.len());
            items.push(Item::Text(plain(&rest[..end])));
            rest = &rest[end..];
        }
        rest = match rest.strip_prefix(',') {
            Some(after) => after.trim_start(),
            None if rest.starts_with(']') => rest,
            None => return Err("a list ends with ]".to_owned()),
        };
    }
}

/// Text without the space around it, and without quotes.
fn plain(text: &str) -> String {
    let text = text.trim();
    ['"', '\'']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote))
        .unwrap_or(text)
        .to_owned()
}

fn literal_of(item: &Item, sql_type: &str) -> Result<String, String> {
    match (item, sql_type.strip_suffix("[]")) {
        (Item::List(items), Some(inner)) => {
            // [a, b] where a list of lists is wanted is one of them.
            let is_one =
                inner.ends_with("[]") && items.iter().all(|it| matches!(it, Item::Text(_)));
            let literals = if is_one {
                vec![literal_of(item, inner)?]
            } else {
                let literals = items.iter().map(|item| literal_of(item, inner));
                literals.collect::<Result<_, _>>()?
            };
            Ok(format!("[{}]::{sql_type}", literals.join(", ")))
        }
        (Item::Text(_), Some(inner)) => Ok(format!("[{}]::{sql_type}", literal_of(item, inner)?)),
        (Item::List(_), None) => Err("one value is wanted, not a list".to_owned()),
        (Item::Text(value), None) => scalar(value, sql_type),
    }
}

fn scalar(value: &str, sql_type: &str) -> Result<String, String> {
    let is_right = match sql_type {
        // They count something, all of them.
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
        return Err(format!("{wanted} is wanted, not {value}"));
    }
    Ok(match sql_type {
        "INTEGER" | "BIGINT" | "DOUBLE" | "BOOLEAN" => format!("{value}::{sql_type}"),
        "DATE" | "TIMESTAMPTZ" => format!("{}::{sql_type}", text(value)),
        _ => text(value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    #[test]
    fn cases() {
        check(file!(), |question, [text, sql_type, _]| match question {
            "value" => value(text),
            "parameter" => typed(text, sql_type).unwrap_or_else(|problem| problem),
            _ => panic!("{question}"),
        });
    }
}
