//! SQL as text: where its statements end, and values written as literals.

mod literal;

pub(crate) use crate::dataset::{list_of_texts, literal as text};
pub use literal::{plain, typed, value};

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
    pieces.retain(|piece| self::pieces(piece).next().is_some());
    pieces
}

/// A statement on one line: without comments, and with escapes for the line endings of its texts.
///
/// DuckDB's shell reads a line as a shell command if it begins with a dot and the shell believes
/// that a statement has ended. Unlike the parser, the shell does not know the escapes of `E'…'`. So
/// only the first character of the returned text begins a line.
///
/// Versions of DuckDB disagree about tokens without a space between them, as in `1e'…'`, and take
/// more characters for spaces than SQL does. All of them find the tokens in the line that
/// [`refusal`] finds.
/// The error is the reason why the statement cannot be given to DuckDB.
pub fn one_line(statement: &str) -> Result<String, String> {
    if statement.contains('\0') {
        return Err("SQL cannot have NUL characters".to_owned());
    }
    let mut line = String::with_capacity(statement.len());
    for Token { kind, text } in tokens(statement) {
        match kind {
            Kind::Gap => line.push(' '),
            Kind::Open => return Err("a text in quotes has no end".to_owned()),
            Kind::Name if text.contains(LINE_ENDS) => {
                return Err("a quoted name cannot have a line end".to_owned());
            }
            Kind::Text { has_escapes: true } => line.push_str(&with_escapes(text)),
            Kind::Text { .. } => push_text(&mut line, text),
            Kind::DollarText => {
                let tag = text[1..].find('$').map_or(0, |length| length + 2);
                let text = text.get(tag..text.len() - tag).unwrap_or_default();
                push_text(&mut line, &self::text(text));
            }
            Kind::Word if text.len() > 1 && text.contains('$') => {
                line.extend(["\"", text, "\""]);
            }
            _ => line.push_str(text),
        }
    }
    Ok(line.trim().to_owned())
}

const LINE_ENDS: [char; 2] = ['\n', '\r'];

fn with_escapes(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// Adds a text without escapes, apart from a word or a text that it would be a part of.
fn push_text(line: &mut String, text: &str) {
    if line.ends_with(|last| is_of_word(last) || last == '\'') {
        line.push(' ');
    }
    if text.contains(LINE_ENDS) {
        line.push('E');
        line.push_str(&with_escapes(&text.replace('\\', "\\\\")));
    } else {
        line.push_str(text);
    }
}

/// The reason for refusing a statement, which another person may have written.
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
    let is_refused = |word: &str| REFUSED.split(' ').any(|it| word.eq_ignore_ascii_case(it));
    let mut words = words(statement);
    let first = words.next()?;
    let refused = match first.as_str() {
        "explain" | "pragma" => words.find(|it| is_refused(it))?,
        first if is_refused(first) => first.to_owned(),
        _ => {
            let pieces: Vec<&str> = pieces(statement).map(|it| it.text).collect();
            // DuckDB 2 runs `WITH x AS (COPY …)`.
            let mut bodies = pieces.windows(3).filter(|it| {
                it[1] == "(" && ["as", "materialized"].contains(&&*it[0].to_ascii_lowercase())
            });
            bodies.find(|it| is_refused(it[2]))?[2].to_owned()
        }
    };
    Some(format!(
        "{} is refused: SQL reads the dataset and writes nothing. Write the result with --output, or \
         run DuckDB yourself on the dataset's views.sql",
        refused.to_ascii_uppercase()
    ))
}

/// Statements that write or read whole files, load programs, or run a prepared statement.
const REFUSED: &str = "attach checkpoint copy detach execute export force import import_database \
                       install load prepare";

/// The words of SQL in lower case: names and keywords, also in quotes, but not in comments.
pub(super) fn words(sql: &str) -> impl Iterator<Item = String> {
    let words = pieces(sql).flat_map(|token| token.text.split(|it| !is_of_word(it)));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
}

/// Whether a statement has rows that another may select from: `SELECT`, `DESCRIBE` and the like,
/// not `COPY` or `EXPLAIN`.
pub fn has_rows(statement: &str) -> bool {
    const WORDS: &str = "select from with values table describe desc show summarize pivot unpivot";
    let first = pieces(statement).find(|token| token.text != "(");
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
    /// A text or a name whose quote has no end.
    Open,
    /// A name, a keyword, a number or a sign.
    Word,
}

/// The tokens of SQL without the gaps.
fn pieces(sql: &str) -> impl Iterator<Item = Token<'_>> {
    tokens(sql).filter(|token| token.kind != Kind::Gap)
}

/// The tokens of SQL; together they are the whole text. They follow DuckDB's parser, which is
/// PostgreSQL's.
fn tokens(sql: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = sql;
    let mut is_after_e = false;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let first = *bytes.first()?;
        let end_of = |is_part: fn(char) -> bool| rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        let open = (Kind::Open, rest.len());
        let (kind, end) = match first {
            _ if rest.starts_with(is_space) => (Kind::Gap, end_of(is_space)),
            b'-' if bytes.starts_with(b"--") => (Kind::Gap, line_end(bytes)),
            b'/' if bytes.starts_with(b"/*") => (Kind::Gap, block_comment_end(bytes)),
            b'\'' => {
                let has_escapes = is_after_e;
                let end = text_end(bytes, has_escapes);
                end.map_or(open, |end| (Kind::Text { has_escapes }, end))
            }
            b'"' => quoted_end(bytes, 0, false).map_or(open, |end| (Kind::Name, end)),
            b'$' => match dollar_quote(rest) {
                Some(quote) => {
                    let length = rest[quote.len()..].find(quote);
                    length.map_or(open, |it| (Kind::DollarText, it + 2 * quote.len()))
                }
                None => (Kind::Word, 1),
            },
            // A sign is a token of its own.
            _ => (Kind::Word, end_of(|it| is_of_word(it) || it == '$').max(1)),
        };
        let (text, after) = rest.split_at(end);
        is_after_e = text.eq_ignore_ascii_case("e");
        rest = after;
        Some(Token { kind, text })
    })
}

fn is_of_word(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_' || !(it.is_ascii() || is_space(it))
}

/// DuckDB takes all but a few of Unicode's spaces for spaces, and characters without a width.
fn is_space(it: char) -> bool {
    it.is_whitespace() || matches!(it, '\u{200b}' | '\u{2060}' | '\u{feff}')
}

fn line_end(bytes: &[u8]) -> usize {
    memchr::memchr2(b'\n', b'\r', bytes).map_or(bytes.len(), |length| length + 1)
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
fn text_end(bytes: &[u8], has_escapes: bool) -> Option<usize> {
    let mut end = 0;
    while bytes.get(end) == Some(&b'\'') {
        end = quoted_end(bytes, end, has_escapes)?;
    }
    Some(end)
}

/// The end of a quoted text, if it has one. A doubled quote is taken as the end of one text and the
/// beginning of the next, which gives the same end.
fn quoted_end(bytes: &[u8], start: usize, has_escapes: bool) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' if has_escapes => at += 2,
            byte if byte == bytes[start] => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// The `$tag$` that begins a text; `None` for a parameter such as `$1`, or a stray sign.
fn dollar_quote(text: &str) -> Option<&str> {
    let (tag, _) = text[1..].split_once('$')?;
    let is_tag = tag.chars().all(is_of_word) && !tag.starts_with(|it: char| it.is_ascii_digit());
    is_tag.then(|| &text[..tag.len() + 2])
}
