//! `robostat report`: the answers of the shipped queries, as a page, as Markdown or as JSON.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use serde_json::Value;

use super::outcome::{Result, check_file, file, printable_json, put, refused, tell, usage};
use super::progress::bar;
use super::values::web_url;
use crate::analysis::report::{self, Report, ReportOptions};
use crate::dataset::{Snapshot, last_note};
use crate::error::{Error, shown};
use crate::escape;

#[derive(Debug, Parser)]
#[command(after_long_help = include_str!("help/report.txt"))]
#[command(mut_arg("card", |it| it.value_parser(web_url)))]
pub(super) struct ReportArguments {
    /// The dataset, or several that are queried together: output directories of `robostat ingest`.
    #[arg(value_name = "OUT", required = true)]
    datasets: Vec<PathBuf>,
    /// Write to this file: .html, .md or .json; `-` for standard output [default: report.html;
    /// report.md or report.json with that --format].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to write it [default: by the extension of --output, else html].
    #[arg(long, value_enum)]
    format: Option<FormatArgument>,
    #[command(flatten)]
    options: ReportOptions,
    /// Print only errors: no progress.
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArgument {
    /// One page that needs no network, and its data in a .json file of the same name.
    Html,
    /// For a repository or a paper. Figures are files in a directory next to it.
    Markdown,
    /// For programs; every section with all its rows. docs/report.md has the schema.
    Json,
}

impl FormatArgument {
    fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        match &*extension.to_ascii_lowercase() {
            "html" | "htm" => Ok(Self::Html),
            "md" | "markdown" => Ok(Self::Markdown),
            "json" => Ok(Self::Json),
            _ => usage(format!(
                "{}: a report is written as .html, .md or .json; name such a file, or give --format",
                shown(path)
            )),
        }
    }
}

pub(super) fn run(arguments: &ReportArguments) -> Result<()> {
    // A missing dataset is reported before anything else.
    let options = &arguments.options;
    let snapshot = Snapshot::open_together(&arguments.datasets)?;
    let snapshot = snapshot.until(options.crawl.as_deref())?;
    let crawls = snapshot.manifest.crawls();
    let note = last_note("the report is about", &crawls);
    let is_chosen = options.crawl.is_some() || arguments.quiet;
    if let Some(note) = note.filter(|_| !is_chosen) {
        tell!("note: {}", escape::line(&note));
    }
    let files = [&options.ranks, &options.sites, &options.lede];
    for file in files.into_iter().flatten() {
        check_file(file)?;
        fs::File::open(file).map_err(Error::io(file))?;
    }
    let names = report::section_names();
    let mut sections = options.sections.iter();
    if let Some(unknown) = sections.find(|name| !names.contains(&name.as_str())) {
        let names = names.join(", ");
        return usage(format!("there is no section {unknown}; there are {names}"));
    }
    let typed = arguments.output.as_deref();
    let format = match (arguments.format, file(typed)) {
        (Some(format), _) => format,
        (None, Some(path)) => FormatArgument::of(path)?,
        (None, None) => FormatArgument::Html,
    };
    let data = file(typed).filter(|path| path.with_extension("json") == **path);
    if let Some(data) = data.filter(|_| format == FormatArgument::Html) {
        return usage(format!(
            "{}: the data of a page is written to a .json file next to it; name the page .html",
            shown(data)
        ));
    }
    let default = match format {
        FormatArgument::Html => "report.html",
        FormatArgument::Markdown => "report.md",
        FormatArgument::Json => "report.json",
    };
    let output = file(typed.or(Some(default.as_ref())));
    // A device, such as /dev/stdout, has no file next to it.
    let is_file = |path: &&Path| {
        path.parent() != Some(Path::new("/dev"))
            && fs::metadata(path).map_or(true, |it| it.is_file())
    };
    let page = output.filter(|_| format == FormatArgument::Html);
    let data = page.filter(is_file).map(|it| it.with_extension("json"));
    if let Some(data) = data.as_deref().filter(|it| it.is_file() && !is_data(it)) {
        return usage(format!(
            "{}: would be replaced by the data of the page, but is not the data of a report; move it, \
             or name the page otherwise",
            shown(data)
        ));
    }
    let progress = bar(arguments.quiet, "{wide_bar} {pos} of {len} queries");
    if !arguments.quiet && progress.is_hidden() {
        tell!("robostat: running queries");
    }
    let report = report::build(&snapshot, &arguments.datasets, options, &|done, all| {
        progress.set_length(all as u64);
        progress.set_position(done as u64);
    });
    progress.finish_and_clear();
    let report = report.map_err(refused)?;
    let written = write(&report, format, output, data)?;
    if !arguments.quiet {
        for note in &report.notes {
            tell!("note: {note}");
        }
        for (path, what) in written {
            tell!("robostat: wrote {} ({what})", shown(&path));
        }
    }
    Ok(())
}

fn is_data(path: &Path) -> bool {
    let value = fs::read(path).map(|text| serde_json::from_slice::<Value>(&text));
    value.is_ok_and(|it| it.is_ok_and(|it| it.get("data_digest").is_some()))
}

fn write(
    report: &Report,
    format: FormatArgument,
    output: Option<&Path>,
    data: Option<PathBuf>,
) -> Result<Vec<(PathBuf, &'static str)>> {
    let json =
        |page: &str| -> Result<String> { Ok(printable_json(&report::json(report, page))? + "\n") };
    let mut written = Vec::new();
    written.extend(output.map(|path| (path.to_owned(), "the report")));
    match format {
        FormatArgument::Html => {
            let page = report::html(report);
            put(output, &page)?;
            if let Some(data) = data {
                put(Some(&data), &json(&page)?)?;
                written.push((data, "its data and digest"));
            }
        }
        FormatArgument::Json => put(output, &json(&report::html(report))?)?,
        FormatArgument::Markdown => {
            let stem = output.and_then(Path::file_stem);
            let directory = stem.map(|stem| format!("{}-figures", stem.to_string_lossy()));
            let (text, figures) = report::markdown(report, directory.as_deref());
            if let (Some(path), Some(directory)) = (output, directory)
                && !figures.is_empty()
            {
                let directory = path.with_file_name(directory);
                fs::create_dir_all(&directory).map_err(Error::io(&directory))?;
                for (id, svg) in &figures {
                    put(Some(&directory.join(format!("{id}.svg"))), svg)?;
                }
                written.push((directory, "its figures"));
            }
            put(output, &text)?;
        }
    }
    Ok(written)
}
