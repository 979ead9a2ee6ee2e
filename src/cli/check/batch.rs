//! `robostat check --batch`: cases on standard input, verdicts on standard output, one JSON object
//! a line.
//!
//! A case is printed as it was written, with the verdict appended to its text, so unknown fields
//! stay as they were. Consecutive cases with the same body share its rulesets.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use robots_dialects::dialect::{Dialect, Ruleset, UnknownDialect, Verdict};
use robots_dialects::limit;
use robots_dialects::path::UrlPath;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::verdict::JsonAnswer;
use crate::cli::outcome::{COMPLETE, DAMAGED, Result};
use crate::cli::values::Dialects;
use crate::error::Error;
use crate::escape;

/// Bytes of a case: what base64 makes of the largest limit, with room for the rest.
const LONGEST_CASE: usize = 128 << 20;
/// Bytes of the buffers between us and the pipes.
const BUFFER: usize = 1 << 18;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

#[derive(Deserialize)]
struct Case {
    robots: Option<String>,
    robots_base64: Option<String>,
    agent: Option<String>,
    url: Option<String>,
    url_base64: Option<String>,
    dialect: Option<String>,
}

pub(super) fn run(
    input: impl Read,
    out: impl Write,
    dialects: Dialects,
    limit: usize,
) -> Result<u8> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut out = BufWriter::with_capacity(BUFFER, out);
    let mut bench = BodyRulesets {
        dialects,
        limit,
        body: Vec::new(),
        rulesets: Default::default(),
    };
    let mut code = COMPLETE;
    let (mut number, mut line, mut answer) = (0u64, Vec::new(), Vec::new());
    loop {
        // A client that sent a case and waits gets its answer before we wait for the next case.
        if input.buffer().is_empty() {
            out.flush().map_err(Error::unwritten)?;
        }
        number += 1;
        let next = next_line(&mut input, LONGEST_CASE, &mut line);
        let result = match next.map_err(Error::io("standard input"))? {
            None => break,
            Some(Ok(line)) if line.trim_ascii().is_empty() => continue,
            Some(line) => line.and_then(|line| bench.answer(line.trim_ascii(), &mut answer)),
        };
        if let Err(error) = result {
            code = DAMAGED;
            let error = serde_json::json!({ "input_line": number, "error": error });
            answer = error.to_string().into_bytes();
        }
        // A case is UTF-8, and what a terminal would obey becomes an escape of the same value.
        if !answer.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            answer = escape::json(&String::from_utf8_lossy(&answer))
                .into_owned()
                .into_bytes();
        }
        answer.push(b'\n');
        out.write_all(&answer).map_err(Error::unwritten)?;
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

/// The body at hand and what the dialects made of it.
struct BodyRulesets {
    dialects: Dialects,
    limit: usize,
    body: Vec<u8>,
    rulesets: [Option<Ruleset>; Dialect::ALL.len()],
}

impl BodyRulesets {
    fn answer(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result<(), String> {
        let line = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned())?;
        let case: Case = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let agent = case.agent.ok_or("no \"agent\"")?;
        let url = bytes("url", case.url, case.url_base64)?;
        let one: [Dialect; 1];
        let dialects: &[Dialect] = match case.dialect.as_deref() {
            None => self.dialects,
            Some("all") => &Dialect::ALL,
            Some(name) => {
                one = [name.parse().map_err(|it: UnknownDialect| it.to_string())?];
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
        let added = serde_json::to_vec(&JsonAnswer::of(&verdicts));
        append(line, &added.map_err(|error| error.to_string())?, answer)
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

/// Writes the object on `line` with the fields of the object `added` in it, theirs in place of its
/// own.
fn append(line: &str, added: &[u8], answer: &mut Vec<u8>) -> Result<(), String> {
    answer.clear();
    // A name that is nowhere on the line is not a field of it. (One written with escapes would be
    // found by no comparison; it could be any, so escapes count as one.)
    let is_there = |name: &&str| memchr::memmem::find(line.as_bytes(), name.as_bytes()).is_some();
    let may_clash = line.contains("\\u") || JsonAnswer::FIELDS.iter().any(is_there);
    match line.strip_suffix('}') {
        Some(open) if !may_clash => {
            answer.extend_from_slice(open.as_bytes());
            answer.push(b',');
            answer.extend_from_slice(&added[1..]);
        }
        _ => {
            let mut object: Map<String, Value> =
                serde_json::from_str(line).map_err(|error| error.to_string())?;
            let added: Map<String, Value> =
                serde_json::from_slice(added).map_err(|error| error.to_string())?;
            object.extend(added);
            serde_json::to_writer(answer, &object).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}
