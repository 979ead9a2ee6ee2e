//! `robostat demo`: the sample crawl, ingested, queried and reported, by the commands that a user
//! would type.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Parser};

use super::ingest;
use super::outcome::{COMPLETE, Result, print_text};
use super::query::{self, QueryArguments};
use super::report::{self, ReportArguments};
use crate::analysis::duckdb::Session;
use crate::error::{Error, shown};
use crate::escape;

/// `samples/crawl.warc.zst`, the smallest of the three packings.
const CRAWL: &[u8] = include_bytes!("../../samples/crawl.warc.zst");

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/demo.txt"))]
pub(super) struct DemoArguments {
    /// The directory to write to: a new or an empty one.
    #[arg(value_name = "DIR", default_value = "robostat-demo")]
    directory: PathBuf,
}

pub(super) fn run(arguments: &DemoArguments) -> Result<()> {
    let directory = &arguments.directory;
    fs::create_dir_all(directory).map_err(Error::io(directory))?;
    let mut entries = fs::read_dir(directory).map_err(Error::io(directory))?;
    if entries.next().is_some() {
        let problem =
            "the directory is not empty; remove it, or name another one: `robostat demo DIR`";
        return Err(Error::unusable(directory, problem).into());
    }
    let crawl = directory.join("crawl.warc.zst");
    let (out, report) = (directory.join("out"), directory.join("report.html"));
    fs::write(&crawl, CRAWL).map_err(Error::io(&crawl))?;

    let [crawl, out, report] = [&crawl, &out, &report].map(|path| path.as_os_str());
    let words = |typed: &'static str| typed.split(' ').map(OsStr::new).collect::<Vec<_>>();
    let ingest = [words("ingest --subset robotstxt"), vec![crawl, out]].concat();
    let most_blocked = words("ai-agents-most-blocked --set top=8");
    let query = [words("query"), vec![out], most_blocked].concat();
    let report_on = [words("report"), vec![out], words("-o"), vec![report]].concat();

    print_text("A small made-up crawl becomes a dataset of Parquet tables.\n")?;
    command(&ingest, |it| match ingest::run(it, None)? {
        COMPLETE => Ok(()),
        code => Err(format!("{}: exit code {code}", typed(&ingest)).into()),
    })?;
    if let Err(error) = Session::start("") {
        let (out, query, report_on) = (shown(Path::new(out)), typed(&query), typed(&report_on));
        print_text(&format!(
            "\nThe tables are in {out}. With DuckDB installed, continue with:\n  {query}\n  \
             {report_on}\n\n"
        ))?;
        return Err(error.into());
    }
    print_text("\nA query: which AI crawlers are blocked by name most often?\n")?;
    command(&query, |it: QueryArguments| query::run(&it))?;
    print_text("\nA report: the findings about the crawl, on one page.\n")?;
    command(&report_on, |it: ReportArguments| report::run(&it))?;
    let list = typed(&["query".as_ref(), out]);
    let sql = format!("{list} -e 'FROM hosts LIMIT 5'");
    print_text(&format!(
        "\nOpen {} in a browser. Then try:\n\
         \x20 {list}\n      lists the queries\n\
         \x20 {sql}\n      runs SQL of your own\n\
         \x20 robostat ingest YOUR.warc.gz out/\n      reads a crawl of your own\n",
        shown(Path::new(report)),
    ))?;
    Ok(())
}

/// Prints the robostat command with these arguments, and runs it.
fn command<A: Parser>(words: &[&OsStr], run: impl FnOnce(A) -> Result<()>) -> Result<()> {
    print_text(&format!("$ {}\n", typed(words)))?;
    run(A::try_parse_from(words)?)
}

fn typed(arguments: &[&OsStr]) -> String {
    let words = arguments.iter().map(|word| word.to_string_lossy());
    let words: Vec<String> = words.map(|word| escape::shell_word(&word)).collect();
    format!("robostat {}", words.join(" "))
}
