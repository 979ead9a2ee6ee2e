//! `robostat query`: the shipped questions and the user's own, answered by DuckDB.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;

use super::style::{Palette, Style};
use super::{COMPLETE, Result, layout, usage};
use crate::analysis::query::shipped::{self, Question};
use crate::analysis::query::{self, Format, Scope, sql};
use crate::dataset::Snapshot;
use crate::error::Error;

/// Arguments of `robostat query`.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct QueryArguments {
    /// The dataset: the output directory of `robostat ingest`.
    #[arg(value_name = "OUT")]
    dataset: PathBuf,
    /// The name of a shipped question, or a file of SQL, `-` for standard input; without it, the
    /// shipped questions are listed.
    #[arg(value_name = "QUESTION")]
    question: Option<String>,
    /// Answer this SQL; the last statement is the answer.
    #[arg(short, long, value_name = "SQL", conflicts_with = "question")]
    execute: Option<String>,
    /// Set a parameter (a DuckDB variable), as in `--set top=10`; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    set: Vec<(String, String)>,
    /// How to write the answer [default: by the extension of --output, else table].
    #[arg(long, value_enum)]
    format: Option<FormatArgument>,
    /// Write to this file instead of standard output; put in place as a whole.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the SQL of a shipped question instead of its answer.
    #[arg(long, requires = "question", conflicts_with_all = ["set", "format"])]
    sql: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArgument {
    /// For reading: boxes, at most 1000 rows.
    Table,
    /// Comma-separated values.
    Csv,
    /// An array of objects.
    Json,
    /// A Markdown table.
    Markdown,
    /// A Parquet file; needs --output.
    Parquet,
}

impl FormatArgument {
    /// What the extension of a file asks for.
    fn of(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "csv" => Self::Csv,
            "json" => Self::Json,
            "md" | "markdown" => Self::Markdown,
            "parquet" => Self::Parquet,
            _ => return None,
        })
    }
}

