//! SQL as text: where its statements end, and values written as literals.

use serde_json::Value;

/// The statements of a script, without the `;` between them; pieces without any SQL are left out.
///
/// Read as DuckDB's parser (that of PostgreSQL) reads: `'…'`, `E'…'`, `"…"`, `$tag$…$tag$`, `--`
/// comments, nested `/* */` comments.
#[must_use]
pub fn statements(script: &str) -> Vec<&str> {
    let bytes = script.as_bytes();
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    let mut has_sql = false;
    while at < bytes.len() {
        let after = match bytes[at] {
            b';' => {
                if has_sql {
                    found.push(script[start..at].trim());
                }
                (start, has_sql) = (at + 1, false);
                at += 1;
                continue;
            }
            b'-' if bytes[at..].starts_with(b"--") => line_end(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => block_comment_end(bytes, at),
            byte => {
                has_sql |= !byte.is_ascii_whitespace();
                match byte {
                    b'\'' => quoted_end(bytes, at, b'\'', is_escape_string(bytes, at)),
                    b'"' => quoted_end(bytes, at, b'"', false),
                    b'$' => dollar_quoted_end(bytes, at),
                    _ => at + 1,
                }
            }
        };
        at = after;
    }
    if has_sql {
        found.push(script[start..].trim());
    }
    found
}

/// The words of SQL in lower case: names and keywords, those in quotes too, those in comments not.
pub(super) fn words(sql: &str) -> impl Iterator<Item = String> {
    let bytes = sql.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    // Up to where a text reaches, in which there are no comments.
    let (mut at, mut text_end) = (0, 0);
    std::iter::from_fn(move || {
        loop {
            let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
            if is_word(&rest[0]) {
                let length = rest.iter().take_while(|byte| is_word(byte)).count();
                at += length;
                return Some(sql[at - length..at].to_ascii_lowercase());
            }
            let is_in_text = at < text_end;
            if !is_in_text && rest.starts_with(b"--") {
                at = line_end(bytes, at);
            } else if !is_in_text && rest.starts_with(b"/*") {
                at = block_comment_end(bytes, at);
            } else {
                if !is_in_text && rest[0] == b'\'' {
                    text_end = quoted_end(bytes, at, b'\'', is_escape_string(bytes, at));
                }
                at += 1;
            }
        }
    })
}

/// Whether a statement has rows that another may select from: `SELECT`, `DESCRIBE` and the like,
/// not `COPY` or `EXPLAIN`.
#[must_use]
pub fn has_rows(statement: &str) -> bool {
    let mut rest = statement.trim_start();
    loop {
        let bytes = rest.as_bytes();
        let after = match bytes {
            [b'-', b'-', ..] => line_end(bytes, 0),
            [b'/', b'*', ..] => block_comment_end(bytes, 0),
            [b'(', ..] => 1,
            _ => break,
        };
        rest = rest[after..].trim_start();
    }
    let end = rest
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    let word = rest[..end].to_ascii_uppercase();
    let words = [
        "SELECT",
        "FROM",
        "WITH",
        "VALUES",
        "TABLE",
        "DESCRIBE",
        "DESC",
        "SHOW",
        "SUMMARIZE",
        "PIVOT",
        "UNPIVOT",
    ];
    words.contains(&word.as_str())
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length + 1)
}

fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    let (mut depth, mut at) = (0_usize, start);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if bytes[at..].starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// Whether the quote at `at` follows an `E` that is a word of its own.
fn is_escape_string(bytes: &[u8], at: usize) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    match bytes[..at] {
        [.., before, b'e' | b'E'] => !is_word(&before),
        [b'e' | b'E'] => true,
        _ => false,
    }
}

/// Where a quoted text ends. A doubled quote is taken as the end of one text and the beginning of
/// the next, which gives the same end.
fn quoted_end(bytes: &[u8], start: usize, quote: u8, has_escapes: bool) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if has_escapes => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn dollar_quoted_end(bytes: &[u8], start: usize) -> usize {
    let is_tag = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let tag = bytes[start + 1..]
        .iter()
        .take_while(|o| is_tag(**o))
        .count();
    let open = start + 1 + tag;
    if bytes.get(open) != Some(&b'$') || bytes[start + 1].is_ascii_digit() {
        return start + 1; // a parameter such as $1, or a stray sign
    }
    let quote = &bytes[start..=open];
    memchr::memmem::find(&bytes[open + 1..], quote)
        .map_or(bytes.len(), |length| open + 1 + length + quote.len())
}

/// `text` as a literal.
#[must_use]
pub fn text(text: &str) -> String {
    // DuckDB has no byte 0 in SQL text.
    format!("'{}'", text.replace('\'', "''").replace('\0', ""))
}

