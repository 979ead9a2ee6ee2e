//! `robostat export`: describes a dataset for publication.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::outcome::{Result, check_file, file, put, refused, tell, usage};
use super::values::{dataset_name, day, license, web_url};
use crate::analysis::duckdb::Session;
use crate::analysis::summary;
use crate::dataset::Snapshot;
use crate::dataset::export::{
    Card, Details, croissant, data_package, duckdb, ducklake, hugging_face, readme, zenodo,
};
use crate::error::{Error, shown};
use crate::threads;
use crate::whole_file::WholeFile;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/export.txt"))]
#[command(mut_arg("license", |it| it.value_parser(license).required_if_eq_any(CARDS)))]
#[command(mut_arg("name", |it| it.value_parser(dataset_name).required_if_eq_any(CARDS)))]
#[command(mut_arg("creators", |it| it.required_if_eq("format", "zenodo")))]
#[command(mut_arg("url", |it| it.value_parser(web_url)))]
#[command(mut_arg("published", |it| it.value_parser(day)))]
#[command(
    override_usage = "robostat export [OPTIONS] --for <FORMAT> --license <LICENCE>\n                       --name <NAME> <OUT>\n       robostat export --summary [OPTIONS] <OUT>..."
)]
pub(super) struct ExportArguments {
    /// The dataset: the output directory of `robostat ingest`. A summary or views can cover
    /// several.
    #[arg(value_name = "OUT", required = true)]
    datasets: Vec<PathBuf>,
    /// What to write: a data card, or views for readers.
    #[arg(
        long = "for",
        value_enum,
        value_name = "FORMAT",
        required_unless_present = "summary"
    )]
    format: Option<ExportFormat>,
    /// Write a summary instead: for each crawl, the sums behind its shares and intervals, without
    /// names of hosts and domains.
    #[arg(long, conflicts_with = "format")]
    summary: bool,
    /// Also sum by these weights: a CSV or Parquet file of domain and weight.
    #[arg(long, value_name = "FILE", requires = "summary")]
    weights: Option<PathBuf>,
    /// Also write series by stratum. FILE is CSV or Parquet of domain and stratum, as from
    /// `robostat panel choose`. The series of the same sites then have only these sites.
    #[arg(long, value_name = "FILE", requires = "summary")]
    sites: Option<PathBuf>,
    #[command(flatten)]
    details: Details,
    /// Write to this file, `-` for standard output [default: croissant.json, datapackage.json,
    /// README.md, robots.ducklake or views.sql in OUT]. With --summary and --for zenodo: to this
    /// directory [default: summary in OUT, and OUT].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// Croissant 1.1: Hugging Face, Kaggle, Dataverse, Google's search for datasets.
    Croissant,
    /// Data Package 2.0: research data repositories, R, Python.
    #[value(alias = "datapackage")]
    Frictionless,
    /// README.md for the Hub, with a configuration for each table.
    Huggingface,
    /// .zenodo.json, CITATION.cff and README.md.
    Zenodo,
    /// `views.sql` without the path of OUT on this machine.
    Duckdb,
    /// A file that DuckDB attaches, with all tables.
    Ducklake,
}

/// The formats that are data cards, for arguments that cards need.
const CARDS: [(&str, &str); 5] = [
    ("format", "croissant"),
    ("format", "frictionless"),
    ("format", "datapackage"),
    ("format", "huggingface"),
    ("format", "zenodo"),
];

impl ExportFormat {
    fn file_name(self) -> &'static str {
        match self {
            Self::Croissant => "croissant.json",
            Self::Frictionless => "datapackage.json",
            Self::Huggingface => readme::FILE,
            Self::Zenodo => zenodo::DEPOSIT,
            Self::Duckdb => duckdb::FILE,
            Self::Ducklake => ducklake::FILE,
        }
    }
}

