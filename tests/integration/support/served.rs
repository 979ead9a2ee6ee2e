//! The server of a page of tests/cases. It has the files of the page's folder, and answers some
//! requests as a block of the page says:
//!
//! ```text
//! /a.warc.gz file | cut 1000     the first request: the connection breaks after 1000 bytes
//! /a.warc.gz 503 slow down       the second request: a status and a body
//!     Retry-After: 1             a header of that answer; without a value, it is left out
//! /b.warc.gz 200 @c.warc.gz      a status and the content of a file, without ranges
//! /c.warc.gz always none         every request: the connection is closed
//! /dir/* always file a.warc.gz   every request below /dir/: another file
//! /b/*?us-east-1 always 400      requests below /b/ whose query has this word
//! ```
//!
//! Each request adds a line to the file `requests` of the folder: the method, the target, the range
//! and the condition of the range. The file `headers` has the headers of the last one.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::server::{Answer, ServedRequest, Server};
use super::sha256;

/// A server, until it is dropped.
pub(crate) struct Served {
    server: Server,
    folder: PathBuf,
    rules: Arc<Mutex<Vec<Rule>>>,
}

/// How a request is answered.
#[derive(Clone)]
struct Rule {
    /// The path, or with `*` at its end the beginning of paths; after `?` a part of the query.
    target: String,
    is_always: bool,
    answer: String,
    headers: Vec<(String, String)>,
}

impl Served {
    /// The server of the files in this folder.
    pub(crate) fn new(folder: PathBuf) -> Self {
        let rules = Arc::<Mutex<Vec<Rule>>>::default();
        let (ours, files) = (Arc::clone(&rules), folder.clone());
        let server = Server::new(move |asked| {
            log(&files, asked);
            let rules = ours.lock().expect("no panic").clone();
            answer(&files, &rules, asked)
        });
        Self {
            server,
            folder,
            rules,
        }
    }

    /// The address of the folder, without a slash at its end.
    pub(crate) fn url(&self) -> String {
        self.server.url("")
    }

    /// Answers as these lines say, and forgets earlier lines and requests.
    pub(crate) fn follow(&self, lines: &[&str]) {
        let mut rules: Vec<Rule> = Vec::new();
        for line in lines {
            if let Some(header) = line.strip_prefix("    ") {
                let (name, value) = header.split_once(':').expect("a header");
                let rule = rules.last_mut().expect("an answer before its headers");
                (rule.headers).push((name.to_owned(), value.trim().to_owned()));
                continue;
            }
            let (target, rest) = line.split_once(' ').expect("a target and its answer");
            let always = rest.strip_prefix("always ");
            rules.push(Rule {
                target: target.to_owned(),
                is_always: always.is_some(),
                answer: always.unwrap_or(rest).to_owned(),
                headers: Vec::new(),
            });
        }
        *self.rules.lock().expect("no panic") = rules;
        self.server.asked().clear();
        fs::write(self.folder.join("requests"), "").expect("space");
    }
}

fn log(folder: &Path, asked: &ServedRequest) {
    let mut line = format!("{} {}", asked.method, asked.target);
    for name in ["range", "if-range"] {
        line.extend(asked.header(name).map(|value| format!(" {value}")));
    }
    line.push('\n');
    let requests = folder.join("requests");
    let requests = OpenOptions::new().create(true).append(true).open(requests);
    let written = requests.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("space");
    let headers = asked.headers.iter();
    let headers: BTreeSet<String> = headers.map(|it| format!("{}: {}\n", it.0, it.1)).collect();
    let headers: String = headers.into_iter().collect();
    fs::write(folder.join("headers"), headers).expect("space");
}

fn answer(folder: &Path, rules: &[Rule], asked: &ServedRequest) -> Answer {
    let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    let is_meant = |rule: &&Rule| {
        let (target, part) = rule.target.split_once('?').unwrap_or((&rule.target, ""));
        let is_path = match target.strip_suffix('*') {
            Some(start) => path.starts_with(start),
            None => path == target,
        };
        is_path && query.contains(part)
    };
    let meant: Vec<&Rule> = rules.iter().filter(is_meant).collect();
    let last = meant.last().filter(|rule| rule.is_always);
    let Some(rule) = meant.get(asked.before).or(last) else {
        return file(folder, asked, path);
    };
    let mut words = rule.answer.split(" | ");
    let (kind, text) = pair(words.next().expect("an answer"));
    let mut answer = match (kind, text) {
        ("none", _) => return Answer::none(),
        ("file", "") => file(folder, asked, path),
        ("file", other) => file(folder, asked, other),
        (status, text) => {
            let body = match text.strip_prefix('@') {
                Some(name) => fs::read(folder.join(name)).expect("a file"),
                None => text.as_bytes().to_vec(),
            };
            Answer::new(status.parse().expect("a status"), &body)
        }
    };
    for change in words {
        let (change, number) = pair(change);
        let number = || number.parse::<usize>().expect("a number");
        answer = match change {
            "cut" => answer.cut(number()),
            "stall" => answer.stall(number()),
            "length" => answer.lie(number()),
            "after" => answer.after(Duration::from_millis(number() as u64)),
            "chunked" => answer.chunked(),
            "until-closed" => answer.until_closed(),
            _ => panic!("no change of an answer: {change}"),
        };
    }
    (rule.headers.iter()).fold(answer, |answer, (name, value)| answer.replace(name, value))
}

/// The first word and the rest.
fn pair(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}

/// A file of the folder, or 404. Its ETag follows from its content.
fn file(folder: &Path, asked: &ServedRequest, path: &str) -> Answer {
    match fs::read(folder.join(path.trim_start_matches('/'))) {
        Ok(body) => Answer::file(asked, &body, &format!("\"{}\"", &sha256(&body)[..6])),
        Err(_) => Answer::new(404, b"not here"),
    }
}
