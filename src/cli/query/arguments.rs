//! Arguments of `robostat query`, as typed.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Parser;
use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};

use crate::analysis::query::{DEFAULT_MEMORY, ResultFormat, shipped};
use crate::cli::outcome::{Result, file, usage};
use crate::cli::values::{memory, parameter};

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

impl QueryArguments {
    /// The format that was typed; without one, the format for the extension of the file.
    pub fn format(&self) -> Result<ResultFormat> {
        let output = file(self.output.as_deref()).unwrap_or(Path::new(""));
        let (None, Some(extension)) = (self.format, output.extension()) else {
            return Ok(self.format.unwrap_or(ResultFormat::Table));
        };
        Ok(match &*extension.to_string_lossy().to_ascii_lowercase() {
            "txt" => ResultFormat::Table,
            "csv" => ResultFormat::Csv,
            "tsv" | "tab" => ResultFormat::Tsv,
            "json" => ResultFormat::Json,
            "md" | "markdown" => ResultFormat::Markdown,
            "tex" => ResultFormat::Latex,
            "parquet" => ResultFormat::Parquet,
            _ => {
                return usage(format!(
                    "no format is known by the extension of {}; --output takes .csv, .tsv, .json, \
                     .md, .tex, .parquet and .txt (spreadsheets open .csv), or name one with \
                     --format",
                    output.display()
                ));
            }
        })
    }
}

/// Accepts any text; completions offer the shipped queries.
#[derive(Debug, Clone)]
struct QueryName;

impl TypedValueParser for QueryName {
    type Value = OsString;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<OsString, clap::Error> {
        OsStringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let queries = shipped::all().iter();
        Some(Box::new(
            queries.map(|query| PossibleValue::new(query.name)),
        ))
    }
}
