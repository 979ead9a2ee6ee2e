//! What a section says about its answer: the texts of `texts/`, filled with the answer's values.

use super::answer::{Answer, Cell, Row};
use super::crawl::Crawl;
use super::figure::{Bar, Figure, Ink, Panel, Plot};
use super::format::{Share, units};
use super::section::{Column, Pick, Section};
use super::table::ReportTable;
use super::template::{self, Value};
use super::words::{self, Agents};
use super::{chapters, summary};
use crate::error::Error;

/// Hosts that a share must be of.
pub(super) const FEWEST: f64 = 30.0;
const BARS: usize = 12;
const PANELS: usize = 6;

/// What all sections of a report have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReportContext<'a> {
    pub(super) crawls: &'a [Crawl],
    /// The label of the crawl that the last one is compared with.
    pub(super) before: &'a str,
    /// Why nothing can be said about changes between the two; none where something can.
    pub(super) no_change: Option<&'a str>,
    /// A sentence on the order of the two, for claims about changes; empty where it is certain.
    pub(super) order: &'a str,
    pub(super) agents: &'a Agents,
    /// Whether series over time follow the sites of a list, not hosts.
    pub(super) follows_sites: bool,
    /// Whether `--agents` names those that the report is about: then none of them is the first of
    /// all.
    pub(super) is_chosen: bool,
    /// How far the crawler that most websites block by name is ahead of the next, on the same
    /// websites: a row of `agent-panel`, whose change is the difference.
    pub(super) lead: Option<Row<'a>>,
}

/// A section and the answers to its query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) report: &'a ReportContext<'a>,
    pub(super) section: &'static Section,
    pub(super) answer: &'a Answer,
    /// The answer by registrable domain, where the section asks for that too.
    pub(super) domains: Option<&'a Answer>,
}

/// A row of an answer, and the same of the answer by registrable domain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) host: Row<'a>,
    pub(super) domain: Option<Row<'a>>,
}

impl Pair<'_> {
    /// The share by website where that is known, else by host.
    pub(super) fn share(self, column: &str) -> Option<Share> {
        share_of(self.domain.unwrap_or(self.host), column)
    }
}

/// The share in a column; none where it is null.
pub(super) fn share_of(row: Row<'_>, column: &str) -> Option<Share> {
    row.number(column)?;
    Some(row.pct(column))
}

/// What a reader found in an answer.
#[derive(Debug, Default)]
pub(super) struct Evidence<'a> {
    /// The row that the headline is about: its columns are values too.
    pub(super) lead: Option<Pair<'a>>,
    /// Values by name; null where a sentence has to do without.
    pub(super) values: Vec<(&'static str, Option<Value>)>,
    pub(super) plot: Option<Plot>,
}

impl<'a> Evidence<'a> {
    /// A row, without a figure.
    pub(super) fn about(lead: Pair<'a>) -> Self {
        Self {
            lead: Some(lead),
            ..Self::default()
        }
    }

    /// A figure, without a row.
    pub(super) fn drawn(plot: Plot) -> Self {
        Self {
            plot: Some(plot),
            ..Self::default()
        }
    }

    /// The same with a value.
    pub(super) fn with(self, name: &'static str, value: impl Into<Value>) -> Self {
        self.with_option(name, Some(value))
    }

    /// The same with a value that may be null.
    pub(super) fn with_option(
        mut self,
        name: &'static str,
        value: Option<impl Into<Value>>,
    ) -> Self {
        self.values.push((name, value.map(Into::into)));
        self
    }
}

/// A reader of answers. None where there is nothing to say.
pub(super) type Reader = for<'a> fn(&Context<'a>) -> Option<Evidence<'a>>;

/// What a section says.
#[derive(Debug, Default)]
pub(super) struct Statement {
    pub(super) headline: String,
    /// Its interval, its crawl, and what it is by host.
    pub(super) below: String,
    pub(super) sentences: Vec<String>,
    pub(super) about: String,
    /// Its weight for the summary; `None`: not for the summary. See [`mod@super::summary`].
    pub(super) interest: Option<f64>,
    pub(super) figure: Option<Figure>,
    pub(super) table: ReportTable,
}

/// What became of a section: what it says, or why it says nothing.
pub(super) type Reading = Result<Statement, String>;

