//! Views on the tables of several datasets. What a file, a policy or an input has is equal in all
//! of them, so its rows are taken from the first dataset that has them.

use std::fmt::Write as _;

use crate::dataset::together::is_within;

use super::{Part, Place, Table, in_view, list, view, view_of_nothing};

/// Adds the view of a table, whose rows belong to `key`, in the datasets in `roots`.
pub(super) fn add(
    sql: &mut String,
    (table, key): (&Table, &str),
    parts: &[&Part],
    place: Place<'_>,
    roots: &[String],
) {
    let of_root = |root: &String| {
        let of_root = parts.iter().filter(|part| is_within(root, &part.path));
        let parts = in_view(of_root.copied());
        let paths: Vec<&str> = parts.iter().map(|part| part.path.as_str()).collect();
        paths
    };
    let mut datasets: Vec<Vec<&str>> = roots.iter().map(of_root).collect();
    datasets.retain(|paths| !paths.is_empty());
    match datasets.as_slice() {
        [] => return view_of_nothing(sql, table),
        [paths] => return view(sql, table, paths.iter().copied(), place, ""),
        _ => {}
    }
    let read = |columns: &str| {
        let selects = datasets.iter().zip(1..).map(|(paths, number)| {
            let mut select =
                format!("SELECT {columns}, {number} AS \"dataset number\" FROM read_parquet([\n");
            list(&mut select, paths.iter().copied(), place);
            select + "\n], hive_partitioning = false)"
        });
        let selects: Vec<String> = selects.collect();
        selects.join("\nUNION ALL\n")
    };
    // Writing to a String cannot fail.
    let _ = writeln!(
        sql,
        "CREATE OR REPLACE VIEW {} AS SELECT * EXCLUDE (\"dataset number\") FROM (\n{}\n)\n\
         SEMI JOIN (\n\
         SELECT {key}, min(\"dataset number\") AS \"dataset number\" FROM (\n{}\n) GROUP BY {key}\n\
         ) USING ({key}, \"dataset number\");",
        table.name,
        read("*"),
        read(key)
    );
}
