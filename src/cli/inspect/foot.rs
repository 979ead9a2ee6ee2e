//! The summary of a robots.txt that `inspect` prints below its lines.

use std::fmt::Write as _;

use indicatif::HumanCount;
use robots_dialects::remark::RemarkKind;
use serde_json::Value;

use super::json::Row;
use super::parsed::{ParsedFile, ReadLine};
use super::text::{Page, shown};
use crate::cli::layout::{ALLOWED, DISALLOWED, FAINT, OTHER, WRONG, columns, hang, shorten, wrap};
use crate::dataset::tables;

const MAX_TOKEN_WIDTH: usize = 32;

impl Page {
    pub(super) fn groups(&mut self, groups: &[Row]) {
        self.heading("groups");
        if groups.is_empty() {
            return self.row("  none: every crawler may fetch everything");
        }
        for group in groups {
            let mut text = format!(
                "{:>3}  lines {}-{}, {} allow, {} disallow",
                number(group, "group_index"),
                number(group, "line_start"),
                number(group, "line_end"),
                number(group, "n_allow"),
                number(group, "n_disallow"),
            );
            if let Some(delay) = group.get("crawl_delay").and_then(Value::as_f64) {
                let _ = write!(text, ", crawl-delay {delay}");
            }
            self.row(text);
            let agents = group.get("user_agents").and_then(Value::as_array);
            let agents = agents.into_iter().flatten().filter_map(Value::as_str);
            let agents = agents.map(|agent| shown(agent.as_bytes()));
            for row in list(agents, 0, self.width - 5).lines() {
                self.row(format_args!("     {}", OTHER.apply_to(row)));
            }
        }
    }

    pub(super) fn agents(&mut self, agents: &[Row]) {
        if agents.is_empty() {
            return;
        }
        self.heading("agents");
        let tokens = agents.iter().map(|agent| {
            let token = shown(text(agent, "product_token").as_bytes());
            shorten(&token, MAX_TOKEN_WIDTH)
        });
        let tokens: Vec<String> = tokens.collect();
        let token_width = tokens.iter().map(|token| columns(token)).max().unwrap_or(0);
        for (agent, token) in agents.iter().zip(&tokens) {
            let pad = " ".repeat(token_width - columns(token));
            let restriction = text(agent, "restriction");
            let (style, meaning) = match restriction {
                "none" => (ALLOWED, "all is allowed"),
                "full" => (DISALLOWED, "nothing is allowed"),
                _ => (OTHER, "a part is allowed"),
            };
            let mut rules = match number(agent, "n_rules").as_str() {
                "1" => "1 rule".to_owned(),
                many => format!("{many} rules"),
            };
            match number(agent, "n_groups").as_str() {
                "1" => {}
                many => drop(write!(rules, " in {many} groups")),
            }
            if let Some(delay) = agent.get("crawl_delay").and_then(Value::as_f64) {
                let _ = write!(rules, ", crawl-delay {delay}");
            }
            let restriction = style.apply_to(restriction);
            self.row(format_args!(
                "  {token}{pad}  {restriction:<7}  {meaning}; {rules}"
            ));
        }
    }

    pub(super) fn preferences(&mut self, preferences: &[Row]) {
        if preferences.is_empty() {
            return;
        }
        self.heading("use of content");
        for row in preferences {
            let shown = |column: &str| shown(text(row, column).as_bytes());
            let (answer, style) = match row.get("allows").and_then(Value::as_bool) {
                Some(true) => ("allowed", ALLOWED),
                Some(false) => ("not allowed", DISALLOWED),
                None => ("unknown", OTHER),
            };
            let path = match row.get("path") {
                Some(Value::String(_)) => shown("path"),
                _ => "/".to_owned(),
            };
            self.row(format_args!(
                "  {}  {path}  {}: {} (line {})",
                shorten(&shown("product_token"), MAX_TOKEN_WIDTH),
                shown("preference"),
                style.apply_to(answer),
                number(row, "line_number"),
            ));
        }
    }

    pub(super) fn remarks(&mut self, lines: &[ReadLine<'_>]) {
        let remarks: Vec<RemarkKind> = lines.iter().flat_map(|it| it.remarks.clone()).collect();
        if remarks.is_empty() {
            return;
        }
        self.heading("remarks");
        for kind in RemarkKind::ALL {
            let count = remarks.iter().filter(|found| *found == kind).count();
            if count > 0 {
                let count = HumanCount(count as u64).to_string();
                self.row(format_args!("{count:>5}  {}", WRONG.apply_to(kind.name())));
            }
        }
    }

    pub(super) fn file(&mut self, parsed: &ParsedFile<'_>) {
        let file = &parsed.file;
        self.heading("file");
        let parsed_length = count(file, "parsed_length");
        let size = match parsed.content_length {
            _ if file.get("is_over_limit") != Some(&Value::Bool(true)) => {
                format!("{parsed_length} bytes, within the limit")
            }
            Some(length) => format!(
                "{} bytes, over the limit: {parsed_length} of them are parsed",
                HumanCount(length)
            ),
            None => format!("over the limit: {parsed_length} bytes are parsed"),
        };
        self.fact("size", &wrap(&size, 13, self.width));
        let content = format!(
            "{}; encoding {}; line ends {}",
            text(file, "content_class"),
            text(file, "encoding"),
            text(file, "line_ending")
        );
        self.fact("content", &wrap(&content, 13, self.width));
        self.fact("counts", &list(counts(file), 13, self.width));
        self.fact("file_id", &parsed.ids.0.to_string());
        self.fact("policy_id", &parsed.ids.1.to_string());
    }

    fn fact(&mut self, name: &str, value: &str) {
        self.row(format_args!("  {:<9}  {value}", FAINT.apply_to(name)));
    }
}

/// The counts of a row of `files` that are not zero, in the order of its columns.
fn counts(file: &Row) -> impl Iterator<Item = String> {
    let fields = tables::files::table().schema.fields();
    fields.iter().filter_map(|field| {
        let name = field.name().strip_prefix("n_")?;
        let count = file.get(field.name())?.as_u64();
        let count = count.filter(|count| *count > 0)?;
        Some(format!("{} {}", name.replace('_', " "), HumanCount(count)))
    })
}

/// Items with commas between them, in lines that begin in the column `indent`.
fn list(items: impl Iterator<Item = String>, indent: usize, width: usize) -> String {
    let mut items: Vec<String> = items.collect();
    if let Some((_, but_last)) = items.split_last_mut() {
        for item in but_last {
            item.push(',');
        }
    }
    hang(items, indent, indent, width)
}

fn text<'r>(row: &'r Row, column: &str) -> &'r str {
    row.get(column).and_then(Value::as_str).unwrap_or_default()
}

fn number(row: &Row, column: &str) -> String {
    row.get(column).map(ToString::to_string).unwrap_or_default()
}

fn count(row: &Row, column: &str) -> String {
    let count = row.get(column).and_then(Value::as_u64).unwrap_or_default();
    HumanCount(count).to_string()
}
