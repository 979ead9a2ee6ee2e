//! What `inspect` prints for people: a capture's heads, the lines of a robots.txt, and a summary.

use std::collections::HashSet;
use std::fmt::{Display, Write as _};

use console::Style;
use indicatif::HumanCount;
use robots_dialects::remark::RemarkKind;
use serde_json::Value;

use super::exchange::Exchange;
use super::parsed::{ParsedFile, ReadLine};
use crate::cli::layout::{
    ALLOWED, DISALLOWED, FAINT, OTHER, PLAIN, STRONG, WRONG, columns, fold, hang, shorten, width,
    wrap,
};
use crate::dataset::tables;
use crate::escape;

/// Rows that one line of a file may take.
const MAX_ROWS: usize = 4;
/// Widths of the columns for the index of a line's group and for its kind.
const GROUP_WIDTH: usize = 5;
const KIND_WIDTH: usize = 10;
const MAX_TOKEN_WIDTH: usize = 32;
const WRONG_MARK: (&str, Style) = ("! ", WRONG);

pub(super) fn page(name: &str, exchange: Option<&Exchange>, parsed: Option<&ParsedFile>) -> String {
    let mut page = Page {
        text: String::new(),
        width: width(),
        explained: HashSet::new(),
    };
    page.row(STRONG.apply_to(escape::line(name)));
    if let Some(exchange) = exchange {
        page.exchange(exchange, parsed.is_some());
    }
    if let Some(parsed) = parsed {
        page.lines(&parsed.lines);
        page.groups(&parsed.rows.groups);
        page.agents(&parsed.rows.agents);
        page.preferences(&parsed.rows.effective_preferences);
        page.remarks(&parsed.lines);
        page.file(parsed);
    }
    page.text
}

struct Page {
    text: String,
    width: usize,
    /// Names of remarks whose meaning has been printed.
    explained: HashSet<&'static str>,
}

impl Page {
    fn exchange(&mut self, exchange: &Exchange, has_file: bool) {
        self.row("");
        for (name, value) in &exchange.warc_fields {
            self.field(name, value);
        }
        if let Some(status_line) = &exchange.status_line {
            self.heading(&escape::line(status_line));
        }
        for (name, value) in &exchange.http_headers {
            self.field(name, value);
        }
        if let Some(issues) = exchange.row["content_issues"].as_str() {
            let issues = format!("! content_issues: {issues}");
            self.row(format_args!("\n{}", WRONG.apply_to(issues)));
        }
        if !has_file && exchange.is_revisit {
            self.row(
                "\nNo robots.txt of its own: a revisit refers to the capture that it repeats if it is a success.",
            );
        } else if !has_file {
            self.row(
                "\nNo robots.txt: the response is not a success, or no line of its body arrived.",
            );
        }
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
        let (name, value) = (escape::line(name), escape::line(value));
        let painted = FAINT.apply_to(format!("{name}:"));
        let room = self.width.saturating_sub(columns(&name) + 2);
        if columns(&value) <= room {
            return self.row(format_args!("{painted} {value}"));
        }
        self.row(painted);
        self.folded(&value, "    ", "    ", &PLAIN);
    }

    /// Unchanged text in rows; the first begins with `lead`, the others with `indent`.
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

