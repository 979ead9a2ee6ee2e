//! The formats of a result.

use std::path::Path;

use clap::ValueEnum;
use console::Term;

use crate::analysis::query::ResultFormat;
use crate::cli::exit::{Result, usage};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArgument {
    /// For reading: a table, at most 1000 rows (.txt).
    Table,
    /// Comma-separated values (.csv).
    Csv,
    /// Tab-separated values (.tsv, .tab).
    Tsv,
    /// An array of objects (.json).
    Json,
    /// A Markdown table (.md).
    Markdown,
    /// A LaTeX table (.tex).
    Latex,
    /// A Parquet file (.parquet); needs --output.
    Parquet,
}

impl FormatArgument {
    /// The format that was typed; without one, the format for the extension of the file.
    pub fn of(typed: Option<Self>, output: Option<&Path>) -> Result<Self> {
        let (None, Some(path)) = (typed, output) else {
            return Ok(typed.unwrap_or(Self::Table));
        };
        let Some(extension) = path.extension() else {
            return Ok(Self::Table);
        };
        let extension = extension.to_string_lossy().to_ascii_lowercase();
        Ok(match extension.as_str() {
            "txt" => Self::Table,
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "json" => Self::Json,
            "md" | "markdown" => Self::Markdown,
            "tex" => Self::Latex,
            "parquet" => Self::Parquet,
            _ => {
                return usage(format!(
                    "no format is known by the extension of {}; --output takes .csv, .tsv, .json, \
                     .md, .tex, .parquet and .txt (spreadsheets open .csv), or name one with \
                     --format",
                    path.display()
                ));
            }
        })
    }

    /// The format of text; none for a Parquet file.
    pub fn of_text(self, output: Option<&Path>) -> Option<ResultFormat> {
        let terminal = || Term::stdout().size_checked().map(|(_, columns)| columns);
        Some(match self {
            Self::Table => ResultFormat::Table {
                width: output.map_or_else(terminal, |_| None),
            },
            Self::Csv => ResultFormat::Csv,
            Self::Tsv => ResultFormat::Tsv,
            Self::Json => ResultFormat::Json,
            Self::Markdown => ResultFormat::Markdown,
            Self::Latex => ResultFormat::Latex,
            Self::Parquet => return None,
        })
    }
}