/// A parameter's value as a literal: JSON is taken by its type, `[a, b]` as a list, whatever else
/// as text.
#[must_use]
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
/// # Errors
/// Where the value is not of the type: what would be.
pub fn typed(value: &str, sql_type: &str) -> Result<String, String> {
    let is_list = sql_type.ends_with("[]");
    let parsed = match (is_list, value.trim().starts_with('[')) {
        (true, true) => {
            let (list, rest) = list(value.trim())?;
            if !rest.trim().is_empty() {
                return Err(format!("after the list stands {}", rest.trim()));
            }
            list
        }
        (true, false) => Item::List(
            value
                .split(',')
                .map(|item| Item::Text(plain(item)))
                .collect(),
        ),
        (false, _) => Item::Text(plain(value)),
    };
    literal_of(&parsed, sql_type)
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
        "INTEGER" => value.parse::<i32>().is_ok(),
        "BIGINT" => value.parse::<i64>().is_ok(),
        "DOUBLE" => value.parse::<f64>().is_ok_and(f64::is_finite),
        "BOOLEAN" => matches!(value, "true" | "false"),
        "DATE" | "TIMESTAMPTZ" => value.starts_with(|first: char| first.is_ascii_digit()),
        _ => true,
    };
    if !is_right {
        let wanted = match sql_type {
            "INTEGER" | "BIGINT" => "a whole number",
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

    #[test]
    fn statements_end_at_semicolons_of_their_own() {
        assert_eq!(statements("a; b ;\n;"), ["a", "b"]);
        assert_eq!(statements("-- x; y\n"), Vec::<&str>::new());
        assert_eq!(statements("a -- ;\n, b; c"), ["a -- ;\n, b", "c"]);
        assert_eq!(
            statements("a /* ; /* ; */ ; */ b"),
            ["a /* ; /* ; */ ; */ b"]
        );
        assert_eq!(statements("';' ';''' \";\" x"), ["';' ';''' \";\" x"]);
        assert_eq!(statements(r"E'\';' x; b"), [r"E'\';' x", "b"]);
        assert_eq!(statements(r"'\'; b"), [r"'\'", "b"]);
        assert_eq!(statements("$$;$$ x; $t$;$$;$t$"), ["$$;$$ x", "$t$;$$;$t$"]);
        assert_eq!(statements("$1; $; '"), ["$1", "$", "'"]);
        assert_eq!(statements("/* "), Vec::<&str>::new());
        assert_eq!(statements("ü$ü$;$ü$;ü"), ["ü$ü$;$ü$", "ü"]);
    }

    #[test]
    fn values_have_the_type_that_they_look_like() {
        assert_eq!(value("30"), "30");
        assert_eq!(value("0.5"), "0.5");
        assert_eq!(value("true"), "true");
        assert_eq!(value("2026-01"), "'2026-01'");
        assert_eq!(value("\"2026\""), "'2026'");
        assert_eq!(value("it's"), "'it''s'");
        assert_eq!(value("['; DROP"), "'[''; DROP'");
        assert_eq!(value(r#"["gptbot", 'x']"#), "['gptbot', '''x''']");
        assert_eq!(value("[gptbot, ccbot]"), "['gptbot', 'ccbot']");
        assert_eq!(value(r#"{"a": 1}"#), r#"'{"a": 1}'"#);
        assert_eq!(value("[]"), "[]");
    }

    #[test]
    fn parameters_have_the_type_of_the_macro() {
        let list = "['gptbot', 'ccbot']::VARCHAR[]";
        for (value, sql_type, expected) in [
            ("30", "INTEGER", "30::INTEGER"),
            ("2026-01", "VARCHAR", "'2026-01'"),
            ("\"2026\"", "VARCHAR", "'2026'"),
            ("it's", "VARCHAR", "'it''s'"),
            ("2026-01-31", "DATE", "'2026-01-31'::DATE"),
            ("gptbot", "VARCHAR[]", "['gptbot']::VARCHAR[]"),
            ("gptbot, ccbot", "VARCHAR[]", list),
            ("[gptbot,ccbot]", "VARCHAR[]", list),
            ("[\"gptbot\", 'ccbot']", "VARCHAR[]", list),
            ("[]", "VARCHAR[]", "[]::VARCHAR[]"),
            ("[1, 10]", "BIGINT[]", "[1::BIGINT, 10::BIGINT]::BIGINT[]"),
            (
                "[a,b]",
                "VARCHAR[][]",
                "[['a', 'b']::VARCHAR[]]::VARCHAR[][]",
            ),
            (
                "[[a,b],[c,d]]",
                "VARCHAR[][]",
                "[['a', 'b']::VARCHAR[], ['c', 'd']::VARCHAR[]]::VARCHAR[][]",
            ),
        ] {
            assert_eq!(typed(value, sql_type).as_deref(), Ok(expected), "{value}");
        }
        for (value, sql_type) in [
            ("many", "INTEGER"),
            ("1.5", "INTEGER"),
            ("3); DROP VIEW hosts; --", "INTEGER"),
            ("yesterday", "DATE"),
            ("[a", "VARCHAR[]"),
            ("[a] b", "VARCHAR[]"),
            ("[1, x]", "BIGINT[]"),
            ("NaN", "DOUBLE"),
        ] {
            assert!(typed(value, sql_type).is_err(), "{value}");
        }
    }

    #[test]
    fn statements_with_rows_are_told_from_others() {
        for sql in [
            "from x",
            " -- a\n/* b */ (SELECT 1)",
            "Describe t",
            "WITH a AS (SELECT 1) FROM a",
        ] {
            assert!(has_rows(sql), "{sql}");
        }
        for sql in [
            "COPY t TO 'x'",
            "EXPLAIN SELECT 1",
            "CREATE TABLE t(a INTEGER)",
            "",
        ] {
            assert!(!has_rows(sql), "{sql}");
        }
    }
}