impl<'a> Context<'a> {
    /// The label of the last crawl, which sections are about.
    pub(super) fn last(&self) -> &'a str {
        self.report.crawls.last().map_or("", |crawl| &crawl.label)
    }

    /// The answer by website where there is one, else by host.
    pub(super) fn by_domain(&self) -> &'a Answer {
        self.domains.unwrap_or(self.answer)
    }

    /// A row with the same by registrable domain.
    pub(super) fn pair(&self, row: Row<'a>) -> Pair<'a> {
        let key = row.key(self.section.count);
        let is_same = |it: &Row<'_>| key.iter().all(|name| it.value(name) == row.value(name));
        let domain = self.domains.and_then(|it| it.rows().find(is_same));
        Pair { host: row, domain }
    }

    /// The row of the answer that is picked.
    fn pick(&self, pick: &Pick) -> Option<Row<'a>> {
        let share = |row| Some(self.pair(row).share(self.section.share)?.value);
        pick.row(self.answer, (self.last(), self.report.before), share)
    }

    /// Whether table and figure have a row.
    pub(super) fn is_kept(&self, row: &Row<'_>) -> bool {
        let keep = &self.section.keep;
        keep.is_met(*row, self.last(), self.report.before)
    }

    pub(super) fn bar(&self, token: &str, shares: Vec<Option<Share>>) -> Bar {
        Bar {
            name: self.agent(token),
            ink: self.ink(token),
            shares,
        }
    }

    /// The name of a crawler as its operator spells it.
    pub(super) fn agent(&self, token: &str) -> String {
        self.report.agents.name(token)
    }

    /// The colour of a crawler, the same in all figures; grey for one of no special interest.
    pub(super) fn ink(&self, token: &str) -> Ink {
        let place = self
            .report
            .agents
            .coloured
            .iter()
            .position(|it| it == token);
        place.map_or(Ink::Other, Ink::Series)
    }

    /// A name in the words of a group.
    pub(super) fn words(&self, group: &str, text: &str) -> String {
        match group {
            "" => text.to_owned(),
            "crawler" => self.agent(text),
            "range" => chapters::range_in_words(text),
            "rules" => chapters::rules_in_words(text),
            "counted" => {
                let inner = text.strip_prefix("blocking ");
                match inner.and_then(|it| it.strip_suffix(" by name")) {
                    Some(token) => format!("hosts that block {} by name", self.agent(token)),
                    None => words::of(group, text),
                }
            }
            group => words::of(group, text),
        }
    }

    /// What names a row in a figure: its columns in words.
    fn name(&self, columns: &[Column], join: &str, row: Row<'_>) -> String {
        let parts = columns.iter().filter_map(|column| {
            let text = row.value(column.name).map(Cell::text)?;
            Some(self.words(column.words, &text)).filter(|it| !it.is_empty() && it != "null")
        });
        let between = match join {
            "" => ": ".to_owned(),
            word => format!(", {word} "),
        };
        parts.collect::<Vec<_>>().join(&between)
    }

    /// The colour of a row in a figure: the crawler's own where the row is about one.
    fn ink_of(&self, columns: &[Column], row: Row<'_>) -> Ink {
        match columns {
            [column] if column.words == "crawler" => self.ink(&row.text(column.name)),
            _ => Ink::Series(0),
        }
    }

    /// What the section says about its answer.
    ///
    /// [`Error::DuckDbFailed`]: a text or a reader asks for a value that the answer does not have.
    pub(super) fn read(&self) -> Result<Reading, Error> {
        let reading = self.reading();
        let lead = self.report.lead.map(Row::answer);
        for answer in [Some(self.answer), self.domains, lead]
            .into_iter()
            .flatten()
        {
            if let Some(reason) = answer.check()? {
                return Ok(Err(reason));
            }
        }
        Ok(reading)
    }

    fn reading(&self) -> Reading {
        let section = self.section;
        let reader = chapters::reader(section.reader).unwrap_or(row);
        let reason = || {
            let has_none = || !self.answer.rows().any(|row| self.is_kept(&row));
            let is_none = !section.none.is_empty() && has_none();
            if is_none { section.none } else { section.empty }.to_owned()
        };
        let found = reader(self).ok_or_else(reason)?;
        let text = Text {
            context: self,
            found: &found,
        };
        text.check();
        text.floor()?;
        let headline = text.fill(section.headline);
        let headline = headline.ok_or_else(reason)?;
        let below = text.fill(text.below()).unwrap_or_default() + &text.order();
        let interest = text.interest();
        let figure = found.plot.as_ref().map(|plot| Figure {
            measure: text.fill(section.figure).unwrap_or_default(),
            axis: text.fill(section.axis).unwrap_or_default(),
            plot: plot.clone(),
        });
        let of_table = if section.table_by_domain {
            self.by_domain()
        } else {
            self.answer
        };
        Ok(Statement {
            headline: match headline.strip_prefix("the ") {
                Some(rest) => format!("The {rest}"),
                None => headline,
            },
            below: capitalised(below),
            sentences: section
                .sentences
                .iter()
                .filter_map(|it| text.fill(it))
                .collect(),
            about: text.fill(section.about).unwrap_or_default(),
            interest,
            figure,
            table: ReportTable::of(self, of_table),
        })
    }
}

