//! The sentences with named placeholders in `texts/`; see `texts/README.md`.

use super::format::{Share, agree, count, counted, plain};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(f64),
    /// A share in per cent, or a difference of shares in percentage points.
    Share(Share),
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<Share> for Value {
    fn from(share: Share) -> Self {
        Self::Share(share)
    }
}

/// A placeholder: its name, and how its value is written.
pub(super) type Placeholder<'t> = (&'t str, Format<'t>);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Format<'t> {
    Plain,
    Noun(&'t str),
    Agree(&'t str, &'t str),
    Words(&'t str),
}

fn placeholder(text: &str) -> Placeholder<'_> {
    let name_end = text.find([' ', '|', ':']).unwrap_or(text.len());
    let (name, rest) = text.split_at(name_end);
    let Some((sign, rest)) = rest.split_at_checked(1) else {
        return (name, Format::Plain);
    };
    let format = match sign {
        " " => Format::Noun(rest.trim()),
        ":" => Format::Words(rest),
        _ => {
            let (one, more) = rest.split_once('|').unwrap_or((rest, rest));
            Format::Agree(one, more)
        }
    };
    (name, format)
}

pub(super) fn placeholders(template: &str) -> impl Iterator<Item = Placeholder<'_>> {
    let pieces = template.split('{').skip(1);
    pieces.filter_map(|piece| Some(placeholder(piece.split_once('}')?.0)))
}

pub(super) fn names(template: &str) -> impl Iterator<Item = &str> {
    placeholders(template).map(|(name, _)| name)
}

/// The sentence; `None` if a value that it needs is null.
pub(super) fn fill(
    template: &str,
    value: &dyn Fn(&str) -> Option<Value>,
    words: &dyn Fn(&str, &str) -> String,
) -> Option<String> {
    let mut out = String::new();
    for (place, part) in template.split(['[', ']']).enumerate() {
        let (length, is_optional) = (out.len(), place % 2 == 1);
        if !fill_part(part, value, words, &mut out) {
            if !is_optional {
                return None;
            }
            out.truncate(length);
        }
    }
    Some(out)
}

/// Appends a part; false if one of its values is null. All values are requested, even after a null.
fn fill_part(
    part: &str,
    value: &dyn Fn(&str) -> Option<Value>,
    words: &dyn Fn(&str, &str) -> String,
    out: &mut String,
) -> bool {
    let mut is_whole = true;
    let mut pieces = part.split('{');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (inner, after) = piece.split_once('}').unwrap_or((piece, ""));
        let (name, format) = placeholder(inner);
        match value(name).and_then(|found| written(&found, format, words, out.is_empty())) {
            Some(text) => out.push_str(&text),
            None => is_whole = false,
        }
        out.push_str(after);
    }
    is_whole
}

fn written(
    value: &Value,
    format: Format<'_>,
    words: &dyn Fn(&str, &str) -> String,
    begins: bool,
) -> Option<String> {
    Some(match (value, format) {
        (Value::Text(text), Format::Words(group)) => words(group, text),
        (Value::Number(number), Format::Words(group)) => words(group, &count(*number)),
        (Value::Number(number), Format::Noun(noun)) => match counted(*number, noun) {
            none if begins && none.starts_with("no ") => none.replacen("no", "No", 1),
            counted => counted,
        },
        (Value::Number(number), Format::Agree(one, more)) => agree(*number, one, more).to_owned(),
        (Value::Number(number), _) => plain(*number),
        (Value::Share(share), Format::Noun(phrase)) => share.of_phrase(phrase, begins),
        (Value::Share(share), Format::Words("ends")) => share.ends()?,
        (Value::Share(share), Format::Words("limits")) => share.limits()?,
        (Value::Share(share), Format::Words("points")) => share.as_points(),
        (Value::Share(share), _) => share.shown(),
        (Value::Text(text), _) => text.clone(),
    })
}
