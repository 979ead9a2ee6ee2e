//! `robostat query`: the shipped queries and the user's own, run by DuckDB.

mod list;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, is_separator};

use clap::Parser;
use console::Term;
use serde_json::{Value, json};

use super::outcome::{Result, check_file, file, print, put, refused, tell, to_output, usage};
use super::progress::{WaitingWriter, waiting};
use super::values::{memory, parameter};
use crate::analysis::query::plan::{self, Crawls};
use crate::analysis::query::shipped::{self, Parameter, ShippedQuery};
use crate::analysis::query::{Call, DEFAULT_MEMORY, Output, ResultFormat, Scope, sql};
use crate::dataset::{Crawl, Snapshot, last_note, order_note};
use crate::error::Error;
use crate::escape;

#[derive(Debug, Parser)]
#[command(after_long_help = include_str!("../help/query.txt"), override_usage = "robostat query [OPTIONS] [OUT]... [QUERY]")]
pub(super) struct QueryArguments {
    /// The dataset, or several that are queried together: output directories of `robostat ingest`.
    /// Then the name of a shipped query, or a file of SQL, `-` for standard input. Any other words
    /// list the shipped queries that match, the best first; without words, or without a dataset,
    /// all are listed.
    #[arg(value_name = "OUT")]
    paths: Vec<OsString>,
    /// Run this SQL and print the result of the last statement.
    #[arg(short, long, value_name = "SQL", allow_hyphen_values = true)]
    execute: Option<String>,
    /// Set a parameter of a shipped query, or a DuckDB variable for SQL of your own, as in
    /// `--set top=10`; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    set: Vec<(String, String)>,
    /// Let SQL of your own read this file, or the files of this directory, besides the dataset; may
    /// be repeated.
    #[arg(long, value_name = "PATH")]
    read: Vec<PathBuf>,
    /// The crawl that a shipped query is about [default: the last one in time].
    #[arg(long, value_name = "LABEL")]
    crawl: Option<String>,
    /// Answer for every crawl, not only for the last one in time.
    #[arg(long, conflicts_with = "crawl")]
    each_crawl: bool,
    /// How to write the result [default: by the extension of --output, else table].
    #[arg(long, value_enum)]
    format: Option<ResultFormat>,
    /// Write to this file instead of standard output (`-`); put in place as a whole.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Memory that DuckDB may use; data that does not fit goes to the directory for temporary
    /// files.
    #[arg(long, value_name = "SIZE", default_value = DEFAULT_MEMORY, value_parser = memory)]
    memory: String,
    /// Print, as JSON, how a shipped query can be divided over the datasets, so that several
    /// machines can run it; only manifests are read, and nothing is run.
    #[arg(long, conflicts_with_all = ["sql", "execute"])]
    plan: bool,
    /// Print the SQL of a shipped query instead of its result.
    #[arg(long, conflicts_with_all = ["set", "format"])]
    sql: bool,
}

impl QueryArguments {
    /// The format that was typed, else the format for the file's extension.
    fn format(&self) -> Result<ResultFormat> {
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
                    "the extension of {} does not name a format; --output takes .csv, .tsv, .json, \
                     .md, .tex, .parquet and .txt (spreadsheets open .csv), or name one with \
                     --format",
                    output.display()
                ));
            }
        })
    }
}

/// The parameters that are set, as literals of their types.
type Literals = BTreeMap<&'static str, String>;

/// Parameters that take the path of a list of domains.
const LISTS: [&str; 4] = ["ranks", "labels", "sites", "weights"];

