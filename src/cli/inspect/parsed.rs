//! A robots.txt as it was parsed: its lines, and the rows that an ingest would write.

use std::borrow::Cow;

use robots_dialects::agents::Agents;
use robots_dialects::comparison::Meaning;
use robots_dialects::document::Document;
use robots_dialects::identity::Id;
use robots_dialects::limit;
use robots_dialects::line::{Line, LineKind, read_lines};
use robots_dialects::platform::Authors;
use robots_dialects::remark::RemarkKind;

use super::json::{Row, rows};
use crate::dataset::tables::files::FileRow;
use crate::dataset::tables::{Builders, PerTable, to_bigint, to_int};
use crate::ingest::rows::{push_file, push_policy};

pub(super) struct ReadLine<'a> {
    pub(super) line: Line<'a>,
    pub(super) kind: &'static str,
    pub(super) group: Option<usize>,
    /// Normalised pattern of a rule in a group.
    pub(super) path: Option<Cow<'a, [u8]>>,
    pub(super) is_typo: bool,
    /// The directive is not documented anywhere.
    pub(super) is_unknown: bool,
    /// A rule of a group that decides no path; none where that took too long to find out.
    pub(super) is_dead: Option<bool>,
    pub(super) remarks: Vec<RemarkKind>,
}

pub(super) struct ParsedFile<'a> {
    pub(super) lines: Vec<ReadLine<'a>>,
    pub(super) file: Row,
    /// Bytes of the whole body, where known.
    pub(super) content_length: Option<u64>,
    pub(super) rows: PerTable<Vec<Row>>,
    pub(super) ids: (i64, i64),
}

impl<'a> ParsedFile<'a> {
    pub(super) fn of(body: &'a [u8], content_length: Option<u64>, limit: usize) -> Self {
        let parsed = limit::cut(body, limit);
        let identified = limit::identified(body, limit);
        let mut canonical = Vec::new();
        let document = Document::read_whole(parsed, &mut canonical);
        let (file, policy) = (Id::of(identified), Id::of(&canonical));
        let authors = Authors::of(parsed, &document, policy);
        let owner_policy = authors.owner_body().map_or(policy, |body| {
            let mut canonical = Vec::new();
            Document::read(body, 0, &mut canonical);
            Id::of(&canonical)
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
        let meaning = agents.meaning();
        let mut rows = builders.finish().map(rows);
        Self {
            lines: lines(parsed, document, &meaning),
            file: rows.files.pop().unwrap_or_default(),
            content_length,
            rows,
            ids: (file.low, policy.low),
        }
    }
}

/// The lines of `body`, with what `document`, read from the same body, says of them.
fn lines<'a>(body: &'a [u8], document: Document<'a>, meaning: &Meaning) -> Vec<ReadLine<'a>> {
    let mut lines = Vec::new();
    read_lines(body, |line: &Line<'a>| {
        // Not a line of the file: see `Line::is_final_empty`.
        if !line.is_final_empty {
            lines.push(ReadLine::of(*line));
        }
    });
    let mut at = |number: u32, change: &dyn Fn(&mut ReadLine<'a>)| {
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
                line.path = Some(rule.path.clone());
                line.is_dead = meaning.is_dead(rule.line_number);
            });
        }
    }
    for directive in &document.directives {
        at(directive.line_number, &|line| {
            line.kind = "directive";
            line.group = directive.group.map(|group| group as usize);
            line.is_typo = directive.is_typo;
            line.is_unknown = !directive.is_known;
        });
    }
    for remark in document.remarks {
        at(remark.line_number, &|line| line.remarks.push(remark.kind));
    }
    lines
}

impl<'a> ReadLine<'a> {
    /// A line of which the document says nothing yet.
    fn of(line: Line<'a>) -> Self {
        Self {
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
            group: None,
            path: None,
            is_typo: line.kind.name().is_some() && !line.is_exact_key(),
            is_unknown: false,
            is_dead: None,
            remarks: Vec::new(),
            line,
        }
    }
}