pub(super) fn run(arguments: &ExportArguments) -> Result<()> {
    let is_directory = matches!(arguments.format, None | Some(ExportFormat::Zenodo));
    if is_directory && arguments.output.as_deref() == Some(Path::new("-")) {
        return usage(
            "--summary and --for zenodo write to a directory, which cannot be standard output",
        );
    }
    let Some(format) = arguments.format else {
        return summary(arguments);
    };
    let [dataset] = arguments.datasets.as_slice() else {
        return views_of_several(arguments, format);
    };
    let snapshot = Snapshot::open_whole(dataset)?;
    if format == ExportFormat::Duckdb {
        let text = duckdb::views(&snapshot, arguments.details.base_url.as_deref())?;
        match &arguments.output {
            Some(path) => put(Some(path), &text)?,
            None => duckdb::replace(&snapshot, &text)?,
        }
        return Ok(());
    }
    let card = Card::of(
        &snapshot,
        arguments.details.clone(),
        &*threads::pool(threads::available())?,
    )?;
    let default = dataset.join(format.file_name());
    let output = file(arguments.output.as_deref().or(Some(&default)));
    let json = |value: serde_json::Value| {
        let text = serde_json::to_string_pretty(&value)?;
        Ok::<_, serde_json::Error>(format!("{}\n", crate::escape::json(&text)))
    };
    match format {
        ExportFormat::Croissant => put(output, &json(croissant::json(&card))?)?,
        ExportFormat::Huggingface => put(output, &hugging_face::text(&card))?,
        ExportFormat::Zenodo => {
            let directory = arguments.output.as_deref().unwrap_or(dataset);
            std::fs::create_dir_all(directory).map_err(Error::io(directory))?;
            for (name, text) in [
                (zenodo::DEPOSIT, json(zenodo::deposit(&card))?),
                (zenodo::CITATION, zenodo::citation(&card)),
                (readme::FILE, readme::text(&card)),
            ] {
                put(Some(&directory.join(name)), &text)?;
            }
        }
        ExportFormat::Ducklake => {
            let path = output.ok_or("--for ducklake writes a database, which needs a file")?;
            ducklake(&snapshot, &card, path)?;
        }
        _ => put(output, &json(data_package::json(&card))?)?,
    }
    if let Some(path) = output {
        let files: usize = card.tables.iter().map(|it| it.files.len()).sum();
        let (path, tables) = (shown(path), card.tables.len());
        tell!("{path}: {tables} tables in {files} files");
    }
    Ok(())
}

fn ducklake(snapshot: &Snapshot, card: &Card, path: &Path) -> Result<()> {
    let aside = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
    let made = aside.path().join(ducklake::FILE);
    let script = ducklake::script(snapshot, card, &made, aside.path())?;
    Session::run_through(&script, |_| Ok(()))?;
    let whole = WholeFile::required_at(path)?;
    std::fs::copy(&made, whole.aside()).map_err(Error::io(path))?;
    Ok(whole.put_in_place()?)
}

fn summary(arguments: &ExportArguments) -> Result<()> {
    let out = match (&arguments.output, arguments.datasets.as_slice()) {
        (Some(directory), _) => directory.clone(),
        (None, [dataset]) => dataset.join("summary"),
        _ => return usage("a summary of several datasets needs --output DIRECTORY"),
    };
    let (weights, sites) = (arguments.weights.as_deref(), arguments.sites.as_deref());
    for list in [weights, sites].into_iter().flatten() {
        check_file(list)?;
    }
    let written = summary::write(&arguments.datasets, weights, sites, &out);
    for path in written.map_err(refused)? {
        tell!("robostat: wrote {}", shown(&path));
    }
    Ok(())
}

/// Writes the views of several datasets, for a reader on this machine.
fn views_of_several(arguments: &ExportArguments, format: ExportFormat) -> Result<()> {
    let (output, base) = (arguments.output.as_deref(), &arguments.details.base_url);
    if format != ExportFormat::Duckdb || output.is_none() || base.is_some() {
        return usage(
            "several datasets have no card: use --summary, or --for duckdb --output FILE without \
             --base-url, or `robostat merge` them",
        );
    }
    let snapshot = Snapshot::open_together(&arguments.datasets)?;
    Ok(put(output, &snapshot.views("/"))?)
}
