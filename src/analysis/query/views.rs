//! The views of a dataset that some SQL needs. Defining all views takes DuckDB longer than most
//! queries of a small dataset: it binds each view, and opens parts for it.

use std::collections::{BTreeSet, HashMap};

use super::sql::{self, words};

/// Reduces `views`, SQL that defines views and macros, to the definitions whose names occur in
/// `scripts` or in a statement that is kept. Statements that define nothing are kept. A name may
/// also occur in a text, because macros build SQL from text.
pub fn needed_by(views: &str, scripts: &[&str]) -> String {
    let statements = sql::statements(views);
    let mut defined: HashMap<String, Vec<usize>> = HashMap::new();
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    let mut unread: Vec<&str> = scripts.to_vec();
    for (index, statement) in statements.iter().enumerate() {
        if let Some(name) = name_of(statement) {
            // A view and a macro may have the same name.
            defined.entry(name).or_default().push(index);
        } else {
            needed.insert(index);
            unread.push(statement);
        }
    }
    while let Some(text) = unread.pop() {
        for word in words(text) {
            for index in defined.remove(&word).unwrap_or_default() {
                needed.insert(index);
                unread.push(statements[index]);
            }
        }
    }
    // The semicolon is on a line of its own: a statement may end with a comment.
    let needed = needed.into_iter();
    let needed = needed.map(|index| format!("{}\n;\n", statements[index]));
    needed.collect()
}

/// The name that a statement `CREATE OR REPLACE VIEW name` or `… MACRO name` defines, in lower
/// case.
pub(super) fn name_of(statement: &str) -> Option<String> {
    let mut words = words(statement);
    let begin = [(); 4].map(|()| words.next().unwrap_or_default());
    let is_of = |kind: &str| begin == ["create", "or", "replace", kind];
    words.next().filter(|_| is_of("view") || is_of("macro"))
}

/// Whether SQL may read the catalogue, which shows views that the SQL does not name.
pub fn is_catalogue_asked(script: &str) -> bool {
    words(script).any(|word| {
        matches!(
            word.as_str(),
            "show" | "information_schema" | "sqlite_master" | "sqlite_schema" | "pg_catalog"
        ) || word.starts_with("duckdb_")
            || word.starts_with("pragma")
    })
}
