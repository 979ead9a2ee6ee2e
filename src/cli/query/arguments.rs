//! Arguments of `robostat query`, as typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

use super::name::QueryName;
use crate::analysis::query::{DEFAULT_MEMORY, ResultFormat};

#[derive(Debug, Parser)]
#[command(after_long_help = include_str!("../help/query.txt"), override_usage = "robostat query [OPTIONS] [OUT]... [QUERY]")]
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