    fn lines(&mut self, lines: &[ReadLine]) {
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

    fn line(&mut self, read: &ReadLine, number_width: usize, indent: &str) {
        let (style, text_style) = match read.kind {
            "user-agent" => (STRONG, PLAIN),
            "allow" => (ALLOWED, PLAIN),
            "disallow" => (DISALLOWED, PLAIN),
            "sitemap" | "directive" => (OTHER, PLAIN),
            "nothing" => (WRONG, PLAIN),
            _ => (FAINT, FAINT),
        };
        let group = read.group.map_or(String::new(), |group| group.to_string());
        let first = format!(
            "{:>number_width$}  {group:>GROUP_WIDTH$}  {:<KIND_WIDTH$}",
            FAINT.apply_to(read.number),
            style.apply_to(read.kind)
        );
        if read.text.is_empty() {
            // Without trailing blanks, as nothing is coloured there.
            self.row(first.trim_end());
        } else {
            let (text, first) = (escape::line(&read.text), first + "  ");
            self.folded(&text, &first, indent, &text_style);
        }
        if let Some(path) = &read.path
            && read.value.as_ref() != Some(path)
        {
            let text = format!("compared as {}", escape::line(path));
            self.note(indent, ("= ", OTHER), &text);
        }
        for kind in &read.remarks {
            self.remark(indent, WRONG_MARK, kind.name(), kind.meaning());
        }
        // A remark already gives the reason.
        if read.is_dead == Some(true) && read.remarks.is_empty() {
            let meaning = "By RFC 9309, it decides no path for any crawler.";
            self.remark(indent, WRONG_MARK, "decides nothing", meaning);
        }
        if read.is_known == Some(false) && !read.is_typo {
            let meaning = "No crawler and no proposal is known to document it.";
            self.remark(indent, ("? ", OTHER), "unknown directive", meaning);
        }
    }

    /// A note under a line, with its meaning if the name was not printed before.
    fn remark(&mut self, indent: &str, mark: (&str, Style), name: &'static str, meaning: &str) {
        if self.explained.insert(name) {
            self.note(indent, mark, &format!("{name}: {meaning}"));
        } else {
            self.note(indent, mark, name);
        }
    }

    fn note(&mut self, indent: &str, (mark, style): (&str, Style), text: &str) {
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

    fn groups(&mut self, groups: &[Value]) {
        self.heading("groups");
        if groups.is_empty() {
            return self.row("  none: every crawler may fetch everything");
        }
        for group in groups {
            let index = group["group_index"].to_string();
            let (start, end) = (&group["line_start"], &group["line_end"]);
            let (allow, disallow) = (&group["n_allow"], &group["n_disallow"]);
            let delay = crawl_delay(group);
            self.row(format_args!(
                "{index:>3}  lines {start}-{end}, {allow} allow, {disallow} disallow{delay}"
            ));
            let agents = group["user_agents"].as_array().into_iter().flatten();
            let agents = agents.filter_map(Value::as_str);
            let agents = agents.map(escape::line);
            for row in list(agents, 0, self.width - 5).lines() {
                self.row(format_args!("     {}", OTHER.apply_to(row)));
            }
        }
    }

    fn agents(&mut self, agents: &[Value]) {
        if agents.is_empty() {
            return;
        }
        self.heading("agents");
        let tokens = agents.iter().map(|agent| {
            let token = escape::line(text(agent, "product_token"));
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
            let rules = match agent["n_rules"].as_u64() {
                Some(1) => "1 rule".to_owned(),
                _ => format!("{} rules", agent["n_rules"]),
            };
            let groups = match agent["n_groups"].as_u64() {
                Some(1) => String::new(),
                _ => format!(" in {} groups", agent["n_groups"]),
            };
            let delay = crawl_delay(agent);
            let restriction = style.apply_to(restriction);
            self.row(format_args!(
                "  {token}{pad}  {restriction:<7}  {meaning}; {rules}{groups}{delay}"
            ));
        }
    }

    fn preferences(&mut self, preferences: &[Value]) {
        if preferences.is_empty() {
            return;
        }
        self.heading("use of content");
        for row in preferences {
            let (answer, style) = match row["allows"].as_bool() {
                Some(true) => ("allowed", ALLOWED),
                Some(false) => ("not allowed", DISALLOWED),
                None => ("unknown", OTHER),
            };
            self.row(format_args!(
                "  {}  {}  {}: {} (line {})",
                shorten(&escape::line(text(row, "product_token")), MAX_TOKEN_WIDTH),
                escape::line(row["path"].as_str().unwrap_or("/")),
                escape::line(text(row, "preference")),
                style.apply_to(answer),
                row["line_number"],
            ));
        }
    }

    fn remarks(&mut self, lines: &[ReadLine]) {
        let remarks: Vec<RemarkKind> = lines.iter().flat_map(|it| it.remarks.clone()).collect();
        if remarks.is_empty() {
            return;
        }
        self.heading("remarks");
        for kind in RemarkKind::ALL {
            let count = remarks.iter().filter(|found| **found == kind).count();
            if count > 0 {
                let count = HumanCount(count as u64).to_string();
                self.row(format_args!("{count:>5}  {}", WRONG.apply_to(kind.name())));
            }
        }
    }

    fn file(&mut self, parsed: &ParsedFile) {
        let file = &parsed.file;
        self.heading("file");
        let parsed_length = HumanCount(file["parsed_length"].as_u64().unwrap_or_default());
        let size = match parsed.content_length.map(HumanCount) {
            _ if file["is_over_limit"] != true => {
                format!("{parsed_length} bytes, within the limit")
            }
            Some(length) => {
                format!("{length} bytes, over the limit: {parsed_length} of them are parsed")
            }
            None => format!("over the limit: {parsed_length} bytes are parsed"),
        };
        self.fact("size", &wrap(&size, 13, self.width));
        let [class, encoding, ending] =
            ["content_class", "encoding", "line_ending"].map(|column| text(file, column));
        let content = format!("{class}; encoding {encoding}; line endings {ending}");
        self.fact("content", &wrap(&content, 13, self.width));
        self.fact("counts", &list(counts(file), 13, self.width));
        self.fact("file_id", &parsed.ids.0.to_string());
        self.fact("policy_id", &parsed.ids.1.to_string());
    }

    fn fact(&mut self, name: &str, value: &str) {
        self.row(format_args!("  {:<9}  {value}", FAINT.apply_to(name)));
    }
}

fn crawl_delay(row: &Value) -> String {
    let delay = row["crawl_delay"].as_f64();
    delay.map_or(String::new(), |delay| format!(", crawl-delay {delay}"))
}

/// The counts of a row of `files` that are not zero, in the order of its columns.
fn counts(file: &Value) -> impl Iterator<Item = String> {
    let fields = tables::files::table().schema.fields();
    fields.iter().filter_map(|field| {
        let name = field.name().strip_prefix("n_")?;
        let count = file[field.name()].as_u64().filter(|count| *count > 0)?;
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

fn text<'r>(row: &'r Value, column: &str) -> &'r str {
    row[column].as_str().unwrap_or_default()
}
