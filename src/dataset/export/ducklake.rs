//! DuckLake: one file with a catalogue of the tables, which DuckDB attaches. It names the parts
//! where they are, and copies nothing.
//!
//! Source: <https://ducklake.select/docs/stable/specification/introduction>. DuckDB's extension
//! `ducklake` writes the catalogue, a database of DuckDB. It records the paths of this machine,
//! which are then made relative to the data path of the catalogue.

use std::fmt::Write as _;
use std::path::Path;

use super::Contents;
use super::duckdb::no_escaped_label;
use crate::dataset::tables::describe::columns;
use crate::dataset::{Snapshot, literal};
use crate::error::Error;

/// Name of the file, within the dataset.
pub const FILE: &str = "robots.ducklake";

/// The extension of DuckDB 1.4 subtracts the nulls within lists of structs, which `policy_diffs`
/// has, from the number of rows, and fails if there are more
/// (<https://github.com/duckdb/ducklake/pull/675>).
const VERSION_CHECK: &str = "SELECT if(version() LIKE 'v1.4.%', \
    error('--for ducklake needs DuckDB 1.5 or later, not ' || version()), NULL);";

/// The SQL that writes the catalogue to the file `out`, which does not exist yet, for readers who
/// find the dataset at `base`, or else in their current directory. The extension makes empty
/// folders for parts of its own in the directory `aside`.
///
/// Fails if a crawl's label is escaped in the paths of its parts: DuckLake would take the escapes
/// for the label.
pub fn script(
    snapshot: &Snapshot,
    contents: &Contents,
    base: Option<&str>,
    out: &Path,
    aside: &Path,
) -> Result<String, Error> {
    no_escaped_label(snapshot, "by DuckLake")?;
    let directory = snapshot.directory();
    let directory = std::path::absolute(directory).map_err(Error::io(directory))?;
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let (directory, out) = (format!("{}/", text(&directory)), text(out));
    let mut script = format!(
        "{VERSION_CHECK}\nINSTALL ducklake;\nLOAD ducklake;\nATTACH {} AS lake (DATA_PATH {});\n",
        literal(&format!("ducklake:{out}")),
        literal(&format!("{}/", text(aside))),
    );
    for described in &contents.tables {
        let (name, is_partitioned) = (described.table.name, described.table.partition.is_some());
        let path = |path: &str| literal(&format!("{directory}{path}"));
        let Some(first) = described.files.first() else {
            continue;
        };
        let mut statements = vec![
            format!(
                "CREATE TABLE lake.{name} AS FROM read_parquet({}, hive_partitioning = \
                 {is_partitioned}, hive_types_autocast = false) LIMIT 0",
                path(&first.path)
            ),
            format!(
                "COMMENT ON TABLE lake.{name} IS {}",
                literal(&described.table.comment)
            ),
        ];
        for column in columns(described.table) {
            statements.push(format!(
                "COMMENT ON COLUMN lake.{name}.\"{}\" IS {}",
                column.name,
                literal(&super::meaning(&column))
            ));
        }
        for file in &described.files {
            statements.push(format!(
                "CALL ducklake_add_data_files('lake', '{name}', {}, hive_partitioning => \
                 {is_partitioned})",
                path(&file.path)
            ));
        }
        script.extend(statements.iter().flat_map(|it| [it.as_str(), ";\n"]));
    }
    let base = format!("{}/", base.unwrap_or(".").trim_end_matches('/'));
    // Writing to a String cannot fail.
    let _ = write!(
        script,
        "DETACH lake;\nATTACH {} AS catalogue;\n\
         UPDATE catalogue.ducklake_metadata SET value = {} WHERE key = 'data_path';\n\
         UPDATE catalogue.ducklake_schema SET path = '', path_is_relative = true;\n\
         UPDATE catalogue.ducklake_table SET path = '', path_is_relative = true;\n\
         UPDATE catalogue.ducklake_data_file\n\
         SET path = substr(path, {} + 1), path_is_relative = true;\nDETACH catalogue;\n",
        literal(&out),
        literal(&base),
        directory.chars().count()
    );
    Ok(script)
}
