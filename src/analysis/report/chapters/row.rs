//! The reader of sections that do not name a reader: a row of the answer, and a figure of its rows.

use super::evidence::Evidence;
use crate::analysis::report::answer::{Row, descending};
use crate::analysis::report::context::{Context, share_of};
use crate::analysis::report::crawls::Crawl;
use crate::analysis::report::figure::{Bar, Panel, Plot};
use crate::analysis::report::format::Share;
use crate::analysis::report::section::Section;

const BARS: usize = 12;
const PANELS: usize = 6;

pub(super) fn row<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
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
pub fn drawable<'a>(context: &Context<'a>) -> impl Iterator<Item = Row<'a>> {
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

/// The row of another crawl with the same key as `row`.
pub fn in_crawl<'a>(section: &Section, row: Row<'a>, crawl: &str) -> Option<Row<'a>> {
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
        if context.of_the_same(row).is_some() {
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
