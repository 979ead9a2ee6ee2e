//! The two sides of a comparison: files, or answers of a host.

use std::path::Path;

use robots_dialects::comparison::Policy;
use robots_dialects::dialect::{Dialect, Ruleset};
use robots_dialects::limit;

use super::arguments::DiffArguments;
use crate::analysis::history::{History, ResolvedCapture, Site, history};
use crate::cli::outcome::{Result, usage};
use crate::cli::target::{capture_in, read, read_record, record, refuse_archive};
use crate::dataset::{Answer, Snapshot};
use crate::escape;

/// A robots.txt, or an answer without one.
#[derive(Clone)]
pub(super) struct Side {
    pub(super) name: String,
    pub(super) body: Option<Vec<u8>>,
    /// The status of the last response of an answer without a file.
    status: Option<i32>,
    /// How the redirects before that response ended (`resolved.ended`).
    ended: String,
    /// Whether lines are numbered as in the file.
    pub(super) has_line_numbers: bool,
    pub(super) is_cut: bool,
}

impl Side {
    /// A file, standard input, or a capture in an archive.
    fn of(path: &Path, limit: usize) -> Result<Self> {
        let name = path.display().to_string();
        let side = |name: String, body: Option<&[u8]>, status| {
            let is_cut = body.is_some_and(|body| body.len() > limit);
            let cut = format!(" (first {limit} bytes)");
            Self {
                name: if is_cut { name + &cut } else { name },
                body: body.map(|body| limit::cut(body, limit).to_vec()),
                status,
                ended: "final".to_owned(),
                has_line_numbers: true,
                is_cut,
            }
        };
        let Some((path, place)) = record(path) else {
            let (body, _) = read(path, limit)?;
            refuse_archive(path, &body)?;
            return Ok(side(name, Some(&body), None));
        };
        let (record, _) = read_record(&path, place)?;
        let mut scratch = Vec::new();
        let (_, capture) = capture_in(&record, &name, limit, &mut scratch)?;
        let body = capture.robots_body();
        let status = capture.status().map(i32::from);
        let answer = without_file(body.is_some(), status);
        let name = format!("{name} {}{answer}", capture.url);
        Ok(side(name, body, status))
    }

    fn of_capture(capture: &ResolvedCapture, history: &History) -> Self {
        let body = capture.policy_id.and_then(|id| history.policies.text(id));
        let date = capture.time().unwrap_or("no date".to_owned());
        let answer = without_file(body.is_some(), capture.final_status);
        Self {
            name: format!("{} {date}{answer}", capture.url),
            body: body.map(String::into_bytes),
            status: capture.final_status,
            ended: capture.ended.clone(),
            has_line_numbers: false,
            is_cut: false, // as the ingest cut it
        }
    }

    /// The reason for the verdict on a path that no rule decides.
    pub(super) fn without_rule(&self) -> String {
        match (&self.body, self.status) {
            (None, Some(status)) => format!("status {status}"),
            _ => "no rule".to_owned(),
        }
    }

    pub(super) fn compile(&self, dialect: Dialect) -> Option<Ruleset> {
        self.body.as_ref().map(|body| dialect.compile(body))
    }

    pub(super) fn policy<'r>(&self, ruleset: Option<&'r Ruleset>, dialect: Dialect) -> Policy<'r> {
        match (ruleset, self.answer(dialect)) {
            (Some(ruleset), _) => Policy::Rules(ruleset),
            (None, Some(Answer::DisallowAll)) => Policy::DisallowAll(dialect),
            (None, _) => Policy::AllowAll(dialect),
        }
    }

    fn answer(&self, dialect: Dialect) -> Option<Answer> {
        Answer::of(dialect, None, self.status, &self.ended)
    }

    /// Fails if one of `dialects` does not define what an answer without a file allows.
    fn check(&self, dialects: &[Dialect]) -> Result<()> {
        for dialect in dialects {
            if self.body.is_none() && self.answer(*dialect).is_none() {
                let problem = "this answer does not define which paths a crawler may fetch";
                let name = escape::line(&self.name);
                return Err(format!("{name}: by {dialect}, {problem}").into());
            }
        }
        Ok(())
    }
}

/// Added to the name of an answer without a file.
fn without_file(has_file: bool, status: Option<i32>) -> String {
    match (has_file, status) {
        (true, _) => String::new(),
        (false, Some(status)) => format!(" (status {status}, no file)"),
        (false, None) => " (no file)".to_owned(),
    }
}

pub(super) fn sides(arguments: &DiffArguments) -> Result<[Side; 2]> {
    let limit = arguments.limit;
    if let Some(host) = &arguments.host {
        return sides_of_host(arguments, host);
    }
    let old = arguments.old.as_path();
    let new = arguments.new.as_deref();
    if old == Path::new("-") && new == Some(old) {
        return usage("OLD and NEW cannot both be standard input");
    }
    let old = Side::of(old, limit)?;
    let new = new.map_or_else(|| Ok(old.clone()), |new| Side::of(new, limit))?;
    old.check(arguments.dialect)?;
    new.check(arguments.dialect)?;
    Ok([old, new])
}

/// The last answers of a host up to two dates.
fn sides_of_host(arguments: &DiffArguments, host: &str) -> Result<[Side; 2]> {
    let Some(site) = Site::parse(host, false, false) else {
        return usage("--host is a host or a URL, such as example.com");
    };
    let snapshot = Snapshot::open(&arguments.old)?;
    let history = history(&snapshot, &site, None)?;
    // Answers whose meaning is defined by every dialect given.
    let mut settled: Vec<&ResolvedCapture> = history.entries.iter().collect();
    settled.retain(|capture| {
        let (policy, status) = (capture.policy_id, capture.final_status);
        arguments
            .dialect
            .iter()
            .all(|dialect| Answer::of(*dialect, policy, status, &capture.ended).is_some())
    });
    // The last answer up to a date; without a date, the default.
    let answer = |date: Option<&str>, usual| {
        // A date includes the whole of its year, month or day.
        let is_up_to = |capture: &ResolvedCapture, date: &str| {
            let time = capture.time();
            time.is_some_and(|time| time.bytes().take(date.len()).le(date.bytes()))
        };
        let found = match date {
            Some(date) => settled.iter().rfind(|it| is_up_to(it, date)),
            None => usual,
        };
        found.copied().ok_or_else(|| {
            let first = settled.iter().find_map(|capture| capture.time());
            let first = first.map_or(String::new(), |it| format!("; the first is from {it}"));
            let date = date.map_or(String::new(), |it| format!(" up to {}", escape::line(it)));
            let host = escape::line(host);
            format!("no answer from {host}{date} in this dataset{first}")
        })
    };
    let old = answer(arguments.from.as_deref(), settled.first())?;
    let new = answer(arguments.to.as_deref(), settled.last())?;
    if old.fetch_time > new.fetch_time {
        return usage("--from is later than --to");
    }
    Ok([old, new].map(|capture| Side::of_capture(capture, &history)))
}
