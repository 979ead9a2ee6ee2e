//! Readers of answers: of a row, and of the sections that need more than a row. They find values
//! for the texts of a section, and its figure.

mod blocked;
mod blockers;
mod change;

use super::answer::{Row, descending};
use super::context::{Context, Pair, share_of};
use super::crawls::Crawl;
use super::figure::{Bar, Panel, Plot};
use super::format::Share;
use super::section::Section;
use super::template::Value;

const BARS: usize = 12;
const PANELS: usize = 6;

#[derive(Debug, Default)]
pub(super) struct Evidence<'a> {
    /// The row that the headline is about: its columns are values too.
    pub(super) lead: Option<Pair<'a>>,
    /// Values by name; null if a sentence has to do without.
    pub(super) values: Vec<(&'static str, Option<Value>)>,
    pub(super) plot: Option<Plot>,
}

impl<'a> Evidence<'a> {
    pub(super) fn about(lead: Pair<'a>) -> Self {
        Self {
            lead: Some(lead),
            ..Self::default()
        }
    }

    pub(super) fn drawing(mut self, plot: Plot) -> Self {
        self.plot = Some(plot);
        self
    }

    /// The same with a value, which may be null.
    pub(super) fn with(mut self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        self.values.push((name, value.map(Into::into)));
        self
    }
}

/// The reader of that name; it returns `None` if there is nothing to say.
pub(super) fn reader(name: &str) -> Option<for<'a> fn(&Context<'a>) -> Option<Evidence<'a>>> {
    Some(match name {
        "" => row,
        "most_blocked" => blocked::most_blocked,
        "crawlers" => blocked::crawlers,
        "effective" => blocked::effective,
        "owner_choices" => blocked::owner_choices,
        "definitions" => blocked::definitions,
        "by_whom" => blockers::by_whom,
        "by_tld" => blockers::by_tld,
        "by_rank" => blockers::by_rank,
        "classes_by_rank" => blockers::classes_by_rank,
        "together" => blocked::together,
        "operators" => blocked::operators,
        "panel" => change::panel,
        "timeline" => change::timeline,
        "openings" => change::openings,
        _ => return None,
    })
}

/// The reader of a section that names none: a row of the answer and the figure of its rows.
fn row<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let section = context.section;
    let kept = context.answer.rows().filter(|row| context.is_kept(row));
    if kept.count() < section.least {
        return None;
    }
    let lead = context.pick(&section.row)?;
    let counts = |name: &str| lead.value(name).is_some() && lead.number(name) == Some(0.0);
    if !section.share.is_empty() && counts(section.count) {
        return None;
    }
    Some(Evidence {
        plot: plot(context),
        ..Evidence::about(context.pair(lead))
    })
}

/// The rows of the last crawl that a figure may show.
pub(super) fn drawable<'a>(context: &Context<'a>) -> impl Iterator<Item = Row<'a>> {
    context.answer.rows().filter(|row| {
        let crawl = row.value("crawl");
        crawl.is_none_or(|crawl| crawl.text() == context.last()) && context.is_kept(row)
    })
}

fn plot(context: &Context<'_>) -> Option<Plot> {
    let (section, rows) = (context.section, drawable(context));
    if !section.lines.is_empty() && context.report.crawls.len() > 1 {
        return Some(panels(context, rows));
    }
    let columns = if section.bars.is_empty() {
        &section.lines
    } else {
        &section.bars
    };
    if columns.is_empty() {
        return None;
    }
    let rows = rows.map(|row| (row, context.pair(row).share(section.share)));
    let rows = match section.order {
        "answer" => rows.collect(),
        _ => descending(rows, |(_, share)| share.map_or(0.0, |share| share.value)),
    };
    let bars = rows.into_iter().take(BARS).map(|(row, share)| Bar {
        name: context.name(columns, section.join, row),
        ink: context.ink_of(columns, row),
        shares: vec![share],
    });
    let bars: Vec<Bar> = bars.collect();
    bars.first()?;
    Some(Plot::dots(bars))
}

/// The row of another crawl that has the key of `row`.
pub(super) fn in_crawl<'a>(section: &Section, row: Row<'a>, crawl: &str) -> Option<Row<'a>> {
    let key = row.key(section.count);
    let mut rows = row.answer.rows();
    rows.find(|it| {
        key.iter().all(|name| match *name {
            "crawl" => it.text("crawl") == crawl,
            name => it.value(name) == row.value(name),
        })
    })
}

/// A panel for each of some rows of the last crawl: its share in every crawl.
fn panels<'a>(context: &Context<'a>, rows: impl Iterator<Item = Row<'a>>) -> Plot {
    let (section, crawls) = (context.section, context.report.crawls);
    let rows = descending(rows.map(|row| context.pair(row)), |pair| {
        pair.share(section.share).map_or(0.0, |share| share.value)
    });
    let panels = rows.into_iter().take(PANELS).map(|pair| {
        let row = pair.domain.unwrap_or(pair.host);
        let shares_of = |column| {
            let share = |it: &Crawl| share_of(in_crawl(section, row, &it.label)?, column);
            crawls.iter().map(share).collect::<Vec<Option<Share>>>()
        };
        let (mut shares, mut others) = (shares_of(section.share), Vec::new());
        if !section.same.is_empty() && share_of(row, section.same).is_some() {
            others = std::mem::replace(&mut shares, shares_of(section.same));
        }
        let token = section.lines.iter().find(|it| it.words == "crawler");
        Panel {
            name: context.name(&section.lines, section.join, pair.host),
            ink: context.ink_of(&section.lines, pair.host),
            shares,
            others,
            since: token
                .and_then(|it| context.report.agents.since(&pair.host.text(it.name)))
                .map(|(day, _)| *day),
        }
    });
    Plot::Panels {
        panels: panels.collect(),
        crawls: crawls.to_vec(),
    }
}
