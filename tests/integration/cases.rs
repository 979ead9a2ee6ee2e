//! Cases as text: the blocks of each page of tests/cases run in order in a folder with `samples/`.
//!
//! - `console`: after `$` a command of the shell, with its further lines after `>`; below it the
//!   lines that it prints on either output, and its exit code unless that is 0. `table_views FILE`
//!   prints the views of tables at the beginning of a `views.sql`, which DuckDB reads much faster.
//! - `crawl NAME OPTIONS`: captures in the words of [`Page::captures`], ingested into the dataset
//!   NAME with these options, as a robots.txt subset unless the options ask for pages.
//! - `warc FILE`: captures in the same words, as a WARC file; `.gz` and `.zst` compress its
//!   records.
//! - `seal DATASET`: makes its manifest agree with its parts again, after [changes](seal::seal).
//! - `serve`: answers of the page's [server](crate::support::server), whose address is `$SERVER`.
//! - `zstd`: files to compress, each to FILE.zst.
//! - `sql NAME`: statements about the dataset NAME, each with its rows as comments below it.
//! - `sql`: statements about files, likewise.
//! - Any other block with a name is the file of that name.
//!
//! `ROBOSTAT_UPDATE=1` in the environment writes the results into the pages.
#![cfg(unix)]

mod seal;

use std::collections::HashMap;
use std::fs;
use std::mem::take;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use self::seal::seal;
use crate::readme::search_path;
use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::mini_warc::{MiniWarc, robots};
use crate::support::program::{NETWORK, Run as _, assert_text, robostat, samples};
use crate::support::server;
use crate::support::warc::Packing;

/// A test for each page of a folder.
macro_rules! pages {
    ($folder:literal: $($name:ident)*) => {
        $(#[test] fn $name() { crate::cases::run(concat!($folder, "/", stringify!($name), ".md")); })*

        #[test]
        fn every_page_is_a_test() {
            let pages = crate::cases::page_names(std::path::Path::new($folder));
            assert_eq!(pages, [$(concat!(stringify!($name), ".md")),*]);
        }
    };
}

pages! { "tests/cases": arc cards catalog check compact crawls demo denominators denominators_of_queries derived diff every_query export fetches forms history host_files hostile inputs inspect intervals intervals_recounted lists lost_parts meaning merge no_captures own_sql pages pages_ingest panels panels_recounted platforms policy_diffs probe published query query_answers records repaired report report_claims report_crawls report_sample report_texts sample_crawl schema schema_written shares snapshots summaries together verify verify_rows views }

#[cfg(feature = "remote")]
mod remote {
    pages! { "tests/cases/remote": bodies columns downloads indexes lists many objects panel panel_sites recipe refusals tls }
}

/// The names of the pages in a folder of the clone.
fn page_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).expect("pages");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string());
    let mut names: Vec<String> = names.map(|name| name.expect("UTF-8")).collect();
    names.retain(|name| name != "remote");
    names.sort();
    names
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a page and compares it with what its blocks print.
fn run(path: &str) {
    let path = root().join(path);
    let text = fs::read_to_string(&path).expect("a page");
    let folder = Folder::new();
    let mut page = Page {
        server: server::start(folder.path("")),
        folder,
        bodies: HashMap::new(),
    };
    symlink(samples(), page.folder.path("samples")).expect("space");
    let mut found = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        add(&mut found, line);
        if let Some(fence) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let block = page.block(fence, &block);
            found += &block.replace(&page.server, "SERVER");
            add(&mut found, "```");
        }
    }
    assert_text(&path, &found);
}

/// Functions for the shell of every page; on one line with `exec`, so that line numbers stay.
const WORDS: &str = r#"table_views() { sed '/^CREATE OR REPLACE VIEW policy_diffs/,$d' "$1"; }"#;

/// The folder of a page, the address of its server, and the bodies that it names.
struct Page<'a> {
    folder: Folder,
    server: String,
    bodies: HashMap<&'a str, &'a str>,
}

