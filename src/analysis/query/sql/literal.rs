//! Values written as literals of SQL.

use chrono::NaiveDate;
use serde_json::Value;

use crate::dataset::literal as text;

/// A parameter's value as a literal: one of JSON's values by its type, `[a, b]` as a list, anything
/// else as text. Objects are text, also in lists.
pub fn value(typed: &str) -> String {
    match list(typed.trim(), MAX_DEPTH) {
        Ok((list, "")) if !typed.contains('{') => untyped(&list),
        _ => untyped(&Item::One(typed)),
    }
}

fn untyped(item: &Item<'_>) -> String {
    let one = match item {
        Item::List(items) => {
            let items: Vec<String> = items.iter().map(untyped).collect();
            return format!("[{}]", items.join(", "));
        }
        Item::One(one) => one,
    };
    match serde_json::from_str(one) {
        Ok(Value::Null) => "NULL".to_owned(),
        Ok(Value::Bool(value)) => value.to_string(),
        // DuckDB would round a longer integer.
        Ok(Value::Number(_)) if one.contains(['.', 'e', 'E']) || is_hugeint(one) => {
            one.trim().to_owned()
        }
        Ok(Value::String(string)) => text(&string),
        _ => text(one),
    }
}

fn is_hugeint(number: &str) -> bool {
    number.trim().parse::<i128>().is_ok()
}

/// The value of a shipped query's parameter as a literal of the parameter's type.
///
/// A list may be typed with or without brackets: `gptbot`, `gptbot,ccbot` and `["gptbot", "ccbot"]`
/// are lists of names. The error says what is expected.
pub fn typed(value: &str, sql_type: &str) -> Result<String, String> {
    let value = value.trim();
    if !sql_type.ends_with("[]") {
        return scalar(plain(value), sql_type);
    }
    let bracketed = match value.strip_prefix('[') {
        Some(_) => value,
        None => &format!("[{value}]"),
    };
    match list(bracketed, MAX_DEPTH)? {
        (list, "") => literal_of(&list, sql_type),
        (_, rest) => Err(format!("unexpected text after the list: {rest}")),
    }
}

/// Lists in lists that a value may have; the parser calls itself for each.
const MAX_DEPTH: usize = 8;

enum Item<'t> {
    /// As it was typed, in quotes or not.
    One(&'t str),
    List(Vec<Self>),
}

/// A list in brackets, and what follows it.
fn list(text: &str, max_depth: usize) -> Result<(Item<'_>, &str), String> {
    let mut rest = text.strip_prefix('[').ok_or("a list begins with [")?;
    if max_depth == 0 {
        return Err(format!("lists are at most {MAX_DEPTH} deep"));
    }
    let mut items = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(']') {
            return Ok((Item::List(items), after.trim_start()));
        }
        if rest.starts_with('[') {
            let (item, after) = list(rest, max_depth - 1)?;
            items.push(item);
            rest = after;
        } else {
            let quoted = quoted_end(rest).unwrap_or(0);
            let end = rest[quoted..].find([',', ']']);
            let (item, after) = rest.split_at(end.map_or(rest.len(), |length| quoted + length));
            items.push(Item::One(item.trim_end()));
            rest = after;
        }
        rest = match rest.strip_prefix(',') {
            Some(after) => after,
            None if rest.starts_with(']') => rest,
            None => return Err("the list has no ] at its end".to_owned()),
        };
    }
}

/// The end of the text in quotes that a text begins with. A backslash escapes, as in JSON.
fn quoted_end(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let mut is_escaped = true;
    let end = text.find(|it| {
        let is_end = it == quote && !is_escaped;
        is_escaped = it == '\\' && !is_escaped;
        is_end
    });
    end.map(|end| end + 1)
}

/// A value without its quotes.
pub fn plain(text: &str) -> &str {
    let text = text.trim();
    let unquoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    let inner = unquoted('"').or_else(|| unquoted('\''));
    inner.unwrap_or(text)
}

fn literal_of(item: &Item<'_>, sql_type: &str) -> Result<String, String> {
    let Some(inner) = sql_type.strip_suffix("[]") else {
        return match item {
            Item::One(value) => scalar(plain(value), sql_type),
            Item::List(_) => Err("expected one value, not a list".to_owned()),
        };
    };
    let literals = match item {
        // Where a list of lists is expected, [a, b] is one of its lists.
        Item::List(items)
            if !inner.ends_with("[]") || items.iter().any(|it| matches!(it, Item::List(_))) =>
        {
            let literals = items.iter().map(|item| literal_of(item, inner));
            literals.collect::<Result<Vec<_>, _>>()?.join(", ")
        }
        one => literal_of(one, inner)?,
    };
    Ok(format!("[{literals}]::{sql_type}"))
}

fn scalar(value: &str, sql_type: &str) -> Result<String, String> {
    let is_date = |text: &str| {
        text.starts_with(|it: char| it.is_ascii_digit()) && text.parse::<NaiveDate>().is_ok()
    };
    // A month, as answers have it, is its first day.
    let first_day = format!("{value}-01");
    let is_right = match sql_type {
        // All such parameters are counts.
        "INTEGER" => value.parse::<i32>().is_ok_and(|number| number >= 0),
        "BIGINT" => value.parse::<i64>().is_ok_and(|number| number >= 0),
        "DOUBLE" => value.parse::<f64>().is_ok_and(f64::is_finite),
        "BOOLEAN" => matches!(value, "true" | "false"),
        "DATE" if is_date(&first_day) => return Ok(format!("{}::DATE", text(&first_day))),
        // A time may follow.
        "DATE" | "TIMESTAMPTZ" => value.split([' ', 'T']).next().is_some_and(is_date),
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