fn capitalised(text: String) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(characters).collect(),
        _ => text,
    }
}

/// A section's texts and the values that they take.
struct Text<'t, 'a> {
    context: &'t Context<'a>,
    found: &'t Evidence<'a>,
}

impl Text<'_, '_> {
    fn fill(&self, template: &str) -> Option<String> {
        let words = |group: &str, text: &str| self.context.words(group, text);
        let filled = template::fill(template, &|name| self.value(name), &words);
        filled.filter(|text| !text.is_empty())
    }

    fn value(&self, name: &str) -> Option<Value> {
        let given = self.found.values.iter().find(|(given, _)| *given == name);
        if let Some((_, value)) = given {
            return value.clone();
        }
        match name {
            "crawl" => return Some(Value::Text(self.context.last().to_owned())),
            "before" => return Some(Value::Text(self.context.report.before.to_owned())),
            // Of two crawls, the first is the one before.
            "first" => {
                let crawls = self.context.report.crawls;
                let first = crawls.first().filter(|_| crawls.len() > 2);
                return first.map(|crawl| Value::Text(crawl.label.clone()));
            }
            // Of two crawls, it is the one before.
            "previous" => {
                let previous = self.context.report.crawls.iter().rev().nth(1);
                return previous.map(|crawl| Value::Text(crawl.label.clone()));
            }
            "no_change" => {
                let no_change = self.context.report.no_change;
                return no_change.map(|it| Value::Text(it.to_owned()));
            }
            // Text in brackets with one of these is about hosts, or about sites of a list.
            "of_hosts" | "of_sites" => {
                let is_true = (name == "of_sites") == self.context.report.follows_sites;
                return is_true.then(|| Value::Text(String::new()));
            }
            "drawn" | "drawn_of" => return self.drawn(name == "drawn_of").map(Value::Number),
            _ => {}
        }
        let lead = self.found.lead?;
        let Some((named, column)) = name.split_once('.') else {
            return self.value_of(lead, name);
        };
        let row = if named == "before" {
            in_crawl(self.context.section, lead.host, self.context.report.before)
        } else {
            let pick = self
                .context
                .section
                .rows
                .iter()
                .find(|(name, _)| *name == named);
            pick.and_then(|(_, pick)| self.context.pick(pick))
        };
        // The headline has said it of its own row.
        let row = row.filter(|row| !row.is_same(lead.host))?;
        self.value_of(self.context.pair(row), column)
    }

    /// A value of a row: a column, or what is made of the column of the section's share.
    fn value_of(&self, pair: Pair<'_>, name: &str) -> Option<Value> {
        match name {
            "share" => pair.share(self.context.section.share).map(Value::Share),
            "host_share" => share_of(pair.host, self.context.section.share).map(Value::Share),
            "hosts" => pair
                .host
                .number(self.context.section.count)
                .map(Value::Number),
            "change" => share_of(pair.host, name).map(Value::Share),
            "same" => share_of(pair.host, self.context.section.same).map(|_| {
                let same = ["of the same hosts", "of the same sites"];
                Value::Text(same[usize::from(self.context.report.follows_sites)].to_owned())
            }),
            name if name.starts_with("pct") => Some(Value::Share(pair.share(name)?)),
            name => {
                let cell = pair.host.cell(name)?;
                if cell.is_text() {
                    return Some(Value::Text(cell.text().into_owned()));
                }
                cell.number().map(Value::Number)
            }
        }
    }

    /// The number of panels in the figure, or of all that it could have; none where it has all.
    fn drawn(&self, is_of_all: bool) -> Option<f64> {
        let Some(Plot::Panels { panels, .. }) = &self.found.plot else {
            return None;
        };
        let all = drawable(self.context).count();
        let number = if is_of_all { all } else { panels.len() };
        (all > panels.len()).then(|| units(number))
    }