const HELP: &str = "\
Answers come from the DuckDB program, version 1.4 or later: the one that ROBOSTAT_DUCKDB names, else
`duckdb` on the PATH (pip install duckdb-cli, or https://duckdb.org). Every table and view of the
dataset is in place, whatever directory it lies in now.

Values of --set are numbers, true or false, lists as in --set 'agents=[gptbot,ccbot]', or text; text
that looks like a number is put in quotes: --set 'crawl=\"2026\"'. A question takes the parameters
that its head names (--sql prints it); SQL reads them by getvariable('NAME').

Tables show control characters escaped, and so do the other formats but CSV. Text in CSV that a
spreadsheet would run as a formula (it begins with = + - @ or a tab) has an apostrophe before it;
JSON and Parquet have it as it is. NaN and infinite numbers are null in JSON, empty in CSV.

Exit codes:
  0    answered
  1    failed: no dataset, no DuckDB, an error in the SQL
  2    the arguments are wrong

Examples:
  robostat query out/
  robostat query out/ agent-adoption --set top=10
  robostat query out/ agent-restrictions --set 'agents=[gptbot,ccbot]' -o restrictions.csv
  robostat query out/ -e \"SELECT count(*) FROM hosts WHERE response_class = 'success'\"
  robostat query out/ my.sql --format json";

/// Runs the subcommand.
pub(super) fn run(arguments: &QueryArguments) -> Result<u8> {
    let Some(script) = script(arguments)? else {
        Snapshot::open(&arguments.dataset)?;
        list(arguments)?;
        return Ok(COMPLETE);
    };
    if arguments.sql {
        to_output(arguments.output.as_deref(), |out| {
            out.write_all(script.as_bytes()).map_err(Error::unwritten)
        })?;
        return Ok(COMPLETE);
    }
    let mut scope = Scope::of(&arguments.dataset)?;
    for (name, value) in &arguments.set {
        scope.set(name, &sql::value(value));
    }
    let format = match (format(arguments), arguments.output.as_deref()) {
        (FormatArgument::Parquet, Some(path)) => {
            scope.answer_to_parquet(&script, path)?;
            return Ok(COMPLETE);
        }
        (FormatArgument::Parquet, None) => {
            usage("query", "a Parquet file needs a place: --output FILE")
        }
        (FormatArgument::Table, None) => Format::Table {
            width: terminal_width(),
        },
        (FormatArgument::Table, Some(_)) => Format::Table { width: None },
        (FormatArgument::Csv, _) => Format::Csv,
        (FormatArgument::Json, _) => Format::Json,
        (FormatArgument::Markdown, _) => Format::Markdown,
    };
    to_output(arguments.output.as_deref(), |out| {
        scope.answer(&script, format, out)
    })?;
    Ok(COMPLETE)
}

/// The SQL that is to be run; none where no question is put.
fn script(arguments: &QueryArguments) -> Result<Option<String>> {
    if let Some(sql) = &arguments.execute {
        return Ok(Some(sql.clone()));
    }
    let Some(name) = arguments.question.as_deref() else {
        return Ok(None);
    };
    if let Some(question) = shipped::find(name).filter(|_| !Path::new(name).is_file()) {
        for (parameter, _) in &arguments.set {
            if !question.parameters().contains(&parameter.as_str()) {
                usage(
                    "query",
                    &format!(
                        "{} has no parameter {parameter}; it has: {}",
                        question.name,
                        question.part("Parameters")
                    ),
                );
            }
        }
        return Ok(Some(question.sql.to_owned()));
    }
    if name == "-" {
        return Ok(Some(io::read_to_string(io::stdin())?));
    }
    let path = Path::new(name);
    let is_path = path.extension().is_some() || name.contains(std::path::is_separator);
    if !is_path && !path.exists() {
        let near = shipped::near(name);
        let hint = if near.is_empty() {
            "`robostat query OUT` lists them all".to_owned()
        } else {
            format!("is it {}?", near.join(" or "))
        };
        usage("query", &format!("there is no question {name}; {hint}"));
    }
    Ok(Some(fs::read_to_string(path).map_err(Error::io(path))?))
}

fn format(arguments: &QueryArguments) -> FormatArgument {
    let by_extension = || arguments.output.as_deref().and_then(FormatArgument::of);
    arguments
        .format
        .or_else(by_extension)
        .unwrap_or(FormatArgument::Table)
}

/// Prints the shipped questions.
fn list(arguments: &QueryArguments) -> Result<()> {
    let format = format(arguments);
    to_output(arguments.output.as_deref(), |out| {
        match format {
            FormatArgument::Table => list_text(out),
            FormatArgument::Json => {
                let questions: Vec<_> = shipped::all().iter().map(entry).collect();
                writeln!(out, "{}", serde_json::Value::from(questions))
            }
            _ => usage("query", "questions are listed as a table or as JSON"),
        }
        .map_err(Error::unwritten)
    })?;
    Ok(())
}

fn list_text(out: &mut dyn Write) -> io::Result<()> {
    let (palette, width) = (Palette::of_stdout(), layout::width());
    for question in shipped::all() {
        writeln!(out, "{}", palette.paint(Style::Strong, question.name))?;
        for line in layout::wrap(&question.question(), width - 4) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

fn entry(question: &Question) -> serde_json::Value {
    json!({
        "name": question.name,
        "question": question.question(),
        "reproduces": question.part("Reproduces"),
        "denominator": question.part("Denominator"),
        "parameters": question.part("Parameters"),
    })
}

/// Lets `write` write to standard output, or to a file that is put in place when it is whole.
pub(super) fn to_output(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> std::result::Result<(), Error>,
) -> std::result::Result<(), Error> {
    let Some(path) = path else {
        let mut out = BufWriter::new(io::stdout().lock());
        let written = write(&mut out);
        // What has been answered is shown before the error that stopped it.
        return written.and(out.flush().map_err(Error::unwritten));
    };
    let aside = query::aside(path);
    let mut out = BufWriter::new(File::create(&aside).map_err(Error::io(path))?);
    let written = write(&mut out)
        .map_err(|error| match error {
            // What took no more is this file.
            Error::Unwritten { cause } => Error::io(path)(cause),
            error => error,
        })
        .and_then(|()| out.flush().map_err(Error::io(path)))
        .and_then(|()| fs::rename(&aside, path).map_err(Error::io(path)));
    if written.is_err() {
        // It is of no use to anyone.
        let _ = fs::remove_file(&aside);
    }
    written
}

/// `NAME=VALUE`, where the name is one of SQL.
fn parameter(typed: &str) -> std::result::Result<(String, String), String> {
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

/// The columns of the terminal on standard output, if it is one.
fn terminal_width() -> Option<u16> {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.filter(|_| io::stdout().is_terminal())
        .map(|(width, _)| width.0)
}
