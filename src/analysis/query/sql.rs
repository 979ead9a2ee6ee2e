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

/// A doubled quote ends a string and begins the next at once, which comes to the same.
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
}
