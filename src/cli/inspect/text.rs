//! What `inspect` prints for people: a capture's heads, the lines of a robots.txt, and a summary.

use std::collections::HashSet;
use std::fmt::{Display, Write as _};

use console::Style;
use indicatif::HumanCount;
use robots_dialects::remark::RemarkKind;
use serde_json::Value;

use super::exchange::Exchange;
use super::json::Row;
use super::parsed::{ParsedFile, ReadLine};
use crate::cli::layout::{
    ALLOWED, DISALLOWED, FAINT, OTHER, PLAIN, STRONG, WRONG, columns, fold, hang, shorten, wrap,
};
use crate::dataset::tables;
use crate::escape;

/// Rows that one line of a file may take.
const MAX_ROWS: usize = 4;
/// Columns of a group's index, and of how a line was read.
const GROUP_WIDTH: usize = 5;
const KIND_WIDTH: usize = 10;
const MAX_TOKEN_WIDTH: usize = 32;
const WRONG_MARK: (&str, Style) = ("! ", WRONG);

pub(super) struct Page {
    pub(super) text: String,
    width: usize,
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

    fn row(&mut self, row: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{row}");
    }

    fn heading(&mut self, text: &str) {
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

    fn groups(&mut self, groups: &[Row]) {
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

    fn agents(&mut self, agents: &[Row]) {
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

    fn preferences(&mut self, preferences: &[Row]) {
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

    fn remarks(&mut self, lines: &[ReadLine<'_>]) {
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

    fn file(&mut self, parsed: &ParsedFile<'_>) {
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

/// Text from the web on one line of a terminal.
fn shown(bytes: &[u8]) -> String {
    escape::line(&String::from_utf8_lossy(bytes)).into_owned()
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