impl<'a> Page<'a> {
    /// Runs a block; returns its text with what was printed.
    fn block(&mut self, fence: &str, lines: &[&'a str]) -> String {
        let words: Vec<&str> = fence.split(' ').collect();
        let text = || {
            lines
                .iter()
                .fold(String::new(), |text, line| text + line + "\n")
        };
        match words[..] {
            ["console"] => return self.console(lines),
            ["sql"] => return self.sql("", lines),
            ["sql", dataset] => {
                let views = duckdb::views(&self.folder.path(dataset), &lines.join("\n"));
                return self.sql(&views, lines);
            }
            ["crawl", dataset, ref options @ ..] => {
                let captures = self.captures(lines);
                let name = options.last().filter(|name| !name.starts_with('-'));
                let name = name.unwrap_or(&dataset);
                let input = self
                    .folder
                    .write(&format!("{name}.warc"), &captures.bytes());
                let mut ingest = robostat(["ingest", "--quiet"]);
                if !options.contains(&"--pages") {
                    ingest.args(["--subset", "robotstxt"]);
                }
                ingest
                    .args(options)
                    .args([input, self.folder.path(dataset)]);
                // Without a capture, the run ends with a message.
                let code = if lines.is_empty() { 3 } else { 0 };
                ingest.fail(code);
            }
            ["warc", file] => {
                let packing = match file.rsplit('.').next() {
                    Some("gz") => Packing::GzipPerRecord,
                    Some("zst") => Packing::ZstdPerRecord,
                    _ => Packing::Plain,
                };
                let captures = self.captures(lines).pack(packing);
                self.folder.write(file, &captures);
            }
            ["seal", dataset] => seal(&self.folder.path(dataset), lines),
            ["zstd"] => {
                for file in lines.iter().flat_map(|line| line.split(' ')) {
                    let bytes = fs::read(self.folder.path(file)).expect("a file");
                    let packed = zstd::encode_all(&*bytes, 1).expect("memory");
                    self.folder.write(&format!("{file}.zst"), &packed);
                }
            }
            ["serve"] => {
                self.folder.write("answers", text().as_bytes());
                for log in ["requests", "times"] {
                    self.folder.write(log, b"");
                }
            }
            [_, file] => {
                self.folder.write(file, text().as_bytes());
            }
            _ => panic!("a block of {fence:?}"),
        }
        text()
    }

    /// Commands, each with the lines that it prints on either output, and its exit code unless that
    /// is 0.
    fn console(&self, lines: &[&str]) -> String {
        let mut found = String::new();
        let mut lines = lines.iter().peekable();
        while let Some(line) = lines.next() {
            let Some(command) = line.strip_prefix("$ ") else {
                continue;
            };
            add(&mut found, line);
            let mut command = format!("exec 2>&1; {WORDS}\n{command}\n");
            while let Some(line) = lines.next_if(|line| line.starts_with('>')) {
                add(&mut found, line);
                add(
                    &mut command,
                    line[1..].strip_prefix(' ').unwrap_or_default(),
                );
            }
            let mut shell = Command::new("sh");
            for variable in NETWORK {
                shell.env_remove(variable);
            }
            let output = shell
                .args(["-c", &command])
                .current_dir(self.folder.path(""))
                .env("LC_ALL", "C") // the order of `sort`
                .env("PATH", search_path())
                .env("SERVER", &self.server)
                .env_remove("ROBOSTAT_DUCKDB")
                .stdin(Stdio::null())
                .output()
                .expect("a shell");
            found += &String::from_utf8(output.stdout).expect("UTF-8");
            if !found.ends_with('\n') {
                found.push('\n');
            }
            if let Some(code @ 1..) = output.status.code() {
                add(&mut found, &format!("exit code {code}"));
            }
        }
        found
    }

    /// Statements and commands of DuckDB's shell, each with its rows below it, all in one run.
    fn sql(&self, before: &str, lines: &[&str]) -> String {
        let (mut statements, mut statement) = (Vec::new(), String::new());
        for line in lines.iter().filter(|line| !line.starts_with("--")) {
            add(&mut statement, line);
            if line.ends_with(';') || line.starts_with('.') {
                statements.push(take(&mut statement));
            }
        }
        assert_eq!(statement, "", "; at the end of a statement");
        let place = self.folder.path("");
        let all = statements.join(".print ;\n");
        let script = format!(".cd '{}'\n{before}\n{all}", place.display());
        let rows = duckdb::lines(&script);
        let mut found = String::new();
        for (statement, rows) in statements.iter().zip(rows.split(|row| row == ";")) {
            found += statement;
            for row in rows {
                add(&mut found, format!("-- {row}").trim_end());
            }
        }
        found
    }

    /// Captures a minute apart, one a line, of a host's robots.txt or of a URL:
    ///
    /// ```text
    /// # a comment
    /// OPEN = User-agent: *; Disallow:         a name on this page for a body, `; ` ends its lines
    /// 2026-01-05                              the day of the captures that follow
    /// one.example OPEN                        a success with this body
    /// site{1..9}.example User-agent: *        nine hosts
    /// https://one.example/{robots.txt,page} x two URLs
    /// two.example @robots.txt                 a success with the content of a file
    /// two.example 404                         a status; a body may follow
    ///     TDM-Reservation: 1                  a header of the response
    /// three.example -> one.example            a redirect to another host's file or to a URL
    /// ```
    fn captures(&mut self, lines: &[&'a str]) -> MiniWarc {
        let mut warc = MiniWarc::new();
        let mut lines = lines
            .iter()
            .filter(|line| !line.starts_with('#'))
            .peekable();
        while let Some(line) = lines.next() {
            let Some((place, rest)) = line.split_once(' ') else {
                warc = warc.on(line);
                continue;
            };
            if let Some(body) = rest.strip_prefix("= ") {
                self.bodies.insert(place, body);
                continue;
            }
            let mut headers = String::new();
            let (status, body) = if let Some(target) = rest.strip_prefix("-> ") {
                headers = format!("Location: {}\r\n", url(target));
                (301, "")
            } else {
                let (status, body) = rest.split_once(' ').unwrap_or((rest, ""));
                status.parse().map_or((200, rest), |status| (status, body))
            };
            while let Some(header) = lines.next_if(|line| line.starts_with(' ')) {
                headers += &[header.trim(), "\r\n"].concat();
            }
            let body = match body.strip_prefix('@') {
                Some(file) => fs::read_to_string(self.folder.path(file)).expect("a file"),
                None => self.bodies.get(body).unwrap_or(&body).replace("; ", "\n"),
            };
            let end = if body.is_empty() { "" } else { "\n" };
            for place in places(place) {
                warc = warc.response(&url(&place), status, &headers, &(body.clone() + end));
            }
        }
        warc
    }
}

fn add(text: &mut String, line: &str) {
    *text += line;
    text.push('\n');
}

/// The URL of a host's robots.txt; a URL stays as it is.
fn url(place: &str) -> String {
    if place.contains('/') {
        place.to_owned()
    } else {
        robots(place)
    }
}

/// `a`, or for `a{1..3}` each of `a1`, `a2` and `a3`, or for `a{x,y}` each of `ax` and `ay`; for
/// several braces, every combination.
fn places(place: &str) -> Vec<String> {
    let each = place.split_once('{').and_then(|(before, rest)| {
        let (each, after) = rest.split_once('}')?;
        let each: Vec<String> = if let Some((first, last)) = each.split_once("..") {
            let range = first.parse::<u32>().ok()?..=last.parse().ok()?;
            range.map(|number| number.to_string()).collect()
        } else {
            each.split(',').map(str::to_owned).collect()
        };
        let rest = places(after);
        let with = |each: String| {
            let rest = rest.iter();
            rest.map(move |after| format!("{before}{each}{after}"))
        };
        Some(each.into_iter().flat_map(with).collect())
    });
    each.unwrap_or_else(|| vec![place.to_owned()])
}
