//! `robostat check --batch`: cases on standard input, verdicts on standard output, one JSON object
//! per line.
//!
//! A case is printed as it was written, with the verdict appended to its text, so unknown fields
//! stay as they were. Consecutive cases with the same body share its rulesets.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use base64::Engine as _;
use indexmap::IndexMap;
use robots_dialects::dialect::{Dialect, Ruleset, Verdict};
use robots_dialects::limit;
use robots_dialects::path::UrlPath;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::verdict::JsonAnswer;
use crate::cli::outcome::{COMPLETE, DAMAGED, Result};
use crate::cli::values::Dialects;
use crate::error::Error;
use crate::escape;
use crate::ingest::corpus::BASE64;

/// Length of the longest case in bytes: a body of the largest limit in base64, and the rest.
const LONGEST_CASE: usize = 128 << 20;
const BUFFER: usize = 1 << 18;

#[derive(Deserialize)]
struct Case {
    robots: Option<String>,
    robots_base64: Option<String>,
    agent: Option<String>,
    url: Option<String>,
    url_base64: Option<String>,
    dialect: Option<String>,
}

pub(super) fn run(dialects: Dialects, limit: usize) -> Result<u8> {
    let mut input = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    let mut bench = BodyRulesets {
        dialects,
        limit,
        ..BodyRulesets::default()
    };
    let mut code = COMPLETE;
    let (mut number, mut line) = (0u64, Vec::new());
    loop {
        // A client that sent a case and waits gets its answer before we wait for the next case.
        if input.buffer().is_empty() {
            out.flush().map_err(Error::unwritten)?;
        }
        number += 1;
        let next = next_line(&mut input, LONGEST_CASE, &mut line);
        let answer = match next.map_err(Error::io("standard input"))? {
            None => break,
            Some(Ok(line)) if line.trim_ascii().is_empty() => continue,
            Some(Ok(line)) => bench.answer(line.trim_ascii()),
            Some(Err(problem)) => Err(problem.into()),
        };
        let answer = answer.unwrap_or_else(|error| {
            code = DAMAGED;
            json!({ "input_line": number, "error": error.to_string() }).to_string()
        });
        // Characters that a terminal would interpret become escapes with the same value.
        writeln!(out, "{}", escape::json(&answer)).map_err(Error::unwritten)?;
    }
    out.flush().map_err(Error::unwritten)?;
    Ok(code)
}

/// Reads the next line of `input` into `line`, and returns it without its end; `None` after the
/// last. A line of more than `longest` bytes is skipped, and is an error.
pub(in crate::cli) fn next_line<'l>(
    input: &mut impl BufRead,
    longest: usize,
    line: &'l mut Vec<u8>,
) -> io::Result<Option<Result<&'l [u8], String>>> {
    line.clear();
    let mut start = input.by_ref().take(longest as u64 + 1);
    if start.read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_none() && line.len() > longest {
        input.skip_until(b'\n')?;
        let problem = format!("the line is longer than {longest} bytes");
        return Ok(Some(Err(problem)));
    }
    Ok(Some(Ok(line)))
}

#[derive(Default)]
struct BodyRulesets {
    dialects: Dialects,
    limit: usize,
    body: Vec<u8>,
    rulesets: [Option<Ruleset>; Dialect::ALL.len()],
}

impl BodyRulesets {
    fn answer(&mut self, line: &[u8]) -> Result<String> {
        let line = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8")?;
        let case: Case = serde_json::from_str(line)?;
        let agent = case.agent.ok_or("no \"agent\"")?;
        let url = bytes("url", case.url, case.url_base64)?;
        let one: [Dialect; 1];
        let dialects: &[Dialect] = match case.dialect.as_deref() {
            None => self.dialects,
            Some("all") => &Dialect::ALL,
            Some(name) => {
                one = [name.parse::<Dialect>()?];
                &one
            }
        };
        let mut body = bytes("robots", case.robots, case.robots_base64)?;
        body.truncate(limit::cut(&body, self.limit).len());
        if body != self.body {
            self.body = body;
            self.rulesets = Default::default();
        }
        let path = UrlPath::from_url(&url);
        for dialect in dialects {
            self.rulesets[*dialect as usize].get_or_insert_with(|| dialect.compile(&self.body));
        }
        let rulesets = dialects.iter();
        let rulesets = rulesets.filter_map(|it| self.rulesets[*it as usize].as_ref());
        let verdicts = rulesets.map(|it| (it.dialect(), it.verdict(agent.as_bytes(), &path)));
        let verdicts: Vec<(Dialect, Verdict<'_>)> = verdicts.collect();
        let added = serde_json::to_string(&JsonAnswer::of(&verdicts))?;
        Ok(append(line, &added)?)
    }
}

/// The value of a field that a case has as text or in base64.
fn bytes(name: &str, text: Option<String>, base64: Option<String>) -> Result<Vec<u8>, String> {
    match (text, base64) {
        (Some(text), None) => Ok(text.into_bytes()),
        (None, Some(base64)) => BASE64
            .decode(base64)
            .map_err(|error| format!("{name}_base64: {error}")),
        (None, None) => Err(format!("no \"{name}\" and no \"{name}_base64\"")),
        _ => Err(format!("both \"{name}\" and \"{name}_base64\"")),
    }
}

/// Adds the fields of the object `added` to the object on `line`, in place of those it has already.
fn append(line: &str, added: &str) -> serde_json::Result<String> {
    // A field's name is on the line, unless escapes hide it: such a line may have any field.
    let mut fields = JsonAnswer::FIELDS.iter();
    let may_clash = line.contains("\\u") || fields.any(|name| line.contains(name));
    match line.strip_suffix('}') {
        Some(open) if !may_clash => Ok(format!("{open},{}", &added[1..])),
        _ => {
            let mut object: IndexMap<String, &RawValue> = serde_json::from_str(line)?;
            object.extend(serde_json::from_str::<IndexMap<String, &RawValue>>(added)?);
            serde_json::to_string(&object)
        }
    }
}
