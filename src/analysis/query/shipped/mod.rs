//! The shipped queries: every file of `queries/`, compiled into the program. Each is a table macro
//! of DuckDB under a head of comments.

mod search;

use std::sync::LazyLock;

use crate::analysis::lists::{self, Entry, Lists};

pub use search::search;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedQuery {
    pub name: &'static str,
    /// Its file, within the project, such as `queries/responses/corpus.sql`.
    pub path: &'static str,
    pub sql: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    pub name: &'static str,
    /// Its type, as DuckDB names it, such as `VARCHAR[]`.
    pub sql_type: &'static str,
    /// Its default, as SQL writes it: `NULL` if the query computes it.
    pub default: &'static str,
}

static ALL: &[ShippedQuery] = include!(concat!(env!("OUT_DIR"), "/queries.rs"));

/// Lists about shipped queries: topics, queries to start with, old names, and example values.
static LISTS: LazyLock<Lists> = LazyLock::new(|| lists::read(&[include_str!("lists.txt")]));

/// The type of a parameter that takes names: SQL accepts text or a list for it.
const NAMES: &str = "VARCHAR[]";

const CREATE: &str = "CREATE OR REPLACE MACRO ";

pub fn all() -> &'static [ShippedQuery] {
    ALL
}

pub fn topics() -> &'static [Entry] {
    &LISTS["topics"]
}

pub fn starters() -> impl Iterator<Item = &'static ShippedQuery> {
    LISTS["starters"].iter().filter_map(|(name, _)| find(name))
}

/// The shipped query of that name, typed as the name of its file or of its macro.
pub fn find(name: &str) -> Option<&'static ShippedQuery> {
    let name = name.strip_suffix(".sql").unwrap_or(name).replace('_', "-");
    ALL.iter().find(|query| query.name == name)
}

pub fn renamed(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".sql").unwrap_or(name).replace('_', "-");
    lists::find(&LISTS["renamed"], &name)
}

/// Whether `name` is most likely a misspelt name of a query, not words to search for.
pub fn is_misspelt(name: &str) -> bool {
    let is_part = ALL.iter().any(|query| query.name.contains(name));
    let is_like = |query: &ShippedQuery| strsim::jaro_winkler(name, query.name) > 0.95;
    name.contains('-') && !is_part && ALL.iter().any(is_like)
}

pub fn near(name: &str) -> Vec<&'static str> {
    near_in(name, ALL.iter().map(|query| query.name))
}

/// At most three of `names` that are similar to `name`, the nearest first.
fn near_in<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut near: Vec<(f64, &str)> = names
        .map(|other| {
            let contains = other.contains(name) || name.contains(other);
            let likeness = strsim::jaro_winkler(name, other);
            (if contains { 1.0 } else { likeness }, other)
        })
        .filter(|(likeness, _)| *likeness > 0.75)
        .collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

impl Parameter {
    /// The parameter with a value, as you would type it: `top=30`, `agents=gptbot,ccbot`.
    pub fn example(&self) -> String {
        let default = self.default.replace(['[', ']', ' ', '\''], "");
        let example = lists::find(&LISTS["examples"], self.name);
        format!("{}={}", self.name, example.unwrap_or(&default))
    }
}

impl ShippedQuery {
    pub fn macro_name(&self) -> String {
        self.name.replace('-', "_")
    }

    /// The question that it answers, as one line: the head up to its keywords.
    pub fn summary(&self) -> String {
        let lines = self.head();
        join(lines.take_while(|line| !line.starts_with("Keywords:")))
    }

    /// The text of the head under a title such as `Keywords`, as one line; empty without that part.
    pub fn part(&self, title: &str) -> String {
        let mut lines = self.head();
        let text_of = |line: &'static str| line.strip_prefix(title)?.strip_prefix(':');
        let first = lines.find_map(text_of).unwrap_or_default().trim_start();
        // Further lines of a part are indented.
        let more = lines.take_while(|line| line.starts_with(' '));
        join(std::iter::once(first).chain(more))
    }

    pub fn topic(&self) -> &'static str {
        let folder = self.path.split('/').nth_back(1).unwrap_or_default();
        lists::find(topics(), folder).unwrap_or_default()
    }

    pub fn parameters(&self) -> Vec<Parameter> {
        let statement = self.sql.split_once(CREATE);
        let list = statement.and_then(|(_, macro_of)| macro_of.split_once('('));
        let pieces = pieces(list.map_or("", |(_, list)| list));
        pieces.into_iter().filter_map(parameter).collect()
    }

    pub fn parameter(&self, name: &str) -> Option<Parameter> {
        self.parameters().into_iter().find(|it| it.name == name)
    }

    /// Whether its answer for a crawl needs only that crawl's tables. It needs more if it compares
    /// crawls, or chooses crawlers by all policies of the dataset because `agents` names none.
    pub fn is_of_one_crawl(&self, names_agents: bool) -> bool {
        let compares = self.parameter("before").is_some();
        let choices = [
            "chosen_agents(",
            "chosen_ai_agents(",
            "coalesce(known_tokens(agents)",
        ];
        let is_choice_of_all = choices.iter().any(|choice| self.sql.contains(choice));
        self.parameter("crawl").is_some() && !compares && (names_agents || !is_choice_of_all)
    }

    /// Whether its parameter `crawl` accepts `all`, for every crawl in one answer.
    pub fn takes_all_crawls(&self) -> bool {
        self.sql.contains("nullif(crawl, 'all')")
    }

    pub fn near_parameters(&self, name: &str) -> Vec<&'static str> {
        near_in(name, self.parameters().iter().map(|it| it.name))
    }

    /// SQL that runs it with arguments: pairs of a parameter's name and a literal.
    pub fn call<'a>(&self, arguments: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        let arguments = arguments.into_iter();
        let arguments = arguments.map(|(name, literal)| format!("\"{name}\" := {literal}"));
        let arguments: Vec<String> = arguments.collect();
        format!("FROM {}({})", self.macro_name(), arguments.join(", "))
    }

    /// The lines of the comment that the file begins with, without their `-- `.
    fn head(&self) -> impl Iterator<Item = &'static str> {
        let lines = self.sql.lines();
        let lines = lines.map_while(|line| line.strip_prefix("--"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line))
    }
}

/// `name TYPE := default`, or `name := default`, where the default shows the type.
fn parameter(text: &'static str) -> Option<Parameter> {
    let (declared, default) = text.split_once(":=")?;
    let (declared, default) = (declared.trim(), default.trim());
    let (name, sql_type) = declared
        .split_once(char::is_whitespace)
        .unwrap_or_else(|| (declared, type_of_default(declared, default)));
    Some(Parameter {
        name: name.trim_matches('"'),
        sql_type: sql_type.trim(),
        default,
    })
}

fn type_of_default(name: &str, default: &str) -> &'static str {
    match default.as_bytes() {
        [b'[', b'\'', ..] => NAMES,
        [b'[', ..] => "BIGINT[]",
        [b'0'..=b'9', ..] => "INTEGER",
        _ if name == "agents" => NAMES,
        _ => "VARCHAR",
    }
}

/// The pieces between the commas of a list, up to the parenthesis that closes it.
fn pieces(list: &'static str) -> Vec<&'static str> {
    let (mut found, mut start, mut depth, mut is_text) = (Vec::new(), 0, 0_usize, false);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'\'' => is_text = !is_text,
            _ if is_text => {}
            b'(' | b'[' => depth += 1,
            b')' if depth == 0 => {
                found.push(list[start..at].trim());
                break;
            }
            b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                found.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

fn join<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
