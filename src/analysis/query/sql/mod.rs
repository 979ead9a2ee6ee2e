//! SQL as text: where its statements end, and values written as literals.

mod literal;

pub(crate) use crate::dataset::{list_of_texts, literal as text};
pub use literal::{typed, value};

/// The statements of a script, without the `;` between them; pieces without any SQL are left out.
pub fn statements(script: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut end) = (Vec::new(), 0, 0);
    for token in tokens(script) {
        if token.text == ";" {
            pieces.push(script[start..end].trim());
            start = end + 1;
        }
        end += token.text.len();
    }
    pieces.push(script[start..].trim());
    pieces.retain(|piece| tokens(piece).any(|token| token.kind != Kind::Gap));
    pieces
}

/// A statement on one line, with the same meaning: without comments, and with escapes for the line
/// ends of its texts.
///
/// DuckDB's shell reads a line as a shell command if it begins with a dot and the shell believes
/// that a statement has ended. The shell's idea of where statements end differs from the parser's:
/// it does not know the escapes of `E'…'`. So only the first character of the returned text begins
/// a line. The error is the reason why the statement cannot be given to DuckDB.
pub fn one_line(statement: &str) -> Result<String, String> {
    if statement.contains('\0') {
        return Err("SQL cannot have NUL characters".to_owned());
    }
    let mut line = String::with_capacity(statement.len());
    for Token { kind, text } in tokens(statement) {
        let has_line_end = text.contains(['\n', '\r']);
        match kind {
            Kind::Gap => line.push(' '),
            Kind::Name if has_line_end => {
                return Err("a quoted name cannot have a line end".to_owned());
            }
            Kind::Text { has_escapes } if has_line_end => {
                let text = if has_escapes {
                    text.to_owned()
                } else {
                    format!("E{}", text.replace('\\', "\\\\"))
                };
                line.push_str(&text.replace('\n', "\\n").replace('\r', "\\r"));
            }
            Kind::DollarText => {
                let tag = text[1..].find('$').map_or(0, |length| length + 2);
                let text = text.get(tag..text.len() - tag).unwrap_or_default();
                line.push_str(&one_line(&self::text(text))?);
            }
            _ => line.push_str(text),
        }
    }
    Ok(line.trim().to_owned())
}

/// The reason for refusing a statement, which another person may have written; `None` if it may
/// run.
///
/// DuckDB is locked against other files and extensions (see [`Scope`](super::Scope)). The refused
/// statements could still replace the files that DuckDB may read.
pub fn refusal(statement: &str) -> Option<String> {
    if statement.starts_with('.') {
        let command: String = statement.chars().take(40).collect();
        return Some(format!(
            "{command}: this is a command of DuckDB's shell; robostat runs SQL only"
        ));
    }
    let mut words = words(statement);
    let first = words.next()?;
    let is_refused = |word: &String| REFUSED.split(' ').any(|it| it == word);
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

/// Statements that write or read whole files, load programs, or run a prepared statement.
const REFUSED: &str =
    "attach checkpoint copy detach execute export force import install load prepare";

/// The words of SQL in lower case: names and keywords, also in quotes, but not in comments.
pub(super) fn words(sql: &str) -> impl Iterator<Item = String> {
    let pieces = tokens(sql).filter(|token| token.kind != Kind::Gap);
    let is_sign = |it| u8::try_from(it).is_ok_and(|byte| !is_of_word(byte));
    let words = pieces.flat_map(move |token| token.text.split(is_sign));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
}

/// Whether a statement has rows that another may select from: `SELECT`, `DESCRIBE` and the like,
/// not `COPY` or `EXPLAIN`.
pub fn has_rows(statement: &str) -> bool {
    const WORDS: &str = "select from with values table describe desc show summarize pivot unpivot";
    let first = tokens(statement).find(|token| token.kind != Kind::Gap && token.text != "(");
    let first = first.map_or("", |token| token.text);
    WORDS.split(' ').any(|it| first.eq_ignore_ascii_case(it))
}

struct Token<'s> {
    kind: Kind,
    text: &'s str,
}

#[derive(PartialEq)]
enum Kind {
    /// Space, `-- …` with its line end, or `/* … */`.
    Gap,
    /// `'…'`; with escapes after an `E`, which is a separate word.
    Text {
        has_escapes: bool,
    },
    Name,
    /// `$tag$…$tag$`.
    DollarText,
    /// A name, a keyword, a number or a sign.
    Word,
}

/// The tokens of SQL; together they are the whole text. They follow DuckDB's parser, which is
/// PostgreSQL's.
fn tokens(sql: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = sql;
    let mut is_after_e = false;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let first = *bytes.first()?;
        let end_of = |is_part: fn(u8) -> bool| {
            let end = bytes.iter().position(|&it| !is_part(it));
            end.unwrap_or(bytes.len())
        };
        let (kind, end) = match first {
            _ if first.is_ascii_whitespace() => (Kind::Gap, end_of(|it| it.is_ascii_whitespace())),
            b'-' if bytes.starts_with(b"--") => (Kind::Gap, line_end(bytes)),
            b'/' if bytes.starts_with(b"/*") => (Kind::Gap, block_comment_end(bytes)),
            b'\'' => {
                let has_escapes = is_after_e;
                (Kind::Text { has_escapes }, text_end(bytes, has_escapes))
            }
            b'"' => (Kind::Name, quoted_end(bytes, 0, false)),
            b'$' => match dollar_text_end(bytes) {
                Some(end) => (Kind::DollarText, end),
                None => (Kind::Word, 1),
            },
            _ => (Kind::Word, end_of(is_of_word).max(1)),
        };
        let (text, after) = rest.split_at(end);
        is_after_e = text.eq_ignore_ascii_case("e");
        rest = after;
        Some(Token { kind, text })
    })
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn line_end(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).map_or(bytes.len(), |length| length + 1)
}

fn block_comment_end(bytes: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
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

/// The end of a text in single quotes: a doubled quote is part of it.
fn text_end(bytes: &[u8], has_escapes: bool) -> usize {
    let mut end = 0;
    while bytes.get(end) == Some(&b'\'') {
        end = quoted_end(bytes, end, has_escapes);
    }
    end
}

/// The end of a quoted text. A doubled quote is taken as the end of one text and the beginning of
/// the next, which gives the same end.
fn quoted_end(bytes: &[u8], start: usize, has_escapes: bool) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if has_escapes => at += 2,
            byte if byte == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of `$tag$…$tag$`; `None` for a parameter such as `$1`, or a stray sign.
fn dollar_text_end(bytes: &[u8]) -> Option<usize> {
    let open = 1 + bytes[1..].iter().take_while(|&&it| is_of_word(it)).count();
    if bytes.get(open) != Some(&b'$') || bytes[1].is_ascii_digit() {
        return None;
    }
    let quote = &bytes[..=open];
    let length = memchr::memmem::find(&bytes[open + 1..], quote);
    Some(length.map_or(bytes.len(), |length| open + 1 + length + quote.len()))
}
