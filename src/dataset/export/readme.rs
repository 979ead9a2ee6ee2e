//! What a reader of a published dataset wants first, as Markdown: what it is, how to read it, its
//! tables and columns, licence and citation.

use std::fmt::Write as _;

use super::{Contents, Details, meaning};
use crate::dataset::tables::describe::{columns, sql_name};

/// Name of the file, within the dataset.
pub const FILE: &str = "README.md";

/// The text.
pub fn text(contents: &Contents, details: &Details) -> String {
    let mut text = format!(
        "# {}\n\n{}\n\n## Reading it\n\n```sh\nduckdb -init views.sql -c \"FROM \
         agent_adoption()\"\n```\n\n`views.sql` defines every table, and the queries of \
         robostat as macros, for DuckDB; any reader of Parquet reads the tables. A directory \
         `crawl=LABEL` holds the rows of a crawl; its name is the column `crawl`. Ids are 64-bit hashes: keep them as integers or text.\n\n## Tables\n",
        line(details.title()),
        contents.description(details)
    );
    // Writing to a String cannot fail, here and below.
    for described in &contents.tables {
        let _ = write!(
            text,
            "\n### {}\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n",
            described.table.name,
            described.description()
        );
        for column in columns(described.table) {
            let meaning = line(&meaning(&column)).replace('|', "\\|");
            let _ = writeln!(
                text,
                "| `{}` | {} | {meaning} |",
                column.name,
                sql_name(&column.data_type)
            );
        }
    }
    let _ = write!(
        text,
        "\n## Licence\n\n[{}]({})\n\n## Citation\n\n```bibtex\n{}\n```\n",
        details.license,
        details.license_url(),
        contents.citation(details)
    );
    text
}

/// Text on one line.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
