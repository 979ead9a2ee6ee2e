//! Texts, and paths of parts, in SQL.

/// Paths as a list of SQL, without its brackets.
pub(super) fn list<'p>(paths: impl IntoIterator<Item = &'p str>, place: Option<&str>) -> String {
    let paths = paths.into_iter().map(|path| {
        let path = pattern(path);
        let path = match place {
            Some(directory) => literal(&format!("{directory}/{path}")),
            None => format!("dataset_path({})", literal(&path)),
        };
        format!("    {path}")
    });
    format!("\n{}\n", paths.collect::<Vec<_>>().join(",\n"))
}

/// `path` in DuckDB's notation: characters with a meaning in patterns are in brackets.
pub(crate) fn pattern(path: &str) -> String {
    // In a pattern DuckDB reads a backslash as a slash. But first it checks whether the text,
    // brackets and all, is the path of a file.
    if path.contains('\\') {
        return path.to_owned();
    }
    let mut pattern = String::with_capacity(path.len());
    for character in path.chars() {
        match character {
            '[' | '*' | '?' => pattern.extend(['[', character, ']']),
            _ => pattern.push(character),
        }
    }
    pattern
}

pub(crate) fn list_of_texts(texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let texts = texts.into_iter().map(|text| literal(text.as_ref()));
    format!("[{}]::VARCHAR[]", texts.collect::<Vec<_>>().join(", "))
}

pub(crate) fn literal(text: &str) -> String {
    // DuckDB has no byte 0 in SQL text.
    format!("'{}'", text.replace('\'', "''").replace('\0', ""))
}