    fn below(&self) -> &'static str {
        let section = self.context.section;
        match (section.below, section.also_by_domain) {
            ("", true) => words::text("below", "both"),
            ("", false) => words::text("below", "one"),
            (own, _) => own,
        }
    }

    /// A note on the order of the crawls, where the section is about them.
    fn order(&self) -> String {
        match self.context.section.needs {
            "crawls" => self.context.report.order.to_owned(),
            _ => String::new(),
        }
    }

    /// Why the share is of too few.
    fn floor(&self) -> Result<(), String> {
        let Some(lead) = self
            .found
            .lead
            .filter(|_| !self.context.section.share.is_empty())
        else {
            return Ok(());
        };
        let is_few = lead.host.number("n").is_some_and(|n| n < FEWEST);
        let share = lead.share(self.context.section.share);
        let Some(share) = share else {
            let query = &self.context.section.query;
            return Err(format!(
                "the query {query} has no value in {}",
                self.context.section.share
            ));
        };
        let reason = match share.no_interval {
            _ if is_few => words::text("left out", "few hosts"),
            Some(_) => words::text("left out", "few websites"),
            _ => return Ok(()),
        };
        Err(self.fill(reason).unwrap_or_default())
    }

    /// The weight for the summary: none where the smaller group has fewer than ten, or a change is
    /// not beyond its interval.
    fn interest(&self) -> Option<f64> {
        let mut weight = self.context.section.weight;
        let lead = self.found.lead.filter(|_| weight > 0.0)?;
        let share = lead.share(self.context.section.share);
        let is_change = self.context.section.share == "change";
        if let Some(change) = share.filter(|_| is_change) {
            weight = summary::beyond(weight, change.value, change.interval?)?;
        }
        let n = lead.host.number("n")?;
        let count = lead.host.number(self.context.section.count)?;
        let is_enough =
            |n: f64, count: f64| n >= FEWEST && count.min(n - count) >= summary::SMALLER_GROUP;
        // Of websites too, where their number is known.
        let share = share.filter(|_| !is_change);
        let websites = lead.host.value("n_domains").and_then(Cell::number);
        let is_enough_too = websites.is_none_or(|n| match share {
            Some(share) => is_enough(n, share.value * n / 100.0),
            None => n >= FEWEST,
        });
        let is_enough = is_enough(n, count) && is_enough_too;
        is_enough.then_some(weight)
    }

    /// Every value of the reader has a place in the texts.
    fn check(&self) {
        let names = |text: &'static str| template::names(text);
        let texts = self.context.section.templates().chain([self.below()]);
        let names: Vec<&str> = texts.flat_map(names).collect();
        for (name, _) in &self.found.values {
            debug_assert!(
                names.contains(name),
                "{}: no text has {name}",
                self.context.section.id
            );
        }
    }
}

/// The reader of a section that names none: a row of the answer and the figure of its rows.
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
fn drawable<'a>(context: &Context<'a>) -> impl Iterator<Item = Row<'a>> {
    context.answer.rows().filter(|row| {
        let crawl = row.value("crawl");
        crawl.is_none_or(|crawl| crawl.text() == context.last()) && context.is_kept(row)
    })
}

/// The figure of the answer's rows.
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
    let bars = rows.map(|row| Bar {
        name: context.name(columns, section.join, row),
        ink: context.ink_of(columns, row),
        shares: vec![context.pair(row).share(section.share)],
    });
    let mut bars: Vec<Bar> = bars.collect();
    let value = |bar: &Bar| {
        bar.shares
            .first()
            .copied()
            .flatten()
            .map_or(0.0, |share| share.value)
    };
    if !section.is_in_order {
        bars.sort_by(|one, other| value(other).total_cmp(&value(one)));
    }
    bars.truncate(BARS);
    bars.first()?;
    Some(Plot::dots(bars))
}

/// The row that has another crawl, and else the key of `row`.
fn in_crawl<'a>(section: &Section, row: Row<'a>, crawl: &str) -> Option<Row<'a>> {
    let key = row.key(section.count);
    let mut rows = row.answer().rows();
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
    let mut rows: Vec<Pair<'a>> = rows.map(|row| context.pair(row)).collect();
    let value = |pair: &Pair<'_>| pair.share(section.share).map_or(0.0, |share| share.value);
    rows.sort_by(|one, other| value(other).total_cmp(&value(one)));
    let panels = rows.into_iter().take(PANELS).map(|pair| {
        let row = pair.domain.unwrap_or(pair.host);
        let shares_of = |column| {
            let shares = crawls
                .iter()
                .map(|it| share_of(in_crawl(section, row, &it.label)?, column));
            shares.collect::<Vec<Option<Share>>>()
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
    let times = crawls.iter().map(|it| (it.label.clone(), it.day));
    Plot::Panels {
        times: times.collect(),
        panels: panels.collect(),
    }
}
