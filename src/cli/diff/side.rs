//! The two sides of a comparison: files, or what a host answered.

use std::path::Path;

use robots_dialects::access::{Access, AccessDialect, Response};
use robots_dialects::comparison::Policy;
use robots_dialects::dialect::{Dialect, Ruleset};
use robots_dialects::limit;

use super::super::check::read;
use super::super::history::time;
use super::DiffArguments;
use crate::analysis::history::{History, ResolvedCapture, Site, history};
use crate::cli::{Result, usage};
use crate::dataset::Snapshot;
use crate::error::Error;
use crate::escape;

/// A robots.txt, or an answer without one.
#[derive(Clone)]
pub(super) struct Side {
    /// Its name for people.
    pub(super) name: String,
    /// What was parsed; `None` for an answer without a file.
    pub(super) body: Option<Vec<u8>>,
    /// The status of an answer without a file.
    status: Option<u16>,
    /// Whether lines are numbered as in the file.
    pub(super) has_line_numbers: bool,
}

impl Side {
    fn of_file(path: &Path, limit: usize) -> Result<Self> {
        let mut body = read(path, limit).map_err(Error::io(path))?;
        let n_kept = limit::cut(&body, limit).len();
        body.truncate(n_kept);
        Ok(Self {
            name: path.display().to_string(),
            body: Some(body),
            status: None,
            has_line_numbers: true,
        })
    }

    fn of_capture(capture: &ResolvedCapture, history: &History) -> Self {
        let body = capture.policy_id.and_then(|id| history.policies.text(id));
        let status = capture
            .final_status
            .and_then(|status| status.try_into().ok());
        let date = capture.fetch_time.map_or("no date".to_owned(), time);
        let answer = match (&body, status) {
            (Some(_), _) => String::new(),
            (None, Some(status)) => format!(" (status {status}, no file)"),
            (None, None) => " (no file)".to_owned(),
        };
        Self {
            name: format!("{} {date}{answer}", capture.url),
            body: body.map(String::into_bytes),
            status,
            has_line_numbers: false,
        }
    }

    /// The rules by `dialect`; `None` for an answer without a file.
    pub(super) fn compile(&self, dialect: Dialect) -> Option<Ruleset> {
        self.body.as_ref().map(|body| dialect.compile(body))
    }

    /// What `dialect` makes of this side.
    pub(super) fn policy<'r>(&self, ruleset: Option<&'r Ruleset>, dialect: Dialect) -> Policy<'r> {
        let response = self.status.map_or(Response::NoResponse, Response::Status);
        match (ruleset, AccessDialect::of(dialect).access(response)) {
            (Some(ruleset), _) => Policy::Rules(ruleset),
            (None, Access::DisallowAll) => Policy::DisallowAll(dialect),
            (None, _) => Policy::AllowAll(dialect),
        }
    }
}

/// The sides that the arguments name.
pub(super) fn sides(arguments: &DiffArguments) -> Result<[Side; 2]> {
    let limit = usize::try_from(arguments.limit)?;
    if let Some(host) = &arguments.host {
        return sides_of_host(arguments, host);
    }
    let Some(new) = arguments.new.as_deref() else {
        let side = Side::of_file(&arguments.old, limit)?;
        return Ok([side.clone(), side]);
    };
    if arguments.old == Path::new("-") && new == Path::new("-") {
        usage("diff", "OLD and NEW cannot both be standard input");
    }
    Ok([
        Side::of_file(&arguments.old, limit)?,
        Side::of_file(new, limit)?,
    ])
}

/// The answers of a host that count at two dates.
fn sides_of_host(arguments: &DiffArguments, host: &str) -> Result<[Side; 2]> {
    let Some(site) = Site::parse(host, false, false) else {
        usage("diff", "--host is a host or a URL, such as example.com");
    };
    let snapshot = Snapshot::open(&arguments.old)?;
    let history = history(&snapshot, &site, None)?;
    let mut settled: Vec<&ResolvedCapture> = history.entries.iter().collect();
    settled.retain(|capture| capture.is_settled);
    let up_to = |date: &str| {
        let is_before = |capture: &&&ResolvedCapture| {
            let time = capture.fetch_time.map(time).unwrap_or_default();
            // A date that is cut off means its whole year, month or day.
            time.bytes().take(date.len()).le(date.bytes())
        };
        settled.iter().rfind(is_before).copied()
    };
    let old = match &arguments.from {
        Some(date) => up_to(date),
        None => settled.first().copied(),
    };
    let new = match &arguments.to {
        Some(date) => up_to(date),
        None => settled.last().copied(),
    };
    let missing = |date: Option<&String>| {
        let date = date.map(|date| format!(" up to {}", escape::line(date)));
        let first = settled.first().and_then(|capture| capture.fetch_time);
        let first = first.map(|first| format!("; its first answer is of {}", time(first)));
        format!(
            "no answer of {}{} in this dataset{}",
            escape::line(host),
            date.unwrap_or_default(),
            first.unwrap_or_default()
        )
    };
    let old = old.ok_or_else(|| missing(arguments.from.as_ref()))?;
    let new = new.ok_or_else(|| missing(arguments.to.as_ref()))?;
    Ok([
        Side::of_capture(old, &history),
        Side::of_capture(new, &history),
    ])
}
