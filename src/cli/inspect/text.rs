//! What `inspect` prints for people: a capture's heads, and the lines of a robots.txt.

use std::collections::HashSet;
use std::io::{self, Write};

use indicatif::HumanCount;
use serde_json::Value;

use super::exchange::Exchange;
use super::parsed::{ParsedFile, ReadLine};
use crate::cli::layout::{columns, fold, wrap};
use crate::cli::style::Style;
use crate::escape;

/// Rows that one line of a file may take.
const MAX_ROWS: usize = 4;
/// Columns of a group's index, and of how a line was read.
const GROUP_WIDTH: usize = 5;
const KIND_WIDTH: usize = 10;
/// Marks what is wrong with a line.
const WRONG: (&str, Style) = ("! ", Style::Wrong);

/// Where the text goes, and how.
pub(super) struct Page<'o, W: Write> {
    pub(super) out: &'o mut W,
    pub(super) width: usize,
    /// Names of remarks whose meaning has been printed.
    pub(super) explained: HashSet<&'static str>,
}

impl<W: Write> Page<'_, W> {
    /// The name of what is inspected.
    pub(super) fn title(&mut self, name: &str) -> io::Result<()> {
        self.heading(&shown(name.as_bytes()))
    }

    /// A capture's record.
    pub(super) fn exchange(&mut self, exchange: &Exchange<'_>, has_file: bool) -> io::Result<()> {
        writeln!(self.out)?;
        for (name, value) in exchange.warc_fields() {
            self.field(name, &value)?;
        }
        if let Some(status_line) = exchange.status_line() {
            writeln!(self.out)?;
            self.heading(&shown(status_line.as_bytes()))?;
        }
        for (name, value) in exchange.http_headers() {
            self.field(&name, &value)?;
        }
        let row = exchange.row(None);
        if let Some(issues) = row.get("content_issues").and_then(Value::as_str) {
            writeln!(self.out)?;
            let issues = format!("! content_issues: {issues}");
            writeln!(self.out, "{}", Style::Wrong.paint(issues))?;
        }
        if !has_file {
            writeln!(self.out)?;
            writeln!(self.out, "{}", exchange.why_no_file())?;
        }
        Ok(())
    }

    /// A robots.txt: its lines, then the summary.
    pub(super) fn parsed(&mut self, parsed: &ParsedFile<'_>) -> io::Result<()> {
        self.lines(&parsed.lines)?;
        self.groups(&parsed.rows.groups)?;
        self.agents(&parsed.rows.agents)?;
        self.preferences(&parsed.rows.effective_preferences)?;
        self.remarks(&parsed.lines)?;
        self.file(parsed)
    }

    pub(super) fn heading(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", Style::Strong.paint(text))
    }

    /// A field of a head, continued under its value.
    fn field(&mut self, name: &str, value: &str) -> io::Result<()> {
        let name = shown(name.as_bytes());
        let value = shown(value.as_bytes());
        let painted = Style::Faint.paint(format!("{name}:"));
        let room = self.width.saturating_sub(columns(&name) + 2);
        if columns(&value) <= room {
            return writeln!(self.out, "{painted} {value}");
        }
        writeln!(self.out, "{painted}")?;
        self.folded(&value, "    ", "    ", Style::Plain)
    }

    /// Text as it is, in rows after `indent`, the first after `lead`.
    fn folded(&mut self, text: &str, lead: &str, indent: &str, style: Style) -> io::Result<()> {
        let room = self.width.saturating_sub(columns(indent)).max(20);
        let (rows, left_out) = fold(text, room, MAX_ROWS);
        for (index, row) in rows.into_iter().enumerate() {
            let lead = if index == 0 { lead } else { indent };
            writeln!(self.out, "{lead}{}", style.paint(row.trim_end()))?;
        }
        if left_out > 0 {
            let more = format!("… and {} characters more", HumanCount(left_out as u64));
            writeln!(self.out, "{indent}{}", Style::Faint.paint(more))?;
        }
        Ok(())
    }

    fn lines(&mut self, lines: &[ReadLine<'_>]) -> io::Result<()> {
        writeln!(self.out)?;
        if lines.is_empty() {
            return writeln!(self.out, "The file is empty.");
        }
        let number_width = lines.len().to_string().len().max(4);
        let head = format!(
            "{:>number_width$}  {:>GROUP_WIDTH$}  {:<KIND_WIDTH$}  text",
            "line", "group", "read as"
        );
        writeln!(self.out, "{}", Style::Faint.paint(head))?;
        let indent = " ".repeat(number_width + GROUP_WIDTH + KIND_WIDTH + 6);
        for line in lines {
            self.line(line, number_width, &indent)?;
        }
        Ok(())
    }

    /// A line and its remarks.
    fn line(&mut self, read: &ReadLine<'_>, number_width: usize, indent: &str) -> io::Result<()> {
        let style = match read.kind {
            "user-agent" => Style::Strong,
            "allow" => Style::Allowed,
            "disallow" => Style::Disallowed,
            "sitemap" | "directive" => Style::Other,
            "nothing" => Style::Wrong,
            _ => Style::Faint,
        };
        let group = read.group.map(|group| group.to_string());
        let group = group.unwrap_or_default();
        let text = shown(read.line.text);
        let mut first = format!(
            "{:>number_width$}  {group:>GROUP_WIDTH$}  {:<KIND_WIDTH$}",
            Style::Faint.paint(read.line.number),
            style.paint(read.kind)
        );
        if text.is_empty() {
            // No blanks at the end of the row, where nothing is coloured.
            first.truncate(first.trim_end().len());
            writeln!(self.out, "{first}")?;
        } else {
            first.push_str("  ");
            let style = match read.kind {
                "comment" => Style::Faint,
                _ => Style::Plain,
            };
            self.folded(&text, &first, indent, style)?;
        }
        if let Some(path) = &read.path
            && **path != *read.line.value
        {
            let text = format!("compared as {}", shown(path));
            self.note(indent, ("= ", Style::Other), &text)?;
        }
        for kind in &read.remarks {
            self.remark(indent, WRONG, kind.name(), kind.meaning())?;
        }
        // A remark says why already.
        if read.is_dead == Some(true) && read.remarks.is_empty() {
            let meaning = "By RFC 9309, it decides no path for any crawler.";
            self.remark(indent, WRONG, "decides nothing", meaning)?;
        }
        if read.is_unknown && !read.is_typo {
            let meaning = "No crawler and no proposal is known to document it.";
            self.remark(indent, ("? ", Style::Other), "unknown directive", meaning)?;
        }
        Ok(())
    }

    /// A note under a line, with its meaning if it is the first of its name.
    fn remark(
        &mut self,
        indent: &str,
        mark: (&str, Style),
        name: &'static str,
        meaning: &str,
    ) -> io::Result<()> {
        if self.explained.insert(name) {
            self.note(indent, mark, &format!("{name}: {meaning}"))
        } else {
            self.note(indent, mark, name)
        }
    }

    /// A note under a line.
    fn note(&mut self, indent: &str, mark: (&str, Style), text: &str) -> io::Result<()> {
        let (mark, style) = mark;
        let room = self.width.saturating_sub(columns(indent) + 2).max(20);
        for (index, row) in wrap(text, 0, room).lines().enumerate() {
            let mark = if index == 0 { mark } else { "  " };
            let (row, left_out) = fold(row, room, MAX_ROWS);
            for row in row {
                let row = format!("{mark}{row}");
                writeln!(self.out, "{indent}{}", style.paint(row))?;
            }
            if left_out > 0 {
                writeln!(self.out, "{indent}  …")?;
            }
        }
        Ok(())
    }
}

/// Text from the web on one line of a terminal.
pub(super) fn shown(bytes: &[u8]) -> String {
    escape::line(&String::from_utf8_lossy(bytes)).into_owned()
}
