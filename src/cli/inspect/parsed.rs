//! A robots.txt as it was parsed: its lines, and the rows that an ingest would write.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use robots_dialects::agents::Agents;
use robots_dialects::comparison::Meaning;
use robots_dialects::document::Document;
use robots_dialects::identity::Id;
use robots_dialects::limit;
use robots_dialects::line::{Line, LineKind, read_lines};
use robots_dialects::platform::Authors;
use robots_dialects::remark::RemarkKind;
use serde::Serialize;
use serde_json::Value;

use crate::analysis::query::Column;
use crate::dataset::tables::files::FileRow;
use crate::dataset::tables::{Builders, PerTable, to_bigint, to_int};
use crate::escape::lossy;
use crate::ingest::rows::{push_file, push_policy};

/// A line, with the fields of `inspect --json`.
#[derive(Serialize)]
pub(super) struct ReadLine {
    pub(super) number: u32,
    pub(super) kind: &'static str,
    key: Option<String>,
    pub(super) value: Option<String>,
    pub(super) text: String,
    pub(super) group: Option<usize>,
    /// Normalised pattern of a rule in a group.
    pub(super) path: Option<String>,
    /// Whether a rule of a group decides no path; `None` if the search took too long.
    pub(super) is_dead: Option<bool>,
    pub(super) remarks: Vec<RemarkKind>,
    #[serde(rename = "typo")]
    pub(super) is_typo: bool,
    /// Whether a directive is documented anywhere; `None` for other lines.
    #[serde(skip)]
    pub(super) is_known: Option<bool>,
    #[serde(rename = "missing_colon")]
    is_missing_colon: bool,
    #[serde(rename = "too_long")]
    is_too_long: bool,
}

pub(super) struct ParsedFile {
    pub(super) lines: Vec<ReadLine>,
    pub(super) file: Value,
    /// Length of the whole body in bytes, if known.
    pub(super) content_length: Option<u64>,
    pub(super) rows: PerTable<Vec<Value>>,
    pub(super) ids: (i64, i64),
}

impl ParsedFile {
    pub(super) fn of(body: &[u8], content_length: Option<u64>, limit: usize) -> Self {
        let parsed = limit::cut(body, limit);
        let identified = limit::identified(body, limit);
        let document = Document::read_whole(parsed);
        let canonical = document.canonical_form();
        let (file, policy) = (Id::of(identified), Id::of(&canonical));
        let authors = Authors::of(parsed, &document, policy);
        let owner_policy = authors.owner_body().map_or(policy, |body| {
            Id::of(&Document::read(body, 0).canonical_form())
        });

        let mut builders = Builders::default();
        let agents = Agents::of(&document);
        let row = FileRow {
            file_id: file.low,
            file_id_high: file.high,
            policy_id: policy.low,
            owner_policy_id: owner_policy.low,
            content_length: to_bigint(content_length.unwrap_or(body.len() as u64)),
            is_over_limit: body.len() > limit,
            n_agents: to_int(agents.len()),
            ..FileRow::default()
        };
        let to = &mut builders;
        push_file(to, row, &authors, &document, parsed, identified);
        push_policy(to, policy, file.low, &document, &agents, &canonical);
        let mut rows = builders.finish().map(rows);
        Self {
            lines: lines(parsed, &document, &Meaning::of(&document)),
            file: rows.files.pop().unwrap_or_default(),
            content_length,
            rows,
            ids: (file.low, policy.low),
        }
    }
}

/// The lines of `body`, with groups, paths and remarks from `document`, which was read from it.
fn lines(body: &[u8], document: &Document<'_>, meaning: &Meaning) -> Vec<ReadLine> {
    let mut lines = Vec::new();
    read_lines(body, |line| {
        // Not a line of the file: see `Line::is_final_empty`.
        if !line.is_final_empty {
            lines.push(ReadLine::of(line));
        }
    });
    let mut at = |number: u32, change: &dyn Fn(&mut ReadLine)| {
        // Numbers count from 1 without a gap.
        let index = (number as usize).wrapping_sub(1);
        lines.get_mut(index).map(change);
    };
    for (index, group) in document.groups.iter().enumerate() {
        for agent in &document.user_agents[group.user_agents.clone()] {
            at(agent.line_number, &|line| line.group = Some(index));
        }
        for rule in &document.rules[group.rules.clone()] {
            at(rule.line_number, &|line| {
                line.group = Some(index);
                line.path = Some(lossy(&rule.path));
                line.is_dead = meaning.is_dead(rule.line_number);
            });
        }
    }
    for directive in &document.directives {
        at(directive.line_number, &|line| {
            line.kind = "directive";
            line.group = directive.group.map(|group| group as usize);
            line.is_typo = directive.is_typo;
            line.is_known = Some(directive.is_known);
        });
    }
    for remark in &document.remarks {
        at(remark.line_number, &|line| line.remarks.push(remark.kind));
    }
    for line in &mut lines {
        if matches!(line.kind, "nothing" | "comment" | "blank") {
            (line.key, line.value, line.is_missing_colon) = (None, None, false);
        }
    }
    lines
}

impl ReadLine {
    /// A line before the document is consulted.
    fn of(line: &Line<'_>) -> Self {
        Self {
            number: line.number,
            kind: match line.kind {
                LineKind::UserAgent => "user-agent",
                LineKind::Allow => "allow",
                LineKind::Disallow => "disallow",
                LineKind::Sitemap => "sitemap",
                LineKind::Comment => "comment",
                LineKind::Empty => "blank",
                // The document decides which of the other lines can be directives.
                LineKind::Other | LineKind::Invalid => "nothing",
            },
            key: Some(lossy(line.key)),
            value: Some(lossy(line.value)),
            text: lossy(line.text),
            group: None,
            path: None,
            is_dead: None,
            remarks: Vec::new(),
            is_typo: line.kind.name().is_some() && !line.is_exact_key(),
            is_known: None,
            is_missing_colon: line.is_missing_colon,
            is_too_long: line.is_too_long,
        }
    }
}

/// The rows of `batch` as JSON objects, with ids as text, without timestamps (callers have them).
pub(super) fn rows(batch: &RecordBatch) -> Vec<Value> {
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns());
    let columns = columns.map(|(field, column)| {
        let is_bigint = *field.data_type() == DataType::Int64;
        let sql_type = if is_bigint { "BIGINT" } else { "" }.to_owned();
        let name = field.name().clone();
        (Column { name, sql_type }, column)
    });
    let columns: Vec<_> = columns.collect();
    let row = |index| {
        let values = columns.iter().filter_map(|(column, values)| {
            let value = match value(values, index)? {
                Value::Number(id) if column.is_id() => id.to_string().into(),
                value => value,
            };
            Some((column.name.clone(), value))
        });
        values.collect()
    };
    (0..batch.num_rows()).map(row).collect()
}

fn value(column: &dyn Array, index: usize) -> Option<Value> {
    let is_null = column.is_null(index);
    let value = match column.data_type() {
        DataType::Timestamp(..) => return None,
        _ if is_null => Value::Null,
        DataType::Int64 => column.as_primitive::<Int64Type>().value(index).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(index).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(index).into(),
        DataType::Boolean => column.as_boolean().value(index).into(),
        DataType::Utf8 => column.as_string::<i32>().value(index).into(),
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(index);
            (0..list.len())
                .filter_map(|item| value(list.as_ref(), item))
                .collect()
        }
        // Bodies, which are shown line by line.
        _ => return None,
    };
    Some(value)
}
