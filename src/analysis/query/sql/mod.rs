//! SQL as text: where its statements end, and values written as literals.

mod literal;

pub use literal::{text, typed, value};

/// The statements of a script, without the `;` between them; pieces without any SQL are left out.
///
/// Tokens follow DuckDB's parser, which is PostgreSQL's: `'…'`, `E'…'`, `"…"`, `$tag$…$tag$`, `--`
/// comments, nested `/* */` comments.
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
                    b'\'' => text_end(bytes, at, is_escape_string(bytes, at)),
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

/// A statement on one line, with the same meaning: without comments, and with escapes for the line
/// ends of its texts.
///
/// DuckDB's shell takes a line as a command of its own if it begins with a dot and the shell
/// believes that a statement has ended. Its idea of where statements end is not the parser's: it
/// does not know the escapes of `E'…'`. So only the first character of what is returned begins a
/// line.
///
/// # Errors
/// Why the statement cannot be given to DuckDB.
pub fn one_line(statement: &str) -> Result<String, String> {
    let bytes = statement.as_bytes();
    if bytes.contains(&0) {
        return Err("SQL has no NUL characters".to_owned());
    }
    let mut line = String::with_capacity(statement.len());
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'-' if bytes[at..].starts_with(b"--") => {
                line.push(' ');
                at = line_end(bytes, at);
                continue;
            }
            b'/' if bytes[at..].starts_with(b"/*") => {
                line.push(' ');
                at = block_comment_end(bytes, at);
                continue;
            }
            b'\'' => text_end(bytes, at, is_escape_string(bytes, at)),
            b'"' => quoted_end(bytes, at, b'"', false),
            b'$' => dollar_quoted_end(bytes, at),
            byte if byte.is_ascii_whitespace() => {
                line.push(' ');
                at += 1;
                continue;
            }
            _ => {
                let rest = &bytes[at + 1..];
                let plain = rest
                    .iter()
                    .take_while(|byte| !b"-/'\"$ \n\r\t\x0c".contains(byte));
                at + 1 + plain.count()
            }
        };
        let piece = &statement[at..end];
        match bytes[at] {
            b'\'' if piece.contains(['\n', '\r']) => {
                let is_escaped = is_escape_string(bytes, at);
                let piece = if is_escaped {
                    piece.to_owned()
                } else {
                    format!("E{}", piece.replace('\\', "\\\\"))
                };
                line.push_str(&piece.replace('\n', "\\n").replace('\r', "\\r"));
            }
            b'"' if piece.contains(['\n', '\r']) => {
                return Err("a name in quotes has no line end".to_owned());
            }
            b'$' if end > at + 1 => {
                let tag = piece[1..].find('$').map_or(0, |length| length + 2);
                let text = piece.get(tag..piece.len() - tag).unwrap_or_default();
                line.push_str(&one_line(&literal::text(text))?);
            }
            _ => line.push_str(piece),
        }
        at = end;
    }
    Ok(line.trim().to_owned())
}

/// Why a statement of SQL that another person may have written is not run; none if it is.
///
/// DuckDB is locked against other files and extensions (see [`Scope`](super::Scope)). These
/// statements could still replace the files that it may read.
pub fn refusal(statement: &str) -> Option<String> {
    if statement.starts_with('.') {
        let command: String = statement.chars().take(40).collect();
        return Some(format!(
            "{command}: this is a command of DuckDB's shell; robostat runs SQL only"
        ));
    }
    let mut words = words(statement);
    let first = words.next()?;
    let is_refused = |word: &String| REFUSED.contains(&word.as_str());
    let refused = match first.as_str() {
        "explain" => words.find(is_refused)?,
        _ => Some(first).filter(is_refused)?,
    };
    Some(format!(
        "{} is refused: SQL reads the dataset and writes nothing. Write the result with --output, or \
         run DuckDB yourself on the dataset's views.sql",
        refused.to_ascii_uppercase()
    ))
}

/// What statements begin with that write or read files as a whole, load programs, or run a
/// statement that another one names.
const REFUSED: [&str; 11] = [
    "attach",
    "checkpoint",
    "copy",
    "detach",
    "execute",
    "export",
    "force",
    "import",
    "install",
    "load",
    "prepare",
];

/// The words of SQL in lower case: names and keywords, those in quotes too, those in comments not.
pub(super) fn words(sql: &str) -> impl Iterator<Item = String> {
    let bytes = sql.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    // The end of a string, which contains no comments.
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

/// Where a text in single quotes ends: a doubled quote is part of it.
fn text_end(bytes: &[u8], start: usize, has_escapes: bool) -> usize {
    let mut end = quoted_end(bytes, start, b'\'', has_escapes);
    while bytes.get(end) == Some(&b'\'') {
        end = quoted_end(bytes, end, b'\'', has_escapes);
    }
    end
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
    fn a_statement_is_one_line_with_the_same_texts() {
        for (statement, expected) in [
            ("SELECT 1 -- a\n.shell x\n, 2", "SELECT 1  .shell x , 2"),
            ("a /* \n.x */ b\r\n.c", "a   b  .c"),
            ("'a\n.x ''\\'", "E'a\\n.x ''\\\\'"),
            ("E'\\';\n.x'", "E'\\';\\n.x'"),
            ("$t$it's\n.x$t$", "E'it''s\\n.x'"),
            ("$$x$$ $1", "'x' $1"),
            ("'it''s' ü", "'it''s' ü"),
        ] {
            assert_eq!(one_line(statement).as_deref(), Ok(expected));
        }
        assert!(one_line("\"a\n.x\"").is_err());
        assert!(one_line("SELECT '\0'").is_err());
    }

    #[test]
    fn statements_that_write_are_refused() {
        for statement in [
            ".shell x",
            "copy t to 'x'",
            "EXPLAIN ANALYZE COPY t TO 'x'",
            "explain (format json, analyze) copy t to 'x'",
            "/* c */ Attach 'x'",
            "PREPARE p AS COPY t TO 'x'",
        ] {
            assert!(refusal(statement).is_some(), "{statement}");
        }
        for statement in [
            "SELECT 'copy'",
            "EXPLAIN SELECT 1",
            "CREATE TABLE copy(a INTEGER)",
        ] {
            assert_eq!(refusal(statement), None, "{statement}");
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
