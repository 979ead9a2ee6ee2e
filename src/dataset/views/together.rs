//! Views on the tables of several datasets. The rows of a file or a policy are equal in all of
//! them, so they are read from one dataset that has it: the first by name of its directory.

use std::fmt::Write as _;

use super::literals::list;
use crate::dataset::manifest::Part;
use crate::dataset::tables::{Key, Table, files, page_policies, policies};

const DATASET: &str = "parse_dirpath(parse_dirpath(filename)) AS dataset";

/// The views with the dataset of each file, policy and policy of pages.
pub(crate) const DATASETS_OF_KEYS: [&str; 3] = [
    "dataset_of_file",
    "dataset_of_policy",
    "dataset_of_page_policy",
];

/// The view with the dataset of each key; `None` if no two datasets can have a key in common.
fn datasets_of(key: Key) -> Option<&'static str> {
    let [file, policy, page_policy] = DATASETS_OF_KEYS;
    match key {
        Key::File(_) => Some(file),
        Key::Policy(_) => Some(policy),
        Key::PagePolicy(_) => Some(page_policy),
        Key::Input(_) | Key::Crawl(_) => None,
    }
}

/// Whether views on the datasets in `roots` read a part. Rows of files and policies are taken from
/// these datasets alone, and rows of inputs and crawls from all.
pub(super) fn is_read(table: &Table, part: &Part, roots: &[String]) -> bool {
    let is_shared = table.key.is_some_and(|key| datasets_of(key).is_some());
    !is_shared || roots.iter().any(|root| is_within(root, &part.path))
}

/// Whether a path is below the directory `root`; every path is below the empty one.
pub(in crate::dataset) fn is_within(root: &str, path: &str) -> bool {
    let below = path.strip_prefix(root);
    below.is_some_and(|path| root.is_empty() || path.starts_with('/'))
}

/// Adds the views [`DATASETS_OF_KEYS`], which read the tables that have a row for each key.
pub(super) fn add_datasets<'p>(
    sql: &mut String,
    parts_of: impl Fn(&Table) -> Vec<&'p Part>,
    place: Option<&str>,
) {
    for table in [files::table(), policies::table(), page_policies::table()] {
        let parts = parts_of(table);
        if let Some((datasets, key)) = keyed(table, &parts) {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(
                sql,
                "CREATE OR REPLACE VIEW {datasets} AS SELECT {key}, min(dataset) AS dataset\n\
                 FROM (SELECT {key}, {DATASET} {}) GROUP BY {key};",
                read(&parts, place)
            );
        }
    }
}

/// Adds the view of a table that has these parts, if its rows can be in several datasets.
pub(super) fn add(sql: &mut String, table: &Table, parts: &[&Part], place: Option<&str>) -> bool {
    let keyed = keyed(table, parts);
    if let Some((datasets, key)) = keyed {
        let _ = writeln!(
            sql,
            "CREATE OR REPLACE VIEW {} AS SELECT * EXCLUDE (dataset) FROM (SELECT *, {DATASET} {})\n\
             SEMI JOIN {datasets} USING ({key}, dataset);",
            table.name,
            read(parts, place)
        );
    }
    keyed.is_some()
}

/// The view with the datasets of the table's rows, and the column of their key.
fn keyed(table: &Table, parts: &[&Part]) -> Option<(&'static str, &'static str)> {
    let key = table.key.filter(|_| !parts.is_empty())?;
    Some((datasets_of(key)?, key.column()))
}

fn read(parts: &[&Part], place: Option<&str>) -> String {
    let parts = list(parts.iter().map(|part| part.path.as_str()), place);
    format!("FROM read_parquet([{parts}], hive_partitioning = false)")
}
