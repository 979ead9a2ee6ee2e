//! SQL as text: where its statements end, and values written as literals.

mod literal;

pub use literal::{text, typed, value};

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
