//! What `inspect` prints for people: a capture's heads, and the lines of a robots.txt.

use std::collections::HashSet;
use std::fmt::{Display, Write as _};

use console::Style;
use indicatif::HumanCount;
use serde_json::Value;

use super::exchange::Exchange;
use super::parsed::{ParsedFile, ReadLine};
use crate::cli::layout::{
    ALLOWED, DISALLOWED, FAINT, OTHER, PLAIN, STRONG, WRONG, columns, fold, wrap,
};
use crate::escape;

/// Rows that one line of a file may take.
const MAX_ROWS: usize = 4;
/// Columns of a group's index, and of how a line was read.
const GROUP_WIDTH: usize = 5;
const KIND_WIDTH: usize = 10;
const WRONG_MARK: (&str, Style) = ("! ", WRONG);

pub(super) struct Page {
    pub(super) text: String,
    pub(super) width: usize,
    /// Names of remarks whose meaning has been printed.
    explained: HashSet<&'static str>,
}

impl Page {
    pub(super) fn new(name: &str, width: usize) -> Self {
        let mut page = Self {
            text: String::new(),
            width,
            explained: HashSet::new(),
        };
        page.row(STRONG.apply_to(shown(name.as_bytes())));
        page
    }

    pub(super) fn exchange(&mut self, exchange: &Exchange<'_>, has_file: bool) {
        self.row("");
        for (name, value) in exchange.warc_fields() {
            self.field(&name, &value);
        }
        if let Some(status_line) = exchange.status_line() {
            self.heading(&shown(status_line.as_bytes()));
        }
        for (name, value) in exchange.http_headers() {
            self.field(&name, &value);
        }
        if let Some(issues) = exchange.row.get("content_issues").and_then(Value::as_str) {
            let issues = format!("! content_issues: {issues}");
            self.row(format_args!("\n{}", WRONG.apply_to(issues)));
        }
        if !has_file {
            self.row(format_args!("\n{}", exchange.why_no_file()));
        }
    }

    /// A robots.txt: its lines, then the summary.
    pub(super) fn parsed(&mut self, parsed: &ParsedFile<'_>) {
        self.lines(&parsed.lines);
        self.groups(&parsed.rows.groups);
        self.agents(&parsed.rows.agents);
        self.preferences(&parsed.rows.effective_preferences);
        self.remarks(&parsed.lines);
        self.file(parsed);
    }

    pub(super) fn row(&mut self, row: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{row}");
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.row(format_args!("\n{}", STRONG.apply_to(text)));
    }

    /// A field of a head, continued under its value.
    fn field(&mut self, name: &str, value: &str) {
        let name = shown(name.as_bytes());
        let value = shown(value.as_bytes());
        let painted = FAINT.apply_to(format!("{name}:"));
        let room = self.width.saturating_sub(columns(&name) + 2);
        if columns(&value) <= room {
            return self.row(format_args!("{painted} {value}"));
        }
        self.row(painted);
        self.folded(&value, "    ", "    ", &PLAIN);
    }

    /// Text as it is, in rows after `indent`, the first after `lead`.
    fn folded(&mut self, text: &str, lead: &str, indent: &str, style: &Style) {
        let room = self.width.saturating_sub(columns(indent)).max(20);
        let (rows, left_out) = fold(text, room, MAX_ROWS);
        for (index, row) in rows.into_iter().enumerate() {
            let lead = if index == 0 { lead } else { indent };
            self.row(format_args!("{lead}{}", style.apply_to(row.trim_end())));
        }
        if left_out > 0 {
            let more = format!("… and {} characters more", HumanCount(left_out as u64));
            self.row(format_args!("{indent}{}", FAINT.apply_to(more)));
        }
    }

    fn lines(&mut self, lines: &[ReadLine<'_>]) {
        if lines.is_empty() {
            return self.row("\nThe file is empty.");
        }
        let number_width = lines.len().to_string().len().max(4);
        let head = format!(
            "{:>number_width$}  {:>GROUP_WIDTH$}  {:<KIND_WIDTH$}  text",
            "line", "group", "read as"
        );
        self.row(format_args!("\n{}", FAINT.apply_to(head)));
        let indent = " ".repeat(number_width + GROUP_WIDTH + KIND_WIDTH + 6);
        for line in lines {
            self.line(line, number_width, &indent);
        }
    }

    fn line(&mut self, read: &ReadLine<'_>, number_width: usize, indent: &str) {
        let style = match read.kind {
            "user-agent" => STRONG,
            "allow" => ALLOWED,
            "disallow" => DISALLOWED,
            "sitemap" | "directive" => OTHER,
            "nothing" => WRONG,
            _ => FAINT,
        };
        let group = read.group.map(|group| group.to_string());
        let group = group.unwrap_or_default();
        let text = shown(read.line.text);
        let mut first = format!(
            "{:>number_width$}  {group:>GROUP_WIDTH$}  {:<KIND_WIDTH$}",
            FAINT.apply_to(read.line.number),
            style.apply_to(read.kind)
        );
        if text.is_empty() {
            // No blanks at the end of the row, where nothing is coloured.
            self.row(first.trim_end());
        } else {
            first.push_str("  ");
            let style = match read.kind {
                "comment" => FAINT,
                _ => PLAIN,
            };
            self.folded(&text, &first, indent, &style);
        }
        if let Some(path) = &read.path
            && **path != *read.line.value
        {
            let text = format!("compared as {}", shown(path));
            self.note(indent, ("= ", OTHER), &text);
        }
        for kind in &read.remarks {
            self.remark(indent, WRONG_MARK, kind.name(), kind.meaning());
        }
        // A remark says why already.
        if read.is_dead == Some(true) && read.remarks.is_empty() {
            let meaning = "By RFC 9309, it decides no path for any crawler.";
            self.remark(indent, WRONG_MARK, "decides nothing", meaning);
        }
        if read.is_unknown && !read.is_typo {
            let meaning = "No crawler and no proposal is known to document it.";
            self.remark(indent, ("? ", OTHER), "unknown directive", meaning);
        }
    }

    /// A note under a line, with its meaning if it is the first of its name.
    fn remark(&mut self, indent: &str, mark: (&str, Style), name: &'static str, meaning: &str) {
        if self.explained.insert(name) {
            self.note(indent, mark, &format!("{name}: {meaning}"));
        } else {
            self.note(indent, mark, name);
        }
    }

    fn note(&mut self, indent: &str, mark: (&str, Style), text: &str) {
        let (mark, style) = mark;
        let room = self.width.saturating_sub(columns(indent) + 2).max(20);
        for (index, row) in wrap(text, 0, room).lines().enumerate() {
            let mark = if index == 0 { mark } else { "  " };
            let (row, left_out) = fold(row, room, MAX_ROWS);
            for row in row {
                let row = format!("{mark}{row}");
                self.row(format_args!("{indent}{}", style.apply_to(row)));
            }
            if left_out > 0 {
                self.row(format_args!("{indent}  …"));
            }
        }
    }
}

/// Text from the web on one line of a terminal.
pub(super) fn shown(bytes: &[u8]) -> String {
    escape::line(&String::from_utf8_lossy(bytes)).into_owned()
}