enum Request {
    Shipped(&'static ShippedQuery),
    Sql(String),
    /// The list of shipped queries, or of those that mention a word.
    List(Option<String>),
}

pub(super) fn run(arguments: &QueryArguments) -> Result<()> {
    let output = file(arguments.output.as_deref());
    let (datasets, query) = datasets_and_query(arguments)?;
    match request(arguments, datasets.first(), query.as_deref())? {
        Request::List(_) | Request::Sql(_) if arguments.plan => {
            return usage("--plan is for shipped queries; name one");
        }
        Request::List(word) => {
            if !datasets.is_empty() {
                Snapshot::open_together(&datasets)?;
            }
            let list = list::list(word.as_deref(), arguments.format()?)?;
            match output {
                Some(_) => put(output, &list)?,
                // The list is not escaped: its colours are this program's own.
                None => print(&list)?,
            }
        }
        Request::Shipped(query) if arguments.sql => put(output, query.sql)?,
        Request::Shipped(query) if arguments.plan => {
            let steps = steps(query, arguments, &datasets)?;
            put(output, &format!("{steps}\n"))?;
        }
        Request::Sql(_) if arguments.crawl.is_some() || arguments.each_crawl => {
            return usage(
                "--crawl is for shipped queries; SQL of your own has WHERE crawl = 'LABEL'",
            );
        }
        Request::Shipped(query) => {
            let format = arguments.format()?;
            let snapshot = Snapshot::open_together(&datasets)?;
            let scope = Scope::of(&snapshot, &arguments.memory)?;
            let set = literals(query, &parameters(arguments)?)?;
            let crawls = scope.crawls();
            if arguments.each_crawl {
                check_each_crawl(query, &set)?;
            } else {
                for note in notes_on_crawls(query, &set, &crawls) {
                    tell!("note: {}", escape::line(&note));
                }
            }
            let sets = if arguments.each_crawl && !crawls.is_empty() {
                // In order of time.
                let of_each = crawls.iter().map(|crawl| {
                    let mut set = set.clone();
                    set.insert("crawl", sql::text(&crawl.label));
                    set
                });
                of_each.collect()
            } else {
                vec![set]
            };
            let calls: Vec<Call> = sets.iter().map(|set| call(query, set, &crawls)).collect();
            let notes = notes(query, &sets).filter(|_| format != ResultFormat::Parquet);
            check_place(format, output)?;
            let told = answer(format, output, |to| {
                scope.run_shipped(&calls, notes.as_deref(), to)
            });
            for note in told.map_err(refused)? {
                tell!("note: {note}");
            }
        }
        Request::Sql(script) => {
            let format = arguments.format()?;
            let snapshot = Snapshot::open_together(&datasets)?;
            let mut scope = Scope::of(&snapshot, &arguments.memory)?;
            for (name, value) in &arguments.set {
                scope.set(name, &sql::value(value));
            }
            for path in &arguments.read {
                scope.allow(path)?;
            }
            check_place(format, output)?;
            answer(format, output, |to| scope.run(&script, to))?;
        }
    }
    Ok(())
}

fn check_place(format: ResultFormat, output: Option<&Path>) -> Result<()> {
    if format == ResultFormat::Parquet && output.is_none() {
        return usage("Parquet needs a file: --output FILE");
    }
    Ok(())
}

fn answer<T>(
    format: ResultFormat,
    output: Option<&Path>,
    write: impl FnOnce(&mut Output<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    if let (ResultFormat::Parquet, Some(path)) = (format, output) {
        let _waiting = waiting();
        return write(&mut Output::Parquet { path, options: "" });
    }
    let terminal = || Term::stdout().size_checked().map(|(_, columns)| columns);
    let width = output.map_or_else(terminal, |_| None);
    to_output(output, |out| {
        let waiting = Some(waiting());
        let out = &mut WaitingWriter { out, waiting };
        write(&mut Output::Text { format, width, out })
    })
}

/// The datasets, and the query: the words after OUT from the first that is not a directory.
fn datasets_and_query(arguments: &QueryArguments) -> Result<(Vec<PathBuf>, Option<String>)> {
    let is_dataset = |path: &&OsString| {
        let path = Path::new(path);
        arguments.execute.is_some() || path.is_dir() || path.to_string_lossy().ends_with('/')
    };
    let others = arguments.paths.iter().skip(1);
    let mut number = arguments.paths.len().min(1) + others.take_while(is_dataset).count();
    // A directory may be named like a query, as `corpus/` is.
    let last = arguments.paths.last().and_then(|last| last.to_str());
    let is_query = last.and_then(shipped::find).is_some() && arguments.execute.is_none();
    if is_query && number > 1 && number == arguments.paths.len() {
        number -= 1;
    }
    let (datasets, words) = arguments.paths.split_at(number);
    if words.is_empty() && arguments.sql {
        return usage("--sql prints the SQL of a shipped query; name one");
    }
    let query = (!words.is_empty()).then(|| words.join(" ".as_ref()));
    let query = query.map(|words| words.to_string_lossy().into_owned());
    Ok((datasets.iter().map(PathBuf::from).collect(), query))
}

/// The call of a query, with its crawl if the query needs only the dataset of that crawl.
fn call(query: &ShippedQuery, set: &Literals, crawls: &[Crawl]) -> Call {
    let asked = match set.get("crawl").filter(|literal| *literal != "NULL") {
        Some(literal) => crawls.iter().find(|it| sql::text(&it.label) == *literal),
        None => crawls.last(),
    };
    let is_of_one = query.is_of_one_crawl(set.contains_key("agents"));
    let arguments = set.iter().map(|(name, literal)| (*name, literal.as_str()));
    Call {
        sql: query.call(arguments),
        crawl: asked.filter(|_| is_of_one).map(|crawl| crawl.label.clone()),
    }
}

fn steps(
    query: &'static ShippedQuery,
    arguments: &QueryArguments,
    datasets: &[PathBuf],
) -> Result<Value> {
    let typed = parameters(arguments)?;
    let set = literals(query, &typed)?;
    let crawls = if arguments.each_crawl {
        check_each_crawl(query, &set)?;
        Crawls::Each
    } else {
        let crawl = typed.iter().rfind(|(name, _)| name == "crawl");
        crawl.map_or(Crawls::Default, |(_, label)| Crawls::One(sql::plain(label)))
    };
    let steps = plan::steps(query, crawls, set.contains_key("agents"), datasets)?;
    let entry = |step: plan::Step| {
        let datasets = step.datasets.iter().map(|path| path.to_string_lossy());
        json!({"datasets": datasets.collect::<Vec<_>>(), "crawl": step.crawl})
    };
    Ok(steps.into_iter().map(entry).collect())
}

fn check_each_crawl(query: &ShippedQuery, set: &Literals) -> Result<()> {
    if query.parameter("crawl").is_some() && !set.contains_key("crawl") {
        return Ok(());
    }
    let name = query.name;
    usage(format!(
        "--each-crawl: {name} is not about one crawl, or --set names one"
    ))
}

fn request(
    arguments: &QueryArguments,
    dataset: Option<&PathBuf>,
    query: Option<&str>,
) -> Result<Request> {
    let Some(dataset) = dataset else {
        if arguments.execute.is_some() || !arguments.set.is_empty() {
            return usage("name the dataset: robostat query OUT");
        }
        return Ok(Request::List(None));
    };
    if let Some(sql) = &arguments.execute {
        return Ok(Request::Sql(sql.clone()));
    }
    let first = dataset.to_str().filter(|_| !dataset.exists());
    if let Some(query) = first.and_then(shipped::find) {
        let path = arguments.paths.iter().skip(1).last();
        let path = path.map_or(Path::new("OUT"), Path::new).display();
        let query = query.name;
        return usage(format!(
            "the dataset comes first: robostat query {path} {query}"
        ));
    }
    let Some(name) = query else {
        return Ok(Request::List(None));
    };
    let path = Path::new(name);
    if let Some(query) = shipped::find(name).filter(|_| !path.is_file()) {
        return Ok(Request::Shipped(query));
    }
    if name == "-" {
        return Ok(Request::Sql(io::read_to_string(io::stdin())?));
    }
    if let Some(new) = shipped::renamed(name).filter(|_| !path.exists()) {
        return usage(format!("the query {name} is now {new}"));
    }
    if is_site(path) {
        return usage(format!(
            "for one site, crawl after crawl: robostat history OUT {name}"
        ));
    }
    let has_words = name.contains(char::is_whitespace);
    let is_path = !has_words && (path.extension().is_some() || name.contains(is_separator));
    if is_path || path.exists() {
        let sql = fs::read_to_string(path).map_err(Error::io(path))?;
        return Ok(Request::Sql(sql));
    }
    let is_listed = arguments.set.is_empty() && !arguments.sql && !arguments.plan;
    let is_search = is_listed && !shipped::is_misspelt(name);
    if is_search && !shipped::search(name).is_empty() {
        return Ok(Request::List(Some(name.to_owned())));
    }
    let near = shipped::near(name);
    let hint = if near.is_empty() {
        "`robostat query OUT` lists them all".to_owned()
    } else {
        format!("is it {}?", near.join(" or "))
    };
    usage(format!("there is no query {name}; {hint}"))
}

fn is_site(path: &Path) -> bool {
    // `site` and `news` are words, though also suffixes.
    let is_site =
        |name: &str| name.contains('.') && registrable_domain::is_under_listed_suffix(name);
    path.to_str().is_some_and(is_site) && !path.exists()
}

fn parameters(arguments: &QueryArguments) -> Result<Vec<(String, String)>> {
    let mut set = arguments.set.clone();
    if let Some(crawl) = &arguments.crawl {
        if set.iter().any(|(name, _)| name == "crawl") {
            return usage("give --crawl LABEL or --set crawl=LABEL, not both");
        }
        set.push(("crawl".to_owned(), crawl.clone()));
    }
    Ok(set)
}

/// Notes on the crawl that the answer is for, if none was chosen, and on the order of crawls, if it
/// is uncertain and the query depends on it.
fn notes_on_crawls(query: &ShippedQuery, set: &Literals, crawls: &[Crawl]) -> Vec<String> {
    let is_set = set.get("crawl").is_some_and(|literal| literal != "NULL");
    let is_of_one = query.parameter("crawl").is_some();
    let mut notes = Vec::new();
    if is_of_one && !is_set {
        notes.extend(last_note("the answer is for", crawls));
    }
    if !is_of_one || !is_set || query.parameter("before").is_some() {
        notes.extend(order_note(crawls));
    }
    notes
}

fn literals(query: &'static ShippedQuery, set: &[(String, String)]) -> Result<Literals> {
    let mut literals = Literals::new();
    for (name, value) in set {
        let Some(parameter) = query.parameter(name) else {
            let meant = match query.near_parameters(name).as_slice() {
                [] => String::new(),
                near => format!("; is it {}?", near.join(" or ")),
            };
            let has = match query.parameters().as_slice() {
                [] => "none".to_owned(),
                own => {
                    let own: Vec<String> = own.iter().map(Parameter::example).collect();
                    own.join(" ")
                }
            };
            let query = query.name;
            return usage(format!(
                "{query} has no parameter {name}{meant} (it has {has})"
            ));
        };
        if LISTS.contains(&parameter.name) && !value.contains("://") {
            check_file(Path::new(value))?;
        }
        // The macros take an empty label for the default crawl.
        if ["crawl", "before"].contains(&parameter.name) && sql::plain(value).is_empty() {
            return usage(format!("{name}: the label of a crawl is not empty"));
        }
        let literal = sql::typed(value, parameter.sql_type)
            .or_else(|message| usage(format!("--set {name}={value}: {message}")))?;
        // The last value counts.
        literals.insert(parameter.name, literal);
    }
    Ok(literals)
}

/// A statement for notes about the result: how many domains of a list the dataset has, and which
/// crawlers of `agents` no file names, in each crawl that is asked for.
fn notes(query: &ShippedQuery, sets: &[Literals]) -> Option<String> {
    let lists = LISTS.iter().filter_map(|name| sets[0].get(name));
    let notes = lists.map(|path| format!("FROM list_note({path})"));
    let unnamed = sets.iter().filter_map(|set| {
        let crawl = match query.parameter("crawl") {
            Some(_) => set.get("crawl").map_or("NULL", String::as_str),
            None => "'all'",
        };
        let agents = set.get("agents")?;
        Some(format!("FROM unnamed_agents({agents}, {crawl})"))
    });
    let notes: Vec<String> = notes.chain(unnamed).collect();
    (!notes.is_empty()).then(|| notes.join(" UNION ALL "))
}
