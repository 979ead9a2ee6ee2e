//! The formats of a result.

use std::path::Path;

use crate::analysis::query::ResultFormat;
use crate::cli::exit::{Result, usage};

/// The format that was typed; without one, the format for the extension of the file.
pub(super) fn format_of(
    typed: Option<ResultFormat>,
    output: Option<&Path>,
) -> Result<ResultFormat> {
    let (None, Some(path)) = (typed, output) else {
        return Ok(typed.unwrap_or(ResultFormat::Table));
    };
    let Some(extension) = path.extension() else {
        return Ok(ResultFormat::Table);
    };
    let extension = extension.to_string_lossy().to_ascii_lowercase();
    Ok(match extension.as_str() {
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
                path.display()
            ));
        }
    })
}
