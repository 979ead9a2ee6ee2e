//! Arguments of `robostat query`, as typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

use super::name::QueryName;
use crate::analysis::query::{DEFAULT_MEMORY, ResultFormat};

#[derive(Debug, Parser)]
#[command(after_long_help = HELP, override_usage = "robostat query [OPTIONS] [OUT]... [QUERY]")]
pub struct QueryArguments {
    /// The dataset, or several that are queried together: output directories of `robostat ingest`.
    /// Then the name of a shipped query, or a file of SQL, `-` for standard input. Any other words
    /// list the shipped queries that they fit, the best first; without words, all are listed, and
    /// without a dataset too.
    #[arg(
        value_name = "OUT",
        value_parser = QueryName,
        hide_possible_values = true
    )]
    pub paths: Vec<OsString>,
    /// Run this SQL and print the result of the last statement.
    #[arg(short, long, value_name = "SQL", allow_hyphen_values = true)]
    pub execute: Option<String>,
    /// Set a parameter of a shipped query, or a DuckDB variable for SQL of your own, as in
    /// `--set top=10`; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub set: Vec<(String, String)>,
    /// Let SQL of your own read this file, or the files of this directory, besides the dataset; may
    /// be repeated.
    #[arg(long, value_name = "PATH")]
    pub read: Vec<PathBuf>,
    /// The crawl that a shipped query is about [default: the last one in time].
    #[arg(long, value_name = "LABEL")]
    pub crawl: Option<String>,
    /// Answer for every crawl, not only for the last one in time.
    #[arg(long, conflicts_with = "crawl")]
    pub each_crawl: bool,
    /// How to write the result [default: by the extension of --output, else table].
    #[arg(long, value_enum)]
    pub format: Option<ResultFormat>,
    /// Write to this file instead of standard output (`-`); put in place as a whole.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Memory that DuckDB may use; what does not fit goes to the directory for temporary files.
    #[arg(long, value_name = "SIZE", default_value = DEFAULT_MEMORY, value_parser = memory)]
    pub memory: String,
    /// Print, as JSON, how a shipped query can be divided over the datasets, which may then be
    /// asked on several machines; their manifests are read, and nothing is run.
    #[arg(long, conflicts_with_all = ["sql", "execute"])]
    pub plan: bool,
    /// Print the SQL of a shipped query instead of its result.
    #[arg(long, conflicts_with_all = ["set", "format"])]
    pub sql: bool,
}

const HELP: &str = "\
Several datasets answer as their merge would; nothing is merged on disk. Each
crawl must be in one of them only.

Results come from the DuckDB program, version 1.4 or later: the one that
ROBOSTAT_DUCKDB names, else the one that was installed next to robostat, else
`duckdb` on the PATH (pip install duckdb-cli, or https://duckdb.org). Every
table and view of the dataset is in place, wherever its directory is now. Every
shipped query is a table macro, for SQL of your own and for other DuckDB clients
too:
  FROM agent_adoption(top := 10) WHERE product_token LIKE '%bot'

`robostat query OUT 'block everything'` finds queries by words: in names first,
then in questions and keywords, then in the rest of their heads. It shows each
parameter with a value that it takes. Write lists as gptbot,ccbot or
[gptbot,ccbot]; the case of crawlers' names does not matter. For SQL of your
own, --set makes variables, which getvariable('NAME') reads: numbers, true or
false, lists as in --set 'agents=[gptbot,ccbot]', or text. Put text that looks
like a number in quotes: --set 'label=\"2026\"'.

SQL of your own reads the dataset and writes nothing: DuckDB opens no other
file, loads no extension and runs no command of its shell, so that you can run a
query file that another person wrote. --read lets it read a file of yours, as in
--read news.csv -e \"FROM ai_agents_by_group(labels := 'news.csv')\".

DuckDB uses at most the memory that --memory says; what does not fit is spilled
to the directory for temporary files (TMPDIR). If that is not enough, the query
fails with a message that says so.

Every format but CSV escapes control characters, and so does CSV on a terminal.
Text in CSV that a spreadsheet would run as a formula (it begins with = + - @ or
a tab, and is not a number) has an apostrophe before it. Ids (file_id,
policy_id) are text in JSON: they are 64-bit hashes, which JavaScript and pandas
would round. NaN and infinite numbers are null in JSON, empty in CSV.

Exit codes:
  0    complete
  1    failed: no dataset, no DuckDB, an error in the SQL
  2    the arguments are wrong

Examples:
  robostat query out/
  robostat query out/ gptbot
  robostat query out/ agent-adoption --set top=10 -o adoption.csv
  robostat query out/ status-classes --crawl 2026-08
  robostat query 2026-*/ status-classes --each-crawl
  robostat query out/ agent-restrictions-effective --set agents=GPTBot
  robostat query out/ \\
    -e \"SELECT count(*) FROM hosts WHERE response_class = 'success'\"
  robostat query out/ my.sql --format json";

/// `NAME=VALUE`, where the name is one of SQL.
fn parameter(typed: &str) -> Result<(String, String), String> {
    let (name, value) = typed
        .split_once('=')
        .ok_or("give it as NAME=VALUE, as in top=10")?;
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match name {
        "dataset" => Err("the dataset is the first argument".to_owned()),
        _ if is_name => Ok((name.to_owned(), value.to_owned())),
        _ => Err("a name has letters, digits and `_`, the first no digit".to_owned()),
    }
}

/// An amount of memory as DuckDB takes it, such as `4GB`.
fn memory(typed: &str) -> Result<String, String> {
    let digits = typed.trim_end_matches(|last: char| last.is_ascii_alphabetic());
    let unit = typed[digits.len()..].to_ascii_uppercase();
    let units = ["KB", "MB", "GB", "TB", "KIB", "MIB", "GIB", "TIB"];
    let is_size = digits.trim().parse::<f64>().is_ok_and(|size| size >= 1.0);
    if is_size && units.contains(&unit.as_str()) {
        Ok(typed.to_owned())
    } else {
        Err("give it with its unit, as in 4GB or 500MB".to_owned())
    }
}
